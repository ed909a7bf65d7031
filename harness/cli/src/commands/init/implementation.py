"""An implementation to start from: MGATHER by element.

ptodiff starts this program and judges what it does. Replace `mgather` by your own, and
give more: `ptodiff guide arrays-and-python` has the list. What has no method is `unsupported`.
"""

import sys

try:
    import numpy as np
    import ptodiff
except ModuleNotFoundError as error:
    sys.exit(
        f"there is no module `{error.name}`: install the wheel of ptodiff, as in\n"
        f"  {sys.executable} -m pip install ptodiff-*.whl   # in a checkout: ./python"
    )


class Mine(ptodiff.Implementation):
    def mgather(self, call: ptodiff.Mgather) -> None:
        if call.mode != "Elem":
            raise ptodiff.Unsupported("by element only")
        if call.table.layout != "ND" or not call.table.array.flags.c_contiguous:
            raise ptodiff.Unsupported("tables without gaps only")
        if call.table.ctype != call.dst.ctype:
            raise ptodiff.Rejected("MGATHER-DTYPE-11", "table and destination differ in type")
        if call.idx.dtype.itemsize != 4:
            raise ptodiff.Rejected("MGATHER-DTYPE-08", "indices are not of 32 bits")
        rows, cols = call.dst.valid_shape
        index = call.idx.array[:rows, :cols].astype(np.uint32).astype(np.int64)
        table = call.table.body
        if call.oob == "Clamp":
            index = np.minimum(index, len(table) - 1)
        elif call.oob == "Wrap":
            index = index % len(table)
        found = table[np.minimum(index, len(table) - 1)]
        call.dst.valid = np.where(index < len(table), found, 0)  # otherwise 0, as Zero has it


if __name__ == "__main__":
    Mine().run()
