//! What one store leaves where another value stood, worked out on bit
//! patterns, apart from the sums and extremes of the library.
#![allow(dead_code, reason = "each test file uses its part")]

use ptodiff_isa::{
    AddOverflow, Coalesce, DType, MaxMinNan, MaxMinZero, Mscatter, Readings, RowAddOrder,
    ScatterAtomicOp, ScatterConflict, Subnormals, Target,
};

/// The rules of one call's stores.
#[derive(Clone, Copy)]
pub(crate) struct Stores {
    op: ScatterAtomicOp,
    dtype: DType,
    saturates: bool,
    flushes: bool,
    nan: MaxMinNan,
    zero: MaxMinZero,
    /// Whether the stores of a call may come in any order.
    pub(crate) any_order: bool,
}

impl Stores {
    /// Of a call that `target` understands by mode and atomic.
    pub(crate) fn of(
        call: &Mscatter,
        mode: Coalesce,
        op: ScatterAtomicOp,
        target: Target,
        readings: &Readings,
    ) -> Self {
        let row_unit = target == Target::A2a3 && mode == Coalesce::Row;
        let dtype = call.src.dtype;
        let floating = matches!(dtype, DType::Half | DType::Bfloat16 | DType::Float);
        let npu = target != Target::Cpu;
        Self {
            op,
            dtype,
            saturates: match readings.add_overflow {
                AddOverflow::Wrap => false,
                AddOverflow::Saturate => npu,
                AddOverflow::Mte3Saturates => row_unit,
            },
            flushes: floating && npu && readings.subnormals == Subnormals::Flushed,
            nan: readings.max_min_nan,
            zero: readings.max_min_zero,
            any_order: match (target, op) {
                (Target::A5, ScatterAtomicOp::None) => call.conflict == ScatterConflict::Default,
                (Target::A5, _) => true,
                (Target::A2a3, ScatterAtomicOp::Add) => {
                    row_unit && readings.row_add_order == RowAddOrder::Any
                }
                _ => false,
            },
        }
    }

    /// What a store of `new` may leave where `old` stood: `None` once nothing is known.
    pub(crate) fn leave(&self, old: u32, new: u32) -> Option<Vec<u32>> {
        if self.op == ScatterAtomicOp::None {
            return Some(vec![new]);
        }
        let (old, new) = (self.flushed(old), self.flushed(new));
        if self.op == ScatterAtomicOp::Add {
            let sum = self.flushed(self.sum(old, new));
            return (!is_nan(self.dtype, sum)).then(|| vec![sum]);
        }
        let either_nan = is_nan(self.dtype, old) || is_nan(self.dtype, new);
        let new_is_larger = match self.nan {
            MaxMinNan::ByBits if self.dtype == DType::Float => {
                Some(magnitude_order(new) > magnitude_order(old))
            }
            MaxMinNan::Anything if either_nan => return None,
            MaxMinNan::Ignored | MaxMinNan::PassedOn if either_nan => {
                let keep_nan = self.nan == MaxMinNan::PassedOn;
                return Some(match [old, new].map(|x| is_nan(self.dtype, x)) {
                    [true, true] => vec![old, new],
                    [old_is_nan, _] => vec![if old_is_nan == keep_nan { old } else { new }],
                });
            }
            _ => self.larger(old, new),
        };
        Some(match (new_is_larger, self.op) {
            (None, _) => vec![old, new],
            (Some(true), ScatterAtomicOp::Max) | (Some(false), ScatterAtomicOp::Min) => vec![new],
            _ => vec![old],
        })
    }

    /// Whether `new` is larger than `old`, if they are not equal.
    fn larger(&self, old: u32, new: u32) -> Option<bool> {
        let order = match self.dtype {
            DType::Float => f32::from_bits(old)
                .partial_cmp(&f32::from_bits(new))
                .unwrap(),
            DType::Int32 => (old as i32).cmp(&(new as i32)),
            _ => old.cmp(&new),
        };
        if order.is_eq() {
            // Equal and yet not the same: two zeros.
            return (old != new && self.zero == MaxMinZero::Ordered).then_some(new == 0);
        }
        Some(order.is_lt())
    }

    fn flushed(&self, bits: u32) -> u32 {
        let (sign, exponent) = match self.dtype {
            DType::Half => (0x8000, 0x7C00),
            DType::Bfloat16 => (0x8000, 0x7F80),
            _ => (0x8000_0000, 0x7F80_0000),
        };
        if self.flushes && bits & exponent == 0 {
            bits & sign
        } else {
            bits
        }
    }

    fn sum(&self, a: u32, b: u32) -> u32 {
        match (self.dtype, self.saturates) {
            (DType::Int8, false) => (a as u8).wrapping_add(b as u8).into(),
            (DType::Int16, false) => (a as u16).wrapping_add(b as u16).into(),
            (DType::Int8, true) => (a as i8).saturating_add(b as i8).cast_unsigned().into(),
            (DType::Int16, true) => (a as i16).saturating_add(b as i16).cast_unsigned().into(),
            (DType::Int32, true) => (a as i32).saturating_add(b as i32).cast_unsigned(),
            (DType::Uint32, true) => a.saturating_add(b),
            (DType::Half, _) => match half_units(a) + half_units(b) {
                0 if a == 0x8000 && b == 0x8000 => 0x8000,
                units => nearest_half(units),
            },
            (DType::Bfloat16, _) => {
                let sum = f32::from_bits(a << 16) + f32::from_bits(b << 16);
                let bits = sum.to_bits();
                if sum.is_nan() {
                    0x7FC0
                } else {
                    (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
                }
            }
            (DType::Float, _) => (f32::from_bits(a) + f32::from_bits(b)).to_bits(),
            _ => a.wrapping_add(b),
        }
    }
}

fn is_nan(dtype: DType, bits: u32) -> bool {
    match dtype {
        DType::Float => f32::from_bits(bits).is_nan(),
        DType::Bfloat16 => f32::from_bits(bits << 16).is_nan(),
        _ => false,
    }
}

/// Where a float stands among sign-and-magnitude numbers, -0 just below +0.
fn magnitude_order(bits: u32) -> i64 {
    let magnitude = i64::from(bits & 0x7FFF_FFFF);
    if bits >> 31 == 1 {
        -magnitude - 1
    } else {
        magnitude
    }
}

/// A half in units of 2^-24, its smallest step.
fn half_units(bits: u32) -> i64 {
    let (exp, man) = (bits >> 10 & 31, i64::from(bits & 1023));
    let magnitude = if exp == 0 {
        man
    } else {
        (man + 1024) << (exp - 1)
    };
    if bits & 0x8000 != 0 {
        -magnitude
    } else {
        magnitude
    }
}

/// The half nearest to that many units, found by trying all finite ones.
fn nearest_half(units: i64) -> u32 {
    let sign = if units < 0 { 0x8000 } else { 0 };
    let best = (0..0x7C00_u32).min_by_key(|&b| {
        let far = (half_units(b) - units.abs()).abs();
        (far, b & 1)
    });
    sign | best.unwrap()
}
