"""Any page of any run in a real browser.

Called by scripts/browser with two variables: PAGE (the file) and BROWSER.
"""

import os
import pathlib
import unittest

from common import FOUND, ROWS, InBrowser

PAGE = pathlib.Path(os.environ["PAGE"])
VIEWS = ("summary", "cases", "clauses", "gaps", "holes")
FIRST = "document.querySelector('#list tr[data-at] .id')"


class AnyPage(InBrowser):
    def open(self, at=""):
        self.open_file(PAGE, at)
        self.shown()

    def cases(self):
        """How many cases the page says it has."""
        return int(self.page.get("document.querySelector('#views a[href=\"#cases\"] .n').textContent").replace(",", ""))

    def open_list(self, at="#cases"):
        self.open(at)
        if self.cases() == 0:
            self.skipTest("a run of no cases")
        self.page.wait(ROWS)

    def test_it_opens_and_says_what_came_of_the_run(self):
        self.open()
        self.assertRegex(self.text("h1"), r"^((No violation|[\d,]+ violations?) in [\d,]+ cases?|.+ ran no case of [\d,]+)$")
        verdicts = self.page.get("[...document.querySelectorAll('.verdicts b')].map(e => Number(e.textContent.replaceAll(',', '')))")
        self.assertEqual(sum(verdicts), self.cases(), "verdicts that do not add up")

    def test_every_view_fits_and_has_names(self):
        for view in VIEWS:
            self.open(f"#{view}")
            for width in (1280, 390):
                with self.subTest(view=view, width=width):
                    self.resize(width)
                    self.fits(width, view)
            # Elements of very long views take long to name.
            if view in ("summary", "cases"):
                self.named(view)

    def test_a_case_is_found_opened_and_left_again(self):
        self.open_list()
        name = self.page.get(f"{FIRST}.textContent")
        self.page.key("/")
        self.page.write(name)
        # The search stands in the address as soon as it has been made.
        self.page.wait("location.hash.includes('q=')")
        self.assertIn(name, self.page.get(f"{FIRST}.textContent"))
        found = self.page.get(FOUND)
        self.page.key("Enter")
        self.page.wait("document.activeElement.closest('#list tr')")
        self.page.key("Enter")
        self.page.wait("document.querySelector('#case-title')")
        self.assertEqual(self.page.get("document.querySelector('#case-title .id').textContent"), name)
        self.assertIn("ptodiff run ", self.text("#command"))
        self.named("a case")
        self.page.key("Escape")
        self.page.wait("document.querySelector('#cases').classList.contains('on')")
        self.assertEqual(self.page.get(FOUND), found, "the search was lost on the way back")

    def test_the_worst_case_is_shown_whole(self):
        self.open_list()
        self.page.get(f"{FIRST}.click()")
        self.page.wait("document.querySelector('#case-title')")
        for width in (1280, 390):
            self.resize(width)
            self.fits(width, "a case")
        text = self.text("#case-page")
        for part in ("Results side by side", "Call", "Case"):
            self.assertIn(part, text)


if __name__ == "__main__":
    unittest.main(failfast=True)
