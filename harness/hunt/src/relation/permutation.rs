//! Lanes in another order: [`super::Relation::Permutation`].

use ptodiff_isa::Role;

use super::Finding;
use super::lanes::demand;
use super::trial::ModelCase;

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
