"""Both peers on operations whose results are worked out by hand, and their table."""

import io
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import peers
from run import Failed
from table import Table

PEERS = Path(peers.__file__).parent / "peers"


class OnPeers:
    """What is expected of each of them; which one says the class below."""

    def run_it(self, words, table, index, source=None, form="f"):
        """What stays of `words`, on operands in a folder."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            files = {"table": (form, table), "index": ("I", index), "source": (form, source or [])}
            for file, (letter, values) in files.items():
                (folder / file).write_bytes(struct.pack(f"<{len(values)}{letter}", *values))
            told = [*self.command, folder, "3", *words.split()]
            said = subprocess.run(told, capture_output=True, text=True)
            self.assertEqual(said.returncode, 0, said.stderr)
            self.assertGreaterEqual(int(said.stdout), 0)
            left = (folder / f"{self.name}.result").read_bytes()
        return list(struct.unpack(f"<{len(left) // struct.calcsize(form)}{form}", left))

    def test_of_elements_that_meet_the_later_stays(self):
        for dtype, form in (("float", "f"), ("int8_t", "b")):
            words = f"scatter Elem {dtype} Undefined 2 2"
            got = self.run_it(words, [5, 6, 7, 8], [1, 3, 1, 0], [10, 20, 30, 40], form)
            self.assertEqual(got, [40, 30, 7, 20])

    def test_clamp_leads_to_the_last(self):
        words = "scatter Elem float Clamp 1 4"
        got = self.run_it(words, [5, 6, 7, 8], [1, 4, 9, 2**32 - 1], [10, 20, 30, 40])
        self.assertEqual(got, [5, 10, 7, 40])

    def test_rows_are_scattered(self):
        words = "scatter Row float Undefined 2 2"
        got = self.run_it(words, [1, 2, 3, 4, 5, 6], [2, 0], [10, 20, 30, 40])
        self.assertEqual(got, [30, 40, 3, 4, 10, 20])

    def test_elements_are_gathered(self):
        got = self.run_it("gather Elem float Undefined 1 3", [5, 6, 7, 8], [2, 0, 2])
        self.assertEqual(got, [7, 5, 7])

    def test_rows_are_gathered(self):
        got = self.run_it("gather Row float Undefined 2 2", [1, 2, 3, 4, 5, 6], [2, 0])
        self.assertEqual(got, [5, 6, 1, 2])

    def test_what_it_cannot_do_is_no_result(self):
        for words in ("gather Elem half Undefined 1 1", "scatter Elem float Skip 1 1"):
            with self.assertRaises(AssertionError):
                self.run_it(words, [1], [0], [2])


@unittest.skipUnless(shutil.which("g++"), "no g++")
class InCpp(OnPeers, unittest.TestCase):
    name = "cpp"

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.command = [Path(folder.name) / "peer"]
        flags = ["-std=c++20", "-O2", "-Wall", "-Wextra", "-Werror"]
        subprocess.run(["g++", *flags, "-o", *cls.command, PEERS / "peer.cpp"], check=True)


class InNumpy(OnPeers, unittest.TestCase):
    name, command = "numpy", [sys.executable, PEERS / "numpy_peer.py"]


class Turns(unittest.TestCase):
    """The table, with small programs in place of those that run."""

    def printed(self, others, leaves=b"same", words=()):
        """With models that take 100, 200 and 300 us, and peers that take `others`."""
        asked = []

        def output(command, cpus=None):
            program, *told = command
            if told == ["labels"]:
                return "MGATHER Row\nMSCATTER Elem\n"
            asked.append(command)
            if program != "speed":
                (Path(told[0]) / f"{program}.result").write_bytes(leaves)
                return f"{others[program]}\n"
            for name in peers.MODELS:
                (Path(told[2]) / f"{name}.result").write_bytes(b"same")
            return "gather\tRow\ncpu\t100000\na2a3\t200000\na5\t300000\n"

        to = io.StringIO()
        tools = SimpleNamespace(benches={"speed": "speed"}, peers={name: [name] for name in others})
        with mock.patch.object(peers, "output", output):
            peers.part(Table(to), tools, list(words), True)
        return to.getvalue(), asked

    def test_everyone_stands_beside_cpp(self):
        said, asked = self.printed({"cpp": 50000, "numpy": 400000})
        rows = [line.split() for line in said.splitlines()]
        row = ["MGATHER", "Row", "50.0", "400.0", "(8.00)", "100.0", "(2.00)"]
        self.assertIn([*row, "200.0", "(4.00)", "300.0", "(6.00)"], rows)
        self.assertIn("within 8 times", said)
        # Peers are told the words that the models' program says.
        self.assertEqual(asked[1][2:], [peers.RUNS, "gather", "Row"])

    def test_without_peers_there_are_only_times(self):
        said, _ = self.printed({}, words=["MSCATTER"])
        self.assertIn(
            ["MSCATTER", "Elem", "100.0", "200.0", "300.0"], map(str.split, said.splitlines())
        )
        self.assertNotIn("MGATHER", said)
        self.assertNotIn("within 8 times", said)

    def test_other_bytes_are_no_figure(self):
        with self.assertRaisesRegex(Failed, "MGATHER Row: cpu and numpy leave different bytes"):
            self.printed({"numpy": 1}, b"sane")


if __name__ == "__main__":
    unittest.main()
