"""The script itself: what it makes of pages that are not as they should be."""

import pathlib
import struct
import subprocess
import tempfile
import unittest

from pages import PAGES

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "browser"


def run(*arguments):
    return subprocess.run([SCRIPT, *map(str, arguments)], capture_output=True, text=True, timeout=120)


class Script(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_a_page_that_asks_for_something_else_does_not_pass(self):
        page = self.folder / "page.html"
        text = (PAGES / "green.html").read_text()
        page.write_text(text.replace("</main>", "<p><img src='other.png' alt='other'></p></main>"))
        done = run(page)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("violates the following Content Security Policy", done.stderr)

    def test_what_cannot_be_done_is_said(self):
        for arguments, code, says in (
            ([self.folder / "none.html"], 1, "none.html is no file"),
            (["--shoot", self.folder / "none.html", self.folder / "out.png"], 1, "none.html is no file"),
            (["--shoot"], 2, "one screenshot"),
            (["--else"], 2, "all tests"),
        ):
            done = run(*arguments)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(says, done.stderr)

    def test_a_screenshot_has_the_size_that_was_asked_for(self):
        out = self.folder / "out.png"
        done = run("--shoot", f"{PAGES / 'red.html'}#case?id=mscatter%2Flast_writer_0", out, "390", "dark")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(struct.unpack(">II", out.read_bytes()[16:24]), (390, 844))


if __name__ == "__main__":
    unittest.main()
