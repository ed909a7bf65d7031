#!/usr/bin/env python3
"""The least that is an implementation: TGATHERB by element, on any target, without NumPy."""

import json
import sys

SIZES = {"int8_t": 1, "uint8_t": 1, "int16_t": 2, "uint16_t": 2, "half": 2, "bfloat16_t": 2,
         "int32_t": 4, "uint32_t": 4, "float": 4}  # fmt: skip


def place(tile, r, c):
    """The element number of (r, c) in a tile without boxes."""
    return r * tile["cols"] + c if tile["blayout"] == "RowMajor" else c * tile["rows"] + r


def tgatherb(target, call, regions, bodies):
    """Fills the destination in place; an offset out of range is clamped on cpu and yields 0 elsewhere."""
    dst, src, offset = call["dst"], call["src"], call["offset"]
    size = SIZES[dst["dtype"]]
    end = src["rows"] * src["cols"] * size
    for r in range(dst["valid"][0]):
        for c in range(dst["valid"][1]):
            at = bodies["index"] + 4 * place(offset, r, c)
            start = int.from_bytes(regions["index"][at : at + 4], "little")
            if start + size > end and target == "cpu":
                start = end - size
            inside = start + size <= end
            found = regions["source"][bodies["source"] + start :][:size] if inside else bytes(size)
            to = bodies["destination"] + size * place(dst, r, c)
            # Past the region's end fewer bytes are found; the destination keeps its length.
            regions["destination"][to : to + len(found)] = found


def answer(target, frame, payload):
    """The header and the payload that answer one call."""
    call = frame["call"]
    if call["form"] != "tgatherb" or frame.get("readings"):
        return {"kind": "unsupported", "why": "TGATHERB with the default readings only"}, b""
    tiles = [call[name] for name in ("dst", "src", "offset")]
    if any(t["dtype"] not in SIZES or t["slayout"] != "NoneBox" for t in tiles):
        return {"kind": "unsupported", "why": "a dtype or a layout that is not here"}, b""
    if target == "a2a3" and call["dst"]["blayout"] != "RowMajor":
        return {"kind": "rejected", "why": "dst is not row-major", "clause": "TGATHERB-TILE-01"}, b""
    regions, bodies = {}, {}
    for region in frame["regions"]:
        regions[region["role"]] = bytearray(payload[: region["bytes"]])
        bodies[region["role"]] = region["body"][0]
        payload = payload[region["bytes"] :]
    tgatherb(target, call, regions, bodies)
    out = regions["destination"]
    return {"kind": "done", "regions": [{"role": "destination", "bytes": len(out)}], "bytes": len(out)}, out


def main():
    """Greets, then answers calls until the input ends."""
    target = "cpu"
    while line := sys.stdin.buffer.readline():
        frame = json.loads(line)
        payload = sys.stdin.buffer.read(frame.get("bytes", 0))
        out = b""
        if frame["kind"] == "hello" and frame.get("newest", 1) >= 2:
            target, reply = frame["as"], {"kind": "hello", "protocol": 2, "name": "minimal", "batch": 64}
        elif frame["kind"] == "batch":
            continue  # Calls follow, each with its answer.
        elif frame["kind"] == "call":
            reply, out = answer(target, frame, payload)
            reply["id"] = frame["id"]
        else:
            reply = {"kind": "sorry", "why": "only version 2 is spoken here"}
        sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n" + out)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
