//! Other extents for an operand: its descriptor and its literal data together.

use std::ops::Range;

use ptodiff_case::Case;
use ptodiff_isa::{Dim, GlobalTensor, Role};

use super::bounds::bytes;
use super::measure::packed_stride;
use super::parts::{Axis, extent, is_chunked, order, padding_unit, roles};
use crate::dims::sized;

/// What becomes of a tile's padding where its valid region gets smaller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Padding {
    /// As little as alignment and boxes ask for.
    Tight,
    /// As much as before, so that a full tile stays full.
    Shifted,
    /// The padded extent stays.
    Kept,
}

impl Padding {
    /// All of them, that with the smallest tiles first.
    pub(super) const ALL: [Self; 3] = [Self::Tight, Self::Shifted, Self::Kept];
}

/// Takes the entries `gone` out of a dimension of an operand, from its data
/// and its extent; of the chunks, from all that have a part in them.
///
/// `whole` is by how much a padded extent gets smaller with [`Padding::Shifted`].
pub(super) fn remove(
    case: &mut Case,
    (role, axis): (Role, Axis),
    gone: Range<u64>,
    (padding, whole): (Padding, u64),
) {
    let Some(before) = extent(case, role, axis) else {
        return;
    };
    let gone = gone.start.min(before)..gone.end.min(before);
    let left = before - (gone.end - gone.start);
    if axis == Axis::Chunk {
        for role in roles(&case.call) {
            if is_chunked(role) {
                recut(case, role, axis, gone.clone(), left);
            }
        }
        case.chunks = u32::try_from(left).unwrap_or(case.chunks);
        return;
    }
    recut(case, role, axis, gone, left);
    set_extent(case, role, axis, left);
    let Some(tile) = case.call.tile_mut(role) else {
        return;
    };
    let unit = padding_unit(tile, axis);
    let padded = match axis {
        Axis::Row => &mut tile.rows,
        _ => &mut tile.cols,
    };
    let least = left.max(1);
    *padded = match padding {
        Padding::Tight => least
            .checked_next_multiple_of(unit)
            .unwrap_or(*padded)
            .min(*padded),
        Padding::Shifted => padded.saturating_sub(whole).max(least),
        Padding::Kept => *padded,
    };
}

/// Gives a dimension the extent `to`: what is too much goes from its end, what
/// is too little is zeros there. A tile is padded as far as it has to be. None, with the
/// data as it was, where the operands would then take more than `room` bytes.
pub(super) fn resize(
    case: &mut Case,
    (role, axis): (Role, Axis),
    to: u64,
    room: u64,
) -> Option<()> {
    let before = extent(case, role, axis)?;
    if to <= before {
        remove(case, (role, axis), to..before, (Padding::Kept, 0));
        return Some(());
    }
    let old = case.call;
    set_extent(case, role, axis, to);
    if let Some(tile) = case.call.tile_mut(role) {
        tile.rows = tile.rows.max(tile.valid_row.get());
        tile.cols = tile.cols.max(tile.valid_col.get());
    }
    // Only then data is made for it.
    if bytes(case) > room {
        return None;
    }
    let new = std::mem::replace(&mut case.call, old);
    recut(case, role, axis, 0..0, to);
    case.call = new;
    Some(())
}

/// Makes literal data again for an extent of `to` along `axis`: without the
/// entries `gone`, zeros where there are none.
fn recut(case: &mut Case, role: Role, axis: Axis, gone: Range<u64>, to: u64) {
    let extents = order(case, role);
    let operand = case.call.operand(role);
    let size = operand.map_or(1, |operand| operand.dtype().size());
    let Some(at) = extents.iter().position(|(of, _)| *of == axis) else {
        return;
    };
    let Some(bytes) = case.data.literal_mut(role) else {
        return;
    };
    let product = |part: &[(Axis, u64)]| {
        let extents = part.iter().map(|(_, extent)| *extent);
        extents.fold(1, u64::saturating_mul)
    };
    let outer = product(&extents[..at]);
    let inner = product(&extents[at + 1..]).saturating_mul(size as u64);
    let count = extents[at].1;
    if outer.saturating_mul(count).saturating_mul(inner) != bytes.len() as u64 {
        // Not as long as it should be: the case cannot be expressed, with or without this.
        return;
    }
    if outer == 0 || inner == 0 || to == 0 {
        bytes.clear();
        return;
    }
    let [outer, inner, count, to, from, until] =
        [outer, inner, count, to, gone.start, gone.end].map(|number| number as usize);
    let mut cut = Vec::with_capacity(outer * to * inner);
    for block in 0..outer {
        let start = block * count * inner;
        cut.extend_from_slice(&bytes[start..start + from * inner]);
        cut.extend_from_slice(&bytes[start + until * inner..start + count * inner]);
        cut.resize((block + 1) * to * inner, 0);
    }
    *bytes = cut;
}

fn set_extent(case: &mut Case, role: Role, axis: Axis, to: u64) {
    if let Axis::Dim(at) = axis
        && let Some(tensor) = case.call.tensor_mut(role)
    {
        let before = *tensor;
        tensor.shape[at] = sized(tensor.shape[at], to);
        restride(tensor, &before, 4);
    } else if let Some(tile) = case.call.tile_mut(role) {
        let dim = match axis {
            Axis::Row => &mut tile.valid_row,
            _ => &mut tile.valid_col,
        };
        *dim = sized(*dim, to);
    }
}

/// Gives `tensor`, whose shape or inner strides changed, strides that leave the
/// gaps that `before` left, from dimension `from` outwards. Strides under which
/// elements share a place stay.
pub(super) fn restride(tensor: &mut GlobalTensor, before: &GlobalTensor, from: usize) {
    for at in (0..=from).rev() {
        let stride = before.stride[at];
        let gap = stride.get().checked_sub(packed_stride(before, at));
        if let Some(gap) = gap {
            let packed = packed_stride(tensor, at);
            tensor.stride[at] = sized(stride, packed.saturating_add(gap));
        }
    }
}

/// Strides without gaps, all known at compile time.
pub(super) fn pack(tensor: &mut GlobalTensor) {
    for at in (0..5).rev() {
        tensor.stride[at] = Dim::Static(packed_stride(tensor, at));
    }
}
