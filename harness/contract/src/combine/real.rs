//! Sums of floating-point elements.

use std::{marker::PhantomData, mem};

use ptodiff_isa::Clause;

use crate::{
    arithmetic::Arithmetic,
    combine::{Cell, Combine, Contribution, Settled},
    float::Format,
    runs::Why,
    sum::{Sum, Term, in_any_order, in_order, one},
};

/// A sum that is NaN: which one is not said.
const NAN: Why = Why::open(Clause("MSCATTER-GAP-81"));

/// Floating-point Add.
pub(crate) struct FloatSum<F>(PhantomData<F>);

impl<F: Format> Combine for FloatSum<F> {
    const SIZE: usize = F::SIZE;

    fn settle(
        cell: &mut Cell,
        old: u32,
        contributions: impl ExactSizeIterator<Item = Contribution> + Clone,
        how: &Arithmetic,
    ) -> Settled {
        let (old, several) = (F::decode(old), contributions.len() > 1);
        let mut values = contributions.clone().map(|c| F::decode(c.bits));
        let sum = if !several {
            one::<F>(old + values.next().unwrap_or(-0.0))
        } else if how.open {
            cell.terms.clear();
            cell.terms.extend(contributions.map(|c| Term {
                value: F::decode(c.bits),
                step: c.step,
            }));
            in_any_order::<F>(&mut cell.reached, old, &cell.terms)
        } else {
            in_order::<F>(old, values)
        };
        let words = &how.words;
        match sum {
            Sum::One(bits) if several => Settled::Exactly(bits, words.folded),
            Sum::One(bits) => Settled::Exactly(bits, words.one),
            Sum::Some(bits, count) => {
                cell.hold(F::SIZE, bits.into_iter().take(count));
                Settled::OneOf(words.any_order)
            }
            Sum::Between(low, high) => {
                cell.hold(F::SIZE, [low, high]);
                Settled::Between(words.any_order)
            }
            // Any NaN is between two.
            Sum::NotANumber => {
                cell.hold(F::SIZE, [F::NAN; 2]);
                Settled::Between(NAN)
            }
            Sum::MaybeNotANumber => Settled::Anything(NAN),
        }
    }
}

/// Settles as `C` does, which flushes subnormals. Where `K`, which keeps them,
/// settles otherwise, MSCATTER-GAP-80 says so, and the CPU keeps them.
pub(crate) struct FlushNoted<C, K>(PhantomData<(C, K)>);

impl<C: Combine, K: Combine> Combine for FlushNoted<C, K> {
    const SIZE: usize = C::SIZE;

    fn settle(
        cell: &mut Cell,
        old: u32,
        contributions: impl ExactSizeIterator<Item = Contribution> + Clone,
        how: &Arithmetic,
    ) -> Settled {
        let kept = K::settle(cell, old, contributions.clone(), how);
        mem::swap(&mut cell.bytes, &mut cell.other);
        let settled = C::settle(cell, old, contributions, how);
        let same = match (kept, settled) {
            (Settled::Exactly(a, _), Settled::Exactly(b, _)) => a == b,
            (a, b) => mem::discriminant(&a) == mem::discriminant(&b) && cell.bytes == cell.other,
        };
        if same {
            return settled;
        }
        let clause = Clause("MSCATTER-GAP-80");
        let noted = |why: Why| Why { clause, ..why }.or(Some(clause));
        match settled {
            Settled::Exactly(bits, why) => Settled::Exactly(bits, noted(why)),
            Settled::OneOf(why) => Settled::OneOf(noted(why)),
            Settled::Between(why) => Settled::Between(noted(why)),
            open @ Settled::Anything(_) => open,
        }
    }
}
