"""The element types of the ISA as NumPy has them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: NumPy's type for each element type, by its name in C++; all little-endian. NumPy has no
#: bfloat16 and no 8-bit floats: their bits are unsigned integers of the same size.
DTYPES: dict[str, np.dtype[Any]] = {
    "int8_t": np.dtype("|i1"), "uint8_t": np.dtype("|u1"),
    "int16_t": np.dtype("<i2"), "uint16_t": np.dtype("<u2"),
    "int32_t": np.dtype("<i4"), "uint32_t": np.dtype("<u4"),
    "int64_t": np.dtype("<i8"), "uint64_t": np.dtype("<u8"),
    "half": np.dtype("<f2"), "bfloat16_t": np.dtype("<u2"), "float": np.dtype("<f4"),
    "hifloat8_t": np.dtype("|u1"), "float8_e4m3_t": np.dtype("|u1"), "float8_e5m2_t": np.dtype("|u1"),
}  # fmt: skip
_OF_ML_DTYPES = {"bfloat16_t": "bfloat16", "float8_e4m3_t": "float8_e4m3fn", "float8_e5m2_t": "float8_e5m2"}


def as_bits(outputs: ArrayLike, ctype: str) -> NDArray[Any]:
    """An array; its bits where it has the type that the package ml_dtypes has for `ctype`."""
    array = np.ascontiguousarray(outputs)
    return array.view(DTYPES[ctype]) if array.dtype.name == _OF_ML_DTYPES.get(ctype) else array
