//! Extents known at compile time, strides without gaps, nothing empty.

use ptodiff_case::Case;
use ptodiff_isa::{Dim, Role};

use super::cut::{pack, resize, restride};
use super::measure::packed_stride;
use super::parts::{Axis, dims_mut, order, roles, tensors};
use super::search::Search;
use crate::dims::sized;

/// All extents and strides known at compile time, else those of an operand,
/// else one more.
pub(super) fn known(search: &mut Search<'_>) -> bool {
    let list = |case: &Case| {
        let mut call = case.call;
        let mut dynamic = Vec::new();
        for role in roles(&case.call) {
            let dims = dims_mut(&mut call, role).into_iter().enumerate();
            let dims = dims.filter(|(_, dim)| dim.known().is_none());
            dynamic.extend(dims.map(|(at, _)| (role, at)));
        }
        let mut all = vec![dynamic.clone()];
        all.extend(dynamic.chunk_by(|a, b| a.0 == b.0).map(<[_]>::to_vec));
        all.extend(dynamic.iter().map(|dim| vec![*dim]));
        all.retain(|dims| !dims.is_empty());
        all
    };
    search.exhaust(list, |search, dims| {
        let mut out = search.case.clone();
        for (role, at) in dims {
            let mut dims = dims_mut(&mut out.call, role);
            *dims[at] = Dim::Static(dims[at].get());
        }
        Some(out)
    })
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
        let mut out = search.case.clone();
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
        let of_role = |role| {
            let empty = order(case, role)
                .into_iter()
                .filter(|(_, extent)| *extent == 0);
            empty.map(move |(axis, _)| (role, axis))
        };
        let extents: Vec<(Role, Axis)> = roles(&case.call).into_iter().flat_map(of_role).collect();
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
        let mut out = search.case.clone();
        for extent in extents {
            resize(&mut out, extent, 1, search.room)?;
        }
        Some(out)
    })
}
