//! Which lanes wrote the slots that a record shows, and by which index.

use ptodiff_contract::{Feeder, feeders};
use ptodiff_isa::{Memory, Party};
use ptodiff_record::{CaseRecord, Lane, Slot};

use crate::{Trial, lane_indices::LaneIndices};

/// Notes in `record` the lanes that by the contract wrote each slot that is wrong or differs.
pub(crate) fn note(trial: &Trial<'_>, record: &mut CaseRecord) {
    let context = &trial.context;
    let steps: Vec<&Memory> = context.steps.iter().collect();
    let writers = |party: &Party, slot: &Slot| {
        let party_run = trial.party_runs.iter().find(|a| a.party == *party);
        let call = party_run.map_or(&context.case.call, |a| a.call(context.case));
        let readings = &context.readings[party.target];
        let indices = LaneIndices::of(call, &steps, readings);
        let lane = |Feeder { step, r, c }| Lane {
            step: u32::try_from(step).unwrap_or(u32::MAX),
            r,
            c,
            index: indices.as_ref().and_then(|all| all.index(step, r, c)),
        };
        let (target, element) = (party.target, slot.element as usize);
        let all = feeders(call, &steps, target, readings, slot.role, element);
        all.into_iter().map(lane).collect::<Vec<Lane>>()
    };
    for (party, target) in &mut record.targets {
        let findings = target.findings.iter_mut().chain(&mut target.flaky);
        for slot in findings.filter_map(|finding| finding.slot.as_mut()) {
            name(slot, writers(party, slot));
        }
    }
    for pair in &mut record.pairs {
        let (a, b) = &pair.targets;
        for slot in &mut pair.slots {
            let mut lanes = [writers(a, slot), writers(b, slot)].concat();
            lanes.sort_unstable();
            lanes.dedup();
            name(slot, lanes);
        }
    }
}

/// Names the first of these lanes, and says how many more there are.
fn name(slot: &mut Slot, mut lanes: Vec<Lane>) {
    slot.more_lanes = lanes.len().saturating_sub(Slot::LANES) as u64;
    lanes.truncate(Slot::LANES);
    slot.lanes = lanes;
}
