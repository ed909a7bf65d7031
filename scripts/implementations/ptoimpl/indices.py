"""What an index means: its sign and the policy for those out of bounds."""

import numpy as np


def meaning(numbers, dtype, target, readings):
    """Indices as int64: unsigned of their own width unless a reading says otherwise.

    The cpu target casts to uint32_t whatever the reading says.
    """
    if target == "cpu":
        return numbers & 0xFFFFFFFF
    if dtype.kind == "i" and readings["negative-index"] == "unsigned" and dtype.size < 8:
        return numbers & ((1 << (8 * dtype.size)) - 1)
    return numbers


def of_bytes(numbers, dtype, size):
    """Displacements in bytes as numbers of elements of `size` bytes, in the index's own type.

    They are signed whatever the type says. What lies between two elements is
    promised nothing; here the quotient is taken towards zero.
    """
    # No document has wider ones.
    bits = 8 * min(dtype.size, 4)
    half = 1 << (bits - 1)
    signed = (numbers + half) % (2 * half) - half
    counted = np.sign(signed) * (np.abs(signed) // size)
    return counted if dtype.kind == "i" else counted % (2 * half)


def remap(index, capacity, policy, target, readings):
    """The index after the policy, and which ones were within bounds before it.

    Skip, Zero and Undefined leave the index alone: the caller acts on the bounds.
    """
    capacity = min(capacity, 1 << 62)
    intended = target != "cpu" and readings["negative-index"] == "intended"
    inside = index < capacity
    if intended:
        inside &= index >= 0
    if capacity <= 0:
        return index, np.zeros(index.shape, bool)
    if policy == "Clamp":
        index = np.minimum(index, capacity - 1)
        if intended:
            index = np.maximum(index, 0)
    elif policy == "Wrap":
        # fmod keeps the sign of a negative index, as the remainder of C++ does.
        index = np.mod(index, capacity) if intended else np.fmod(index, capacity)
    return index, inside
