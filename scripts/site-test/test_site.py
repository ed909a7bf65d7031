"""The site in a real browser: it fits three widths, has titles and tables, and the search finds words.

`SITE` names its folder, `BROWSER` the browser. With `PICTURES` a screenshot of
some pages in every width goes to that folder.
"""

import functools
import http.server
import os
import pathlib
import sys
import threading
import unittest

SITE = pathlib.Path(os.environ["SITE"])
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "browser-test"))

from common import browser  # noqa: E402
from devtools import Failure  # noqa: E402

WIDTHS = (390, 768, 1280)
SHOWN = ("", "harness/cli/guide/first-case/", "harness/cli/guide/readings-and-editions/", "cases/")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The search is a worker of the page, which a file may not start.
        cls.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=SITE))
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.root = f"http://127.0.0.1:{cls.server.server_port}/"

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()

    def setUp(self):
        self.page = browser().page()

    def tearDown(self):
        self.page.close()
        self.assertEqual(self.page.errors, [])
        foreign = [url for url in self.page.requests if not url.startswith((self.root, "data:", "blob:", "about:"))]
        self.assertEqual(foreign, [], "something is asked of another machine")

    def pages(self):
        """Every page, by its address below the root."""
        found = sorted(path.parent.relative_to(SITE) for path in SITE.rglob("index.html"))
        self.assertGreater(len(found), 20)
        return ["" if str(path) == "." else f"{path}/" for path in found]

    def test_every_page(self):
        for at in self.pages():
            self.page.look(WIDTHS[-1])
            self.page.open(self.root + at)
            self.assertEqual(self.page.get("document.querySelectorAll('h1').length"), 1, at)
            self.assertTrue(self.page.get("!!document.querySelector('.md-nav__link--active')"), f"/{at} is not in the navigation")
            # Code and tables are made of what looks like them.
            left = self.page.get("document.querySelector('article').innerText.match(/^(```|\\|.*\\|$)/m)")
            self.assertIsNone(left, f"/{at}: {left}")
            for width in WIDTHS:
                self.page.look(width)
                # What slides in or out at another width takes a moment.
                try:
                    self.page.wait(f"document.documentElement.scrollWidth <= {width}", timeout=3)
                except Failure:
                    self.fail(f"/{at} scrolls sideways at {width}")
                if (folder := os.environ.get("PICTURES")) and at in SHOWN:
                    name = at.strip("/").replace("/", "-") or "index"
                    self.page.picture(f"{folder}/{name}-{width}.png")

    def test_the_search_finds_a_word(self):
        for word, where in (("precondition", "glossary"), ("MSCATTER-OOB-02", "first-case"), ("lattice", "hunting")):
            self.page.look(1280)
            self.page.open(self.root)
            self.page.click("input[name=query]")
            self.page.write(word)
            self.page.wait("document.querySelector('.md-search-result__item')")
            found = self.page.get(
                "[...document.querySelectorAll('.md-search-result__link')].map(a => a.href).join(' ')")
            self.assertIn(where, found, word)

    def test_the_search_finds_nothing_where_nothing_is(self):
        self.page.look(1280)
        self.page.open(self.root)
        self.page.click("input[name=query]")
        self.page.write("xyzzyx")
        self.page.wait("/No matching/.test(document.querySelector('.md-search-result__meta').innerText)")


if __name__ == "__main__":
    unittest.main()
