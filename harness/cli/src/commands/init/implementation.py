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
    targets = ("a5",)  # the checks below are its own

    def mgather(self, call: ptodiff.Mgather) -> None:
        if call.mode != "Elem":
            raise ptodiff.Unsupported("by element only")
        dst, idx, array = call.dst, call.idx, call.table.array
        if call.table.layout != "ND" or not array.flags.c_contiguous or not array.size:
            raise ptodiff.Unsupported("tables without gaps only, and none that are empty")
        if {dst.slayout, idx.slayout} != {"NoneBox"}:
            raise ptodiff.Unsupported("tiles without boxes only")
        # `ptodiff explain MGATHER-TILE-02` says more of a check.
        for clause, holds in {
            "MGATHER-TILE-02": idx.location == "Vec",
            "MGATHER-DTYPE-08": idx.ctype in ("int32_t", "uint32_t"),
            "MGATHER-DTYPE-09": dst.dtype.itemsize < 8,
            "MGATHER-DTYPE-11": call.table.ctype == dst.ctype,
            "MGATHER-SHAPE-03": min(dst.valid_shape) > 0,
            "MGATHER-MODE-05": idx.valid_shape == dst.valid_shape,
        }.items():
            if not holds:
                raise ptodiff.Rejected(clause)
        if call.launch.dispatch == "direct" and dst.valid_shape != (1, 1):
            raise ptodiff.Hangs  # by MGATHER-LAUNCH-11
        rows, cols = dst.valid_shape
        index = idx.array[:rows, :cols].astype(np.uint32).astype(np.int64)
        table = call.table.body
        if call.oob == "Clamp":
            index = np.minimum(index, len(table) - 1)
        elif call.oob == "Wrap":
            index = index % len(table)
        found = table[np.minimum(index, len(table) - 1)]
        dst.valid = np.where(index < len(table), found, 0)  # otherwise 0, as Zero has it


if __name__ == "__main__":
    Mine().run()
