//! Which way a slot takes a value: by the atomic, the dtype and the readings.

use half::{bf16, f16};
use ptodiff_isa::{DType, MaxMinNan, MaxMinZero, Readings, ScatterAtomicOp};

use crate::combine::{Add, Combine, Fold, Operation, Replace};
use crate::extreme::{
    ByBits, ByValue, Extreme, Ignored, Max, Min, Nans, Order, PassedOn, Side, Unsettled,
};

/// A scatter, or the choice of one, of which only that way is open.
pub(super) trait Scattering {
    /// What is to be said of it afterwards.
    type Done;

    /// Scatters elements of `W` bytes, or says what would.
    fn run<const W: usize, C: Combine<W>>(&mut self) -> Self::Done;
}

/// Runs `scatter` with elements of `dtype`.
#[inline]
pub(super) fn run<S: Scattering>(
    scatter: &mut S,
    atomic: ScatterAtomicOp,
    dtype: DType,
    readings: &Readings,
) -> S::Done {
    match atomic {
        ScatterAtomicOp::None => replace(scatter, dtype),
        ScatterAtomicOp::Add => fold::<Add, Add, S>(scatter, dtype),
        ScatterAtomicOp::Max => extreme::<Max, S>(scatter, dtype, readings),
        ScatterAtomicOp::Min => extreme::<Min, S>(scatter, dtype, readings),
    }
}

#[inline]
fn replace<S: Scattering>(scatter: &mut S, dtype: DType) -> S::Done {
    match dtype.size() {
        1 => scatter.run::<1, Replace>(),
        2 => scatter.run::<2, Replace>(),
        4 => scatter.run::<4, Replace>(),
        _ => scatter.run::<8, Replace>(),
    }
}

/// Max or Min as the readings have it for floats.
fn extreme<D: Side, S: Scattering>(scatter: &mut S, dtype: DType, readings: &Readings) -> S::Done {
    use MaxMinNan as Nan;
    use MaxMinZero::{Either, Ordered};
    match (readings.max_min_nan, readings.max_min_zero) {
        (Nan::Anything, Either) => rank::<D, Unsettled, ByValue, S>(scatter, dtype),
        // Where a NaN may do anything, its bits may rank it.
        (Nan::Anything, Ordered) | (Nan::ByBits, _) => {
            rank::<D, Unsettled, ByBits, S>(scatter, dtype)
        }
        (Nan::Ignored, Either) => rank::<D, Ignored, ByValue, S>(scatter, dtype),
        (Nan::Ignored, Ordered) => rank::<D, Ignored, ByBits, S>(scatter, dtype),
        (Nan::PassedOn, Either) => rank::<D, PassedOn, ByValue, S>(scatter, dtype),
        (Nan::PassedOn, Ordered) => rank::<D, PassedOn, ByBits, S>(scatter, dtype),
    }
}

/// Max or Min where `P` settles NaNs of floats and `O` orders the rest.
fn rank<D: Side, P: Nans, O: Order, S: Scattering>(scatter: &mut S, dtype: DType) -> S::Done {
    fold::<Extreme<D, Unsettled, ByValue>, Extreme<D, P, O>, S>(scatter, dtype)
}

/// Reads, operates and writes: integers by `I`, floats by `F`.
fn fold<I: Operation, F: Operation, S: Scattering>(scatter: &mut S, dtype: DType) -> S::Done {
    match dtype {
        DType::Int8 => scatter.run::<1, Fold<I, i8>>(),
        DType::Uint8 => scatter.run::<1, Fold<I, u8>>(),
        DType::Int16 => scatter.run::<2, Fold<I, i16>>(),
        DType::Uint16 => scatter.run::<2, Fold<I, u16>>(),
        DType::Int32 => scatter.run::<4, Fold<I, i32>>(),
        DType::Uint32 => scatter.run::<4, Fold<I, u32>>(),
        DType::Int64 => scatter.run::<8, Fold<I, i64>>(),
        DType::Uint64 => scatter.run::<8, Fold<I, u64>>(),
        DType::Half => scatter.run::<2, Fold<F, f16>>(),
        DType::Bfloat16 => scatter.run::<2, Fold<F, bf16>>(),
        DType::Float => scatter.run::<4, Fold<F, f32>>(),
        // A plain host build has no such types, so no arithmetic on them.
        DType::Float8E4M3 | DType::Float8E5M2 | DType::Hifloat8 => replace(scatter, dtype),
    }
}
