//! Bits of the few numbers that the fills name, in every dtype.

use std::sync::LazyLock;

use ptodiff_case::float;
use ptodiff_isa::DType;

/// The bits of `value` in `dtype`: 0, or at least 2^-10 and below 2^8.
///
/// Exact in every float of 16 bits or more for 251 whole or 31 eighths at most.
/// Floats of 16 bits drop the bits that they have no room for; an 8-bit float
/// takes the nearest value, of two equally near ones that with even bits.
/// Integers drop the fraction, and narrow ones wrap.
#[inline]
pub(crate) fn number(dtype: DType, value: f32) -> u64 {
    match dtype {
        DType::Float => u64::from(value.to_bits()),
        DType::Bfloat16 => u64::from(value.to_bits() >> 16),
        // Another exponent bias (127 to 15), 13 mantissa bits fewer.
        DType::Half if value == 0.0 => 0,
        DType::Half => u64::from((value.to_bits() >> 13) - ((127 - 15) << 10)),
        DType::Float8E4M3 => E4M3.of(value),
        DType::Float8E5M2 => E5M2.of(value),
        DType::Hifloat8 => HIFLOAT8.of(value),
        _ => value as u64,
    }
}

static E4M3: LazyLock<Rounded> = LazyLock::new(|| Rounded::to(DType::Float8E4M3));
static E5M2: LazyLock<Rounded> = LazyLock::new(|| Rounded::to(DType::Float8E5M2));
static HIFLOAT8: LazyLock<Rounded> = LazyLock::new(|| Rounded::to(DType::Hifloat8));

/// What the numbers that the fills ask for are in an 8-bit float.
///
/// Half way between two of its values lies one with a short mantissa. So all
/// that have the same upper 16 bits are rounded alike, but for the one whose
/// lower bits are 0: each two of these entries are that one and the others.
struct Rounded(Vec<u8>);

impl Rounded {
    /// Where the entries start, and where they end.
    const FROM: usize = entry(1.0 / 1024.0);
    const TO: usize = entry(256.0);

    /// None of these types has more than 3 bits of a mantissa, and half way
    /// between two values lies one with a bit more: only the first of so many
    /// entries may differ from the others.
    const STRETCH: usize = 1 << (8 - 4);

    /// Each as a literal would be, in the shortest digits that make a `f32` out.
    fn to(dtype: DType) -> Self {
        let bits = |entry: usize| {
            let (upper, rest) = (entry as u32 / 2, entry as u32 % 2);
            let text = f32::from_bits(upper << 16 | rest).to_string();
            // All of these floats go on beyond 2^8.
            float::encode(dtype, &text).unwrap_or_default() as u8
        };
        let mut list: Vec<u8> = Vec::with_capacity(Self::TO - Self::FROM);
        for at in (Self::FROM..Self::TO).step_by(Self::STRETCH) {
            let rest = bits(at + 1);
            // Larger numbers never have smaller values: what lies between two
            // that have the same has it too.
            let same = list.last() == Some(&rest);
            list.push(if same { rest } else { bits(at) });
            list.resize(at + Self::STRETCH - Self::FROM, rest);
        }
        Self(list)
    }

    fn of(&self, value: f32) -> u64 {
        // Only 0 lies below.
        let place = entry(value).checked_sub(Self::FROM);
        let bits = place.and_then(|place| self.0.get(place));
        u64::from(bits.copied().unwrap_or(0))
    }
}

/// Twice the upper 16 bits, and one more where others are set.
const fn entry(value: f32) -> usize {
    let bits = value.to_bits();
    (bits >> 16) as usize * 2 + (bits & 0xFFFF != 0) as usize
}

/// How many whole numbers from 0 on `dtype` distinguishes, before it rounds or wraps.
pub(crate) fn whole_numbers(dtype: DType) -> u64 {
    match dtype {
        DType::Float => 1 << 24,
        DType::Half => 1 << 11,
        DType::Bfloat16 => 1 << 8,
        // What the coarsest of them distinguishes.
        DType::Float8E4M3 | DType::Float8E5M2 | DType::Hifloat8 => 1 << 3,
        _ => 1_u64
            .checked_shl(dtype.size() as u32 * 8)
            .unwrap_or(u64::MAX),
    }
}

/// Bit patterns of `dtype` that arithmetic goes wrong on, 1 and -1 among them.
pub(crate) fn special(dtype: DType) -> Vec<u64> {
    let top = 1_u64 << (dtype.size() * 8 - 1);
    if dtype.is_integer() {
        // 0, 1, -1, and what lies around the sign boundary.
        return vec![0, 1, top | (top - 1), top, top - 1];
    }
    let f = FloatBits::of(dtype);
    let mut list = Vec::with_capacity(15);
    list.push(0);
    if dtype != DType::Hifloat8 {
        list.push(top);
    }
    for magnitude in [1, f.subnormals.1, f.normals.0, f.one, f.normals.1 - 1] {
        list.extend([magnitude, top | magnitude]);
    }
    if let Some(infinity) = f.infinity {
        list.extend([infinity, top | infinity]);
    }
    list.push(f.nan);
    list
}

/// Where the kinds of value lie among a float's magnitudes (its bits without the sign).
pub(crate) struct FloatBits {
    /// Least and largest subnormal.
    pub(crate) subnormals: (u64, u64),
    /// First normal magnitude and the one past the last finite one.
    pub(crate) normals: (u64, u64),
    /// 1.0.
    pub(crate) one: u64,
    /// A stretch of normals around 1.0, of few exponents, so that sums keep low bits.
    pub(crate) moderate: (u64, u64),
    /// Infinity, where there is one.
    pub(crate) infinity: Option<u64>,
    /// A quiet NaN, sign included.
    pub(crate) nan: u64,
}

impl FloatBits {
    /// The bits of a float `dtype`.
    pub(crate) fn of(dtype: DType) -> Self {
        let ieee = |exponent_bits: u32, mantissa_bits: u32| {
            let bias = (1_u64 << (exponent_bits - 1)) - 1;
            let at = |exponent: u64| exponent << mantissa_bits;
            let infinity = at(2 * bias + 1);
            Self {
                subnormals: (1, at(1) - 1),
                normals: (at(1), infinity),
                one: at(bias),
                moderate: (at(bias - 3), at(bias + 5)),
                infinity: Some(infinity),
                nan: infinity | 1 << (mantissa_bits - 1),
            }
        };
        match dtype {
            DType::Half => ieee(5, 10),
            DType::Bfloat16 => ieee(8, 7),
            DType::Float8E5M2 => ieee(5, 2),
            DType::Float8E4M3 => Self {
                normals: (0x08, 0x7F),
                infinity: None,
                nan: 0x7F,
                ..ieee(4, 3)
            },
            DType::Hifloat8 => Self {
                subnormals: (0x01, 0x07),
                // Magnitudes from 0x70 on are small normals: not in order, left out.
                normals: (0x08, 0x6F),
                one: 0x08,
                moderate: (0x08, 0x40),
                infinity: Some(0x6F),
                nan: 0x80,
            },
            _ => ieee(8, 23),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eighths(dtype: DType, eighths: u16) -> u64 {
        number(dtype, f32::from(eighths) / 8.0)
    }

    #[test]
    fn sixteen_bits_and_more_are_exact() {
        assert_eq!(eighths(DType::Float, 8), 0x3F80_0000);
        assert_eq!(eighths(DType::Float, 251 * 8), 0x437B_0000);
        assert_eq!(eighths(DType::Half, 8), 0x3C00);
        assert_eq!(eighths(DType::Half, 1), 0x3000); // 2^-3
        assert_eq!(eighths(DType::Half, 251 * 8), 0x5BD8);
        assert_eq!(eighths(DType::Half, 0), 0);
        assert_eq!(eighths(DType::Bfloat16, 2), 0x3E80); // 0.25
        assert_eq!(eighths(DType::Bfloat16, 251 * 8), 0x437B);
        assert_eq!(eighths(DType::Int8, 251 * 8), 251);
        assert_eq!(eighths(DType::Uint32, 15), 1);
    }

    #[test]
    fn eight_bit_floats_take_the_nearest() {
        // 251 is nearer to 256 than to 240, 17 is half way between 16 and 18.
        assert_eq!(eighths(DType::Float8E4M3, 251 * 8), 0x78);
        assert_eq!(eighths(DType::Float8E4M3, 17 * 8), 0x58);
        assert_eq!(eighths(DType::Float8E5M2, 8), 0x3C);
        assert_eq!(eighths(DType::Float8E5M2, 251 * 8), 0x5C); // 256
        assert_eq!(eighths(DType::Hifloat8, 8), 0x08);
        assert_eq!(eighths(DType::Hifloat8, 250 * 8), 0x60); // 256, not 224
    }

    /// Every number that the fills ask for: the eighths, and one per cent in 1024 steps.
    #[test]
    fn eight_bit_floats_are_what_a_literal_is() {
        for dtype in [DType::Float8E4M3, DType::Float8E5M2, DType::Hifloat8] {
            let eighths = (0..=8 * 251_u16).map(|k| f32::from(k) / 8.0);
            let steps = (0..102_400_u32).step_by(7).chain(0..2048);
            for value in eighths.chain(steps.map(|k| k as f32 / 1024.0)) {
                let literal = float::encode(dtype, &value.to_string());
                assert_eq!(Ok(number(dtype, value)), literal, "{value} {dtype}");
            }
        }
        // A tie whose shortest digits lie above it: 17/1024, written 0.016601563.
        assert_eq!(number(DType::Float8E4M3, 17.0 / 1024.0), 0x09);
    }

    #[test]
    fn fractions_are_cut_where_there_is_no_room() {
        // 100 - 2^-10 has 17 bits: all fit a float, 11 a half, 8 a bfloat16.
        let most = 102_399.0 / 1024.0;
        assert_eq!(number(DType::Float, most), u64::from(most.to_bits()));
        assert_eq!(number(DType::Half, most), 0x563F); // 99.9375
        assert_eq!(number(DType::Bfloat16, most), 0x42C7); // 99.5
        assert_eq!(number(DType::Int32, most), 99);
        assert_eq!(number(DType::Half, 1.0 / 1024.0), 0x1400); // 2^-10
        assert_eq!(number(DType::Half, 0.0), 0);
    }

    #[test]
    fn whole_numbers_are_exact_up_to_their_count() {
        for dtype in [
            DType::Half,
            DType::Bfloat16,
            DType::Float8E4M3,
            DType::Float8E5M2,
        ] {
            let bits: Vec<u64> = (0..whole_numbers(dtype))
                .map(|k| number(dtype, k as f32))
                .collect();
            assert!(bits.is_sorted_by(|a, b| a < b), "{dtype}");
        }
        // 2047 is the last before halves are two apart.
        assert_eq!(number(DType::Half, 2047.0), 0x67FF);
        assert_eq!(whole_numbers(DType::Int8), 256);
        assert_eq!(whole_numbers(DType::Uint64), u64::MAX);
    }

    #[test]
    fn special_values_are_what_they_are_called() {
        assert_eq!(
            special(DType::Half),
            [
                0, 0x8000, 1, 0x8001, 0x3FF, 0x83FF, 0x400, 0x8400, 0x3C00, 0xBC00, 0x7BFF, 0xFBFF,
                0x7C00, 0xFC00, 0x7E00
            ]
        );
        assert_eq!(special(DType::Int8), [0, 1, 0xFF, 0x80, 0x7F]);
        assert_eq!(special(DType::Uint64)[2], u64::MAX);
        let e4m3 = special(DType::Float8E4M3);
        assert!(e4m3.contains(&0x7E) && e4m3.contains(&0x38) && e4m3.contains(&0x7F));
        let float = special(DType::Float);
        assert!(float.contains(&u64::from(f32::MAX.to_bits())));
        assert!(float.contains(&u64::from(f32::MIN_POSITIVE.to_bits())));
        assert!(float.contains(&u64::from(f32::NAN.to_bits())));
        let hif8 = special(DType::Hifloat8);
        assert_eq!(hif8.iter().filter(|&&b| b == 0x80).count(), 1);
    }
}
