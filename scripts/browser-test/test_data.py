"""Clauses, gaps and holes, and text that must stay text."""

import unittest

from common import ROWS
from pages import OnPages


class Register(OnPages):
    def test_clauses_are_searched_opened_and_lead_to_their_cases(self):
        self.open("red.html", "#clauses?q=TSCATTER-SEM-01")
        self.page.wait("document.querySelector('#clauses .entry[open]')")
        text = self.text("#clauses")
        self.assertIn("1 of 638", text)
        self.assertIn("tscatter/negative_index", text)
        self.page.get("(() => { const s = document.querySelector('#clauses select'); s.value = 'covered'; s.dispatchEvent(new Event('input', {bubbles: true})); })()")
        self.assertEqual(self.hash(), "#clauses?q=TSCATTER-SEM-01&status=covered")
        self.assertIn("1 of 638", self.text("#clauses"))
        self.go("#clauses?q=MSCATTER-SEM-02")
        self.page.wait("document.querySelector('#clauses').innerText.includes('cited in\\n4 cases')")

    def test_gaps_show_their_readings_and_the_one_in_use(self):
        self.open("red.html", "#gaps?q=MSCATTER-GAP-10")
        self.page.wait("document.querySelector('#gaps .entry[open]')")
        self.assertIn("--reading undefined-last=precondition", self.text("#gaps .in-use"))
        self.open("red.html", "#gaps?q=MGATHER-GAP-02")
        self.page.wait("document.querySelector('#gaps .entry[open]')")
        self.assertEqual(self.text("#gaps .entry[open] .badge"), "distinguished, as stated")

    def test_holes_say_what_kind_they_are(self):
        self.open("red.html", "#holes")
        self.assertIn("a precondition of the caller is broken", self.text("#holes"))
        self.assertIn("out of bounds write", self.text("#holes"))
        kinds = self.page.get("[...document.querySelectorAll('#holes summary b')].map(e => e.textContent)")
        self.assertEqual(kinds, ["one sided rejection", "unchecked precondition"])


class Hostile(OnPages):
    def test_names_with_markup_stay_text_in_every_view(self):
        self.open("hostile.html")
        self.check("summary")
        for view in ("#cases", "#holes", "#clauses", "#gaps"):
            self.go(view)
            self.shown()
            self.check(view)
        self.go("#cases")
        self.page.wait(ROWS)
        ids = self.page.get("[...document.querySelectorAll('#list .id')].map(e => e.getAttribute('href'))")
        self.assertEqual(len(ids), 6)
        for at in ids:
            with self.subTest(at):
                self.open("hostile.html", at)
                self.page.wait("document.querySelector('#case-title')")
                self.check(at)
                self.assertTrue(self.page.get("document.querySelector('#command').textContent.startsWith(\"ptodiff run '\")"))

    def check(self, where):
        self.assertNotEqual(self.page.get("document.title"), "owned", where)
        self.assertEqual(self.page.get("document.querySelectorAll('img, iframe, object, main script, main style').length"), 0, where)

if __name__ == "__main__":
    unittest.main()
