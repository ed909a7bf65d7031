"""What the headers of the CPU simulator assert; the rest of its rules are preconditions."""

from . import common


def _sizes(data, table, idx, index_clause, size_clause):
    """The two rules of the header: integral indices, elements of one size."""
    if idx.dtype.kind == "f":
        yield index_clause, f"indices of {idx.dtype.name}"
    if data.dtype.size != table.dtype.size:
        yield size_clause, f"a table of {table.dtype.name} with a tile of {data.dtype.name}"


def mscatter(call, readings):
    """MSCATTER, under either form."""
    yield from _sizes(call.src, call.table, call.idx, "MSCATTER-DTYPE-04", "MSCATTER-DTYPE-05")


def mscatter_first(call, readings):
    """There is no first revision on this target."""
    yield "MSCATTER0-API-01", "the first revision is A5's"


def mgather(call, readings):
    """MGATHER to UB: the header's rules, and the Row rule where all extents are static."""
    yield from _sizes(call.dst, call.table, call.idx, "MGATHER-DTYPE-04", "MGATHER-DTYPE-04")
    count = call.dst.known[0]
    checked = readings["cpu-row-check"] == "rejected"
    if checked and call.mode == "Row" and count is not None and None not in call.idx.known:
        if not common.row_or_column(call.idx, count):
            yield "MGATHER-MODE-06", f"{count} rows with an index tile of {call.idx.known}"


def mgather_l1(call, readings):
    """MGATHER to L1: a Mat destination breaks a precondition, or is what the suites drive."""
    yield from _sizes(call.dst, call.table, call.idx, "MGATHER-DTYPE-04", "MGATHER-DTYPE-04")


def tscatter_mask(call, readings):
    """TSCATTER by mask: A5 only. In the suites' scope CPU has it and, as everywhere else, no rules of its own."""
    if readings["scope"] != "as-the-suite":
        yield from common.mask_axis(call)
        yield "TSCATTER-MODE-02", "mask scatter is A5's"


def nothing(call, readings):
    """No rule is checked."""
    yield from ()


CHECKS = {
    "mscatter": mscatter,
    "mscatter-first": mscatter_first,
    "mgather": mgather,
    "mgather-l1": mgather_l1,
    "tscatter-index": nothing,
    "tscatter-mask": tscatter_mask,
    "tgatherb": nothing,
}
