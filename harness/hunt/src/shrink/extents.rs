//! Fewer entries in every dimension, and less padding.

use std::ops::Range;

use ptodiff_case::Case;
use ptodiff_isa::{Role, Tile};

use super::cut::{Padding, remove};
use super::groups::{Group, entries, groups};
use super::parts::{Axis, data_role, extent, padding_unit, tiles};
use super::search::{Edit, PATIENCE, Search, edit};

/// What an aligned tile has a multiple of, in elements of 4, 2 and 1 bytes.
const UNITS: [u64; 3] = [8, 16, 32];

/// Takes entries out of dimensions, first of those that have to fit each
/// other together: all but one, all but a few units of alignment, halves,
/// quarters, units, single ones, from the end.
pub(super) fn extents(search: &mut Search<'_>) -> bool {
    let mut any = false;
    for group in groups(&search.case) {
        for size in sizes(entries(&search.case, &group)) {
            any |= narrow(search, &group, size);
        }
    }
    any
}

/// How many of `count` entries to take at a time, most first.
fn sizes(count: u64) -> Vec<u64> {
    let halves = std::iter::successors(Some(count / 2), |half| Some(half / 2));
    let mut all: Vec<u64> = halves.take_while(|half| *half > 0).collect();
    all.push(count.saturating_sub(1));
    for unit in UNITS {
        all.extend([unit, count.saturating_sub(unit)]);
    }
    all.retain(|size| (1..count).contains(size));
    all.sort_unstable_by(|one, other| other.cmp(one));
    all.dedup();
    all
}

/// Takes `size` entries at a time out of the dimensions of a group.
fn narrow(search: &mut Search<'_>, group: &Group, size: u64) -> bool {
    let end = entries(&search.case, group);
    // Where no data is given it does not matter which of them go.
    let most = if is_given(&search.case, group) {
        PATIENCE
    } else {
        1
    };
    let ends = std::iter::successors(Some(end), |end| Some(end.saturating_sub(size)));
    let gone = ends.take_while(|end| *end > 0);
    let gone = gone.map(|end| end.saturating_sub(size)..end);
    search.patiently(gone, most, |search, gone| cut(search, group, &gone))
}

fn is_given(case: &Case, group: &Group) -> bool {
    let mut roles = group.iter().map(|part| part.role);
    let chunks = group.iter().any(|part| part.axis == Axis::Chunk);
    chunks || roles.any(|role| case.data.literal(role).is_some())
}

/// Offers the case without the entries `gone`, with each kind of padding.
fn cut(search: &mut Search<'_>, group: &Group, gone: &Range<u64>) -> bool {
    let offer = |padding: &Padding| {
        let candidate = without(&search.case, group, gone, *padding);
        candidate.is_some_and(|candidate| search.offer_fitted(candidate))
    };
    Padding::ALL.iter().any(offer)
}

fn without(case: &Case, group: &Group, gone: &Range<u64>, padding: Padding) -> Option<Case> {
    let mut out = case.clone();
    for part in group {
        let count = extent(case, part.role, part.axis)?;
        let [start, end] = [gone.start, gone.end].map(|at| at.saturating_mul(part.each));
        if start == 0 && end >= count {
            // None would be left.
            return None;
        }
        let whole = end - start;
        remove(
            &mut out,
            (part.role, part.axis),
            start..end,
            (padding, whole),
        );
    }
    Some(out)
}

/// What is left of a padded extent, by the unit that it is aligned to, the least that it
/// may be and what it is.
type Less = fn(u64, u64, u64) -> u64;

/// How much of a tile's padding goes.
const LESS: [Less; 5] = [
    // All of it.
    |_, least, _| least,
    // What alignment and boxes do not ask for.
    |unit, least, padded| least.checked_next_multiple_of(unit).unwrap_or(padded),
    // Half of it.
    |_, least, padded| least + padded.saturating_sub(least) / 2,
    // One unit of alignment.
    |unit, _, padded| padded.saturating_sub(unit),
    // One row or column.
    |_, _, padded| padded.saturating_sub(1),
];

/// Takes padding from all tiles together, from the data tile and the index
/// tile, and from each; along both axes and along one.
pub(super) fn padding(case: &Case) -> Vec<Edit> {
    let tiles = tiles(&case.call);
    let mut sets = vec![tiles.clone(), vec![data_role(&case.call), Role::Index]];
    sets.extend(tiles.into_iter().map(|role| vec![role]));
    let mut all = Vec::new();
    for roles in sets {
        for axes in [&[Axis::Row, Axis::Col][..], &[Axis::Row], &[Axis::Col]] {
            for less in LESS {
                let roles = roles.clone();
                all.push(edit(move |case| {
                    for role in roles {
                        if let Some(tile) = case.call.tile_mut(role) {
                            axes.iter().for_each(|axis| shave(tile, *axis, less));
                        }
                    }
                }));
            }
        }
    }
    all
}

fn shave(tile: &mut Tile, axis: Axis, less: Less) {
    let unit = padding_unit(tile, axis);
    let (padded, valid) = match axis {
        Axis::Row => (&mut tile.rows, tile.valid_row),
        _ => (&mut tile.cols, tile.valid_col),
    };
    let least = valid.get().max(1);
    *padded = less(unit, least, *padded).max(least).min(*padded);
}
