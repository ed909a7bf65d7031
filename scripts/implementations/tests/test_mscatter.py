"""MSCATTER, both revisions."""

import unittest

import numpy as np

from .build import answer, array, mscatter, run, tensor, tile

TARGETS = ("cpu", "a2a3", "a5")
SUITE = {"cpu-form": "templated"}


def scatter(target, call, table, src, idx, **how):
    """The table afterwards."""
    return run(target, call, {"table": table, "source": src, "index": idx}, "table", **how).tolist()


class Elements(unittest.TestCase):
    def call(self, **how):
        src = tile("int32_t", 1, 8, (1, 4))
        return mscatter(tensor("int32_t", [1, 6]), src, tile("int32_t", 1, 8, (1, 4)), **how)

    def go(self, target, indices, values=(1, 2, 3, 4), **how):
        readings, order = how.pop("readings", None), how.pop("order", "in-order")
        src = array("int32_t", *values, 99, 99, 99, 99)
        idx = array("int32_t", *indices, 0, 0, 0, 0)
        return scatter(
            target, self.call(**how), array("int32_t", *[7] * 6), src, idx, readings=readings, order=order
        )

    def test_each_element_goes_to_its_slot_and_padding_does_not(self):
        for target in TARGETS:
            self.assertEqual(self.go(target, [5, 3, 1, 2]), [7, 3, 4, 2, 7, 1], target)

    def test_the_last_writer_stays(self):
        for target in TARGETS:
            self.assertEqual(self.go(target, [5, 5, 0, 5]), [3, 7, 7, 7, 7, 4], target)

    def test_default_follows_the_schedule_on_a5(self):
        self.assertEqual(self.go("a5", [5, 5, 0, 5], conflict="Default")[5], 4)
        self.assertEqual(self.go("a5", [5, 5, 0, 5], conflict="Default", order="reversed")[5], 1)
        self.assertIn(self.go("a5", [5, 5, 0, 5], conflict="Default", order="shuffled")[5], (1, 2, 4))

    def test_last_does_not_follow_the_schedule(self):
        self.assertEqual(self.go("a5", [5, 5, 0, 5], order="reversed")[5], 4)

    def test_policies(self):
        indices = [6, 13, 2, -1]
        for target in ("a2a3", "a5"):
            self.assertEqual(self.go(target, indices, oob="Skip"), [7, 7, 3, 7, 7, 7], target)
            self.assertEqual(self.go(target, indices, oob="Clamp"), [7, 7, 3, 7, 7, 4], target)
            # 6 and 13 wrap to 0 and 1; 2^32 - 1 is 3 modulo 6.
            self.assertEqual(self.go(target, indices, oob="Wrap"), [1, 2, 3, 4, 7, 7], target)

    def test_negative_indices_under_the_other_readings(self):
        intended = {"negative-index": "intended"}
        self.assertEqual(self.go("a5", [2, 2, 2, -1], oob="Clamp", readings=intended), [4, 7, 3, 7, 7, 7])
        self.assertEqual(self.go("a5", [2, 2, 2, -1], oob="Wrap", readings=intended), [7, 7, 3, 7, 7, 4])
        header, regions = answer(
            "a5",
            self.call(oob="Wrap"),
            {"table": array("int32_t", *[7] * 6), "source": array("int32_t", *range(8)),
             "index": array("int32_t", 0, 0, 0, -7, 0, 0, 0, 0)},
            readings={"negative-index": "signed"},
        )  # fmt: skip
        # -7 has the remainder -1, which stands in the guard zone.
        self.assertEqual(header["kind"], "done")
        self.assertEqual(np.frombuffer(regions["table"], "<i4")[7], 3)

    def test_undefined_beyond_the_region_is_dropped(self):
        self.assertEqual(self.go("a5", [0, 1 << 20, -1, 1]), [1, 4, 7, 7, 7, 7])

    def test_undefined_with_last_is_dropped_where_asked(self):
        dropped = {"undefined-last": "dropped"}
        src, idx = array("int32_t", 1, 2, 3, 4, 0, 0, 0, 0), array("int32_t", 0, 6, 1, 2, 0, 0, 0, 0)
        for readings, behind in ((dropped, -0x5A5A5A5B), (None, 2)):
            operands = {"table": array("int32_t", *[7] * 6), "source": src, "index": idx}
            _, regions = answer("a5", self.call(), operands, readings=readings)
            self.assertEqual(np.frombuffer(regions["table"], "<i4")[8:15].tolist(), [1, 3, 4, 7, 7, 7, behind])

        # The scalar path of Elem (1,1) owns no slots, so it writes behind the table.
        one = (tile("int32_t", 1, 8, (1, 1)), tile("int32_t", 1, 8, (1, 1)))
        operands = {"table": np.zeros(2, "<i4"), "source": np.full(8, 5, "<i4"), "index": np.full(8, 2, "<i4")}
        for call, behind in (
            (mscatter(tensor("int32_t", [2]), *one), 5),
            (mscatter(tensor("int32_t", [2, 1]), *one, "Row"), -0x5A5A5A5B),
        ):
            _, regions = answer("a5", call, operands, readings=dropped)
            self.assertEqual(np.frombuffer(regions["table"], "<i4")[10], behind)

    def test_a_shuffle_is_known_by_its_seed(self):
        call = mscatter(tensor("int32_t", [1]), tile("int32_t", 1, 64), tile("int32_t", 1, 64), conflict="Default")
        def survivor(seed):
            src, idx = np.arange(64, dtype="<i4"), np.zeros(64, "<i4")
            return scatter("a5", call, np.zeros(1, "<i4"), src, idx, order="shuffled", seed=seed)[0]

        survivors = [survivor(seed) for seed in range(8)]
        self.assertEqual(survivors, [survivor(seed) for seed in range(8)])
        self.assertGreater(len(set(survivors)), 2)

    def test_atomics_beyond_the_region_are_dropped(self):
        self.assertEqual(self.go("a5", [0, 14, 1 << 30, -15], atomic="Add"), [8, 7, 7, 7, 7, 7])

    def test_atomics(self):
        self.assertEqual(self.go("a2a3", [5, 5, 0, 5], atomic="Add"), [10, 7, 7, 7, 7, 14])
        self.assertEqual(self.go("a5", [5, 5, 0, 9], atomic="Add", oob="Skip"), [10, 7, 7, 7, 7, 10])
        self.assertEqual(self.go("a5", [5, 5, 0, 0], (9, 8, 1, 2), atomic="Max")[5], 9)
        self.assertEqual(self.go("a5", [5, 5, 0, 0], (9, 8, 1, 2), atomic="Min")[0], 1)

    def test_cpu_knows_no_policy_unless_templated(self):
        self.assertEqual(self.go("cpu", [5, 5, 0, 1], atomic="Add", oob="Wrap"), [3, 4, 7, 7, 7, 2])
        self.assertEqual(
            self.go("cpu", [5, 5, 0, 13], atomic="Add", oob="Wrap", readings=SUITE), [10, 11, 7, 7, 7, 10]
        )

    def test_an_empty_table_takes_no_write(self):
        call = mscatter(
            tensor("int32_t", [1, 0], dynamic=(4,)), tile("int32_t", 1, 8), tile("int32_t", 1, 8), oob="Clamp"
        )
        table = array("int32_t", 7)
        self.assertEqual(scatter("a5", call, table, array("int32_t", *range(8)), array("int32_t", *[0] * 8)), [7])


class Layouts(unittest.TestCase):
    def test_tiles_of_different_layouts_meet_by_coordinate(self):
        src = tile("int32_t", 8, 2, (2, 2), col=True)
        call = mscatter(tensor("int32_t", [1, 4]), src, tile("int32_t", 2, 8, (2, 2)))
        values = np.zeros(16, "<i4")
        values[[0, 8, 1, 9]] = [11, 12, 21, 22]  # (0,0) (0,1) (1,0) (1,1)
        indices = np.zeros(16, "<i4")
        indices[[0, 1, 8, 9]] = [3, 2, 1, 0]
        self.assertEqual(scatter("a5", call, np.zeros(4, "<i4"), values, indices), [22, 21, 12, 11])

    def test_last_by_storage(self):
        src = tile("int32_t", 8, 2, (2, 2), col=True)
        call = mscatter(tensor("int32_t", [1, 4]), src, tile("int32_t", 8, 2, (2, 2), col=True))
        values = np.zeros(16, "<i4")
        values[[0, 8, 1, 9]] = [11, 12, 21, 22]
        indices = np.zeros(16, "<i4")
        indices[[8, 1, 9]] = [1, 1, 3]  # (0,1) and (1,0) meet in slot 1
        table = np.zeros(4, "<i4")
        self.assertEqual(scatter("a5", call, table, values, indices)[1], 21)
        by_storage = scatter("a5", call, table, values, indices, readings={"last-by": "storage"})
        self.assertEqual(by_storage[1], 12)

    def test_an_elem_table_with_padded_rows(self):
        table = tensor("int32_t", [2, 2], [12, 12, 12, 6, 1])
        call = mscatter(table, tile("int32_t", 1, 8, (1, 4)), tile("int32_t", 1, 8, (1, 4)))
        src, idx = array("int32_t", 1, 2, 3, 4, 0, 0, 0, 0), array("int32_t", 0, 1, 2, 3, 0, 0, 0, 0)
        flat, strided = [1, 2, 3, 4, 0, 0, 0, 0], [1, 2, 0, 0, 0, 0, 3, 4]
        zeros = np.zeros(8, "<i4")
        reading = {"padded-elem": "strided"}
        self.assertEqual(scatter("a2a3", call, zeros, src, idx), flat)
        self.assertEqual(scatter("a2a3", call, zeros, src, idx, readings=reading), strided)
        self.assertEqual(scatter("a5", call, zeros, src, idx, readings=reading), flat)


class Rows(unittest.TestCase):
    src = np.arange(10, 26, dtype="<i4")  # row 0 is 10..17, row 1 is 18..25

    def call(self, table=None, idx=None, **how):
        idx = idx or tile("int32_t", 1, 8, (1, 2))
        return mscatter(table or tensor("int32_t", [4, 3]), tile("int32_t", 2, 8, (2, 3)), idx, "Row", **how)

    def index(self, *rows):
        return array("int32_t", *rows, *[0] * (8 - len(rows)))

    def test_rows_move_whole_and_the_last_stays(self):
        for target, readings in (("a2a3", None), ("a5", None), ("cpu", SUITE)):
            table = np.zeros(12, "<i4")
            found = scatter(target, self.call(), table, self.src, self.index(3, 1), readings=readings)
            self.assertEqual(found, [0, 0, 0, 18, 19, 20, 0, 0, 0, 10, 11, 12], target)
            found = scatter(target, self.call(), table, self.src, self.index(1, 1), readings=readings)
            self.assertEqual(found, [0, 0, 0, 18, 19, 20] + [0] * 6, target)

    def test_a_column_of_indices(self):
        idx = tile("int32_t", 2, 1, col=True)
        for target, readings in (("a5", None), ("cpu", SUITE)):
            found = scatter(
                target, self.call(idx=idx), np.zeros(12, "<i4"), self.src, array("int32_t", 2, 0), readings=readings
            )
            self.assertEqual(found, [18, 19, 20, 0, 0, 0, 10, 11, 12, 0, 0, 0], target)

    def test_row_indices_with_gaps_on_a5(self):
        idx = tile("int32_t", 2, 8, (2, 1))
        indices = np.zeros(16, "<i4")
        indices[[0, 1, 8]] = [3, 2, 1]
        call, table = self.call(idx=idx), np.zeros(12, "<i4")
        self.assertEqual(scatter("a5", call, table, self.src, indices)[6:], [18, 19, 20, 10, 11, 12])
        found = scatter("a5", call, table, self.src, indices, readings={"row-index-pitch": "logical"})
        self.assertEqual(found[3:], [18, 19, 20, 0, 0, 0, 10, 11, 12])

    def test_a2a3_goes_by_the_stride_and_keeps_what_lies_between(self):
        table = tensor("int32_t", [2, 3], [10, 10, 10, 5, 1])
        found = scatter("a2a3", self.call(table), np.zeros(8, "<i4"), self.src, self.index(1, 0))
        self.assertEqual(found, [18, 19, 20, 0, 0, 10, 11, 12])

    def test_row_capacity_is_each_targets_own(self):
        # Two outer batches of two rows: four rows on A2/A3, two on A5.
        table = tensor("int32_t", [2, 2, 3])
        for target, expected in (("a2a3", [0, 0, 0, 18, 19, 20, 0, 0, 0, 10, 11, 12]),
                                 ("a5", [0, 0, 0, 18, 19, 20] + [0] * 6)):  # fmt: skip
            call = self.call(table, oob="Skip")
            self.assertEqual(scatter(target, call, np.zeros(12, "<i4"), self.src, self.index(3, 1)), expected)

    def test_outer_strides_count_where_asked(self):
        # Batches 8 apart: row 3 is row 1 of batch 1, at 8 + 3.
        table = tensor("int32_t", [2, 2, 3], [16, 16, 8, 3, 1])
        found = scatter(
            "a2a3", self.call(table), np.zeros(14, "<i4"), self.src, self.index(3, 0), readings={"outer-strides": "split"}
        )
        self.assertEqual(found, [18, 19, 20] + [0] * 8 + [10, 11, 12])

    def test_a_burst_is_exact_or_rounded(self):
        table = tensor("int32_t", [2, 8])
        found = scatter("a2a3", self.call(table), np.zeros(16, "<i4"), self.src, self.index(1, 0))
        self.assertEqual(found, [18, 19, 20, 0, 0, 0, 0, 0, 10, 11, 12, 0, 0, 0, 0, 0])
        rounded = {"burst-tail": "rounded"}
        found = scatter("a2a3", self.call(table), np.zeros(16, "<i4"), self.src, self.index(1, 0), readings=rounded)
        self.assertEqual(found, list(range(18, 26)) + list(range(10, 18)))

    def test_a_rounded_burst_ends_with_its_block(self):
        call = mscatter(
            tensor("int32_t", [1, 16]), tile("int32_t", 1, 16, (1, 3)), tile("int32_t", 1, 8, (1, 1)), "Row"
        )
        src = np.arange(1, 17, dtype="<i4")
        found = scatter("a2a3", call, np.zeros(16, "<i4"), src, self.index(0), readings={"burst-tail": "rounded"})
        self.assertEqual(found, [1, 2, 3, 4, 5, 6, 7, 8] + [0] * 8)

    def test_only_the_row_adder_saturates(self):
        for mode, left in (("Row", 127), ("Elem", -128)):
            idx = tile("int32_t", 1, 8, (1, 1))
            call = mscatter(tensor("int8_t", [4, 1]), tile("int8_t", 1, 32, (1, 1)), idx, mode, "Add")
            found = scatter(
                "a2a3", call, np.full(4, 127, "<i1"), np.ones(32, "<i1"), self.index(2),
                readings={"add-overflow": "mte3-saturates"},
            )  # fmt: skip
            self.assertEqual(found, [127, 127, left, 127], mode)

    def test_row_add_accumulates(self):
        for target in ("a2a3", "a5"):
            found = scatter(target, self.call(atomic="Add"), np.ones(12, "<i4"), self.src, self.index(2, 2))
            self.assertEqual(found, [1] * 6 + [29, 31, 33] + [1] * 3, target)


class Nz(unittest.TestCase):
    # 32 logical rows, 16 logical columns: two block columns of two blocks of 16x8.
    table = tensor("float", [1, 2, 2, 16, 8], layout="NZ")
    src = tile("float", 16, 16, (2, 9), nz=True)

    def source(self):
        values = np.zeros(256, "<f4")
        for r in range(2):
            for c in range(16):
                values[(c // 8) * 128 + r * 8 + c % 8] = 100 * r + c + 1
        return values

    def test_rows(self):
        call = mscatter(self.table, self.src, tile("int32_t", 1, 8, (1, 2)), "Row", oob="Skip")
        idx = array("int32_t", 25, 32, 0, 0, 0, 0, 0, 0)
        for reading, columns in (("moved", 16), ("kept", 9)):
            found = scatter(
                "a2a3", call, np.zeros(512, "<f4"), self.source(), idx, readings={"nz-row-columns": reading}
            )
            # Row 25 is row 9 of block row 1, 128 + 72 into a block column of 256; row 32 is skipped.
            self.assertEqual(found[200:208], [1, 2, 3, 4, 5, 6, 7, 8], reading)
            self.assertEqual(found[456:464], [9 + k if 8 + k < columns else 0 for k in range(8)], reading)
            self.assertEqual(np.count_nonzero(found), columns, reading)

    def test_elements(self):
        call = mscatter(self.table, self.src, tile("int32_t", 2, 16, (2, 9)), "Elem")
        idx = np.zeros(32, "<i4")
        idx[0:9] = range(17 * 16 + 7, 17 * 16 + 16)  # (17,7)..(17,15)
        idx[16:25] = range(9)
        found = scatter("a2a3", call, np.zeros(512, "<f4"), self.source(), idx)
        self.assertEqual(found[143], 1)
        self.assertEqual(found[392:400], [2, 3, 4, 5, 6, 7, 8, 9])
        self.assertEqual(found[0:8], [101, 102, 103, 104, 105, 106, 107, 108])
        self.assertEqual(found[256], 109)

    def test_order_of_the_walk(self):
        # (0,8) stands in block column 1, so the walk comes to it after (1,0).
        call = mscatter(self.table, self.src, tile("int32_t", 2, 16, (2, 9)), "Elem")
        idx = np.zeros(32, "<i4")
        idx[0:9] = [20, 21, 22, 23, 24, 25, 26, 27, 5]
        idx[16:25] = [5, 28, 29, 30, 31, 32, 33, 34, 35]
        walk = scatter("a2a3", call, np.zeros(512, "<f4"), self.source(), idx)
        self.assertEqual(walk[5], 9)
        reading = {"nz-elem-order": "coordinate"}
        self.assertEqual(scatter("a2a3", call, np.zeros(512, "<f4"), self.source(), idx, readings=reading)[5], 101)


class FirstRevision(unittest.TestCase):
    def call(self, src, idx, **how):
        table = tensor("int32_t", [4, 2])
        return {"form": "mscatter-first", "table": table, "src": src, "idx": idx, "atomic": "None",
                "oob": "Undefined", "launch": {}, **how}  # fmt: skip

    def test_rows(self):
        call = self.call(tile("int32_t", 2, 2), tile("int32_t", 2, 1), oob="Clamp")
        found = scatter("a5", call, np.zeros(8, "<i4"), array("int32_t", 1, 2, 3, 4), array("int32_t", 9, 0))
        self.assertEqual(found, [3, 4, 0, 0, 0, 0, 1, 2])

    def test_elements(self):
        call = self.call(tile("int32_t", 2, 2), tile("int32_t", 2, 2), oob="Wrap", atomic="Add")
        found = scatter("a5", call, np.ones(8, "<i4"), array("int32_t", 1, 2, 3, 4), array("int32_t", 7, 15, 8, 1))
        self.assertEqual(found, [4, 5, 1, 1, 1, 1, 1, 4])

    def test_readings(self):
        one = tile("int32_t", 3, 1)
        table = tensor("int32_t", [2, 1])
        call = self.call(one, one, table=table, oob="Skip")
        src, idx = array("int32_t", 1, 2, 3), array("int32_t", 0, 0, 1)
        self.assertEqual(scatter("a5", call, np.zeros(2, "<i4"), src, idx, order="reversed"), [1, 3])
        last = {"first-conflict": "last"}
        self.assertEqual(scatter("a5", call, np.zeros(2, "<i4"), src, idx, order="reversed", readings=last), [2, 3])
        # One column each: index 5 is no row of four, and it is an element of eight.
        column = self.call(one, one, oob="Skip")
        at_5 = array("int32_t", 0, 9, 5)
        self.assertEqual(scatter("a5", column, np.zeros(8, "<i4"), src, at_5), [1] + [0] * 7)
        elem = {"first-mode": "elem"}
        self.assertEqual(scatter("a5", column, np.zeros(8, "<i4"), src, at_5, readings=elem), [1, 0, 0, 0, 0, 3, 0, 0])
        wide = self.call(tile("int32_t", 2, 2), tile("int32_t", 2, 1), oob="Wrap")
        src, idx = array("int32_t", 1, 2, 3, 4), array("int32_t", 5, 1)
        rows = scatter("a5", wide, np.zeros(8, "<i4"), src, idx)
        self.assertEqual(rows, [0, 0, 3, 4, 0, 0, 0, 0])
        # Under `elements` 5 is below 8, so it stays, and its row lies behind the table.
        _, regions = answer(
            "a5", wide, {"table": np.zeros(8, "<i4"), "source": src, "index": idx},
            readings={"first-row-capacity": "elements"},
        )  # fmt: skip
        self.assertEqual(np.frombuffer(regions["table"], "<i4")[[10, 11, 18]].tolist(), [3, 4, 1])


if __name__ == "__main__":
    unittest.main()
