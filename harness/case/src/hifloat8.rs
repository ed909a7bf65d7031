//! HiFloat8: one sign bit, a prefix-coded exponent width, exponent, mantissa.
//!
//! | after the sign | exponent bits | mantissa bits | exponents |
//! |---|---|---|---|
//! | `11` | 4 | 1 | 8 to 15 and -15 to -8 |
//! | `10` | 3 | 2 | 4 to 7 and -7 to -4 |
//! | `01` | 2 | 3 | 2, 3 and -3, -2 |
//! | `001` | 1 | 3 | 1 and -1 |
//! | `0001` | 0 | 3 | 0 |
//! | `0000` | | 3 | subnormal: 2^(m - 23), m from 1 to 7 |
//!
//! An exponent is a sign and a magnitude whose leading one is not stored.
//! `0x00` is zero, `0x80` NaN, `0x6F` and `0xEF` the infinities.

use std::sync::LazyLock;

/// The positive one.
pub(crate) const INFINITY: u16 = 0x6F;

/// Positive codes in increasing order of value, `0x00` first, infinity last.
static ORDER: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut codes: Vec<u16> = (0..0x80).collect();
    codes.sort_by(|a, b| decode(*a).total_cmp(&decode(*b)));
    codes
});

/// The code of the value nearest to `value`, which is not negative, of two the even one; none
/// past the largest.
pub(crate) fn nearest(value: f64) -> Option<u16> {
    let above = ORDER.partition_point(|code| decode(*code) <= value);
    let (code, next) = (ORDER[above - 1], *ORDER.get(above)?);
    // Exact: both have far fewer significant bits than f64.
    let tie = f64::midpoint(decode(code), decode(next));
    match value > tie || value == tie && code % 2 == 1 {
        true => Some(next).filter(|next| *next != INFINITY),
        false => Some(code),
    }
}

/// The value of a positive code; infinity has the value that would follow the largest.
fn decode(code: u16) -> f64 {
    let (exponent_bits, mantissa_bits) = match code >> 5 {
        0b11 => (4, 1),
        0b10 => (3, 2),
        0b01 => (2, 3),
        _ if code & 0b1_0000 != 0 => (1, 3),
        _ if code & 0b0_1000 != 0 => (0, 3),
        _ if code == 0 => return 0.0,
        // Subnormal: 2^-22 to 2^-16, below every normal.
        _ => return 2.0_f64.powi(i32::from(code) - 23),
    };
    let fraction = f64::from(code & ((1 << mantissa_bits) - 1)) / f64::from(1 << mantissa_bits);
    let field = i32::from(code >> mantissa_bits) & ((1 << exponent_bits) - 1);
    // Of a sign and a magnitude without its leading one.
    let leading = (1 << exponent_bits) >> 1;
    let magnitude = leading | (field & (leading - 1));
    let exponent = match exponent_bits {
        0 => 0,
        _ if field & leading != 0 => -magnitude,
        _ => magnitude,
    };
    (1.0 + fraction) * 2.0_f64.powi(exponent)
}
