//! What follows from the data tile in other operands.

use ptodiff_case::Case;
use ptodiff_isa::{Call, Coalesce, Dim, Layout, OffsetGranularity, Role, SLayout};

use super::operands::{Axis, along, extent, padding_unit, roles, set_extent, unit};
use crate::dims::sized;

/// What becomes of the padding of tiles that become others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Padding {
    /// Where there is no more than alignment and boxes ask for, it stays so.
    Aligned,
    /// A full tile stays full.
    Full,
    /// Padded extents stay, as an implementation of few tiles asks.
    Kept,
}

/// Gives `after` the extents that follow from its data tile, but for those that did not
/// follow in `before`, and padding like that of `before`.
pub(super) fn follow(before: &Case, after: &mut Case, padding: Padding) {
    let was = owed(before, before);
    repad(before, after, padding);
    for (place, value) in owed(before, after) {
        let mut same = was.iter().filter(|(other, _)| *other == place);
        let held = same.all(|(_, value)| extent(before, place) == Some(*value));
        if held && extent(after, place) != Some(value) {
            set_extent(after, place, value);
        }
    }
    repad(before, after, padding);
}

/// The extents that `case` owes to its data tile, with its indices along the axis that
/// they have in `before`.
fn owed(before: &Case, case: &Case) -> Vec<((Role, Axis), u64)> {
    let call = &case.call;
    let tile = call.data_tile();
    let [rows, cols] = [tile.valid_row, tile.valid_col].map(|dim| dim.get());
    let [down, across] = match call {
        Call::MgatherL1(_) => [Axis::Dim(3), Axis::Dim(4)],
        _ => [Axis::Row, Axis::Col],
    }
    .map(|axis| (Role::Index, axis));
    let is_by_row = |call: &Call| match call {
        Call::MscatterFirst(call) => call.idx.cols == 1,
        _ => call.mode() == Some(Coalesce::Row),
    };
    let by_row = is_by_row(call);
    let upright = is_by_row(&before.call) && extent(before, across) == Some(1);
    let [of_rows, of_cols] = match call {
        // One offset serves the elements of a block (TGATHERB-GAP-14).
        Call::Tgatherb(_)
            if case.data_readings().tgatherb_granularity == OffsetGranularity::Block =>
        {
            [rows, cols.div_ceil(unit(tile.dtype))]
        }
        _ if by_row && upright => [rows, 1],
        _ if by_row => [1, rows],
        _ => [rows, cols],
    };
    let mut all = vec![(down, of_rows), (across, of_cols)];
    if let Call::TscatterMask(call) = call {
        let (_, valid) = ptodiff_case::expanded(&call.src, call.pattern, call.axis);
        let axes = [Axis::Row, Axis::Col].map(|axis| (Role::Destination, axis));
        all = axes.into_iter().zip(valid.map(Dim::get)).collect();
    }
    let of_table = |at| (Role::Table, Axis::Dim(at));
    match call.table() {
        Some(table) if table.layout == Layout::NZ => {
            let blocks = tile.cols.div_ceil(unit(tile.dtype));
            let blocks = blocks.checked_div(table.shape[0].get());
            all.push((of_table(4), unit(table.dtype)));
            all.extend(blocks.map(|blocks| (of_table(1), blocks)));
        }
        Some(_) if by_row => all.push((of_table(4), cols)),
        _ => {}
    }
    if call.operand(Role::Scratch).is_some() {
        let size = tile.rows.saturating_mul(tile.cols);
        all.push(((Role::Scratch, Axis::Dim(4)), size));
    }
    all
}

/// Gives the tiles of `after` that became others padding like that of `before`: no more
/// than alignment and boxes ask for, or none.
fn repad(before: &Case, after: &mut Case, padding: Padding) {
    for role in roles(&before.call) {
        let old = before.call.operand(role).and_then(|operand| operand.tile());
        let (Some(old), Some(tile)) = (old, after.call.tile_mut(role)) else {
            continue;
        };
        for axis in [Axis::Row, Axis::Col] {
            let mut old = *old;
            let in_boxes = old.slayout == tile.slayout && old.slayout != SLayout::NoneBox;
            let [unit, new_unit] = [&old, &*tile].map(|tile| padding_unit(tile, axis));
            let (padded, valid) = along(&mut old, axis);
            let (to, left) = along(tile, axis);
            if (valid.get(), unit) == (left.get(), new_unit) {
                continue;
            }
            match padding {
                // Boxes stay as many, and what has no room in them goes.
                Padding::Aligned if in_boxes && new_unit < unit => {
                    *to = *padded / unit * new_unit;
                    *left = sized(*left, left.get().min(*to));
                }
                Padding::Aligned if *padded == aligned(unit, valid.get()) => {
                    *to = aligned(new_unit, left.get());
                }
                Padding::Full if *padded == valid.get() => *to = left.get().max(1),
                _ => {}
            }
        }
    }
}

/// What a padded extent is where it is a multiple of `unit`, and so much is valid.
pub(super) fn aligned(unit: u64, valid: u64) -> u64 {
    let least = valid.max(1);
    least.checked_next_multiple_of(unit).unwrap_or(least)
}
