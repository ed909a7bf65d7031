"""TSCATTER and TGATHERB."""

import unittest

import numpy as np

from .build import array, run, tile

TARGETS = ("cpu", "a2a3", "a5")


class ByIndex(unittest.TestCase):
    def go(self, target, idx, dst=None, slots=16, **how):
        dst = dst or tile("int16_t", 2, 8)
        src = tile("int16_t", 1, 8, (1, 4))
        call = {"form": "tscatter-index", "dst": dst, "src": src, "idx": tile("int16_t", 1, 8, (1, 4))}
        operands = {
            "destination": np.full(slots, 7, "<i2"),
            "source": array("int16_t", 1, 2, 3, 4, 9, 9, 9, 9),
            "index": array("int16_t", *idx, 0, 0, 0, 0),
        }
        return run(target, call, operands, "destination", **how).tolist()

    def test_an_index_counts_slots_and_the_rest_is_kept(self):
        for target in TARGETS:
            found = self.go(target, [0, 15, 9, 2])
            self.assertEqual(found, [1, 7, 4] + [7] * 6 + [3] + [7] * 5 + [2], target)

    def test_storage_order_counts_whatever_the_layout(self):
        found = self.go("a5", [0, 1, 8, 9], tile("int16_t", 8, 2, col=True))
        self.assertEqual([found[k] for k in (0, 1, 8, 9)], [1, 2, 3, 4])

    def test_the_last_writer_stays_on_cpu_and_the_schedule_decides_elsewhere(self):
        self.assertEqual(self.go("cpu", [5, 5, 5, 5], order="reversed")[5], 4)
        self.assertEqual(self.go("a5", [5, 5, 5, 5], order="reversed")[5], 1)

    def test_a_negative_index_is_unsigned_of_its_own_width(self):
        for target, readings in (("a5", None), ("cpu", {"tscatter-negative-index": "intended"}), ("a5", {"negative-index": "intended"})):
            dst = tile("int16_t", 256, 256)
            found = self.go(target, [-1, 0, 1, 2], slots=65536, dst=dst, readings=readings)
            self.assertEqual((found[65535], found[0]), (1, 2), target)

    def test_readings(self):
        self.assertEqual(self.go("a5", [0, 1, 2, 3], readings={"tscatter-unaddressed": "zero"})[3:6], [4, 0, 0])
        call = {
            "form": "tscatter-index", "dst": tile("int16_t", 1, 8), "src": tile("int16_t", 1, 8),
            "idx": tile("int16_t", 1, 8, (1, 2)),
        }  # fmt: skip
        operands = {"destination": np.zeros(8, "<i2"), "source": np.arange(1, 9, dtype="<i2"),
                    "index": np.arange(8, dtype="<i2")}  # fmt: skip
        found = run("cpu", call, operands, "destination", readings={"tscatter-extent": "index"})
        self.assertEqual(found.tolist(), [1, 2, 0, 0, 0, 0, 0, 0])


    def test_an_index_may_name_a_row(self):
        for target in TARGETS:
            found = self.go(target, [1, 0, 1, 0], readings={"tscatter-index": "row"})
            self.assertEqual(found, [7, 2, 7, 4, 7, 7, 7, 7, 1, 7, 3, 7, 7, 7, 7, 7], target)
        # Column 2 and row 9 are not there.
        narrow = self.go("a5", [1, 0, 1, 9], tile("int16_t", 8, 2, col=True), readings={"tscatter-index": "row"})
        self.assertEqual(narrow, [7, 1, 7, 7, 7, 7, 7, 7, 2, 7, 7, 7, 7, 7, 7, 7])


class ByMask(unittest.TestCase):
    def go(self, pattern, dst, axis="Row", target="a5", readings=None, src=None):
        src = src or tile("uint8_t", 2, 4, (2, 2))
        call = {"form": "tscatter-mask", "dst": dst, "src": src, "pattern": pattern, "axis": axis}
        count = dst["rows"] * dst["cols"]
        operands = {
            "destination": np.full(count, 7, "<u1"),
            "source": np.arange(1, 1 + src["rows"] * src["cols"], dtype="<u1"),
        }
        return run(target, call, operands, "destination", readings=readings).tolist()

    def test_two_lanes(self):
        dst = tile("uint8_t", 2, 6, (2, 4))
        self.assertEqual(self.go("P0101", dst), [1, 0, 2, 0, 0, 0, 5, 0, 6, 0, 0, 0])
        self.assertEqual(self.go("P1010", dst), [0, 1, 0, 2, 0, 0, 0, 5, 0, 6, 0, 0])

    def test_four_lanes(self):
        dst = tile("uint8_t", 2, 8)
        for lane, pattern in enumerate(("P0001", "P0010", "P0100", "P1000")):
            expected = [0] * 16
            expected[lane], expected[4 + lane], expected[8 + lane], expected[12 + lane] = 1, 2, 5, 6
            self.assertEqual(self.go(pattern, dst), expected, pattern)

    def test_all_lanes(self):
        dst = tile("uint8_t", 3, 4, (2, 2))
        self.assertEqual(self.go("P1111", dst), [1, 2, 0, 0, 5, 6, 0, 0, 0, 0, 0, 0])
        kept = self.go("P1111", dst, readings={"mask-p1111-padding": "kept"})
        self.assertEqual(kept, [1, 2, 7, 7, 5, 6, 7, 7, 7, 7, 7, 7])

    def test_groups_along_the_rows(self):
        suite = {"scope": "as-the-suite"}
        found = self.go("P1010", tile("uint8_t", 4, 2), "Col", "cpu", suite)
        self.assertEqual(found, [0, 0, 1, 2, 0, 0, 5, 6])


class Gather(unittest.TestCase):
    def go(self, target, offsets, dtype="uint16_t", readings=None, src=None, dst=None):
        src, dst = src or tile(dtype, 1, 16), dst or tile(dtype, 1, 16, (1, len(offsets)))
        call = {"form": "tgatherb", "dst": dst, "src": src, "offset": tile("uint32_t", 1, 8)}
        operands = {
            "destination": np.full(32, 0x77, "<u1"),
            "source": np.arange(64, dtype="<u1"),
            "index": array("uint32_t", *offsets, *[0] * (8 - len(offsets))),
        }
        return run(target, call, operands, "destination", readings=readings).view("<u2").tolist()

    def test_offsets_count_bytes_and_the_rest_is_kept(self):
        for target in TARGETS:
            self.assertEqual(self.go(target, [2, 0, 30])[:4], [0x0302, 0x0100, 0x1F1E, 0x7777], target)

    def test_an_offset_between_elements(self):
        self.assertEqual(self.go("a5", [3])[0], 0x0403)
        self.assertEqual(self.go("a5", [3], readings={"tgatherb-unaligned": "rounded-down"})[0], 0x0302)

    def test_cpu_clamps_to_the_last_whole_element(self):
        for offset in (31, 32, 0xFFFFFFFF):
            self.assertEqual(self.go("cpu", [offset])[0], 0x1F1E, offset)
        valid = {"tgatherb-boundary": "valid"}
        self.assertEqual(self.go("cpu", [20], readings=valid, src=tile("uint16_t", 1, 16, (1, 8)))[0], 0x0F0E)

    def test_far_offsets_on_the_npus_end_in_nothing(self):
        self.assertEqual(self.go("a5", [0xFFFFFFFF, 4])[1], 0x0504)

    def test_an_offset_a_block(self):
        block = {"tgatherb-granularity": "block"}
        dst = tile("uint16_t", 1, 16, (1, 15))
        found = self.go("a2a3", [32], readings=block, src=tile("uint16_t", 1, 32), dst=dst)
        self.assertEqual(found[0:2] + found[14:], [0x2120, 0x2322, 0x3D3C, 0x7777])
        clamped = self.go("cpu", [40], readings=block, src=tile("uint16_t", 1, 32), dst=dst)
        self.assertEqual(clamped[0], 0x2120)


if __name__ == "__main__":
    unittest.main()
