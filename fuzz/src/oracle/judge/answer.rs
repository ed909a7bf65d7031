//! What a party did, be it permitted or not.

use ptodiff_contract::{Permit, Permits};
use ptodiff_generate::random::{Bytes, Choices};
use ptodiff_isa::{Memory, OobAccess, OobAccesses, Rejection, Role, Schedule};
use ptodiff_judge::{Answer, InputChanged, Ran};
use strum::VariantArray as _;

use super::judged_case::clause;

/// One that ran, and left `memory` and nothing else.
pub(super) fn ran(memory: Memory, choices: &mut Bytes<'_, '_>) -> Answer {
    Answer::Ran(Ran {
        memory,
        oob_accesses: OobAccesses::default(),
        inputs_changed: Vec::new(),
        schedule: schedule(choices),
    })
}

/// Any answer.
pub(super) fn any(
    before: &Memory,
    permits: Option<&Permits>,
    choices: &mut Bytes<'_, '_>,
) -> Answer {
    match choices.weighted(&[(9, 0), (3, 1), (2, 2), (1, 3)]) {
        0 => Answer::Ran(Ran {
            memory: left_behind(before, permits, choices),
            oob_accesses: oob_accesses(choices),
            inputs_changed: if choices.one_in(6) {
                vec![InputChanged {
                    step: choices.below(3) as usize,
                    role: choices.pick(Role::VARIANTS),
                }]
            } else {
                Vec::new()
            },
            schedule: schedule(choices),
        }),
        1 => {
            let count = choices.below(3);
            let rejection = |_| Rejection {
                clause: clause(choices),
                why: String::new(),
            };
            Answer::Rejected((0..count).map(rejection).collect())
        }
        2 => Answer::Hung(schedule(choices)),
        _ => Answer::Fault(String::new()),
    }
}

fn schedule(choices: &mut Bytes<'_, '_>) -> Schedule {
    match choices.below(3) {
        0 => Schedule::InOrder,
        1 => Schedule::Reversed,
        _ => Schedule::Shuffled(1),
    }
}

/// Out-of-bounds accesses whose count need not go with those that are kept.
fn oob_accesses(choices: &mut Bytes<'_, '_>) -> OobAccesses {
    let mut oob_accesses = OobAccesses::default();
    if choices.one_in(6) {
        oob_accesses.count = choices.below(3);
        if choices.one_in(2) {
            oob_accesses.first.push(OobAccess {
                role: choices.pick(Role::VARIANTS),
                offset: choices.below(64) as i64 - 32,
                len: 1,
                write: choices.one_in(2),
            });
        }
    }
    oob_accesses
}

/// What is permitted, or what was there, with a few bytes wrong.
fn left_behind(before: &Memory, permits: Option<&Permits>, choices: &mut Bytes<'_, '_>) -> Memory {
    let mut memory = match permits {
        Some(permits) => obey(permits, before, choices),
        None => before.clone(),
    };
    for _ in 0..choices.weighted(&[(2, 0), (1, 1), (1, 4)]) {
        let at = choices.below(memory.regions.len() as u64) as usize;
        if let Some(region) = memory.regions.get_mut(at) {
            let at = choices.below(region.bytes().len() as u64) as usize;
            if let Some(byte) = region.bytes_mut().get_mut(at) {
                *byte = choices.below(256) as u8;
            }
        }
    }
    memory
}

/// `before` after stores that `permits` allow.
pub(super) fn obey(permits: &Permits, before: &Memory, choices: &mut Bytes<'_, '_>) -> Memory {
    let mut memory = before.clone();
    for (operand, region) in permits.operands.iter().zip(&mut memory.regions) {
        for run in &operand.runs {
            if run.or_kept.is_none() || choices.one_in(2) {
                let slots = &mut region.body_mut()[run.offset..run.offset + run.len];
                let size = operand.dtype.size();
                store(slots, run.permit, size, &permits.pool, choices);
            }
        }
    }
    memory
}

fn store(slots: &mut [u8], permit: Permit, size: usize, pool: &[u8], choices: &mut Bytes<'_, '_>) {
    let len = slots.len();
    match permit {
        Permit::Exactly { at } => slots.copy_from_slice(&pool[at..at + len]),
        Permit::OneOf { at, count } => {
            // Another candidate in each slot, beginning anywhere.
            let first = choices.below(count as u64) as usize;
            for (number, slot) in slots.chunks_mut(size).enumerate() {
                let at = at + (first + number) % count * len + number * size;
                slot.copy_from_slice(&pool[at..at + slot.len()]);
            }
        }
        Permit::Between {
            low, high, more, ..
        } => {
            let at = choices.pick(&[low, high, high + more * size]);
            slots.copy_from_slice(&pool[at..at + len]);
        }
        Permit::Anything => slots.fill(choices.below(256) as u8),
    }
}
