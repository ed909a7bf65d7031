//! How each slot of the output came out.

use ptodiff_contract::Permit;
use ptodiff_judge::{CaseContext, PartyInput, each_difference, each_wrong_slot, locate};
use ptodiff_record::{SlotState, StateRuns};

/// The states of all slots, over all of `inputs` and all schedules. What is no
/// element is padding, whatever stands there, unless it is wrong.
pub(super) fn states(
    case_context: &CaseContext<'_>,
    inputs: &[PartyInput<'_>],
    slots: u64,
) -> StateRuns {
    let role = case_context.call.output();
    let size = case_context
        .call
        .operand(role)
        .map_or(1, |o| o.dtype().size());
    let mut found = vec![SlotState::Kept; slots as usize];
    let mut note = |offset: usize, state: SlotState| {
        if let Some(slot) = found.get_mut(offset / size)
            && *slot != SlotState::Violates
        {
            *slot = state;
        }
    };
    for (n, a) in inputs.iter().enumerate() {
        each_wrong_slot(case_context, a, |offset| {
            note(offset, SlotState::Violates);
        });
        for b in inputs[n + 1..].iter().filter(|b| a.party.meets(b.party)) {
            each_difference(case_context, a, b, |offset, permitted| {
                let state = match permitted {
                    true => SlotState::Differs,
                    false => SlotState::Violates,
                };
                note(offset, state);
            });
        }
    }
    let promised = || inputs.iter().filter_map(|input| input.permits?.of(role));
    let found = found.into_iter().enumerate().map(|(slot, found)| {
        let runs = promised().filter_map(|of| of.run_at(slot * size));
        let base = runs.map(|run| match run.permit {
            Permit::Anything => SlotState::Open,
            _ => SlotState::Same,
        });
        let base = base.max().unwrap_or(SlotState::Kept);
        let state = match found {
            SlotState::Violates | SlotState::Differs => found,
            _ if locate(case_context.call, role, slot as u64).valid => base,
            _ => SlotState::Padding,
        };
        (state, 1)
    });
    // As many as are kept, and no more, are asked for.
    found.collect()
}
