"""What A2/A3 rejects at compile time."""

from . import common


def _nd_or_nz(call, data, readings, tiles, alignment, inner, gaps):
    """Layouts of the data tile and the table, and what NZ asks for beyond.

    `tiles` are the clauses of index tile, ND pair and NZ pair, `inner` those of
    the NZ table's two inner extents and of the tile's columns and rows, `gaps`
    those answered for DN tables and for inner extents known at run time only.
    """
    table = call.table
    if not call.idx.row_major:
        yield tiles[0], "the index tile is not RowMajor and NoneBox"
    if table.layout == "ND" and not data.row_major:
        yield tiles[1], "an ND table with a tile that is not RowMajor and NoneBox"
    if table.layout == "NZ" and not data.nz:
        yield tiles[2], "an NZ table with a tile that is not NZ of 512 bytes"
    if table.layout == "DN":
        yield gaps[0], "no tile pairs with a DN table"
    # In NZ the rule on padded widths is that on whole blocks, below.
    if table.layout != "NZ" and data.cols * data.dtype.size % 32:
        yield alignment, f"padded rows of {data.cols * data.dtype.size} bytes"
    if table.layout == "NZ":
        for clause, known, wanted in zip(inner, table.known[3:], (16, data.block)):
            if known is None and readings["nz-dynamic"] == "rejected":
                yield gaps[1], "an NZ table with inner extents known at run time only"
            if not common.may_equal(known, wanted):
                yield clause, f"an inner extent of {known}, not {wanted}"
        if data.cols % data.block:
            yield inner[2], f"{data.cols} padded columns, not a multiple of {data.block}"
        if data.rows % 16:
            yield inner[3], f"{data.rows} padded rows, not a multiple of 16"


def _modes(call, data, row, elem):
    """Valid extents of the index tile against those of the data."""
    if call.mode == "Row":
        rows, cols = call.idx.known
        if not (common.may_equal(rows, 1) and common.may_equal(cols, data.known[0])):
            yield row, f"{data.known[0]} rows with an index tile of {call.idx.known}"
    elif not common.same_valid(call.idx, data):
        yield elem, f"valid {data.known} with an index tile of {call.idx.known}"


def mscatter(call, readings):
    """MSCATTER: MScatterCheck."""
    src = call.src
    dtype = src.dtype.name
    if dtype not in common.NINE:
        yield ("MSCATTER-DTYPE-08" if dtype in common.SMALL_FLOATS else "MSCATTER-DTYPE-07"), dtype
    yield from common.operands(src, call.table, call.idx, "MSCATTER-DTYPE-03", "MSCATTER-DTYPE-11")
    yield from common.in_vec(("MSCATTER-TILE-01", "MSCATTER-TILE-02"), (src, call.idx))
    if call.atomic in ("Max", "Min"):
        yield "MSCATTER-ATOM-10", call.atomic
    if call.atomic == "Add" and dtype not in common.ADD_A2A3:
        unsigned = dtype in ("uint8_t", "uint16_t", "uint32_t")
        yield ("MSCATTER-ATOM-09" if unsigned else "MSCATTER-ATOM-08"), f"Add with {dtype}"
    yield from _nd_or_nz(
        call, src, readings,
        ("MSCATTER-TILE-06", "MSCATTER-TILE-07", "MSCATTER-TILE-08"),
        "MSCATTER-ALIGN-01",
        ("MSCATTER-NZ-04", "MSCATTER-NZ-05", "MSCATTER-NZ-06", "MSCATTER-NZ-07"),
        ("MSCATTER-GAP-20", "MSCATTER-GAP-27"),
    )  # fmt: skip
    yield from _modes(call, src, "MSCATTER-SHAPE-01", "MSCATTER-SHAPE-02")
    yield from common.not_empty("MSCATTER-SHAPE-03", src)


def mscatter_first(call, readings):
    """There is no first revision on this target."""
    yield "MSCATTER0-API-01", "the first revision is A5's"


def mgather(call, readings):
    """MGATHER to UB: MGatherCheck."""
    dst = call.dst
    dtype = dst.dtype.name
    if dtype not in common.NINE:
        yield ("MGATHER-DTYPE-07" if dtype in common.SMALL_FLOATS else "MGATHER-DTYPE-06"), dtype
    yield from common.operands(dst, call.table, call.idx, "MGATHER-DTYPE-08", "MGATHER-DTYPE-11")
    yield from common.in_vec(("MGATHER-TILE-01", "MGATHER-TILE-02"), (dst, call.idx))
    yield from _nd_or_nz(
        call, dst, readings,
        ("MGATHER-TILE-04", "MGATHER-TILE-05", "MGATHER-TILE-06"),
        "MGATHER-ALIGN-01",
        ("MGATHER-NZ-07", "MGATHER-NZ-08", "MGATHER-NZ-09", "MGATHER-NZ-10"),
        ("MGATHER-GAP-39", "MGATHER-GAP-23"),
    )  # fmt: skip
    yield from _modes(call, dst, "MGATHER-MODE-02", "MGATHER-MODE-05")
    yield from common.not_empty("MGATHER-SHAPE-03", dst)


def mgather_l1(call, readings):
    """MGATHER to L1: MGatherCheckGm2L1; there is no SIMT executor."""
    if call.exec == "Simt":
        yield "MGATHERL1-EXEC-03", "the SIMT executor is A5's"
    yield from common.l1(call, common.NINE, "MGATHERL1-DTYPE-01")


def tscatter_index(call, readings):
    """TSCATTER by index."""
    yield from common.tscatter_index(call, common.NINE, "TSCATTER-DTYPE-01")


def tscatter_mask(call, readings):
    """TSCATTER by mask: A5 only, unless the suites' scope is asked for."""
    yield from common.mask_axis(call)
    if readings["scope"] != "as-the-suite":
        yield "TSCATTER-MODE-02", "mask scatter is A5's"
    yield from common.tscatter_mask(call, common.NINE)


def tgatherb(call, readings):
    """TGATHERB: types, and a row-major destination."""
    yield from common.tgatherb(call, "TGATHERB-DTYPE-01", "TGATHERB-DTYPE-03")
    if call.dst.blayout != "RowMajor":
        yield "TGATHERB-TILE-01", "the destination is not row-major"


CHECKS = {
    "mscatter": mscatter,
    "mscatter-first": mscatter_first,
    "mgather": mgather,
    "mgather-l1": mgather_l1,
    "tscatter-index": tscatter_index,
    "tscatter-mask": tscatter_mask,
    "tgatherb": tgatherb,
}
