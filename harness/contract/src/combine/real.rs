//! Sums of floating-point elements.

use std::{marker::PhantomData, mem};

use ptodiff_isa::Clause;

use crate::{
    arithmetic::{Arithmetic, Clauses},
    combine::{Accumulator, Combine, Contribution, Settled},
    float::Format,
    runs::Why,
    sum::{Bounds, Sum, Term, bits, in_any_order, in_order},
};

/// A sum that is NaN: which one is not said.
const NAN: Why = Why::open(Clause("MSCATTER-GAP-81"));

/// Floating-point Add.
pub(crate) struct FloatSum<F>(PhantomData<F>);

impl<F: Format> Combine for FloatSum<F> {
    const SIZE: usize = F::SIZE;

    fn settle(
        accumulator: &mut Accumulator,
        old: u32,
        contributions: impl ExactSizeIterator<Item = Contribution> + Clone,
        how: &Arithmetic,
    ) -> Settled {
        let (old, several) = (F::decode(old), contributions.len() > 1);
        let mut values = contributions.clone().map(|c| F::decode(c.bits));
        let sum = if !several {
            Sum::One(old + values.next().unwrap_or(-0.0))
        } else if how.open {
            accumulator.terms.clear();
            accumulator.terms.extend(contributions.map(|c| Term {
                value: F::decode(c.bits),
                step: c.step,
            }));
            in_any_order::<F>(&mut accumulator.reached, old, &accumulator.terms)
        } else {
            Sum::One(in_order::<F>(old, values))
        };
        let clauses = &how.clauses;
        match sum {
            // Any NaN is between two.
            Sum::One(sum) if sum.is_nan() => {
                accumulator.hold(F::SIZE, [F::NAN; 2]);
                Settled::Between(NAN, false)
            }
            Sum::One(sum) if several => Settled::Exactly(bits::<F>(sum), clauses.folded),
            Sum::One(sum) => Settled::Exactly(bits::<F>(sum), clauses.one),
            Sum::Listed => {
                accumulator.hold_sums(F::SIZE, bits::<F>);
                match accumulator.reached.sums.last() {
                    // One is every NaN: all stand for themselves, the first twice.
                    Some(sum) if sum.is_nan() => {
                        accumulator.bytes.extend_from_within(..F::SIZE);
                        accumulator.bytes.rotate_right(F::SIZE);
                        Settled::Between(clauses.any_order, false)
                    }
                    _ => Settled::OneOf(clauses.any_order),
                }
            }
            Sum::Within(bounds) => within::<F>(accumulator, &bounds, clauses),
        }
    }
}

/// What lies within bounds: special values are listed.
fn within<F: Format>(accumulator: &mut Accumulator, bounds: &Bounds, clauses: &Clauses) -> Settled {
    let specials = [f64::NEG_INFINITY, f64::INFINITY, f64::NAN];
    let listed = specials.into_iter().zip(bounds.specials);
    let mut listed = listed.filter_map(|(x, may_be)| may_be.then_some(bits::<F>(x)));
    let ends = match bounds.finite {
        Some(ends) => ends.map(bits::<F>),
        None => [listed.next().unwrap_or(F::NAN); 2],
    };
    accumulator.hold(F::SIZE, ends.into_iter().chain(listed));
    // Some order reaches something.
    if ends[0] == ends[1] && accumulator.bytes.len() == 2 * F::SIZE {
        Settled::Exactly(ends[0], clauses.folded)
    } else {
        Settled::Between(clauses.any_order, true)
    }
}

/// Settles as `C` does, which flushes subnormals. Where `K`, which keeps them,
/// settles otherwise, MSCATTER-GAP-80 says so, and the CPU keeps them.
pub(crate) struct FlushNoted<C, K>(PhantomData<(C, K)>);

impl<C: Combine, K: Combine> Combine for FlushNoted<C, K> {
    const SIZE: usize = C::SIZE;

    fn settle(
        accumulator: &mut Accumulator,
        old: u32,
        contributions: impl ExactSizeIterator<Item = Contribution> + Clone,
        how: &Arithmetic,
    ) -> Settled {
        let kept = K::settle(accumulator, old, contributions.clone(), how);
        mem::swap(&mut accumulator.bytes, &mut accumulator.other);
        let settled = C::settle(accumulator, old, contributions, how);
        let same = match (kept, settled) {
            (Settled::Exactly(a, _), Settled::Exactly(b, _)) => a == b,
            (a, b) => {
                mem::discriminant(&a) == mem::discriminant(&b)
                    && accumulator.bytes == accumulator.other
            }
        };
        if same {
            return settled;
        }
        let clause = Clause("MSCATTER-GAP-80");
        let noted = |why: Why| Why { clause, ..why }.or(Some(clause));
        match settled {
            Settled::Exactly(bits, why) => Settled::Exactly(bits, noted(why)),
            Settled::OneOf(why) => Settled::OneOf(noted(why)),
            Settled::Between(why, wide) => Settled::Between(noted(why), wide),
            open @ Settled::Anything(_) => open,
        }
    }
}
