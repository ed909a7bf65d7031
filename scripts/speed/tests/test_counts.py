"""Counts: what is kept is read as it was written, and growth is seen."""

import io
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import counts
from run import Failed, Missing
from table import Table

HERE = {"rustc": "r", "libc": "l", "valgrind": "v"}


class Kept(unittest.TestCase):
    def test_what_is_written_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "kept"
            now = {"a5 MGATHER Elem 8x32 into 256": 1234, "draw mix": 7}
            counts.write(now, file)
            made_by, kept = counts.read(file)
        self.assertEqual(kept, now)
        self.assertEqual(made_by, counts.toolchain())

    def test_more_than_three_percent_is_growth(self):
        kept = {"a": 1000, "b": 1000, "c": 1000}
        said = counts.compare({"a": 1030, "b": 1031, "c": 900}, kept, HERE, HERE)
        self.assertEqual((said.grown, said.missing, said.new, said.apart), (["b"], [], [], []))

    def test_rows_that_come_and_go_are_told(self):
        said = counts.compare({"a": 1, "b": 1}, {"b": 1, "c": 1}, HERE, HERE)
        self.assertEqual((said.missing, said.new), (["c"], ["a"]))

    def test_another_toolchain_is_told_and_not_compared(self):
        said = counts.compare({"a": 2}, {"a": 1}, HERE | {"rustc": "older"}, HERE)
        self.assertEqual((said.grown, said.apart), ([], ["rustc"]))


class Programs(unittest.TestCase):
    def test_a_program_is_counted_whole_or_not_at_all(self):
        said = {"p": "draw mix\t9\ndraw legal\t10\n", "s": "a5 MSCATTER\t1\n"}
        asked = []

        def dumped(command, function, count):
            asked.append((command, function.partition(":")[0], count))
            return [90] * count

        tools = SimpleNamespace(valgrind=True, benches={"pipeline": "p", "speed": "s"})
        with (
            mock.patch.object(counts, "output", lambda command: said[command[0]]),
            mock.patch.object(counts, "dumped", dumped),
        ):
            self.assertEqual(counts.counted(tools, ["mix"]), {"draw mix": 10})
            self.assertEqual(asked, [(["p", "counts"], "pipeline", 2)])
            every = {"draw mix": 10, "draw legal": 9, "a5 MSCATTER": 90}
            self.assertEqual(counts.counted(tools, []), every)
        self.assertEqual(asked[2:], [(["s", "counts"], "speed", 1)])

    def test_without_valgrind_there_are_no_counts(self):
        with self.assertRaises(Missing):
            counts.counted(SimpleNamespace(valgrind=None), [])


class Dumps(unittest.TestCase):
    def test_the_total_is_found(self):
        self.assertEqual(counts.total("# callgrind\nevents: Ir\nsummary: 812\nfn=x\n"), 812)

    def test_a_dump_that_counts_nothing_is_no_count(self):
        for dump in ("events: Ir\nsummary: 0\n", "events: Ir\n"):
            with self.assertRaises(Failed):
                counts.total(dump)

    def test_every_row_has_a_dump(self):
        with mock.patch.object(counts, "output"), self.assertRaises(Failed):
            counts.dumped(["/bin/true"], "f", 1)


class Part(unittest.TestCase):
    def test_rows_stand_beside_those_that_are_kept(self):
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch.object(counts, "KEPT", Path(folder) / "kept"),
        ):
            counts.write({"draw mix": 1000, "judge gone": 1}, counts.KEPT)
            now = {"draw mix": 1100, "draw new": 5}
            to = io.StringIO()
            with mock.patch.object(counts, "counted", return_value=now):
                said = counts.part(Table(to), None, ["draw"], False)
        rows = [line.split() for line in to.getvalue().splitlines()]
        self.assertIn(["draw", "mix", "1,100", "1,000", "1.10"], rows)
        self.assertIn(["draw", "new", "5"], rows)
        # Another word's rows are not missing.
        self.assertEqual((said.grown, said.new, said.missing), (["draw mix"], ["draw new"], []))


if __name__ == "__main__":
    unittest.main()
