//! The same call run in another way: under another schedule, by another executor.

use ptodiff_isa::{
    Call, Coalesce, GatherExec, GatherOob, L1ScratchZero, MgatherL1, Role, Schedule, Target,
};

use super::Finding;
use super::lanes::demand;
use super::trial::{ModelCase, Two};

/// What every schedule is compared with [`Schedule::InOrder`] for.
const OTHERS: [(Schedule, &str); 3] = [
    (Schedule::Reversed, "with the lanes reversed"),
    (Schedule::Shuffled(1), "with the lanes shuffled by seed 1"),
    (Schedule::Shuffled(2), "with the lanes shuffled by seed 2"),
];

/// [`super::Relation::Schedules`].
pub(super) fn schedules(base: &ModelCase<'_>) -> Finding {
    let memory = base.steps.first()?;
    let promised = match base.call {
        Call::TscatterMask(_) => base.promised(base.call, memory)?,
        _ => base.seen(|_| true)?.promised,
    };
    demand(promised.settled)?;
    let judge = || {
        let in_order = base.run(base.call, memory.clone())?;
        for (schedule, but) in OTHERS {
            let other = base.run_as(base.call, memory.clone(), schedule)?;
            promised.agree([&in_order, &other], but)?;
        }
        Ok(())
    };
    Some(judge())
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
    let other = Call::MgatherL1(MgatherL1 { exec, ..*call });
    let seen = base.seen(|_| true)?;
    base.lanes(&other)?;

    let one = base.run(base.call, seen.memory.clone());
    let other = base.run(&other, seen.memory.clone());
    let judge = || {
        let results = [&one?, &other?];
        // Otherwise the scalar one shows in the padding what its scratch held
        // (MGATHERL1-GAP-02, MGATHERL1-EXEC-07); CPU promises nothing of it.
        let zeroed = base.target == Target::A5
            && (call.oob == GatherOob::Zero
                || base.readings.l1_scratch_zero == L1ScratchZero::Always);
        if zeroed && !seen.slots.any_open() {
            Two::of(Role::Scratch, call.dst.dtype.size(), results, but)?.equal()?;
            return seen.promised.agree(results, but);
        }
        let places = seen.lanes.places(Role::Destination).unwrap_or_default();
        seen.moved(results, places, but)
    };
    Some(judge())
}
