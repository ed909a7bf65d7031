//! Floating-point elements.

use ptodiff_isa::{Clause, MaxMinNan, MaxMinZero};

use crate::{
    arithmetic::Arithmetic,
    combine::{Contribution, Extreme, Settled, decided},
    float::Format,
    runs::Why,
    sum::{Bounds, Sum, Term, in_any_order},
};

/// A sum that is NaN: which one is not said.
const NAN_SUM: Why = Why::open(Clause("MSCATTER-GAP-81"));
/// The gap of Max and Min of elements that are NaN.
const NANS: &str = "MSCATTER-GAP-03";
/// A NaN of which nothing is said.
const NAN: Why = Why::open(Clause(NANS));
/// The gap of zeros of two signs.
const ZEROS: &str = "MSCATTER-GAP-04";

/// Floating-point elements of a format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Real(pub(crate) Format);

impl Real {
    fn decode(self, bits: u32) -> f64 {
        self.0.decode(bits)
    }

    fn encode(self, x: f64) -> u32 {
        self.0.encode(x)
    }

    /// What `settle` says, of elements without subnormals where they are flushed. Where it
    /// would say otherwise with them, MSCATTER-GAP-80 says so, and the CPU keeps them.
    pub(super) fn noted(self, how: &Arithmetic, settle: impl Fn(Self) -> Settled) -> Settled {
        use Settled::{Anything, Between, Exactly, OneOf};
        let kept = settle(self);
        if !how.flushes {
            return kept;
        }
        let settled = settle(Self(self.0.flushed()));
        let clause = Clause("MSCATTER-GAP-80");
        let noted = |why: Why| Why { clause, ..why }.or(Some(clause));
        let same = match (&kept, &settled) {
            (Exactly(a, _), Exactly(b, _)) => a == b,
            (OneOf(a, _), OneOf(b, _)) | (Between(a, ..), Between(b, ..)) => a == b,
            (a, b) => matches!((a, b), (Anything(_), Anything(_))),
        };
        match settled {
            settled if same => settled,
            Exactly(bits, why) => Exactly(bits, noted(why)),
            OneOf(all, why) => OneOf(all, noted(why)),
            Between(all, why, wide) => Between(all, noted(why), wide),
            open @ Anything(_) => open,
        }
    }

    /// Add.
    pub(super) fn sum(self, old: u32, all: &[Contribution], how: &Arithmetic) -> Settled {
        let clauses = &how.clauses;
        let one = |sum: f64| match self.encode(sum) {
            // Any NaN is between two.
            nan if sum.is_nan() => Settled::Between(vec![nan; 2], NAN_SUM, false),
            sum if all.len() == 1 => Settled::Exactly(sum, clauses.one),
            sum => Settled::Exactly(sum, clauses.folded),
        };
        let terms = all.iter().map(|c| Term {
            value: self.decode(c.bits),
            step: c.step,
        });
        let old = self.decode(old);
        if !how.open || all.len() == 1 {
            return one(terms.fold(old, |sum, term| self.0.add(sum, term.value)));
        }
        let sums = match in_any_order(self.0, old, &terms.collect::<Vec<_>>()) {
            Sum::One(sum) => return one(sum),
            Sum::Listed(sums) => sums,
            Sum::Within(bounds) => return self.within(&bounds, how),
        };
        let mut listed: Vec<u32> = sums.iter().map(|&sum| self.encode(sum)).collect();
        match sums[..] {
            // One is every NaN: all stand for themselves, the first twice.
            [.., last] if last.is_nan() => {
                listed.insert(0, listed[0]);
                Settled::Between(listed, clauses.any_order, false)
            }
            _ => Settled::OneOf(listed, clauses.any_order),
        }
    }

    /// What lies within bounds: special values are listed.
    fn within(self, bounds: &Bounds, how: &Arithmetic) -> Settled {
        let specials = [f64::NEG_INFINITY, f64::INFINITY, f64::NAN];
        let listed = specials.into_iter().zip(bounds.specials);
        let mut listed = listed.filter_map(|(x, may_be)| may_be.then_some(self.encode(x)));
        let ends = match bounds.finite {
            Some(ends) => ends.map(|x| self.encode(x)),
            None => [listed.next().unwrap_or(self.0.nan()); 2],
        };
        let all: Vec<u32> = ends.into_iter().chain(listed).collect();
        match all[..] {
            // Some order reaches something.
            [one, same] if one == same => Settled::Exactly(one, how.clauses.folded),
            _ => Settled::Between(all, how.clauses.any_order, true),
        }
    }

    /// Max or Min.
    pub(super) fn extreme(
        self,
        which: Extreme,
        old: u32,
        all: &[Contribution],
        how: &Arithmetic,
    ) -> Settled {
        let patterns = std::iter::once(old).chain(all.iter().map(|c| c.bits));
        let patterns: Vec<u32> = patterns.collect();
        if how.nan == MaxMinNan::ByBits {
            return self.by_bits(which, &patterns, how);
        }
        let values = patterns.iter().map(|&bits| self.decode(bits));
        let numbers = values.clone().filter(|x| !x.is_nan());
        let best = numbers.reduce(|best, x| match which {
            Extreme::Max if x > best => x,
            Extreme::Min if x < best => x,
            _ => best,
        });
        let nan = values.clone().any(f64::is_nan);
        if nan && how.nan == MaxMinNan::Anything {
            return Settled::Anything(NAN);
        }
        let best = match best {
            Some(best) if !nan || how.nan != MaxMinNan::PassedOn => best,
            _ => return self.one_of_the_nans(patterns, how),
        };
        let has_zero = |negative: bool| {
            let mut zeros = values.clone().filter(|x| *x == 0.0);
            zeros.any(|x| x.is_sign_negative() == negative)
        };
        if best == 0.0 && has_zero(false) && has_zero(true) {
            let (plus, minus) = (self.encode(0.0), self.encode(-0.0));
            return match (how.zero, which) {
                (MaxMinZero::Either, _) => {
                    Settled::OneOf(vec![plus, minus], Why::open(Clause(ZEROS)))
                }
                (_, Extreme::Max) => decided(plus, ZEROS, how),
                (_, Extreme::Min) => decided(minus, ZEROS, how),
            };
        }
        match nan {
            true => decided(self.encode(best), NANS, how),
            false => Settled::Exactly(self.encode(best), how.clauses.one),
        }
    }

    /// The largest or smallest of the patterns as signed magnitudes.
    fn by_bits(self, which: Extreme, patterns: &[u32], how: &Arithmetic) -> Settled {
        let sign = 1_u32 << (8 * self.0.size() - 1);
        // A zero, and what is flushed to one, is its sign.
        let ranks = patterns.iter().map(|&bits| {
            let bits = match self.decode(bits) == 0.0 {
                true => bits & sign,
                false => bits,
            };
            let magnitude = i64::from(bits & !sign);
            match bits & sign {
                0 => (magnitude, bits),
                _ => (!magnitude, bits),
            }
        });
        let best = match which {
            Extreme::Max => ranks.max(),
            Extreme::Min => ranks.min(),
        };
        let best = best.map_or(0, |(_, bits)| bits);
        // Zeros of two signs are told apart for the same reason.
        let mut decides = patterns.iter().map(|&bits| self.decode(bits)).map(|x| {
            let other = (x.is_sign_negative() != (best & sign != 0)) && x == 0.0;
            x.is_nan() || (other && best & !sign == 0)
        });
        match decides.any(|so| so) {
            true => decided(best, NANS, how),
            false => Settled::Exactly(best, how.clauses.one),
        }
    }

    /// One of the NaNs among the patterns, bit for bit.
    fn one_of_the_nans(self, mut patterns: Vec<u32>, how: &Arithmetic) -> Settled {
        patterns.retain(|&bits| self.decode(bits).is_nan());
        patterns.sort_unstable();
        patterns.dedup();
        match patterns[..] {
            [one] => decided(one, NANS, how),
            _ => Settled::OneOf(patterns, NAN),
        }
    }
}
