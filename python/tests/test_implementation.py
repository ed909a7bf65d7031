"""`Implementation`: the protocol, and what becomes of exceptions."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from frames import FILL, GUARD, frame, gatherb, hello, spelled, talk, tensor, tile

import ptodiff
from ptodiff import sparse


class Gather(ptodiff.Implementation):
    def tgatherb(self, call: ptodiff.Tgatherb) -> None:
        call.dst.valid = call.src.body[call.offset.valid]


def test_it_greets_with_its_name_and_what_it_takes() -> None:
    _, [(found, _)] = talk(Gather(), hello())
    greeting = {"kind": "hello", "protocol": 2, "name": "Gather", "batch": 64, "jobs": 1}
    assert found == ({**greeting, "sparse": True} if sparse.AVAILABLE else greeting)


def test_a_call_is_answered_with_its_output_and_the_guard_zones() -> None:
    header, payload = gatherb()
    status, [_, (found, data)] = talk(Gather(), hello() + spelled({**header, "id": 7}, payload))
    assert (status, found["kind"], found["id"]) == (0, "done", 7)
    assert found["regions"] == [{"role": "destination", "bytes": 8 + 2 * GUARD}]
    assert data[:GUARD] == data[-GUARD:] == bytes([FILL] * GUARD)
    assert list(data[GUARD:-GUARD]) == [7, 6, 5, 4, 3, 2, 1, 0]


def test_what_nobody_may_write_to_goes_back_if_it_was_written_to() -> None:
    class Writes(ptodiff.Implementation):
        def tgatherb(self, call: ptodiff.Tgatherb) -> None:
            call.src.valid[0, 3] = 9
            call.offset.region.raw[0] = 1

    found, parts = Writes().answer(*gatherb())
    assert [region["role"] for region in found["regions"]] == ["destination", "source", "index"]
    assert parts[1][GUARD + 3] == 9 and parts[2][0] == 1


SIZE = 12_000_000_000


def with_sparse_table(*parts: tuple[int, bytes]) -> tuple[dict[str, Any], bytearray]:
    """A scatter of 5 and 6 to elements 2147483648 and 7 of a table of 12 GB, which holds these parts."""
    words = {
        "instruction": "MSCATTER", "form": "mscatter", "mode": "Elem", "atomic": "None", "oob": "Skip",
        "conflict": "Last", "launch": {}, "table": tensor("int32_t", SIZE // 4), "src": tile("int32_t", 1, 2),
        "idx": tile("uint32_t", 1, 2),
    }  # fmt: skip
    operands = {"source": np.array([5, 6], "<i4"), "index": np.array([2147483648, 7], "<u4")}
    header, payload = frame(words, operands)
    entry = {"role": "table", "body": [GUARD, SIZE], "bytes": SIZE + 2 * GUARD, "parts": len(parts)}
    raw = sparse.packed(list(parts))
    header["regions"].insert(0, entry)
    header["bytes"] += len(raw)
    return header, bytearray(raw) + payload


class Scatters(ptodiff.Implementation):
    def mscatter(self, call: ptodiff.Mscatter) -> None:
        call.table.body[call.idx.valid[0]] = call.src.valid[0]


@pytest.mark.skipif(not sparse.AVAILABLE, reason="only Linux has files with holes on no disk")
def test_of_a_sparse_table_come_back_the_pages_that_changed() -> None:
    guard = bytes([FILL] * GUARD)
    call = with_sparse_table((0, guard), (SIZE // 2, b"far"), (SIZE + GUARD, guard))
    status, [_, (found, data)] = talk(Scatters(), hello() + spelled(*call))
    assert (status, found["kind"]) == (0, "done")
    assert found["regions"] == [{"role": "table", "bytes": SIZE + 2 * GUARD, "parts": 2}]
    first, second = np.frombuffer(data, "<u8", 4).reshape(2, 2).tolist()
    assert first == [0, 4096] and second == [8589934592, 4096]
    near, far = bytes(data[32 : 32 + 4096]), bytes(data[32 + 4096 :])
    assert near[:GUARD] == guard and near[GUARD + 28] == 6 and sum(near[GUARD:]) == 6
    assert far[GUARD] == 5 and sum(far) == 5


@pytest.mark.skipif(not sparse.AVAILABLE, reason="only Linux has files with holes on no disk")
def test_parts_that_make_no_sense_end_it() -> None:
    for part in ((SIZE + 2 * GUARD, b"x"), (1 << 62, b"x")):
        status, [_, *_] = talk(Scatters(), hello() + spelled(*with_sparse_table(part)))
        assert status == 1
    # What was zero and is again is nothing that changed; what became zero is.
    memory, _ = sparse.Sparse.take({"parts": 0, "bytes": 1 << 40}, bytearray(), 0)
    memory.raw[1 << 39] = 0
    assert memory.changed() == []
    memory, _ = sparse.Sparse.take({"parts": 1, "bytes": 9000}, bytearray(sparse.packed([(8999, b"x")])), 0)
    memory.raw[8999] = 0
    assert memory.changed() == [(8192, bytes(808))]


def test_what_is_not_there_is_unsupported() -> None:
    words = {
        "instruction": "TSCATTER", "form": "tscatter-mask", "pattern": "P1111", "axis": "Row",
        "dst": tile("half", 1, 16), "src": tile("half", 1, 16),
    }  # fmt: skip
    call = frame(words, {"destination": np.zeros(16, "<f2"), "source": np.zeros(16, "<f2")})
    assert Gather().answer(*call)[0] == {"kind": "unsupported", "why": "no TSCATTER by mask"}
    header, payload = call
    header["call"] = {"form": "tnew"}
    assert Gather().answer(header, payload)[0]["kind"] == "unsupported"


def test_accesses_may_be_counted_with_numpy() -> None:
    class Counts(Gather):
        def tgatherb(self, call: ptodiff.Tgatherb) -> None:
            call.out_of_bounds += (call.offset.valid > 5).sum()

    _, [_, (found, _)] = talk(Counts(), hello() + spelled(*gatherb()))
    assert found["out_of_bounds"] == 2


def test_a_reading_is_followed_only_if_it_says_so() -> None:
    class Blocks(Gather):
        def follows(self, gap: str, choice: str) -> bool:
            return (gap, choice) == ("tgatherb-granularity", "block")

    call = gatherb(readings={"tgatherb-granularity": "block"})
    assert Gather().answer(*call)[0] == {"kind": "unsupported", "why": "no reading tgatherb-granularity=block"}
    assert Blocks().answer(*call)[0]["kind"] == "done"
    call = gatherb(readings={"tgatherb-granularity": "block", "negative-index": "wraps"})
    assert Blocks().answer(*call)[0]["why"] == "no reading negative-index=wraps"


def test_an_attribute_that_is_spelled_wrong_is_an_error() -> None:
    class Misspelt(ptodiff.Implementation):
        def tgatherb(self, call: ptodiff.Tgatherb) -> None:
            call.dst.vaild = call.src.valid  # type: ignore[attr-defined]

    with pytest.raises(AttributeError, match="vaild"):
        Misspelt().answer(*gatherb())


def test_a_method_says_why_there_is_no_result() -> None:
    raised: Exception

    class Raises(ptodiff.Implementation):
        def tgatherb(self, call: ptodiff.Tgatherb) -> None:
            raise raised

    for raised, found in (
        (ptodiff.Unsupported("no NZ"), {"kind": "unsupported", "why": "no NZ"}),
        (ptodiff.Hangs(), {"kind": "hangs"}),
        (ptodiff.Rejected("TGATHERB-TILE-01"),
         {"kind": "rejected", "why": "by TGATHERB-TILE-01", "clause": "TGATHERB-TILE-01"}),
        (ptodiff.Rejected(why="too wide"), {"kind": "rejected", "why": "too wide"}),
    ):  # fmt: skip
        assert Raises().answer(*gatherb())[0] == found


def test_any_other_exception_ends_it_after_the_answers_before(capsys: pytest.CaptureFixture[str]) -> None:
    class Second(Gather):
        asked = 0

        def tgatherb(self, call: ptodiff.Tgatherb) -> None:
            self.asked += 1
            if self.asked == 2:
                self.fails()
            super().tgatherb(call)

        def fails(self) -> None:
            raise LookupError("no such kernel")

    calls = b"".join(spelled({**gatherb()[0], "id": n}, gatherb()[1]) for n in range(3))
    status, answers = talk(Second(), hello() + b'{"kind":"batch","calls":3}\n' + calls)
    assert (status, [found.get("id") for found, _ in answers]) == (1, [None, 0])
    told = capsys.readouterr().err.splitlines()
    assert told[:2] == ["While it answered tgatherb on a5:", "Traceback (most recent call last):"]
    assert told[-1] == "LookupError: no such kernel"
    assert told[-2].strip() == 'raise LookupError("no such kernel")'
    assert not any("implementation.py" in line for line in told if "test_implementation" not in line), told


def test_a_batch_is_answered_in_order_and_each_answer_at_once() -> None:
    class Out(io.BytesIO):
        flushed = 0

        def flush(self) -> None:
            self.flushed += 1

    header, payload = gatherb()
    calls = [spelled({**header, "id": n}, payload) for n in (3, 4, 5)]
    sent = hello() + b'{"kind":"batch","calls":2}\n' + b"".join(calls)
    out = Out()
    assert Gather().serve(io.BytesIO(sent), out) == 0
    _, answers = talk(Gather(), sent)
    assert [found.get("id") for found, _ in answers] == [None, 3, 4, 5]
    # The greeting, and each answer: the time limit is for each.
    assert out.flushed == 4


def test_what_is_no_greeting_is_answered_with_sorry() -> None:
    for sent in (
        b"\n",
        b"[1]\n",
        b"\xff\xfe\n",
        b'{"kind":"call","id":1}\n',
        b'{"kind":"hello","protocol":1,"as":"a5"}\n',
        b'{"kind":"hello","protocol":3,"newest":4,"as":"a5"}\n',
        b'{"kind":"hello","protocol":1,"newest":"2","as":"a5"}\n',
        b'{"kind":"hello","protocol":1,"newest":2,"as":"a6"}\n',
        b'{"kind":"hello","protocol":1,"newest":2,"as":"a5"}',
        b"[" * 60_000 + b"\n",
        b"x" * 70_000 + b"\n",
    ):
        status, answers = talk(Gather(), sent)
        assert (status, [found["kind"] for found, _ in answers]) == (1, ["sorry"]), sent[:40]
    assert talk(Gather(), b"") == (0, [])


def test_garbage_after_the_greeting_ends_it() -> None:
    header, payload = gatherb()
    batch = b'{"kind":"batch","calls":2}\n'
    for sent in (
        b"garbage\n",
        b'{"kind":"call","bytes":-1}\n',
        b'{"kind":"bye"}\n',
        spelled(header, payload[:-1]),
        b'{"kind":"batch"}\n',
        b'{"kind":"batch","calls":65}\n',
        batch + batch,
    ):
        status, answers = talk(Gather(), hello() + sent)
        assert (status, [found["kind"] for found, _ in answers]) == (1, ["hello", "sorry"]), sent[:40]


def test_a_target_that_it_cannot_be_is_declined() -> None:
    class Simulator(Gather):
        targets = ("cpu",)

    assert [found["kind"] for found, _ in talk(Simulator(), hello("a5"))[1]] == ["sorry"]
    simulator = Simulator()
    assert [found["kind"] for found, _ in talk(simulator, hello("cpu"))[1]] == ["hello"]
    assert simulator.target == "cpu"


def operand(words: dict[str, Any], body: Any) -> ptodiff.Tile:
    raw = np.frombuffer(bytearray(b"\xa5" * 3 + np.ascontiguousarray(body).tobytes() + b"\xa5" * 5), np.uint8)
    return ptodiff.Tile(words, ptodiff.Region(raw, 3, len(raw) - 8))


def test_tiles_without_boxes_are_views_of_their_memory() -> None:
    rows = operand(tile("int16_t", 2, 8, valid=[2, 3]), np.arange(16, dtype="<i2"))
    assert rows.array.shape == (2, 8) and rows.valid.tolist() == [[0, 1, 2], [8, 9, 10]]
    rows.valid[1, 2] = -1
    assert rows.body[10] == -1 and rows.bytes[20] == 0xFF
    cols = operand(tile("int16_t", 4, 2, valid=[3, 2], blayout="ColMajor"), np.arange(8, dtype="<i2"))
    assert cols.valid.tolist() == [[0, 4], [1, 5], [2, 6]]
    cols.valid = 0
    assert cols.body.tolist() == [0, 0, 0, 3, 0, 0, 0, 7]
    # The guard zones are out of reach, whatever the alignment.
    assert rows.region.raw[:3].tolist() == [0xA5] * 3


def test_a_tile_with_boxes_is_assigned_and_not_written_through_a_copy() -> None:
    # (r, c) of an NZ tile stands at (c / C0) * (rows * C0) + r * C0 + c % C0.
    words = tile("float", 16, 16, valid=[2, 9], blayout="ColMajor", slayout="RowMajor", location="Mat")
    nz = operand(words, np.arange(256, dtype="<f4"))
    assert nz.valid[1].tolist() == [8, 9, 10, 11, 12, 13, 14, 15, 16 * 8 + 8]
    with pytest.raises(ValueError, match="read-only"):
        nz.valid[0, 0] = 1
    nz.valid = np.zeros((2, 9))
    assert nz.body[[0, 15, 16, 128, 129, 136]].tolist() == [0, 0, 16, 0, 129, 0]
    assert nz.array.shape == (16, 16) and nz.element(1, 8) == 136


def test_a_tensor_goes_by_its_strides() -> None:
    words = {"dtype": "int32_t", "shape": [1, 1, 1, 2, 3], "stride": [1, 1, 1, 4, 1], "layout": "ND"}
    raw = np.zeros(7 * 4 + 16, np.uint8)
    table = ptodiff.Tensor(words, ptodiff.Region(raw, 8, 28))
    table.array[0, 0, 0] = [[1, 2, 3], [4, 5, 6]]
    assert table.body.tolist() == [1, 2, 3, 0, 4, 5, 6]
    far = ptodiff.Tensor({**words, "stride": [1, 1, 1, 40, 1]}, ptodiff.Region(raw, 8, 28))
    with pytest.raises(ValueError, match="beyond its 7 elements"):
        far.array
    assert ptodiff.Tensor(tensor("half", 0, 4), ptodiff.Region(raw, 8, 0)).array.shape == (1, 1, 1, 0, 4)
