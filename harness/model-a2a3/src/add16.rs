//! Addition of 16-bit floats.

/// `a + b` in the binary format with a sign, `15 - MANT` exponent bits and
/// `MANT` mantissa bits, rounded to nearest, ties to even (reading of
/// MSCATTER-GAP-06 and -60). Subnormals are kept; `crate::flush` makes zeros of
/// them where MSCATTER-GAP-80 is read so.
///
/// Every NaN result is the positive quiet NaN without payload.
#[inline(always)]
pub(crate) fn add<const MANT: u32>(a: u16, b: u16) -> u16 {
    let infinity = infinity::<MANT>();
    let sum = (widened::<MANT>(a) + widened::<MANT>(b)).to_bits();

    let cut = f32::MANTISSA_DIGITS - 1 - MANT;
    let magnitude = sum & !SIGN;
    let odd = magnitude >> cut & 1;
    // A carry out of the mantissa adds itself to the exponent.
    let rounded = (magnitude + (1 << (cut - 1)) - 1 + odd) >> cut;

    let endless = |x: u16| x & infinity == infinity;
    if endless(a) | endless(b) | (rounded >= u32::from(infinity)) {
        return out_of_range::<MANT>(a, b);
    }
    (sum >> 16) as u16 & 0x8000 | rounded as u16
}

/// Sign of a `f32`.
const SIGN: u32 = 1 << 31;

/// `x` times a power of two, exactly: the `f32` with the same exponent field.
///
/// Sums of such, rounded to `f32` and then to the format, are what one rounding
/// gives: the 24 significant bits of `f32` are at least two more than twice the
/// `MANT + 1` of the format (Figueroa, 1995), and subnormal sums are exact.
#[inline(always)]
fn widened<const MANT: u32>(x: u16) -> f32 {
    let x = u32::from(x);
    f32::from_bits((x & 0x8000) << 16 | (x & 0x7FFF) << (f32::MANTISSA_DIGITS - 1 - MANT))
}

/// The sum where it or an operand is no number of the format.
#[cold]
#[inline(never)]
fn out_of_range<const MANT: u32>(a: u16, b: u16) -> u16 {
    let infinity = infinity::<MANT>();
    let magnitude = |x: u16| x & 0x7FFF;
    let opposite = (a ^ b) & 0x8000 != 0;

    let (big, small) = if magnitude(a) < magnitude(b) {
        (b, a)
    } else {
        (a, b)
    };
    if magnitude(big) > infinity || (magnitude(small) == infinity && opposite) {
        return infinity | 1 << (MANT - 1);
    }
    big & 0x8000 | infinity
}

/// The positive infinity.
#[inline(always)]
const fn infinity<const MANT: u32>() -> u16 {
    (0x7FFF >> MANT) << MANT
}

#[cfg(test)]
mod tests {
    use super::add;

    const HALF: u32 = 10;
    const BFLOAT16: u32 = 7;

    /// Value of every non-negative finite pattern; the slot of infinity holds
    /// the power of two at which the next binade would begin.
    fn values(mant: u32) -> Vec<f64> {
        let exponent_bits = 15 - mant;
        let bias = (1_i32 << (exponent_bits - 1)) - 1;
        let last = ((1_u32 << exponent_bits) - 1) << mant;
        (0..=last)
            .map(|bits| {
                let field = (bits >> mant) as i32;
                let fraction = f64::from(bits & ((1 << mant) - 1));
                let one = f64::from(1_u32 << mant);
                let (lead, power) = if field == 0 { (0.0, 1) } else { (one, field) };
                (lead + fraction) * 2_f64.powi(power - bias - mant as i32)
            })
            .collect()
    }

    fn decode(table: &[f64], mant: u32, x: u16) -> f64 {
        let infinity = (table.len() - 1) as u16;
        let magnitude = x & 0x7FFF;
        let value = match magnitude.cmp(&infinity) {
            std::cmp::Ordering::Less => table[usize::from(magnitude)],
            std::cmp::Ordering::Equal => f64::INFINITY,
            std::cmp::Ordering::Greater => f64::NAN,
        };
        assert_eq!(usize::from(infinity), ((0x7FFF >> mant) << mant) as usize);
        if x & 0x8000 == 0 { value } else { -value }
    }

    /// Nearest pattern by search among all values, ties to the even pattern.
    /// The `f64` sum is exact or so much finer than the format that rounding
    /// it once more changes nothing.
    fn expected(table: &[f64], mant: u32, a: u16, b: u16) -> u16 {
        let infinity = (table.len() - 1) as u16;
        let sum = decode(table, mant, a) + decode(table, mant, b);
        if sum.is_nan() {
            return infinity | 1 << (mant - 1);
        }
        let sign = if sum.is_sign_negative() { 0x8000 } else { 0 };
        let size = sum.abs();
        if size.is_infinite() {
            return sign | infinity;
        }
        let above = table.partition_point(|&v| v < size);
        let pattern = if above == table.len() {
            usize::from(infinity)
        } else if table[above] == size {
            above
        } else {
            let middle = (table[above - 1] + table[above]) / 2.0;
            match size.partial_cmp(&middle) {
                Some(std::cmp::Ordering::Less) => above - 1,
                Some(std::cmp::Ordering::Greater) => above,
                _ => above - 1 + (above - 1) % 2,
            }
        };
        sign | pattern as u16
    }

    fn compare<const MANT: u32>(partners: impl Iterator<Item = u16> + Clone) {
        let table = values(MANT);
        for a in 0..=u16::MAX {
            for b in partners.clone() {
                let want = expected(&table, MANT, a, b);
                assert_eq!(add::<MANT>(a, b), want, "{a:#06x} + {b:#06x}");
                assert_eq!(add::<MANT>(b, a), want, "{b:#06x} + {a:#06x}");
            }
        }
    }

    /// Around zero, the least normal, one, the greatest, infinity and NaN, both signs.
    fn specials(mant: u32) -> Vec<u16> {
        let infinity = (0x7FFF_u16 >> mant) << mant;
        let one = (infinity >> 1) & !((1 << mant) - 1);
        [0, 1 << mant, one, infinity, infinity | 1 << (mant - 1)]
            .into_iter()
            .flat_map(|mid: u16| (0..8).map(move |k| mid.wrapping_add(k).wrapping_sub(4)))
            .flat_map(|x| [x & 0x7FFF, x | 0x8000])
            .collect()
    }

    #[test]
    fn half_against_the_specials() {
        compare::<HALF>(specials(HALF).into_iter());
    }

    #[test]
    fn bfloat16_against_the_specials() {
        compare::<BFLOAT16>(specials(BFLOAT16).into_iter());
    }

    #[test]
    fn half_against_a_stride_of_patterns() {
        compare::<HALF>((0..=u16::MAX).step_by(1021));
    }

    #[test]
    fn bfloat16_against_a_stride_of_patterns() {
        compare::<BFLOAT16>((0..=u16::MAX).step_by(1021));
    }

    #[test]
    fn by_hand() {
        // 2048 + 1 ties to the even 2048 (MSCATTER-GAP-06); 2048 + 3 ties to 2052.
        assert_eq!(add::<HALF>(0x6800, 0x3C00), 0x6800);
        assert_eq!(add::<HALF>(0x6800, 0x4200), 0x6802);
        // Two least subnormals (MSCATTER-GAP-80).
        assert_eq!(add::<HALF>(0x0001, 0x0001), 0x0002);
        // 65504 + 16 ties up, out of range.
        assert_eq!(add::<HALF>(0x7BFF, 0x4C00), 0x7C00);
        // 256 + 1 ties to 256, 256 + 3 ties to 260 (MSCATTER-GAP-60).
        assert_eq!(add::<BFLOAT16>(0x4380, 0x3F80), 0x4380);
        assert_eq!(add::<BFLOAT16>(0x4380, 0x4040), 0x4382);
        assert_eq!(add::<HALF>(0x8000, 0x8000), 0x8000);
        assert_eq!(add::<HALF>(0x3C00, 0xBC00), 0x0000);
        assert_eq!(add::<BFLOAT16>(0x7F80, 0xFF80), 0x7FC0);
    }
}
