"""The summary and the list of cases: numbers, filters, search, keys."""

import time
import unittest

from common import FOUND, ROWS
from pages import PAGES, OnPages


class Summary(OnPages):
    def test_it_opens_from_a_file_with_verdicts_matrix_and_divergences(self):
        self.open()
        self.assertIn("4 violations in 358 cases", self.text("h1"))
        self.assertEqual(self.page.get("document.title"), "4 violations in 358 cases – ptodiff")
        self.assertEqual(
            self.page.get("document.querySelector('.matrix a[href$=\"pair=a2a3%2Fa5&outcome=violation\"]').ariaLabel"),
            "MSCATTER a2a3/a5: 4 violation")
        groups = self.page.get("[...document.querySelectorAll('.group .failure-group')].map(e => e.textContent)")
        self.assertEqual(groups[0], "MSCATTER a2a3/a5 violation valid")
        self.assertEqual(groups[4], "MSCATTER a2a3/a5 permitted valid MSCATTER-CONF-06+MSCATTER-CONF-10")

    def test_a_group_has_the_values_of_all_targets_and_says_which_is_wrong(self):
        self.open()
        group = "document.querySelector('.group:nth-of-type(3)')"
        self.assertEqual(self.page.get(f"{group}.querySelector('.failure-group').textContent"), "MSCATTER a5 valid MSCATTER-SEM-02")
        values = self.page.get(f"[...{group}.querySelectorAll('tbody td')].slice(0, 3).map(e => [e.dataset.label, e.querySelector('.value').textContent, e.classList.contains('out')])")
        self.assertEqual(values, [["cpu", "9", False], ["a2a3", "9", False], ["a5", "9.000001", True]])
        # Said in words too: a colour is never the only sign.
        self.assertIn("not permitted", self.page.get(f"{group}.querySelector('.out').textContent"))

    def test_a_number_of_nothing_is_no_link(self):
        self.open()
        self.assertEqual(self.page.get("[...document.querySelectorAll('.matrix .cell a')].filter(a => a.textContent.trim() === '0').length"), 0)
        # A search for a clause finds more cases than it keeps from a result.
        self.assertIsNone(self.page.get("document.querySelector('#summary a[href^=\"#cases?q=\"]')"))
        self.page.look(390)
        red = "document.querySelector('.matrix a.s-violation')"
        self.assertTrue(self.page.get(f"{red}.getBoundingClientRect().right < 390"), "a red number out of sight")

    def test_without_scripts_the_summary_reads_and_leaves_out_what_needs_them(self):
        self.page.call("Emulation.setScriptExecutionDisabled", {"value": True})
        uri = (PAGES / "red.html").as_uri()
        self.opened.add(uri)
        self.page.call("Page.navigate", {"url": uri})
        # The end of the page is there last.
        parts = ("4 violations in 358 cases", "MSCATTER a5 valid MSCATTER-SEM-02", "9.000001",
                 "The list of cases needs a script", "unchecked precondition", "out of bounds write")
        seen, end = "", time.monotonic() + 20
        while not all(part in seen for part in parts):
            self.assertLess(time.monotonic(), end, f"never seen: {[part for part in parts if part not in seen]}")
            nodes = self.page.call("Accessibility.getFullAXTree")["nodes"]
            seen = " ".join(n["name"]["value"] for n in nodes if n.get("name", {}).get("value"))
        self.assertNotIn("More filters", seen)

    def test_a_number_of_the_matrix_leads_to_its_cases(self):
        self.open()
        self.page.click(".matrix a[href$='pair=cpu%2Fa5&outcome=agree']")
        self.page.wait(ROWS)
        self.assertEqual(self.page.get(FOUND), "47 of 358 cases")

    def test_the_command_of_a_group_is_that_of_its_first_case(self):
        self.open()
        command = self.text(".group .command code")
        self.assertEqual(command, "ptodiff run cases/clauses/mscatter.yaml --filter '=mscatter/last_writer_0' --seed 7")
        self.page.click(".group .first .id")
        self.page.wait("document.querySelector('#command')")
        self.assertEqual(self.text("#command"), command)


class Cases(OnPages):
    def test_a_search_narrows_the_list(self):
        self.open_list()
        self.page.key("/")
        self.page.write("any_writer_1")
        self.page.wait(f"{FOUND} === '10 of 358 cases'")
        self.assertEqual(self.hash(), "#cases?q=any_writer_1")
        self.page.get("document.querySelector('#q').select()")
        self.page.write("mgather dtype=float suite")
        self.page.wait(f"{FOUND} === '0 of 358 cases'")
        self.page.get("document.querySelector('#q').select()")
        self.page.write("MSCATTER-LAUNCH-10")
        self.page.wait(f"{FOUND} === '1 of 358 cases'")

    def test_filters_stand_in_the_address_and_come_back(self):
        self.open_list()
        self.page.click("[name=verdict][value=permitted]")
        self.page.click("[name=verdict][value=violation]")
        self.page.wait(f"{FOUND} === '51 of 358 cases'")
        self.page.click("#more summary")
        self.page.get("(() => { const s = document.querySelector('[name=failure_group]'); s.value = 'MSCATTER cpu/a5 permitted valid MSCATTER-ATOM-18'; s.dispatchEvent(new Event('input', {bubbles: true})); })()")
        self.page.wait(f"{FOUND} === '6 of 358 cases'")
        address = self.hash()
        self.page.reload()
        self.page.wait(ROWS)
        self.assertEqual((self.hash(), self.page.get(FOUND)), (address, "6 of 358 cases"))
        self.assertTrue(self.page.get("document.querySelector('[name=verdict][value=violation]').checked"))
        self.page.click("#clear")
        self.page.wait(f"{FOUND} === '358 cases'")
        self.assertFalse(self.page.get("document.querySelector('[name=verdict][value=violation]').checked"))

    def test_every_filter_filters(self):
        self.open_list()
        for chosen, found in (
            ("instruction=TSCATTER", 1), ("suite=a5", 301), ("file=cases%2Fregressions%2Fedges.yaml", 1),
            ("has=readings", 1), ("has=holes", 1), ("has=unseen", 1), ("has=deviates", 1), ("has=renamed", 1),
            ("pair=a5%2Fa5%3ASimt", 1), ("outcome=rejected", 1), ("pair=cpu%2Fa2a3&outcome=no-result", 1),
            ("verdict=hangs", 1), ("failure_group=MSCATTER+a5+valid+MSCATTER-SEM-02", 3),
        ):
            with self.subTest(chosen):
                self.go(f"#cases?{chosen}")
                self.assertEqual(self.page.get(FOUND), f"{found} of 358 cases")

    def test_the_worst_come_first_unless_the_record_is_asked_for(self):
        first = "document.querySelector('#list tr[data-at] .badge').textContent"
        self.open_list()
        self.assertEqual(self.page.get(first), "violation")
        self.assertEqual(self.text("#list .place"), "cases/clauses/mscatter.yaml:12")
        self.open_list("#cases?verdict=agree&verdict=hangs")
        self.assertEqual(self.page.get(first), "hangs")

    def test_only_rows_in_sight_are_in_the_document(self):
        self.open_list("#cases", "many.html")
        for width in (390, 1280):
            self.resize(width)
            self.assertLess(self.page.get(ROWS), 80)
        self.page.get("document.querySelector('#list').scrollTop = 1e9")
        self.page.wait(f"document.querySelector('#list tr[data-at=\"{self.cases() - 1}\"]')")

    def test_keys_lead_to_a_case_and_back(self):
        self.open_list()
        for key in ("j", "j", "k", "ArrowDown"):
            self.page.key(key)
        self.page.wait("document.activeElement.textContent === 'mscatter/last_writer_1'")
        self.page.key("Enter")
        self.page.wait("document.querySelector('#case-title')?.textContent.includes('last_writer_1')")
        self.page.key("j")
        self.page.wait("document.querySelector('#case-title')?.textContent.includes('last_writer_2')")
        self.page.key("k")
        self.page.wait("document.querySelector('#case-title')?.textContent.includes('last_writer_1')")
        self.page.key("Escape")
        self.page.wait("document.querySelector('#cases').classList.contains('on')")
        self.page.wait("document.activeElement.textContent === 'mscatter/last_writer_1'")

    def test_the_list_comes_back_where_the_reader_was(self):
        self.open_list("#cases?verdict=agree")
        self.page.key("j")
        self.page.key("End")
        self.page.key("Enter")
        self.page.wait("document.querySelector('#case-title')")
        self.page.key("k")
        self.page.wait("document.querySelector('.crumbs').textContent.includes('302 of 303')")
        self.page.click("[data-step=back]")
        self.page.wait("document.activeElement.closest('#list tr')?.dataset.at === '301'")
        self.assertEqual(self.page.get(FOUND), "303 of 358 cases")

    def test_the_end_is_a_key_away(self):
        self.open_list("#cases", "many.html")
        self.page.key("j")
        self.page.key("End")
        self.page.wait(f"document.activeElement.closest('tr')?.dataset.at === '{self.cases() - 1}'")

if __name__ == "__main__":
    unittest.main()
