//! Numbers that sums lie between.

use crate::float::Format;

/// Sums: finite ones between two, and special values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hull {
    /// The least finite one and the greatest, -0 below +0; the first is above
    /// the second where there is none.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Whether there are -inf, +inf and NaN.
    pub(crate) specials: [bool; 3],
    /// Whether an end or a special value may be one that no order reaches.
    pub(crate) wide: bool,
}

/// The values that [`Hull::specials`] are about.
pub(crate) const SPECIALS: [f64; 3] = [f64::NEG_INFINITY, f64::INFINITY, f64::NAN];

impl Hull {
    pub(super) const NONE: Self = Self {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        specials: [false; 3],
        wide: false,
    };

    /// One number.
    pub(super) fn of(x: f64) -> Self {
        let (low, high) = if x.is_finite() {
            (x, x)
        } else {
            (f64::INFINITY, f64::NEG_INFINITY)
        };
        Self {
            low,
            high,
            specials: [x == f64::NEG_INFINITY, x == f64::INFINITY, x.is_nan()],
            wide: false,
        }
    }

    /// Whether there are finite sums.
    pub(crate) fn has_finite(&self) -> bool {
        self.low <= self.high
    }

    /// These and those.
    pub(super) fn or(self, other: Self) -> Self {
        let least = |a: f64, b: f64| if b.total_cmp(&a).is_lt() { b } else { a };
        let [a, b] = [self, other].map(|hull| hull.specials);
        Self {
            low: least(self.low, other.low),
            high: -least(-self.high, -other.high),
            specials: [a[0] | b[0], a[1] | b[1], a[2] | b[2]],
            wide: self.wide | other.wide,
        }
    }

    /// Each with `x` added, which is no NaN.
    pub(super) fn plus<F: Format>(self, x: f64) -> Self {
        let [minus, plus, nan] = self.specials;
        if x.is_infinite() {
            let (up, same, opposite) = if x > 0.0 {
                (true, plus, minus)
            } else {
                (false, minus, plus)
            };
            let here = same | self.has_finite();
            return Self {
                specials: [here & !up, here & up, nan | opposite],
                wide: self.wide,
                ..Self::NONE
            };
        }
        if !self.has_finite() {
            return self;
        }
        let [low, high] = [self.low, self.high].map(|end| F::add(end, x));
        let (under, over) = (low == f64::NEG_INFINITY, high == f64::INFINITY);
        let specials = [minus | under, plus | over, nan];
        if low == high && low.is_infinite() {
            return Self {
                specials,
                wide: self.wide,
                ..Self::NONE
            };
        }
        // Which finite sum comes next to one that overflows is not followed.
        Self {
            low: low.max(-F::LARGEST),
            high: high.min(F::LARGEST),
            specials,
            wide: self.wide | under | over,
        }
    }
}
