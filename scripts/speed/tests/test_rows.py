"""Rows: what benchmarks print is read, and what is printed says what is met."""

import io
import json
import unittest
from types import SimpleNamespace
from unittest import mock

import bench
import counts
import fuzzing
import models
import pipeline
import run
import tables
from table import Row, Table, text

CONTEST = "contest\tMGATHER Elem 8x32 into 256\t256\t100.0\t1000.0\t100.4\t150.0\t-"
PIPELINE = (
    "pipeline legal                              200000 cases a second on one thread,"
    "    370000 on two, 1.85x\n"
)
CONTRACT = "scatter Last elem              430      1.25   3 runs\n"


def printed(part, said, words=(), **tools):
    """What `part` prints when the program it asks says `said`."""
    to = io.StringIO()
    tools = SimpleNamespace(benches={"speed": "s", "pipeline": "p", "contract": "c"}, **tools)
    with mock.patch.object(run, "output", return_value=said):
        for module in (models, pipeline, tables):
            if part.__module__ == module.__name__:
                with mock.patch.object(module, "output", return_value=said):
                    part(Table(to), tools, list(words), False)
    return to.getvalue()


class Rows(unittest.TestCase):
    def test_a_row_says_whether_it_is_met(self):
        self.assertTrue(text(Row("x", "1", goal="2", met=True)).endswith(" met"))
        self.assertTrue(text(Row("x", "1", goal="2", met=False)).endswith("not met"))
        self.assertTrue(text(Row("x", "1")).endswith("1"))

    def test_models_stand_beside_their_peers(self):
        label, elements, times = models.contest(CONTEST, ["cpp", "numpy"])
        self.assertEqual((label, elements), ("MGATHER Elem 8x32 into 256", 256))
        self.assertNotIn("a5", times)
        said = models.contest_text(label, elements, times).split()
        # 256 elements in 100 ns; NumPy ten times as long; cpu reads as equal.
        self.assertEqual(
            said[5:], ["2560", "256", "(10.00)", "2550", "(1.00)", "1707", "(1.50)*", "-"]
        )

    def test_the_best_of_all_starts_counts_for_everyone(self):
        other = CONTEST.replace("100.0\t1000.0\t100.4\t150.0", "90.0\t1100.0\t99.0\t-")
        lone = CONTEST.replace("MGATHER", "TGATHERB")
        read = [models.contest(line, ["cpp", "numpy"]) for line in (CONTEST, lone, other)]
        rows = models.fastest(read)
        self.assertEqual(list(rows), ["MGATHER Elem 8x32 into 256", "TGATHERB Elem 8x32 into 256"])
        best = {"cpp": 90.0, "numpy": 1000.0, "cpu": 99.0, "a2a3": 150.0}
        self.assertEqual(rows["MGATHER Elem 8x32 into 256"], (256, best))
        # What was read is left as it is.
        self.assertEqual(read[0][2]["cpp"], 100.0)

    def test_goals_that_are_met_are_counted(self):
        said = printed(models.part, CONTEST + "\n", peers={"cpp": "x", "numpy": "y"})
        self.assertIn("cpu: 1 of 1 meet the goal", said)
        self.assertIn("a2a3: 0 of 1 meet the goal", said)
        self.assertNotIn("a5: ", said)
        self.assertIn("the models and C++ and NumPy were compared", said)

    def test_without_peers_there_are_only_rates(self):
        alone = CONTEST.replace("\t100.0\t1000.0", "")
        said = printed(models.part, alone + "\n", peers={})
        self.assertIn("2550", said)
        self.assertNotIn("(1.00", said)
        self.assertNotIn("meet", said)

    def test_cases_a_second_have_goals(self):
        said = printed(pipeline.part, PIPELINE, ["pipeline legal"]).splitlines()
        self.assertEqual(said[3].split()[-3:], ["300,000", "not", "met"])
        self.assertEqual(said[4].split()[-5:], ["200,000", "1.85", "1.9x", "not", "met"])

    def test_a_row_that_is_not_printed_is_missed(self):
        with self.assertRaises(run.Failed):
            printed(pipeline.part, "nothing\n", ["pipeline legal"])
        with self.assertRaises(run.Failed):
            printed(pipeline.contract, "nothing\n")

    def test_questions_have_a_row_each(self):
        said = printed(pipeline.contract, CONTRACT)
        self.assertIn("contract scatter Last elem", said)
        self.assertEqual(said.split()[-4:], ["430", "ns", "1.25", "ns"])

    def test_large_tables_stand_beside_small_ones(self):
        said = printed(tables.part, "table\tMSCATTER\t2000.0\t2800.0\ntable\tMGATHER\t1000\t1600\n")
        first, second = said.splitlines()[-2:]
        self.assertEqual(first.split(), ["MSCATTER", "2.8", "2.0", "1.40", "1.5x", "met"])
        self.assertEqual(second.split()[-3:], ["1.5x", "not", "met"])

    def test_executables_are_found_in_what_cargo_says(self):
        line = '{"target":{"name":"%s","kind":["%s"]},"executable":%s}\n'
        said = line % ("speed", "bench", '"/t/speed"') + line % ("isa", "lib", "null") + "noise\n"
        self.assertEqual(run.executables(said, "bench"), {"speed": "/t/speed"})

    def test_what_is_built_is_there(self):
        asked = ["cargo", "metadata", "--no-deps", "--offline", "--format-version=1"]
        packages = {p["name"]: p for p in json.loads(run.output(asked))["packages"]}
        targets = [t for name in run.PACKAGES for t in packages[name]["targets"]]
        benches = {t["name"] for t in targets if t["kind"] == ["bench"]}
        self.assertLessEqual(set(run.BENCHES), benches)
        self.assertIn("ptodiff", [t["name"] for t in packages[run.COMMAND]["targets"]])

    def test_the_fuzz_target_is_found_in_what_cargo_says(self):
        said = "x\n     Running `target/a/release/differential -artifact_prefix=/p/ /c`\nINFO\n"
        found = fuzzing.RAN.search(said)
        self.assertEqual(found["command"], "target/a/release/differential -artifact_prefix=/p/ /c")


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
        with mock.patch("sys.stdout", io.StringIO()), mock.patch("sys.stderr", io.StringIO()) as said:
            with mock.patch.object(bench, "PARTS", [lambda *_: None]):
                self.assertEqual(bench.main(["NOSUCHROW"]), bench.WRONG)
        self.assertIn("no row has NOSUCHROW in its label", said.getvalue())


if __name__ == "__main__":
    unittest.main()
