//! Float literals: from decimal text to the bits of an element type.
//!
//! Rounding is to nearest, ties to the even code, directly from the decimal
//! text: no value is rounded twice.

use std::borrow::Cow;

use ptodiff_isa::DType;
use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Single};
use rustc_apfloat::{Float, Round, Status};

use crate::hifloat8;

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

/// The bits of `text` in the float type `dtype`.
///
/// # Errors
/// If it is no decimal number, rounds past the largest finite value, or is a
/// special value that the type lacks; [`FloatError::NotANumber`] also for an
/// integer type.
pub fn encode(dtype: DType, text: &str) -> Result<u64, FloatError> {
    match dtype {
        DType::Float => ieee::<Single>(text),
        DType::Half => ieee::<Half>(text),
        DType::Bfloat16 => ieee::<BFloat>(text),
        DType::Float8E4M3 => ieee::<Float8E4M3FN>(text),
        DType::Float8E5M2 => ieee::<Float8E5M2>(text),
        DType::Hifloat8 => hifloat8(text),
        _ => Err(FloatError::NotANumber),
    }
}

enum Kind<'t> {
    Nan,
    Infinity,
    /// These digits, without their sign.
    Number(Cow<'t, str>),
}

/// Sign and kind.
fn split(text: &str) -> Result<(bool, Kind<'_>), FloatError> {
    let (negative, rest) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let kind = match rest {
        "nan" | "NaN" | ".nan" | ".NaN" | ".NAN" if rest.len() == text.len() => Kind::Nan,
        "inf" | "Infinity" | ".inf" | ".Inf" | ".INF" => Kind::Infinity,
        _ => {
            let digit = |c: char| c.is_ascii_digit() || c == '.';
            // The library has hexadecimal numbers, names and exponents without digits, too.
            let decimal = |c: char| digit(c) || matches!(c, 'e' | 'E' | '+' | '-');
            if !(rest.starts_with(digit) && rest.ends_with(digit) && rest.chars().all(decimal)) {
                return Err(FloatError::NotANumber);
            }
            Kind::Number(shortened(rest))
        }
    };
    Ok((negative, kind))
}

/// Digits of the longest number that is rounded as it stands. No value of a type here, and no
/// tie between two, has so many: of what follows it matters whether it is zero. The library
/// takes long for very many.
const LONGEST: usize = 1000;

/// `digits`, which is a decimal number or none, in not many more than [`LONGEST`].
fn shortened(digits: &str) -> Cow<'_, str> {
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole, fraction].concat();
    let significant = all.trim_start_matches('0');
    let long = significant.split_at_checked(LONGEST);
    let long = long.filter(|_| all.bytes().all(|digit| digit.is_ascii_digit()));
    let (Some((first, rest)), Ok(exponent)) = (long, exponent.parse::<i64>()) else {
        return Cow::Borrowed(digits);
    };
    let sticky = u8::from(rest.bytes().any(|digit| digit != b'0'));
    let places = fraction.len() as i64 + 1 - rest.len() as i64;
    Cow::Owned(format!(
        "{first}{sticky}e{}",
        exponent.saturating_sub(places)
    ))
}

fn ieee<F: Float>(text: &str) -> Result<u64, FloatError> {
    let (negative, kind) = split(text)?;
    let value = match kind {
        Kind::Nan => F::NAN,
        Kind::Infinity if F::INFINITY.is_infinite() => F::INFINITY,
        Kind::Infinity => return Err(FloatError::NoSuchValue),
        Kind::Number(digits) => {
            let rounded = F::from_str_r(&digits, Round::NearestTiesToEven);
            let rounded = rounded.map_err(|_| FloatError::NotANumber)?;
            if !rounded.value.is_finite() {
                return Err(FloatError::OutOfRange);
            }
            rounded.value
        }
    };
    let value = if negative { -value } else { value };
    Ok(value.to_bits() as u64)
}

fn hifloat8(text: &str) -> Result<u64, FloatError> {
    let (negative, kind) = split(text)?;
    let sign = u64::from(negative) << 7;
    let digits = match kind {
        Kind::Nan => return Ok(0x80),
        Kind::Infinity => return Ok(u64::from(hifloat8::INFINITY) | sign),
        Kind::Number(digits) => digits,
    };
    let cut = Double::from_str_r(&digits, Round::TowardZero);
    let cut = cut.map_err(|_| FloatError::NotANumber)?;
    // With a last bit for what was cut off, what lies beside a tie stays there.
    let inexact = u64::from(cut.status.contains(Status::INEXACT));
    let value = f64::from_bits(cut.value.to_bits() as u64 | inexact);
    let code = hifloat8::nearest(value).ok_or(FloatError::OutOfRange)?;
    match code {
        // A negative number may round to the only zero; one that is written may not.
        0 if negative && value == 0.0 => Err(FloatError::NoSuchValue),
        0 => Ok(0),
        code => Ok(u64::from(code) | sign),
    }
}
