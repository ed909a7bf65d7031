"""How MSCATTER and MGATHER find their way in a table in GM, on each target."""

import numpy as np

from .layouts import nz_column, nz_columns, nz_element, nz_row, places, strided
from .memory import integers
from .indices import meaning, of_bytes
from .words import product


def in_nz(target, table):
    """Whether the call takes the NZ paths, which only A2/A3 has."""
    return target == "a2a3" and table.layout == "NZ"


def row_capacity(target, table):
    """Rows that an index may name in Row mode."""
    if in_nz(target, table):
        return table.shape[2] * 16
    return product(table.shape[:4]) if target == "a2a3" else table.shape[3]


def row_width(job, tile):
    """Columns that Row mode moves: the valid ones, or all that an NZ burst brings."""
    width = tile.valid[1]
    if in_nz(job.target, job.call.table) and job.readings["nz-row-columns"] != "kept":
        return max(width, min(nz_columns(job.call.table), tile.cols))
    return width


def row_slots(job, rows, width, valid_cols):
    """Table elements of the columns 0 to `width` of the rows with the numbers `rows`."""
    table, target = job.call.table, job.target
    columns = np.arange(width, dtype=np.int64)
    if in_nz(target, table):
        return nz_row(table, rows)[:, None] + nz_column(table, columns)[None, :]
    if target == "a5":
        starts = rows * valid_cols
    elif target == "cpu":
        padded = job.readings["cpu-padded-table"] == "strided" and job.call.form == "mgather"
        starts = rows * (table.stride[3] if padded else table.shape[4])
    elif job.readings["outer-strides"] == "split":
        starts = strided(rows, table.shape[:4], table.stride[:4])
    else:
        starts = rows * table.stride[3]
    return starts[:, None] + columns[None, :]


def element_slots(job, numbers):
    """Table elements of flat element numbers in Elem mode."""
    table = job.call.table
    if in_nz(job.target, table):
        return nz_element(table, numbers)
    if job.target == "a2a3" and job.readings["padded-elem"] == "strided":
        return strided(numbers, table.shape, table.stride)
    return numbers


def row_indices(job, count):
    """The `count` row indices in the index tile, read as the target reads them."""
    tile = job.call.idx
    by_layout = job.target == "cpu" or job.readings["row-index-pitch"] == "logical"
    if by_layout or job.target == "a2a3":
        # One row of indices, or one column of them where the target takes that.
        across = job.target == "a2a3" or tile.valid[0] == 1
        at = (places(tile, 1, count) if across else places(tile, count, 1)).ravel()
    else:
        at = np.arange(count, dtype=np.int64)
    return read_indices(job, at)


def element_indices(job, rows, cols):
    """The indices of `rows` by `cols` elements, row by row, through the tile's own layout."""
    return read_indices(job, places(job.call.idx, rows, cols).ravel(), of_elements=True)


def read_indices(job, at, of_elements=False):
    """The indices that stand at the elements `at` of the index operand."""
    dtype = job.call.idx.dtype
    numbers = integers(job.regions["index"].read(dtype.size, at), dtype)
    in_bytes = job.readings["index-unit"] == "byte" and job.call.form != "mscatter-first"
    if of_elements and in_bytes:
        numbers = of_bytes(numbers, dtype, job.call.table.dtype.size)
    return meaning(numbers, dtype, job.target, job.readings)
