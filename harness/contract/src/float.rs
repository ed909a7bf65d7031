//! Binary floating-point formats, by integers, `f64`, and `f32` where that is one.
//!
//! Every value of the three formats is an `f64`. A sum of two of them that is
//! rounded to `f64` and then to the format is rounded as if once: an `f64` has
//! 53 bits, and 2p + 2 bits suffice for that (p is 24 at most). Sums that are
//! subnormal are exact to begin with.

/// A format with `EXP` exponent bits and `MAN` stored significand bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binary<const EXP: u32, const MAN: u32>;

/// IEEE 754 binary16.
pub(crate) type Half = Binary<5, 10>;
/// The upper half of a binary32.
pub(crate) type Bfloat16 = Binary<8, 7>;
/// IEEE 754 binary32.
pub(crate) type Single = Binary<8, 23>;

/// Which way a value between two neighbours of a format goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rounding {
    /// To the nearer one, ties to the even one.
    Nearest,
    /// To the lower one.
    Down,
    /// To the higher one.
    Up,
}

/// A storage format of floating-point elements.
pub(crate) trait Format {
    /// Bytes of an element.
    const SIZE: usize;
    /// Bits of the significand, the hidden one included.
    const PRECISION: u32;
    /// Largest finite value.
    const LARGEST: f64;
    /// Smallest normal number.
    const NORMAL: f64;
    /// Results of a smaller magnitude become zeros; 0 where none do.
    const LEAST: f64;
    /// A bit pattern that is NaN, one of many.
    const NAN: u32;

    /// The value of a bit pattern.
    fn decode(bits: u32) -> f64;

    /// The bit pattern of `x`, which is no NaN.
    fn encode(x: f64, rounding: Rounding) -> u32;

    /// The value nearest to `x`, of two the even one; a NaN stays one.
    fn round(x: f64) -> f64;

    /// `a + b` in this format; both are values of it.
    fn add(a: f64, b: f64) -> f64 {
        Self::round(a + b)
    }
}

/// 2^n for n in the exponent range of `f64`.
pub(crate) const fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

impl<const EXP: u32, const MAN: u32> Binary<EXP, MAN> {
    const BIAS: i32 = (1 << (EXP - 1)) - 1;
    const INFINITY: u32 = ((1 << EXP) - 1) << MAN;
    const SIGN: u32 = 1 << (EXP + MAN);
}

impl<const EXP: u32, const MAN: u32> Format for Binary<EXP, MAN> {
    const SIZE: usize = ((1 + EXP + MAN) / 8) as usize;
    const PRECISION: u32 = MAN + 1;
    const LARGEST: f64 = power_of_two(Self::BIAS) * (2.0 - power_of_two(-(MAN as i32)));
    const NORMAL: f64 = power_of_two(1 - Self::BIAS);
    const LEAST: f64 = 0.0;
    const NAN: u32 = Self::INFINITY | 1 << (MAN - 1);

    fn decode(bits: u32) -> f64 {
        if EXP == 8 {
            // A binary32 or its upper bits, which the processor knows.
            return f64::from(f32::from_bits(bits << (23 - MAN)));
        }
        let sign = u64::from(bits & Self::SIGN != 0) << 63;
        let man = u64::from(bits & ((1 << MAN) - 1));
        let exp = (bits >> MAN) & ((1 << EXP) - 1);
        let magnitude = if exp == (1 << EXP) - 1 {
            (0x7FF << 52) | (man << (52 - MAN))
        } else if exp == 0 {
            (man as f64 * power_of_two(1 - Self::BIAS - MAN as i32)).to_bits()
        } else {
            let exp = (exp as i32 - Self::BIAS + 1023) as u64;
            (exp << 52) | (man << (52 - MAN))
        };
        f64::from_bits(sign | magnitude)
    }

    fn round(x: f64) -> f64 {
        if MAN == 23 {
            return f64::from(x as f32);
        }
        let size = x.abs();
        if !size.is_finite() {
            return x;
        }
        // Beside a power of two so much larger, only the bits that are kept fit.
        let binade = size.max(Self::NORMAL).to_bits() & (0x7FF << 52);
        let large = f64::from_bits(binade + (u64::from(52 - MAN) << 52));
        let rounded = (size + large) - large;
        let overflows = rounded > Self::LARGEST;
        let size = if overflows { f64::INFINITY } else { rounded };
        size.copysign(x)
    }

    fn encode(x: f64, rounding: Rounding) -> u32 {
        if MAN == 23 && rounding == Rounding::Nearest {
            // As the processor does it.
            return (x as f32).to_bits();
        }
        let negative = x.is_sign_negative();
        let sign = if negative { Self::SIGN } else { 0 };
        let magnitude = x.to_bits() & !(1 << 63);
        if magnitude == 0 {
            return sign;
        }
        if x.is_infinite() {
            return sign | Self::INFINITY;
        }
        let exp = (magnitude >> 52) as i32 - 1023 + Self::BIAS;
        let significand = (magnitude & ((1 << 52) - 1)) | (1 << 52);
        // Below the smallest normal number the significand loses more bits.
        let lost = (52 - MAN).saturating_add_signed(if exp < 1 { 1 - exp } else { 0 });
        let (kept, rest, half) = if lost > 53 {
            (0, 1, 2)
        } else {
            let rest = significand & ((1 << lost) - 1);
            (significand >> lost, rest, 1 << (lost - 1))
        };
        if exp > 2 * Self::BIAS {
            return sign | Self::beyond(negative, rounding);
        }
        let base = if exp < 1 { 0 } else { (exp as u32 - 1) << MAN };
        let up = match rounding {
            Rounding::Nearest => rest > half || (rest == half && kept & 1 == 1),
            Rounding::Down => negative && rest != 0,
            Rounding::Up => !negative && rest != 0,
        };
        // A carry out of the significand is one more in the exponent, up to infinity.
        sign | (base + kept as u32 + u32::from(up))
    }
}

impl<const EXP: u32, const MAN: u32> Binary<EXP, MAN> {
    /// Where a magnitude above the largest finite value goes.
    const fn beyond(negative: bool, rounding: Rounding) -> u32 {
        match rounding {
            Rounding::Up if negative => Self::INFINITY - 1,
            Rounding::Down if !negative => Self::INFINITY - 1,
            _ => Self::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_and_bfloat16_goes_there_and_back() {
        for bits in 0..=0xFFFF_u32 {
            for (x, back) in [
                (Half::decode(bits), Half::encode as fn(f64, Rounding) -> u32),
                (Bfloat16::decode(bits), Bfloat16::encode),
            ] {
                if !x.is_nan() {
                    for rounding in [Rounding::Nearest, Rounding::Down, Rounding::Up] {
                        assert_eq!(back(x, rounding), bits);
                    }
                }
            }
        }
    }

    /// Sign, exponent and significand make the value, whoever puts it together.
    fn is_made_of_its_fields<const EXP: u32, const MAN: u32>(all: impl Iterator<Item = u32>) {
        let bias = (1 << (EXP - 1)) - 1;
        for bits in all {
            let (man, exp) = (bits & ((1 << MAN) - 1), bits >> MAN & ((1 << EXP) - 1));
            let negative = bits >> (EXP + MAN) & 1 == 1;
            let x = Binary::<EXP, MAN>::decode(bits);
            if exp == (1 << EXP) - 1 {
                assert_eq!(
                    (x.is_infinite(), x.is_nan()),
                    (man == 0, man != 0),
                    "{bits:#x}"
                );
            } else {
                let (hidden, exp) = if exp == 0 {
                    (0, 1)
                } else {
                    (1 << MAN, exp as i32)
                };
                let unit = power_of_two(exp - bias - MAN as i32);
                assert_eq!(x.abs(), f64::from(hidden | man) * unit, "{bits:#x}");
            }
            assert!(x.is_nan() || x.is_sign_negative() == negative, "{bits:#x}");
        }
    }

    #[test]
    fn values_are_made_of_their_fields() {
        is_made_of_its_fields::<5, 10>(0..=0xFFFF);
        is_made_of_its_fields::<8, 7>(0..=0xFFFF);
        // Every exponent with a few significands.
        is_made_of_its_fields::<8, 23>((0..=u32::MAX).step_by(65_521));
    }

    #[test]
    fn known_patterns() {
        assert_eq!(Half::decode(0x3C00), 1.0);
        assert_eq!(Half::decode(0x0001), power_of_two(-24));
        assert_eq!(Half::LARGEST, 65504.0);
        assert_eq!(
            [Half::NAN, Bfloat16::NAN, Single::NAN],
            [0x7E00, 0x7FC0, 0x7FC0_0000]
        );
        assert_eq!(Half::encode(65519.9, Rounding::Nearest), 0x7BFF);
        assert_eq!(Half::encode(65520.0, Rounding::Nearest), 0x7C00);
        assert_eq!(Half::encode(1e9, Rounding::Down), 0x7BFF);
        assert_eq!(Half::encode(-1e9, Rounding::Up), 0xFBFF);
        assert_eq!(Half::encode(1e9, Rounding::Up), 0x7C00);
        assert_eq!(Half::encode(-1e9, Rounding::Down), 0xFC00);
        assert_eq!(Half::encode(1.5 * power_of_two(-25), Rounding::Nearest), 1);
        assert_eq!(Half::encode(power_of_two(-25), Rounding::Nearest), 0);
        assert_eq!(Half::encode(power_of_two(-25), Rounding::Up), 1);
        assert_eq!(Half::encode(power_of_two(-60), Rounding::Up), 1);
        assert_eq!(Half::encode(-power_of_two(-60), Rounding::Down), 0x8001);
        assert_eq!(Bfloat16::encode(259.0, Rounding::Nearest), 0x4382);
        assert_eq!(Bfloat16::encode(257.0, Rounding::Nearest), 0x4380);
    }

    /// Of the two neighbours the nearer one, of two as near the even one.
    fn rounds_to_nearest<F: Format>() {
        let mut bits = 7_u64;
        let mut random = |below: u64| {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (bits >> 20) % below
        };
        let mut ties = 0;
        for _ in 0..20_000 {
            let mut value = || F::decode(random(1 << (8 * F::SIZE)) as u32);
            let (a, b) = (value(), value());
            // Sums, and what lies in the middle of two neighbours.
            let middle = a + (F::decode(F::encode(a, Rounding::Nearest) ^ 1) - a) / 2.0;
            for x in [a + b, middle].into_iter().filter(|x| x.is_finite()) {
                let [low, high] = [Rounding::Down, Rounding::Up].map(|way| F::encode(x, way));
                let [below, above] = [x - F::decode(low), F::decode(high) - x];
                if !below.is_finite() || !above.is_finite() {
                    continue;
                }
                let lower = below < above || below == above && low & 1 == 0;
                let expected = if lower { low } else { high };
                assert_eq!(F::encode(x, Rounding::Nearest), expected, "{x}");
                assert_eq!(F::round(x).to_bits(), F::decode(expected).to_bits(), "{x}");
                ties += u32::from(below == above && low != high);
            }
        }
        assert!(ties > 1000, "{ties}");
    }

    #[test]
    fn the_nearer_neighbour_is_taken() {
        rounds_to_nearest::<Half>();
        rounds_to_nearest::<Bfloat16>();
        rounds_to_nearest::<Single>();
    }

    #[test]
    fn single_agrees_with_the_processor() {
        let mut x = 0x1234_5678_u32;
        for _ in 0..200_000 {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            let (a, b) = (
                f32::from_bits(x),
                f32::from_bits(x.rotate_left(11) ^ 0x00F0_0000),
            );
            let (da, db) = (Single::decode(a.to_bits()), Single::decode(b.to_bits()));
            let sum = Single::add(da, db);
            assert!(sum.is_nan() == (a + b).is_nan());
            if !sum.is_nan() {
                assert_eq!(Single::encode(sum, Rounding::Nearest), (a + b).to_bits());
            }
        }
    }
}
