"""What is said of a run of cargo-mutants."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import mutants

FILE = "harness/judge/src/checked_permits.rs"


def mutant(line, what, summary):
    """As cargo-mutants writes it."""
    return {"scenario": {"Mutant": {"name": f"{FILE}:{line}:9: {what}"}}, "summary": summary}


class Score(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.runs = Path(folder.name) / "runs"

    def ran(self, crate, *outcomes):
        out = self.runs / crate / "mutants.out"
        out.mkdir(parents=True)
        baseline = {"scenario": "Baseline", "summary": "Success"}
        (out / "outcomes.json").write_text(json.dumps({"outcomes": [baseline, *outcomes]}))

    def score(self):
        """The exit code, and what was printed."""
        with contextlib.redirect_stdout(io.StringIO()) as said:
            code = mutants.main(self.runs)
        return code, said.getvalue()

    def test_what_does_not_build_counts_for_nothing(self):
        caught = [mutant(k, "replace < with <=", "CaughtMutant") for k in range(19)]
        self.ran("judge", *caught, mutant(30, "replace f with g", "Unviable"))
        code, said = self.score()
        self.assertEqual(code, 0)
        self.assertRegex(said, r"judge +20 +19 +19 +100\.0% +0")
        self.assertIn("no change survived", said)

    def test_a_loop_without_an_end_is_caught(self):
        self.ran("judge", mutant(1, "replace += with -=", "Timeout"))
        self.assertEqual(self.score()[0], 0)

    def test_survivors_are_named_and_may_be_one_in_twenty(self):
        caught = [mutant(k, "replace < with <=", "CaughtMutant") for k in range(19)]
        self.ran("judge", *caught, mutant(77, "replace + with -", "MissedMutant"))
        code, said = self.score()
        self.assertEqual(code, 0)
        self.assertRegex(said, r"judge +20 +20 +19 +95\.0% +1")
        self.assertIn(f"{FILE}:77:9: replace + with -", said)
        # A second crate has a score of its own.
        self.ran("cpu", *caught[1:], mutant(77, "replace + with -", "MissedMutant"))
        self.assertEqual(self.score()[0], 1)

    def test_what_cannot_be_read_is_named(self):
        with self.assertRaisesRegex(mutants.Unreadable, "no run"):
            self.score()
        (self.runs / "judge").mkdir(parents=True)
        with self.assertRaisesRegex(mutants.Unreadable, "outcomes.json"):
            self.score()


if __name__ == "__main__":
    unittest.main()
