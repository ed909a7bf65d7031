"""What A5 rejects at compile time."""

from . import common

TWELVE = common.NINE | common.SMALL_FLOATS
ELEVEN = common.NINE | {"float8_e4m3_t", "float8_e5m2_t"}
WITH_64_BITS = common.NINE | {"int64_t", "uint64_t"}


def _modes(call, data, readings, row, elem, width, pitch):
    """Valid extents of the index tile, and the table's width, against those of the data.

    `width` has two clauses: that of Row mode, and the gap by which Elem mode has the check too.
    """
    if call.mode == "Row":
        if not common.row_or_column(call.idx, data.known[0]):
            yield row, f"{data.known[0]} rows with an index tile of {call.idx.known}"
        if readings["row-index-pitch"] == "rejected" and common.gap_in_row_indices(call.idx):
            yield pitch, "row indices that do not follow each other"
    elif not common.same_valid(call.idx, data):
        yield elem, f"valid {data.known} with an index tile of {call.idx.known}"
    if call.mode == "Row" or readings["width-check"] == "both":
        if not common.may_equal(call.table.known[4], data.known[1]):
            clause = width[call.mode == "Elem"]
            yield clause, f"Shape[4] is {call.table.known[4]}, ValidCol {data.known[1]}"


def mscatter(call, readings):
    """MSCATTER: MScatterCheck."""
    src = call.src
    dtype = src.dtype.name
    if dtype not in TWELVE:
        yield "MSCATTER-DTYPE-09", dtype
    yield from common.operands(src, call.table, call.idx, "MSCATTER-DTYPE-03", "MSCATTER-DTYPE-11")
    yield from common.in_vec(("MSCATTER-TILE-01", "MSCATTER-TILE-02"), (src, call.idx))
    if call.atomic == "Add" and dtype not in common.ADD_A5:
        yield ("MSCATTER-ATOM-12" if dtype in TWELVE else "MSCATTER-ATOM-11"), f"Add with {dtype}"
    if call.atomic == "Max" and dtype not in common.MAX_A5:
        yield "MSCATTER-ATOM-13", f"Max with {dtype}"
    if call.atomic == "Min" and dtype not in common.MAX_A5:
        yield "MSCATTER-ATOM-14", f"Min with {dtype}"
    yield from _modes(
        call, src, readings,
        "MSCATTER-SHAPE-04", "MSCATTER-SHAPE-02", ("MSCATTER-TABLE-07", "MSCATTER-GAP-12"),
        "MSCATTER-GAP-36",
    )  # fmt: skip
    yield from common.not_empty("MSCATTER-SHAPE-03", src)


def mscatter_first(call, readings):
    """MSCATTER, first revision: the rules of document 003."""
    src, idx, dtype = call.src, call.idx, call.src.dtype.name
    if dtype not in ELEVEN:
        yield "MSCATTER0-DTYPE-01", dtype
    yield from common.operands(src, call.table, idx, "MSCATTER0-DTYPE-02", "MSCATTER0-DTYPE-03")
    yield from common.in_vec(("MSCATTER0-TILE-01", "MSCATTER0-TILE-02"), (src, idx))
    if call.atomic == "Add" and dtype not in ("int32_t", "uint32_t", "float", "half"):
        yield "MSCATTER0-ATOM-03", f"Add with {dtype}"
    if call.atomic == "Max" and dtype not in ("int32_t", "float"):
        yield "MSCATTER0-ATOM-04", f"Max with {dtype}"
    if call.atomic == "Min" and dtype not in ("int32_t", "float"):
        yield "MSCATTER0-ATOM-05", f"Min with {dtype}"
    if src.rows != idx.rows:
        yield "MSCATTER0-SHAPE-01", f"{src.rows} padded rows with {idx.rows} of indices"
    if idx.cols not in (1, src.cols):
        yield "MSCATTER0-MODE-01", f"{idx.cols} padded columns of indices for {src.cols}"


def mgather(call, readings):
    """MGATHER to UB: MGatherCheck."""
    dst = call.dst
    if dst.dtype.name not in TWELVE:
        yield "MGATHER-DTYPE-09", dst.dtype.name
    yield from common.operands(dst, call.table, call.idx, "MGATHER-DTYPE-08", "MGATHER-DTYPE-11")
    yield from common.in_vec(("MGATHER-TILE-01", "MGATHER-TILE-02"), (dst, call.idx))
    yield from _modes(
        call, dst, readings,
        "MGATHER-MODE-04", "MGATHER-MODE-05", ("MGATHER-TABLE-07", "MGATHER-GAP-42"),
        "MGATHER-GAP-15",
    )  # fmt: skip
    yield from common.not_empty("MGATHER-SHAPE-03", dst)


def mgather_l1(call, readings):
    """MGATHER to L1: MGatherCheckGm2L1; the SIMT executor gathers elements only."""
    if call.exec == "Simt" and call.mode == "Row":
        yield "MGATHERL1-GAP-06", "the SIMT executor with rows"
    yield from common.l1(call, TWELVE, "MGATHERL1-DTYPE-02")


def _tscatter_types(readings):
    return WITH_64_BITS if readings["scope"] == "as-the-suite" else common.NINE


def tscatter_index(call, readings):
    """TSCATTER by index."""
    yield from common.tscatter_index(call, _tscatter_types(readings), "TSCATTER-DTYPE-02")


def tscatter_mask(call, readings):
    """TSCATTER by mask."""
    yield from common.mask_axis(call)
    yield from common.tscatter_mask(call, _tscatter_types(readings))


def tgatherb(call, readings):
    """TGATHERB: types."""
    yield from common.tgatherb(call, "TGATHERB-DTYPE-02", "TGATHERB-DTYPE-04")


CHECKS = {
    "mscatter": mscatter,
    "mscatter-first": mscatter_first,
    "mgather": mgather,
    "mgather-l1": mgather_l1,
    "tscatter-index": tscatter_index,
    "tscatter-mask": tscatter_mask,
    "tgatherb": tgatherb,
}
