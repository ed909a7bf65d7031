"""A red run of an implementation: what went wrong comes first, everywhere."""

import json
import os
import pathlib
import unittest

from pages import OnPages

RUN = "tested.html"
WRONG = "#case?id=mscatter%2Flast_writer_0"
VIEWS = ("", "#cases", WRONG, "#case?id=tgatherb%2Ffalls_over", "#clauses?q=TSCATTER-SEM-01", "#gaps?q=MSCATTER-GAP-10", "#holes")
# Where an element is, as [left, top, right, bottom].
BOX = "(e => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; })"


class Red(OnPages):
    def look_at(self, at="", width=1280, height=900):
        self.page.look(width, height)
        self.open(RUN, at)
        self.shown()
        if at.startswith("#case?"):
            self.page.wait("document.querySelector('#case-title')")

    def box(self, selector):
        return self.page.get(f"{BOX}(document.querySelector({json.dumps(selector)}))")

    def texts(self, selector):
        return self.page.get(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")

    def test_violations_stand_before_the_matrix_and_what_is_permitted_after_it(self):
        self.look_at()
        self.assertEqual(self.texts("#summary > h2"), ["Violations", "Pairs of targets by instruction", "Permitted differences"])

    def test_a_group_is_one_box_with_its_count_and_the_diagnosis_on_top(self):
        self.look_at()
        self.assertEqual(
            self.texts(".group.s-violation > summary .failure-group"),
            ["MSCATTER a5:mine valid MSCATTER-SEM-02", "TGATHERB a5:mine crash -"])
        self.assertEqual(self.texts(".group.s-violation > summary .n"), ["3 cases", "1 case"])
        first = self.page.get("document.querySelector('.group .inside').firstElementChild.textContent")
        self.assertEqual(first, "Diagnosis: takes the first writer of a slot, not the last: explains 3 of 3 failures, contradicts none of 41 passes")

    def test_a_small_screen_shows_the_first_violation_without_scrolling(self):
        self.look_at(width=390, height=844)
        for part in (".group > summary", ".group .cause", ".group .first a.id", ".group .out"):
            left, top, right, bottom = self.box(part)
            self.assertTrue(0 <= left < right <= 390 and 0 < top < bottom <= 844, f"{part}: {left, top, right, bottom}")

    def test_the_first_failing_case_is_three_tabs_away(self):
        self.look_at()
        reached = []
        for _ in range(3):
            self.page.key("Tab")
            reached.append(self.page.get("document.activeElement.getAttribute('href')"))
            if reached[-1] == WRONG:
                break
        self.assertEqual(reached[-1], WRONG, reached)
        # What has the focus is seen.
        left, top, right, bottom = self.box(":focus")
        self.assertTrue(left >= 0 and top >= 0 and right <= 1280 and bottom > top)
        self.page.key("Enter")
        self.page.wait("document.querySelector('#case-title')?.textContent.includes('last_writer_0')")

    def test_the_implementation_comes_first_in_lists_and_columns(self):
        self.look_at()
        self.assertEqual(self.texts(".group .slots thead th")[:2], ["Slot", "a5:mine"])
        self.assertEqual(self.texts("section[aria-labelledby=parties-title] tbody th")[0], "a5:mine")
        pairs = self.texts(".matrix tbody th")
        first = [pair.startswith("a5:mine/") for pair in pairs]
        self.assertTrue(first[0] and first == sorted(first, reverse=True), pairs)
        self.assertEqual(first.count(True), 5)
        self.look_at(WRONG)
        self.assertEqual(self.texts("#case .slots thead th")[:2], ["Slot", "a5:mine"])
        self.assertEqual(self.texts("#case .results thead th")[0], "a5:mine")
        self.assertEqual(self.texts("#case .pairs tbody th"), ["a5:mine / a2a3", "a5:mine / a5"])
        self.assertEqual(self.texts(".readout b")[1], "a5:mine")
        self.look_at("#cases")
        self.page.wait("document.querySelector('#list .did')")
        self.assertTrue(self.texts("#list .did")[0].startswith("a5:mine violates"), self.texts("#list .did")[0])

    def test_the_matrix_fits(self):
        self.look_at()
        for width in (768, 1280):
            self.resize(width)
            self.assertEqual(self.page.get("document.querySelectorAll('.matrix tbody tr').length"), 11)
            outside = self.page.get(
                f"[...document.querySelectorAll('.matrix :is(th, td, a)')].map({BOX}).filter(([l, t, r]) => l < 0 || r > {width})")
            self.assertEqual(outside, [], width)

    def test_every_view_at_every_width(self):
        axe = pathlib.Path(os.environ["AXE"]).read_text()
        for at in VIEWS:
            self.look_at(at)
            self.page.get(f"{axe}; undefined")
            for width in (1280, 768, 390, 320):
                with self.subTest(at=at, width=width):
                    self.resize(width)
                    self.no_button_overflows(width)
                    if width in (1280, 390):
                        self.the_head_names_the_implementation(width)
                        self.assertGreater(self.axe_finds_nothing_serious("{}"), 15)
            with self.subTest(at=at, dark=True):
                self.resize(1280, dark=True)
                # What else it looks at has no colour.
                asked = "{runOnly: ['color-contrast', 'link-in-text-block']}"
                self.assertGreater(self.axe_finds_nothing_serious(asked), 0)

    def the_head_names_the_implementation(self, width):
        self.assertEqual(self.text("header.top .tested bdi"), "a5:mine")
        left, top, right, bottom = self.box("header.top .tested")
        self.assertTrue(0 <= left < right <= width and 0 <= top < bottom)

    def no_button_overflows(self, width):
        wrong = self.page.get(f"""(() => {{
            const wrong = [];
            for (const button of document.querySelectorAll('button, summary')) {{
                if (!button.checkVisibility()) continue;
                const box = button.getBoundingClientRect();
                if (box.left < 0 || box.right > {width}) wrong.push([button.textContent, box.left, box.right]);
                if (button.scrollWidth > button.clientWidth + 1) wrong.push([button.textContent, 'its text']);
                // Nothing of a sibling may lie below it.
                for (const other of button.parentElement.children) {{
                    const o = other.getBoundingClientRect();
                    if (other !== button && o.left < box.right - 1 && o.right > box.left + 1 && o.top < box.bottom - 1 && o.bottom > box.top + 1)
                        wrong.push([button.textContent, 'covers', other.tagName]);
                }}
            }}
            return wrong;
        }})()""")
        self.assertEqual(wrong, [])

    def axe_finds_nothing_serious(self, asked):
        """How many of the rules that axe is asked for hold."""
        passed, found = self.page.get(
            f"axe.run({{...{asked}, resultTypes: ['violations'], selectors: false}})"
            ".then(r => [r.passes.length, r.violations.filter(v => ['serious', 'critical'].includes(v.impact))"
            ".map(v => `${v.id}: ${v.nodes.slice(0, 3).map(n => n.html).join(' ')}`)])")
        self.assertEqual(found, [])
        return passed

    def test_a_case_begins_with_its_map_and_its_slots(self):
        self.look_at(WRONG)
        self.assertEqual(self.texts("#case-page h2")[:3], ["Map of the table", "Slots that differ", "What is wrong"])
        # Both stand on the first screen.
        self.assertLess(self.box(".map-picture")[3], 900)
        self.assertLess(self.box("#case .slots .out")[1], 900)
        self.assertIn("Diagnosis: takes the first writer of a slot", self.text(".case-head"))

    def test_source_and_index_stand_beside_the_slot(self):
        self.look_at(WRONG)
        self.assertEqual(self.texts("#case .slots tbody tr:first-child .lane"),
                         ["index 7 at (0, 5) = 9.000001,", "index 8 at (2, 7) = 4,", "index 9 at (5, 30) = 9"])

    def test_whose_value_it_is_and_whose_is_due_stand_beside_the_slot(self):
        self.look_at(WRONG)
        self.assertEqual(self.text("#case .slots tbody tr:first-child .whose"),
                         "the value of tile (0, 5); that of tile (5, 30) is due")

    def test_the_same_mistake_is_told_once_with_its_schedules(self):
        self.look_at(WRONG)
        found = self.texts("#case .finding > p:first-child")
        self.assertEqual(found, [" a5:mine: a slot holds what no permit allows, schedules reversed, in order"])

    def test_what_crashed_has_its_last_words(self):
        self.look_at("#case?id=tgatherb%2Ffalls_over")
        self.assertEqual(self.texts("#case-page h2")[0], "What is wrong")
        text = self.text("#case-page")
        for part in ("the implementation ended with signal 11", "mine: bad descriptor"):
            self.assertIn(part, text)

    def test_what_was_flaky_is_shown_with_both_answers_and_the_slot(self):
        self.look_at("#case?id=mscatter%2Fwrong_once")
        flaky = "[...document.querySelectorAll('#case .part')].find(p => p.firstChild.textContent === 'Flaky')"
        text = self.page.get(f"{flaky}.innerText")
        for part in ("a5:mine: first a slot holds what no permit allows; then conforms", "tile (2, 5)",
                     "a5:mine 9.000001 0x41100001", "may hold 9 (0x41100000)"):
            self.assertIn(part, text)
        # It is no violation.
        self.assertNotIn("What is wrong", self.texts("#case-page h2"))
        self.look_at(WRONG)
        self.assertNotIn("Flaky", self.texts("#case-page h2"))


if __name__ == "__main__":
    unittest.main()
