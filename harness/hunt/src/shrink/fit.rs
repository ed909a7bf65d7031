//! What follows from an operand's new extents in other operands.

use ptodiff_case::Case;
use ptodiff_isa::{Call, DType, Role};

use super::cut::resize;
use super::number::map;
use super::parts::Axis;
use super::scale;

/// Indices up to so many times the number of slots are near its edges.
const NEAR: u64 = 4;

/// `after` with what followed from the extents of `before` and no longer does
/// made to follow again: a scratch that is as large as the padded tile, and
/// literal indices beside the end of the slots. `None` where nothing did.
pub(super) fn fitted(before: &Case, after: &Case) -> Option<Case> {
    let needed = scratch(&before.call, &after.call);
    let ends = [before, after].map(scale::end);
    if needed.is_none() && ends[0] == ends[1] {
        return None;
    }
    let mut out = after.clone();
    if let Some(needed) = needed {
        resize(&mut out, (Role::Scratch, Axis::Dim(4)), needed, u64::MAX)?;
    }
    let dtype = out.call.operand(Role::Index)?.dtype();
    if let Some(bytes) = out.data.literal_mut(Role::Index) {
        follow(bytes, dtype, ends, scale::unit(after));
    }
    Some(out)
}

/// The elements that the scratch of `new` needs, where it had just those that
/// the tile has and no longer has: fewer than before.
fn scratch(old: &Call, new: &Call) -> Option<u64> {
    let (Call::MgatherL1(old), Call::MgatherL1(new)) = (old, new) else {
        return None;
    };
    let [before, after] = [old, new].map(|call| call.dst.rows.saturating_mul(call.dst.cols));
    let [.., length] = new.scratch?.shape.map(|dim| dim.get());
    (length == before && after < before).then_some(after)
}

/// Moves indices at the end of the slots with it, and those within that are
/// left without a slot to the last one.
fn follow(bytes: &mut [u8], dtype: DType, [before, after]: [u64; 2], unit: u64) {
    if before == after {
        return;
    }
    // What lies beyond is an edge of something else.
    let near = before.saturating_mul(NEAR).saturating_add(unit);
    map(bytes, dtype.size(), |_, index| {
        if (before..near).contains(&index) {
            (index - before).saturating_add(after)
        } else if index < before {
            index.min(after.saturating_sub(unit))
        } else {
            index
        }
    });
}
