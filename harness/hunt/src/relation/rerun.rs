//! The same call run in another way: under another schedule, by another executor.

use ptodiff_isa::{Call, Coalesce, GatherExec, GatherOob, L1ScratchZero, Role, Schedule, Target};

use super::Finding;
use super::order::Order;
use super::trial::{ModelCase, Two};
use super::view::{by_mask, demand};

/// What every schedule is compared with [`Schedule::InOrder`] for.
const OTHERS: [(Schedule, &str); 3] = [
    (Schedule::Reversed, "with the lanes reversed"),
    (Schedule::Shuffled(1), "with the lanes shuffled by seed 1"),
    (Schedule::Shuffled(2), "with the lanes shuffled by seed 2"),
];

/// [`super::Relation::Schedules`].
pub(super) fn schedules(base: &ModelCase<'_>) -> Finding {
    if let Call::TscatterMask(call) = base.call {
        by_mask(call)?;
        base.accepted(base.call)?;
        let memory = base.steps.first()?;
        let size = call.dst.dtype.size();
        return Some(under_all(base, memory, |results, but| {
            Two::of(Role::Destination, size, results, but)?.equal()
        }));
    }
    let seen = base.seen(|_| true)?;
    Order::of(&seen.view, seen.memory, &seen.slots)?;
    Some(under_all(base, seen.memory, |results, but| {
        seen.agree(results, but)
    }))
}

fn under_all(
    base: &ModelCase<'_>,
    memory: &ptodiff_isa::Memory,
    agree: impl Fn([&ptodiff_isa::Memory; 2], &str) -> Result<(), String>,
) -> Result<(), String> {
    let in_order = base.run(base.call, memory.clone())?;
    for (schedule, but) in OTHERS {
        let other = base.run_as(base.call, memory.clone(), schedule)?;
        agree([&in_order, &other], but)?;
    }
    Ok(())
}

/// [`super::Relation::Executor`].
pub(super) fn executor(base: &ModelCase<'_>) -> Finding {
    let Call::MgatherL1(call) = base.call else {
        return None;
    };
    demand(call.mode == Coalesce::Elem)?;
    let (exec, but) = match call.exec {
        GatherExec::Scalar => (GatherExec::Simt, "with the SIMT executor"),
        GatherExec::Simt => (GatherExec::Scalar, "with the scalar executor"),
    };
    let other = Call::MgatherL1(ptodiff_isa::MgatherL1 { exec, ..*call });
    let seen = base.seen(|_| true)?;
    base.view(&other)?;

    let one = base.run(base.call, seen.memory.clone());
    let other = base.run(&other, seen.memory.clone());
    let judge = || {
        let results = [&one?, &other?];
        let size = call.dst.dtype.size();
        // Otherwise the scalar one shows in the padding what its scratch held
        // (MGATHERL1-GAP-02, MGATHERL1-EXEC-07); CPU promises nothing of it.
        let zeroed = base.target == Target::A5
            && (call.oob == GatherOob::Zero
                || base.readings.l1_scratch_zero == L1ScratchZero::Always);
        if zeroed && !seen.slots.any_open() {
            Two::of(Role::Scratch, size, results, but)?.equal()?;
            return Two::of(Role::Destination, size, results, but)?.equal();
        }
        let two = Two::of(Role::Destination, size, results, but)?;
        seen.lanes_agree(&two, &seen.view.places, |lane| seen.view.lane(lane))
    };
    Some(judge())
}
