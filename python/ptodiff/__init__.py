"""Differential conformance testing of the PTO gather and scatter instructions.

- `Implementation`: subclass it, give the instructions that you have, and
  `ptodiff run --impl mine='python3 mine.py' --as a5` judges what you do.
- `cases`: the cases as arrays, their inputs and what comes out.
- `permits` and `judge`: what may stand in each element of a result, and whether yours is right.
- `pytest --ptodiff-impl 'module:Class'` makes each case a test.

The command `ptodiff` comes with the package; `ptodiff guide arrays-and-python` has examples.
"""

from __future__ import annotations

from .binary import Error
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
from .corpus import Case, NoResult, Verdict, Wrong, cases, judge, permits
from .dtypes import DTYPES
from .implementation import Hangs, Implementation, Rejected, Unsupported
from .operands import Operand, Region, Tensor, Tile
from .permits import Lane, Permits

__all__ = [
    "DTYPES",
    "Call",
    "Case",
    "Error",
    "Hangs",
    "Implementation",
    "Lane",
    "Launch",
    "Mgather",
    "MgatherL1",
    "Mscatter",
    "MscatterFirst",
    "NoResult",
    "Operand",
    "Permits",
    "Region",
    "Rejected",
    "Schedule",
    "Tensor",
    "Tgatherb",
    "Tile",
    "Tscatter",
    "TscatterMask",
    "Unsupported",
    "Verdict",
    "Wrong",
    "cases",
    "judge",
    "permits",
]
