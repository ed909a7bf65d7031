"""Where elements stand, worked out by hand."""

import unittest

import numpy as np

from ptoimpl import layouts, words

from .build import tensor, tile


def at(words_, r, c):
    """The place of (r, c) in a tile."""
    made = words.tile(words_)
    return int(layouts.places(made, r + 1, c + 1)[r, c])


class Tiles(unittest.TestCase):
    def test_rows_follow_each_other_at_the_padded_width(self):
        self.assertEqual(at(tile("float", 4, 8, (2, 3)), 1, 2), 10)

    def test_columns_follow_each_other_at_the_padded_height(self):
        self.assertEqual(at(tile("float", 8, 4, (2, 3), col=True), 1, 2), 17)

    def test_nz_block_columns_are_as_high_as_the_tile(self):
        # 32 rows of floats: a block column holds 32 * 8 elements.
        self.assertEqual(at(tile("float", 32, 16, nz=True), 17, 9), 256 + 17 * 8 + 1)
        self.assertEqual(at(tile("half", 16, 32, nz=True), 3, 20), 256 + 3 * 16 + 4)
        self.assertEqual(at(tile("int8_t", 16, 64, nz=True), 1, 33), 512 + 32 + 1)

    def test_boxes_by_row(self):
        # Boxes of 16x8 floats, two across: (16, 9) is in box 3, at its row 0, column 1.
        words_ = dict(tile("float", 32, 16), slayout="RowMajor")
        self.assertEqual(at(words_, 16, 9), 3 * 128 + 1)
        self.assertEqual(at(words_, 2, 3), 2 * 8 + 3)

    def test_boxes_with_columns_inside(self):
        # Boxes of 8x16 floats, three down: (9, 17) is in box 4, at its row 1, column 1.
        words_ = dict(tile("float", 24, 32, col=True), slayout="ColMajor")
        self.assertEqual(at(words_, 9, 17), 4 * 128 + 9)
        self.assertEqual(at(words_, 2, 3), 3 * 8 + 2)

    def test_nz_walk_goes_block_by_block(self):
        made = words.tile(tile("float", 16, 16, (2, 10), nz=True))
        walk = list(layouts.nz_walk(made, 2, 10))
        self.assertEqual(walk, [0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 8, 9, 18, 19])


class Tables(unittest.TestCase):
    # Two batches of two block columns and two block rows of 16x8 floats, with gaps between all of them.
    table = words.tensor(tensor("float", [2, 2, 2, 16, 8], [1000, 300, 140, 8, 1], "NZ"))

    def test_nz_row(self):
        self.assertEqual(int(layouts.nz_row(self.table, np.int64(18))), 140 + 2 * 8)

    def test_nz_column(self):
        # Column 25 is block column 3: batch 1, block 1, column 1 in the block.
        self.assertEqual(int(layouts.nz_column(self.table, np.int64(25))), 1000 + 300 + 1)

    def test_nz_element(self):
        # 32 logical columns: element 18 * 32 + 25.
        self.assertEqual(int(layouts.nz_element(self.table, np.int64(601))), 156 + 1301)

    def test_split_over_a_shape(self):
        # 45 = 1*24 + 2*8 + 1*4 + 0*4 + 1 over 2x3x2x1x4.
        digits = layouts.split(np.int64(45), (2, 3, 2, 1, 4))
        self.assertEqual([int(d) for d in digits], [1, 2, 1, 0, 1])


if __name__ == "__main__":
    unittest.main()
