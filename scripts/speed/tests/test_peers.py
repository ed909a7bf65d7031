"""Both peers on operations whose results are worked out by hand."""

import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PEERS = Path(__file__).parent.parent / "peers"
FORMATS = {"float": "f", "half": "e", "int32_t": "i", "int8_t": "b"}
WORDS = {
    "dtype": "int32_t",
    "policy": "Undefined",
    "atomic": "None",
    "output": "table",
    "capacity": 4,
    "group": 1,
    "place": 0,
    "rows": 1,
}


def pack(dtype, values):
    return struct.pack(f"<{len(values)}{FORMATS[dtype]}", *values)


class Peer:
    """One of them, started."""

    def __init__(self, command):
        pipe = subprocess.PIPE
        self.child = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def ask(self, line):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()
        return self.child.stdout.readline().rstrip("\n")

    def end(self):
        self.child.stdin.close()
        self.child.stdout.close()
        self.child.wait()


class OnPeers:
    """What is expected of each of them; which one says the class below."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.peer = Peer(cls.command(Path(cls.folder.name)))

    @classmethod
    def tearDownClass(cls):
        cls.peer.end()
        cls.folder.cleanup()

    def result(self, operation, files, **words):
        words = WORDS | {"operation": operation} | words
        folder = Path(tempfile.mkdtemp(dir=self.folder.name))
        (folder / "operation").write_text("".join(f"{n} {w}\n" for n, w in words.items()))
        for name, values in files.items():
            dtype = "int32_t" if name == "index" else words["dtype"]
            (folder / name).write_bytes(pack(dtype, values))
        self.assertEqual(self.peer.ask(f"open {folder}"), "ready")
        self.assertEqual(self.peer.ask("once"), "done")
        self.assertEqual(self.peer.ask(f"result {folder / 'result'}"), "done")
        got = (folder / "result").read_bytes()
        values = struct.unpack(f"<{len(files[words['output']])}{FORMATS[words['dtype']]}", got)
        return list(values)

    def scatter(self, policy="Undefined", atomic="None", index=(1, 3, 1, 0), dtype="int32_t"):
        files = {"table": [5, 6, 7, 8], "source": [10, 20, 30, 40], "index": index}
        words = {"policy": policy, "atomic": atomic, "dtype": dtype, "cols": 4}
        return self.result("scatter-elem", files, **words)

    def test_of_elements_that_meet_the_later_stays(self):
        self.assertEqual(self.scatter(), [40, 30, 7, 20])

    def test_atomics_take_all_that_meet(self):
        self.assertEqual(self.scatter(atomic="Add"), [45, 46, 7, 28])
        self.assertEqual(self.scatter(atomic="Max"), [40, 30, 7, 20])
        self.assertEqual(self.scatter(atomic="Min"), [5, 6, 7, 8])
        self.assertEqual(self.scatter(atomic="Add", dtype="half"), [45, 46, 7, 28])
        self.assertEqual(self.scatter(atomic="Add", dtype="float"), [45, 46, 7, 28])

    def test_small_integers_wrap(self):
        files = {"table": [120, 0], "source": [100], "index": [0]}
        words = {"atomic": "Add", "dtype": "int8_t", "cols": 1}
        self.assertEqual(self.result("scatter-elem", files, **words), [-36, 0])

    def test_policies_of_a_scatter(self):
        index = (1, 4, 9, -1)
        self.assertEqual(self.scatter("Skip", index=index), [5, 10, 7, 8])
        self.assertEqual(self.scatter("Clamp", index=index), [5, 10, 7, 40])
        # 4, 9 and 2^32 - 1 leave 0, 1 and 3.
        self.assertEqual(self.scatter("Wrap", index=index), [20, 30, 7, 40])

    def test_rows_are_scattered(self):
        files = {"table": [1, 2, 3, 4, 5, 6], "source": [10, 20, 30, 40], "index": [2, 3]}
        rows = {"rows": 2, "cols": 2, "capacity": 3}
        got = self.result("scatter-row", files, policy="Clamp", **rows)
        self.assertEqual(got, [1, 2, 3, 4, 30, 40])
        got = self.result("scatter-row", files, policy="Skip", atomic="Add", **rows)
        self.assertEqual(got, [1, 2, 3, 4, 15, 26])

    def test_policies_of_a_gather(self):
        files = {"table": [5, 6, 7, 8], "destination": [1, 1, 1], "index": [2, 6, 4]}
        words = {"output": "destination", "cols": 3}
        for policy, expected in {"Clamp": [7, 8, 8], "Wrap": [7, 7, 5], "Zero": [7, 0, 0]}.items():
            with self.subTest(policy):
                got = self.result("gather-elem", files, policy=policy, **words)
                self.assertEqual(got, expected)

    def test_rows_are_gathered(self):
        files = {"table": [1, 2, 3, 4], "destination": [9] * 4, "index": [1, 7]}
        words = {"output": "destination", "rows": 2, "cols": 2, "capacity": 2}
        got = self.result("gather-row", files, policy="Zero", **words)
        self.assertEqual(got, [3, 4, 0, 0])

    def test_a_gather_to_l1_goes_block_column_by_block_column(self):
        # Two rows of two blocks of 8 elements.
        table = list(range(32))
        blocks = [*range(16, 24), *range(0, 8), *range(24, 32), *range(8, 16)]
        words = {"output": "destination", "rows": 2, "cols": 16}
        files = {"table": table, "destination": [0] * 32, "index": [1, 0]}
        self.assertEqual(self.result("gather-l1-row", files, capacity=2, **words), blocks)
        files["index"] = [*range(16, 32), *range(16)]
        files["scratch"] = [7] * 32
        self.assertEqual(self.result("gather-l1-elem", files, capacity=32, **words), blocks)

    def test_tiles_on_chip(self):
        files = {"destination": [9] * 4, "source": [1, 2, 3], "index": [3, 0, 3]}
        words = {"output": "destination", "cols": 3}
        self.assertEqual(self.result("tile-scatter", files, **words), [2, 9, 9, 3])
        files = {"destination": [9] * 6, "source": [1, 2, 3]}
        got = self.result("mask-scatter", files, group=2, place=1, **words)
        self.assertEqual(got, [0, 1, 0, 2, 0, 3])

    def test_offsets_count_bytes(self):
        files = {"destination": [0] * 3, "source": [1, 2, 3], "index": [8, 0, 4]}
        got = self.result("byte-gather", files, output="destination", cols=3)
        self.assertEqual(got, [3, 1, 2])
        files = {"destination": [0] * 16, "source": list(range(16)), "index": [32, 0]}
        got = self.result("block-gather", files, output="destination", cols=16)
        self.assertEqual(got, [*range(8, 16), *range(8)])

    def test_a_turn_says_how_long_and_runs_one_more(self):
        self.scatter(atomic="Add")
        self.assertGreater(int(self.peer.ask("turn 3")), 0)
        file = Path(self.folder.name) / "after"
        self.assertEqual(self.peer.ask(f"result {file}"), "done")
        # Five runs of 10 + 30 in slot 1.
        self.assertEqual(struct.unpack("<4i", file.read_bytes())[1], 6 + 5 * 40)

    def test_what_it_cannot_do_is_said(self):
        self.assertTrue(self.peer.ask("open /no/such").startswith("error: "))
        self.assertTrue(self.peer.ask("sing").startswith("error: "))
        with self.assertRaises(AssertionError) as said:
            self.result("transpose", {"table": [1]}, cols=1)
        self.assertIn("none", str(said.exception))


@unittest.skipUnless(shutil.which("g++"), "no g++")
class InCpp(OnPeers, unittest.TestCase):
    @staticmethod
    def command(folder):
        sources = sorted(map(str, PEERS.glob("*.cpp")))
        flags = ["-std=c++20", f"@{PEERS / 'flags'}", "-Wall", "-Wextra", "-Werror"]
        subprocess.run(["g++", *flags, "-o", folder / "peer", *sources], check=True)
        return [folder / "peer"]


class InNumpy(OnPeers, unittest.TestCase):
    @staticmethod
    def command(_):
        return [sys.executable, PEERS / "numpy_peer.py"]
