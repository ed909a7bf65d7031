//! Bounds on floating-point sums of many terms.

use crate::{
    float::{Format, power_of_two},
    sum::Term,
};

/// Bounds on the sum over every order (MSCATTER-ATOM-22): what the finite ones lie between,
/// and after these two -inf, +inf and NaN, those that it may be. Where no sum is finite, the
/// first of those stands twice. There is no NaN among the values, and no infinities of
/// both signs.
///
/// Rounding is monotone, so no order leads below the least term added each time, or above the
/// greatest.
///
/// In every order, too, the largest magnitude that the sum has on its way is in some binade.
/// With P the sum of the positive values, N that of the magnitudes of the negative ones, and
/// `up` and `down` what all errors in this binade and below make at most, the sum was never
/// above P + up or below -N - down, and ends between P - N - down and P - N + up. With
/// values of one sign it ends where it is largest, so in the binade. No order leads on from a
/// binade that neither those two nor the greatest or least term lead out of.
pub(super) fn bounded(format: Format, old: f64, terms: &[Term]) -> Vec<f64> {
    let all = terms.iter().map(|t| t.value);
    let finite = all.clone().filter(|x| x.is_finite() && *x != 0.0);
    let finite: Vec<f64> = finite.collect();
    if finite.is_empty() || old.is_infinite() {
        // Zeros only are negative as long as no positive one came in.
        return vec![all.fold(old, |sum, x| sum + x); 2];
    }
    let (mut positive, mut negative) = (old.max(0.0), (-old).max(0.0));
    let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
    for &x in &finite {
        positive += x.max(0.0);
        negative += (-x).max(0.0);
        (least, greatest) = (least.min(x), greatest.max(x));
    }
    let each = |x| finite.iter().fold(old, |sum, _| format.add(sum, x));
    let [lowest, highest] = [each(least), each(greatest)];
    let largest = old.abs().max(-least).max(greatest);
    let total = positive - negative;
    let mut errors = Errors::new(format, old, &finite, [positive, negative]);
    let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
    let mut binade = power_below(largest);
    let [under, over] = loop {
        let half = binade * power_of_two(-(format.precision() as i32));
        let [up, down] = errors.at_most(half);
        let last = 2.0 * (binade - half);
        let mut from = (total - down).max(lowest).max(-last);
        let mut to = (total + up).min(highest).min(last);
        if negative == 0.0 {
            from = from.max(binade).max(largest);
        }
        if positive == 0.0 {
            to = to.min(-binade).min(-largest);
        }
        if from <= to {
            (low, high) = (low.min(from), high.max(to));
        }
        binade *= 2.0;
        let under = negative + down >= binade && -lowest >= binade;
        let over = positive + up >= binade && highest >= binade;
        if !(under || over) || binade > format.largest() {
            break [under, over];
        }
    };
    if let Some(infinity) = terms.iter().find(|t| t.value.is_infinite()) {
        // A finite sum may overflow to the other side first.
        let up = infinity.value > 0.0;
        return listed(None, [!up, up, if up { under } else { over }]);
    }
    // What is flushed to -0.0 may meet a 0.0.
    let finite = (low <= high).then(|| [format.at_most(low), 0.0 - format.at_most(-high)]);
    listed(finite, [under, over, false])
}

/// What the additions err by.
struct Errors {
    added: Vec<Added>,
    /// The greatest power of two that divides all values, and so every sum.
    granule: f64,
    /// What a result that is flushed is at most, 0 where none is: sums of values of one
    /// sign or of multiples of the least are not.
    flushed: f64,
    /// How often the sum crosses a power of two at most.
    crossings: f64,
    /// What the `f64` sums here err by: by nothing if they have bits enough.
    own: f64,
}

impl Errors {
    /// Of `old` and the terms, of which the positive and the negative ones come to this.
    fn new(format: Format, old: f64, terms: &[f64], [positive, negative]: [f64; 2]) -> Self {
        let granules = terms.iter().map(|x| lowest_bit(*x));
        let granule = granules.fold(lowest_bit(old), f64::min);
        let whole = positive + negative;
        let ups = terms.iter().filter(|x| **x > 0.0).count();
        Self {
            added: terms.iter().map(|x| Added::new(format, *x)).collect(),
            granule,
            flushed: match positive > 0.0 && negative > 0.0 {
                true => (format.least() - granule).max(0.0),
                false => 0.0,
            },
            crossings: (1 + 2 * ups.min(terms.len() - ups)) as f64,
            own: match whole < granule * power_of_two(51) {
                true => 0.0,
                false => whole * f64::EPSILON * 2.0 * (terms.len() + 1) as f64,
            },
        }
    }

    /// What they come to at most, up and down, where `half` is half a unit in the last place of
    /// the largest sum.
    ///
    /// An addition errs by no more than the term, since without it the sum was a value of
    /// the format, and by nothing if `half` is below the granule. A result that is flushed was
    /// not rounded, and is not larger than the term.
    fn at_most(&mut self, half: f64) -> [f64; 2] {
        let (mut any, mut grid) = ([self.own; 2], [self.own; 2]);
        for term in &mut self.added {
            let (of_any, on_grid) = match half < self.granule {
                true => ([0.0; 2], [0.0; 2]),
                false => (term.errors(half), term.errors_on_grid(2.0 * half)),
            };
            for side in 0..2 {
                any[side] += of_any[side].max(self.flushed).min(term.value.abs());
                grid[side] += on_grid[side];
            }
        }
        if self.flushed > 0.0 {
            return any;
        }
        // Halves of all units wider than the granule make less than the widest unit.
        let crossed = self.crossings * (2.0 * half - self.granule).max(0.0);
        [0, 1].map(|side| any[side].min(grid[side] + crossed))
    }
}

/// A term that is added, not zero.
struct Added {
    value: f64,
    /// The units in the last place from its own up to this one,
    grid: f64,
    /// and what its magnitude is rounded up and down by at most, to multiples of one of those.
    off: [f64; 2],
}

impl Added {
    fn new(format: Format, value: f64) -> Self {
        Self {
            value,
            grid: power_below(value.abs()) * power_of_two(1 - format.precision() as i32),
            off: [0.0; 2],
        }
    }

    /// What the sum is rounded up and down by at most when this is added and `half` is half
    /// a unit in the last place of the largest sum.
    ///
    /// Let v be half a unit of the result. Where the sum before is a multiple of v, the term
    /// leaves r over, below v, and the result is rounded to 2v: down by r or up by v - r, and
    /// where r is 0, by 0 or v. For `half`, a multiple of v, in its place, this is no less.
    /// Where the sum before is no such multiple, it is below the binade before that of the
    /// result. Then the term is not, so it is a multiple of v, and leaves room for an error of v.
    fn errors(&self, half: f64) -> [f64; 2] {
        let rest = (self.value.abs() / half).fract() * half;
        self.turned(match rest == 0.0 {
            true => [half; 2],
            false => [half - rest, rest],
        })
    }

    /// The same but for crossings; the largest sum has the unit `widest`.
    ///
    /// Where the magnitude of the result is from 2^e on, and that of the sum before, too, that
    /// is a multiple of the unit of the result, and what the term leaves over is rounded. Else
    /// the sum crosses 2^e, and errs by at most half the unit. Between crossing the same 2^e
    /// twice in a direction comes a term of the other sign: with k terms of the rarer sign
    /// it is crossed at most 2k + 1 times, up or down.
    fn errors_on_grid(&mut self, widest: f64) -> [f64; 2] {
        while self.grid < widest {
            self.grid *= 2.0;
            let rest = (self.value.abs() / self.grid).fract();
            if rest >= 0.5 {
                self.off[0] = self.off[0].max((1.0 - rest) * self.grid);
            }
            if rest <= 0.5 {
                self.off[1] = self.off[1].max(rest * self.grid);
            }
        }
        self.turned(self.off)
    }

    /// Up and down, of what makes its magnitude more and less.
    fn turned(&self, [more, less]: [f64; 2]) -> [f64; 2] {
        match self.value > 0.0 {
            true => [more, less],
            false => [less, more],
        }
    }
}

/// The greatest power of two that is at most `x`, above 0.
fn power_below(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & (0x7FF << 52))
}

/// The greatest power of two that divides `x`; of zero, infinity.
fn lowest_bit(x: f64) -> f64 {
    let significand = (x.to_bits() & ((1 << 52) - 1)) | (1 << 52);
    match x == 0.0 {
        true => f64::INFINITY,
        false => power_below(x.abs()) * power_of_two(significand.trailing_zeros() as i32 - 52),
    }
}

fn listed(finite: Option<[f64; 2]>, specials: [bool; 3]) -> Vec<f64> {
    let each = [f64::NEG_INFINITY, f64::INFINITY, f64::NAN].into_iter();
    let each = each.zip(specials);
    let mut specials = each.filter_map(|(x, may_be)| may_be.then_some(x));
    let ends = finite.unwrap_or_else(|| [specials.next().unwrap_or(f64::NAN); 2]);
    ends.into_iter().chain(specials).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        float::HALF,
        sum::{reached, terms},
    };

    /// The ends of sums that may be finite.
    fn finite(format: Format, old: f64, terms: &[Term]) -> [f64; 2] {
        let ends = [0, 1].map(|end| bounded(format, old, terms)[end]);
        assert!(ends.iter().all(|x| x.is_finite()), "{ends:?}");
        ends
    }

    /// Of formats of a byte and few values, all sums are known.
    #[test]
    fn bounds_hold_what_every_order_reaches() {
        let mut seed = 7_u64;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as u32 % below
        };
        let (mut reaches, mut ends) = (0, 0);
        for _ in 0..4_000 {
            let man = 1 + random(4);
            let mut format = Format::new(7 - man, man);
            if random(2) == 0 {
                format = format.flushed();
            }
            // Of all signs or one, a few exponents or all, in coarse steps or fine ones.
            let (signs, from) = ([0, 0x80, 0xFF][random(3) as usize], random(0x80));
            let (width, steps) = (1 + random(0x80 - from), random(man + 1));
            let n = 2 + random(7);
            let values =
                (0..=n).map(|_| (from + random(width)) >> steps << steps | random(2) << 7 & signs);
            let values = values
                .map(|bits| format.decode(bits))
                .filter(|x| x.is_finite());
            let values: Vec<f64> = values.collect();
            let Some((&old, rest)) = values.split_first() else {
                continue;
            };
            let bounds = bounded(format, old, &terms(rest));
            let sums = reached(old, &terms(rest), |a, b| format.add(a, b)).expect("they are few");
            for sum in &sums {
                let within = bounds[0].total_cmp(sum).is_le() && sum.total_cmp(&bounds[1]).is_le();
                assert!(
                    within || bounds[2..].contains(sum),
                    "{format:?} {values:?} {bounds:?} {sum}"
                );
            }
            reaches += 2;
            ends += bounds[..2].iter().filter(|x| sums.contains(x)).count();
        }
        assert!(ends * 5 > reaches * 2, "{ends} of {reaches}");
    }

    #[test]
    fn bounds_hold_what_every_pair_loses() {
        // In units of the smallest normal number: 1.5 - 1 leaves nothing, eight
        // times over; all positive ones first leave 12 - 8.
        let unit = HALF.normal();
        let t = terms(&[1.5 * unit, -unit].repeat(8));
        let [low, high] = finite(HALF.flushed(), 0.0, &t);
        assert!(low <= 0.0 && high >= 4.0 * unit, "{low} {high}");
        // Sixteen additions, each off by less than one.
        assert!(low >= -13.0 * unit && high <= 21.0 * unit, "{low} {high}");
    }

    #[test]
    fn overflow_opens_the_side_it_can_reach() {
        let t = terms(&[60000.0, 60000.0, 0.1, 0.1, 0.1]);
        // Every order overflows.
        assert_eq!(bounded(HALF, 0.0, &t), [f64::INFINITY; 2]);
        // Some do, and to either side.
        let t = terms(&[60000.0, 60000.0, -60000.0, -60000.0]);
        let both = [f64::NEG_INFINITY, f64::INFINITY];
        assert_eq!(bounded(HALF, 0.1, &t)[2..], both);
        let [low, high] = finite(HALF, 0.1, &t);
        assert!(low > -400.0 && high < 400.0, "{low} {high}");
        // The other side makes a NaN of what is infinite.
        let infinite =
            |others: &[Term]| bounded(HALF, 0.0, &[others, &terms(&[f64::INFINITY])].concat());
        assert!(matches!(infinite(&t)[..], [f64::INFINITY, f64::INFINITY, nan] if nan.is_nan()));
        assert_eq!(infinite(&t[..3]), [f64::INFINITY; 2]);
    }

    #[test]
    fn terms_of_one_sign_never_lead_back() {
        // 2048 and five times 0.25, in half: no sum is nearer to 0 than 2048.
        for sign in [1.0, -1.0] {
            let values = [2048.0, 0.25, 0.25, 0.25, 0.25, 0.25];
            let terms = terms(&values.map(|v| sign * v));
            let [low, high] = finite(HALF, 0.0, &terms);
            let nearest = if sign > 0.0 { low } else { high };
            assert_eq!(nearest, sign * 2048.0);
        }
    }

    #[test]
    fn sums_of_one_sign_are_not_flushed() {
        let unit = HALF.normal() / 1024.0;
        for sign in [1.0, -1.0] {
            let values = [1025.0, 1027.0, 1029.0, 1031.0, 1033.0, 1035.0];
            let terms = terms(&values.map(|v| sign * v * unit));
            let flushed = bounded(HALF.flushed(), 0.0, &terms);
            assert_eq!(flushed, bounded(HALF, 0.0, &terms));
        }
    }

    #[test]
    fn sums_at_the_edge_of_overflow_are_finite_or_not() {
        // 60000 and 3400, of which every 17 may become 32.
        let terms = terms(&[vec![60000.0], vec![17.0; 200]].concat());
        let [low, high] = finite(HALF, 0.0, &terms);
        assert!(low > 62000.0 && high == HALF.largest(), "{low}");
        assert_eq!(bounded(HALF, 0.0, &terms)[2..], [f64::INFINITY]);
    }
}
