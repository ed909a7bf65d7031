"""Frames as ptodiff sends them, in few words."""

from __future__ import annotations

import io
import json
from typing import Any, Union

import numpy as np

import ptodiff

GUARD = 32
FILL = 0xA5


def hello(target: str = "a5") -> bytes:
    return json.dumps({"kind": "hello", "protocol": 1, "newest": 2, "as": target}).encode() + b"\n"


def tile(dtype: str, rows: int, cols: int, **more: Any) -> dict[str, Any]:
    return {
        "location": "Vec", "dtype": dtype, "rows": rows, "cols": cols, "valid": [rows, cols],
        "valid_dynamic": [False, False], "blayout": "RowMajor", "slayout": "NoneBox", "fractal": 512, **more,
    }  # fmt: skip


def tensor(dtype: str, *shape: int) -> dict[str, Any]:
    full = [1] * (5 - len(shape)) + list(shape)
    stride = [int(np.prod(full[i + 1 :])) for i in range(5)]
    return {"dtype": dtype, "shape": full, "stride": stride, "layout": "ND"}


def frame(words: dict[str, Any], operands: dict[str, Any], **more: Any) -> tuple[dict[str, Any], bytearray]:
    """A call's header and payload; `operands` gives an array a role."""
    payload, listed = bytearray(), []
    for role, array in operands.items():
        body = np.ascontiguousarray(array).tobytes()
        listed.append({"role": role, "body": [GUARD, len(body)], "bytes": len(body) + 2 * GUARD})
        payload += bytes([FILL] * GUARD) + body + bytes([FILL] * GUARD)
    header = {"kind": "call", "id": 1, "call": words, "regions": listed, "bytes": len(payload), **more}
    return header, payload


def spelled(header: dict[str, Any], payload: Union[bytes, bytearray] = b"") -> bytes:
    return json.dumps(header).encode() + b"\n" + bytes(payload)


def gatherb(**more: Any) -> tuple[dict[str, Any], bytearray]:
    """A TGATHERB of 8 bytes in reverse order."""
    words = {
        "instruction": "TGATHERB", "form": "tgatherb", "dst": tile("uint8_t", 1, 8),
        "src": tile("uint8_t", 1, 8), "offset": tile("uint32_t", 1, 8),
    }  # fmt: skip
    operands = {
        "destination": np.zeros(8, "u1"),
        "source": np.arange(8, dtype="u1"),
        "index": np.arange(8, dtype="<u4")[::-1],
    }
    return frame(words, operands, **more)


def talk(implementation: ptodiff.Implementation, sent: bytes) -> tuple[int, list[tuple[dict[str, Any], bytes]]]:
    """The exit status, and the frames that are answered."""
    out = io.BytesIO()
    status = implementation.serve(io.BytesIO(sent), out)
    out.seek(0)
    answers = []
    while line := out.readline():
        header = json.loads(line)
        answers.append((header, out.read(header.get("bytes", 0))))
    return status, answers
