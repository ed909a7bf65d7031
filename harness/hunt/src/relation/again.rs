//! The same call run in another way: under another schedule, by another executor.

use ptodiff_isa::{Call, Coalesce, GatherExec, GatherOob, L1ScratchZero, Role, Schedule, Target};

use super::Finding;
use super::order::Order;
use super::trial::{Given, Two};
use super::view::{by_mask, demand};

/// What every schedule is compared with [`Schedule::InOrder`] for.
const OTHERS: [(Schedule, &str); 3] = [
    (Schedule::Reversed, "with the lanes reversed"),
    (Schedule::Shuffled(1), "with the lanes shuffled by seed 1"),
    (Schedule::Shuffled(2), "with the lanes shuffled by seed 2"),
];

/// [`super::Relation::Schedules`].
pub(super) fn schedules(given: &Given<'_>) -> Finding {
    if let Call::TscatterMask(call) = given.call {
        by_mask(call)?;
        given.accepted(given.call)?;
        let memory = given.steps.first()?;
        let size = call.dst.dtype.size();
        return Some(under_all(given, memory, |results, but| {
            Two::of(Role::Destination, size, results, but)?.equal()
        }));
    }
    let seen = given.seen(|_| true)?;
    Order::of(&seen.view, seen.memory, &seen.slots)?;
    Some(under_all(given, seen.memory, |results, but| {
        seen.agree(results, but)
    }))
}

fn under_all(
    given: &Given<'_>,
    memory: &ptodiff_isa::Memory,
    agree: impl Fn([&ptodiff_isa::Memory; 2], &str) -> Result<(), String>,
) -> Result<(), String> {
    let in_order = given.run(given.call, memory.clone())?;
    for (schedule, but) in OTHERS {
        let other = given.run_as(given.call, memory.clone(), schedule)?;
        agree([&in_order, &other], but)?;
    }
    Ok(())
}

/// [`super::Relation::Executor`].
pub(super) fn executor(given: &Given<'_>) -> Finding {
    let Call::MgatherL1(call) = given.call else {
        return None;
    };
    demand(call.mode == Coalesce::Elem)?;
    let (exec, but) = match call.exec {
        GatherExec::Scalar => (GatherExec::Simt, "with the SIMT executor"),
        GatherExec::Simt => (GatherExec::Scalar, "with the scalar executor"),
    };
    let other = Call::MgatherL1(ptodiff_isa::MgatherL1 { exec, ..*call });
    let seen = given.seen(|_| true)?;
    given.view(&other)?;

    let one = given.run(given.call, seen.memory.clone());
    let other = given.run(&other, seen.memory.clone());
    let judge = || {
        let results = [&one?, &other?];
        let size = call.dst.dtype.size();
        // Otherwise the scalar one shows in the padding what its scratch held
        // (MGATHERL1-GAP-02, MGATHERL1-EXEC-07); CPU promises nothing of it.
        let zeroed = given.target == Target::A5
            && (call.oob == GatherOob::Zero
                || given.readings.l1_scratch_zero == L1ScratchZero::Always);
        if zeroed && !seen.slots.any_open() {
            Two::of(Role::Scratch, size, results, but)?.equal()?;
            return Two::of(Role::Destination, size, results, but)?.equal();
        }
        let two = Two::of(Role::Destination, size, results, but)?;
        seen.lanes_agree(&two, &seen.view.places, |lane| seen.view.lane(lane))
    };
    Some(judge())
}
