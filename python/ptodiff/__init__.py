"""Differential conformance testing of the PTO gather and scatter instructions.

Three things stand here:

- `Implementation`: subclass it, give the instructions that you have, and
  `ptodiff run --impl mine='python3 mine.py' --as a5` judges what you do.
"""

from __future__ import annotations

from .calls import (
    Call,
    Launch,
    Mgather,
    MgatherL1,
    Mscatter,
    MscatterFirst,
    Schedule,
    Tgatherb,
    Tscatter,
    TscatterMask,
)
from .dtypes import DTYPES
from .implementation import Hangs, Implementation, Rejected, Unsupported
from .operands import Operand, Region, Tensor, Tile

__all__ = [
    "DTYPES",
    "Call",
    "Hangs",
    "Implementation",
    "Launch",
    "Mgather",
    "MgatherL1",
    "Mscatter",
    "MscatterFirst",
    "Operand",
    "Region",
    "Rejected",
    "Schedule",
    "Tensor",
    "Tgatherb",
    "Tile",
    "Tscatter",
    "TscatterMask",
    "Unsupported",
]
