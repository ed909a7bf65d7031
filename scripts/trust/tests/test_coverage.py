"""What is said of what the compiler counted."""

import contextlib
import io
import json
import os
import tempfile
import unittest
from pathlib import Path

import coverage

SOURCE = """fn sign(x: i32) -> i32 {
    if x < 0 && x > -9 {
        return -1;
    }
    unseen()
}
"""

ROOT = Path(__file__).resolve().parents[3]


class Explained(unittest.TestCase):
    def test_each_text_is_in_its_file_as_often_as_it_says(self):
        for (file, text), lines in coverage.explained(ROOT / "scripts/trust/unreached.toml").items():
            written = [line.strip() for line in (ROOT / file).read_text().splitlines()]
            if text != "*":
                self.assertGreaterEqual(written.count(text), lines, f"{file}: {text}")


class Reached(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = Path(folder.name).resolve()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(root)
        self.file = Path("harness/judge/src/sign.rs")
        self.file.parent.mkdir(parents=True)
        self.file.write_text(SOURCE)
        self.path = str(root / self.file)

    def counted(self, lines, branches):
        """Keeps counts of lines, and of branches as llvm-cov tells them."""
        told = "".join(f"DA:{line},{count}\n" for line, count in lines)
        Path("lines.info").write_text(f"SF:{self.path}\n{told}end_of_record\n")
        file = {"filename": self.path, "branches": branches}
        Path("branches.json").write_text(json.dumps({"data": [{"files": [file]}]}))

    def told(self, explained=""):
        """The exit code, and what was printed."""
        Path("unreached.toml").write_text(explained)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            code = coverage.main(Path("."), coverage.explained(Path("unreached.toml")))
        return code, said.getvalue()

    def test_all_that_is_reached_needs_no_word(self):
        self.counted([(1, 4), (2, 4), (3, 1)], [[2, 8, 2, 13, 1, 3, 0, 0, 4]])
        code, said = self.told()
        self.assertEqual(code, 0)
        self.assertRegex(said, r"judge +3 +3 +100\.0% +2 +2 +100\.0%")
        self.assertIn("not reached: 0 lines and branches", said)

    def test_a_line_that_is_not_reached_must_be_explained(self):
        self.counted([(1, 4), (5, 0)], [])
        code, said = self.told()
        self.assertEqual(code, 1)
        self.assertIn(f"{self.file}:5: not reached", said)
        why = f'[[unreached]]\nfile = "{self.file}"\ntext = ["unseen()"]\nwhy = "never"\n'
        code, said = self.told(why)
        self.assertEqual(code, 0)
        self.assertIn("not reached: 1 lines and branches, 1 of them explained", said)

    def test_a_text_explains_as_many_lines_as_it_says(self):
        self.file.write_text("}\n}\n}\n")
        why = f'[[unreached]]\nfile = "{self.file}"\ntext = ["}}"]\nwhy = "never"\n'
        self.counted([(1, 0), (2, 1), (3, 0)], [])
        code, said = self.told(why)
        self.assertEqual(code, 1)
        self.assertIn("explained on 1 lines, not reached on 1, 3: }", said)
        self.assertEqual(self.told(why + 'lines = { "}" = 2 }')[0], 0)
        self.assertEqual(self.told(why + 'lines = { "}" = 3 }')[0], 1)
        with self.assertRaises(ValueError):
            self.told(why + 'lines = { "};" = 1 }')

    def test_all_of_a_file_may_be_explained_at_once(self):
        self.counted([(1, 0), (5, 0)], [])
        why = f'[[unreached]]\nfile = "{self.file}"\ntext = ["*"]\nwhy = "never"\n'
        code, said = self.told(why)
        self.assertEqual(code, 0)
        self.assertIn("2 of them explained", said)
        self.counted([(1, 1)], [])
        self.assertEqual(self.told(why)[0], 1)

    def test_a_branch_that_is_never_taken_is_named(self):
        self.counted([(2, 4)], [[2, 8, 2, 13, 0, 3, 0, 0, 4], [2, 17, 2, 23, 2, 1, 0, 0, 4]])
        code, said = self.told()
        self.assertEqual(code, 1)
        self.assertIn(f"{self.file}:2: never true: x < 0", said)

    def test_an_instance_that_takes_a_branch_is_enough(self):
        self.counted([(2, 4)], [[2, 8, 2, 13, 0, 3, 0, 0, 4], [2, 8, 2, 13, 5, 0, 0, 0, 4]])
        self.assertEqual(self.told()[0], 0)

    def test_a_line_that_counts_twice_is_reached_once(self):
        self.counted([(3, 0), (3, 2)], [])
        self.assertEqual(self.told()[0], 0)

    def test_what_is_explained_and_reached_is_told(self):
        self.counted([(5, 1)], [])
        why = f'[[unreached]]\nfile = "{self.file}"\ntext = ["unseen()"]\nwhy = "never"\n'
        code, said = self.told(why)
        self.assertEqual(code, 1)
        self.assertIn("explained, and reached or gone: unseen()", said)


if __name__ == "__main__":
    unittest.main()
