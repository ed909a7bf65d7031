"""The table: what benchmarks print is read, what is said and how it ends."""

import io
import json
import subprocess
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import bench
import counts
import pipeline
import run
from table import Table

BENCH = Path(bench.__file__).parent.parent / "bench"
LINE = "{label:<40}    {one} cases a second on one thread,    {two} on two\n"


class Pipeline(unittest.TestCase):
    def printed(self, said, words=("legal",), beside=None):
        """With programs that say, one time after the other, what `said` has of them."""
        to = io.StringIO()
        tools = SimpleNamespace(benches={"pipeline": "now"}, beside=beside)
        turns = {program: iter(lines * 4) for program, lines in said.items()}
        with mock.patch.object(pipeline, "output", lambda command: next(turns[command[0]])):
            pipeline.part(Table(to), tools, list(words), True)
        return [line.split() for line in to.getvalue().splitlines()[3:]]

    def test_the_best_of_all_rounds_stands_there(self):
        lines = [
            LINE.format(label="pipeline legal", one=a, two=b) for a, b in ((200, 300), (100, 380))
        ]
        one, two = self.printed({"now": lines})
        self.assertEqual(one, ["pipeline", "legal,", "one", "thread", "200"])
        self.assertEqual(two[-3:], ["380", "200", "1.90"])

    def test_an_older_build_stands_beside(self):
        # It has a row more that has the word.
        older = LINE.format(label="pipeline mix", one=400, two=500)
        older += LINE.format(label="pipeline mix, more", one=1, two=1)
        now = LINE.format(label="pipeline mix", one=360, two=550)
        rows = self.printed({"now": [now], "old": [older]}, ["mix"], "old")
        self.assertEqual(
            [row[-3:] for row in rows[2:]], [["360", "400", "0.90"], ["550", "500", "1.10"]]
        )

    def test_a_row_that_is_not_printed_is_missed(self):
        with self.assertRaises(run.Failed):
            self.printed({"now": ["nothing\n"]})


class Built(unittest.TestCase):
    def test_executables_are_found_in_what_cargo_says(self):
        line = '{"target":{"name":"%s","kind":["%s"]},"executable":%s}\n'
        said = line % ("speed", "bench", '"/t/speed"') + line % ("isa", "lib", "null") + "noise\n"
        self.assertEqual(run.executables(said, "bench"), {"speed": "/t/speed"})

    def test_what_is_built_is_there(self):
        asked = ["cargo", "metadata", "--no-deps", "--offline", "--format-version=1"]
        packages = {p["name"]: p for p in json.loads(run.output(asked))["packages"]}
        targets = [t for name in run.PACKAGES for t in packages[name]["targets"]]
        benches = {t["name"] for t in targets if t["kind"] == ["bench"]}
        self.assertEqual(set(run.BENCHES), benches)
        self.assertIn("ptodiff", [t["name"] for t in packages[run.COMMAND]["targets"]])


class ExitCodes(unittest.TestCase):
    def code(self, **said):
        came = counts.Compared(**{"grown": [], "missing": [], "new": [], "apart": []} | said)
        with mock.patch.object(counts, "part", return_value=came):
            return bench.check(None, [])

    def test_growth_fails_a_check(self):
        self.assertEqual(self.code(), 0)
        self.assertEqual(self.code(new=["x"]), 0)
        self.assertEqual(self.code(grown=["x"]), bench.GREW)
        self.assertEqual(self.code(missing=["x"]), bench.GREW)

    def test_a_check_that_compares_nothing_does_not_pass(self):
        with mock.patch("sys.stderr", io.StringIO()) as said:
            self.assertEqual(self.code(apart=["rustc"]), bench.NOTHING)
            with mock.patch.object(counts, "part", side_effect=run.Missing("no valgrind")):
                self.assertEqual(bench.main(["--check"]), bench.NOTHING)
        self.assertIn("no valgrind", said.getvalue())

    def test_a_part_without_its_tool_fails_nothing_and_a_broken_one_does(self):
        def missing(*_):
            raise run.Missing("no such tool")

        def broken(*_):
            raise run.Failed("results differ")

        def whole(table, *_):
            table.title("the next part")

        for first, code in ((missing, 0), (broken, bench.WRONG)):
            with mock.patch("sys.stdout", io.StringIO()) as said:
                with mock.patch.object(bench, "PARTS", [first, whole]):
                    self.assertEqual(bench.main(["--quick", "word"]), code)
            self.assertRegex(said.getvalue(), "no such tool|results differ")
            self.assertIn("the next part", said.getvalue())

    def test_a_word_of_no_row_is_told(self):
        with (
            mock.patch("sys.stdout", io.StringIO()),
            mock.patch("sys.stderr", io.StringIO()) as said,
        ):
            with mock.patch.object(bench, "PARTS", [lambda *_: None]):
                self.assertEqual(bench.main(["NOSUCHROW"]), bench.WRONG)
        self.assertIn("no row has NOSUCHROW in its label", said.getvalue())

    def test_what_makes_no_sense_is_told_before_anything_is_built(self):
        for words in (
            ["--quack"],
            ["--beside"],
            ["--beside", "no/such"],
            ["--check", "--keep"],
            ["--check", "--beside", "/bin/true"],
            ["--keep", "draw"],
        ):
            with self.subTest(words), tempfile.TemporaryDirectory() as elsewhere:
                told = {"cwd": elsewhere, "timeout": 60}
                said = subprocess.run([BENCH, *words], capture_output=True, text=True, **told)
                self.assertEqual((said.returncode, said.stdout), (2, ""))
                self.assertIn("usage: scripts/bench", said.stderr)


if __name__ == "__main__":
    unittest.main()
