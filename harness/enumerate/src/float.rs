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

#[cfg(test)]
mod tests {
    use super::*;

    fn of(dtype: DType) -> Format {
        Format::of(dtype).unwrap()
    }

    #[test]
    fn halves_by_their_table() {
        let half = of(DType::Half);
        for (bits, value) in [
            (0x0001, 2.0_f64.powi(-24)),
            (0x0400, 2.0_f64.powi(-14)),
            (0x3C00, 1.0),
            (0xC500, -5.0),
            (0x7BFF, 65504.0),
            (0x7C00, f64::INFINITY),
        ] {
            assert_eq!(half.value(bits), value);
            assert_eq!(half.nearest(value), bits);
        }
        assert!(half.is_nan(0x7C01) && half.is_nan(0xFE00) && !half.is_nan(0xFC00));
        // 2048 + 1 is a tie and goes down, 2050 + 1 one that goes up.
        assert_eq!(half.sum(0x6800, 0x3C00), 0x6800);
        assert_eq!(half.sum(0x6801, 0x3C00), 0x6802);
        // 65504 + 16 is half way to infinity, 65504 + 8 is not.
        assert_eq!(half.sum(0x7BFF, 0x4C00), 0x7C00);
        assert_eq!(half.sum(0x7BFF, 0x4800), 0x7BFF);
        assert_eq!(half.sum(0x8000, 0x8000), 0x8000);
        assert_eq!(half.sum(0x8000, 0x0000), 0x0000);
        assert_eq!(half.sum(0x0001, 0x0001), 0x0002);
        assert!(half.is_nan(half.sum(0x7C00, 0xFC00)));
    }

    #[test]
    fn bfloats_by_their_table() {
        let bf = of(DType::Bfloat16);
        // 256 + 1 is a tie and goes down, 256 + 3 goes up to 260.
        assert_eq!(bf.sum(0x4380, 0x3F80), 0x4380);
        assert_eq!(bf.sum(0x4380, 0x4040), 0x4382);
        assert_eq!(bf.sum(0x7F7F, 0x7F7F), 0x7F80);
        assert_eq!(bf.flushed(0x8003), 0x8000);
        assert_eq!(bf.flushed(0x0080), 0x0080);
    }

    #[test]
    fn floats_are_those_of_the_machine() {
        let float = of(DType::Float);
        let some = [
            0.0_f32,
            -0.0,
            1.0,
            -1.0,
            0.1,
            1e8,
            -1e8,
            16_777_216.0,
            1.5,
            3e38,
            -3e38,
            1e-45,
            1e-40,
            f32::MIN_POSITIVE,
            -f32::MIN_POSITIVE,
            f32::INFINITY,
        ];
        for a in some {
            for b in some {
                let [x, y] = [a, b].map(|v| u64::from(v.to_bits()));
                assert_eq!(float.value(x), f64::from(a));
                assert_eq!(float.sum(x, y), u64::from((a + b).to_bits()), "{a} + {b}");
            }
        }
        assert!(float.is_nan(float.sum(0x7F80_0000, 0xFF80_0000)));
    }

    #[test]
    fn ranks_go_by_sign_and_magnitude() {
        let float = of(DType::Float);
        let order = [0xFFC0_0000, 0xBF80_0000, 0x8000_0000, 0, 1, 0x7FC0_0000];
        assert!(order.is_sorted_by_key(|&bits| float.rank(bits)));
        assert_eq!(float.rank(0x8000_0000) + 1, float.rank(0));
    }
}
