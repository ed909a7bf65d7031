//! Simpler template arguments.

use ptodiff_case::{Case, DataPlan};
use ptodiff_isa::{Argument, Call, Coalesce, Role, Tile};

use super::cut::{Padding, pack, remove, resize};
use super::parts::{Axis, data_role, extent, padding_unit, simpler};
use super::search::{Edit, edit};

/// Simpler policies, the default first, one parameter at a time.
pub(super) fn policies(case: &Case) -> Vec<Edit> {
    let own = case.call.arguments().into_iter();
    let own = own.filter(|own| !matches!(own.key, "mode" | "mask" | "axis"));
    own.flat_map(words)
        .map(|(key, word)| edit(move |case| _ = case.call.set_argument(key, word)))
        .collect()
}

/// The key of a template argument with each word that is simpler.
fn words(own: Argument) -> impl Iterator<Item = (&'static str, &'static str)> {
    let words = simpler(&own).into_iter();
    words.map(move |word| (own.key, word))
}

/// Row mode in place of Elem: with the indices of the first column in one row
/// and a table as wide as the tile, with one of the two, with neither.
pub(super) fn mode(_: &Case) -> Vec<Edit> {
    let kinds = [(true, true), (true, false), (false, true), (false, false)];
    let edits = kinds.map(|(listed, wide)| -> Edit {
        Box::new(move |case, room| {
            by_row(&mut case.call).then_some(())?;
            if listed {
                in_one_row(case);
            }
            match wide {
                true => as_wide(case, room),
                false => Some(()),
            }
        })
    });
    edits.into()
}

fn by_row(call: &mut Call) -> bool {
    call.mode() == Some(Coalesce::Elem) && call.set_argument("mode", Coalesce::Row.into())
}

/// The indices of the first column, one after the other; without the scratch
/// that only Elem has.
fn in_one_row(out: &mut Case) {
    without_scratch(out);
    let axis = match out.call {
        Call::MgatherL1(_) => Axis::Dim(4),
        _ => Axis::Col,
    };
    let columns = extent(out, Role::Index, axis).unwrap_or(0);
    remove(out, (Role::Index, axis), 1..columns, (Padding::Tight, 0));
    if let Some(idx) = out.call.tensor_mut(Role::Index) {
        idx.shape.swap(3, 4);
        pack(idx);
    } else if let Some(idx) = out.call.tile_mut(Role::Index) {
        std::mem::swap(&mut idx.valid_row, &mut idx.valid_col);
        pad(idx);
    }
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

/// A table as wide as the valid region of the tile, where there is room for it.
fn as_wide(out: &mut Case, room: u64) -> Option<()> {
    let columns = extent(out, data_role(&out.call), Axis::Col)?.max(1);
    resize(out, (Role::Table, Axis::Dim(4)), columns, room)
}

/// A simpler mask or axis: with a destination as large as it asks for, else
/// with the one that is there.
pub(super) fn mask(case: &Case) -> Vec<Edit> {
    let Call::TscatterMask(_) = case.call else {
        return Vec::new();
    };
    let own = case.call.arguments().into_iter();
    let both = |(key, word)| {
        let large: Edit = Box::new(move |case, room| {
            case.call.set_argument(key, word);
            expanded(case, room)
        });
        [
            large,
            edit(move |case| _ = case.call.set_argument(key, word)),
        ]
    };
    own.flat_map(words).flat_map(both).collect()
}

/// A destination of the extents that the mask makes of the source, where there is room
/// for it.
fn expanded(out: &mut Case, room: u64) -> Option<()> {
    let Call::TscatterMask(call) = &out.call else {
        return None;
    };
    let (padded, valid) = ptodiff_case::expanded(&call.src, call.pattern, call.axis)?;
    resize(out, (Role::Destination, Axis::Row), valid[0].get(), room)?;
    resize(out, (Role::Destination, Axis::Col), valid[1].get(), room)?;
    let dst = out.call.tile_mut(Role::Destination)?;
    [dst.rows, dst.cols] = padded;
    Some(())
}

/// No scratch.
pub(super) fn scratch(_: &Case) -> Vec<Edit> {
    vec![edit(without_scratch)]
}

fn without_scratch(out: &mut Case) {
    if let Call::MgatherL1(call) = &mut out.call {
        call.scratch = None;
        // What a plan says of an operand that is not there reads back as its default.
        out.data.scratch = DataPlan::of(&out.call).scratch;
    }
}
