"""MSCATTER: document 000, and document 003 for the first revision."""

import numpy as np

from .arithmetic import fold
from .indices import remap
from .layouts import nz_walk, places
from .tables import (
    element_indices,
    element_slots,
    in_nz,
    read_indices,
    row_capacity,
    row_indices,
    row_slots,
    row_width,
)


def run(job):
    """Runs one call and gives the roles of the regions that it may have changed."""
    call, tile = job.call, job.call.src
    rows, cols = tile.valid
    if rows == 0 or cols == 0:
        return ("table",)
    if job.target == "cpu" and job.readings["cpu-form"] == "documented":
        # No policies on this target: every index is an element, the last writer stays.
        at = places(tile, rows, cols).ravel()
        store(job, element_indices(job, rows, cols), at, "None", ordered=True)
        return ("table",)
    last = job.target != "a5" or call.conflict == "Last"
    if call.mode == "Row":
        slots, at = by_row(job, rows, cols)
    else:
        slots, at = by_element(job, rows, cols)
    store(job, slots, at, call.atomic, ordered=last)
    return ("table",)


def by_row(job, rows, cols):
    """Slots and source places of a Row call, row by row."""
    call, tile = job.call, job.call.src
    width = row_width(job, tile)
    if job.target == "a2a3" and not in_nz("a2a3", call.table) and job.readings["burst-tail"] == "rounded":
        width = min(-(-cols // tile.block) * tile.block, tile.cols)
    numbers, keep = bounded(job, row_indices(job, rows), row_capacity(job.target, call.table))
    slots = row_slots(job, numbers, width, cols)
    at = places(tile, rows, width)
    if keep is not None:
        slots, at = slots[keep], at[keep]
    return slots.ravel(), at.ravel()


def by_element(job, rows, cols):
    """Slots and source places of an Elem call, in the order of the target's walk."""
    call, tile = job.call, job.call.src
    at = places(tile, rows, cols).ravel()
    numbers, keep = bounded(job, element_indices(job, rows, cols), call.table.elements)
    slots = element_slots(job, numbers)
    if in_nz(job.target, call.table) and job.readings["nz-elem-order"] == "walk":
        walk = nz_walk(tile, rows, cols)
        slots, at = slots[walk], at[walk]
        keep = None if keep is None else keep[walk]
    if keep is not None:
        slots, at = slots[keep], at[keep]
    return slots, at


def bounded(job, numbers, capacity):
    """Indices after the policy, and which lanes are left: None stands for all."""
    call = job.call
    numbers, inside = remap(numbers, capacity, call.oob, job.target, job.readings)
    if capacity > 0 and (inside.all() or call.oob in ("Clamp", "Wrap")):
        return numbers, None
    if call.oob == "Undefined" and capacity > 0 and not drops_undefined(job):
        return numbers, None
    return numbers, inside


def drops_undefined(job):
    """Whether an index out of bounds under Undefined has no owner: A5 with Last, the scalar path excepted."""
    call = job.call
    return (
        job.target == "a5"
        and job.readings["undefined-last"] == "dropped"
        and getattr(call, "mode", None) is not None
        and call.atomic == "None"
        and call.conflict == "Last"
        and not (call.mode == "Elem" and call.src.valid == (1, 1))
    )


def store(job, slots, at, atomic, ordered):
    """Moves source elements `at` to `slots`; `ordered` says that the last one stays under None."""
    call, dtype = job.call, job.call.src.dtype
    table = job.regions["table"]
    if job.target == "a5":
        if atomic != "None" or not ordered:
            lanes = job.lanes(len(slots))
        elif job.readings["last-by"] == "storage":
            lanes = np.argsort(at, kind="stable")
        else:
            lanes = None
        if lanes is not None:
            slots, at = slots[lanes], at[lanes]
    bits = job.regions["source"].read(dtype.size, at)
    if atomic == "None":
        table.write(dtype.size, slots, bits)
    else:
        row = getattr(call, "mode", "Row") == "Row"
        table.combine(dtype.size, slots, bits, fold(dtype, atomic, job.target, row, job.readings))


def run_first(job):
    """Runs one call of the first revision, which only A5 has."""
    call, tile = job.call, job.call.src
    rows, cols = tile.valid
    if rows == 0 or cols == 0:
        return ("table",)
    by_rows = call.idx.cols == 1 and not (tile.cols == 1 and job.readings["first-mode"] == "elem")
    shape = call.table.shape
    elements = shape[3] * shape[4]
    at = places(tile, rows, cols)
    if by_rows:
        capacity = shape[3] if job.readings["first-row-capacity"] == "rows" else elements
        numbers = read_indices(job, np.arange(rows, dtype=np.int64))
        numbers, keep = bounded(job, numbers, capacity)
        slots = (numbers * tile.cols)[:, None] + np.arange(cols, dtype=np.int64)[None, :]
    else:
        numbers, keep = bounded(job, element_indices(job, rows, cols), elements)
        slots, at = numbers, at.ravel()
    if keep is not None:
        slots, at = slots[keep], at[keep]
    store(job, slots.ravel(), at.ravel(), call.atomic, ordered=job.readings["first-conflict"] == "last")
    return ("table",)
