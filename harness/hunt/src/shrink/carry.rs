//! The data of a case for a call that became another.

use std::ops::Range;

use ptodiff_case::{Case, DataPlan};
use ptodiff_isa::{DType, Role};

use super::operands::{order, roles};
use super::scale::{Scale, recoded, slots};
use crate::words;

/// Gives `after`, which has the data of `before`, data for its own call: each literal
/// element at its place, without the entries `cut` of what got smaller, zeros where there
/// was none. Where an operand has as many elements as before they stay in their order.
/// With `moves` indices go with the slots.
pub(super) fn carry(before: &Case, after: &mut Case, cut: Option<&Range<u64>>, moves: bool) {
    for role in roles(&before.call) {
        let operands = [before, &*after].map(|case| case.call.operand(role));
        let [Some(old), Some(new)] = operands else {
            // What a plan says of an operand that is not there reads back as its default.
            after.data.scratch = DataPlan::of(&after.call).scratch;
            continue;
        };
        let types = [old.dtype(), new.dtype()];
        let Some(bytes) = before.data.literal(role) else {
            continue;
        };
        let old: Vec<u64> = words::words(bytes, types[0].size()).collect();
        let Some(places) = places(before, after, role, cut, old.len() as u64) else {
            // Not as long as it should be: the case cannot be expressed, with or without this.
            continue;
        };
        let value = value([before, &*after], (role, types), moves);
        let new = places.into_iter().enumerate();
        let new = new.map(|(at, from)| from.map_or(0, |from| value(at, old[from])));
        let bytes = words::bytes(new, types[1].size());
        after.data.set_literal(role, bytes);
    }
}

/// Of each element where it was before.
fn places(
    before: &Case,
    after: &Case,
    role: Role,
    cut: Option<&Range<u64>>,
    count: u64,
) -> Option<Vec<Option<usize>>> {
    let [old, new] = [before, after].map(|case| order(case, role));
    let [whole, total] = [&old, &new].map(|dims| {
        let extents = dims.iter().map(|(_, extent)| *extent);
        extents.fold(1, u64::saturating_mul)
    });
    if whole != count {
        return None;
    }
    if total == whole {
        return Some((0..total as usize).map(Some).collect());
    }
    let step = |axis| {
        let inner = old.iter().rev().take_while(|(of, _)| *of != axis);
        inner.fold(1, |all: u64, (_, extent)| all.saturating_mul(*extent))
    };
    let place = |mut at: u64| {
        let mut from: u64 = 0;
        for (axis, extent) in new.iter().rev() {
            let mut entry = at % extent;
            at /= extent;
            let (_, had) = old.iter().find(|(of, _)| of == axis)?;
            // What got smaller beside what is cut lost as many of its own in the same place.
            if let Some(gone) = cut
                && let Some(lost) = had.checked_sub(*extent)
            {
                let start = gone.start.saturating_mul(lost) / (gone.end - gone.start);
                if entry >= start.min(*extent) {
                    entry += lost;
                }
            }
            if entry >= *had {
                return None;
            }
            from = from.saturating_add(entry.saturating_mul(step(*axis)));
        }
        Some(from as usize)
    };
    Some((0..total).map(place).collect())
}

/// What an element becomes, by its place and what it was.
fn value(
    [before, after]: [&Case; 2],
    (role, [from, to]): (Role, [DType; 2]),
    moves: bool,
) -> Box<dyn Fn(usize, u64) -> u64> {
    if role != Role::Index {
        let scale = Scale::of(after, role);
        return Box::new(move |at, bits| match from == to {
            true => bits,
            false => recoded(bits, from, to).unwrap_or_else(|| scale.plain(at)),
        });
    }
    let [old, new] = [before, after].map(slots);
    let unused = 64 - 8 * from.size() as u32;
    Box::new(move |_, bits| {
        let slot = bits / old.unit;
        // What lies far beyond the end is an edge of something else.
        if moves && slot <= old.capacity.saturating_mul(4) {
            let slot = match slot.checked_sub(old.capacity) {
                None => slot.min(new.capacity.saturating_sub(1)),
                Some(past) => new.capacity.saturating_add(past),
            };
            return slot
                .saturating_mul(new.unit)
                .saturating_add((bits % old.unit).min(new.unit - 1));
        }
        match from.is_signed_integer() {
            // The sign goes to the top and comes back down.
            true => ((bits << unused).cast_signed() >> unused).cast_unsigned(),
            false => bits,
        }
    })
}
