//! Literal element data: from words to little-endian bytes of a dtype.

use ptodiff_isa::DType;

use crate::float::{self, FloatError};

/// The bits of `text` as a value of `dtype`, in the low bits.
///
/// # Errors
/// What is wrong with it, to stand at a caret.
pub(crate) fn value(dtype: DType, text: &str) -> Result<u64, String> {
    if maybe_octal(text) {
        return Err(MAYBE_OCTAL.to_owned());
    }
    if dtype.is_integer() {
        return integer(dtype, text);
    }
    float::encode(dtype, text).map_err(|error| match error {
        FloatError::NotANumber => "this is no decimal number".to_owned(),
        FloatError::OutOfRange => format!("past the largest finite {dtype}"),
        FloatError::NoSuchValue => format!("{dtype} has no such value"),
    })
}

/// `text` as the raw bits of an element of `dtype`.
///
/// # Errors
/// What is wrong with it, to stand at a caret.
pub(crate) fn bits(dtype: DType, text: &str) -> Result<u64, String> {
    if maybe_octal(text) {
        return Err(MAYBE_OCTAL.to_owned());
    }
    let raw = unsigned(text).ok_or("raw bits are written as `0x7C01` or as a decimal number")?;
    let width = 8 * dtype.size() as u32;
    if raw > u128::from(u64::MAX) || (raw as u64).checked_shr(width).unwrap_or(0) != 0 {
        return Err(format!("{dtype} has {width} bits"));
    }
    Ok(raw as u64)
}

/// Why a number is rejected that is [`maybe_octal`].
pub(crate) const MAYBE_OCTAL: &str =
    "octal to some readers of YAML: write it without the 0 in front";

/// Whether YAML 1.1 has an octal number where YAML 1.2 has a decimal one.
pub(crate) fn maybe_octal(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit())
}

fn integer(dtype: DType, text: &str) -> Result<u64, String> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = unsigned(digits).ok_or("this is no whole number")?;
    let width = 8 * dtype.size() as u32;
    let (low, high) = if dtype.is_signed_integer() {
        (1_u128 << (width - 1), (1_u128 << (width - 1)) - 1)
    } else {
        (0, (1_u128 << width) - 1)
    };
    if magnitude > if negative { low } else { high } {
        let sign = if low == 0 { "" } else { "-" };
        return Err(format!("{dtype} goes from {sign}{low} to {high}"));
    }
    let bits = magnitude as u64;
    let bits = if negative { bits.wrapping_neg() } else { bits };
    Ok(bits & (u64::MAX >> (64 - width)))
}

/// A decimal or `0x` number without sign; `u128::MAX`, which fits no element, for any above.
fn unsigned(text: &str) -> Option<u128> {
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    match u128::from_str_radix(digits, radix) {
        Ok(number) => Some(number),
        // Too many digits is too large, not no number; any such value is out of range.
        Err(error) if *error.kind() == std::num::IntErrorKind::PosOverflow => Some(u128::MAX),
        Err(_) => None,
    }
}
