//! Indices that select the same slots: [`super::Relation::Period`] and
//! [`super::Relation::Clamped`].

use ptodiff_isa::{Call, GatherOob, Memory, Role, ScatterOob};

use super::Finding;
use super::lanes::demand;
use super::reach::{OPEN, Policy};
use super::trial::{ModelCase, Seen};

/// Indices a multiple of the capacity further on.
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

/// Indices that the policy leaves as they are, under it and without it.
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
    match &mut call {
        Call::Mscatter(call) => call.oob = ScatterOob::Undefined,
        Call::MscatterFirst(call) => call.oob = ScatterOob::Undefined,
        Call::Mgather(call) => call.oob = GatherOob::Undefined,
        Call::MgatherL1(call) => call.oob = GatherOob::Undefined,
        Call::TscatterIndex(_) | Call::TscatterMask(_) | Call::Tgatherb(_) => return None,
    }
    Some(call)
}
