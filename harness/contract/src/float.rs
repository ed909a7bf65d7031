//! Binary floating-point formats, by integers, `f64`, and `f32` where that is one.
//!
//! Every value of the three formats is an `f64`. A sum of two of them that is
//! rounded to `f64` and then to the format is rounded as if once: an `f64` has
//! 53 bits, and 2p + 2 bits suffice for that (p is 24 at most). Sums that are
//! subnormal are exact to begin with.

/// A storage format of floating-point elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Format {
    /// Bits of the exponent.
    exp: u32,
    /// Stored bits of the significand.
    man: u32,
    /// Whether subnormals, read or computed, become a zero of their sign (MSCATTER-GAP-80).
    flushes: bool,
}

/// IEEE 754 binary16.
pub(crate) const HALF: Format = Format::new(5, 10);
/// The upper half of a binary32.
pub(crate) const BFLOAT16: Format = Format::new(8, 7);
/// IEEE 754 binary32.
pub(crate) const SINGLE: Format = Format::new(8, 23);

/// 2^n for n in the exponent range of `f64`.
pub(crate) const fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

impl Format {
    pub(crate) const fn new(exp: u32, man: u32) -> Self {
        Self {
            exp,
            man,
            flushes: false,
        }
    }

    /// The same without subnormals.
    pub(crate) const fn flushed(self) -> Self {
        Self {
            flushes: true,
            ..self
        }
    }

    /// Bytes of an element.
    pub(crate) const fn size(self) -> usize {
        ((1 + self.exp + self.man) / 8) as usize
    }

    /// Bits of the significand, the hidden one included.
    pub(crate) const fn precision(self) -> u32 {
        self.man + 1
    }

    const fn bias(self) -> i32 {
        (1 << (self.exp - 1)) - 1
    }

    const fn infinity(self) -> u32 {
        ((1 << self.exp) - 1) << self.man
    }

    const fn sign(self) -> u32 {
        1 << (self.exp + self.man)
    }

    /// A bit pattern that is NaN, one of many.
    pub(crate) const fn nan(self) -> u32 {
        self.infinity() | 1 << (self.man - 1)
    }

    /// Largest finite value.
    pub(crate) const fn largest(self) -> f64 {
        power_of_two(self.bias()) * (2.0 - power_of_two(-(self.man as i32)))
    }

    /// Smallest normal number.
    pub(crate) const fn normal(self) -> f64 {
        power_of_two(1 - self.bias())
    }

    /// Results of a smaller magnitude become zeros; 0 where none do.
    pub(crate) const fn least(self) -> f64 {
        if self.flushes { self.normal() } else { 0.0 }
    }

    fn kept(self, x: f64) -> f64 {
        match x.abs() < self.least() {
            true => 0.0_f64.copysign(x),
            false => x,
        }
    }

    /// The value of a bit pattern.
    pub(crate) fn decode(self, bits: u32) -> f64 {
        let Self {
            exp: width, man, ..
        } = self;
        let sign = u64::from(bits & self.sign() != 0) << 63;
        let significand = u64::from(bits & ((1 << man) - 1));
        let exp = (bits >> man) & ((1 << width) - 1);
        let magnitude = if exp == (1 << width) - 1 {
            (0x7FF << 52) | (significand << (52 - man))
        } else if exp == 0 {
            (significand as f64 * power_of_two(1 - self.bias() - man as i32)).to_bits()
        } else {
            let exp = (exp as i32 - self.bias() + 1023) as u64;
            (exp << 52) | (significand << (52 - man))
        };
        self.kept(f64::from_bits(sign | magnitude))
    }

    /// `a + b` in this format, of two neighbours as near the even one; both are values of it.
    pub(crate) fn add(self, a: f64, b: f64) -> f64 {
        let sum = a + b;
        if self.man == SINGLE.man {
            // As the processor does it.
            return self.kept(f64::from(sum as f32));
        }
        let size = sum.abs();
        if !size.is_finite() {
            return sum;
        }
        // Beside a power of two so much larger, only the bits that are kept fit.
        let binade = size.max(self.normal()).to_bits() & (0x7FF << 52);
        let large = f64::from_bits(binade + (u64::from(52 - self.man) << 52));
        let rounded = (size + large) - large;
        let overflows = rounded > self.largest();
        let size = if overflows { f64::INFINITY } else { rounded };
        self.kept(size.copysign(sum))
    }

    /// The greatest value that is at most `x`.
    pub(crate) fn at_most(self, x: f64) -> f64 {
        let all = Self {
            flushes: false,
            ..self
        };
        let near = all.add(x, -0.0);
        // Patterns count up from zero, on both sides.
        self.kept(match near > x {
            false => near,
            true if near > 0.0 => all.decode(all.encode(near) - 1),
            true => all.decode(all.encode(near) + 1),
        })
    }

    /// The bit pattern of a value; of a NaN one of many.
    pub(crate) fn encode(self, x: f64) -> u32 {
        let sign = if x.is_sign_negative() { self.sign() } else { 0 };
        let size = x.abs();
        if size.is_nan() {
            self.nan()
        } else if size.is_infinite() {
            sign | self.infinity()
        } else if size < self.normal() {
            let subnormals = size / power_of_two(1 - self.bias() - self.man as i32);
            sign | subnormals as u32
        } else {
            let bias = ((1023 - self.bias()) as u64) << 52;
            sign | ((size.to_bits() - bias) >> (52 - self.man)) as u32
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pattern of the nearest value.
    fn nearest(format: Format, x: f64) -> u32 {
        format.encode(format.add(x, -0.0))
    }

    /// Those of the nearest ones that are not above and not below.
    fn around(format: Format, x: f64) -> [u32; 2] {
        [format.at_most(x), -format.at_most(-x)].map(|x| format.encode(x))
    }

    #[test]
    fn every_half_and_bfloat16_goes_there_and_back() {
        for (format, bits) in [HALF, BFLOAT16]
            .into_iter()
            .flat_map(|f| (0..=0xFFFF).map(move |b| (f, b)))
        {
            let x = format.decode(bits);
            if !x.is_nan() {
                assert_eq!([nearest(format, x), format.encode(x)], [bits; 2]);
                assert_eq!(around(format, x), [bits; 2]);
            }
        }
    }

    /// MSCATTER-GAP-80.
    #[test]
    fn subnormals_and_nothing_else_become_zeros_of_their_sign() {
        for bits in 0..=0xFFFF_u32 {
            let (x, flushed) = (HALF.decode(bits), HALF.flushed());
            if x.is_nan() {
                assert!(flushed.decode(bits).is_nan());
                continue;
            }
            let subnormal = bits & 0x7C00 == 0;
            let expected = if subnormal { bits & 0x8000 } else { bits };
            assert_eq!(HALF.encode(flushed.decode(bits)), expected);
            assert_eq!(nearest(flushed, x), expected);
            assert_eq!(around(flushed, x), [expected; 2]);
        }
    }

    /// Sign, exponent and significand make the value, whoever puts it together.
    fn is_made_of_its_fields(format: Format, all: impl Iterator<Item = u32>) {
        let Format {
            exp: width,
            man: stored,
            ..
        } = format;
        let bias = (1 << (width - 1)) - 1;
        for bits in all {
            let (man, exp) = (
                bits & ((1 << stored) - 1),
                bits >> stored & ((1 << width) - 1),
            );
            let negative = bits >> (width + stored) & 1 == 1;
            let x = format.decode(bits);
            if exp == (1 << width) - 1 {
                let special = (x.is_infinite(), x.is_nan());
                assert_eq!(special, (man == 0, man != 0), "{bits:#x}");
            } else {
                let hidden = if exp == 0 { 0 } else { 1 << stored };
                let unit = power_of_two(exp.max(1) as i32 - bias - stored as i32);
                assert_eq!(x.abs(), f64::from(hidden | man) * unit, "{bits:#x}");
            }
            assert!(x.is_nan() || x.is_sign_negative() == negative, "{bits:#x}");
        }
    }

    #[test]
    fn values_are_made_of_their_fields() {
        is_made_of_its_fields(HALF, 0..=0xFFFF);
        is_made_of_its_fields(BFLOAT16, 0..=0xFFFF);
        // Every exponent with a few significands.
        is_made_of_its_fields(SINGLE, (0..=u32::MAX).step_by(65_521));
    }

    #[test]
    fn known_patterns() {
        assert_eq!(HALF.decode(0x3C00), 1.0);
        assert_eq!(HALF.decode(0x0001), power_of_two(-24));
        assert_eq!(HALF.largest(), 65504.0);
        assert_eq!(
            [HALF, BFLOAT16, SINGLE].map(Format::nan),
            [0x7E00, 0x7FC0, 0x7FC0_0000]
        );
        assert_eq!(nearest(HALF, 65519.9), 0x7BFF);
        assert_eq!(nearest(HALF, 65520.0), 0x7C00);
        assert_eq!(around(HALF, 1e9), [0x7BFF, 0x7C00]);
        assert_eq!(around(HALF, -1e9), [0xFC00, 0xFBFF]);
        assert_eq!(nearest(HALF, 1.5 * power_of_two(-25)), 1);
        assert_eq!(nearest(HALF, power_of_two(-25)), 0);
        assert_eq!(around(HALF, power_of_two(-25)), [0, 1]);
        assert_eq!(around(HALF, power_of_two(-60)), [0, 1]);
        assert_eq!(around(HALF, -power_of_two(-60)), [0x8001, 0x8000]);
        assert_eq!(nearest(BFLOAT16, 259.0), 0x4382);
        assert_eq!(nearest(BFLOAT16, 257.0), 0x4380);
    }

    /// Of the two neighbours the nearer one, of two as near the even one.
    fn rounds_to_nearest(format: Format) {
        let mut bits = 7_u64;
        let mut random = |below: u64| {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (bits >> 20) % below
        };
        let mut ties = 0;
        for _ in 0..20_000 {
            let mut value = || format.decode(random(1 << (8 * format.size())) as u32);
            let (a, b) = (value(), value());
            // Sums, and what lies in the middle of two neighbours.
            let middle = a + (format.decode(format.encode(a) ^ 1) - a) / 2.0;
            for x in [a + b, middle].into_iter().filter(|x| x.is_finite()) {
                let [low, high] = around(format, x);
                let [below, above] = [x - format.decode(low), format.decode(high) - x];
                if !below.is_finite() || !above.is_finite() {
                    continue;
                }
                let lower = below < above || below == above && low & 1 == 0;
                let expected = if lower { low } else { high };
                assert_eq!(
                    format.add(x, -0.0).to_bits(),
                    format.decode(expected).to_bits(),
                    "{x}"
                );
                ties += u32::from(below == above && low != high);
            }
        }
        assert!(ties > 1000, "{ties}");
    }

    #[test]
    fn the_nearer_neighbour_is_taken() {
        rounds_to_nearest(HALF);
        rounds_to_nearest(BFLOAT16);
        rounds_to_nearest(SINGLE);
    }
}
