"""What is said of a run of cargo-mutants."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import mutants

FILE = "harness/judge/src/sheet.rs"


def mutant(line, what, summary):
    """As cargo-mutants writes it."""
    return {"scenario": {"Mutant": {"name": f"{FILE}:{line}:9: {what}"}}, "summary": summary}


def survivor(what, why="it is the same"):
    return f'[[survivor]]\nmutant = "{FILE}: {what}"\nwhy = "{why}"\n'


class Score(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.explained = self.folder / "survivors.toml"
        self.explained.write_text("survivor = []\n")

    def ran(self, crate, *outcomes):
        out = self.folder / "runs" / crate / "mutants.out"
        out.mkdir(parents=True)
        baseline = {"scenario": "Baseline", "summary": "Success"}
        (out / "outcomes.json").write_text(json.dumps({"outcomes": [baseline, *outcomes]}))
        changes = [outcome["scenario"]["Mutant"]["name"] for outcome in outcomes]
        (out.parent / "changes.txt").write_text("".join(f"{change}\n" for change in changes))

    def score(self):
        """The exit code, and what was printed."""
        with contextlib.redirect_stdout(io.StringIO()) as said:
            code = mutants.main(self.folder / "runs", self.explained)
        return code, said.getvalue()

    def test_what_does_not_build_counts_for_nothing(self):
        caught = [mutant(k, "replace < with <=", "CaughtMutant") for k in range(19)]
        self.ran("judge", *caught, mutant(30, "replace f with g", "Unviable"))
        code, said = self.score()
        self.assertEqual(code, 0)
        self.assertRegex(said, r"judge +20 +19 +19 +100\.0% +0 +0")
        self.assertIn("nothing survived", said)

    def test_a_loop_without_an_end_is_caught(self):
        self.ran("judge", mutant(1, "replace += with -=", "Timeout"))
        self.assertEqual(self.score()[0], 0)

    def test_a_survivor_must_be_explained_wherever_it_stands(self):
        caught = [mutant(k, "replace < with <=", "CaughtMutant") for k in range(39)]
        self.ran("judge", *caught, mutant(77, "replace + with -", "MissedMutant"))
        code, said = self.score()
        self.assertEqual(code, 1)
        self.assertIn("NOT EXPLAINED", said)
        self.explained.write_text(survivor("replace + with -"))
        code, said = self.score()
        self.assertEqual(code, 0)
        self.assertRegex(said, r"judge +40 +40 +39 +97\.5% +1 +1")
        self.assertIn("it is the same", said)

    def test_too_many_survivors_are_too_many_even_explained(self):
        self.ran(
            "judge",
            mutant(1, "replace < with <=", "CaughtMutant"),
            mutant(2, "replace + with -", "MissedMutant"),
        )
        self.explained.write_text(survivor("replace + with -"))
        self.assertEqual(self.score()[0], 1)

    def test_nothing_is_explained_that_is_gone(self):
        self.ran("judge", mutant(1, "replace < with <=", "CaughtMutant"))
        self.explained.write_text(survivor("replace < with <=") + survivor("replace + with -"))
        code, said = self.score()
        self.assertEqual(code, 1)
        self.assertIn(f"{FILE}: replace + with -\n      EXPLAINED, BUT GONE", said)
        self.assertEqual(said.count("GONE"), 1)
        # Crates that were not run are not asked about.
        other = survivor("replace + with -").replace("/judge/", "/contract/")
        self.explained.write_text(other)
        self.assertEqual(self.score()[0], 0)

    def test_what_cannot_be_read_is_named(self):
        with self.assertRaisesRegex(mutants.Unreadable, "no run"):
            self.score()
        (self.folder / "runs" / "judge").mkdir(parents=True)
        with self.assertRaisesRegex(mutants.Unreadable, "outcomes.json"):
            self.score()
        self.ran("contract")
        self.explained.write_text("survivor = [[[")
        with self.assertRaisesRegex(mutants.Unreadable, "survivors.toml"):
            self.score()


if __name__ == "__main__":
    unittest.main()
