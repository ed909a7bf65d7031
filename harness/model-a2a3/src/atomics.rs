//! Sums of ScatterAtomicOp::Add (000, Atomic Type Support).
//!
//! Every float addition rounds to the storage type, to nearest, ties to even
//! (MSCATTER-GAP-06, -60). A sum that is NaN is the quiet NaN of its type with
//! sign and payload zero, whatever the operands were (MSCATTER-GAP-81): 0x7E00,
//! 0x7FC0 or 0x7FC00000.

use ptodiff_isa::{AddOverflow, Coalesce, DType, Readings, Subnormals};
use ptodiff_memory::Combine;

/// The sum of two elements of `dtype`; none where A2/A3 has no Add
/// (MSCATTER-ATOM-08). Bits above the element do not count.
pub(crate) fn sum_of(dtype: DType, mode: Coalesce, readings: &Readings) -> Option<Combine> {
    let flushed = readings.subnormals == Subnormals::Flushed;
    let saturates = saturates(mode, readings);
    let sum: Combine = match dtype {
        DType::Int8 if saturates => add_int8_saturating,
        DType::Int16 if saturates => add_int16_saturating,
        DType::Int32 if saturates => add_int32_saturating,
        DType::Int8 | DType::Int16 | DType::Int32 => u64::wrapping_add,
        DType::Half if flushed => add_half_flushed,
        DType::Half => add_half,
        DType::Bfloat16 if flushed => add_bfloat16_flushed,
        DType::Bfloat16 => add_bfloat16,
        DType::Float if flushed => add_float_flushed,
        DType::Float => add_float,
        _ => return None,
    };
    Some(sum)
}

/// Whether integer sums saturate on the path of a mode: Row goes through the
/// atomic unit of MTE3, Elem through the scalar pipe (MSCATTER-GAP-05).
pub(crate) fn saturates(mode: Coalesce, readings: &Readings) -> bool {
    match readings.add_overflow {
        AddOverflow::Wrap => false,
        AddOverflow::Saturate => true,
        AddOverflow::Mte3Saturates => mode == Coalesce::Row,
    }
}

fn add_int8_saturating(old: u64, new: u64) -> u64 {
    (old as i8).saturating_add(new as i8) as u64
}

fn add_int16_saturating(old: u64, new: u64) -> u64 {
    (old as i16).saturating_add(new as i16) as u64
}

fn add_int32_saturating(old: u64, new: u64) -> u64 {
    (old as i32).saturating_add(new as i32) as u64
}

fn add_half(old: u64, new: u64) -> u64 {
    half_of(half(old) + half(new))
}

fn add_half_flushed(old: u64, new: u64) -> u64 {
    flush(add_half(flush(old, HALF), flush(new, HALF)), HALF)
}

fn add_bfloat16(old: u64, new: u64) -> u64 {
    bfloat16_of(bfloat16(old) + bfloat16(new))
}

fn add_bfloat16_flushed(old: u64, new: u64) -> u64 {
    flush(
        add_bfloat16(flush(old, BFLOAT16), flush(new, BFLOAT16)),
        BFLOAT16,
    )
}

fn add_float(old: u64, new: u64) -> u64 {
    let sum = f32::from_bits(old as u32) + f32::from_bits(new as u32);
    match sum.is_nan() {
        true => 0x7FC0_0000,
        false => sum.to_bits().into(),
    }
}

fn add_float_flushed(old: u64, new: u64) -> u64 {
    flush(add_float(flush(old, FLOAT), flush(new, FLOAT)), FLOAT)
}

/// Sign and exponent of a float type, as masks.
struct Masks {
    sign: u64,
    exponent: u64,
}

const HALF: Masks = Masks {
    sign: 0x8000,
    exponent: 0x7C00,
};
const BFLOAT16: Masks = Masks {
    sign: 0x8000,
    exponent: 0x7F80,
};
const FLOAT: Masks = Masks {
    sign: 0x8000_0000,
    exponent: 0x7F80_0000,
};

/// A subnormal becomes the zero of its sign (MSCATTER-GAP-80).
fn flush(bits: u64, masks: Masks) -> u64 {
    match bits & masks.exponent {
        0 => bits & masks.sign,
        _ => bits,
    }
}

/// The number that a bfloat16 is: the upper half of a float.
fn bfloat16(bits: u64) -> f32 {
    f32::from_bits((bits as u32) << 16)
}

/// The nearest bfloat16.
fn bfloat16_of(sum: f32) -> u64 {
    match sum.is_nan() {
        true => 0x7FC0,
        false => shifted_to_even(sum.to_bits(), 16).into(),
    }
}

/// The number that a half is.
fn half(bits: u64) -> f32 {
    let (exponent, fraction) = (bits >> 10 & 0x1F, bits as u32 & 0x3FF);
    let magnitude = match exponent as u32 {
        // A multiple of the least subnormal, 2^-24.
        0 => fraction as f32 * LEAST_HALF,
        0x1F => f32::from_bits(0x7F80_0000 | fraction << 13),
        exponent => f32::from_bits((exponent + BIAS) << 23 | fraction << 13),
    };
    match bits & HALF.sign {
        0 => magnitude,
        _ => -magnitude,
    }
}

/// The nearest half. The sum was rounded to a float before; that has more than
/// twice the digits of a half, so rounding twice comes to the same. Below the
/// least normal half it is a multiple of 2^-24 and needs no rounding.
fn half_of(sum: f32) -> u64 {
    if sum.is_nan() {
        return 0x7E00;
    }
    let magnitude = sum.abs();
    let bits = if magnitude < LEAST_NORMAL_HALF {
        (magnitude / LEAST_HALF) as u32
    } else {
        let rounded = shifted_to_even(magnitude.to_bits(), 13) - (BIAS << 10);
        rounded.min(HALF.exponent as u32)
    };
    let sign = if sum.is_sign_negative() { HALF.sign } else { 0 };
    sign | u64::from(bits)
}

/// What the exponent of a float is above that of a half.
const BIAS: u32 = 127 - 15;

/// 2^-24.
const LEAST_HALF: f32 = 1.0 / 16_777_216.0;

/// 2^-14.
const LEAST_NORMAL_HALF: f32 = 1.0 / 16_384.0;

/// `bits` without the last `count`, rounded to nearest, ties to even.
fn shifted_to_even(bits: u32, count: u32) -> u32 {
    let odd = bits >> count & 1;
    let below_half = (1 << (count - 1)) - 1;
    (bits + below_half + odd) >> count
}
