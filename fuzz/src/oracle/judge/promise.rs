//! Permits, well formed or not, and memory that obeys them.

use ptodiff_contract::{OperandPermits, Permit, Permits, Run};
use ptodiff_generate::random::{Bytes, Choices};
use ptodiff_isa::{DType, Memory, Region, Role};
use strum::VariantArray as _;

use super::judged_case::clause;

/// Most runs of one operand.
const MOST_RUNS: u64 = 4;

/// Permits for the operands of `before`, which need not fit them.
pub(super) fn any(before: &Memory, choices: &mut Bytes<'_, '_>) -> Permits {
    let pool: Vec<u8> = (0..choices.below(65))
        .map(|_| choices.below(256) as u8)
        .collect();
    let mut operands: Vec<OperandPermits> = before
        .regions
        .iter()
        .map(|region| operand(region, pool.len(), choices))
        .collect();
    if choices.one_in(16) {
        operands.pop();
    }
    Permits {
        operands,
        pool,
        oob_accesses: choices.one_in(4).then(|| clause(choices)),
    }
}

fn operand(region: &Region, pool: usize, choices: &mut Bytes<'_, '_>) -> OperandPermits {
    let role = match choices.one_in(24) {
        true => choices.pick(Role::VARIANTS),
        false => region.role,
    };
    let dtype = choices.pick(DType::VARIANTS);
    let mut runs: Vec<Run> = Vec::new();
    for _ in 0..choices.below(MOST_RUNS + 1) {
        let end = runs
            .last()
            .map_or(0, |run| run.offset.saturating_add(run.len));
        let run = run(end, dtype.size(), pool, choices);
        let fits = run.offset.saturating_add(run.len) <= region.body().len();
        if fits || choices.one_in(16) {
            runs.push(run);
        }
    }
    OperandPermits {
        role,
        dtype,
        runs,
        kept: clause(choices),
        guards_free: choices.one_in(8).then(|| clause(choices)),
    }
}

/// A run of whole slots behind the last one that ends at `end`, or any.
fn run(end: usize, slot: usize, pool: usize, choices: &mut Bytes<'_, '_>) -> Run {
    let (offset, len) = if choices.one_in(16) {
        (number(choices), number(choices))
    } else {
        let gap = choices.below(3) as usize * slot;
        (
            end.saturating_add(gap),
            slot * (1 + choices.below(3) as usize),
        )
    };
    let mut place = |len: usize| match choices.one_in(16) {
        true => number(choices),
        false => choices.below(pool.saturating_sub(len) as u64 + 1) as usize,
    };
    let (at, other) = (place(len), place(slot));
    let permit = match choices.below(4) {
        0 => Permit::Exactly { at },
        1 => Permit::OneOf {
            at,
            count: choices.pick(&[1, 2, 3, 0, usize::MAX]),
        },
        2 => Permit::Between {
            low: at,
            high: other,
            // One in a few, and then sometimes too many.
            more: if other % 4 == 1 { other } else { 0 },
            wide: at % 2 == 1,
        },
        _ => Permit::Anything,
    };
    Run {
        offset,
        len,
        permit,
        clause: clause(choices),
        freedom: choices.one_in(3).then(|| clause(choices)),
        or_kept: choices.one_in(3).then(|| clause(choices)),
    }
}

/// A number that is no offset.
fn number(choices: &mut Bytes<'_, '_>) -> usize {
    choices.pick(&[0, 1, 3, 4096, usize::MAX, usize::MAX / 2 + 1])
}

/// `before` after stores that `permits` allow; what it does not fit is left out.
pub(super) fn obey(permits: &Permits, before: &Memory, choices: &mut Bytes<'_, '_>) -> Memory {
    let mut memory = before.clone();
    for (operand, region) in permits.operands.iter().zip(&mut memory.regions) {
        for run in &operand.runs {
            let end = run.offset.saturating_add(run.len);
            let Some(slots) = region.body_mut().get_mut(run.offset..end) else {
                continue;
            };
            if run.or_kept.is_none() || choices.one_in(2) {
                store(
                    slots,
                    run.permit,
                    operand.dtype.size(),
                    &permits.pool,
                    choices,
                );
            }
        }
    }
    memory
}

fn store(slots: &mut [u8], permit: Permit, size: usize, pool: &[u8], choices: &mut Bytes<'_, '_>) {
    let from = |at: usize, len: usize| pool.get(at..at.saturating_add(len));
    match permit {
        Permit::Exactly { at } => {
            if let Some(bytes) = from(at, slots.len()) {
                slots.copy_from_slice(bytes);
            }
        }
        Permit::OneOf { at, count } => {
            // Another candidate in each slot, beginning anywhere.
            let first = choices.below(count as u64) as usize;
            let len = slots.len();
            for (number, slot) in slots.chunks_mut(size).enumerate() {
                let candidate = (first.wrapping_add(number)).checked_rem(count);
                let at = candidate.and_then(|c| c.checked_mul(len)?.checked_add(at));
                let at = at.and_then(|at| at.checked_add(number * size));
                if let Some(bytes) = at.and_then(|at| from(at, slot.len())) {
                    slot.copy_from_slice(bytes);
                }
            }
        }
        Permit::Between {
            low, high, more, ..
        } => {
            let single = high.saturating_add(more.saturating_mul(size));
            let at = choices.pick(&[low, high, single]);
            if let Some(bytes) = from(at, slots.len()) {
                slots.copy_from_slice(bytes);
            }
        }
        Permit::Anything => slots.fill(choices.below(256) as u8),
    }
}
