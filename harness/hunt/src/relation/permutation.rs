//! Lanes in another order: [`super::Relation::Permutation`].

use super::Finding;
use super::order::Order;
use super::place::{read, write};
use super::trial::{ModelCase, Seen, Two};
use super::view::demand;
use ptodiff_isa::{Memory, Role};

const BUT: &str = "with the lanes turned round";

/// The last lane becomes the first.
pub(super) fn check(base: &ModelCase<'_>) -> Finding {
    let seen = base.seen(|view| view.lanes() > 1)?;
    let lanes = seen.view.lanes();
    demand(Order::of(&seen.view, seen.memory, &seen.slots)? == Order::Free)?;
    let turned = turned(&seen)?;
    let judge = || {
        let one = base.run(base.call, seen.memory.clone())?;
        let other = base.run(base.call, turned)?;
        if seen.view.combine.is_some() {
            return seen.agree([&one, &other], BUT);
        }
        let size = seen.view.data.dtype.size();
        let two = Two::of(Role::Destination, size, [&one, &other], BUT)?;
        seen.lanes_agree(&two, &seen.view.places, |lane| {
            seen.view.lane(lanes - 1 - lane)
        })
    };
    Some(judge())
}

/// The operands with indices, and the source of a scatter, in the opposite order.
fn turned(seen: &Seen<'_>) -> Option<Memory> {
    let Seen { view, memory, .. } = seen;
    let last = view.lanes() - 1;
    let mut turned = (*memory).clone();
    let before = memory.get(Role::Index)?.body();
    let after = turned.get_mut(Role::Index)?.body_mut();
    for lane in 0..=last {
        view.set_index(after, lane, view.index(before, last - lane));
    }
    if view.combine.is_some() {
        let size = view.data.dtype.size();
        let before = memory.get(Role::Source)?.body();
        let after = turned.get_mut(Role::Source)?.body_mut();
        for lane in 0..=last {
            let ((r, c), (from_r, from_c)) = (view.lane(lane), view.lane(last - lane));
            for k in 0..view.width {
                let from = view.places.at(from_r, from_c + k);
                let value = read(before, from, size);
                write(after, view.places.at(r, c + k), size, value);
            }
        }
    }
    Some(turned)
}
