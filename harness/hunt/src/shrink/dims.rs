//! Extents known at compile time, strides without gaps, nothing empty.

use ptodiff_case::Case;
use ptodiff_isa::{Dim, Role};

use super::cut::{pack, resize, restride};
use super::measure::packed_stride;
use super::parts::{Axis, dim_mut, order, roles, sized, tensors};
use super::search::Search;

/// A place where a case has an extent or a stride.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Extent(Role, Axis),
    Stride(Role, usize),
}

/// All extents and strides known at compile time, else those of an operand,
/// else one more.
pub(super) fn known(search: &mut Search<'_>) -> bool {
    let list = |case: &Case| {
        let dynamic = places(case, |dim| dim.known().is_none());
        let of = |role: Role| {
            let own = |place: &&Place| matches!(place, Place::Extent(r, _) | Place::Stride(r, _) if *r == role);
            dynamic.iter().filter(own).copied().collect::<Vec<_>>()
        };
        let mut all = vec![dynamic.clone()];
        all.extend(roles(&case.call).into_iter().map(of));
        all.extend(dynamic.iter().map(|place| vec![*place]));
        all.retain(|places| !places.is_empty());
        all
    };
    search.exhaust(list, |search, places| {
        let mut out = search.case().clone();
        for place in places {
            if let Some(dim) = dim_at(&mut out, place) {
                *dim = Dim::Static(dim.get());
            }
        }
        Some(out)
    })
}

/// The places whose dimension `is` of a kind.
fn places(case: &Case, is: impl Fn(Dim) -> bool) -> Vec<Place> {
    let mut all = Vec::new();
    for role in roles(&case.call) {
        let extents = order(case, role).into_iter();
        all.extend(extents.map(|(axis, _)| Place::Extent(role, axis)));
        all.extend((0..5).map(|at| Place::Stride(role, at)));
    }
    let mut case = case.clone();
    all.retain(|place| dim_at(&mut case, *place).is_some_and(|dim| is(*dim)));
    all
}

fn dim_at(case: &mut Case, place: Place) -> Option<&mut Dim> {
    match place {
        Place::Extent(role, axis) => dim_mut(&mut case.call, role, axis),
        Place::Stride(role, at) => case
            .call
            .tensor_mut(role)
            .and_then(|tensor| tensor.stride.get_mut(at)),
    }
}

/// Strides of a tensor without gaps, else one stride nearer to that, with
/// those further out nearer too or as they are.
pub(super) fn strides(search: &mut Search<'_>) -> bool {
    let list = |case: &Case| {
        let mut all = Vec::new();
        for role in tensors(&case.call) {
            let Some(tensor) = case.call.operand(role).and_then(|operand| operand.tensor()) else {
                continue;
            };
            all.push((role, None));
            for at in (0..5).rev() {
                let (stride, packed) = (tensor.stride[at].get(), packed_stride(tensor, at));
                let gap = packed.saturating_add(1);
                for to in [packed, gap, stride / 2, stride.saturating_sub(1)] {
                    all.extend([true, false].map(|outer| (role, Some((at, to, outer)))));
                }
            }
        }
        all
    };
    search.exhaust(list, |search, (role, change)| {
        let mut out = search.case().clone();
        let tensor = out.call.tensor_mut(role)?;
        let Some((at, to, outer)) = change else {
            pack(tensor);
            return Some(out);
        };
        let before = *tensor;
        tensor.stride[at] = sized(tensor.stride[at], to);
        if let Some(next) = at.checked_sub(1).filter(|_| outer) {
            restride(tensor, &before, next);
        }
        Some(out)
    })
}

/// Extents of 1 in place of 0: all of them, else those of a dimension of every
/// operand that has it, else one.
pub(super) fn empty(search: &mut Search<'_>) -> bool {
    let list = |case: &Case| {
        let empty = places(case, |dim| dim.get() == 0);
        let extents = empty.into_iter().filter_map(|place| match place {
            Place::Extent(role, axis) => Some((role, axis)),
            Place::Stride(..) => None,
        });
        let extents: Vec<_> = extents.collect();
        let mut all = vec![extents.clone()];
        all.extend([Axis::Row, Axis::Col].map(|axis| {
            extents
                .iter()
                .filter(|(_, of)| *of == axis)
                .copied()
                .collect()
        }));
        all.extend(extents.iter().map(|extent| vec![*extent]));
        all.retain(|extents| !extents.is_empty());
        all
    };
    search.exhaust(list, |search, extents| {
        let mut probe = search.case().clone();
        for (role, axis) in &extents {
            let dim = dim_mut(&mut probe.call, *role, *axis)?;
            *dim = sized(*dim, 1);
        }
        // Only now data is made for them.
        search.has_room_for(&probe).then(|| {
            let mut out = search.case().clone();
            extents
                .into_iter()
                .for_each(|(role, axis)| resize(&mut out, role, axis, 1));
            out
        })
    })
}
