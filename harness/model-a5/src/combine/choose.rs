//! Which combination an atomic over a type comes down to under the readings.

use std::num::Saturating;

use ptodiff_isa::{
    AddOverflow, DType, End, Fault, MaxMinNan, MaxMinZero, Readings, ScatterAtomicOp as Op,
    Subnormals,
};
use rustc_apfloat::ieee::{BFloat, Half};

use super::compare::{ByBits, NanAbove, NanBelow};
use super::subnormal::{Flushed, Format};
use super::{Add, Combine, Max, Min, Replace};

/// What is to be instantiated for the combination.
pub(crate) trait Kernel {
    /// Runs with it.
    fn run<C: Combine<W>, const W: usize>(self) -> End;
}

/// Runs `kernel` with the combination of `atomic` over `dtype`.
///
/// # Errors
/// If the check refuses that pair.
pub(crate) fn choose<K: Kernel>(
    atomic: Op,
    dtype: DType,
    readings: &Readings,
    kernel: K,
) -> Result<End, Fault> {
    use DType::{Bfloat16, Float, Int32, Uint32};
    // MTE3 is no part of A5, so `mte3-saturates` leaves its sums alone (MSCATTER-GAP-05).
    let saturates = readings.add_overflow == AddOverflow::Saturate;
    Ok(match (atomic, dtype) {
        (Op::None, _) => match dtype.size() {
            1 => kernel.run::<Replace, 1>(),
            2 => kernel.run::<Replace, 2>(),
            4 => kernel.run::<Replace, 4>(),
            _ => kernel.run::<Replace, 8>(),
        },
        (Op::Add, Int32) if saturates => kernel.run::<Add<Saturating<i32>>, 4>(),
        (Op::Add, Uint32) if saturates => kernel.run::<Add<Saturating<u32>>, 4>(),
        (Op::Add, Int32 | Uint32) => kernel.run::<Add<u32>, 4>(),
        (Op::Add, Float) => floating::<K, Add<f32>, f32, 4>(kernel, readings),
        (Op::Add, DType::Half) => floating::<K, Add<Half>, Half, 2>(kernel, readings),
        (Op::Add, Bfloat16) => floating::<K, Add<BFloat>, BFloat, 2>(kernel, readings),
        (Op::Max, Int32) => kernel.run::<Max<i32>, 4>(),
        (Op::Max, Uint32) => kernel.run::<Max<u32>, 4>(),
        (Op::Max, Float) => match nans(readings, Side::Below, Side::Above) {
            Side::Nowhere => floating::<K, Max<f32>, f32, 4>(kernel, readings),
            Side::Below => floating::<K, Max<NanBelow>, f32, 4>(kernel, readings),
            Side::Above => floating::<K, Max<NanAbove>, f32, 4>(kernel, readings),
            Side::Both => floating::<K, Max<ByBits>, f32, 4>(kernel, readings),
        },
        (Op::Min, Int32) => kernel.run::<Min<i32>, 4>(),
        (Op::Min, Uint32) => kernel.run::<Min<u32>, 4>(),
        (Op::Min, Float) => match nans(readings, Side::Above, Side::Below) {
            Side::Nowhere => floating::<K, Min<f32>, f32, 4>(kernel, readings),
            Side::Below => floating::<K, Min<NanBelow>, f32, 4>(kernel, readings),
            Side::Above => floating::<K, Min<NanAbove>, f32, 4>(kernel, readings),
            Side::Both => floating::<K, Min<ByBits>, f32, 4>(kernel, readings),
        },
        (atomic, dtype) => return Err(Fault(format!("{atomic} with {dtype}"))),
    })
}

/// Runs with `C`, which flushes subnormals where a reading has it so.
fn floating<K: Kernel, C: Combine<W>, F: Format<W>, const W: usize>(
    kernel: K,
    readings: &Readings,
) -> End {
    match readings.subnormals {
        Subnormals::Kept => kernel.run::<C, W>(),
        Subnormals::Flushed => kernel.run::<Flushed<C, F>, W>(),
    }
}

/// Where NaNs stand among the numbers.
#[derive(Clone, Copy)]
enum Side {
    /// They compare with nothing; zeros are equal. The other sides order zeros.
    Nowhere,
    Below,
    Above,
    /// Each on the side of its sign.
    Both,
}

/// Where NaNs stand for an atomic with which those at `losing` lose against
/// every number and those at `winning` win. Where a reading leaves zeros or
/// NaNs open, the order at hand serves.
fn nans(readings: &Readings, losing: Side, winning: Side) -> Side {
    match (readings.max_min_nan, readings.max_min_zero) {
        (MaxMinNan::Anything, MaxMinZero::Either) => Side::Nowhere,
        (MaxMinNan::Anything, MaxMinZero::Ordered) | (MaxMinNan::ByBits, _) => Side::Both,
        (MaxMinNan::Ignored, _) => losing,
        (MaxMinNan::PassedOn, _) => winning,
    }
}
