"""Calls, operands and frames in few words, for the tests."""

import numpy as np

from ptoimpl import implementation

GUARD = 32
FILL = 0xA5
NUMPY = {
    "int8_t": "<i1", "uint8_t": "<u1", "int16_t": "<i2", "uint16_t": "<u2",
    "int32_t": "<i4", "uint32_t": "<u4", "int64_t": "<i8", "uint64_t": "<u8",
    "half": "<f2", "bfloat16_t": "<u2", "float": "<f4",
    "float8_e4m3_t": "<u1", "float8_e5m2_t": "<u1", "hifloat8_t": "<u1",
}  # fmt: skip


def tile(dtype, rows, cols, valid=None, dynamic=(False, False), col=False, nz=False, mat=False):
    """A tile, RowMajor unless `col`, in NZ form when `nz`."""
    return {
        "location": "Mat" if mat else "Vec",
        "dtype": dtype,
        "rows": rows,
        "cols": cols,
        "valid": list(valid or (rows, cols)),
        "valid_dynamic": list(dynamic),
        "blayout": "ColMajor" if col or nz else "RowMajor",
        "slayout": "RowMajor" if nz else "NoneBox",
        "fractal": 512,
    }


def tensor(dtype, shape, stride=None, layout="ND", dynamic=()):
    """A tensor, packed unless `stride` is given; `dynamic` numbers its run-time dimensions."""
    shape = [1] * (5 - len(shape)) + list(shape)
    packed = [int(np.prod(shape[i + 1 :])) for i in range(5)]
    return {
        "dtype": dtype,
        "shape": shape,
        "shape_dynamic": [i in dynamic for i in range(5)],
        "stride": list(stride) if stride else packed,
        "stride_dynamic": [False] * 5,
        "layout": layout,
    }


def mscatter(table, src, idx, mode="Elem", atomic="None", oob="Undefined", conflict="Last", **launch):
    """A call of MSCATTER."""
    return {
        "instruction": "MSCATTER", "form": "mscatter", "table": table, "src": src, "idx": idx, "mode": mode,
        "atomic": atomic, "oob": oob, "conflict": conflict, "launch": launch,
    }  # fmt: skip


def mgather(dst, table, idx, mode="Elem", oob="Undefined", **launch):
    """A call of MGATHER to UB."""
    return {
        "instruction": "MGATHER", "form": "mgather", "dst": dst, "table": table, "idx": idx, "mode": mode, "oob": oob, "launch": launch,
    }  # fmt: skip


def frame(call, operands, readings=None, order="in-order", seed=0):
    """A call's header and payload; `operands` gives an array a role."""
    payload, listed = bytearray(), []
    for role, array in operands.items():
        body = np.ascontiguousarray(array).tobytes()
        listed.append({"role": role, "body": [GUARD, len(body)], "bytes": len(body) + 2 * GUARD})
        payload += bytes([FILL] * GUARD) + body + bytes([FILL] * GUARD)
    header = {
        "kind": "call", "id": 1, "call": call, "regions": listed, "bytes": len(payload),
        "schedule": {"order": order, "seed": seed}, "readings": readings or {},
    }  # fmt: skip
    return header, payload


def answer(target, call, operands, **how):
    """The header of the answer and the raw regions by role."""
    header, parts = implementation.answer(target, *frame(call, operands, **how))
    roles = [region["role"] for region in header.get("regions", ())]
    return header, {role: bytes(part) for role, part in zip(roles, parts)}


def run(target, call, operands, role, **how):
    """The body of the region `role` after the call, in the type of its operand; guards must be whole."""
    header, regions = answer(target, call, operands, **how)
    assert header["kind"] == "done", header
    raw = regions[role]
    assert raw[:GUARD] == raw[-GUARD:] == bytes([FILL] * GUARD), "a guard zone was written"
    return np.frombuffer(raw[GUARD:-GUARD], operands[role].dtype)


def array(dtype, *values):
    """Values as an array of an element type."""
    return np.array(values, NUMPY[dtype])
