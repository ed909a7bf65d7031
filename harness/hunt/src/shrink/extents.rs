//! Smaller extents, less padding, strides without gaps, all known at compile time.

use std::ops::Range;

use ptodiff_case::Case;
use ptodiff_isa::{Dim, Operand, Role, Tile};

use super::follow::aligned;
use super::operands::{
    Axis, along, data_role, dims_mut, extent, order, packed_stride, padding_unit, restride, roles,
    set_extent, unit,
};
use super::search::{Edit, Search, edit};
use crate::dims::sized;

/// Takes entries off the end of every dimension, of the data tile first, or before as many others
/// there: all but one, halves, quarters, units of alignment, a single one.
pub(super) fn ends(search: &mut Search<'_>) -> bool {
    narrow_all(search, 2)
}

/// The same wherever they are.
pub(super) fn extents(search: &mut Search<'_>) -> bool {
    narrow_all(search, usize::MAX)
}

/// Takes entries of each size out of at most so many places of every dimension.
fn narrow_all(search: &mut Search<'_>, most: usize) -> bool {
    let data = data_role(&search.case.call);
    let mut all = vec![(data, Axis::Chunk), (data, Axis::Row), (data, Axis::Col)];
    for role in roles(&search.case.call) {
        let axes = order(&search.case, role).into_iter();
        all.extend(axes.map(|(axis, _)| (role, axis)));
    }
    let mut any = false;
    for place in all {
        let count = extent(&search.case, place).unwrap_or(0);
        let unit = unit(search.case.call.data_tile().dtype);
        let half = |size: &u64| (*size > 1).then(|| size.div_ceil(2));
        let mut sizes: Vec<u64> = std::iter::successors(half(&count), half).collect();
        sizes.extend([count.saturating_sub(1), unit]);
        sizes.retain(|size| (1..count).contains(size));
        sizes.sort_unstable_by(|one, other| other.cmp(one));
        sizes.dedup();
        for size in sizes {
            any |= narrow(search, place, size, most);
        }
    }
    any
}

/// Takes `size` entries at a time out of a dimension, in at most so many places.
fn narrow(search: &mut Search<'_>, place: (Role, Axis), size: u64, most: usize) -> bool {
    let count = extent(&search.case, place).unwrap_or(0);
    let ends = std::iter::successors(Some(count), |end| end.checked_sub(size));
    let ends = ends.take_while(|end| *end > 0).take(most);
    search.patiently(ends, |search, end| {
        let gone = end.saturating_sub(size)..end;
        search.offer_edited(&cut(place, gone))
    })
}

/// Takes entries out of a dimension, where others are left.
fn cut(place: (Role, Axis), gone: Range<u64>) -> Edit {
    Box::new(move |case| {
        let left = extent(case, place)?.checked_sub(gone.end - gone.start)?;
        if left > 0 {
            set_extent(case, place, left);
        }
        Some(gone.clone())
    })
}

/// What is left of a padded extent, by the unit that it is aligned to, the least that it
/// may be and what it is.
type Less = fn(u64, u64, u64) -> u64;

const LESS: [Less; 4] = [
    |_, least, _| least,
    |unit, least, _| aligned(unit, least),
    |unit, least, padded| aligned(unit, least.midpoint(padded)),
    |_, _, padded| padded - 1,
];

/// Takes padding from all tiles together and from each, along one axis.
pub(super) fn padding(case: &Case) -> Vec<Edit> {
    let roles = roles(&case.call);
    let each = roles.iter().map(|role| vec![*role]);
    let mut all = Vec::new();
    for set in [roles.clone()].into_iter().chain(each) {
        for (axis, less) in [Axis::Row, Axis::Col]
            .into_iter()
            .flat_map(|a| LESS.map(|l| (a, l)))
        {
            let set = set.clone();
            all.push(edit(move |case| {
                for role in &set {
                    if let Some(tile) = case.call.tile_mut(*role) {
                        shave(tile, axis, less);
                    }
                }
            }));
        }
    }
    all
}

fn shave(tile: &mut Tile, axis: Axis, less: Less) {
    let unit = padding_unit(tile, axis);
    let (padded, valid) = along(tile, axis);
    let least = valid.get().max(1);
    if *padded > least {
        *padded = less(unit, least, *padded).clamp(least, *padded);
    }
}

/// One extent of 1 in place of 0.
pub(super) fn empty(case: &Case) -> Vec<Edit> {
    let mut all = Vec::new();
    for role in roles(&case.call) {
        let empty = order(case, role).into_iter().filter(|(_, n)| *n == 0);
        all.extend(empty.map(|(axis, _)| edit(move |case| set_extent(case, (role, axis), 1))));
    }
    all
}

/// All extents and strides known at compile time, else one more.
pub(super) fn known(case: &Case) -> Vec<Edit> {
    let mut all = vec![edit(|case| {
        for role in roles(&case.call) {
            dims_mut(&mut case.call, role).into_iter().for_each(know);
        }
    })];
    let mut call = case.call;
    for role in roles(&case.call) {
        all.extend(
            (0..dims_mut(&mut call, role).len())
                .map(|at| edit(move |case| know(dims_mut(&mut case.call, role).remove(at)))),
        );
    }
    all
}

fn know(dim: &mut Dim) {
    *dim = Dim::Static(dim.get());
}

/// Strides of a tensor without gaps or nearer to that, and those further out with each; or each
/// alone, where a gap further out has to stay.
pub(super) fn strides(case: &Case) -> Vec<Edit> {
    let mut all = Vec::new();
    for role in roles(&case.call) {
        let Some(before) = case.call.operand(role).and_then(Operand::tensor).copied() else {
            continue;
        };
        for at in (0..5).rev() {
            let (stride, packed) = (before.stride[at].get(), packed_stride(&before, at));
            let nearer = [packed, packed.saturating_add(1), stride / 2];
            for (to, alone) in nearer
                .map(|to| (to, false))
                .into_iter()
                .chain([(packed, true)])
            {
                all.push(edit(move |case| {
                    if let Some(tensor) = case.call.tensor_mut(role) {
                        tensor.stride[at] = sized(tensor.stride[at], to);
                        if !alone {
                            restride(tensor, &before, at);
                        }
                    }
                }));
            }
        }
    }
    all
}
