//! Whose value stands in a slot that several lanes wrote.

use ptodiff_contract::{Feeder, each_feeder};
use ptodiff_isa::{Memory, ScatterAtomicOp};
use ptodiff_judge::Ran;
use ptodiff_record::{Lane, SlotMap};

use super::Sources;
use crate::{context::RunContext, party_run::PartyRun};

/// Notes in `map` the lane whose value stands in each slot that several wrote
/// on the party of `run`, which `left` that. A slot that holds no lane's value, or one that two
/// of them have, has no winner: nor has a sum.
pub(super) fn note(map: &mut SlotMap, context: &RunContext<'_>, run: &PartyRun, left: &Ran) {
    let (call, party) = (run.call(context.case), &run.party);
    if call.atomic() == Some(ScatterAtomicOp::Add) {
        return;
    }
    let role = map.role;
    let sources = Sources::of(call, context.steps);
    let (Some(sources), Some(after)) = (sources, left.memory.get(role)) else {
        return;
    };
    let all: Vec<&Memory> = context.steps.iter().collect();
    let mut fed: Vec<(usize, Feeder)> = Vec::new();
    let target = party.target;
    each_feeder(
        call,
        &all,
        target,
        &context.readings[target],
        role,
        |slot, lane| {
            fed.push((slot, lane));
        },
    );
    fed.sort_unstable();
    let size = map.slot_bytes as usize;
    for lanes in fed.chunk_by(|(a, _), (b, _)| a == b) {
        let [(slot, _), _, ..] = lanes else { continue };
        let Some(held) = after.body().get(slot * size..(slot + 1) * size) else {
            continue;
        };
        let mut winners = lanes
            .iter()
            .filter(|(_, lane)| sources.value(lane.step, lane.r, lane.c, size) == Some(held));
        if let (Some((_, lane)), None) = (winners.next(), winners.next()) {
            let step = u32::try_from(lane.step).unwrap_or(u32::MAX);
            map.win(party, *slot as u64, Lane::at(step, lane.r, lane.c));
        }
    }
}
