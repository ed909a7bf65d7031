//! Simpler template arguments.

use ptodiff_case::{Case, DataPlan};
use ptodiff_isa::{Call, Coalesce, MaskAxis, MaskPattern, Role, Tile, TscatterMask};

use super::cut::{Padding, pack, remove, resize};
use super::parts::{Axis, data_role, extent, padding_unit, simpler};
use super::search::Search;

/// Simpler policies, the default first, one parameter at a time.
pub(super) fn policies(search: &mut Search<'_>) -> bool {
    search.exhaust_calls(|call| {
        let mut all = Vec::new();
        // Every simpler value of each of these parameters.
        macro_rules! each {
            ($form:ident, $call:expr; $($field:ident),+) => {{$(
                for value in simpler($call.$field) {
                    let mut call = *$call;
                    call.$field = value;
                    all.push(Call::$form(call));
                }
            )+}};
        }
        match call {
            Call::Mscatter(c) => each!(Mscatter, c; atomic, oob, conflict),
            Call::MscatterFirst(c) => each!(MscatterFirst, c; atomic, oob),
            Call::Mgather(c) => each!(Mgather, c; oob),
            Call::MgatherL1(c) => each!(MgatherL1, c; oob, exec),
            Call::TscatterMask(_) | Call::TscatterIndex(_) | Call::Tgatherb(_) => {}
        }
        all
    })
}

/// Row mode in place of Elem: with the indices of the first column in one row
/// and a table as wide as the tile, with one of the two, with neither.
pub(super) fn mode(search: &mut Search<'_>) -> bool {
    let list = |_: &Case| vec![(true, true), (true, false), (false, true), (false, false)];
    search.exhaust(list, |search, (listed, wide)| {
        let mut out = search.case.clone();
        if !by_row(&mut out.call) {
            return None;
        }
        if listed {
            out = in_one_row(out);
        }
        if wide {
            out = as_wide(search, out)?;
        }
        Some(out)
    })
}

fn by_row(call: &mut Call) -> bool {
    let mode = match call {
        Call::Mscatter(c) => &mut c.mode,
        Call::Mgather(c) => &mut c.mode,
        Call::MgatherL1(c) => &mut c.mode,
        _ => return false,
    };
    std::mem::replace(mode, Coalesce::Row) != Coalesce::Row
}

/// The indices of the first column, one after the other; without the scratch
/// that only Elem has.
fn in_one_row(mut out: Case) -> Case {
    without_scratch(&mut out);
    if let Call::MgatherL1(call) = &mut out.call {
        let columns = call.idx.shape[4].get();
        let first = (Role::Index, Axis::Dim(4));
        remove(&mut out, first, 1..columns, (Padding::Tight, 0));
        if let Some(idx) = out.call.tensor_mut(Role::Index) {
            idx.shape.swap(3, 4);
            pack(idx);
        }
        return out;
    }
    let columns = extent(&out, Role::Index, Axis::Col).unwrap_or(0);
    let first = (Role::Index, Axis::Col);
    remove(&mut out, first, 1..columns, (Padding::Tight, 0));
    if let Some(idx) = out.call.tile_mut(Role::Index) {
        std::mem::swap(&mut idx.valid_row, &mut idx.valid_col);
        pad(idx);
    }
    out
}

/// Pads a tile as far as alignment and boxes ask for.
pub(super) fn pad(tile: &mut Tile) {
    let [rows, cols] =
        [(Axis::Row, tile.valid_row), (Axis::Col, tile.valid_col)].map(|(axis, dim)| {
            let least = dim.get().max(1);
            least
                .checked_next_multiple_of(padding_unit(tile, axis))
                .unwrap_or(least)
        });
    (tile.rows, tile.cols) = (rows, cols);
}

/// `out` with a table as wide as the valid region of the tile, where there is
/// room for it.
fn as_wide(search: &Search<'_>, mut out: Case) -> Option<Case> {
    let columns = extent(&out, data_role(&out.call), Axis::Col)?.max(1);
    resize(&mut out, (Role::Table, Axis::Dim(4)), columns, search.room)?;
    Some(out)
}

/// A simpler mask or axis: with a destination as large as it asks for, else
/// with the one that is there.
pub(super) fn mask(search: &mut Search<'_>) -> bool {
    let list = |case: &Case| {
        let Call::TscatterMask(call) = case.call else {
            return Vec::new();
        };
        let patterns = simpler(call.pattern).into_iter();
        let patterns = patterns.map(|pattern| TscatterMask { pattern, ..call });
        let axes = simpler(call.axis).into_iter();
        let axes = axes.map(|axis| TscatterMask { axis, ..call });
        let calls = patterns.chain(axes);
        calls
            .flat_map(|call| [(call, true), (call, false)])
            .collect()
    };
    search.exhaust(list, |search, (call, large)| {
        let plain = Case {
            call: Call::TscatterMask(call),
            ..search.case.clone()
        };
        if large {
            expanded(search, plain, &call)
        } else {
            Some(plain)
        }
    })
}

/// `out` with a destination of the extents that the mask makes of the
/// source, where there is room for it.
fn expanded(search: &Search<'_>, mut out: Case, call: &TscatterMask) -> Option<Case> {
    let lanes = match call.pattern {
        MaskPattern::P1111 => 1,
        MaskPattern::P0101 | MaskPattern::P1010 => 2,
        MaskPattern::P0001 | MaskPattern::P0010 | MaskPattern::P0100 | MaskPattern::P1000 => 4,
    };
    let [down, across] = match call.axis {
        MaskAxis::Row => [1, lanes],
        MaskAxis::Col => [lanes, 1],
    };
    let src = call.src;
    let rows = src.valid_row.get().checked_mul(down)?;
    let cols = src.valid_col.get().checked_mul(across)?;
    let padded = [src.rows.checked_mul(down)?, src.cols.checked_mul(across)?];
    resize(&mut out, (Role::Destination, Axis::Row), rows, search.room)?;
    resize(&mut out, (Role::Destination, Axis::Col), cols, search.room)?;
    if let Some(dst) = out.call.tile_mut(Role::Destination) {
        [dst.rows, dst.cols] = padded;
    }
    Some(out)
}

/// No scratch.
pub(super) fn scratch(search: &mut Search<'_>) -> bool {
    let mut out = search.case.clone();
    without_scratch(&mut out);
    search.offer_fitted(out)
}

fn without_scratch(out: &mut Case) {
    if let Call::MgatherL1(call) = &mut out.call {
        call.scratch = None;
        // What a plan says of an operand that is not there reads back as its default.
        out.data.scratch = DataPlan::of(&out.call).scratch;
    }
}
