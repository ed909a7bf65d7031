"""Calls that are none, and the programs as ptodiff starts them."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

from ptoimpl import implementation

from .build import answer, frame, mscatter, tensor, tile

ImplementationS = Path(__file__).resolve().parents[1]
HELLO = b'{"kind":"hello","protocol":1,"newest":2,"as":"a5"}\n'


def spelled(header, payload):
    """A frame as bytes."""
    return json.dumps(header).encode() + b"\n" + bytes(payload)


def call(**how):
    """A call of MSCATTER that is good."""
    words = mscatter(tensor("float", [8]), tile("float", 1, 8), tile("int32_t", 1, 8), **how)
    operands = {"table": np.zeros(8, "<f4"), "source": np.arange(8, dtype="<f4"), "index": np.arange(8, dtype="<i4")}
    return words, operands


class Calls(unittest.TestCase):
    def test_a_call_that_makes_no_sense_is_unsupported(self):
        words, operands = call()
        header, payload = frame(words, operands)
        for change in (
            {"call": None},
            {"call": {"form": "mscatter"}},
            {"call": {**words, "mode": "row"}},
            {"call": {**words, "oob": ["Skip"]}},
            {"call": {**words, "src": {**words["src"], "valid": [1, 1 << 40]}}},
            {"call": {**words, "src": {**words["src"], "rows": True}}},
            {"call": {**words, "src": {**words["src"], "cols": 0}}},
            {"call": {**words, "src": {**words["src"], "fractal": 0}}},
            {"call": {**words, "src": {**words["src"], "valid": [1, -1]}}},
            {"call": {**words, "src": {**words["src"], "valid_dynamic": [False, 1]}}},
            {"call": {**words, "src": {**words["src"], "valid_dynamic": [False]}}},
            {"call": {**words, "src": {**words["src"], "dtype": "double"}}},
            {"call": {**words, "table": {**words["table"], "stride": [1] * 4}}},
            {"readings": {"no-such-gap": "x"}},
            {"readings": {"scope": ["documented"]}},
            {"readings": [1]},
            {"regions": None},
            {"regions": header["regions"][:2]},
            {"regions": [{**header["regions"][0], "body": [0, 1000]}]},
            {"regions": [{**header["regions"][0], "bytes": 1 << 40}]},
            {"regions": [{**header["regions"][0], "body": [0]}, *header["regions"][1:]]},
            {"regions": [{**header["regions"][0], "body": [0, "32"]}, *header["regions"][1:]]},
            {"regions": [{**header["regions"][0], "body": [-1, 32]}, *header["regions"][1:]]},
            {"regions": [*header["regions"][:2], {**header["regions"][2], "bytes": 97}]},
            {"regions": header["regions"][:1] * 3},
        ):
            found, _ = implementation.answer("a5", {**header, **change}, bytearray(payload))
            self.assertEqual(found["kind"], "unsupported", change)
            self.assertTrue(found["why"])

    def test_rejections_name_their_clause(self):
        found, _ = answer("a2a3", *call(atomic="Max"))
        self.assertEqual((found["kind"], found["clause"]), ("rejected", "MSCATTER-ATOM-10"))

    def test_a_direct_dispatch_hangs_where_a_kernel_is_launched(self):
        found, _ = answer("a5", *call(dispatch="direct"))
        self.assertEqual(found["kind"], "hangs")
        found, _ = answer("a2a3", *call(dispatch="direct"))
        self.assertEqual(found["kind"], "done")
        launch = {"dispatch": "direct"}
        t, i = tile("float", 1, 8), tile("int32_t", 1, 8)
        for valid, ends in ((None, "hangs"), ([1, 1], "done")):
            words = {"form": "mgather", "dst": dict(t), "table": tensor("float", [8]), "idx": dict(i), "mode": "Elem",
                     "oob": "Zero", "launch": launch}  # fmt: skip
            if valid:
                words["dst"]["valid"] = words["idx"]["valid"] = valid
            gathered = {"destination": np.zeros(8, "<f4"), "table": np.zeros(8, "<f4"), "index": np.zeros(8, "<i4")}
            self.assertEqual(answer("a5", words, gathered)[0]["kind"], ends, valid)
        image = dict(tile("float", 16, 8, nz=True, mat=True))
        for exec_, ends in (("Scalar", "done"), ("Simt", "hangs")):
            words = {"form": "mgather-l1", "dst": image, "table": tensor("float", [8]), "mode": "Elem", "oob": "Zero",
                     "idx": tensor("int32_t", [16, 8]), "scratch": tensor("float", [128]), "exec": exec_,
                     "launch": launch}  # fmt: skip
            gathered = {role: np.zeros(128, "<f4") for role in ("destination", "table", "scratch")}
            gathered["index"] = np.zeros(128, "<i4")
            self.assertEqual(answer("a5", words, gathered)[0]["kind"], ends, exec_)
        words, operands = call(dispatch="direct")
        first = {key: words[key] for key in ("table", "src", "idx", "atomic", "oob", "launch")}
        self.assertEqual(answer("a5", {"form": "mscatter-first", **first}, operands)[0]["kind"], "hangs")
        words["src"]["valid"] = words["idx"]["valid"] = [1, 1]
        found, _ = answer("a5", words, operands)
        self.assertEqual(found["kind"], "done")


class Programs(unittest.TestCase):
    def test_the_script_speaks(self):
        header, payload = frame(*call())
        sent = HELLO + spelled(header, payload)
        ran = subprocess.run(
            [sys.executable, ImplementationS / "numpy_impl.py"], input=sent, capture_output=True, timeout=60, check=True
        )
        kinds = [json.loads(line)["kind"] for line in ran.stdout.split(b"\n") if line.startswith(b"{")]
        self.assertEqual((kinds[:2], ran.stderr), (["hello", "done"], b""))

    def minimal(self, target, call_, operands, readings=None):
        """The answer of the minimal implementation."""
        header, payload = frame(call_, operands, readings=readings)
        sent = HELLO.replace(b"a5", target.encode()) + spelled(header, payload)
        ran = subprocess.run(
            [sys.executable, ImplementationS / "minimal.py"], input=sent, capture_output=True, timeout=60, check=True
        )
        hello, rest = ran.stdout.split(b"\n", 1)
        self.assertEqual(json.loads(hello)["name"], "Minimal")
        line, data = rest.split(b"\n", 1)
        return json.loads(line), data

    def test_the_minimal_implementation(self):
        words = {"instruction": "TGATHERB", "form": "tgatherb", "dst": tile("uint16_t", 2, 4, (2, 2)), "src": tile("uint16_t", 2, 8),
                 "offset": tile("uint32_t", 8, 2, (2, 2), col=True)}  # fmt: skip
        offsets = np.zeros(16, "<u4")
        offsets[[0, 8, 1, 9]] = [30, 3, 40, 0]  # (0,0) (0,1) (1,0) (1,1)
        operands = {"destination": np.full(8, 7, "<u2"), "source": np.arange(32, dtype="<u1"), "index": offsets}
        for target, beyond in (("cpu", 0x1F1E), ("a5", 0)):
            header, data = self.minimal(target, words, operands)
            self.assertEqual((header["kind"], header["id"]), ("done", 1))
            found = np.frombuffer(data[32:-32], "<u2").tolist()
            self.assertEqual(found, [0x1F1E, 0x0403, 7, 7, beyond, 0x0100, 7, 7], target)
            self.assertEqual(data[:32] + data[-32:], bytes([0xA5] * 64))

    def test_the_minimal_implementation_says_what_it_cannot(self):
        header, _ = self.minimal("a5", *call())
        self.assertEqual(header["kind"], "unsupported")
        words = {"instruction": "TGATHERB", "form": "tgatherb", "dst": tile("uint16_t", 16, 1, col=True), "src": tile("uint16_t", 1, 16),
                 "offset": tile("uint32_t", 16, 1)}  # fmt: skip
        operands = {"destination": np.zeros(16, "<u2"), "source": np.zeros(16, "<u2"), "index": np.zeros(16, "<u4")}
        header, _ = self.minimal("a2a3", words, operands)
        self.assertEqual((header["kind"], header["clause"]), ("rejected", "TGATHERB-TILE-01"))


if __name__ == "__main__":
    unittest.main()
