"""`Implementation`: subclass it, and ptodiff can test you."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any, BinaryIO, ClassVar, NamedTuple, Optional, Union

import numpy as np

from .calls import (
    FORMS,
    Call,
    Mgather,
    MgatherL1,
    Mscatter,
    MscatterFirst,
    Tgatherb,
    Tscatter,
    TscatterMask,
)
from .operands import Region
from .sparse import AVAILABLE, Sparse, packed

#: The version of the protocol that is spoken.
VERSION = 2
TARGETS = ("cpu", "a2a3", "a5")
_LONGEST_LINE = 65_536
# What a pipe holds, so that most frames come with one read.
_ROOM = 1 << 16


class Unsupported(Exception):
    """Raise it for a call that cannot run here, with the reason: no violation, and nothing passed."""


class Rejected(Exception):
    """Raise it where your checks reject a call.

    `clause` is the number of the clause, as in `MSCATTER-DTYPE-03`, if you know it: the
    reason is compared then, too. `why` is your check's own message.
    """

    def __init__(self, clause: Optional[str] = None, why: str = "") -> None:
        super().__init__(why or (f"by {clause}" if clause else "by a check"))
        self.clause = clause


class Hangs(Exception):
    """Raise it for a call that would never return, if you know it."""


class BadFrame(Exception):
    """What came is no frame of the protocol."""


_Parts = Sequence[Union[bytes, bytearray, memoryview]]


class Implementation:
    """An implementation under test.

    Give the methods that you have, and end your program with `run()`:

        class Mine(ptodiff.Implementation):
            def tgatherb(self, call: ptodiff.Tgatherb) -> None:
                ...
                call.dst.valid = values


        Mine().run()

    A method takes a call with its operands and writes to them in place. `call.dst.valid`
    is the valid part of a tile as a NumPy array, `call.table.array` a tensor by its five
    dimensions, `body` either of them as it is stored. What has no method is `unsupported`. A method
    may raise `Unsupported(why)`, `Rejected(clause, why)` or `Hangs()`. With any other
    exception the program ends, and ptodiff shows its traceback with the failure.

    What you print goes to standard error: ptodiff shows its last lines beside a crash.
    """

    #: What ptodiff calls it in messages of its own; the class's name if not given.
    name: ClassVar[str] = ""
    #: The targets that it can be.
    targets: ClassVar[Sequence[str]] = TARGETS
    #: How many processes of it may run at once: 1 for a board.
    jobs: ClassVar[int] = 1
    #: How many calls it takes before it answers, which saves round trips.
    batch: ClassVar[int] = 64

    #: The target whose contract is applied: `cpu`, `a2a3` or `a5`. Known once ptodiff has greeted.
    target: str = "cpu"

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if isinstance(cls.targets, str):
            cls.targets = (cls.targets,)

    def follows(self, gap: str, choice: str) -> bool:
        """Whether this gap of the documents is read here by `choice`, which is not its default.

        Calls under readings that are not followed are `unsupported`. None is, unless you
        say so here; `ptodiff gaps` lists them.
        """
        return False

    def mscatter(self, call: Mscatter) -> None:
        """Scatters a tile to a table in GM."""
        raise Unsupported("no MSCATTER")

    def mscatter_first(self, call: MscatterFirst) -> None:
        """Scatters as the first revision of MSCATTER does (A5 only)."""
        raise Unsupported("no MSCATTER of the first revision")

    def mgather(self, call: Mgather) -> None:
        """Gathers from a table in GM to a tile in UB."""
        raise Unsupported("no MGATHER")

    def mgather_l1(self, call: MgatherL1) -> None:
        """Gathers from a table in GM to a tile in L1."""
        raise Unsupported("no MGATHER to L1")

    def tscatter(self, call: Tscatter) -> None:
        """Scatters a tile to a tile by indices."""
        raise Unsupported("no TSCATTER by index")

    def tscatter_mask(self, call: TscatterMask) -> None:
        """Scatters a tile to a tile by a mask pattern."""
        raise Unsupported("no TSCATTER by mask")

    def tgatherb(self, call: Tgatherb) -> None:
        """Gathers from a tile to a tile by byte offsets."""
        raise Unsupported("no TGATHERB")

    def run(self) -> None:
        """Answers what ptodiff asks on standard input, until that ends.

        Ends the program with status 1 where what comes is no frame of the protocol, and
        where a method raises what it should not.
        """
        if sys.stdin.isatty():
            sys.exit(
                "this is an implementation for ptodiff, which starts it:\n"
                f"  ptodiff run --impl mine='python3 {sys.argv[0]}' --as a5"
            )
        # Standard output belongs to the protocol: whatever else is printed goes to standard error.
        sys.stdout.flush()
        protocol = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        with open(0, "rb", _ROOM, closefd=False) as incoming, protocol as outgoing:
            status = self.serve(incoming, outgoing)
        if status:
            sys.exit(status)

    def serve(self, incoming: BinaryIO, outgoing: BinaryIO) -> int:
        """Speaks the protocol on two streams until the first ends; gives the exit status.

        What is no frame is answered with `sorry`, after which the two sides may be out
        of step, so that is the end.
        """
        try:
            if not self._greet(incoming, outgoing):
                return 0
            # Calls of a batch that are still to come.
            announced = 0
            asked = ""
            while (frame := _read(incoming)) is not None:
                header, payload = frame
                if header.get("kind") == "batch" and announced == 0:
                    announced = self._calls_of(header)
                    continue
                if header.get("kind") != "call":
                    raise BadFrame("a frame that is no call")
                announced = max(announced - 1, 0)
                asked = f"{_form_of(header)} on {self.target}"
                reply, parts = self.answer(header, payload)
                # At once, in a batch too: the time limit is for each answer.
                _write(outgoing, {**reply, "id": header.get("id")}, parts)
            return 0
        except BadFrame as reason:
            _write(outgoing, {"kind": "sorry", "why": str(reason)})
            return 1
        except Exception as raised:
            outgoing.flush()
            _print(raised, asked)
            return 1

    def answer(self, frame: dict[str, Any], payload: bytearray) -> tuple[dict[str, Any], _Parts]:
        """The header and the regions that answer one call frame; `payload` is changed in place.

        For tests of an implementation without ptodiff. Raises what the method raises, but
        `Unsupported`, `Rejected` and `Hangs`.
        """
        try:
            kind, method = FORMS.get(frame["call"]["form"], (None, ""))
            if kind is None:
                raise Unsupported("a form that this version of the package does not know")
            for gap, choice in (frame.get("readings") or {}).items():
                if not self.follows(gap, choice):
                    raise Unsupported(f"no reading {gap}={choice}")
            before = bytes(payload)
            regions, sparse = _split(frame, payload)
            call = kind(self.target, frame, regions)
            getattr(self, method)(call)
        except Unsupported as why:
            return {"kind": "unsupported", "why": str(why)}, ()
        except Rejected as rejected:
            clause = {"clause": rejected.clause} if rejected.clause else {}
            return {"kind": "rejected", "why": str(rejected), **clause}, ()
        except Hangs:
            return {"kind": "hangs"}, ()
        listed: list[dict[str, Any]] = []
        parts: list[bytes | memoryview] = []
        at = 0
        for entry in frame["regions"]:
            if (region := sparse.get(entry["role"])) is not None:
                at += region.length
                changed = region.memory.changed()
                if changed or entry["role"] in call._outputs:
                    listed.append({"role": entry["role"], "bytes": entry["bytes"], "parts": len(changed)})
                    parts.append(packed(changed))
                continue
            here = slice(at, at + entry["bytes"])
            at = here.stop
            part = memoryview(payload)[here]
            # What nobody may write to goes back as well if it was written to.
            if entry["role"] in call._outputs or part != memoryview(before)[here]:
                listed.append({"role": entry["role"], "bytes": entry["bytes"]})
                parts.append(part)
        header: dict[str, Any] = {"kind": "done", "regions": listed, "bytes": sum(map(len, parts))}
        if call.out_of_bounds:
            # NumPy counts in integers that JSON does not know.
            header["out_of_bounds"] = int(call.out_of_bounds)
        return header, parts

    def _greet(self, incoming: BinaryIO, outgoing: BinaryIO) -> bool:
        """Exchanges greetings; False where nothing comes."""
        frame = _read(incoming)
        if frame is None:
            return False
        hello, _ = frame
        if hello.get("kind") != "hello":
            raise BadFrame("the first frame is no hello")
        oldest, newest = hello.get("protocol"), hello.get("newest")
        if type(oldest) is not int or type(newest) is not int or not oldest <= VERSION <= newest:
            raise BadFrame(f"only version {VERSION} of the protocol is spoken here")
        target = hello.get("as")
        if target not in self.targets:
            raise BadFrame(f"it can be {', '.join(self.targets)} only")
        self.target = str(target)
        name = self.name or type(self).__name__
        reply = {"kind": "hello", "protocol": VERSION, "name": name, "batch": self.batch, "jobs": self.jobs}
        if AVAILABLE:
            reply["sparse"] = True
        _write(outgoing, reply)
        return True

    def _calls_of(self, header: dict[str, Any]) -> int:
        """How many calls a batch announces."""
        calls = header.get("calls")
        if type(calls) is not int or not 1 <= calls <= self.batch:
            raise BadFrame(f"a batch has 1 to {self.batch} calls")
        return calls


def _form_of(header: dict[str, Any]) -> str:
    call = header.get("call")
    return str(call.get("form")) if isinstance(call, dict) else "no call"


def _print(raised: Exception, asked: str) -> None:
    """Prints a traceback from the frame behind this file's: ptodiff shows its last lines.

    The last line is that of the exception, which tells one crash from another.
    """
    told = traceback.TracebackException.from_exception(raised)
    for frame in told.stack:
        # Of Python 3.11 on: the marks below a line say little and take one of few lines.
        for name in ("colno", "end_colno"):
            if hasattr(frame, name):
                setattr(frame, name, None)
    own = [frame for frame in told.stack if frame.filename != __file__]
    told.stack[:] = own or told.stack[:]
    where = f"While it answered {asked}:\n" if asked else ""
    print(where + "".join(told.format()), end="", file=sys.stderr, flush=True)


class _SparseRegion(NamedTuple):
    """A sparse region of a call, and the bytes of the payload that its parts took."""

    memory: Sparse
    length: int


def _split(frame: dict[str, Any], payload: bytearray) -> tuple[dict[str, Region], dict[str, _SparseRegion]]:
    """The regions of a call by role, as views of the payload; and those that are sparse."""
    whole = np.frombuffer(payload, np.uint8)
    regions: dict[str, Region] = {}
    sparse: dict[str, _SparseRegion] = {}
    at = 0
    for entry in frame["regions"]:
        start, length = entry["body"]
        if "parts" in entry:
            try:
                memory, end = Sparse.take(entry, payload, at)
            except OSError as why:
                raise Unsupported(f"no room for {entry['bytes']} bytes: {why}") from None
            regions[entry["role"]] = Region(memory.raw, start, length)
            sparse[entry["role"]] = _SparseRegion(memory, end - at)
            at = end
            continue
        regions[entry["role"]] = Region(whole[at : at + entry["bytes"]], start, length)
        at += entry["bytes"]
    return regions, sparse


def _read(stream: BinaryIO) -> Optional[tuple[dict[str, Any], bytearray]]:
    """The next frame as header and payload, or None at the end of the stream."""
    line = stream.readline(_LONGEST_LINE + 1)
    if not line:
        return None
    if not line.endswith(b"\n"):
        raise BadFrame("a line that is too long or has no end")
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        raise BadFrame("a line that is no JSON") from None
    if type(header) is not dict:
        raise BadFrame("a line that is no object")
    count = header.get("bytes", 0)
    if type(count) is not int or count < 0:
        raise BadFrame("bytes is no size")
    payload = bytearray(count)
    rest = memoryview(payload)
    while rest:
        got = stream.readinto(rest)  # type: ignore[attr-defined]
        if not got:
            raise BadFrame("the stream ends inside a payload")
        rest = rest[got:]
    return header, payload


def _write(stream: BinaryIO, header: dict[str, Any], parts: _Parts = ()) -> None:
    """Writes one frame and its payload in one piece, which wakes the reader once."""
    stream.write(b"".join((json.dumps(header).encode(), b"\n", *parts)))
    stream.flush()
