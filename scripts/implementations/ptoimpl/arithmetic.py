"""Add, Max and Min on the bits of elements, each step rounded to the element type."""

from functools import partial

import numpy as np

from .memory import SIGNED, UNSIGNED

HALF = np.dtype("<f2")
FLOAT = np.dtype("<f4")
# Bits of the fraction of each floating-point type that can be added.
FRACTION = {"half": 10, "bfloat16_t": 7, "float": 23}


def fold(dtype, op, target, row, readings):
    """The function (view, slots, bits) that does `view[slot] = view[slot] op bits` lane by lane.

    `view` holds bits of the element type, lanes take effect in the order given
    and none is lost. `row` says whether the call runs in Row mode, where A2/A3
    has its own adder.
    """
    if dtype.kind == "f":
        if dtype.name not in FRACTION:
            # No rule gives the 8-bit floats an atomic: they replace.
            return partial(in_turns, lambda slots, values: values)
        flushed = readings["subnormals"] == "flushed" and target != "cpu"
        if op == "Add":
            if dtype.name != "bfloat16_t" and not flushed:
                return partial(at_once, np.add, HALF if dtype.size == 2 else FLOAT)
            work = partial(add_float, dtype)
        else:
            work = partial(pick_float, dtype, op == "Max", readings["max-min-nan"])
        if flushed:
            return partial(
                in_turns, lambda slots, values: flush(dtype, work(flush(dtype, slots), flush(dtype, values)))
            )
        return partial(in_turns, work)
    typed = (SIGNED if dtype.kind == "i" else UNSIGNED)[dtype.size]
    if op != "Add":
        return partial(at_once, np.maximum if op == "Max" else np.minimum, typed)
    overflow = readings["add-overflow"]
    saturates = overflow == "saturate" or (overflow == "mte3-saturates" and target == "a2a3" and row)
    if saturates and target != "cpu" and dtype.size < 8:
        return partial(in_turns, partial(add_saturating, typed))
    return partial(at_once, np.add, typed)


def at_once(ufunc, typed, view, slots, bits):
    """Folds by NumPy's own unbuffered operation, which goes lane by lane."""
    with np.errstate(all="ignore"):
        ufunc.at(view.view(typed), slots, bits.view(typed))


def in_turns(step, view, slots, bits):
    """Folds by `step(old, values) -> new` on bits, one lane of each slot a turn."""
    with np.errstate(all="ignore"):
        for turn in turns(slots):
            view[slots[turn]] = step(view[slots[turn]], bits[turn])


def turns(slots):
    """Splits the lanes into turns: turn k holds the k-th lane of each slot, in the given order."""
    if slots.size == 0:
        return []
    order = np.argsort(slots, kind="stable")
    ordered = slots[order]
    first = np.empty(len(ordered), bool)
    first[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    if first.all():
        return [order]
    place = np.arange(len(ordered))
    turn = place - np.maximum.accumulate(np.where(first, place, 0))
    by_turn = np.argsort(turn, kind="stable")
    ends = np.cumsum(np.bincount(turn))
    return np.split(order[by_turn], ends[:-1])


def add_float(dtype, slots, values):
    """The sum rounded to nearest, ties to even, in the element type."""
    if dtype.name == "bfloat16_t":
        return to_bfloat16(from_bfloat16(slots) + from_bfloat16(values))
    typed = HALF if dtype.size == 2 else FLOAT
    return (slots.view(typed) + values.view(typed)).view(slots.dtype)


def from_bfloat16(bits):
    """bfloat16 bits as float, exactly."""
    return (bits.astype("<u4") << np.uint32(16)).view(FLOAT)


def to_bfloat16(numbers):
    """Floats rounded to bfloat16 bits, to nearest, ties to even."""
    bits = numbers.view("<u4")
    odd = (bits >> np.uint32(16)) & np.uint32(1)
    # A NaN must not be rounded up into an infinity or over the sign.
    rounded = (bits.astype("<u8") + 0x7FFF + odd) >> np.uint64(16)
    quiet = (bits >> np.uint32(16)) | np.uint32(0x40)
    return np.where(np.isnan(numbers), quiet, rounded).astype("<u2")


def pick_float(dtype, largest, nan, slots, values):
    """Max or Min: bits compared as signed magnitudes, so -0.0 is below +0.0."""
    a, b = magnitude_order(slots), magnitude_order(values)
    picked = np.where((b > a) if largest else (b < a), values, slots)
    if nan in ("ignored", "passed-on"):
        nan_slot, nan_value = is_nan(dtype, slots), is_nan(dtype, values)
        if nan == "ignored":
            picked = np.where(nan_value, slots, np.where(nan_slot, values, picked))
        else:
            picked = np.where(nan_slot, slots, np.where(nan_value, values, picked))
    return picked


def magnitude_order(bits):
    """Integers in the order of the numbers that the bits stand for."""
    signed = bits.view(SIGNED[bits.dtype.itemsize])
    top = np.iinfo(signed.dtype).max
    return np.where(signed < 0, signed ^ top, signed)


def is_nan(dtype, bits):
    """Which of the bits are NaN."""
    fraction = FRACTION[dtype.name]
    magnitude = (1 << (8 * dtype.size - 1)) - 1
    infinity = magnitude & ~((1 << fraction) - 1)
    return (bits & bits.dtype.type(magnitude)) > bits.dtype.type(infinity)


def flush(dtype, bits):
    """Subnormals turned into zeros of their sign."""
    kind = bits.dtype.type
    magnitude = bits & kind((1 << (8 * dtype.size - 1)) - 1)
    small = magnitude < kind(1 << FRACTION[dtype.name])
    return np.where(small, bits & kind(1 << (8 * dtype.size - 1)), bits)


def add_saturating(typed, slots, values):
    """The integer sum held at the ends of the type's range."""
    range_ = np.iinfo(typed)
    total = slots.view(typed).astype(np.int64) + values.view(typed).astype(np.int64)
    return np.clip(total, range_.min, range_.max).astype(typed).view(slots.dtype)
