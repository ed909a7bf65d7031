//! What one store leaves where another element stood.

use std::cmp::Ordering;

use ptodiff_isa::{
    AddOverflow, Coalesce, DType, MaxMinNan, MaxMinZero, Readings, ScatterAtomicOp, Subnormals,
    Target,
};

use crate::{float::Format, out::NAN};

/// The rules of one call's stores.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    op: ScatterAtomicOp,
    dtype: DType,
    float: Option<Format>,
    saturates: bool,
    flushes: bool,
    nan: MaxMinNan,
    zero: MaxMinZero,
}

/// What stands in a slot after a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Left {
    One(u64),
    Either(u64, u64),
    /// Nothing is known of it.
    Unknown,
}

impl Rules {
    /// Plain stores.
    pub(crate) fn plain(dtype: DType) -> Self {
        Self::of(
            ScatterAtomicOp::None,
            dtype,
            Coalesce::Elem,
            Target::Cpu,
            &Readings::default(),
        )
    }

    /// Of a call that `target` understands by `op` and `mode`.
    pub(crate) fn of(
        op: ScatterAtomicOp,
        dtype: DType,
        mode: Coalesce,
        target: Target,
        readings: &Readings,
    ) -> Self {
        let npu = target != Target::Cpu;
        let float = Format::of(dtype);
        Self {
            op,
            dtype,
            float,
            saturates: match readings.add_overflow {
                AddOverflow::Wrap => false,
                AddOverflow::Saturate => npu,
                AddOverflow::Mte3Saturates => target == Target::A2a3 && mode == Coalesce::Row,
            },
            flushes: npu && readings.subnormals == Subnormals::Flushed,
            nan: readings.max_min_nan,
            zero: readings.max_min_zero,
        }
    }

    /// What a store of `new` leaves where `old` stood.
    pub(crate) fn leave(&self, old: u64, new: u64) -> Left {
        if self.op == ScatterAtomicOp::None {
            return Left::One(new);
        }
        let (old, new) = (self.flushed(old), self.flushed(new));
        match (self.op, self.float) {
            (ScatterAtomicOp::Add, Some(float)) => {
                let sum = self.flushed(float.sum(old, new));
                Left::One(if float.is_nan(sum) { NAN } else { sum })
            }
            (ScatterAtomicOp::Add, None) => Left::One(self.integer_sum(old, new)),
            (_, Some(float)) => self.extreme_float(float, old, new),
            (_, None) => self.extreme(old, new, self.integer(old).cmp(&self.integer(new))),
        }
    }

    /// What a store of `new` leaves where nothing is known.
    pub(crate) fn leave_unknown(&self, new: u64) -> Left {
        if self.op == ScatterAtomicOp::None {
            Left::One(new)
        } else {
            Left::Unknown
        }
    }

    /// Max or Min where `old` stands in this order to `new`.
    fn extreme(&self, old: u64, new: u64, order: Ordering) -> Left {
        match (order, self.op) {
            (Ordering::Equal, _) if old == new => Left::One(old),
            (Ordering::Equal, _) => Left::Either(old, new),
            (Ordering::Less, ScatterAtomicOp::Max) | (Ordering::Greater, ScatterAtomicOp::Min) => {
                Left::One(new)
            }
            _ => Left::One(old),
        }
    }

    fn extreme_float(&self, float: Format, old: u64, new: u64) -> Left {
        let by_rank = float.rank(old).cmp(&float.rank(new));
        match (self.nan, [old, new].map(|x| float.is_nan(x))) {
            (MaxMinNan::ByBits, _) => return self.extreme(old, new, by_rank),
            (_, [false, false]) => {}
            (MaxMinNan::Anything, _) => return Left::Unknown,
            // Which NaN it is nothing says.
            (_, [true, true]) | (MaxMinNan::PassedOn, _) => return Left::One(NAN),
            (MaxMinNan::Ignored, [old_is_nan, _]) => {
                return Left::One(if old_is_nan { new } else { old });
            }
        }
        let order = match float.value(old).partial_cmp(&float.value(new)) {
            // Two zeros, or the same number.
            Some(Ordering::Equal) if self.zero == MaxMinZero::Ordered => by_rank,
            Some(order) => order,
            None => return Left::Unknown,
        };
        self.extreme(old, new, order)
    }

    fn flushed(&self, bits: u64) -> u64 {
        match self.float {
            Some(float) if self.flushes => float.flushed(bits),
            _ => bits,
        }
    }

    fn bits(&self) -> u32 {
        8 * self.dtype.size() as u32
    }

    /// The integer that a pattern stands for.
    fn integer(&self, bits: u64) -> i128 {
        let negative = bits >> (self.bits() - 1) == 1;
        if self.dtype.is_signed_integer() && negative {
            i128::from(bits) - (1 << self.bits())
        } else {
            i128::from(bits)
        }
    }

    fn integer_sum(&self, a: u64, b: u64) -> u64 {
        let sum = self.integer(a) + self.integer(b);
        let modulus = 1_i128 << self.bits();
        let (least, most) = if self.dtype.is_signed_integer() {
            (-modulus / 2, modulus / 2 - 1)
        } else {
            (0, modulus - 1)
        };
        let sum = if self.saturates {
            sum.clamp(least, most)
        } else {
            sum
        };
        sum.rem_euclid(modulus) as u64
    }
}
