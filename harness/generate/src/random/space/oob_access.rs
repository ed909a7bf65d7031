//! Dynamic parts that break the rules, as far as a program can be given them.

use ptodiff_case::IndexPattern;
use ptodiff_isa::{Call, GlobalTensor, Role};

use super::parts::{TENSORS, TILES, set};
use crate::random::choices::Choices;
use crate::random::data::DYN_UB;

/// Elements from one entry of a dimension to the next, where any will do.
const STEP: u64 = 64;

/// Longest side of a tensor where any will do.
const SIDE: u64 = 40;

/// What is changed.
#[derive(Clone, Copy)]
enum Change {
    Extent,
    Stride,
    Indices,
    Launch,
}

/// Changes so many parts; whether the indices are one of them. What is changed
/// may happen to be legal still.
pub(super) fn some(choices: &mut impl Choices, call: &mut Call, count: usize) -> bool {
    let mut indices = false;
    for _ in 0..count {
        let (table, launched) = (call.table().is_some(), call.launch().is_some());
        let change = choices.weighted(&[
            (6, Change::Extent),
            (4 * u64::from(!indices), Change::Indices),
            (4 * u64::from(table), Change::Stride),
            (u64::from(launched), Change::Launch),
        ]);
        match change {
            Change::Extent => extent(choices, call),
            Change::Stride => stride(choices, call),
            Change::Indices => indices = true,
            Change::Launch => launch(call),
        }
    }
    indices
}

/// Changes anything; whether the indices, too.
pub(super) fn all(choices: &mut impl Choices, call: &mut Call) -> bool {
    let count = 1 + choices.below(4) as usize;
    let indices = some(choices, call, count);
    for role in TILES {
        let Some(tile) = call.tile_mut(role) else {
            continue;
        };
        if choices.one_in(2) {
            set(&mut tile.valid_row, choices.below(tile.rows + 1));
        }
        if choices.one_in(2) {
            set(&mut tile.valid_col, choices.below(tile.cols + 1));
        }
    }
    for role in TENSORS {
        let Some(tensor) = call.tensor_mut(role) else {
            continue;
        };
        for at in [3, 4] {
            if choices.one_in(3) {
                set(&mut tensor.shape[at], 1 + choices.below(SIDE));
            }
            if choices.one_in(4) {
                set(&mut tensor.stride[at], choices.below(STEP));
            }
        }
    }
    indices
}

/// A pattern that leaves the slots, whatever the policy.
pub(super) fn pattern(choices: &mut impl Choices) -> IndexPattern {
    match choices.below(5) {
        0 => IndexPattern::AllOutOfBounds,
        1 => IndexPattern::OutOfBounds,
        2 => IndexPattern::OutOfBoundsNoDup,
        3 => IndexPattern::Edges,
        _ => IndexPattern::Negative,
    }
}

/// Another value for one of the dynamic extents.
fn extent(choices: &mut impl Choices, call: &mut Call) {
    let mut tiles = TILES.to_vec();
    tiles.retain(|role| call.tile_mut(*role).is_some());
    let mut tensors = TENSORS.to_vec();
    tensors.retain(|role| call.tensor_mut(*role).is_some());
    let at = choices.below((tiles.len() + tensors.len()) as u64) as usize;
    let second = choices.one_in(2);
    if let Some(role) = tiles.get(at)
        && let Some(tile) = call.tile_mut(*role)
    {
        let (dim, most) = if second {
            (&mut tile.valid_col, tile.cols)
        } else {
            (&mut tile.valid_row, tile.rows)
        };
        let to = other(choices, dim.get());
        // More than the tile holds no program could be given.
        set(dim, to.min(most));
    } else if let Some(tensor) = call.tensor_mut(tensors[at - tiles.len()]) {
        let axis = if second { 4 } else { 3 };
        let to = other(choices, tensor.shape[axis].get());
        set(&mut tensor.shape[axis], to);
        // Rows that follow each other, or that overlap or leave gaps.
        if second && choices.below(3) < 2 {
            pack(tensor);
        }
    }
}

/// Another value for one of the dynamic strides.
fn stride(choices: &mut impl Choices, call: &mut Call) {
    let Some(tensor) = call.tensor_mut(Role::Table) else {
        return;
    };
    let at = choices.pick(&[3, 3, 4]);
    let to = other(choices, tensor.stride[at].get());
    set(&mut tensor.stride[at], to);
}

fn other(choices: &mut impl Choices, now: u64) -> u64 {
    let last = now.saturating_sub(1);
    choices.pick(&[last, now + 1, 0, 2 * now, 1, now / 2])
}

fn pack(tensor: &mut GlobalTensor) {
    let step = tensor.shape[4].get() * tensor.stride[4].get();
    set(&mut tensor.stride[3], step);
}

/// More UB than there is (MSCATTER-UB-06, MGATHER-UB-06).
fn launch(call: &mut Call) {
    if let Some(launch) = call.launch_mut() {
        launch.dyn_ub_bytes = Some(DYN_UB + 1);
    }
}
