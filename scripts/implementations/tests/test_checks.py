"""What each target rejects, and that it rejects no more."""

import unittest

from ptoimpl import checks, words
from ptoimpl.readings import in_force

from .build import mgather, mscatter, tensor, tile


def clause(target, call, **readings):
    """The clause of the first rejection, None where the call is accepted."""
    readings = {name.replace("_", "-"): answer for name, answer in readings.items()}
    found = checks.rejection(words.Call(call), target, in_force(readings))
    return None if found is None else found[0]


def elem(dtype="float", idx="int32_t", table=None, src=None, index=None, **how):
    """An Elem scatter of 8x32 that all targets accept unless something is put in."""
    return mscatter(
        table or tensor(dtype, [256]), src or tile(dtype, 8, 32), index or tile(idx, 8, 32), "Elem", **how
    )


def row(rows=8, cols=32, idx=None, dtype="float", table=None, src=None, **how):
    """A Row scatter that A2/A3 and A5 accept unless something is put in."""
    idx = idx or tile("int32_t", 1, 8, (1, rows))
    return mscatter(table or tensor(dtype, [64, cols]), src or tile(dtype, rows, cols), idx, "Row", **how)


class Mscatter(unittest.TestCase):
    def rejected(self, call, cpu=None, a2a3=None, a5=None, **readings):
        for target, expected in (("cpu", cpu), ("a2a3", a2a3), ("a5", a5)):
            self.assertEqual(clause(target, call, **readings), expected, target)

    def test_good_calls_pass(self):
        self.rejected(elem())
        self.rejected(row())

    def test_types(self):
        self.rejected(elem("int64_t"), a2a3="MSCATTER-DTYPE-07", a5="MSCATTER-DTYPE-09")
        self.rejected(elem("hifloat8_t"), a2a3="MSCATTER-DTYPE-08")
        self.rejected(elem(idx="int16_t"), a2a3="MSCATTER-DTYPE-03", a5="MSCATTER-DTYPE-03")
        self.rejected(elem(idx="float"), "MSCATTER-DTYPE-04", "MSCATTER-DTYPE-03", "MSCATTER-DTYPE-03")
        other = elem(table=tensor("int32_t", [256]))
        self.rejected(other, a2a3="MSCATTER-DTYPE-11", a5="MSCATTER-DTYPE-11")
        wider = elem(table=tensor("half", [256]))
        self.rejected(wider, "MSCATTER-DTYPE-05", "MSCATTER-DTYPE-11", "MSCATTER-DTYPE-11")

    def test_atomics(self):
        add = {"half": (None, None), "bfloat16_t": (None, None), "int8_t": (None, "MSCATTER-ATOM-12"),
               "uint32_t": ("MSCATTER-ATOM-09", None), "uint8_t": ("MSCATTER-ATOM-09", "MSCATTER-ATOM-12")}  # fmt: skip
        for dtype, (a2a3, a5) in add.items():
            self.rejected(elem(dtype, atomic="Add"), a2a3=a2a3, a5=a5)
        self.rejected(elem("uint32_t", atomic="Max"), a2a3="MSCATTER-ATOM-10")
        self.rejected(elem("half", atomic="Max"), a2a3="MSCATTER-ATOM-10", a5="MSCATTER-ATOM-13")
        self.rejected(elem("half", atomic="Min"), a2a3="MSCATTER-ATOM-10", a5="MSCATTER-ATOM-14")

    def test_places_and_layouts(self):
        self.rejected(elem(src=tile("float", 8, 32, mat=True)), a2a3="MSCATTER-TILE-01", a5="MSCATTER-TILE-01")
        self.rejected(
            elem(index=tile("int32_t", 8, 32, mat=True)), a2a3="MSCATTER-TILE-02", a5="MSCATTER-TILE-02"
        )
        self.rejected(elem(index=tile("int32_t", 8, 32, col=True)), a2a3="MSCATTER-TILE-06")
        self.rejected(elem(src=tile("float", 8, 32, col=True)), a2a3="MSCATTER-TILE-07")
        self.rejected(elem(table=tensor("float", [1, 1, 16, 16, 8], layout="NZ")), a2a3="MSCATTER-TILE-08")
        self.rejected(elem(table=tensor("float", [256], layout="DN")), a2a3="MSCATTER-GAP-20")

    def test_padded_width(self):
        self.rejected(elem("int16_t", src=tile("int16_t", 8, 24), index=tile("int32_t", 8, 24)), a2a3="MSCATTER-ALIGN-01")

    def test_row_shapes(self):
        column = row(idx=tile("int32_t", 8, 1, col=True))
        self.rejected(column, a2a3="MSCATTER-TILE-06")
        upright = row(idx=tile("int32_t", 8, 8, (8, 1)))
        self.rejected(upright, a2a3="MSCATTER-SHAPE-01")
        self.rejected(upright, a2a3="MSCATTER-SHAPE-01", a5="MSCATTER-GAP-36", row_index_pitch="rejected")
        self.rejected(row(), row_index_pitch="rejected")
        self.rejected(column, a2a3="MSCATTER-TILE-06", row_index_pitch="rejected")
        dense = row(idx=tile("int32_t", 8, 1))
        self.rejected(dense, a2a3="MSCATTER-SHAPE-01", row_index_pitch="rejected")
        sparse = row(idx=tile("int32_t", 2, 8, (1, 8), col=True))
        self.rejected(sparse, a2a3="MSCATTER-TILE-06", a5="MSCATTER-GAP-36", row_index_pitch="rejected")
        one = row(1, idx=tile("int32_t", 1, 8, (1, 1)))
        self.rejected(one, row_index_pitch="rejected")
        few = row(idx=tile("int32_t", 1, 8, (1, 7)))
        self.rejected(few, a2a3="MSCATTER-SHAPE-01", a5="MSCATTER-SHAPE-04")
        self.rejected(row(table=tensor("float", [64, 40])), a5="MSCATTER-TABLE-07")
        self.rejected(row(table=tensor("float", [64, 40], dynamic=(4,))))

    def test_elem_shapes(self):
        self.rejected(
            elem(index=tile("int32_t", 8, 32, (8, 31))), a2a3="MSCATTER-SHAPE-02", a5="MSCATTER-SHAPE-02"
        )
        self.rejected(elem(index=tile("int32_t", 8, 32, (8, 31), (False, True))))
        # The width of the table concerns Row only, unless read otherwise.
        self.rejected(elem(), a5="MSCATTER-GAP-12", width_check="both")

    def test_extents_are_static_unless_marked(self):
        call = elem(index=tile("int32_t", 8, 32, (8, 31)))
        del call["src"]["valid_dynamic"], call["idx"]["valid_dynamic"]
        self.rejected(call, a2a3="MSCATTER-SHAPE-02", a5="MSCATTER-SHAPE-02")

    def test_nothing_valid(self):
        none = elem(src=tile("float", 8, 32, (0, 32)), index=tile("int32_t", 8, 32, (0, 32)))
        self.rejected(none, a2a3="MSCATTER-SHAPE-03", a5="MSCATTER-SHAPE-03")
        late = (True, False)
        self.rejected(elem(src=tile("float", 8, 32, (0, 32), late), index=tile("int32_t", 8, 32, (0, 32), late)))

    def test_nz(self):
        def nz(shape, rows=16, cols=16, dynamic=()):
            return row(rows, cols, tile("int32_t", 1, 64, (1, rows)),
                       table=tensor("float", shape, layout="NZ", dynamic=dynamic),
                       src=tile("float", rows, cols, nz=True))  # fmt: skip

        def check(call, expected, **readings):
            self.assertEqual(clause("a2a3", call, **readings), expected)

        check(nz([1, 2, 2, 16, 8]), None)
        check(nz([1, 2, 2, 8, 8]), "MSCATTER-NZ-04")
        check(nz([1, 2, 2, 16, 16]), "MSCATTER-NZ-05")
        check(nz([1, 2, 2, 16, 8], 16, 12), "MSCATTER-NZ-06")
        check(nz([1, 2, 2, 16, 8], 8), "MSCATTER-NZ-07")
        check(nz([1, 2, 2, 8, 16], dynamic=(3, 4)), None)
        check(nz([1, 2, 2, 16, 8], dynamic=(3,)), "MSCATTER-GAP-27", nz_dynamic="rejected")

    def test_first_revision(self):
        def first(dtype="float", idx=None, atomic="None"):
            return {"form": "mscatter-first", "table": tensor(dtype, [64, 8]), "src": tile(dtype, 4, 8),
                    "idx": idx or tile("int32_t", 4, 8), "atomic": atomic, "oob": "Skip", "launch": {}}  # fmt: skip

        elsewhere = {"cpu": "MSCATTER0-API-01", "a2a3": "MSCATTER0-API-01"}
        self.rejected(first(), **elsewhere)
        self.rejected(first(idx=tile("int32_t", 4, 1)), **elsewhere)
        self.rejected(first("hifloat8_t"), a5="MSCATTER0-DTYPE-01", **elsewhere)
        self.rejected(first("bfloat16_t", atomic="Add"), a5="MSCATTER0-ATOM-03", **elsewhere)
        self.rejected(first("uint32_t", atomic="Min"), a5="MSCATTER0-ATOM-05", **elsewhere)
        self.rejected(first("int32_t", atomic="Min"), **elsewhere)
        self.rejected(first("uint32_t", atomic="Max"), a5="MSCATTER0-ATOM-04", **elsewhere)
        self.rejected(first(idx=tile("int32_t", 8, 8)), a5="MSCATTER0-SHAPE-01", **elsewhere)
        self.rejected(first(idx=tile("int32_t", 4, 4)), a5="MSCATTER0-MODE-01", **elsewhere)


class Mgather(unittest.TestCase):
    rejected = Mscatter.rejected

    def test_to_ub(self):
        def row_of(idx, **how):
            return mgather(tile("float", 8, 32), tensor("float", [64, 32]), idx, "Row", **how)

        self.rejected(row_of(tile("int32_t", 1, 8)))
        bad = row_of(tile("int32_t", 8, 32))
        self.rejected(bad, "MGATHER-MODE-06", "MGATHER-MODE-02", "MGATHER-MODE-04")
        late = row_of(tile("int32_t", 8, 32, dynamic=(True, True)))
        self.rejected(late)
        wide = mgather(tile("float", 8, 32), tensor("float", [64, 40]), tile("int32_t", 1, 8), "Row")
        self.rejected(wide, a5="MGATHER-TABLE-07")
        sizes = mgather(tile("float", 8, 32), tensor("half", [64]), tile("int32_t", 8, 32))
        self.rejected(sizes, "MGATHER-DTYPE-04", "MGATHER-DTYPE-11", "MGATHER-DTYPE-11")
        shape = mgather(tile("float", 8, 32), tensor("float", [64]), tile("int32_t", 8, 32, (7, 32)))
        self.rejected(shape, a2a3="MGATHER-MODE-05", a5="MGATHER-MODE-05")
        self.rejected(
            mgather(tile("float8_e5m2_t", 8, 32), tensor("float8_e5m2_t", [64]), tile("int32_t", 8, 32)),
            a2a3="MGATHER-DTYPE-07",
        )

    def test_to_l1(self):
        def l1(dtype="float", dst=None, mode="Row", exec_="Scalar", scratch=None, layout="ND"):
            return {
                "form": "mgather-l1", "dst": dst or tile(dtype, 16, 32, nz=True, mat=True),
                "table": tensor(dtype, [64, 32], layout=layout), "idx": tensor("int32_t", [16]), "mode": mode,
                "oob": "Zero", "exec": exec_, "launch": {}, **({"scratch": scratch} if scratch else {}),
            }  # fmt: skip

        def npus(call, expected):
            self.rejected(call, a2a3=expected, a5=expected)

        scratch = tensor("float", [512])
        npus(l1(), None)
        npus(l1(mode="Elem", scratch=scratch), None)
        npus(l1(scratch=scratch), "MGATHERL1-GAP-05")
        npus(l1(mode="Elem"), "MGATHERL1-GAP-05")
        npus(l1(mode="Elem", scratch=tensor("half", [512])), "MGATHERL1-SCRATCH-01")
        npus(l1(layout="NZ"), "MGATHERL1-TABLE-01")
        npus(l1(dst=tile("float", 16, 32, nz=True)), "MGATHERL1-TILE-01")
        npus(l1(dst=tile("float", 16, 12, nz=True, mat=True)), "MGATHERL1-TILE-02")
        npus(l1(dst=tile("float", 8, 32, nz=True, mat=True)), "MGATHERL1-TILE-03")
        npus(l1(dst=tile("float", 24, 32, nz=True, mat=True)), "MGATHERL1-TILE-03")
        self.rejected(l1("int64_t"), a2a3="MGATHERL1-DTYPE-01", a5="MGATHERL1-DTYPE-02")
        self.rejected(l1("hifloat8_t"), a2a3="MGATHERL1-DTYPE-01")
        self.rejected(l1(exec_="Simt"), a2a3="MGATHERL1-EXEC-03", a5="MGATHERL1-GAP-06")
        self.rejected(l1(mode="Elem", exec_="Simt", scratch=scratch), a2a3="MGATHERL1-EXEC-03")


class OnChip(unittest.TestCase):
    rejected = Mscatter.rejected

    def test_tscatter_by_index(self):
        def index(dtype, idx, src=None, dst=None):
            return {"form": "tscatter-index", "dst": dst or tile(dtype, 4, 32), "src": src or tile(dtype, 4, 32),
                    "idx": tile(idx, 4, 32)}  # fmt: skip

        def npus(call, expected):
            self.rejected(call, a2a3=expected, a5=expected)

        npus(index("int8_t", "uint16_t"), None)
        npus(index("int8_t", "uint32_t"), "TSCATTER-DTYPE-07")
        npus(index("half", "int32_t"), "TSCATTER-DTYPE-06")
        npus(index("float", "uint16_t"), "TSCATTER-DTYPE-05")
        npus(index("float", "int64_t"), "TSCATTER-DTYPE-04")
        npus(index("float", "int32_t", tile("int32_t", 4, 32)), "TSCATTER-DTYPE-03")
        npus(index("float", "int32_t", tile("float", 4, 32, mat=True)), "TSCATTER-TILE-01")
        npus(index("float", "int32_t", tile("float", 4, 32, (5, 32))), "TSCATTER-SHAPE-01")
        npus(index("float", "int32_t", tile("float", 4, 32, (5, 32), (True, False))), None)
        wide = index("int64_t", "int32_t")
        self.rejected(wide, a2a3="TSCATTER-DTYPE-01", a5="TSCATTER-DTYPE-02")
        self.rejected(wide, a2a3="TSCATTER-DTYPE-01", scope="as-the-suite")

    def test_tscatter_by_mask(self):
        def mask(pattern="P1010", cols=64, axis="Row", dtype="half", rows=16):
            return {"form": "tscatter-mask", "dst": tile(dtype, rows, cols), "src": tile(dtype, 16, 32),
                    "pattern": pattern, "axis": axis}  # fmt: skip

        elsewhere = {"cpu": "TSCATTER-MODE-02", "a2a3": "TSCATTER-MODE-02"}
        self.rejected(mask(), **elsewhere)
        self.rejected(mask(), scope="as-the-suite")
        self.rejected(mask(cols=128), a5="TSCATTER-SHAPE-03", **elsewhere)
        self.rejected(mask("P0100", 128), **elsewhere)
        self.rejected(mask(rows=8), a5="TSCATTER-SHAPE-02", **elsewhere)
        self.rejected(mask(dtype="hifloat8_t"), a5="TSCATTER-DTYPE-08", **elsewhere)
        column = mask(cols=32, axis="Col", rows=32)
        self.rejected(column, "TSCATTER-SHAPE-02", "TSCATTER-SHAPE-02", "TSCATTER-SHAPE-02")
        away = dict(mask(), src=tile("half", 16, 32, mat=True))
        self.rejected(away, a5="TSCATTER-TILE-02", **elsewhere)
        # CPU has no rules of its own for a form that only the suites give it.
        self.rejected(mask(cols=128), None, "TSCATTER-SHAPE-03", "TSCATTER-SHAPE-03", scope="as-the-suite")
        self.rejected(column, a2a3="TSCATTER-SHAPE-02", a5="TSCATTER-SHAPE-02", scope="as-the-suite")

    def test_tgatherb(self):
        def offsets(dst):
            return {"form": "tgatherb", "dst": dst, "src": tile("float", 4, 32), "offset": tile("uint32_t", 4, 32)}

        self.rejected(offsets(tile("float", 4, 32)))
        self.rejected(offsets(tile("float", 4, 32, col=True)), a2a3="TGATHERB-TILE-01")
        self.rejected(offsets(tile("uint64_t", 4, 32)), a2a3="TGATHERB-DTYPE-01", a5="TGATHERB-DTYPE-02")
        self.rejected(offsets(tile("hifloat8_t", 4, 32)), a2a3="TGATHERB-DTYPE-03", a5="TGATHERB-DTYPE-04")


if __name__ == "__main__":
    unittest.main()
