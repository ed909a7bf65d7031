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

/// Position of the largest finite value in increasing order.
pub(crate) const LAST: u16 = 126;

/// Positive codes in increasing order of value, `0x00` first, infinity last.
const ORDER: [u8; 128] = order_table();

/// The code at `position` in increasing order of value; infinity past the end.
pub(crate) fn order(position: u16) -> u16 {
    u16::from(*ORDER.get(usize::from(position)).unwrap_or(&0x6F))
}

/// The value of a positive code; infinity has the value that would follow the largest.
pub(crate) fn decode(code: u16) -> f64 {
    let (exponent, mantissa, mantissa_bits) = match parts(code as u8 & 0x7F) {
        Parts::Zero => return 0.0,
        Parts::Subnormal(m) => return 2.0_f64.powi(i32::from(m) - 23),
        Parts::Normal {
            exponent,
            mantissa,
            mantissa_bits,
        } => (exponent, mantissa, mantissa_bits),
    };
    let fraction = f64::from(mantissa) / f64::from(1_u32 << mantissa_bits);
    (1.0 + fraction) * 2.0_f64.powi(i32::from(exponent))
}

enum Parts {
    Zero,
    Subnormal(u8),
    Normal {
        exponent: i8,
        mantissa: u8,
        mantissa_bits: u8,
    },
}

const fn parts(code: u8) -> Parts {
    let (exponent_bits, mantissa_bits) = match code >> 5 {
        0b11 => (4, 1),
        0b10 => (3, 2),
        0b01 => (2, 3),
        _ if code & 0b1_0000 != 0 => (1, 3),
        _ if code & 0b0_1000 != 0 => (0, 3),
        _ if code == 0 => return Parts::Zero,
        _ => return Parts::Subnormal(code),
    };
    let mantissa = code & ((1 << mantissa_bits) - 1);
    let field = (code >> mantissa_bits) & ((1 << exponent_bits) - 1);
    let exponent = if exponent_bits == 0 {
        0
    } else {
        let leading = 1 << (exponent_bits - 1);
        let magnitude = (leading | (field & (leading - 1))) as i8;
        if field & leading != 0 {
            -magnitude
        } else {
            magnitude
        }
    };
    Parts::Normal {
        exponent,
        mantissa,
        mantissa_bits,
    }
}

/// A whole number that grows with the value of the code.
const fn rank(code: u8) -> i32 {
    match parts(code) {
        Parts::Zero => i32::MIN,
        // Each is a power of two of its own: 2^-22 to 2^-16, below every normal.
        Parts::Subnormal(m) => (m as i32 - 23) * 8,
        Parts::Normal {
            exponent,
            mantissa,
            mantissa_bits,
        } => exponent as i32 * 8 + ((mantissa as i32) << (3 - mantissa_bits)),
    }
}

const fn order_table() -> [u8; 128] {
    let mut table = [0; 128];
    let mut at = 0;
    while at < 128 {
        table[at] = at as u8;
        let mut back = at;
        while back > 0 && rank(table[back - 1]) > rank(table[back]) {
            let lower = table[back];
            table[back] = table[back - 1];
            table[back - 1] = lower;
            back -= 1;
        }
        at += 1;
    }
    table
}
