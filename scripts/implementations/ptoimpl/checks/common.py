"""Rules that more than one target has."""

NINE = {
    "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t",
    "half", "bfloat16_t", "float",
}  # fmt: skip
SMALL_FLOATS = {"hifloat8_t", "float8_e4m3_t", "float8_e5m2_t"}
INDEX = {"int32_t", "uint32_t"}
ADD_A2A3 = {"int8_t", "int16_t", "int32_t", "half", "bfloat16_t", "float"}
ADD_A5 = {"int32_t", "uint32_t", "float", "half", "bfloat16_t"}
MAX_A5 = {"int32_t", "uint32_t", "float"}


def may_equal(a, b):
    """Whether two extents can be the same, None standing for one that is not known."""
    return a is None or b is None or a == b


def row_or_column(idx, count):
    """Whether an index tile holds `count` indices as one row or as one column.

    One condition over three dimensions: it is looked at where all three are known.
    """
    rows, cols = idx.known
    return None in (rows, cols, count) or (rows, cols) in ((1, count), (count, 1))


def same_valid(idx, tile):
    """Whether the valid extents of two tiles can be the same."""
    return all(may_equal(a, b) for a, b in zip(idx.known, tile.known))


def gap_in_row_indices(idx):
    """Whether row indices that are known to be several do not follow each other in the tile."""
    rows, cols = idx.known
    if rows is not None and rows > 1 and idx.blayout == "RowMajor":
        return idx.cols > 1
    if cols is not None and cols > 1 and idx.blayout == "ColMajor":
        return idx.rows > 1
    return False


def in_vec(clauses, tiles):
    """Tiles that do not stand in UB, each with its clause."""
    for clause, name, tile in zip(clauses, ("data", "index"), tiles):
        if tile.location != "Vec":
            yield clause, f"the {name} tile is in {tile.location}"


def operands(data, table, idx, index_clause, table_clause):
    """The types of index and table, by the clauses that give them."""
    if idx.dtype.name not in INDEX:
        yield index_clause, f"indices of {idx.dtype.name}"
    if table.dtype != data.dtype:
        yield table_clause, f"a table of {table.dtype.name} with a tile of {data.dtype.name}"


def not_empty(clause, tile):
    """A valid extent that is known to be 0."""
    if 0 in tile.known:
        yield clause, f"a valid extent of 0 in {tile.known}"


def padded_bounds(clause, tiles):
    """Tiles whose known valid extents exceed the padded ones."""
    for tile in tiles:
        if any(v is not None and v > p for v, p in zip(tile.known, (tile.rows, tile.cols))):
            yield clause, f"valid {tile.known} in {tile.rows}x{tile.cols}"


def l1(call, dtypes, dtype_clause):
    """MGATHER to L1 on the NPUs, executor excepted.

    No list of types has one of 8 bytes, so the limit for rows needs no check of its own.
    """
    dst, table = call.dst, call.table
    if dst.dtype.name not in dtypes:
        yield dtype_clause, f"elements of {dst.dtype.name}"
    if (call.mode == "Elem") != (call.scratch is not None):
        yield "MGATHERL1-GAP-05", f"{call.mode} with{'out' if call.scratch is None else ''} a scratch"
    yield from operands(dst, table, call.idx, "MGATHERL1-DTYPE-05", "MGATHERL1-DTYPE-06")
    if table.layout != "ND":
        yield "MGATHERL1-TABLE-01", f"a table in {table.layout}"
    if call.scratch is not None and call.scratch.dtype != dst.dtype:
        yield "MGATHERL1-SCRATCH-01", f"a scratch of {call.scratch.dtype.name}"
    if dst.location != "Mat" or not dst.nz:
        yield "MGATHERL1-TILE-01", "the destination is no Mat tile in NZ form"
    if dst.cols % dst.block:
        yield "MGATHERL1-TILE-02", f"{dst.cols} padded columns, not a multiple of {dst.block}"
    if dst.rows % 16:
        yield "MGATHERL1-TILE-03", f"{dst.rows} padded rows, not a multiple of 16"


def tscatter_index(call, dtypes, dtype_clause):
    """TSCATTER by index on the NPUs."""
    dst, src, idx = call.dst, call.src, call.idx
    if any(t.location != "Vec" for t in (dst, src, idx)):
        yield "TSCATTER-TILE-01", "a tile outside of UB"
    for tile in (dst, src):
        if tile.dtype.name not in dtypes:
            yield dtype_clause, f"elements of {tile.dtype.name}"
    if dst.dtype != src.dtype:
        yield "TSCATTER-DTYPE-03", f"{src.dtype.name} into {dst.dtype.name}"
    if idx.dtype.name not in ("int16_t", "int32_t", "uint16_t", "uint32_t"):
        yield "TSCATTER-DTYPE-04", f"indices of {idx.dtype.name}"
    clause, width = {
        8: (None, 4),
        4: ("TSCATTER-DTYPE-05", 4),
        2: ("TSCATTER-DTYPE-06", 2),
        1: ("TSCATTER-DTYPE-07", 2),
    }[dst.dtype.size]
    if idx.dtype.size != width:
        yield clause, f"indices of {idx.dtype.name} for {dst.dtype.name}"
    yield from padded_bounds("TSCATTER-SHAPE-01", (dst, src, idx))


def mask_axis(call):
    """The column axis of a mask, which no document has."""
    if call.axis == "Col":
        yield "TSCATTER-SHAPE-02", "groups along the rows"


def tscatter_mask(call, dtypes):
    """TSCATTER by mask on the NPUs, where it exists."""
    dst, src = call.dst, call.src
    if dst.location != "Vec" or src.location != "Vec":
        yield "TSCATTER-TILE-02", "a tile outside of UB"
    if dst.dtype != src.dtype or src.dtype.name not in dtypes:
        yield "TSCATTER-DTYPE-08", f"{src.dtype.name} into {dst.dtype.name}"
    factor = 1 if call.pattern == "P1111" else 2 if call.pattern in ("P0101", "P1010") else 4
    (src_rows, src_cols), (dst_rows, dst_cols) = src.known, dst.known
    if not may_equal(src_rows, dst_rows):
        yield "TSCATTER-SHAPE-02", f"{src_rows} rows into {dst_rows}"
    if not may_equal(None if src_cols is None else src_cols * factor, dst_cols):
        yield "TSCATTER-SHAPE-03", f"{src_cols} into {dst_cols} with {call.pattern}"


def tgatherb(call, size_clause, dtype_clause):
    """TGATHERB on the NPUs, layout excepted."""
    if call.dst.dtype.size not in (1, 2, 4):
        yield size_clause, f"elements of {call.dst.dtype.size} bytes"
    for tile in (call.src, call.dst):
        if tile.dtype.name not in NINE:
            yield dtype_clause, f"elements of {tile.dtype.name}"
