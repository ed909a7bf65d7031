//! What a party did, well formed or not.

use ptodiff_contract::Permits;
use ptodiff_generate::random::{Bytes, Choices};
use ptodiff_isa::{Memory, OobAccess, OobAccesses, Region, Rejection, Role, Schedule};
use ptodiff_judge::{Answer, InputChanged, Ran};
use strum::VariantArray as _;

use super::{judged_case::clause, promise};

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

/// What is permitted, or what was there, with a few things wrong, down to the
/// operands' number and lengths.
fn left_behind(before: &Memory, permits: Option<&Permits>, choices: &mut Bytes<'_, '_>) -> Memory {
    let mut memory = match permits {
        Some(permits) => promise::obey(permits, before, choices),
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
    if choices.one_in(8) {
        misshape(&mut memory, choices);
    }
    memory
}

fn misshape(memory: &mut Memory, choices: &mut Bytes<'_, '_>) {
    let at = choices.below(memory.regions.len() as u64) as usize;
    let Some(region) = memory.regions.get(at) else {
        return;
    };
    let (role, bytes, body) = (region.role, region.bytes(), region.body_range());
    let new = match choices.below(4) {
        0 => {
            memory.regions.swap_remove(at);
            return;
        }
        1 => Region::new(choices.pick(Role::VARIANTS), bytes.to_vec(), body),
        2 => Region::new(role, bytes.to_vec(), body.start..body.start),
        _ => Region::new(role, bytes[..body.start].to_vec(), 0..body.start),
    };
    memory.regions[at] = new;
}
