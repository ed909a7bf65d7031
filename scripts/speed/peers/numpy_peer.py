"""The operations in NumPy, by fancy indexing. Told what peer.cpp beside it is told."""

import sys
from pathlib import Path
from timeit import repeat

import numpy as np

DTYPES = {"float": np.float32, "int8_t": np.int8}


def main(folder, runs, name, mode, dtype, policy, rows, cols):
    """Writes `numpy.result` into `folder`, and prints nanoseconds of the best run."""
    folder, dtype = Path(folder), DTYPES[dtype]
    if policy not in ("Undefined", "Clamp"):
        raise ValueError(f"no such policy: {policy}")
    # What an index selects.
    item = (int(cols),) if mode == "Row" else ()
    index = np.fromfile(folder / "index", np.uint32)
    table = np.fromfile(folder / "table", dtype).reshape(-1, *item)

    def select():
        return np.minimum(index, len(table) - 1) if policy == "Clamp" else index

    def scatter():
        table[select()] = source

    def gather():
        destination[:] = table[select()]

    if name == "scatter":
        source = np.fromfile(folder / "source", dtype).reshape(-1, *item)
        once, output = scatter, table
    else:
        destination = np.empty(int(rows) * int(cols), dtype).reshape(-1, *item)
        once, output = gather, destination
    print(round(min(repeat(once, number=1, repeat=int(runs))) * 1e9))
    output.tofile(folder / "numpy.result")


if __name__ == "__main__":
    main(*sys.argv[1:])
