//! Integer elements.

use ptodiff_isa::Clause;

use crate::{
    arithmetic::Arithmetic,
    combine::{Contribution, Extreme, Held, Settled, decided},
    runs::Why,
    sum::{Term, reached},
};

/// The gap of sums that leave the range of their type.
const OVERFLOW: &str = "MSCATTER-GAP-05";

/// Integers of at most 4 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Integer {
    /// Bytes of an element.
    pub(crate) size: usize,
    pub(crate) signed: bool,
}

/// The low bits of `x`. Two's complement, so the low bytes are the element.
const fn low_bits(x: i64) -> u32 {
    x.cast_unsigned() as u32
}

impl Integer {
    /// The number in the low bytes of `bits`.
    fn number(self, bits: u32) -> i64 {
        let shift = 64 - 8 * self.size as u32;
        let high = i64::from(bits) << shift;
        match self.signed {
            true => high >> shift,
            false => (high.cast_unsigned() >> shift).cast_signed(),
        }
    }

    /// The least and the greatest number.
    const fn range(self) -> [i64; 2] {
        let numbers = 1_i64 << (8 * self.size);
        let least = if self.signed { -numbers / 2 } else { 0 };
        [least, least + numbers - 1]
    }

    /// Add that wraps (MSCATTER-GAP-05).
    pub(super) fn sum(self, old: u32, all: &[Contribution], how: &Arithmetic) -> Settled {
        // Fewer than 2^32 terms of 32 bits cannot leave 64.
        let numbers = all.iter().map(|c| self.number(c.bits));
        let sum = numbers.fold(self.number(old), i64::wrapping_add);
        let [least, most] = self.range();
        match (least..=most).contains(&sum) {
            true => (Held::Exactly(low_bits(sum)), how.one),
            false => decided(low_bits(sum), OVERFLOW, how),
        }
    }

    /// Add of which every addition saturates (MSCATTER-GAP-05).
    pub(super) fn saturating_sum(
        self,
        old: u32,
        all: &[Contribution],
        how: &Arithmetic,
    ) -> Settled {
        let [least, most] = self.range();
        let mut saturated = false;
        let mut add = |sum: i64, x: i64| {
            let wide = sum.saturating_add(x);
            let kept = wide.clamp(least, most);
            saturated |= kept != wide;
            kept
        };
        let old = self.number(old);
        let (mut low, mut high) = (old, old);
        // A saturating addition never turns two sums around, and to swap a negative term
        // with a positive one after it never raises the result. So the least sum has all
        // positive terms of those in any order first, the greatest one all negative ones,
        // and both start from what came before.
        for in_any_order in all.chunk_by(|a, b| how.open && a.step == b.step) {
            let (mut up, mut down) = (0_i64, 0_i64);
            for x in in_any_order.iter().map(|c| self.number(c.bits)) {
                up = up.saturating_add(x.max(0));
                down = down.saturating_add(x.min(0));
            }
            low = add(low, up);
            low = add(low, down);
            high = add(high, down);
            high = add(high, up);
        }
        if low == high {
            let why = match saturated {
                // Other paths and targets wrap there.
                true => Why::open(Clause(OVERFLOW)),
                false => how.one,
            };
            return (Held::Exactly(low_bits(low)), why);
        }
        // All of these are `f64`s.
        let term = |c: &Contribution| Term {
            value: self.number(c.bits) as f64,
            step: c.step,
        };
        let terms: Vec<Term> = all.iter().map(term).collect();
        let add = |a: f64, b: f64| (a + b).clamp(least as f64, most as f64);
        let held = match reached(old as f64, &terms, add) {
            Some(sums) => Held::OneOf(sums.iter().map(|&sum| low_bits(sum as i64)).collect()),
            None => Held::Between(vec![low_bits(low), low_bits(high)], false),
        };
        (held, Why::open(Clause(OVERFLOW)))
    }

    /// Max or Min.
    pub(super) fn extreme(
        self,
        which: Extreme,
        old: u32,
        all: &[Contribution],
        how: &Arithmetic,
    ) -> Settled {
        let numbers = all.iter().map(|c| self.number(c.bits));
        let best = numbers.fold(self.number(old), |best, x| match which {
            Extreme::Max => best.max(x),
            Extreme::Min => best.min(x),
        });
        (Held::Exactly(low_bits(best)), how.one)
    }
}
