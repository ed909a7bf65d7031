"""Frames of the implementation protocol, version 2, on a pair of byte streams."""

import json
import os

VERSION = 2
LONGEST_LINE = 65_536
# Calls that are taken at once, which saves a round trip each.
BATCH = 64
# A payload beyond this is not read: it would be no call that this implementation runs.
LARGEST_PAYLOAD = 1 << 30
TARGETS = ("cpu", "a2a3", "a5")


class BadFrame(Exception):
    """What came is no frame of the protocol."""


def read_frame(stream):
    """The next frame as (header, payload), or None at the end of the stream."""
    line = stream.readline(LONGEST_LINE + 1)
    if not line:
        return None
    if not line.endswith(b"\n"):
        raise BadFrame("a line that is too long or has no end")
    try:
        header = json.loads(line.decode())
    except (ValueError, RecursionError):
        raise BadFrame("a line that is no JSON") from None
    if type(header) is not dict:
        raise BadFrame("a line that is no object")
    count = header.get("bytes", 0)
    if type(count) is not int or not 0 <= count <= LARGEST_PAYLOAD:
        raise BadFrame("bytes is no size that can be read")
    payload = bytearray(count)
    rest = memoryview(payload)
    while rest:
        got = stream.readinto(rest)
        if not got:
            raise BadFrame("the stream ends inside a payload")
        rest = rest[got:]
    return header, payload


def write_frame(stream, header, parts=(), flush=True):
    """Writes one frame and its payload in one piece, which wakes the reader once."""
    stream.write(b"".join((json.dumps(header).encode(), b"\n", *parts)))
    if flush:
        stream.flush()


def serve(name, answer, incoming, outgoing):
    """Speaks the protocol until the stream ends; gives the exit status.

    `answer(target, frame, payload)` gives a header without the id, and the
    parts of its payload. What is no frame is answered with `sorry`, after
    which the two sides may be out of step, so that is the end.
    """
    try:
        target = greet(name, incoming, outgoing)
        # Calls of a batch that are still to come.
        announced = 0
        while target is not None:
            frame = read_frame(incoming)
            if frame is None:
                return 0
            header, payload = frame
            if header.get("kind") == "batch" and announced == 0:
                announced = calls_of(header)
                continue
            if header.get("kind") != "call":
                raise BadFrame("a frame that is no call")
            announced = max(announced - 1, 0)
            reply, parts = answer(target, header, payload)
            # Who sent a batch waits for the last answer.
            write_frame(outgoing, {**reply, "id": header.get("id")}, parts, flush=announced == 0)
        return 0
    except BadFrame as reason:
        write_frame(outgoing, {"kind": "sorry", "why": str(reason)})
        return 1


def calls_of(header):
    """How many calls a batch announces."""
    calls = header.get("calls")
    if type(calls) is not int or not 1 <= calls <= BATCH:
        raise BadFrame(f"a batch has 1 to {BATCH} calls")
    return calls


def greet(name, incoming, outgoing):
    """Exchanges greetings; gives the target to be, or None when there is nothing to do."""
    frame = read_frame(incoming)
    if frame is None:
        return None
    hello, _ = frame
    if hello.get("kind") != "hello":
        raise BadFrame("the first frame is no hello")
    spoken = [hello.get("protocol"), hello.get("newest")]
    if not all(type(version) is int for version in spoken) or not spoken[0] <= VERSION <= spoken[1]:
        raise BadFrame(f"only version {VERSION} of the protocol is spoken here")
    if hello.get("as") not in TARGETS:
        raise BadFrame("only cpu, a2a3 and a5 are played here")
    # Each thread of ptodiff may have two: one of them for calls of which nothing is promised.
    jobs = 2 * (os.cpu_count() or 1)
    write_frame(outgoing, {"kind": "hello", "protocol": VERSION, "name": name, "batch": BATCH, "jobs": jobs})
    return hello["as"]
