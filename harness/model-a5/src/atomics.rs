//! The combinations of atomics: `new = f(old, value)`, on bits.
//!
//! NaN: a float sum that is no number is the canonical quiet NaN of its type,
//! whatever the operands were (MSCATTER-GAP-81 leaves it open). Max and Min leave one
//! of their operands as it is, so no NaN of the host's arithmetic is ever seen.

use ptodiff_isa::{
    AddOverflow, DType, Fault, MaxMinNan, MaxMinZero, Readings, ScatterAtomicOp, Subnormals,
};
use ptodiff_memory::Combine;
use rustc_apfloat::{
    Float,
    ieee::{BFloat, Half},
};

use crate::no_kernel;

/// What lanes do with a value and the slot that it is for.
#[derive(Clone, Copy)]
pub(crate) struct Atomic {
    /// The intrinsic (MSCATTER-ATOM-20).
    pub(crate) name: &'static str,
    /// What it leaves in the slot.
    pub(crate) combine: Combine,
}

/// The atomic of a call, if it has one.
///
/// # Errors
/// For a type that no atomic of A5 has (MSCATTER-ATOM-11 to -14).
pub(crate) fn of(
    op: ScatterAtomicOp,
    dtype: DType,
    readings: &Readings,
) -> Result<Option<Atomic>, Fault> {
    let (name, combine) = match op {
        ScatterAtomicOp::None => return Ok(None),
        ScatterAtomicOp::Add => ("atomicAdd", add(dtype, readings)),
        ScatterAtomicOp::Max => ("atomicMax", max(dtype, readings)),
        ScatterAtomicOp::Min => ("atomicMin", min(dtype, readings)),
    };
    let none = || no_kernel(format_args!("{op} with {dtype}"));
    let combine = combine.ok_or_else(none)?;
    Ok(Some(Atomic { name, combine }))
}

/// A combination of floats, made one that knows no subnormals where `$readings`
/// say so (MSCATTER-GAP-80).
macro_rules! float {
    ($format:ident, $readings:ident, $combine:expr) => {
        match $readings.subnormals {
            Subnormals::Flushed => |a, b| $format.flushed($combine, a, b),
            _ => $combine,
        }
    };
}

/// Integers wrap or saturate (MSCATTER-GAP-05); every sum of floats rounds to its
/// own type, to nearest even (MSCATTER-GAP-06).
fn add(dtype: DType, readings: &Readings) -> Option<Combine> {
    let saturates = match readings.add_overflow {
        AddOverflow::Saturate => true,
        AddOverflow::Wrap | AddOverflow::Mte3Saturates => false,
    };
    Some(match (dtype, saturates) {
        (DType::Int32, true) => |a, b| of_signed(signed(a).saturating_add(signed(b))),
        (DType::Int32, false) => |a, b| of_signed(signed(a).wrapping_add(signed(b))),
        (DType::Uint32, true) => |a, b| unsigned(a).saturating_add(unsigned(b)).into(),
        (DType::Uint32, false) => |a, b| unsigned(a).wrapping_add(unsigned(b)).into(),
        (DType::Float, _) => float!(FLOAT, readings, add_float),
        (DType::Half, _) => float!(HALF, readings, add_half),
        (DType::Bfloat16, _) => float!(BFLOAT16, readings, add_bfloat16),
        _ => return None,
    })
}

/// The type decides how bits compare (MSCATTER-ATOM-21), and readings what becomes
/// of a NaN (MSCATTER-GAP-03) and of zeros (MSCATTER-GAP-04). Where either zero may
/// be left, the one that is depends on the reading of NaN.
fn max(dtype: DType, readings: &Readings) -> Option<Combine> {
    Some(match (dtype, readings.max_min_nan, readings.max_min_zero) {
        (DType::Int32, ..) => |a, b| of_signed(signed(a).max(signed(b))),
        (DType::Uint32, ..) => |a, b| a.max(b),
        (DType::Float, ANYTHING, EITHER) => float!(FLOAT, readings, max_float),
        (DType::Float, ANYTHING | BY_BITS, _) => float!(FLOAT, readings, max_by_bits),
        (DType::Float, IGNORED, _) => float!(FLOAT, readings, max_number),
        (DType::Float, PASSED_ON, _) => float!(FLOAT, readings, max_or_nan),
        _ => return None,
    })
}

/// As [`max`].
fn min(dtype: DType, readings: &Readings) -> Option<Combine> {
    Some(match (dtype, readings.max_min_nan, readings.max_min_zero) {
        (DType::Int32, ..) => |a, b| of_signed(signed(a).min(signed(b))),
        (DType::Uint32, ..) => |a, b| a.min(b),
        (DType::Float, ANYTHING, EITHER) => float!(FLOAT, readings, min_float),
        (DType::Float, ANYTHING | BY_BITS, _) => float!(FLOAT, readings, min_by_bits),
        (DType::Float, IGNORED, _) => float!(FLOAT, readings, min_number),
        (DType::Float, PASSED_ON, _) => float!(FLOAT, readings, min_or_nan),
        _ => return None,
    })
}

const ANYTHING: MaxMinNan = MaxMinNan::Anything;
const BY_BITS: MaxMinNan = MaxMinNan::ByBits;
const IGNORED: MaxMinNan = MaxMinNan::Ignored;
const PASSED_ON: MaxMinNan = MaxMinNan::PassedOn;
const EITHER: MaxMinZero = MaxMinZero::Either;

fn unsigned(bits: u64) -> u32 {
    bits as u32
}

fn signed(bits: u64) -> i32 {
    bits as i32
}

fn of_signed(number: i32) -> u64 {
    u64::from(number as u32)
}

/// The bits of a floating-point type.
struct Format {
    sign: u64,
    /// Positive infinity: all bits of the exponent.
    infinity: u64,
    /// The canonical quiet NaN.
    nan: u64,
}

const FLOAT: Format = Format {
    sign: 0x8000_0000,
    infinity: 0x7F80_0000,
    nan: 0x7FC0_0000,
};
const HALF: Format = Format {
    sign: 0x8000,
    infinity: 0x7C00,
    nan: 0x7E00,
};
const BFLOAT16: Format = Format {
    sign: 0x8000,
    infinity: 0x7F80,
    nan: 0x7FC0,
};

impl Format {
    fn is_nan(&self, bits: u64) -> bool {
        bits & !self.sign > self.infinity
    }

    /// The sum, or the one NaN.
    fn canonical(&self, sum: u64) -> u64 {
        if self.is_nan(sum) { self.nan } else { sum }
    }

    /// A subnormal becomes a zero of its sign.
    fn flush(&self, bits: u64) -> u64 {
        match bits & self.infinity {
            0 => bits & self.sign,
            _ => bits,
        }
    }

    /// A combination that knows no subnormals, as operands or as results
    /// (MSCATTER-GAP-80).
    fn flushed(&self, combine: Combine, old: u64, value: u64) -> u64 {
        self.flush(combine(self.flush(old), self.flush(value)))
    }
}

fn add_float(old: u64, value: u64) -> u64 {
    let sum = f32::from_bits(unsigned(old)) + f32::from_bits(unsigned(value));
    FLOAT.canonical(sum.to_bits().into())
}

fn add_half(old: u64, value: u64) -> u64 {
    let sum = Half::from_bits(old.into()) + Half::from_bits(value.into());
    HALF.canonical(sum.value.to_bits() as u64)
}

fn add_bfloat16(old: u64, value: u64) -> u64 {
    let sum = BFloat::from_bits(old.into()) + BFloat::from_bits(value.into());
    BFLOAT16.canonical(sum.value.to_bits() as u64)
}

/// The larger number. Zeros are equal, and a NaN is neither larger nor smaller than
/// anything; in both cases the slot stays as it is.
fn max_float(old: u64, value: u64) -> u64 {
    let is_larger = f32::from_bits(unsigned(value)) > f32::from_bits(unsigned(old));
    if is_larger { value } else { old }
}

fn min_float(old: u64, value: u64) -> u64 {
    let is_smaller = f32::from_bits(unsigned(value)) < f32::from_bits(unsigned(old));
    if is_smaller { value } else { old }
}

fn max_by_bits(old: u64, value: u64) -> u64 {
    if rank(value) > rank(old) { value } else { old }
}

fn min_by_bits(old: u64, value: u64) -> u64 {
    if rank(value) < rank(old) { value } else { old }
}

/// Orders the bits of a float as signed-magnitude integers: -0.0 below +0.0, a
/// positive NaN above every number, a negative one below.
fn rank(bits: u64) -> i32 {
    match signed(bits) {
        negative @ ..0 => negative ^ i32::MAX,
        positive => positive,
    }
}

fn max_number(old: u64, value: u64) -> u64 {
    among_numbers(max_by_bits, old, value)
}

fn min_number(old: u64, value: u64) -> u64 {
    among_numbers(min_by_bits, old, value)
}

/// A NaN is ignored, and stays where there is no number.
fn among_numbers(better: Combine, old: u64, value: u64) -> u64 {
    match (FLOAT.is_nan(old), FLOAT.is_nan(value)) {
        (false, false) => better(old, value),
        (true, false) => value,
        (_, true) => old,
    }
}

fn max_or_nan(old: u64, value: u64) -> u64 {
    or_nan(max_by_bits, old, value)
}

fn min_or_nan(old: u64, value: u64) -> u64 {
    or_nan(min_by_bits, old, value)
}

/// A NaN is passed on, bit for bit; of two the one in the slot.
fn or_nan(better: Combine, old: u64, value: u64) -> u64 {
    match (FLOAT.is_nan(old), FLOAT.is_nan(value)) {
        (false, false) => better(old, value),
        (true, _) => old,
        (false, true) => value,
    }
}
