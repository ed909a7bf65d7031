//! Lanes in another order: [`super::Relation::Permutation`].

use ptodiff_isa::Role;

use super::Finding;
use super::lanes::demand;
use super::trial::ModelCase;

const BUT: &str = "with the lanes turned round";

/// The last lane becomes the first.
pub(super) fn check(base: &ModelCase<'_>) -> Finding {
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
    let judge = || {
        let one = base.run(base.call, seen.memory.clone())?;
        let other = base.run(base.call, turned)?;
        if lanes.atomic.is_some() {
            return seen.promised.agree([&one, &other], BUT);
        }
        let places = lanes.places(Role::Destination).unwrap_or_default();
        seen.gathered([&one, &other], &reversed(&places, lanes.width), BUT)
    };
    Some(judge())
}

/// The lanes, of `width` entries each, in the opposite order.
fn reversed<T: Copy>(all: &[T], width: usize) -> Vec<T> {
    all.chunks(width).rev().flatten().copied().collect()
}
