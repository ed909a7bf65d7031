//! Every order of the stores to one slot.

use std::collections::BTreeSet;

use crate::{
    VALUES, WRITERS,
    out::Stop,
    store::{Left, Rules},
};

/// What a slot may hold; `None` if that is anything.
pub(crate) type State = Option<BTreeSet<u64>>;

/// What `stores` leave in a slot, in their order or in any.
///
/// Two orders that have done the same stores and left the same element go on
/// alike, so they are followed as one: by what is done, and what stands there.
pub(crate) fn after(
    rules: &Rules,
    start: State,
    stores: &[u64],
    any_order: bool,
) -> Result<State, Stop> {
    if !any_order {
        return stores.iter().try_fold(start, |now, &new| {
            let mut next = Some(BTreeSet::new());
            add(rules, &now, new, &mut next)?;
            Ok(next)
        });
    }
    if stores.len() > WRITERS {
        return Err(Stop::TooLarge);
    }
    let all_done = (1_usize << stores.len()) - 1;
    let mut by_done: Vec<State> = vec![Some(BTreeSet::new()); all_done + 1];
    by_done[0] = start;
    for done in 0..all_done {
        let now = by_done[done].take();
        for (n, &new) in stores.iter().enumerate() {
            if done & 1 << n == 0 {
                add(rules, &now, new, &mut by_done[done | 1 << n])?;
            }
        }
    }
    Ok(by_done.swap_remove(all_done))
}

/// Adds what a store of `new` leaves of `now` to `next`.
fn add(rules: &Rules, now: &State, new: u64, next: &mut State) -> Result<(), Stop> {
    let mut put = |left| {
        if let Some(all) = next {
            match left {
                Left::One(bits) => {
                    all.insert(bits);
                }
                Left::Either(a, b) => all.extend([a, b]),
                Left::Unknown => *next = None,
            }
        }
    };
    match now {
        None => put(rules.leave_unknown(new)),
        Some(all) => all.iter().for_each(|&old| put(rules.leave(old, new))),
    }
    match next {
        Some(all) if all.len() > VALUES => Err(Stop::TooLarge),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::DType;

    use super::*;

    /// All else the tests of the contract show, which are held to this account.
    #[test]
    fn a_plain_store_makes_the_unknown_known() {
        let plain = Rules::plain(DType::Int32);
        assert_eq!(after(&plain, None, &[4], false), Ok(Some([4].into())));
        assert_eq!(after(&plain, None, &[4, 5], true), Ok(Some([4, 5].into())));
    }
}
