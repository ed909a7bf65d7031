//! Rules of MSCATTER's first revision: 003, Constraints.

use ptodiff_isa::{CacheFlush, DType, Dispatch, FirstMode, Layout, MscatterFirst, Readings, Tile};

use super::facts::{Shape, bytes, common, demand, extents, index_type, plain, small, whole_units};
use super::in_ub::{Ruled, budget};
use crate::relation::place::Places;

/// Nothing where a rule is broken. What 003 does not speak of is as in 000 (MSCATTER0-GAP-11).
pub(super) fn ruled(call: &MscatterFirst, readings: &Readings) -> Option<Ruled> {
    let MscatterFirst {
        table, src, idx, ..
    } = call;
    let dtype = src.dtype;
    demand(common(dtype) || small(dtype) && dtype != DType::Hifloat8)?;
    demand(index_type(idx.dtype) && table.dtype == dtype && table.layout == Layout::ND)?;
    demand(plain(src) && plain(idx) && whole_units(src) && full(src)? && full(idx)?)?;
    demand(idx.rows == src.rows && (idx.cols == 1 || idx.cols == src.cols))?;
    budget(bytes(src).saturating_add(bytes(idx)), &call.launch)?;
    demand(call.launch.dispatch == Dispatch::Standard)?;
    demand(call.launch.flush == CacheFlush::Appended)?;
    let table = Shape::of(table);
    // MSCATTER0-GAP-04, -08.
    demand(table.flat() && table.packed())?;
    // MSCATTER0-GAP-01.
    let either = src.cols == 1 && readings.first_mode == FirstMode::Elem;
    let by_row = idx.cols == 1 && !either;
    demand(!by_row || table.of[4] == src.cols)?;
    let elements = table.product(5);
    Some(Ruled {
        by_row,
        capacity: if by_row { table.of[3] } else { elements },
        elements,
        index: Places::of_tile(idx),
    })
}

/// MSCATTER0-GAP-06.
fn full(tile: &Tile) -> Option<bool> {
    Some(extents(tile)? == [tile.rows, tile.cols])
}
