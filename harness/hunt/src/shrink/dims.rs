//! Extents known at compile time, strides without gaps, nothing empty.

use ptodiff_case::Case;
use ptodiff_isa::{Dim, Operand, Role};

use super::cut::{pack, resize, restride};
use super::measure::packed_stride;
use super::parts::{Axis, dims_mut, order, roles, tensors};
use super::search::{Edit, edit, of_tensor};
use crate::dims::sized;

/// All extents and strides known at compile time, else those of an operand,
/// else one more.
pub(super) fn known(case: &Case) -> Vec<Edit> {
    let mut call = case.call;
    let mut dynamic = Vec::new();
    for role in roles(&case.call) {
        let dims = dims_mut(&mut call, role).into_iter().enumerate();
        let dims = dims.filter(|(_, dim)| dim.known().is_none());
        dynamic.extend(dims.map(|(at, _)| (role, at)));
    }
    let of_operands = dynamic.chunk_by(|a, b| a.0 == b.0).map(<[_]>::to_vec);
    let mut all = vec![dynamic.clone()];
    all.extend(of_operands);
    all.extend(dynamic.iter().map(|dim| vec![*dim]));
    let known = |dims: Vec<(Role, usize)>| {
        edit(|case| {
            for (role, at) in dims {
                let mut dims = dims_mut(&mut case.call, role);
                *dims[at] = Dim::Static(dims[at].get());
            }
        })
    };
    all.into_iter().map(known).collect()
}

/// Strides of a tensor without gaps, else one stride nearer to that, with
/// those further out nearer too or as they are.
pub(super) fn strides(case: &Case) -> Vec<Edit> {
    let mut all = Vec::new();
    for role in tensors(&case.call) {
        let Some(before) = case.call.operand(role).and_then(Operand::tensor).copied() else {
            continue;
        };
        all.push(of_tensor(role, pack));
        for at in (0..5).rev() {
            let (stride, packed) = (before.stride[at].get(), packed_stride(&before, at));
            let gap = packed.saturating_add(1);
            for to in [packed, gap, stride / 2, stride.saturating_sub(1)] {
                let nearer = |outer: bool| {
                    of_tensor(role, move |tensor| {
                        tensor.stride[at] = sized(tensor.stride[at], to);
                        if let Some(next) = at.checked_sub(1).filter(|_| outer) {
                            restride(tensor, &before, next);
                        }
                    })
                };
                all.extend([true, false].map(nearer));
            }
        }
    }
    all
}

/// Extents of 1 in place of 0: all of them, else those of a dimension of every
/// operand that has it, else one.
pub(super) fn empty(case: &Case) -> Vec<Edit> {
    let of_role = |role| {
        let empty = order(case, role)
            .into_iter()
            .filter(|(_, extent)| *extent == 0);
        empty.map(move |(axis, _)| (role, axis))
    };
    let extents: Vec<(Role, Axis)> = roles(&case.call).into_iter().flat_map(of_role).collect();
    let along = |axis| extents.iter().filter(move |(_, of)| *of == axis).copied();
    let mut all = vec![extents.clone()];
    all.extend([Axis::Row, Axis::Col].map(|axis| along(axis).collect()));
    all.extend(extents.iter().map(|extent| vec![*extent]));
    let filled = |extents: Vec<(Role, Axis)>| -> Edit {
        Box::new(|case, room| {
            let mut extents = extents.into_iter();
            extents.try_for_each(|extent| resize(case, extent, 1, room))
        })
    };
    all.into_iter().map(filled).collect()
}
