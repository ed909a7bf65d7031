"""What may stand in each element of a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .dtypes import DTYPES, as_bits
from .operands import Array

#: Bits of the largest magnitude that is no NaN, by float type: above it are the NaNs.
_LARGEST = {"half": 0x7C00, "bfloat16_t": 0x7F80, "float": 0x7F800000, "float8_e4m3_t": 0x7E, "float8_e5m2_t": 0x7C}

_Index = Union[int, Sequence[int]]


class Lane(NamedTuple):
    """A position of the data tile in one call."""

    #: Which call of a case with chunks, from 0.
    call: int
    row: int
    col: int


class Permits:
    """What the contract of a target allows in each element of the output of a case.

    All arrays have the shape of `case.results(target)`. An element conforms where `any` is true, where
    it holds, bit for bit, one of `values(at)`, or where `interval` is true and it lies from `low`
    to `high`, inclusive. `allows` says all that at once.
    """

    def __init__(self, ctype: str, clauses: Sequence[Sequence[str]], columns: Mapping[str, Array]) -> None:
        #: The element type as C++ spells it.
        self.ctype: str = ctype
        holds = columns["holds"]
        #: Whether anything may stand there.
        self.any: NDArray[np.bool_] = holds == 2
        #: Whether all numbers from `low` to `high` may: sums of floats in any order.
        self.interval: NDArray[np.bool_] = holds == 1
        #: What each clause says, by its number.
        self.says: dict[str, str] = {number: says for number, says in clauses}
        numbers = np.array([number for number, _ in clauses] + [""])
        #: The clause that says what may stand there, as text.
        self.clause: NDArray[np.str_] = numbers[columns["clause"]]
        #: The clause that gives the freedom, as text; empty where there is none.
        self.freedom: NDArray[np.str_] = numbers[columns["freedom"]]
        self._values = columns["values"]
        self._value_ends = columns["value-ends"]
        self._writers = columns["writers"]
        self._writer_ends = columns["writer-ends"]
        #: The lowest value that may stand there; of bfloat16 and 8-bit floats its bits. 0 where anything may.
        self.low: Array
        #: The highest one.
        self.high: Array
        self.low, self.high = self._bounds()

    @classmethod
    def of_nothing(cls, ctype: str, shape: tuple[int, ...], clauses: Sequence[str]) -> Permits:
        """Permits of a case of which nothing is promised, by these clauses."""
        ends = np.zeros(int(np.prod(shape)), np.int64)
        columns: dict[str, Array] = {
            "holds": np.full(shape, 2, np.uint8),
            "clause": np.zeros(shape, np.int32),
            "freedom": np.zeros(shape, np.int32),
            "values": np.zeros(0, DTYPES[ctype]),
            "value-ends": ends,
            "writers": np.zeros((0, 3), np.int64),
            "writer-ends": ends,
        }
        return cls(ctype, [(clause, "") for clause in clauses], columns)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the output."""
        return self.any.shape

    def _bounds(self) -> tuple[Array, Array]:
        dtype = self._values.dtype
        low, high = np.zeros(self.any.size, dtype), np.zeros(self.any.size, dtype)
        ends = self._value_ends.astype(np.int64)
        starts = np.concatenate(([0], ends[:-1]))
        there = ends > starts
        order, _ = self._order(self._values.view(f"<u{dtype.itemsize}"))
        by_value = self._values[np.lexsort((order, np.repeat(np.arange(ends.size), ends - starts)))]
        low[there], high[there] = by_value[starts[there]], by_value[ends[there] - 1]
        # Single values beside an interval are not its bounds.
        interval = self.interval.ravel()
        low[interval], high[interval] = self._values[starts[interval]], self._values[starts[interval] + 1]
        return low.reshape(self.shape), high.reshape(self.shape)

    def _flat(self, at: _Index) -> int:
        if isinstance(at, (int, np.integer)):
            return range(self.any.size)[int(at)]
        return int(np.ravel_multi_index(tuple(at), self.shape))

    def values(self, at: _Index) -> Array:
        """The single values that may stand in an element: one dimension, empty where anything may.

        `at` is its coordinate, or its number in row-major order. Of an interval they are the bounds, then
        what may stand there beside it, where a NaN stands for every NaN.
        """
        n = self._flat(at)
        return self._values[self._value_ends[n - 1] if n else 0 : self._value_ends[n]]

    def writers(self, at: _Index) -> list[Lane]:
        """The lanes whose value may stand in an element; under an atomic operation all that take part."""
        n = self._flat(at)
        found = self._writers[self._writer_ends[n - 1] if n else 0 : self._writer_ends[n]]
        return [Lane(int(call), int(row), int(col)) for call, row, col in found]

    def allows(self, outputs: ArrayLike) -> NDArray[np.bool_]:
        """Which elements of a result, of either byte order, conform: booleans in the shape of the output.

        Raises ValueError where `outputs` has another shape or element type.
        """
        found = as_bits(outputs, self.ctype)
        dtype = DTYPES[self.ctype]
        if found.dtype.newbyteorder("<") == dtype.newbyteorder("<"):
            found = found.astype(dtype, copy=False)
        if found.dtype != dtype or found.shape != self.shape:
            raise ValueError(
                f"outputs are {found.dtype} {found.shape}; the output is {dtype} {self.shape} ({self.ctype})"
            )
        counts = np.diff(self._value_ends, prepend=0)
        owner = np.repeat(np.arange(self.any.size), counts)
        bits = np.dtype(f"<u{dtype.itemsize}")
        flat, values = found.ravel().view(bits), self._values.view(bits)
        same = flat[owner] == values
        order, nan = self._order(flat)
        value_order, value_nan = self._order(values)
        # Beside an interval, and as its bounds, a NaN is every NaN.
        interval = self.interval.ravel()
        same |= value_nan & nan[owner] & interval[owner]
        allowed = self.any.ravel() | np.bincount(owner[same], minlength=self.any.size).astype(np.bool_)
        where = np.flatnonzero(interval)
        if where.size:
            first = self._value_ends[where] - counts[where]
            inside = (value_order[first] <= order[where]) & (order[where] <= value_order[first + 1])
            allowed[where] |= inside & ~nan[where] & ~value_nan[first]
        return allowed.reshape(self.shape)

    def _order(self, bits: Array) -> tuple[Array, NDArray[np.bool_]]:
        """Numbers in the order of the values that `bits` are, -0.0 below 0.0, and which are NaN.

        Those of hifloat8_t are its bits.
        """
        dtype = DTYPES[self.ctype]
        largest = _LARGEST.get(self.ctype)
        if largest is None:
            return bits.view(dtype), np.zeros(bits.shape, np.bool_)
        sign = 1 << (8 * dtype.itemsize - 1)
        magnitude = (bits & (sign - 1)).astype(np.int64)
        return np.where(bits & sign, -1 - magnitude, magnitude), magnitude > largest
