"""How the page looks: what fits, what has a name, what stands out.

With a third variable, PICTURES, a folder, it leaves pictures of every view
there, in two widths, light and dark: to be looked at.
"""

import os
import pathlib
import unittest

from common import FOUND, ROWS
from pages import OnPages

PICTURES = os.environ.get("PICTURES")
GROUNDS = ("page", "raised", "chosen")
INKS = ("text", "soft", "accent", "agree", "permitted", "violation", "other", "single")
# A case that runs in another form, too.
FORM = "#case?id=mgather_gm2l1-a5%2FMGATHERGM2L1Test.case_elem_float_16x16_256size"
# As WCAG AA wants it of text.
CONTRAST = 4.5


class Looks(OnPages):
    VIEWS = {
        "summary": ("red.html", ""),
        "green": ("green.html", ""),
        "cases": ("red.html", "#cases"),
        "case": ("red.html", "#case?id=mscatter%2Flast_writer_0"),
        "undefined": ("red.html", "#case?id=mscatter%2Ftile_larger_than_index"),
        "long": ("red.html", "#case?id=mscatter_tables%2Flong_table"),
        "clauses": ("red.html", "#clauses"),
        "gaps": ("red.html", "#gaps?q=MSCATTER-GAP-10"),
        "holes": ("red.html", "#holes"),
        "hostile": ("hostile.html", ""),
        "tested": ("tested.html", ""),
        "tested-case": ("tested.html", "#case?id=mscatter%2Flast_writer_0"),
        "many": ("many.html", ""),
    }

    def test_every_view_fits_and_has_names(self):
        for name, (file, at) in self.VIEWS.items():
            self.open(file, at)
            self.shown()
            for width, height in ((1280, 900), (390, 844)):
                with self.subTest(view=name, width=width):
                    self.resize(width, height)
                    self.fits(width, name)
                    self.picture(name, width, height)
            self.named(name)

    def test_the_name_of_a_pair_does_not_break(self):
        broken = (
            "[...document.querySelectorAll('.pairs tbody th')].filter((name) => {"
            " const text = document.createRange(); text.selectNodeContents(name);"
            " return text.getClientRects().length > 1; }).map((name) => name.textContent)")
        self.open("red.html", FORM)
        self.page.wait("document.querySelector('.pairs tbody th')")
        for width in (500, 320):
            self.resize(width, 844)
            self.assertEqual(self.page.get(broken), [], width)
        self.open("tested.html")
        self.shown()
        for width in (390, 500, 768, 1280):
            self.resize(width, 844)
            self.assertEqual(self.page.get(broken.replace(".pairs tbody th", ".matrix tbody th a")), [], width)

    def picture(self, name, width, height):
        if not PICTURES:
            return
        for dark in (False, True):
            self.page.look(width, height, dark)
            path = pathlib.Path(PICTURES) / f"{name}-{width}{'-dark' if dark else ''}.png"
            self.page.picture(path, whole=name not in ("cases", "clauses"))

    def test_text_stands_out_from_its_ground(self):
        self.open()
        for dark in (False, True):
            self.resize(1280, dark=dark)
            style = "getComputedStyle(document.documentElement)"
            colour = lambda name: self.page.get(f"{style}.getPropertyValue('--{name}').trim()")
            pairs = [(ink, ground) for ink in INKS for ground in GROUNDS
                     # A chosen row has no such text.
                     if (ink, ground) not in (("soft", "chosen"), ("single", "chosen"))]
            for ink, ground in [*pairs, ("violation", "violation-soft"), ("text", "violation-soft")]:
                self.assertGreaterEqual(contrast(colour(ink), colour(ground)), CONTRAST, f"{ink} on {ground}, dark {dark}")

    def test_the_skip_link_leads_past_the_head_and_keeps_the_address(self):
        self.open_list("#cases?q=torn")
        self.page.key("Tab")
        self.assertEqual(self.page.get("document.activeElement.id"), "skip")
        self.page.key("Enter")
        self.page.wait("document.activeElement.id === 'main'")
        self.assertEqual(self.hash(), "#cases?q=torn")

    def test_what_has_the_focus_shows_it(self):
        self.open_list()
        for _ in range(6):
            self.page.key("Tab")
            ring = self.page.get("(() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle + ' ' + s.outlineWidth; })()")
            self.assertEqual(ring, "solid 2px")


class ManyCases(OnPages):
    def test_very_many_cases_are_searched(self):
        self.open("many.html")
        self.page.wait("performance.getEntriesByName('first-contentful-paint').length")
        paint = self.page.get("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        self.assertLess(paint, 1000, "milliseconds to the first paint")
        self.open("many.html", "#cases")
        self.page.wait(ROWS)
        there, cases = self.page.get("performance.now()"), self.cases()
        self.page.key("/")
        self.page.write("elem_wrap dtype=half")
        self.page.wait(f"{FOUND}.includes(' of ')")
        found = self.page.get("document.querySelector('#list tr[data-at] .id').textContent")
        self.assertIn("elem_wrap_half", found)
        print(f"\n{cases:,} cases: first paint after {paint:.0f} ms, the list there after {there:.0f} ms")


def contrast(a, b):
    """The ratio of two colours' luminances, the brighter one over the darker."""
    def luminance(colour):
        digits = colour.lstrip("#")
        if len(digits) == 3:
            digits = "".join(2 * d for d in digits)
        parts = [int(digits[n:n + 2], 16) / 255 for n in (0, 2, 4)]
        parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), parts))
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


if __name__ == "__main__":
    unittest.main()
