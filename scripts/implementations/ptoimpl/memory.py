"""The bytes of one operand between its guard zones, read and written by element."""

import numpy as np

UNSIGNED = {1: np.dtype("<u1"), 2: np.dtype("<u2"), 4: np.dtype("<u4"), 8: np.dtype("<u8")}
SIGNED = {1: np.dtype("<i1"), 2: np.dtype("<i2"), 4: np.dtype("<i4"), 8: np.dtype("<i8")}
# What a read from beyond the region delivers.
BEYOND = 0xEE


class Region:
    """A region of a call: `raw` is all of it (uint8), the operand is `length` bytes from `start`.

    `sparse` is what `raw` is a view of, if most of it has no memory.
    """

    def __init__(self, raw, start, length, sparse=None):
        self.raw = raw
        self.sparse = sparse
        self.start = start
        self.length = length

    def view(self, size):
        """The region as elements of `size` bytes in step with the operand, and the operand's place in it.

        Bytes at either end that fill no element are out of reach.
        """
        lead = self.start % size
        count = (len(self.raw) - lead) // size
        if count <= 0:
            return np.empty(0, UNSIGNED[size]), 0
        return self.raw[lead : lead + count * size].view(UNSIGNED[size]), self.start // size

    def read(self, size, at):
        """The bits of the elements with the numbers `at` (int64), counted from the operand's start."""
        view, origin = self.view(size)
        at = at + origin
        if all_within(at, len(view)):
            return view[at]
        inside = (at >= 0) & (at < len(view))
        bits = np.full(at.shape, int.from_bytes([BEYOND] * size, "little"), UNSIGNED[size])
        bits[inside] = view[at[inside]]
        return bits

    def write(self, size, at, bits):
        """Stores `bits` at the elements `at`; of several to one place the last stays."""
        view, origin = self.view(size)
        at = at + origin
        if not all_within(at, len(view)):
            inside = (at >= 0) & (at < len(view))
            at, bits = at[inside], bits[inside]
        view[at] = bits

    def combine(self, size, at, bits, fold):
        """Lets `fold(view, at, bits)` combine `bits` with the elements `at`, none lost."""
        view, origin = self.view(size)
        at = at + origin
        if not all_within(at, len(view)):
            inside = (at >= 0) & (at < len(view))
            at, bits = at[inside], bits[inside]
        fold(view, at, bits)

    def clear(self):
        """Zeroes the operand, its padding included."""
        self.raw[self.start : self.start + self.length] = 0


def all_within(at, count):
    """Whether the numbers `at` (int64) are all from 0 to below `count`."""
    # Without their sign negative ones are larger than any count: one pass tells.
    return np.maximum.reduce(at.view(np.uint64), axis=None, initial=0) < count


def integers(bits, dtype):
    """Bits of an index operand as int64; anything but a signed type counts as unsigned."""
    if dtype.kind == "i":
        bits = bits.view(SIGNED[dtype.size])
    return bits.astype(np.int64)
