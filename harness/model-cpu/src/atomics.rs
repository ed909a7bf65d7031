//! How MSCATTER's Add, Max and Min combine a source element with the slot.
//!
//! Integer sums wrap. A floating-point sum is rounded to its own type, to
//! nearest and ties to even, at every step (MSCATTER-GAP-06); subnormals are
//! kept. The NaN rule of Add is this model's own, so that every processor makes
//! the same bytes: a NaN operand is left with its quiet bit set, the slot's
//! before the source's, and infinities of opposite sign leave the canonical
//! quiet NaN (0x7E00, 0x7FC0, 0x7FC00000).
//!
//! The documents give the 8-bit floats no arithmetic: they are replaced.

use std::cmp::Ordering::{self, Greater, Less};

use half::{bf16, f16};
use ptodiff_isa::{DType, MaxMinNan, MaxMinZero, Readings, ScatterAtomicOp};
use ptodiff_memory::Combine;

use crate::index::signed;

/// What a slot takes, where it takes more than the source element.
pub(crate) enum Combination {
    /// The sum.
    Add(Combine),
    /// The one that ranks higher; the slot's where they rank the same.
    Max(Order),
    /// The one that ranks lower; the slot's where they rank the same.
    Min(Order),
}

impl Combination {
    /// The combination of a call on elements of `dtype`; none for a plain store.
    pub(crate) fn of(atomic: ScatterAtomicOp, dtype: DType, readings: &Readings) -> Option<Self> {
        let number = Number::of(dtype)?;
        match atomic {
            ScatterAtomicOp::None => None,
            ScatterAtomicOp::Add => Some(Self::Add(number.sum())),
            ScatterAtomicOp::Max => Some(Self::Max(Order::of_max(number, readings))),
            ScatterAtomicOp::Min => Some(Self::Min(Order::of_min(number, readings))),
        }
    }

    /// What the slot holds after `new` met `old`.
    pub(crate) fn apply(&self, old: u64, new: u64) -> u64 {
        match self {
            Self::Add(sum) => sum(old, new),
            Self::Max(order) if order.compare(new, old) == Some(Greater) => new,
            Self::Min(order) if order.compare(new, old) == Some(Less) => new,
            Self::Max(_) | Self::Min(_) => old,
        }
    }
}

/// What the bits of an element mean.
#[derive(Clone, Copy)]
enum Number {
    /// An integer with a sign, of this type.
    Signed(DType),
    /// An integer without a sign.
    Unsigned,
    Half,
    Bfloat16,
    Float,
}

impl Number {
    /// None for the 8-bit floats.
    fn of(dtype: DType) -> Option<Self> {
        Some(match dtype {
            DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64 => Self::Signed(dtype),
            DType::Uint8 | DType::Uint16 | DType::Uint32 | DType::Uint64 => Self::Unsigned,
            DType::Half => Self::Half,
            DType::Bfloat16 => Self::Bfloat16,
            DType::Float => Self::Float,
            DType::Float8E4M3 | DType::Float8E5M2 | DType::Hifloat8 => return None,
        })
    }

    fn sum(self) -> Combine {
        match self {
            // The store keeps the low bytes, so the sum wraps at any width.
            Self::Signed(_) | Self::Unsigned => u64::wrapping_add,
            Self::Half => sum_of_half,
            Self::Bfloat16 => sum_of_bfloat16,
            Self::Float => sum_of_float,
        }
    }
}

fn sum_of_half(old: u64, new: u64) -> u64 {
    if let Some(nan) = HALF.nan_of_sum(old, new) {
        return nan;
    }
    let sum = f16::from_bits(old as u16) + f16::from_bits(new as u16);
    u64::from(sum.to_bits())
}

fn sum_of_bfloat16(old: u64, new: u64) -> u64 {
    if let Some(nan) = BFLOAT16.nan_of_sum(old, new) {
        return nan;
    }
    let sum = bf16::from_bits(old as u16) + bf16::from_bits(new as u16);
    u64::from(sum.to_bits())
}

fn sum_of_float(old: u64, new: u64) -> u64 {
    if let Some(nan) = FLOAT.nan_of_sum(old, new) {
        return nan;
    }
    let sum = f32::from_bits(old as u32) + f32::from_bits(new as u32);
    u64::from(sum.to_bits())
}

/// The encoding of a floating-point type.
struct Format {
    /// The sign bit, above all others.
    sign: u64,
    /// Positive infinity; the magnitude of a NaN is greater.
    infinity: u64,
    /// The bit that makes a NaN quiet.
    quiet: u64,
}

const HALF: Format = Format {
    sign: 0x8000,
    infinity: 0x7C00,
    quiet: 0x0200,
};

const BFLOAT16: Format = Format {
    sign: 0x8000,
    infinity: 0x7F80,
    quiet: 0x0040,
};

const FLOAT: Format = Format {
    sign: 0x8000_0000,
    infinity: 0x7F80_0000,
    quiet: 0x0040_0000,
};

impl Format {
    /// All but the sign.
    fn magnitude(&self, bits: u64) -> u64 {
        bits & (self.sign - 1)
    }

    fn is_nan(&self, bits: u64) -> bool {
        self.magnitude(bits) > self.infinity
    }

    /// The NaN that a sum is, if it is one.
    fn nan_of_sum(&self, old: u64, new: u64) -> Option<u64> {
        if self.is_nan(old) {
            return Some(old | self.quiet);
        }
        if self.is_nan(new) {
            return Some(new | self.quiet);
        }
        let infinite = |bits| self.magnitude(bits) == self.infinity;
        let opposite = (old ^ new) & self.sign != 0;
        (infinite(old) && infinite(new) && opposite).then_some(self.infinity | self.quiet)
    }
}

/// The order that Max and Min go by.
pub(crate) struct Order {
    number: Number,
    nan: Nan,
    /// Whether -0.0 ranks below +0.0 (MSCATTER-GAP-04).
    zeros_differ: bool,
}

/// Where a NaN ranks (MSCATTER-GAP-03).
enum Nan {
    /// Nowhere: no comparison with it holds.
    Unordered,
    /// At one place, whatever its bits.
    At(i128),
    /// Where its bits say.
    ByBits,
}

/// Below every number.
const BOTTOM: i128 = i128::MIN;
/// Above every number.
const TOP: i128 = i128::MAX;

impl Order {
    fn of_max(number: Number, readings: &Readings) -> Self {
        Self::new(number, readings, BOTTOM, TOP)
    }

    fn of_min(number: Number, readings: &Readings) -> Self {
        Self::new(number, readings, TOP, BOTTOM)
    }

    /// A NaN that is ignored ranks at `worst`, one that is passed on at `best`.
    fn new(number: Number, readings: &Readings, worst: i128, best: i128) -> Self {
        let ordered = readings.max_min_zero == MaxMinZero::Ordered;
        Self {
            number,
            nan: match readings.max_min_nan {
                // The plain comparison of C++, or of the bits where that is
                // what orders the zeros.
                MaxMinNan::Anything if ordered => Nan::ByBits,
                MaxMinNan::Anything => Nan::Unordered,
                MaxMinNan::Ignored => Nan::At(worst),
                MaxMinNan::PassedOn => Nan::At(best),
                MaxMinNan::ByBits => Nan::ByBits,
            },
            zeros_differ: ordered || readings.max_min_nan == MaxMinNan::ByBits,
        }
    }

    /// How `a` stands to `b`; none if they do not compare.
    fn compare(&self, a: u64, b: u64) -> Option<Ordering> {
        Some(self.rank(a)?.cmp(&self.rank(b)?))
    }

    /// Where `bits` rank among the values of their type, if anywhere.
    fn rank(&self, bits: u64) -> Option<i128> {
        let format = match self.number {
            Number::Signed(dtype) => return Some(i128::from(signed(bits, dtype))),
            Number::Unsigned => return Some(i128::from(bits)),
            Number::Half => HALF,
            Number::Bfloat16 => BFLOAT16,
            Number::Float => FLOAT,
        };
        match self.nan {
            Nan::Unordered if format.is_nan(bits) => return None,
            Nan::At(rank) if format.is_nan(bits) => return Some(rank),
            Nan::Unordered | Nan::At(_) | Nan::ByBits => {}
        }
        let magnitude = i128::from(format.magnitude(bits));
        Some(match bits & format.sign != 0 {
            false => magnitude,
            true if self.zeros_differ => -magnitude - 1,
            true => -magnitude,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(dtype: DType, table: &[(u64, u64, u64)]) {
        let combination = Combination::of(ScatterAtomicOp::Add, dtype, &Readings::default());
        let combination = combination.expect("the type has sums");
        for &(old, new, sum) in table {
            assert_eq!(combination.apply(old, new), sum, "{old:#x} + {new:#x}");
        }
    }

    // MSCATTER-GAP-81
    #[test]
    fn a_nan_in_a_sum_is_the_operand_made_quiet() {
        sums(
            DType::Half,
            &[
                (0x7C01, 0xFE02, 0x7E01),
                (0x3C00, 0xFC02, 0xFE02),
                (0x7C00, 0xFC00, 0x7E00),
                (0xFC00, 0x7C00, 0x7E00),
                (0x7C00, 0x7C00, 0x7C00),
            ],
        );
        sums(
            DType::Bfloat16,
            &[
                (0x7F81, 0x3F80, 0x7FC1),
                (0x3F80, 0xFF81, 0xFFC1),
                (0xFF80, 0x7F80, 0x7FC0),
            ],
        );
        sums(
            DType::Float,
            &[
                (0x7F80_0001, 0x7FC0_0002, 0x7FC0_0001),
                (0x3F80_0000, 0xFF80_0005, 0xFFC0_0005),
                (0x7F80_0000, 0xFF80_0000, 0x7FC0_0000),
            ],
        );
    }

    // MSCATTER-GAP-03 (e): anything may be left, and it is always this.
    #[test]
    fn where_nans_are_open_they_compare_plainly_or_by_their_bits() {
        let (one, nan, negative) = (0x3F80_0000, 0x7FC0_0000, 0xFFC0_0000);
        let left = |max_min_zero, atomic, old, new| {
            let readings = Readings {
                max_min_zero,
                ..Readings::default()
            };
            let combination = Combination::of(atomic, DType::Float, &readings);
            combination.expect("the type compares").apply(old, new)
        };
        for atomic in [ScatterAtomicOp::Max, ScatterAtomicOp::Min] {
            for (old, new) in [(one, nan), (nan, one), (one, negative), (negative, one)] {
                assert_eq!(left(MaxMinZero::Either, atomic, old, new), old);
            }
        }
        for (old, new) in [(one, nan), (nan, one)] {
            let left = |atomic| left(MaxMinZero::Ordered, atomic, old, new);
            assert_eq!(left(ScatterAtomicOp::Max), nan);
            assert_eq!(left(ScatterAtomicOp::Min), one);
        }
        for (old, new) in [(one, negative), (negative, one)] {
            let left = |atomic| left(MaxMinZero::Ordered, atomic, old, new);
            assert_eq!(left(ScatterAtomicOp::Max), one);
            assert_eq!(left(ScatterAtomicOp::Min), negative);
        }
    }

    // MSCATTER-GAP-80
    #[test]
    fn sums_of_subnormals_are_exact() {
        sums(DType::Half, &[(1, 1, 2), (0x03FF, 1, 0x0400)]);
        sums(DType::Bfloat16, &[(1, 1, 2), (0x007F, 1, 0x0080)]);
        sums(DType::Float, &[(1, 1, 2), (0x007F_FFFF, 1, 0x0080_0000)]);
    }
}
