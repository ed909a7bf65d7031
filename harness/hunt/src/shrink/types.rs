//! Simpler element types.

use ptodiff_case::Case;
use ptodiff_isa::{Call, DType, Layout, OffsetGranularity, Role, SLayout, Tile};

use super::bounds::bytes;
use super::cut::resize;
use super::measure::{DATA, index_types};
use super::number::{MINUS_ONE, Numbers, map};
use super::parts::{Axis, data_role, data_roles, extent, unit};
use super::policy::pad;
use super::scale::{self, Scale, Values};
use super::search::Edit;
use crate::words;

/// What is made to go with another element type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// Padding, blocks, and offsets.
    All,
    /// Offsets of elements, which count their bytes.
    Offsets,
    /// Nothing.
    None,
}

/// A simpler type of data for all operands together, then for one of those
/// that differ, then one of indices.
pub(super) fn types(case: &Case) -> Vec<Edit> {
    let call = &case.call;
    let own = call.data_tile().dtype;
    let type_of = |role: &Role| call.operand(*role).map_or(own, |operand| operand.dtype());
    let before = |list: &'static [DType; 14], dtype: DType| {
        list.iter().copied().take_while(move |one| *one != dtype)
    };
    let data = data_roles(call);
    let mixed = data.iter().any(|role| type_of(role) != own);
    let mut all: Vec<Edit> = Vec::new();
    let mut add = |roles: &[Role], dtype| {
        for fit in [Fit::All, Fit::Offsets, Fit::None] {
            let roles = roles.to_vec();
            all.push(Box::new(move |case, room| {
                retype(case, room, &roles, dtype, fit)
            }));
        }
    };
    before(&DATA, own).for_each(|dtype| add(&data, dtype));
    if mixed {
        DATA.iter().for_each(|dtype| add(&data, *dtype));
        for role in &data {
            add(&[*role], own);
            before(&DATA, type_of(role)).for_each(|dtype| add(&[*role], dtype));
        }
    }
    if call.operand(Role::Index).is_some() {
        let types = before(index_types(call), type_of(&Role::Index));
        types.for_each(|dtype| add(&[Role::Index], dtype));
    }
    all
}

/// Gives `roles` another element type, where there is room for it.
fn retype(out: &mut Case, room: u64, roles: &[Role], dtype: DType, fit: Fit) -> Option<()> {
    if fit == Fit::All {
        narrow(out, roles, dtype, room)?;
    }
    if fit != Fit::None && roles.contains(&data_role(&out.call)) {
        rescale(out, dtype);
    }
    let mut before = Vec::new();
    for role in roles {
        let from = out.call.operand(*role)?.dtype();
        if from == dtype {
            continue;
        }
        out.call.set_dtype(*role, dtype);
        before.push((*role, from));
        if let Some(tile) = out.call.tile_mut(*role).filter(|_| fit == Fit::All) {
            repad(tile, from);
        }
    }
    if before.is_empty() || bytes(out) > room {
        return None;
    }
    for (role, from) in before {
        if role == Role::Index {
            reindex(out, from, dtype);
        } else {
            revalue(out, role, [from, dtype]);
        }
    }
    Some(())
}

/// Pads a tile, whose type was `from`, as its type now asks for. In boxes it
/// keeps their number.
fn repad(tile: &mut Tile, from: DType) {
    let [old, new] = [from, tile.dtype].map(unit);
    if old == new {
        return;
    }
    match tile.slayout {
        SLayout::NoneBox => pad(tile),
        SLayout::RowMajor => {
            tile.cols = tile.cols.div_ceil(old).saturating_mul(new);
        }
        SLayout::ColMajor => {
            tile.rows = tile.rows.div_ceil(old).saturating_mul(new);
        }
    }
}

/// Cuts what would be too wide for elements of `dtype`: the blocks of an NZ
/// table with its tile, and rows that are gathered by blocks. Nothing where
/// blocks would have to get wider.
fn narrow(out: &mut Case, roles: &[Role], dtype: DType, room: u64) -> Option<()> {
    let data = data_role(&out.call);
    if !roles.contains(&data) {
        return Some(());
    }
    let [old, new] = [out.call.data_tile().dtype, dtype].map(unit);
    let boxed = out
        .call
        .table()
        .is_some_and(|table| table.layout == Layout::NZ);
    if boxed {
        if new > old {
            return None;
        }
        let blocks = out.call.data_tile().cols.div_ceil(old);
        let columns = extent(out, data, Axis::Col)?.min(blocks.saturating_mul(new));
        resize(out, (data, Axis::Col), columns, room)?;
        let width = extent(out, Role::Table, Axis::Dim(4))?.min(new);
        resize(out, (Role::Table, Axis::Dim(4)), width, room)?;
    }
    if let Call::Tgatherb(call) = out.call
        && is_by_block(out)
    {
        let columns = call.dst.valid_col.get();
        let columns = columns.min(call.offset.valid_col.get().saturating_mul(new));
        resize(out, (Role::Destination, Axis::Col), columns, room)?;
        resize(out, (Role::Index, Axis::Col), columns.div_ceil(new), room)?;
    }
    Some(())
}

/// Whether one offset serves the elements of a block (TGATHERB-GAP-14).
fn is_by_block(case: &Case) -> bool {
    case.data_readings().tgatherb_granularity == OffsetGranularity::Block
}

/// Offsets of the same elements of another size.
fn rescale(out: &mut Case, dtype: DType) {
    if !matches!(out.call, Call::Tgatherb(_)) || is_by_block(out) {
        return;
    }
    let [old, new] = [out.call.data_tile().dtype, dtype].map(|dtype| dtype.size() as u64);
    // Further out they are edges of their own type.
    let near = scale::end(out).saturating_mul(4);
    let index = out.call.operand(Role::Index).map(|index| index.dtype());
    if let Some(dtype) = index
        && let Some(bytes) = out.data.literal_mut(Role::Index)
    {
        map(bytes, dtype.size(), |_, offset| {
            if offset < near {
                (offset / old)
                    .saturating_mul(new)
                    .saturating_add((offset % old).min(new - 1))
            } else {
                offset
            }
        });
    }
}

/// The same numbers as values of another type: known ones stay what they are,
/// others become the simplest of their place.
fn revalue(out: &mut Case, role: Role, [from, to]: [DType; 2]) {
    let plain = Values::new(&out.call, role, to);
    let [old, new] = [from, to].map(Numbers::of);
    let other_kind = from.is_integer() != to.is_integer();
    recode(out, role, [from, to], |at, bits| {
        let known = old.place(bits);
        // The edges of an integer are none of a float's.
        let known = known.filter(|place| *place <= MINUS_ONE || !other_kind);
        let same = known.and_then(|place| new.bits(place));
        same.unwrap_or_else(|| plain.plain(at))
    });
}

/// The same numbers as indices of another type, cut off to their low bits
/// where they do not fit.
fn reindex(out: &mut Case, from: DType, to: DType) {
    let unused = 64 - 8 * from.size() as u32;
    recode(out, Role::Index, [from, to], |_, bits| {
        if from.is_signed_integer() {
            // The sign goes to the top and comes back down.
            (((bits << unused) as i64) >> unused) as u64
        } else {
            bits
        }
    });
}

/// Elements of another size, each as `f` makes it of its place and its bits.
fn recode(out: &mut Case, role: Role, [from, to]: [DType; 2], f: impl Fn(usize, u64) -> u64) {
    let Some(bytes) = out.data.literal_mut(role) else {
        return;
    };
    let new = words::words(bytes, from.size()).enumerate();
    let new: Vec<u64> = new.map(|(at, bits)| f(at, bits)).collect();
    *bytes = words::bytes(new, to.size());
}
