"""An implementation to start from: MGATHER by element, with Python alone.

ptodiff starts this program and asks it calls on standard input; what it answers
is judged. Replace `mgather` by your own, and answer more forms. What cannot run
here is `unsupported`, what your checks reject is `rejected`.
"""

import json
import sys

SIZES = {"int8_t": 1, "uint8_t": 1, "int16_t": 2, "uint16_t": 2, "half": 2, "bfloat16_t": 2,
         "int32_t": 4, "uint32_t": 4, "float": 4}


def mgather(call, table, indices, destination):
    """Copies table[index] into each valid element of the destination, all of them bytes."""
    dst, size = call["dst"], SIZES[call["dst"]["dtype"]]
    index_size = SIZES[call["idx"]["dtype"]]
    capacity = call["table"]["shape"][3] * call["table"]["shape"][4]
    for row in range(dst["valid"][0]):
        for col in range(dst["valid"][1]):
            at = (row * call["idx"]["cols"] + col) * index_size
            index = int.from_bytes(indices[at : at + index_size], "little")
            value = bytes(size)
            if index >= capacity and call["oob"] == "Clamp":
                index = capacity - 1
            elif index >= capacity and call["oob"] == "Wrap":
                index %= capacity
            if index < capacity:  # otherwise 0, as Zero has it
                value = table[index * size :][:size]
            to = (row * dst["cols"] + col) * size
            destination[to : to + size] = value


def missing(call, readings):
    """Why this call cannot run here, or None."""
    if call["form"] != "mgather" or call["mode"] != "Elem":
        return "MGATHER by element only"
    if readings:
        return "the default readings only"
    tiles = [call["dst"], call["idx"]]
    if any(t["dtype"] not in SIZES for t in [*tiles, call["table"]]):
        return "this element type is not here"
    if any((t["blayout"], t["slayout"]) != ("RowMajor", "NoneBox") for t in tiles):
        return "plain row-major tiles only"
    shape, stride = call["table"]["shape"], call["table"]["stride"]
    if call["table"]["layout"] != "ND" or shape[:3] != [1, 1, 1] or stride[3:] != [shape[4], 1]:
        return "plain two-dimensional tables only"
    return None


def rejected(call):
    """Why the checks reject this call, with the clause, or None. These are not all of them."""
    if call["table"]["dtype"] != call["dst"]["dtype"]:
        return "table and destination differ in type", "MGATHER-DTYPE-11"
    if call["idx"]["dtype"] not in ("int32_t", "uint32_t"):
        return "indices are not of 32 bits", "MGATHER-DTYPE-08"
    return None


def answer(frame, payload):
    """The header and the raw bytes that answer one call."""
    call = frame["call"]
    if why := missing(call, frame.get("readings")):
        return {"kind": "unsupported", "why": why}, b""
    if found := rejected(call):
        return {"kind": "rejected", "why": found[0], "clause": found[1]}, b""
    regions, bodies = {}, {}
    for region in frame["regions"]:
        role, (start, length) = region["role"], region["body"]
        # Around each operand lies a zone that nothing may write to: it is sent back as it came.
        regions[role] = bytearray(payload[: region["bytes"]])
        bodies[role] = memoryview(regions[role])[start : start + length]
        payload = payload[region["bytes"] :]
    mgather(call, bodies["table"], bodies["index"], bodies["destination"])
    out = bytes(regions["destination"])
    return {"kind": "done", "regions": [{"role": "destination", "bytes": len(out)}],
            "bytes": len(out)}, out


def main():
    """Greets, then answers calls until the input ends."""
    while line := sys.stdin.buffer.readline():
        frame = json.loads(line)
        payload = sys.stdin.buffer.read(frame.get("bytes", 0))
        out = b""
        if frame["kind"] == "hello" and frame.get("newest", 1) >= 2:
            # Up to 64 calls at once: a call on its own pays for each way there and back.
            reply = {"kind": "hello", "protocol": 2, "name": "to start from", "batch": 64}
        elif frame["kind"] == "batch":
            continue  # Calls follow, each with its answer.
        elif frame["kind"] == "call":
            reply, out = answer(frame, payload)
            reply["id"] = frame["id"]
        else:
            reply = {"kind": "sorry", "why": "only version 2 is spoken here"}
        sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n" + out)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
