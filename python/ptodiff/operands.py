"""The operands of a call: tiles on chip and tensors in GM, with their data."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .dtypes import DTYPES

Array = NDArray[Any]


class Region(NamedTuple):
    """The memory of an operand, with the guard zone before and behind it."""

    #: All bytes, uint8, guard zones included.
    raw: NDArray[np.uint8]
    #: Where the operand begins, in bytes.
    start: int
    #: Bytes of the operand.
    length: int


class Operand:
    """What tiles and tensors have in common: an element type and memory."""

    # A name that is spelled wrong is an error, and no attribute that nobody reads.
    __slots__ = ("ctype", "region")

    def __init__(self, words: dict[str, Any], region: Region) -> None:
        #: The element type as C++ spells it, as in `bfloat16_t`.
        self.ctype: str = words["dtype"]
        #: The memory, guard zones included: for code that takes addresses, as through ctypes.
        self.region: Region = region

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type in NumPy; bits as unsigned integers for bfloat16 and 8-bit floats."""
        return DTYPES[self.ctype]

    @property
    def body(self) -> Array:
        """All elements in the order in which they are stored: one dimension, a writable view.

        A tile's padding is part of it, and so is what lies between the rows of a strided
        tensor. The guard zones are not.
        """
        raw, start, length = self.region
        count = length // self.dtype.itemsize
        return np.frombuffer(raw.data, self.dtype, count, start)

    @property
    def bytes(self) -> NDArray[np.uint8]:
        """All bytes of `body`: one dimension, a writable view."""
        raw, start, length = self.region
        return raw[start : start + length]


class Tile(Operand):
    """A two-dimensional operand on chip, padded to its extents."""

    __slots__ = ("location", "rows", "cols", "valid_shape", "valid_dynamic", "blayout", "slayout", "fractal")

    def __init__(self, words: dict[str, Any], region: Region) -> None:
        super().__init__(words, region)
        #: Where it lies: `Vec` (UB) or `Mat` (L1).
        self.location: str = words["location"]
        #: Rows, padding included.
        self.rows: int = words["rows"]
        #: Columns, padding included.
        self.cols: int = words["cols"]
        #: Valid rows and columns.
        self.valid_shape: tuple[int, int] = tuple(words["valid"])
        #: Which of the valid rows and columns the type leaves open until run time.
        self.valid_dynamic: tuple[bool, bool] = tuple(words.get("valid_dynamic", (False, False)))
        #: Order of boxes, of elements where there are none: `RowMajor` or `ColMajor`.
        self.blayout: str = words["blayout"]
        #: Order in a box: `NoneBox` where there are none, `RowMajor` or `ColMajor`.
        self.slayout: str = words["slayout"]
        #: Bytes of a box.
        self.fractal: int = words.get("fractal", 512)

    def element(self, row: ArrayLike, col: ArrayLike) -> Array:
        """The place in `body` of the elements (row, col): int64, in the shape that the two broadcast to.

        >>> tile.body[tile.element(rows, cols)] = values
        """
        r, c = np.asarray(row, np.int64), np.asarray(col, np.int64)
        if self.slayout == "NoneBox":
            if self.blayout == "RowMajor":
                return np.asarray(r * self.cols + c)
            return np.asarray(c * self.rows + r)
        short = max(self.fractal // 16 // self.dtype.itemsize, 1)
        short = min(short, max(self.rows, self.cols))
        tall, wide = (16, short) if self.slayout == "RowMajor" else (short, 16)
        if self.slayout == "RowMajor":
            inside = (r % tall) * wide + c % wide
        else:
            inside = (c % wide) * tall + r % tall
        if self.blayout == "RowMajor":
            before = (r // tall) * (tall * self.cols) + (c // wide) * (tall * wide)
        else:
            before = (c // wide) * (wide * self.rows) + (r // tall) * (tall * wide)
        return np.asarray(before + inside)

    def _get(self, rows: int, cols: int) -> Array:
        body = self.body
        if self.slayout == "NoneBox" and self.rows * self.cols <= len(body):
            if self.blayout == "RowMajor":
                return body.reshape(self.rows, self.cols)[:rows, :cols]
            return body.reshape(self.cols, self.rows).T[:rows, :cols]
        copy = body[self.element(np.arange(rows)[:, None], np.arange(cols))]
        copy.flags.writeable = False
        return copy

    @property
    def array(self) -> Array:
        """All elements by row and column, padding included: shape (rows, cols).

        A writable view where the tile has no boxes. A tile with boxes (NZ) is no view of
        its memory: what you read is a copy that cannot be written to; assign as a whole
        (`tile.array = values`), or write to `body` at `element(row, col)`.
        """
        return self._get(self.rows, self.cols)

    @array.setter
    def array(self, values: ArrayLike) -> None:
        self.body[self.element(np.arange(self.rows)[:, None], np.arange(self.cols))] = values

    @property
    def valid(self) -> Array:
        """The valid elements by row and column: shape `valid_shape`; a view or a copy as `array` is.

        `tile.valid = values` writes them in every layout, and leaves the padding as it is.
        """
        return self._get(*self.valid_shape)

    @valid.setter
    def valid(self, values: ArrayLike) -> None:
        rows, cols = self.valid_shape
        self.body[self.element(np.arange(rows)[:, None], np.arange(cols))] = values


class Tensor(Operand):
    """A five-dimensional operand in GM."""

    __slots__ = ("shape", "shape_dynamic", "stride", "stride_dynamic", "layout")

    def __init__(self, words: dict[str, Any], region: Region) -> None:
        super().__init__(words, region)
        #: Five extents, outermost first.
        self.shape: tuple[int, ...] = tuple(words["shape"])
        #: Which of them the type leaves open until run time.
        self.shape_dynamic: tuple[bool, ...] = tuple(words.get("shape_dynamic", (False,) * 5))
        #: Five strides in elements.
        self.stride: tuple[int, ...] = tuple(words["stride"])
        #: Which of them the type leaves open until run time.
        self.stride_dynamic: tuple[bool, ...] = tuple(words.get("stride_dynamic", (False,) * 5))
        #: `ND`, `DN` or `NZ`.
        self.layout: str = words["layout"]

    @property
    def array(self) -> Array:
        """The elements by their five dimensions, as shape and strides say: a writable view.

        Raises ValueError where the strides lead beyond the memory.
        """
        body = self.body
        last = sum((n - 1) * step for n, step in zip(self.shape, self.stride))
        if 0 in self.shape:
            return body[:0].reshape(self.shape)
        if last >= len(body):
            raise ValueError(f"element {last} of the tensor is beyond its {len(body)} elements")
        size = body.itemsize
        return np.lib.stride_tricks.as_strided(body, self.shape, [size * step for step in self.stride])

    @array.setter
    def array(self, values: ArrayLike) -> None:
        self.array[...] = values
