//! Floating-point elements.

use ptodiff_isa::{Clause, MaxMinNan, MaxMinZero};

use crate::{
    arithmetic::Arithmetic,
    combine::{Contribution, Extreme, Held, Settled, decided},
    float::Format,
    runs::Why,
    sum::{Sum, Term, in_any_order},
};

/// The gap of sums that are NaN: which one is not said.
const NAN_SUM: &str = "MSCATTER-GAP-81";
/// The gap of Max and Min of elements that are NaN.
const NANS: &str = "MSCATTER-GAP-03";
/// A NaN of which nothing is said.
const NAN: Why = Why::open(Clause(NANS));
/// The gap of zeros of two signs.
const ZEROS: &str = "MSCATTER-GAP-04";

/// What the operation says, but for what a gap leaves open of it.
const fn free(gap: &'static str, how: &Arithmetic) -> Why {
    Why {
        freedom: Some(Clause(gap)),
        ..how.one
    }
}

impl Format {
    /// What `settle` says, of elements without subnormals where they are flushed. Where it
    /// would say otherwise with them, MSCATTER-GAP-80 says so, and the CPU keeps them.
    pub(super) fn noted(self, how: &Arithmetic, settle: impl Fn(Self) -> Settled) -> Settled {
        let kept = settle(self);
        if !how.flushes {
            return kept;
        }
        let (held, why) = settle(self.flushed());
        let same = match (&kept.0, &held) {
            (Held::Between(a, _), Held::Between(b, _)) => a == b,
            (a, b) => a == b,
        };
        if same {
            return (held, why);
        }
        let clause = Clause("MSCATTER-GAP-80");
        (held, Why { clause, ..why }.or(Some(clause)))
    }

    /// Add.
    pub(super) fn sum(self, old: u32, all: &[Contribution], how: &Arithmetic) -> Settled {
        let one = |sum: f64| match self.encode(sum) {
            // Any NaN is between two.
            nan if sum.is_nan() => (Held::Between(vec![nan; 2], false), free(NAN_SUM, how)),
            sum if all.len() == 1 => (Held::Exactly(sum), how.one),
            sum => (Held::Exactly(sum), how.folded),
        };
        let terms = all.iter().map(|c| Term {
            value: self.decode(c.bits),
            step: c.step,
        });
        let old = self.decode(old);
        if !how.open || all.len() == 1 {
            return one(terms.fold(old, |sum, term| self.add(sum, term.value)));
        }
        let encoded = |sums: &[f64]| sums.iter().map(|&sum| self.encode(sum)).collect();
        let held = match in_any_order(self, old, &terms.collect::<Vec<_>>()) {
            Sum::One(sum) => return one(sum),
            // One is every NaN: all stand for themselves, the first twice.
            Sum::Listed(sums) if sums.last().is_some_and(|last| last.is_nan()) => {
                Held::Between(encoded(&[&sums[..1], &sums].concat()), false)
            }
            Sum::Listed(sums) => Held::OneOf(encoded(&sums)),
            Sum::Within(bounds) => Held::Between(encoded(&bounds), true),
        };
        (held, how.any_order)
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
            return (Held::Anything, NAN);
        }
        let best = match best {
            Some(best) if !nan || how.nan != MaxMinNan::PassedOn => best,
            // Nothing says which one. Any is between two.
            _ => return (Held::Between(vec![self.encode(f64::NAN); 2], false), NAN),
        };
        let has_zero = |negative: bool| {
            let mut zeros = values.clone().filter(|x| *x == 0.0);
            zeros.any(|x| x.is_sign_negative() == negative)
        };
        if best == 0.0 && has_zero(false) && has_zero(true) {
            let (plus, minus) = (self.encode(0.0), self.encode(-0.0));
            return match (how.zero, which) {
                (MaxMinZero::Either, _) => (Held::OneOf(vec![plus, minus]), free(ZEROS, how)),
                (_, Extreme::Max) => decided(plus, ZEROS, how),
                (_, Extreme::Min) => decided(minus, ZEROS, how),
            };
        }
        match nan {
            true => decided(self.encode(best), NANS, how),
            false => (Held::Exactly(self.encode(best)), how.one),
        }
    }

    /// The largest or smallest of the patterns as signed magnitudes.
    fn by_bits(self, which: Extreme, patterns: &[u32], how: &Arithmetic) -> Settled {
        let sign = 1_u32 << (8 * self.size() - 1);
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
            false => (Held::Exactly(best), how.one),
        }
    }
}
