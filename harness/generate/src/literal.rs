//! A case with its data given literally: the same whatever seed it is run with.

use ptodiff_case::limits::MAX_FILE_BYTES;
use ptodiff_case::{Case, Fill, IndexPattern};
use ptodiff_isa::{Operand, Role};

use crate::slots::Slots;
use crate::stream::{Channel, Streams};
use crate::{fill, index};

/// Most literals that a case is given, those of all its operands together.
///
/// A case file has at most 500000 scalars and containers, and a literal is
/// one; what is left is for all else that the file says.
pub const MAX_LITERALS: u64 = 400_000;

/// Most bytes of a literal in a case file: the longest is -2^63, and there is
/// what stands between two of them.
const LONGEST: u64 = 24;

const _: () = assert!(MAX_LITERALS * LONGEST < MAX_FILE_BYTES);

/// The same case with literal data in place of what is drawn: every fill and
/// pattern of an operand that depends on the run's `seed`, the case's own, or
/// its id. [`crate::stimulus()`] makes the same bytes of both, of the result
/// under any seed.
///
/// What no seed touches stays, and so does what [`MAX_LITERALS`] has no room
/// for: the smallest operands come first. Where nothing is drawn any more the
/// case's own seed is 0.
#[must_use]
pub fn literal(case: &Case, seed: u64) -> Case {
    given(case, seed, draws, pattern_draws)
}

/// As [`literal`], and literal data also in place of the fills and patterns
/// that no seed touches but that depend on an element's position or on the
/// operands' sizes: all but zeros and poison. So elements can be changed one
/// by one.
#[must_use]
pub fn written_out(case: &Case, seed: u64) -> Case {
    let by_place = |fill: &Fill| {
        let plain = matches!(fill, Fill::Zeros | Fill::Poison);
        !plain && !matches!(fill, Fill::Literal(_) | Fill::Rows(_))
    };
    let pattern = |pattern: &IndexPattern| !matches!(pattern, IndexPattern::Literal(_));
    given(case, seed, by_place, pattern)
}

/// Whether data of this kind depends on a seed.
fn draws(fill: &Fill) -> bool {
    match fill {
        Fill::SmallInts | Fill::Percent | Fill::Distinct | Fill::RandomBits => true,
        Fill::Zeros
        | Fill::Ramp
        | Fill::RampBits
        | Fill::Eighths
        | Fill::Special
        | Fill::Poison
        | Fill::Arange
        | Fill::Literal(_)
        | Fill::Rows(_) => false,
    }
}

/// Whether indices of this kind depend on a seed.
fn pattern_draws(pattern: &IndexPattern) -> bool {
    match pattern {
        IndexPattern::Random
        | IndexPattern::Permutation
        | IndexPattern::OutOfBounds
        | IndexPattern::OutOfBoundsNoDup
        | IndexPattern::AllOutOfBounds
        | IndexPattern::Hot { .. }
        | IndexPattern::Edges
        | IndexPattern::Negative
        | IndexPattern::TwoRows => true,
        IndexPattern::Same | IndexPattern::Seq | IndexPattern::Literal(_) => false,
    }
}

/// The case with those operands literal of which one of the two says so.
fn given(
    case: &Case,
    seed: u64,
    fills: impl Fn(&Fill) -> bool,
    patterns: impl Fn(&IndexPattern) -> bool,
) -> Case {
    let mut out = case.clone();
    let operands = case.call.operands();
    let of = |role: Role| operands.iter().find(|operand| operand.0 == role);
    let index_type = of(Role::Index).map(|(_, operand)| operand.dtype());
    let slots = Slots::of(&case.call, index_type, case.data_readings());
    let with_source = of(Role::Source).is_some();
    let streams = Streams::of(seed, case.data.seed, &case.id);
    let mut room = MAX_LITERALS;
    let mut wanted = Vec::new();
    for &(role, operand) in &operands {
        let count = elements(case, role, operand);
        match case.data.fill(role) {
            Some(Fill::Literal(_)) => room = room.saturating_sub(count),
            Some(fill) if fills(fill) => wanted.push((count, role, operand)),
            Some(_) => {}
            None if patterns(&case.data.index) => wanted.push((count, role, operand)),
            None if matches!(case.data.index, IndexPattern::Literal(_)) => {
                room = room.saturating_sub(count);
            }
            None => {}
        }
    }
    wanted.sort_by_key(|(count, ..)| *count);
    for (count, role, operand) in wanted {
        let Some(left) = room.checked_sub(count) else {
            break;
        };
        room = left;
        // At most MAX_LITERALS.
        let dtype = operand.dtype();
        let mut values = vec![0; count as usize * dtype.size()];
        let mut stream = streams.channel(Channel::of(role, with_source));
        match case.data.fill(role) {
            Some(fill) => fill::values(fill, dtype, &mut stream, &mut values),
            None => {
                let row = (dtype, width(operand));
                index::values(&case.data.index, row, &slots, &mut stream, &mut values)
            }
        };
        out.data.set_literal(role, values);
    }
    let drawn = |role| match out.data.fill(role) {
        Some(fill) => draws(fill),
        None => pattern_draws(&out.data.index),
    };
    if !out.call.operands().iter().any(|(role, _)| drawn(*role)) {
        out.data.seed = 0;
    }
    out
}

/// Elements that the data of an operand has, over all chunks where it has a
/// part in each: counted before anything is allocated.
fn elements(case: &Case, role: Role, operand: Operand<'_>) -> u64 {
    let product = |extents: &[u64]| {
        if extents.contains(&0) {
            return 0;
        }
        extents.iter().fold(1, |p: u64, e| p.saturating_mul(*e))
    };
    let each = match operand {
        Operand::Tile(tile) => product(&[tile.valid_row.get(), tile.valid_col.get()]),
        Operand::Tensor(tensor) => product(&tensor.shape.map(|dim| dim.get())),
    };
    match role {
        Role::Table | Role::Scratch => each,
        Role::Source | Role::Destination | Role::Index => {
            each.saturating_mul(u64::from(case.chunks.max(1)))
        }
    }
}

/// Elements of a row.
fn width(operand: Operand<'_>) -> u64 {
    match operand {
        Operand::Tile(tile) => tile.valid_col.get(),
        Operand::Tensor(tensor) => tensor.shape[4].get(),
    }
}
