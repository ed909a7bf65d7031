"""What the browser tests share: one browser, and a tab for each test."""

import atexit
import functools
import os
import unittest

from devtools import Browser

ROWS = "document.querySelectorAll('#list tr[data-at]').length"
FOUND = "document.querySelector('#found').textContent"
DRAWN = "new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))"
# Roles that people use: each must have a name.
USED = {"link", "button", "searchbox", "textbox", "combobox", "checkbox", "radio", "application", "region", "navigation"}

@functools.cache
def browser():
    """The browser of all tests, started by the first of them."""
    one = Browser(os.environ["BROWSER"])
    atexit.register(one.close)
    return one


class InBrowser(unittest.TestCase):
    """A tab for each test; afterwards nothing may have gone wrong or out."""

    def setUp(self):
        self.page = browser().page()
        self.page.look(1280)
        # Files that are pages; anything else that is asked for is an error.
        self.opened = {"about:blank"}

    def tearDown(self):
        self.page.close()
        self.assertEqual(self.page.errors, [], "errors in the console")
        asked = {url.split("#")[0] for url in self.page.requests if not url.startswith("data:")}
        self.assertEqual(asked - self.opened, set(), "requests for something else than the page")

    def open_file(self, path, at=""):
        """Opens a file afresh: two addresses that differ after # only are one document."""
        uri = path.resolve().as_uri()
        self.opened.add(uri)
        self.page.open("about:blank")
        self.page.open(f"{uri}{at}")

    def go(self, at):
        """To another place of the page that is open, as a link in it leads there. What it
        has to read is not waited for."""
        self.page.get(
            "new Promise(there => { addEventListener('hashchange', () => there(), {once: true});"
            f" location.hash = {at!r}; }})")

    def resize(self, width, height=900, dark=False):
        """Another screen around the page that is open, until it is drawn there."""
        self.page.look(width, height, dark)
        self.page.wait(f"innerWidth === {width}")
        self.page.get(DRAWN)

    def text(self, selector):
        """What is read in an element. What the page leaves to the browser to draw
        when it comes into sight has no text before its first frame."""
        return self.page.get(f"{DRAWN}.then(() => document.querySelector({selector!r}).innerText)")

    def hash(self):
        return self.page.get("location.hash")

    def shown(self):
        """Waits until a view has something in it."""
        self.page.wait("document.querySelector('.view.on').innerText.length > 20")

    def fits(self, width, where):
        wide = self.page.get("document.documentElement.scrollWidth")
        self.assertLessEqual(wide, width, f"{where} scrolls sideways")

    def named(self, where):
        """All that can be used has a name, and there is one heading of the first order."""
        for node in self.page.call("Accessibility.getFullAXTree")["nodes"]:
            role = node.get("role", {}).get("value")
            if not node.get("ignored") and role in USED:
                self.assertTrue(node.get("name", {}).get("value"), f"a {role} without a name in {where}")
        heads = self.page.get("[...document.querySelectorAll('h1')].filter(e => e.checkVisibility()).length")
        self.assertEqual(heads, 1, f"headings of the first order in {where}")
