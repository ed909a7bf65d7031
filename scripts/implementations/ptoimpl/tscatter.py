"""TSCATTER by index and by mask: document 002."""

import numpy as np

from .layouts import places
from .memory import UNSIGNED, integers
from .words import PATTERNS


def run_index(job):
    """dst_flat[idx[i, j]] = src[i, j]; gives the roles of the regions that may have changed."""
    call = job.call
    source, destination = job.regions["source"], job.regions["destination"]
    if job.readings["tscatter-unaddressed"] == "zero":
        destination.clear()
    rows, cols = (call.src if job.readings["tscatter-extent"] == "source" else call.idx).valid
    if rows == 0 or cols == 0:
        return ("destination",)
    dtype = call.idx.dtype
    numbers = integers(job.regions["index"].read(dtype.size, places(call.idx, rows, cols).ravel()), dtype)
    slots = of_own_width(numbers, dtype, job)
    if job.readings["tscatter-index"] == "row":
        slots = in_rows(call.dst, slots, np.tile(np.arange(cols, dtype=np.int64), rows))
    at = places(call.src, rows, cols).ravel()
    if job.target != "cpu":
        # Which of several writers stays is left to the hardware.
        lanes = job.lanes(len(slots))
        if lanes is not None:
            slots, at = slots[lanes], at[lanes]
    bits = source.read(call.src.dtype.size, at)
    size = call.dst.dtype.size
    destination.write(size, slots, bits.astype(UNSIGNED[size], copy=False))
    return ("destination",)


def in_rows(tile, rows, columns):
    """Where the elements in `rows` and `columns` of `tile` stand; those it has not are out of reach."""
    there = (rows >= 0) & (rows < tile.rows) & (columns < tile.cols)
    slots = np.full(rows.shape, -(1 << 40))
    slots[there] = places(tile, tile.rows, tile.cols)[rows[there], columns[there]]
    return slots


def of_own_width(numbers, dtype, job):
    """Indices unsigned of their own width, elsewhere than on CPU unless a reading says otherwise."""
    unsigned = job.target == "cpu" or job.readings["tscatter-negative-index"] == "unsigned"
    if unsigned and dtype.kind == "i" and dtype.size < 8:
        return numbers & ((1 << (8 * dtype.size)) - 1)
    return numbers


def run_mask(job):
    """One lane of each group takes a source element, the others are zero."""
    call = job.call
    factor, lane = PATTERNS[call.pattern]
    destination = job.regions["destination"]
    if not (factor == 1 and job.readings["mask-p1111-padding"] == "kept"):
        destination.clear()
    rows, cols = call.src.valid
    if rows == 0 or cols == 0:
        return ("destination",)
    if call.axis == "Row":
        to = places(call.dst, rows, cols * factor)[:, lane::factor]
    else:
        to = places(call.dst, rows * factor, cols)[lane::factor, :]
    bits = job.regions["source"].read(call.src.dtype.size, places(call.src, rows, cols).ravel())
    size = call.dst.dtype.size
    destination.write(size, to.ravel(), bits.astype(UNSIGNED[size], copy=False))
    return ("destination",)
