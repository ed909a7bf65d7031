//! Constraints of A2/A3 on the table.

use std::array;

use ptodiff_isa::{
    BurstTail, Coalesce, GlobalTensor, Layout, Mscatter, NarrowRow, NzDynamic, NzRowColumns,
    OuterStrides, PaddedElem, Readings,
};

use super::{super::findings::Findings, OUTER_PACKED, SIDE_BY_SIDE, Wanted, widths, wrong};
use crate::{
    coord::{BLOCK_BYTES, FRACTAL_ROWS},
    launch::idle,
    strides::{extents, strides},
};

/// Layout ND.
pub(in super::super) fn nd(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    let table = &call.table;
    if table.layout != Layout::ND {
        return;
    }
    if call.mode == Coalesce::Row {
        nd_row(call, readings, found);
    } else if readings.padded_elem == PaddedElem::Precondition {
        found.tensor(table, SIDE_BY_SIDE, ["MSCATTER-GAP-18", "MGATHER-GAP-07"]);
    }
}

fn nd_row(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    let table = &call.table;
    if readings.outer_strides == OuterStrides::Precondition {
        found.tensor(table, OUTER_PACKED, ["MSCATTER-GAP-16", "MGATHER-GAP-06"]);
    }
    let (valid, [.., width]) = (call.src.valid_col.get(), extents(table));
    let whole = readings.narrow_row == NarrowRow::Precondition && !idle(&call.src, readings);
    let fits = valid == width || (valid < width && !whole);
    let clause = ["MSCATTER-GAP-17", "MGATHER-GAP-10"];
    found.precondition(fits, clause, || widths(&call.src, table));
    found.apart(table, ["MSCATTER-GAP-82", "MGATHER-GAP-71"]);
    if found.scatter && readings.burst_tail == BurstTail::Precondition {
        let burst = valid.saturating_mul(call.src.dtype.size() as u64);
        let whole = burst.is_multiple_of(BLOCK_BYTES);
        found.precondition(whole, "MSCATTER-GAP-28", || {
            format!("bursts of {burst} bytes are no whole blocks of {BLOCK_BYTES}")
        });
    }
}

/// Layout NZ.
pub(in super::super) fn nz(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    let table = &call.table;
    if table.layout != Layout::NZ {
        return;
    }
    let block = BLOCK_BYTES / call.src.dtype.size() as u64;
    let [.., rows, cols] = table.shape;
    if readings.nz_dynamic == NzDynamic::Rejected {
        let known = rows.known().is_some() && cols.known().is_some();
        found.check(known, ["MSCATTER-GAP-27", "MGATHER-GAP-23"], || {
            format!("inner dimensions {rows:?} and {cols:?}")
        });
    }
    let clause = ["MSCATTER-NZ-04", "MGATHER-NZ-07"];
    found.gated(rows.get() == FRACTAL_ROWS, &[rows], clause, || {
        wrong(&format!("fractals have not {FRACTAL_ROWS} rows"), table)
    });
    let clause = ["MSCATTER-NZ-05", "MGATHER-NZ-08"];
    found.gated(cols.get() == block, &[cols], clause, || {
        wrong(&format!("fractals have not {block} columns"), table)
    });
    let [.., s3, s4] = strides(table);
    let inner = s4 == 1 && (call.mode == Coalesce::Elem || s3 == block);
    found.precondition(inner, ["MSCATTER-GAP-26", "MGATHER-GAP-22"], || {
        wrong("elements of a fractal do not stand side by side", table)
    });
    let wanted: Wanted = (distinct, "elements share a place");
    found.tensor(table, wanted, ["MSCATTER-NZ-14", "MGATHER-NZ-12"]);
    if call.mode == Coalesce::Row {
        nz_row(call, block, readings, found);
    }
}

fn nz_row(call: &Mscatter, block: u64, readings: &Readings, found: &mut Findings) {
    let [batches, blocks, ..] = extents(&call.table);
    let logical = batches.saturating_mul(blocks).saturating_mul(block);
    let clause = ["MSCATTER-GAP-23", "MGATHER-GAP-20"];
    found.precondition(call.src.cols == logical, clause, || {
        format!("{} tile columns, {logical} logical ones", call.src.cols)
    });
    if readings.nz_row_columns == NzRowColumns::Precondition && !idle(&call.src, readings) {
        let valid = call.src.valid_col.get();
        let clause = ["MSCATTER-GAP-22", "MGATHER-GAP-57"];
        found.precondition(valid == logical, clause, || {
            format!("ValidCol {valid}, {logical} logical columns")
        });
    }
}

/// Whether no two elements share a place, as far as nested strides tell.
fn distinct(table: &GlobalTensor) -> bool {
    let [strides, extents] = [strides(table), extents(table)];
    let mut dims = array::from_fn::<_, 5, _>(|d| (strides[d], extents[d]));
    dims.sort_unstable();
    let mut span = 1_u64;
    dims.iter().all(|&(stride, extent)| {
        // A dimension of one element uses no stride.
        let nested = stride >= span || extent <= 1;
        span = span.saturating_add(stride.saturating_mul(extent.saturating_sub(1)));
        nested
    })
}
