//! All constraints of the first revision of MSCATTER (003, Constraints).

use ptodiff_isa::{DType, Mscatter, MscatterFirst, Readings, ScatterAtomicOp, Target};

use super::{elements, findings::Findings, table, tiles, unified_buffer, valid};
use crate::first::restated;

pub(super) fn rules(
    call: &MscatterFirst,
    target: Target,
    readings: &Readings,
    found: &mut Findings,
) {
    if target != Target::A5 {
        found.check(false, "MSCATTER0-API-01", || {
            format!("the first revision on {target}")
        });
        return;
    }
    let call = &restated(call, readings);
    dtypes(call, found);
    // A check always knows places and padded extents.
    let (src, idx) = (&call.src, &call.idx);
    tiles::in_vec(src, "MSCATTER0-TILE-01", found);
    tiles::in_vec(idx, "MSCATTER0-TILE-02", found);
    found.check(src.rows == idx.rows, "MSCATTER0-SHAPE-01", || {
        valid::rows_differ(src, idx)
    });
    let width = idx.cols == 1 || idx.cols == src.cols;
    found.check(width, "MSCATTER0-MODE-01", || {
        format!("{} index columns, {} source ones", idx.cols, src.cols)
    });
    for tile in [src, idx] {
        let full = tile.valid_row.get() == tile.rows && tile.valid_col.get() == tile.cols;
        found.precondition(full, "MSCATTER0-GAP-06", || {
            format!("not all of the tile is valid: {}", valid::extents(tile))
        });
    }
    tiles::a5_layouts(call, found);
    table::not_empty(call, found);
    table::first(call, found);
    unified_buffer::a5(call, found);
}

fn dtypes(call: &Mscatter, found: &mut Findings) {
    let (data, idx, table) = (call.src.dtype, call.idx.dtype, call.table.dtype);
    let eight_bit = matches!(data, DType::Float8E4M3 | DType::Float8E5M2);
    let listed = elements::common(data) || eight_bit;
    found.check(listed, "MSCATTER0-DTYPE-01", || {
        format!("element type {data}")
    });
    elements::index_type(idx, "MSCATTER0-DTYPE-02", found);
    let same = data == table;
    found.check(same, "MSCATTER0-DTYPE-03", || elements::types(data, table));
    let op = call.atomic;
    let clause = match op {
        ScatterAtomicOp::None => return,
        ScatterAtomicOp::Add => "MSCATTER0-ATOM-03",
        ScatterAtomicOp::Max => "MSCATTER0-ATOM-04",
        ScatterAtomicOp::Min => "MSCATTER0-ATOM-05",
    };
    let listed = elements::portable(op, data);
    found.check(listed, clause, || format!("{op} with {data}"));
}
