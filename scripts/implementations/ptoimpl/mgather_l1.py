"""MGATHER from GM to L1: document 001, the section on Mat tiles."""

import numpy as np

from .indices import remap
from .layouts import places
from .mgather import zeros
from .tables import read_indices
from .words import product


def run(job):
    """Runs one call and gives the roles of the regions that it may have changed."""
    if job.target == "cpu":
        plain(job)
        return ("destination",)
    if job.call.mode == "Row":
        by_row(job)
        return ("destination",)
    by_element(job)
    return ("destination", "scratch")


def indices(job, rows, cols):
    """`rows` by `cols` indices of the GM tensor, one after the other unless its strides count."""
    tensor = job.call.idx
    if job.readings["l1-index-pitch"] == "strided":
        r = np.arange(rows, dtype=np.int64)[:, None] * tensor.stride[3]
        at = (r + np.arange(cols, dtype=np.int64)[None, :] * tensor.stride[4]).ravel()
    else:
        at = np.arange(rows * cols, dtype=np.int64)
    return read_indices(job, at, of_elements=job.call.mode == "Elem")


def by_row(job):
    """One transfer a row, which fills the last block of 32 bytes up with zeros."""
    call, tile = job.call, job.call.dst
    rows, cols = tile.valid
    size, block = tile.dtype.size, tile.block
    destination = job.regions["destination"]
    capacity = product(call.table.shape[:4])
    if call.oob == "Zero":
        destination.clear()
    if rows == 0 or cols == 0:
        return
    numbers, inside = remap(indices(job, 1, rows), capacity, call.oob, job.target, job.readings)
    if capacity <= 0:
        return
    filled = cols
    if job.readings["l1-row-padding"] == "tail-zero":
        filled = max(cols, min(-(-cols // block) * block, tile.cols))
    at = places(tile, rows, filled)
    if call.oob == "Zero":
        numbers, at = numbers[inside], at[inside]
    tail = at[:, cols:].ravel()
    destination.write(size, tail, zeros(tile, tail))
    slots = (numbers * call.table.stride[3])[:, None] + np.arange(cols, dtype=np.int64)[None, :]
    bits = job.regions["table"].read(size, slots.ravel())
    destination.write(size, at[:, :cols].ravel(), bits)


def by_element(job):
    """Elements are staged in the scratch as an NZ image, which then goes to L1 in one piece."""
    call, tile = job.call, job.call.dst
    rows, cols = tile.valid
    size = tile.dtype.size
    scratch, destination = job.regions["scratch"], job.regions["destination"]
    image = np.arange(tile.rows * tile.cols, dtype=np.int64)
    always = call.exec == "Simt" or job.readings["l1-scratch-zero"] == "always"
    bits, at = gathered(job, rows, cols)
    if always or call.oob == "Zero":
        scratch.write(size, image, zeros(tile, image))
    scratch.write(size, at, bits)
    destination.write(size, image, scratch.read(size, image))


def gathered(job, rows, cols):
    """The elements that an Elem call collects and their places in the tile; Zero leaves lanes out."""
    call, tile = job.call, job.call.dst
    capacity = call.table.elements
    numbers = indices(job, rows, cols)
    numbers, inside = remap(numbers, capacity, call.oob, job.target, job.readings)
    at = places(tile, rows, cols).ravel()
    if call.oob == "Zero" or capacity <= 0:
        numbers, at = numbers[inside], at[inside]
    return job.regions["table"].read(tile.dtype.size, numbers), at


def plain(job):
    """The CPU's way, which the suites drive: the valid region only, padding kept."""
    call, tile = job.call, job.call.dst
    rows, cols = tile.valid
    size = tile.dtype.size
    destination = job.regions["destination"]
    if call.mode == "Elem":
        valid = places(tile, rows, cols).ravel()
        bits, at = gathered(job, rows, cols)
    else:
        width = call.table.shape[4]
        numbers = indices(job, 1, rows)
        capacity = call.table.shape[3]
        numbers, inside = remap(numbers, capacity, call.oob, job.target, job.readings)
        places_ = places(tile, rows, cols)
        valid = places_.ravel()
        if call.oob == "Zero" or capacity <= 0:
            numbers, places_ = numbers[inside], places_[inside]
        slots = (numbers * width)[:, None] + np.arange(cols, dtype=np.int64)[None, :]
        bits, at = job.regions["table"].read(size, slots.ravel()), places_.ravel()
    if call.oob == "Zero":
        destination.write(size, valid, zeros(tile, valid))
    destination.write(size, at, bits)
