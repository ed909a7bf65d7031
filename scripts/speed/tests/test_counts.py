"""Counts: what is kept is read as it was written, and growth is seen."""

import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import counts
from run import Failed, Missing

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
        said = {"c": "count\tdraw mix\t9\ncount\tdraw legal\t9\n", "s": "count\ta5 MGATHER\t1\n"}
        asked = []

        def counted_in(module, command):
            asked.append((module, command))
            return {label: len(label) for label, _ in counts.rows(said[command[0]])}

        tools = SimpleNamespace(valgrind=True, benches={"counts": "c", "speed": "s"})
        with (
            mock.patch.object(counts, "output", lambda command: said[command[0]]),
            mock.patch.object(counts, "counted_in", counted_in),
        ):
            self.assertEqual(counts.counted(tools, ["mix"]), {"draw mix": 8})
            self.assertEqual(asked, [("counts", ["c"])])
            self.assertEqual(
                list(counts.counted(tools, [])), ["draw mix", "draw legal", "a5 MGATHER"]
            )
        self.assertEqual(asked[1:], [("counts", ["c"]), ("speed::counts", ["s", "counts"])])

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


if __name__ == "__main__":
    unittest.main()
