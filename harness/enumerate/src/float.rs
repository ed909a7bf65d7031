//! Binary floats by their definition: a bit pattern's value, and the pattern nearest to a value.

use ptodiff_isa::DType;

/// A binary interchange format.
#[derive(Clone, Copy)]
pub(crate) struct Format {
    exponent_bits: u32,
    fraction_bits: u32,
}

impl Format {
    /// That of `dtype`, if it is a float with atomics.
    pub(crate) fn of(dtype: DType) -> Option<Self> {
        let (exponent_bits, fraction_bits) = match dtype {
            DType::Half => (5, 10),
            DType::Bfloat16 => (8, 7),
            DType::Float => (8, 23),
            _ => return None,
        };
        Some(Self {
            exponent_bits,
            fraction_bits,
        })
    }

    fn sign(self) -> u64 {
        1 << (self.exponent_bits + self.fraction_bits)
    }

    fn infinity(self) -> u64 {
        self.sign() - (1 << self.fraction_bits)
    }

    pub(crate) fn is_nan(self, bits: u64) -> bool {
        bits & (self.sign() - 1) > self.infinity()
    }

    pub(crate) fn is_negative(self, bits: u64) -> bool {
        bits & self.sign() != 0
    }

    /// A subnormal as the zero of its sign.
    pub(crate) fn flushed(self, bits: u64) -> u64 {
        if bits & self.infinity() == 0 {
            bits & self.sign()
        } else {
            bits
        }
    }

    /// Its place among sign-and-magnitude numbers, -0 just below +0.
    pub(crate) fn rank(self, bits: u64) -> i64 {
        let magnitude = (bits & (self.sign() - 1)).cast_signed();
        if self.is_negative(bits) {
            -magnitude - 1
        } else {
            magnitude
        }
    }

    /// The number that a pattern stands for.
    pub(crate) fn value(self, bits: u64) -> f64 {
        let magnitude = bits & (self.sign() - 1);
        let size = if magnitude > self.infinity() {
            f64::NAN
        } else if magnitude == self.infinity() {
            f64::INFINITY
        } else {
            self.size(magnitude)
        };
        if self.is_negative(bits) { -size } else { size }
    }

    /// What a magnitude stands for; infinity's is the power of two that comes
    /// after the largest finite number.
    fn size(self, magnitude: u64) -> f64 {
        let fraction = magnitude & ((1 << self.fraction_bits) - 1);
        let exponent = magnitude >> self.fraction_bits;
        let (units, scale) = match exponent {
            0 => (fraction, 1),
            _ => (fraction | 1 << self.fraction_bits, exponent),
        };
        let bias = (1 << (self.exponent_bits - 1)) - 1;
        let power = scale.cast_signed() - bias - i64::from(self.fraction_bits);
        // All of these powers are normal numbers of 64 bits.
        units as f64 * f64::from_bits(((1023 + power) as u64) << 52)
    }

    /// The pattern nearest to `x`, a tie going to the even one. Magnitudes grow
    /// with their patterns, so halving the range finds it.
    pub(crate) fn nearest(self, x: f64) -> u64 {
        if x.is_nan() {
            return self.infinity() + 1;
        }
        let sign = if x.is_sign_negative() { self.sign() } else { 0 };
        let size = x.abs();
        let (mut low, mut high) = (0, self.infinity());
        if size >= self.size(high) {
            return sign | high;
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.size(middle) <= size {
                low = middle;
            } else {
                high = middle;
            }
        }
        let [below, above] = [size - self.size(low), self.size(high) - size];
        let down = below < above || (below == above && low % 2 == 0);
        sign | if down { low } else { high }
    }

    /// The sum of two patterns, rounded once. In 64 bits it has more than twice
    /// the precision of any format here, so that rounding does not show.
    pub(crate) fn sum(self, a: u64, b: u64) -> u64 {
        self.nearest(self.value(a) + self.value(b))
    }
}
