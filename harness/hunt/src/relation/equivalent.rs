//! The same call once more: its lanes turned round, on indices that select the same,
//! under another schedule, by another executor.

use ptodiff_isa::{
    Call, Coalesce, GatherExec, GatherOob, L1ScratchZero, Memory, MgatherL1, Role, Schedule, Target,
};

use super::Finding;
use super::lanes::demand;
use super::reach::{OPEN, Policy};
use super::trial::{ModelCase, Seen, Two};

/// The last lane becomes the first: [`super::Relation::Permutation`].
pub(super) fn permutation(base: &ModelCase<'_>) -> Finding {
    let seen = base.seen(|lanes| lanes.count() > 1)?;
    let lanes = &seen.lanes;
    demand(seen.promised.settled && lanes.commute(&seen.slots))?;
    let mut turned = seen.memory.clone();
    for role in [Role::Index, Role::Source] {
        if role == Role::Index || lanes.atomic.is_some() {
            let values = lanes.take(seen.memory, role)?;
            let each = values.len() / lanes.count();
            lanes.put(&mut turned, role, &reversed(&values, each))?;
        }
    }
    let to = match lanes.atomic {
        Some(_) => None,
        None => Some(reversed(&lanes.places(Role::Destination)?, lanes.width)),
    };
    let but = "with the lanes turned round";
    Some(seen.holds_of(base, base.call, turned, to, but))
}

/// The lanes, of `width` entries each, in the opposite order.
fn reversed<T: Copy>(all: &[T], width: usize) -> Vec<T> {
    all.chunks(width).rev().flatten().copied().collect()
}

/// Indices a multiple of the capacity further on: [`super::Relation::Period`].
pub(super) fn period(base: &ModelCase<'_>) -> Finding {
    let seen = base.seen(|lanes| lanes.reach.policy == Policy::Wrap)?;
    let reach = &seen.lanes.reach;
    demand(seen.promised.settled)?;
    // Once, twice, and as often as the type has room for, in turn.
    let (further, changed) = with_indices(&seen, |lane, index| {
        let room = reach.largest().checked_sub(index)? / reach.capacity;
        let times = [1, 2, room][lane % 3].min(room);
        Some(index + times * reach.capacity)
    })?;
    demand(changed)?;
    let but = "with capacities added to the indices";
    Some(seen.holds_of(base, base.call, further, None, but))
}

/// Indices that the policy leaves as they are, under it and without it:
/// [`super::Relation::Clamped`].
pub(super) fn clamped(base: &ModelCase<'_>) -> Finding {
    let clamps = |policy| matches!(policy, Policy::Clamp | Policy::Bytes { clamps: true, .. });
    let seen = base.seen(|lanes| clamps(lanes.reach.policy))?;
    demand(seen.promised.settled)?;
    let slots = &seen.slots;
    let (inside, changed) = with_indices(&seen, |lane, _| {
        Some(slots.of(lane)).filter(|slot| *slot != OPEN)
    })?;
    let without = without_policy(base.call);
    demand(changed || without.is_some())?;
    if let Some(without) = &without {
        base.lanes(without)?.slots(&inside)?;
    }
    let judge = || {
        if let Some(call) = &without {
            let but = "with clamped indices, under Undefined";
            seen.holds_of(base, call, inside.clone(), None, but)?;
        }
        match changed {
            true => seen.holds_of(base, base.call, inside, None, "with clamped indices"),
            false => Ok(()),
        }
    };
    Some(judge())
}

/// The operands with the index of each lane as `index` has it, or as it was,
/// and whether one is another.
fn with_indices(
    seen: &Seen<'_>,
    index: impl Fn(usize, u64) -> Option<u64>,
) -> Option<(Memory, bool)> {
    let before = seen.lanes.values(seen.memory, Role::Index)?;
    let after = before.iter().enumerate();
    let after: Vec<u64> = after
        .map(|(lane, before)| index(lane, *before).unwrap_or(*before))
        .collect();
    let mut memory = seen.memory.clone();
    let changed = after != before;
    seen.lanes.put_indices(&mut memory, after)?;
    Some((memory, changed))
}

/// The call under Undefined, where it has a policy.
fn without_policy(call: &Call) -> Option<Call> {
    let mut call = *call;
    call.set_argument("oob", "Undefined").then_some(call)
}

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
        if zeroed {
            Two::of(Role::Scratch, call.dst.dtype.size(), results, but)?.equal()?;
            return seen.promised.agree(results, but);
        }
        let places = seen.lanes.places(Role::Destination).unwrap_or_default();
        seen.moved(results, places, but)
    };
    Some(judge())
}
