"""The page of one case: what differs, the map, what is copied."""

import unittest

from pages import OnPages

CASE_AT = "#case?id=mscatter%2Flast_writer_0"
# Colours of the map, light.
VIOLATES, DIFFERS = [192, 28, 40], [232, 180, 60]


class OneCase(OnPages):
    def open_case(self, at=CASE_AT, file="red.html"):
        self.open(file, at)
        self.page.wait("document.querySelector('#case-title')")

    def test_it_shows_what_differs_side_by_side_with_clause_and_trace(self):
        self.open_case()
        text = self.text("#case-page")
        for part in ("a slot holds what no permit allows", "9.000001", "0x41100001", "9 (0x41100000)", "(0, 5)", "and 2 more",
                     "MSCATTER-SEM-02", "With Coalesce::Elem", "a5 breaks its contract", "- name: last_writer_0",
                     "store GM table+0 4 bytes", "120 lines"):
            self.assertIn(part, text)
        heads = self.page.get("[...document.querySelectorAll('#case .slots thead th')].map(e => e.textContent)")
        self.assertEqual(heads, ["Slot", "cpu", "a2a3", "a5", "lane = source", "may hold, by rule", "initial"])
        self.assertEqual(self.page.get("document.querySelector('#case .slots .out').dataset.label"), "a5")

    def test_the_map_begins_at_the_violation_and_keys_move_in_it(self):
        self.open_case()
        self.page.wait("document.querySelector('.map-legend li')")
        counts = self.page.get("[...document.querySelectorAll('.map-legend li')].map(e => e.textContent)")
        self.assertEqual(counts, ["violation 1", "differ, permitted 8", "nothing promised 8", "written, the same 143", "kept 64", "padding 32"])
        self.assertTrue(self.text(".readout").startswith("violation"))
        self.assertIn("row 2, column 5, slot 69, byte 276", self.text(".readout"))
        self.page.get("document.querySelector('.map-picture').focus()")
        self.page.key("n")
        self.assertIn("row 3, column 5, slot 101", self.text(".readout"))
        self.assertIn("by lane (3, 3)", self.text(".readout"))
        self.page.key("p")
        self.page.key("ArrowRight")
        self.assertIn("slot 70", self.text(".readout"))
        # The colours stand in the picture; those of differences make room for winners.
        self.assertEqual([self.inked(ink) for ink in (VIOLATES, DIFFERS)], [True, True])
        self.page.click(".map-of label:nth-of-type(3) input")
        self.assertEqual([self.inked(ink) for ink in (VIOLATES, DIFFERS)], [True, False])
        self.page.click("#case .slots button.plain")
        self.assertIn("slot 69", self.text(".readout"))

    def inked(self, colour):
        """Whether a colour stands in the map."""
        return self.page.get(f"""(() => {{
            const map = document.querySelector('.map-picture');
            const pen = new OffscreenCanvas(map.width, map.height).getContext('2d', {{willReadFrequently: true}});
            pen.drawImage(map, 0, 0);
            const {{data}} = pen.getImageData(0, 0, map.width, map.height);
            for (let i = 0; i < data.length; i += 4) {{
                if ({colour}.every((part, n) => part === data[i + n])) return true;
            }}
            return false;
        }})()""")

    def test_a_long_row_is_folded_and_what_is_not_kept_is_said(self):
        self.open_case("#case?id=mscatter_tables%2Flong_table")
        self.page.wait("document.querySelector('.map-legend li')")
        self.assertRegex(self.page.get("document.querySelector('.map-legend').textContent"), r"not kept in the record [\d,]+")
        self.assertIn("27,648 slots in the order of storage, 64 a row.", self.text("#case-page"))
        self.assertIn("rows 0 to 47 of 432", self.text(".pages"))
        self.page.click(".pages button:last-of-type")
        self.assertIn("rows 48 to 95 of 432", self.text(".pages"))

    def test_a_button_copies_the_command_and_another_the_case(self):
        self.page.browser.call("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        self.open_case()
        self.page.click(".case-head .copy")
        self.page.wait("document.querySelector('.case-head .copy').textContent === 'Copied'")
        self.assertEqual(self.page.get("navigator.clipboard.readText()"), self.text("#command"))
        self.page.click(".yaml .copy")
        self.page.wait("document.querySelector('.yaml .copy').textContent === 'Copied'")
        self.assertEqual(self.page.get("navigator.clipboard.readText()"), self.page.get("document.querySelector('#yaml').textContent"))

    def test_a_record_without_texts_map_and_traces_shows_the_rest(self):
        self.open_case("#case?id=mscatter_conflicts%2Fany_writer_39")
        text = self.text("#case-page")
        self.assertIn("This record does not hold the case's text; it stands in cases/clauses/mscatter_conflicts.yaml:12.", text)
        self.assertIn("1.8708603", text)
        self.assertIn("The record holds the first: 8 of 9 of a2a3/a5.", text)
        self.assertIsNone(self.page.get("document.querySelector('.map-picture, .traces, #case .slots button')"))

    def test_what_is_wrong_has_values_lanes_and_clause(self):
        self.open_case()
        wrong = self.page.get("document.querySelector('#case .slots tbody tr').innerText.replace(/\\s+/g, ' ')")
        for part in ("table [0, 0, 0, 2, 5]", "not permitted 9.000001 0x41100001", "9 0x41100000", "9 (0x41100000)",
                     "(0, 5) = 9.000001 (2, 7) = 4 (5, 30) = 9 and 2 more"):
            self.assertIn(part, wrong)
        finding = self.text(".finding")
        for part in ("a5: a slot holds what no permit allows, schedule reversed", "MSCATTER-SEM-02", "With Coalesce::Elem"):
            self.assertIn(part, finding)
        self.assertEqual(self.page.get("document.querySelectorAll('.pairs thead th').length"), 3, "no clause is cited")

    def test_a_case_that_is_not_there_is_said(self):
        self.open("red.html", "#case?id=nobody")
        self.page.wait("document.querySelector('#case-page').textContent.includes('no case nobody')")
        self.assertNotIn("false", self.text("#case-page"))

    def test_readings_gaps_holes_and_names_are_shown(self):
        for at, parts in (
            ("tscatter%2Fnegative_index", ("tscatter-negative-index=unsigned", "changes a2a3, a5", "TSCATTER-SEM-01")),
            ("mgather_indices%2Fg02_negative_clamp", ("MGATHER-GAP-02", "destination[0-1] = 11.0 anything")),
            ("mscatter%2Ftile_larger_than_index", ("unchecked-precondition a5", "496 out-of-bounds accesses")),
            ("mgather_gm2l1-a5%2FMGATHERGM2L1Test.case_elem_float_16x16_256size",
             ("the suite's name has the sizes of another case", "a5:Simt", "freedom never seen in 4 slots", "deviates from MGATHERL1-GAP-14")),
        ):
            with self.subTest(at):
                self.open_case(f"#case?id={at}")
                for part in parts:
                    self.assertIn(part, self.text("#case-page"))

if __name__ == "__main__":
    unittest.main()
