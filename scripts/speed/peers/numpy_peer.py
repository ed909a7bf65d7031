"""The operations in NumPy: fancy indexing, and `ufunc.at` where values meet.

Speaks what main.cpp beside it speaks, on the same files.
"""

import sys
import time
from pathlib import Path

import numpy as np

DTYPES = {"float": np.float32, "half": np.float16, "int32_t": np.int32, "int8_t": np.int8}
ATOMICS = {"Add": np.add, "Max": np.maximum, "Min": np.minimum}
# Bytes of a line of the cache.
LINE = 64


class Operands:
    """What lies in a folder; the output is written in place."""

    def __init__(self, folder):
        lines = (folder / "operation").read_text().splitlines()
        words = dict(line.split(" ", 1) for line in lines)
        self.operation = words["operation"]
        self.dtype = np.dtype(DTYPES[words["dtype"]])
        self.policy, self.atomic = words["policy"], words["atomic"]
        self.rows, self.cols = int(words["rows"]), int(words["cols"])
        self.capacity = int(words["capacity"])
        self.group, self.place = int(words["group"]), int(words["place"])
        self.table = read(folder / "table", self.dtype)
        self.source = read(folder / "source", self.dtype)
        self.destination = read(folder / "destination", self.dtype)
        self.scratch = read(folder / "scratch", self.dtype)
        self.index = read(folder / "index", np.uint32)
        self.output = self.table if words["output"] == "table" else self.destination
        # Elements of a block of 32 bytes.
        self.block = 32 // self.dtype.itemsize

    def by_rows(self, array):
        return array.reshape(-1, self.cols)


def read(file, dtype):
    """What is in `file`, from the start of a line of the cache on."""
    values = file.read_bytes() if file.exists() else b""
    room = np.empty(len(values) + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    there = room[start : start + len(values)]
    there[:] = np.frombuffer(values, np.uint8)
    return there.view(dtype)


def lead(o):
    """The indices that lead somewhere, and where in the index they stand."""
    if o.policy == "Clamp":
        return np.minimum(o.index, o.capacity - 1), slice(None)
    if o.policy == "Wrap":
        return o.index % o.capacity, slice(None)
    if o.policy in ("Skip", "Zero"):
        kept = o.index < o.capacity
        return o.index[kept], kept
    return o.index, slice(None)


def scatter(o, table, source):
    index, kept = lead(o)
    if o.atomic == "None":
        table[index] = source[kept]
    else:
        ATOMICS[o.atomic].at(table, index, source[kept])


def gather(o, table, destination):
    index, kept = lead(o)
    if o.policy == "Zero":
        destination[:] = 0
        destination[kept] = table[index]
    else:
        destination[:] = table[index]


def scatter_elem(o):
    scatter(o, o.table, o.source)


def scatter_row(o):
    scatter(o, o.by_rows(o.table), o.by_rows(o.source))


def gather_elem(o):
    gather(o, o.table, o.destination)


def gather_row(o):
    gather(o, o.by_rows(o.table), o.by_rows(o.destination))


def into_blocks(o, rows, to):
    """Rows into blocks: block column after block column."""
    to = to.reshape(-1, o.rows, o.block)
    to[:] = rows.reshape(o.rows, -1, o.block).transpose(1, 0, 2)


def gather_l1_row(o):
    rows = np.empty((o.rows, o.cols), o.dtype)
    gather(o, o.by_rows(o.table), rows)
    into_blocks(o, rows, o.destination)


def gather_l1_elem(o):
    values = np.empty(o.rows * o.cols, o.dtype)
    gather(o, o.table, values)
    staged = o.scratch[: values.size]
    into_blocks(o, values, staged)
    o.destination[:] = staged


def tile_scatter(o):
    o.destination[o.index] = o.source


def mask_scatter(o):
    o.destination[:] = 0
    o.destination[o.place :: o.group] = o.source


def byte_gather(o):
    # Offsets here are whole elements: fancy indexing has no others.
    o.destination[:] = o.source[o.index // o.dtype.itemsize]


def block_gather(o):
    blocks = o.source.reshape(-1, o.block)
    o.destination.reshape(-1, o.block)[:] = blocks[o.index // 32]


OPERATIONS = {
    "scatter-elem": scatter_elem,
    "scatter-row": scatter_row,
    "gather-elem": gather_elem,
    "gather-row": gather_row,
    "gather-l1-row": gather_l1_row,
    "gather-l1-elem": gather_l1_elem,
    "tile-scatter": tile_scatter,
    "mask-scatter": mask_scatter,
    "byte-gather": byte_gather,
    "block-gather": block_gather,
}


class Peer:
    """What is open, and what is done with it."""

    def __init__(self):
        self.operation = self.operands = None

    def answer(self, line):
        verb, _, rest = line.partition(" ")
        if verb == "open":
            return self.open(Path(rest))
        if self.operation is None:
            return "error: nothing is open"
        if verb == "turn":
            return str(self.turn(int(rest)))
        if verb == "once":
            self.operation(self.operands)
            return "done"
        if verb == "result":
            self.operands.output.tofile(rest)
            return "done"
        return f"error: no such word: {verb}"

    def open(self, folder):
        self.operands = Operands(folder)
        self.operation = OPERATIONS.get(self.operands.operation)
        return "none" if self.operation is None else "ready"

    def turn(self, times):
        operation, operands = self.operation, self.operands
        operation(operands)
        start = time.perf_counter_ns()
        for _ in range(times):
            operation(operands)
        return time.perf_counter_ns() - start


def main():
    peer = Peer()
    for line in sys.stdin:
        try:
            said = peer.answer(line.rstrip("\n"))
        except (OSError, ValueError, KeyError, IndexError) as why:
            said = f"error: {type(why).__name__} {why}"
        print(said.replace("\n", " "), flush=True)


if __name__ == "__main__":
    main()
