"""Add, Max and Min on bits."""

import unittest

import numpy as np

from ptoimpl import arithmetic
from ptoimpl.readings import DEFAULTS
from ptoimpl.words import DTYPES


def fold(dtype, op, old, values, target="a5", row=False, **readings):
    """One slot with the bits `old` after the bits `values`, one after the other."""
    kind = f"<u{DTYPES[dtype].size}"
    view = np.array([old], kind)
    readings = {**DEFAULTS, **{name.replace("_", "-"): answer for name, answer in readings.items()}}
    work = arithmetic.fold(DTYPES[dtype], op, target, row, readings)
    work(view, np.zeros(len(values), np.int64), np.array(values, kind))
    return int(view[0])


class Rounding(unittest.TestCase):
    def test_bfloat16_ties_go_to_even(self):
        # 1 + 1/256 is half way between 0x3F80 and 0x3F81, 1 + 1/128 + 1/256 between 0x3F81 and 0x3F82.
        self.assertEqual(fold("bfloat16_t", "Add", 0x3F80, [0x3B80]), 0x3F80)
        self.assertEqual(fold("bfloat16_t", "Add", 0x3F81, [0x3B80]), 0x3F82)

    def test_bfloat16_rounds_after_each_addition(self):
        # 256 + 1 rounds back to 256 every time; 1 + 1 first would give 258.
        self.assertEqual(fold("bfloat16_t", "Add", 0x4380, [0x3F80, 0x3F80]), 0x4380)
        self.assertEqual(fold("bfloat16_t", "Add", 0x3F80, [0x3F80, 0x4380]), 0x4381)

    def test_bfloat16_overflows_to_infinity_and_keeps_nan(self):
        self.assertEqual(fold("bfloat16_t", "Add", 0x7F7F, [0x7F7F]), 0x7F80)
        nan = fold("bfloat16_t", "Add", 0x7F80, [0xFF80])
        self.assertGreater(nan & 0x7FFF, 0x7F80)

    def test_bfloat16_nan_with_low_bits_only_stays_a_nan(self):
        self.assertEqual(int(arithmetic.to_bfloat16(np.array([0x7F800001], "<u4").view("<f4"))[0]), 0x7FC0)

    def test_half_ties_go_to_even(self):
        # 2048 + 1 is half way to 2050; 2050 + 1 half way to 2052.
        self.assertEqual(fold("half", "Add", 0x6800, [0x3C00]), 0x6800)
        self.assertEqual(fold("half", "Add", 0x6801, [0x3C00]), 0x6802)

    def test_half_rounds_after_each_addition(self):
        self.assertEqual(fold("half", "Add", 0x6800, [0x3C00, 0x3C00]), 0x6800)

    def test_float_adds_in_the_order_given(self):
        # 2^24 + 1 + 1 stays at 2^24; 1 + 1 + 2^24 does not.
        self.assertEqual(fold("float", "Add", 0x4B800000, [0x3F800000] * 2), 0x4B800000)
        self.assertEqual(fold("float", "Add", 0x3F800000, [0x3F800000, 0x4B800000]), 0x4B800001)

    def test_subnormals_are_kept_or_flushed(self):
        self.assertEqual(fold("half", "Add", 0x0001, [0x0001]), 0x0002)
        self.assertEqual(fold("half", "Add", 0x8001, [0x8001], subnormals="flushed"), 0x8000)
        self.assertEqual(fold("half", "Add", 0x0001, [0x0001], target="cpu", subnormals="flushed"), 2)
        # The smallest normal number is none of them.
        self.assertEqual(fold("half", "Add", 0x0400, [0x0001], subnormals="flushed"), 0x0400)


class Integers(unittest.TestCase):
    def test_sums_wrap(self):
        self.assertEqual(fold("int8_t", "Add", 127, [1]), 128)
        self.assertEqual(fold("uint32_t", "Add", 0xFFFFFFFF, [2]), 1)

    def test_sums_saturate_where_asked(self):
        self.assertEqual(fold("int8_t", "Add", 127, [1], add_overflow="saturate"), 127)
        self.assertEqual(fold("int8_t", "Add", 128, [0xFF], add_overflow="saturate"), 128)
        self.assertEqual(fold("uint32_t", "Add", 0xFFFFFFFF, [2], add_overflow="saturate"), 0xFFFFFFFF)

    def test_only_the_row_adder_of_a2a3_saturates(self):
        for target, row, left in (("a2a3", True, 127), ("a2a3", False, 128), ("a5", True, 128)):
            found = fold("int8_t", "Add", 127, [1], target, row, add_overflow="mte3-saturates")
            self.assertEqual(found, left, (target, row))

    def test_max_and_min_have_the_sign_of_the_type(self):
        self.assertEqual(fold("int32_t", "Max", 5, [0xFFFFFFFF]), 5)
        self.assertEqual(fold("uint32_t", "Max", 5, [0xFFFFFFFF]), 0xFFFFFFFF)
        self.assertEqual(fold("int32_t", "Min", 5, [0xFFFFFFFF, 7]), 0xFFFFFFFF)


class MaxAndMin(unittest.TestCase):
    def test_negative_zero_is_the_smaller(self):
        self.assertEqual(fold("float", "Max", 0x80000000, [0]), 0)
        self.assertEqual(fold("float", "Min", 0, [0x80000000]), 0x80000000)

    def test_numbers(self):
        self.assertEqual(fold("float", "Max", 0x3F800000, [0]), 0x3F800000)
        self.assertEqual(fold("float", "Min", 0x3F800000, [0]), 0)
        # -2 and -1: the larger magnitude is the smaller number.
        self.assertEqual(fold("float", "Max", 0xC0000000, [0xBF800000]), 0xBF800000)
        self.assertEqual(fold("float", "Min", 0xBF800000, [0xC0000000]), 0xC0000000)

    def test_nan(self):
        nan, one, infinity = 0x7FC00001, 0x3F800000, 0x7F800000
        for op in ("Max", "Min"):
            self.assertEqual(fold("float", op, nan, [one], max_min_nan="ignored"), one)
            self.assertEqual(fold("float", op, one, [nan], max_min_nan="ignored"), one)
            self.assertEqual(fold("float", op, one, [nan], max_min_nan="passed-on"), nan)
            self.assertEqual(fold("float", op, nan, [one], max_min_nan="passed-on"), nan)
        self.assertEqual(fold("float", "Max", infinity, [nan], max_min_nan="by-bits"), nan)
        self.assertEqual(fold("float", "Min", infinity, [nan], max_min_nan="by-bits"), infinity)


if __name__ == "__main__":
    unittest.main()
