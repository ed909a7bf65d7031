"""MGATHER to UB and to L1."""

import unittest

import numpy as np

from .build import answer, array, mgather, run, tensor, tile

TARGETS = ("cpu", "a2a3", "a5")


def gather(target, call, dst, table, idx, **how):
    """The destination afterwards."""
    return run(target, call, {"destination": dst, "table": table, "index": idx}, "destination", **how).tolist()


class Elements(unittest.TestCase):
    table = array("int32_t", 10, 11, 12, 13, 14, 15)

    def go(self, target, indices, **how):
        readings = how.pop("readings", None)
        call = mgather(
            tile("int32_t", 1, 8, (1, 4)), tensor("int32_t", [2, 3]), tile("int32_t", 1, 8, (1, 4)), **how
        )
        idx = array("int32_t", *indices, 5, 5, 5, 5)
        return gather(target, call, array("int32_t", *[7] * 8), self.table, idx, readings=readings)

    def test_each_slot_is_fed_and_padding_is_kept(self):
        for target in TARGETS:
            self.assertEqual(self.go(target, [5, 0, 3, 3]), [15, 10, 13, 13, 7, 7, 7, 7], target)

    def test_policies(self):
        indices = [6, 1, 13, -1]
        for target in TARGETS:
            self.assertEqual(self.go(target, indices, oob="Clamp")[:4], [15, 11, 15, 15], target)
            self.assertEqual(self.go(target, indices, oob="Wrap")[:4], [10, 11, 11, 13], target)
            self.assertEqual(self.go(target, indices, oob="Zero")[:4], [0, 11, 0, 0], target)

    def test_negative_indices_under_the_other_readings(self):
        intended = {"negative-index": "intended"}
        self.assertEqual(self.go("a5", [0, 1, 2, -1], oob="Clamp", readings=intended)[3], 10)
        self.assertEqual(self.go("a5", [0, 1, 2, -1], oob="Wrap", readings=intended)[3], 15)
        self.assertEqual(self.go("cpu", [0, 1, 2, -1], oob="Clamp", readings=intended)[3], 15)
        # Signed, -1 passes the test for zero and reads the guard zone before the table.
        signed = {"negative-index": "signed"}
        self.assertEqual(self.go("a2a3", [0, 1, 2, -1], oob="Zero", readings=signed)[3], -0x5A5A5A5B)

    def test_an_index_may_count_bytes(self):
        byte = {"index-unit": "byte"}
        for target in TARGETS:
            self.assertEqual(self.go(target, [20, 0, 12, 12], readings=byte)[:4], [15, 10, 13, 13], target)
            # Four bytes before the table: element -1, which is 2^32 - 1, and 3 modulo 6.
            self.assertEqual(self.go(target, [24, 4, 28, -4], oob="Wrap", readings=byte)[:4], [10, 11, 11, 13])
        byte["negative-index"] = "intended"
        self.assertEqual(self.go("a5", [0, 4, 8, -4], oob="Clamp", readings=byte)[3], 10)

    def test_rows_are_counted_whatever_the_unit(self):
        call = mgather(tile("int32_t", 1, 8, (1, 3)), tensor("int32_t", [2, 3]), tile("int32_t", 1, 8, (1, 1)), mode="Row")
        found = gather("a5", call, array("int32_t", *[7] * 8), self.table, array("int32_t", *[1] * 8), readings={"index-unit": "byte"})
        self.assertEqual(found[:3], [13, 14, 15])

    def test_undefined_spoils_its_own_slot_only(self):
        self.assertEqual(self.go("a5", [1, 1 << 30, 2, 3])[:4], [11, -0x11111112, 12, 13])

    def test_bits_are_kept(self):
        # A signalling NaN, a subnormal, -0.0.
        bits = array("uint16_t", 0x7C01, 0x0001, 0x8000, 0x3C00)
        call = mgather(tile("half", 1, 16, (1, 3)), tensor("half", [1, 4]), tile("int32_t", 1, 8, (1, 3)))
        found = gather("a5", call, np.zeros(16, "<u2"), bits, array("int32_t", 0, 1, 2, 0, 0, 0, 0, 0))
        self.assertEqual(found[:3], [0x7C01, 0x0001, 0x8000])

    def test_an_element_of_an_nz_table(self):
        table = tensor("float", [1, 2, 2, 16, 8], layout="NZ")
        call = mgather(tile("float", 16, 16, (1, 9), nz=True), table, tile("int32_t", 1, 16, (1, 9)))
        idx = array("int32_t", *range(17 * 16 + 7, 17 * 16 + 16), *[0] * 7)
        found = gather("a2a3", call, np.zeros(256, "<f4"), np.arange(512, dtype="<f4"), idx)
        # (17,7) stands at 143, (17,8)..(17,15) at 392..399; column 8 of the tile is in its block column 1.
        self.assertEqual(found[:8], [143, 392, 393, 394, 395, 396, 397, 398])
        self.assertEqual(found[128], 399)
        self.assertEqual(np.count_nonzero(found), 9)


class Rows(unittest.TestCase):
    table = np.arange(10, 22, dtype="<i4")  # four rows of three

    def go(self, target, indices, table=None, words=None, idx=None, **how):
        readings = how.pop("readings", None)
        words = words or tensor("int32_t", [4, 3])
        call = mgather(
            tile("int32_t", 2, 8, (2, 3)), words, idx or tile("int32_t", 1, 8, (1, 2)), "Row", **how
        )
        index = array("int32_t", *indices, *[0] * (8 - len(indices)))
        table = self.table if table is None else table
        return gather(target, call, array("int32_t", *[7] * 16), table, index, readings=readings)

    def test_rows_come_whole_and_padding_is_kept(self):
        for target in TARGETS:
            self.assertEqual(self.go(target, [3, 1]), [19, 20, 21] + [7] * 5 + [13, 14, 15] + [7] * 5, target)

    def test_zero_fills_the_valid_columns_of_the_row(self):
        for target in TARGETS:
            found = self.go(target, [4, 1], oob="Zero")
            self.assertEqual(found, [0, 0, 0] + [7] * 5 + [13, 14, 15] + [7] * 5, target)

    def test_zero_fills_the_whole_tile_where_asked(self):
        found = self.go("a2a3", [4, 1], oob="Zero", readings={"nd-zero-fill": "whole-tile"})
        self.assertEqual(found, [0] * 8 + [13, 14, 15] + [0] * 5)

    def test_row_distance_is_each_targets_own(self):
        # Rows of three elements, five apart.
        words = tensor("int32_t", [4, 3], [20, 20, 20, 5, 1])
        table = np.arange(10, 28, dtype="<i4")
        self.assertEqual(self.go("a2a3", [1, 3], table, words)[:3], [15, 16, 17])
        self.assertEqual(self.go("a5", [1, 3], table, words)[:3], [13, 14, 15])
        self.assertEqual(self.go("cpu", [1, 3], table, words)[:3], [13, 14, 15])
        strided = {"cpu-padded-table": "strided"}
        self.assertEqual(self.go("cpu", [1, 3], table, words, readings=strided)[:3], [15, 16, 17])

    def test_row_capacity_is_each_targets_own(self):
        words = tensor("int32_t", [2, 2, 3])
        self.assertEqual(self.go("a2a3", [3, 9], words=words, oob="Clamp")[8:11], [19, 20, 21])
        for target in ("cpu", "a5"):
            self.assertEqual(self.go(target, [3, 9], words=words, oob="Clamp")[:3], [13, 14, 15], target)

    def test_a_column_of_indices(self):
        for target in ("cpu", "a5"):
            found = self.go(target, [2, 0], idx=tile("int32_t", 2, 1, col=True))
            self.assertEqual(found[8:11], [10, 11, 12], target)

    def test_nz_zero_clears_the_tile_first(self):
        table = tensor("float", [1, 1, 2, 16, 8], layout="NZ")
        call = mgather(tile("float", 16, 8, (2, 8), nz=True), table, tile("int32_t", 1, 8, (1, 2)), "Row", "Zero")
        idx = array("int32_t", 32, 17, 0, 0, 0, 0, 0, 0)
        found = gather("a2a3", call, np.full(128, 7, "<f4"), np.arange(256, dtype="<f4"), idx)
        self.assertEqual(found, [0] * 8 + list(range(136, 144)) + [0] * 112)

    def test_nz_batches_extend_the_columns(self):
        # Two batches of one block column each, one block row.
        table = tensor("float", [2, 1, 1, 16, 8], layout="NZ")
        call = mgather(tile("float", 16, 16, (1, 16), nz=True), table, tile("int32_t", 1, 8, (1, 1)), "Row")
        found = gather("a2a3", call, np.zeros(256, "<f4"), np.arange(256, dtype="<f4"), array("int32_t", *[3] * 8))
        self.assertEqual(found[:8], list(range(24, 32)))
        self.assertEqual(found[128:136], list(range(152, 160)))


class L1(unittest.TestCase):
    # 16x16 floats with 2x9 valid: block column 1 begins at element 128.
    dst = tile("float", 16, 16, (2, 9), nz=True, mat=True)

    def go(self, target, indices, mode="Row", oob="Undefined", exec_="Scalar", words=None, idx=None, readings=None):
        rows = mode == "Row"
        words = words or tensor("float", [4, 9])
        call = {
            "form": "mgather-l1", "dst": self.dst, "table": words, "mode": mode, "oob": oob, "exec": exec_,
            "idx": idx or tensor("int32_t", [1, 2] if rows else [2, 9]), "launch": {},
        }  # fmt: skip
        operands = {
            "destination": np.full(256, 7, "<f4"),
            "table": np.arange(10, 10 + 9 * 4, dtype="<f4"),
            "index": np.array(indices, "<i4"),
        }
        if not rows:
            call["scratch"] = tensor("float", [256])
            operands["scratch"] = np.full(260, 5, "<f4")
        header, regions = answer(target, call, operands, readings=readings)
        self.assertEqual(header["kind"], "done", header)
        return {role: np.frombuffer(raw[32:-32], "<f4").tolist() for role, raw in regions.items()}

    def test_rows_fill_up_their_last_block(self):
        for target in ("a2a3", "a5"):
            found = self.go(target, [3, 0])["destination"]
            self.assertEqual(found[:16], list(range(37, 45)) + list(range(10, 18)))
            self.assertEqual(found[16:128], [7] * 112)
            self.assertEqual(found[128:144], [45] + [0] * 7 + [18] + [0] * 7)
            self.assertEqual(found[144:], [7] * 112)
        found = self.go("a5", [3, 0], readings={"l1-row-padding": "kept"})["destination"]
        self.assertEqual(found[128:144], [45] + [7] * 7 + [18] + [7] * 7)

    def test_a_valid_region_wider_than_the_tile_does_no_harm(self):
        words = dict(self.dst, valid=[2, 17], valid_dynamic=[False, True])
        call = {
            "form": "mgather-l1", "dst": words, "table": tensor("float", [4, 17]), "mode": "Row",
            "oob": "Undefined", "exec": "Scalar", "idx": tensor("int32_t", [2]), "launch": {},
        }  # fmt: skip
        operands = {"destination": np.zeros(256, "<f4"), "table": np.ones(68, "<f4"), "index": np.zeros(2, "<i4")}
        self.assertEqual(answer("a5", call, operands)[0]["kind"], "done")

    def test_rows_zero_the_tile_first_under_zero(self):
        found = self.go("a2a3", [4, 0], oob="Zero")["destination"]
        self.assertEqual(found[:16], [0] * 8 + list(range(10, 18)))
        self.assertEqual(found[128:144], [0] * 8 + [18] + [0] * 7)
        self.assertEqual(found[144:], [0] * 112)

    def test_rows_go_by_the_stride_on_both(self):
        words = tensor("float", [3, 9], [33, 33, 33, 12, 1])
        for target in ("a2a3", "a5"):
            self.assertEqual(self.go(target, [2, 1], words=words)["destination"][8:16], list(range(22, 30)))

    def test_elements_are_staged_as_an_nz_image(self):
        indices = [*range(9), 35, 36, *range(20, 27)]
        for exec_ in ("Scalar", "Simt"):
            found = self.go("a5", indices, "Elem", "Zero", exec_)
            image = [0.0] * 256
            image[:16] = [*range(10, 18), 45, 0, *range(30, 36)]
            image[128], image[136] = 18, 36
            self.assertEqual(found["destination"], image, exec_)
            self.assertEqual(found["scratch"], image + [5] * 4, exec_)

    def test_a_tile_that_is_not_square(self):
        call = {
            "form": "mgather-l1", "dst": tile("float", 32, 8, nz=True, mat=True), "table": tensor("float", [4]),
            "idx": tensor("int32_t", [32, 8], [1, 1, 1, 9, 1]), "mode": "Elem", "oob": "Undefined", "exec": "Scalar",
            "scratch": tensor("float", [256]), "launch": {},
        }  # fmt: skip
        index = np.zeros(31 * 9 + 8, "<i4")
        index[31 * 9 + 7] = 3
        operands = {
            "destination": np.zeros(256, "<f4"), "table": np.arange(1, 5, dtype="<f4"), "index": index,
            "scratch": np.zeros(300, "<f4"),
        }  # fmt: skip
        found = run("a5", call, operands, "scratch", readings={"l1-index-pitch": "strided"}).tolist()
        self.assertEqual(found, [1] * 255 + [4] + [0] * 44)

    def test_scratch_shows_where_it_is_not_zeroed(self):
        reading = {"l1-scratch-zero": "zero-only"}
        for target, exec_, padding in (("a2a3", "Scalar", 5), ("a5", "Simt", 0)):
            found = self.go(target, [0] * 18, "Elem", "Clamp", exec_, readings=reading)["destination"]
            self.assertEqual(found[16], padding, exec_)
            self.assertEqual(found[15], 10)

    def test_indices_are_read_one_by_one_or_by_their_strides(self):
        idx = tensor("int32_t", [1, 2], [4, 4, 4, 4, 3])
        linear = self.go("a2a3", [0, 1, 2, 3], idx=idx)["destination"][8]
        strided = self.go("a2a3", [0, 1, 2, 3], idx=idx, readings={"l1-index-pitch": "strided"})["destination"][8]
        self.assertEqual((linear, strided), (19, 37))

    def test_cpu_fills_the_valid_region_in_the_suites_scope(self):
        suite = {"scope": "as-the-suite"}
        found = self.go("cpu", [3, 9], oob="Zero", readings=suite)["destination"]
        self.assertEqual(found[:16], list(range(37, 45)) + [0] * 8)
        self.assertEqual(found[128:138], [45] + [7] * 7 + [0, 7])


if __name__ == "__main__":
    unittest.main()
