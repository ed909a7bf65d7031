//! What elements are worth, and back. An element is its bits, in the lower bytes.

use half::{bf16, f16};
use ptodiff_isa::{DType, ScatterAtomicOp};

/// The integer that `bits` are, of a dtype without fraction.
fn integer(dtype: DType, bits: u64) -> i64 {
    let unused = 64 - 8 * dtype.size() as u32;
    match dtype.is_signed_integer() {
        true => (bits << unused).cast_signed() >> unused,
        false => bits.cast_signed(),
    }
}

/// The number that `bits` are, of a dtype with a fraction.
pub(crate) fn real(dtype: DType, bits: u64) -> f64 {
    match dtype {
        DType::Half => f16::from_bits(bits as u16).to_f64(),
        DType::Bfloat16 => bf16::from_bits(bits as u16).to_f64(),
        _ => f32::from_bits(bits as u32).into(),
    }
}

/// The element nearest to `value`.
pub(crate) fn nearest(dtype: DType, value: f64) -> u64 {
    match dtype {
        DType::Half => f16::from_f64(value).to_bits().into(),
        DType::Bfloat16 => bf16::from_f64(value).to_bits().into(),
        _ => (value as f32).to_bits().into(),
    }
}

/// The sum, rounded once to the element type; integers wrap.
fn sum(dtype: DType, old: u64, new: u64) -> u64 {
    match dtype.is_integer() {
        true => old.wrapping_add(new),
        false => nearest(dtype, real(dtype, old) + real(dtype, new)),
    }
}

/// The sum of floats, cut to the element type; integers wrap.
pub(crate) fn truncated_sum(dtype: DType, old: u64, new: u64) -> u64 {
    let rounded = sum(dtype, old, new);
    let is_above = || {
        let exact = real(dtype, old) + real(dtype, new);
        (exact as f32).is_finite() && real(dtype, rounded).abs() > exact.abs()
    };
    // One step down in magnitude is one less in the bits.
    rounded - u64::from(!dtype.is_integer() && is_above())
}

/// Whether `a` is below `b`.
pub(crate) fn below(dtype: DType, a: u64, b: u64) -> bool {
    match dtype.is_integer() {
        true => integer(dtype, a) < integer(dtype, b),
        false => real(dtype, a) < real(dtype, b),
    }
}

/// What `atomic` leaves of `old` and `new`.
pub(crate) fn combined(atomic: ScatterAtomicOp, dtype: DType, old: u64, new: u64) -> u64 {
    match atomic {
        ScatterAtomicOp::None => new,
        ScatterAtomicOp::Add => sum(dtype, old, new),
        ScatterAtomicOp::Max if below(dtype, old, new) => new,
        ScatterAtomicOp::Min if below(dtype, new, old) => new,
        ScatterAtomicOp::Max | ScatterAtomicOp::Min => old,
    }
}
