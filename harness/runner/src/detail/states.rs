//! How each slot of the output came out.

use ptodiff_contract::{Permit, Run};
use ptodiff_isa::{Operand, Role};
use ptodiff_judge::{CaseContext, each_difference, each_wrong_slot, locate};
use ptodiff_record::{SlotState, StateRuns};

use super::Result;

/// One bit a slot.
struct Bits(Vec<u64>);

impl Bits {
    fn of(slots: u64) -> Self {
        Self(vec![0; slots.div_ceil(64) as usize])
    }

    fn set(&mut self, slot: usize) {
        if let Some(word) = self.0.get_mut(slot / 64) {
            *word |= 1 << (slot % 64);
        }
    }

    fn has(&self, slot: usize) -> bool {
        let word = self.0.get(slot / 64);
        word.is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }
}

/// The states of all slots, over all of `results` and all schedules. What is no
/// element is padding, whatever stands there, unless it is wrong.
pub(super) fn states(
    case_context: &CaseContext<'_>,
    results: &[Result<'_>],
    slots: u64,
) -> StateRuns {
    let role = case_context.call.output();
    let size = case_context
        .call
        .operand(role)
        .map_or(1, |o| o.dtype().size());
    let (mut differs, mut violates) = (Bits::of(slots), Bits::of(slots));
    for (n, a) in results.iter().enumerate() {
        each_wrong_slot(case_context, &a.input, |offset| violates.set(offset / size));
        for b in results[n + 1..].iter().filter(|b| a.party.meets(b.party)) {
            each_difference(case_context, &a.input, &b.input, |offset, permitted| {
                let bits = if permitted {
                    &mut differs
                } else {
                    &mut violates
                };
                bits.set(offset / size);
            });
        }
    }
    let mut ruled: Vec<&[Run]> = results.iter().map(|r| runs(r, role)).collect();
    let whole = every_slot_counts(case_context, role, slots);
    // As many as are kept, and no more, are asked for.
    (0..slots as usize)
        .map(|slot| {
            let base = ruling(&mut ruled, slot * size);
            let counts = || whole || locate(case_context.call, role, slot as u64).valid;
            let state = match () {
                () if violates.has(slot) => SlotState::Violates,
                () if differs.has(slot) => SlotState::Differs,
                () if counts() => base,
                () => SlotState::Padding,
            };
            (state, 1)
        })
        .collect()
}

/// Whether the output has no padding, so that it need not be looked for.
fn every_slot_counts(case_context: &CaseContext<'_>, role: Role, slots: u64) -> bool {
    let count = match case_context.call.operand(role) {
        Some(Operand::Tile(tile)) => tile.valid_row.get().checked_mul(tile.valid_col.get()),
        Some(Operand::Tensor(table)) => table
            .shape
            .iter()
            .try_fold(1, |n: u64, d| n.checked_mul(d.get())),
        None => None,
    };
    count == Some(slots)
}

fn runs<'a>(result: &Result<'a>, role: Role) -> &'a [Run] {
    let mut operands = result.permits.operands.iter();
    operands
        .find(|o| o.role == role)
        .map_or(&[], |operand| &operand.runs)
}

/// What the parties' runs say of the slot at byte `offset`; runs that end
/// before it are dropped from the front.
fn ruling(ruled: &mut [&[Run]], offset: usize) -> SlotState {
    let mut state = SlotState::Kept;
    for runs in ruled {
        while let Some((run, rest)) = runs.split_first() {
            if run.offset.saturating_add(run.len) > offset {
                if run.offset <= offset {
                    state = state.max(match run.permit {
                        Permit::Anything => SlotState::Open,
                        _ => SlotState::Same,
                    });
                }
                break;
            }
            *runs = rest;
        }
    }
    state
}
