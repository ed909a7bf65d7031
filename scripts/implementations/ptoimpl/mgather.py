"""MGATHER from GM to UB: document 001."""

import numpy as np

from .indices import remap
from .layouts import places
from .tables import element_indices, element_slots, in_nz, row_capacity, row_indices, row_slots, row_width


def run(job):
    """Runs one call and gives the roles of the regions that it may have changed."""
    tile = job.call.dst
    rows, cols = tile.valid
    if rows and cols:
        (by_row if job.call.mode == "Row" else by_element)(job, rows, cols)
    return ("destination",)


def by_row(job, rows, cols):
    """dst[r, :] = table[idx[r], :]; padding is kept but where NZ brings or zeroes more."""
    call, tile = job.call, job.call.dst
    capacity = row_capacity(job.target, call.table)
    numbers, inside = remap(row_indices(job, rows), capacity, call.oob, job.target, job.readings)
    width = row_width(job, tile)
    at = places(tile, rows, width)
    nz = in_nz(job.target, call.table)
    zero = call.oob == "Zero"
    whole = zero and job.target == "a2a3" and (nz or job.readings["nd-zero-fill"] == "whole-tile")
    if whole:
        job.regions["destination"].clear()
    if zero and not inside.all():
        if not whole:
            outside = at[~inside][:, :cols].ravel()
            job.regions["destination"].write(tile.dtype.size, outside, zeros(tile, outside))
        numbers, at = numbers[inside], at[inside]
    elif capacity <= 0:
        return
    move(job, row_slots(job, numbers, width, cols), at)


def by_element(job, rows, cols):
    """dst[i, j] = table[idx[i, j]]; every lane stores once, so their order does not matter."""
    call, tile = job.call, job.call.dst
    capacity = call.table.elements
    numbers = element_indices(job, rows, cols)
    numbers, inside = remap(numbers, capacity, call.oob, job.target, job.readings)
    at = places(tile, rows, cols).ravel()
    if call.oob == "Zero" and not inside.all():
        outside = at[~inside]
        job.regions["destination"].write(tile.dtype.size, outside, zeros(tile, outside))
        numbers, at = numbers[inside], at[inside]
    elif capacity <= 0:
        return
    move(job, element_slots(job, numbers), at)


def move(job, slots, at):
    """Copies table elements `slots` to the elements `at` of the destination."""
    size = job.call.dst.dtype.size
    bits = job.regions["table"].read(size, slots.ravel())
    job.regions["destination"].write(size, at.ravel(), bits)


def zeros(tile, like):
    """As many zero elements as `like` has places."""
    return np.zeros(len(like), f"<u{tile.dtype.size}")
