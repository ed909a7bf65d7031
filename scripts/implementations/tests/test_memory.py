"""Regions: guard zones, and accesses beyond them."""

import unittest

import numpy as np

from ptoimpl.memory import Region


class Accesses(unittest.TestCase):
    def setUp(self):
        # Two guard bytes, four of the operand, two guard bytes.
        self.region = Region(np.arange(8, dtype=np.uint8), 2, 4)

    def test_numbers_count_from_the_operand(self):
        self.assertEqual(self.region.read(2, np.array([0, 1, -1])).tolist(), [0x0302, 0x0504, 0x0100])

    def test_a_read_beyond_the_region_delivers_ee(self):
        self.assertEqual(self.region.read(2, np.array([-2, 2, 3])).tolist(), [0xEEEE, 0x0706, 0xEEEE])

    def test_a_write_beyond_the_region_is_dropped_and_one_in_the_guard_is_seen(self):
        self.region.write(2, np.array([2, 1 << 40, -2]), np.array([0x1111, 0x2222, 0x3333], "<u2"))
        self.assertEqual(self.region.raw.tolist(), [0, 1, 2, 3, 4, 5, 0x11, 0x11])

    def test_before_the_region_is_beyond_it_too(self):
        self.assertEqual(self.region.read(2, np.array([-2, 0])).tolist(), [0xEEEE, 0x0302])
        self.region.write(2, np.array([-2, 0]), np.array([0x1111, 0x2222], "<u2"))
        self.assertEqual(self.region.raw.tolist(), [0, 1, 0x22, 0x22, 4, 5, 6, 7])

    def test_folds_beyond_the_region_are_dropped(self):
        def add(view, at, bits):
            np.add.at(view, at, bits)

        self.region.combine(2, np.array([2, 1 << 40, -2, 3, 2]), np.array([1, 1, 1, 1, 2], "<u2"), add)
        self.assertEqual(self.region.raw.tolist(), [0, 1, 2, 3, 4, 5, 9, 7])

    def test_no_access_at_all_needs_no_region(self):
        region, none = Region(np.zeros(0, np.uint8), 0, 0), np.zeros(0, np.int64)
        self.assertEqual(region.read(4, none).tolist(), [])
        region.write(4, none, np.zeros(0, "<u4"))

    def test_the_last_write_to_a_place_stays(self):
        self.region.write(1, np.array([3, 3, 3]), np.array([9, 8, 7], "<u1"))
        self.assertEqual(self.region.raw[5], 7)

    def test_a_body_out_of_step_with_its_elements(self):
        region = Region(np.arange(9, dtype=np.uint8), 1, 8)
        self.assertEqual(region.read(4, np.array([0, 1])).tolist(), [0x04030201, 0x08070605])

    def test_a_region_smaller_than_an_element(self):
        region = Region(np.zeros(3, np.uint8), 1, 1)
        self.assertEqual(region.read(4, np.array([0])).tolist(), [0xEEEEEEEE])
        region.write(4, np.array([0]), np.array([1], "<u4"))
        self.assertEqual(region.raw.tolist(), [0, 0, 0])


if __name__ == "__main__":
    unittest.main()
