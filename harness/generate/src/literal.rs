//! A case with its data given literally: the same whatever seed it is run with.

use ptodiff_case::limits::MAX_FILE_BYTES;
use ptodiff_case::{Case, DataPlan, Fill, IndexPattern};
use ptodiff_data::place::Places;
use ptodiff_isa::Role;

use crate::Values;

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
    with_literals(case, seed, draws)
}

/// As [`literal`], and literal data also in place of the fills and patterns
/// that no seed touches but that depend on an element's position or on the
/// operands' sizes: all but zeros and poison. So elements can be changed one
/// by one.
#[must_use]
pub fn written_out(case: &Case, seed: u64) -> Case {
    let by_place = |data: &DataPlan, role| {
        let plain = matches!(
            data.fill(role),
            Some(Fill::Zeros | Fill::Poison | Fill::Rows(_))
        );
        !plain && data.literal(role).is_none()
    };
    with_literals(case, seed, by_place)
}

/// Whether the data of an operand depends on a seed.
fn draws(data: &DataPlan, role: Role) -> bool {
    use Fill::{Distinct, Percent, RandomBits, SmallInts};
    use IndexPattern::{Literal, Same, Seq};
    match data.fill(role) {
        Some(fill) => matches!(fill, SmallInts | Percent | Distinct | RandomBits),
        None => !matches!(data.index, Same | Seq | Literal(_)),
    }
}

/// The case with those operands literal that are `wanted`.
fn with_literals(case: &Case, seed: u64, wanted: impl Fn(&DataPlan, Role) -> bool) -> Case {
    let mut out = case.clone();
    let values = Values::of(case, seed);
    let mut room = MAX_LITERALS;
    let mut list = Vec::new();
    for &(role, operand) in &values.operands {
        // Counted before anything is allocated.
        let each = Places::of(operand).count() as u64;
        let count = each.saturating_mul(values.parts(role) as u64);
        if case.data.literal(role).is_some() {
            room = room.saturating_sub(count);
        } else if wanted(&case.data, role) {
            list.push((count, role, operand));
        }
    }
    list.sort_by_key(|(count, ..)| *count);
    for (count, role, operand) in list {
        let Some(left) = room.checked_sub(count) else {
            break;
        };
        room = left;
        // At most MAX_LITERALS.
        let mut bytes = vec![0; count as usize * operand.dtype().size()];
        values.write(role, operand, &mut bytes);
        out.data.set_literal(role, bytes);
    }
    let drawn = |(role, _): &(Role, _)| draws(&out.data, *role);
    if !out.call.operands().iter().any(drawn) {
        out.data.seed = 0;
    }
    out
}
