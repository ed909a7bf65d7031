//! Float literals: from decimal text to the bits of an element type.
//!
//! Rounding is to nearest, ties to the even code, directly from the decimal
//! text: no value is rounded twice.

use std::cmp::Ordering;

use ptodiff_isa::DType;

/// Why a text is no value of a float type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatError {
    /// It is no decimal number.
    NotANumber,
    /// It rounds past the largest finite value.
    OutOfRange,
    /// The type has no NaN, infinity or negative zero.
    NoSuchValue,
}

/// A float format of at most 16 bits.
#[derive(Clone, Copy)]
struct Format {
    /// Bits of one element.
    width: u32,
    /// Bits of the mantissa and bias of the exponent, where codes are as in IEEE 754.
    ieee: Option<(u32, i32)>,
    /// Position of the largest finite value in increasing order; what follows it has the
    /// value that would be next.
    last: u16,
    infinity: Option<u16>,
    /// The NaN written for `nan`: quiet, positive.
    nan: u16,
    negative_zero: bool,
}

impl Format {
    const fn ieee(width: u32, mantissa: u32, bias: i32) -> Self {
        let infinity = (1 << (width - 1)) - (1 << mantissa);
        Self {
            width,
            ieee: Some((mantissa, bias)),
            last: infinity - 1,
            infinity: Some(infinity),
            nan: infinity | 1 << (mantissa - 1),
            negative_zero: true,
        }
    }

    /// The positive code at a position in increasing order of value.
    fn code(&self, position: u16) -> u16 {
        match self.ieee {
            Some(_) => position,
            None => crate::hifloat8::order(position),
        }
    }

    /// The value of a positive code.
    fn decode(&self, code: u16) -> f64 {
        let Some((mantissa, bias)) = self.ieee else {
            return crate::hifloat8::decode(code);
        };
        let exponent = i32::from(code >> mantissa);
        let fraction = f64::from(code & ((1 << mantissa) - 1)) / f64::from(1_u32 << mantissa);
        if exponent == 0 {
            fraction * 2.0_f64.powi(1 - bias)
        } else {
            (1.0 + fraction) * 2.0_f64.powi(exponent - bias)
        }
    }
}

const HALF: Format = Format::ieee(16, 10, 15);
const BFLOAT16: Format = Format::ieee(16, 7, 127);
const E5M2: Format = Format::ieee(8, 2, 15);
const E4M3: Format = Format {
    last: 0x7E,
    infinity: None,
    nan: 0x7F,
    ..Format::ieee(8, 3, 7)
};
const HIFLOAT8: Format = Format {
    width: 8,
    ieee: None,
    last: crate::hifloat8::LAST,
    infinity: Some(0x6F),
    nan: 0x80,
    negative_zero: false,
};

/// The bits of `text` in the float type `dtype`.
///
/// # Errors
/// If it is no decimal number, rounds past the largest finite value, or is a
/// special value that the type lacks; [`FloatError::NotANumber`] also for an
/// integer type.
pub fn encode(dtype: DType, text: &str) -> Result<u64, FloatError> {
    match dtype {
        DType::Float => encode_float(text),
        DType::Half => encode_small(&HALF, text),
        DType::Bfloat16 => encode_small(&BFLOAT16, text),
        DType::Float8E4M3 => encode_small(&E4M3, text),
        DType::Float8E5M2 => encode_small(&E5M2, text),
        DType::Hifloat8 => encode_small(&HIFLOAT8, text),
        _ => Err(FloatError::NotANumber),
    }
}

enum Special {
    Nan,
    Infinity,
    Number,
}

/// Sign, kind, and the digits without their sign.
fn split(text: &str) -> Result<(bool, Special, &str), FloatError> {
    let (negative, rest) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let kind = match rest {
        "nan" | ".nan" if rest.len() == text.len() => Special::Nan,
        "inf" | ".inf" => Special::Infinity,
        _ => Special::Number,
    };
    let decimal = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-');
    let starts = rest
        .bytes()
        .next()
        .is_some_and(|b| b.is_ascii_digit() || b == b'.');
    if matches!(kind, Special::Number) && !(starts && rest.bytes().all(decimal)) {
        return Err(FloatError::NotANumber);
    }
    Ok((negative, kind, rest))
}

fn encode_float(text: &str) -> Result<u64, FloatError> {
    let (negative, kind, digits) = split(text)?;
    let magnitude = match kind {
        Special::Nan => 0x7FC0_0000,
        Special::Infinity => f32::INFINITY.to_bits(),
        Special::Number => {
            let value: f32 = digits.parse().map_err(|_| FloatError::NotANumber)?;
            if value.is_infinite() {
                return Err(FloatError::OutOfRange);
            }
            value.to_bits()
        }
    };
    Ok(u64::from(magnitude | u32::from(negative) << 31))
}

fn encode_small(format: &Format, text: &str) -> Result<u64, FloatError> {
    let (negative, kind, digits) = split(text)?;
    let sign = u64::from(negative) << (format.width - 1);
    let value = match kind {
        Special::Nan => return Ok(u64::from(format.nan)),
        Special::Infinity => {
            let code = format.infinity.ok_or(FloatError::NoSuchValue)?;
            return Ok(u64::from(code) | sign);
        }
        Special::Number => off_tie(digits)?,
    };
    let code = nearest(format, value)?;
    if code == 0 && negative && !format.negative_zero {
        // A negative number may round to the only zero; one that is written may not.
        return if value == 0.0 {
            Err(FloatError::NoSuchValue)
        } else {
            Ok(0)
        };
    }
    Ok(u64::from(code) | sign)
}

/// The code of the value nearest to `value`, which is not negative.
fn nearest(format: &Format, value: f64) -> Result<u16, FloatError> {
    let at = |position: u16| format.decode(format.code(position));
    // The last position whose value is not above `value`.
    let (mut low, mut high) = (0, format.last + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if at(middle) <= value {
            low = middle;
        } else {
            high = middle;
        }
    }
    // Exact: both have far fewer significant bits than f64.
    let tie = (at(low) + at(low + 1)) / 2.0;
    let code = format.code(low);
    let up = value > tie || (value == tie && code % 2 == 1);
    match (up, low == format.last) {
        (false, _) => Ok(code),
        (true, false) => Ok(format.code(low + 1)),
        (true, true) => Err(FloatError::OutOfRange),
    }
}

/// The `f64` nearest to `digits`, except that a text which only rounds to a
/// value that could be a tie in a small format is moved off it, to its own side.
fn off_tie(digits: &str) -> Result<f64, FloatError> {
    let value: f64 = digits.parse().map_err(|_| FloatError::NotANumber)?;
    if value.is_infinite() {
        return Err(FloatError::OutOfRange);
    }
    // A tie of a format with at most 11 significant bits has its low bits clear.
    if value.to_bits() & 0x0FFF_FFFF != 0 {
        return Ok(value);
    }
    Ok(match compare(digits, value) {
        Ordering::Less => value.next_down(),
        Ordering::Equal => value,
        Ordering::Greater => value.next_up(),
    })
}

/// Compares a decimal text with a value, both not negative, exactly.
fn compare(digits: &str, value: f64) -> Ordering {
    // The value has as many decimal places as binary ones.
    let bits = value.to_bits();
    let point = 1075 - (bits >> 52).max(1) as i64;
    let places = point - i64::from((bits | 1 << 52).trailing_zeros());
    let exact = format!("{value:.*}", usize::try_from(places).unwrap_or(0));
    let (text, text_exponent) = significant(digits);
    let (other, other_exponent) = significant(&exact);
    match (text.is_empty(), other.is_empty()) {
        (true, true) => return Ordering::Equal,
        (true, false) => return Ordering::Less,
        (false, true) => return Ordering::Greater,
        (false, false) => {}
    }
    text_exponent
        .cmp(&other_exponent)
        .then_with(|| text.cmp(&other))
}

/// Significant digits without zeros at either end, and the power of ten of a
/// point before the first: 12.5 is `125` and 2.
fn significant(digits: &str) -> (Vec<u8>, i64) {
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        // An exponent past i64 cannot come with a value that is finite and not zero
        // unless the mantissa is as long; no file is.
        Some((mantissa, exponent)) => (mantissa, exponent.parse().unwrap_or(0_i64)),
        None => (digits, 0),
    };
    let point = mantissa.find('.').unwrap_or(mantissa.len());
    let mut all: Vec<u8> = mantissa.bytes().filter(|b| *b != b'.').collect();
    let leading = all.iter().take_while(|b| **b == b'0').count();
    all.drain(..leading);
    while all.last() == Some(&b'0') {
        all.pop();
    }
    let shift = i64::try_from(point).unwrap_or(i64::MAX) - i64::try_from(leading).unwrap_or(0);
    (all, exponent.saturating_add(shift))
}
