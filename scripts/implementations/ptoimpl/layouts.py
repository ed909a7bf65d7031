"""Where the elements of a tile and of a table stand."""

from functools import lru_cache

import numpy as np

# Below this many elements the places in a tile are kept for the next call.
KEPT = 1 << 14


def places(tile, rows, cols):
    """Element numbers of (r, c) in the tile's storage, as an int64 array [rows, cols]."""
    key = (tile.rows, tile.cols, tile.blayout, tile.slayout, tile.fractal, tile.dtype.size, rows, cols)
    return _kept(*key) if rows * cols <= KEPT else _places(*key)


def _places(height, width, blayout, slayout, fractal, size, rows, cols):
    r = np.arange(rows, dtype=np.int64)[:, None]
    c = np.arange(cols, dtype=np.int64)[None, :]
    if slayout == "NoneBox":
        return r * width + c if blayout == "RowMajor" else c * height + r
    # A box is a fractal of so many lines of 32 bytes.
    line = max(32 // size, 1)
    lines = max(fractal // 32, 1)
    if slayout == "RowMajor":
        box_r, box_c, inner = lines, line, (r % lines) * line + c % line
    else:
        box_r, box_c, inner = line, lines, (c % lines) * line + r % line
    if blayout == "ColMajor" and slayout == "RowMajor":
        # NZ: a block column is as high as the tile.
        return (c // line) * (height * line) + r * line + c % line
    across = -(-width // box_c)
    down = -(-height // box_r)
    box = (r // box_r) * across + c // box_c if blayout == "RowMajor" else (c // box_c) * down + r // box_r
    return box * (box_r * box_c) + inner


_kept = lru_cache(maxsize=256)(_places)


def nz_walk(tile, rows, cols):
    """The (r, c) of the NZ walk as flat numbers r * cols + c: block column, row, column in the block."""
    c = np.arange(cols, dtype=np.int64)
    r = np.arange(rows, dtype=np.int64)
    blocks = [np.add.outer(r * cols, c[b : b + tile.block]).ravel() for b in range(0, cols, tile.block)]
    return np.concatenate(blocks) if blocks else c


def split(number, shape):
    """Coordinates of a row-major element number in `shape`, outermost first; the outermost is not bounded."""
    digits = []
    for extent in reversed(shape[1:]):
        digits.append(number % max(extent, 1))
        number = number // max(extent, 1)
    digits.append(number)
    return digits[::-1]


def strided(number, shape, stride):
    """The place of a row-major element number in `shape` when the strides count."""
    return sum(n * s for n, s in zip(split(number, shape), stride))


def nz_columns(table):
    """Logical columns of an NZ table: batches times block columns times block width."""
    return table.shape[0] * table.shape[1] * (32 // table.dtype.size)


def nz_column(table, column):
    """How far a logical column of an NZ table stands from its batch 0, block 0."""
    block = 32 // table.dtype.size
    blocks = max(table.shape[1], 1)
    number = column // block
    return (number // blocks) * table.stride[0] + (number % blocks) * table.stride[1] + column % block


def nz_row(table, row):
    """How far a logical row of an NZ table stands from row 0."""
    return (row // 16) * table.stride[2] + (row % 16) * table.stride[3]


def nz_element(table, number):
    """The place of a flat logical element number of an NZ table."""
    width = max(nz_columns(table), 1)
    return nz_row(table, number // width) + nz_column(table, number % width)
