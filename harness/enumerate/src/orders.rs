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
    use ptodiff_isa::{Coalesce, DType, Readings, ScatterAtomicOp, Target};

    use super::*;

    fn rules(op: ScatterAtomicOp, dtype: DType) -> Rules {
        let mut readings = Readings::default();
        readings.set("max-min-nan", "ignored").unwrap();
        readings.set("add-overflow", "saturate").unwrap();
        Rules::of(op, dtype, Coalesce::Elem, Target::A5, &readings)
    }

    /// Each order written out and gone through on its own, value by value.
    fn one_by_one(rules: &Rules, now: u64, left: &[u64], all: &mut State) {
        if left.is_empty()
            && let Some(all) = all
        {
            all.insert(now);
        }
        for n in 0..left.len() {
            let mut rest = left.to_vec();
            let new = rest.remove(n);
            match rules.leave(now, new) {
                Left::One(bits) => one_by_one(rules, bits, &rest, all),
                Left::Either(a, b) => {
                    one_by_one(rules, a, &rest, all);
                    one_by_one(rules, b, &rest, all);
                }
                Left::Unknown => *all = None,
            }
        }
    }

    #[test]
    fn orders_in_common_are_all_orders() {
        let floats =
            [1e8_f32, 1.0, -1e8, 0.25, -0.0, f32::NAN, 3e38, 3e38].map(|x| u64::from(x.to_bits()));
        let words = [3, 0xFFFF_FFFF, 0x7FFF_FFFF, 0x8000_0000, 3, 9, 0, 1];
        for op in [
            ScatterAtomicOp::None,
            ScatterAtomicOp::Add,
            ScatterAtomicOp::Max,
            ScatterAtomicOp::Min,
        ] {
            for (dtype, values) in [(DType::Float, floats), (DType::Int32, words)] {
                let rules = rules(op, dtype);
                for start in 0..4 {
                    for count in 1..6 {
                        let stores = &values[8 - count - start..8 - start];
                        let old = values[start];
                        let mut expected = Some(BTreeSet::new());
                        one_by_one(&rules, old, stores, &mut expected);
                        let found = after(&rules, Some([old].into()), stores, true);
                        assert_eq!(found, Ok(expected), "{op} {old} {stores:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn one_order_is_the_last_store() {
        let plain = rules(ScatterAtomicOp::None, DType::Int32);
        let start = Some([7].into());
        let last = after(&plain, start.clone(), &[1, 2, 3], false);
        assert_eq!(last, Ok(Some([3].into())));
        let any = after(&plain, start, &[1, 2, 3], true);
        assert_eq!(any, Ok(Some([1, 2, 3].into())));
        // A plain store makes the unknown known.
        assert_eq!(after(&plain, None, &[4, 5], true), Ok(Some([4, 5].into())));
        let add = rules(ScatterAtomicOp::Add, DType::Int32);
        assert_eq!(after(&add, None, &[4], false), Ok(None));
    }

    #[test]
    fn rounding_shows_the_order() {
        // 1e8 + 1 - 1e8 from 0: 0 or 1, by which comes when.
        let add = rules(ScatterAtomicOp::Add, DType::Float);
        let stores = [1e8_f32, 1.0, -1e8].map(|x| u64::from(x.to_bits()));
        let one = u64::from(1.0_f32.to_bits());
        let found = after(&add, Some([0].into()), &stores, true);
        assert_eq!(found, Ok(Some([0, one].into())));
        let found = after(&add, Some([0].into()), &stores, false);
        assert_eq!(found, Ok(Some([0].into())));
    }

    #[test]
    fn too_many_orders_are_not_tried() {
        let plain = rules(ScatterAtomicOp::None, DType::Int32);
        let stores = [1; WRITERS + 1];
        let start = Some([0].into());
        assert_eq!(
            after(&plain, start.clone(), &stores, true),
            Err(Stop::TooLarge)
        );
        assert!(after(&plain, start.clone(), &stores, false).is_ok());
        assert!(after(&plain, start, &stores[..WRITERS], true).is_ok());
    }
}
