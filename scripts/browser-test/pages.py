"""The pages made for the tests, and a tab that opens them.

PAGES is the folder that the example `pages` writes to.
"""

import os
import pathlib

from common import ROWS, InBrowser

PAGES = pathlib.Path(os.environ["PAGES"]).resolve()


class OnPages(InBrowser):
    def open(self, file="red.html", at=""):
        self.open_file(PAGES / file, at)

    def open_list(self, at="#cases", file="red.html"):
        self.open(file, at)
        self.page.wait(ROWS)

    def cases(self):
        """How many cases the page says it has."""
        return int(self.page.get("document.querySelector('#views a[href=\"#cases\"] .n').textContent").replace(",", ""))
