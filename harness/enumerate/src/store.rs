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
                if old == NAN {
                    return Left::One(NAN);
                }
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
            (_, [true, true]) => return self.extreme(old, new, Ordering::Equal),
            (MaxMinNan::Ignored, [old_is_nan, _]) => {
                return Left::One(if old_is_nan { new } else { old });
            }
            (MaxMinNan::PassedOn, [old_is_nan, _]) => {
                return Left::One(if old_is_nan { old } else { new });
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

#[cfg(test)]
mod tests {
    use ScatterAtomicOp::{Add, Max, Min};
    use Target::{A2a3, A5, Cpu};

    use super::*;

    fn rules(
        op: ScatterAtomicOp,
        dtype: DType,
        target: Target,
        choices: &[(&str, &str)],
    ) -> impl Fn(u64, u64) -> Left + use<> {
        let mut readings = Readings::default();
        for (gap, choice) in choices {
            readings.set(gap, choice).unwrap();
        }
        let rules = Rules::of(op, dtype, Coalesce::Row, target, &readings);
        move |old, new| rules.leave(old, new)
    }

    fn float(v: f32) -> u64 {
        v.to_bits().into()
    }

    #[test]
    fn integers_wrap_or_saturate() {
        // 127 + 1 and -128 + -1 of 8 bits, by target and reading.
        for (choice, target, up, down) in [
            ("wrap", A2a3, 0x80, 0x7F),
            ("saturate", A2a3, 0x7F, 0x80),
            ("saturate", A5, 0x7F, 0x80),
            ("saturate", Cpu, 0x80, 0x7F),
            ("mte3-saturates", A2a3, 0x7F, 0x80),
            ("mte3-saturates", A5, 0x80, 0x7F),
        ] {
            let add = rules(Add, DType::Int8, target, &[("add-overflow", choice)]);
            assert_eq!(add(0x7F, 1), Left::One(up), "{choice} {target}");
            assert_eq!(add(0x80, 0xFF), Left::One(down), "{choice} {target}");
        }
        // The scalar path of A2/A3 wraps where its DMA unit saturates.
        let readings = Readings {
            add_overflow: AddOverflow::Mte3Saturates,
            ..Readings::default()
        };
        let scalar = Rules::of(Add, DType::Int8, Coalesce::Elem, A2a3, &readings);
        assert_eq!(scalar.leave(0x7F, 1), Left::One(0x80));
        let add = rules(Add, DType::Uint32, A5, &[("add-overflow", "saturate")]);
        assert_eq!(add(0xFFFF_FFFF, 2), Left::One(0xFFFF_FFFF));
    }

    #[test]
    fn extremes_of_integers_know_their_sign() {
        for (op, dtype, kept) in [
            (Max, DType::Int32, 1),
            (Min, DType::Int32, 0xFFFF_FFFF),
            (Max, DType::Uint32, 0xFFFF_FFFF),
            (Min, DType::Uint32, 1),
        ] {
            let extreme = rules(op, dtype, A5, &[]);
            assert_eq!(extreme(1, 0xFFFF_FFFF), Left::One(kept));
            assert_eq!(extreme(0xFFFF_FFFF, 1), Left::One(kept));
        }
    }

    #[test]
    fn extremes_of_nans_and_zeros() {
        let (one, nan, minus) = (float(1.0), 0x7FC0_0001, 0xFFC0_0002);
        for (choice, old_nan, new_minus, both) in [
            ("anything", Left::Unknown, Left::Unknown, Left::Unknown),
            (
                "ignored",
                Left::One(one),
                Left::One(one),
                Left::Either(nan, minus),
            ),
            (
                "passed-on",
                Left::One(nan),
                Left::One(minus),
                Left::Either(nan, minus),
            ),
            ("by-bits", Left::One(nan), Left::One(one), Left::One(nan)),
        ] {
            let max = rules(Max, DType::Float, A5, &[("max-min-nan", choice)]);
            assert_eq!(max(nan, one), old_nan, "{choice}");
            assert_eq!(max(one, minus), new_minus, "{choice}");
            assert_eq!(max(nan, minus), both, "{choice}");
        }
        let zeros = (float(0.0), float(-0.0));
        let max = rules(Max, DType::Float, A5, &[]);
        assert_eq!(max(zeros.1, zeros.0), Left::Either(zeros.1, zeros.0));
        let max = rules(Max, DType::Float, A5, &[("max-min-zero", "ordered")]);
        assert_eq!(max(zeros.1, zeros.0), Left::One(zeros.0));
        let min = rules(Min, DType::Float, A5, &[("max-min-zero", "ordered")]);
        assert_eq!(min(zeros.0, zeros.1), Left::One(zeros.1));
    }

    #[test]
    fn subnormals_are_kept_or_flushed() {
        for (choice, target, expected) in [
            ("kept", A2a3, 2),
            ("flushed", A2a3, 0),
            ("flushed", A5, 0),
            ("flushed", Cpu, 2),
        ] {
            let add = rules(Add, DType::Half, target, &[("subnormals", choice)]);
            assert_eq!(add(1, 1), Left::One(expected), "{choice} {target}");
        }
        // The least normal half less the least subnormal: the result is flushed too.
        let add = rules(Add, DType::Half, A5, &[("subnormals", "flushed")]);
        assert_eq!(add(0x0600, 0x8400), Left::One(0));
        let max = rules(Max, DType::Float, A5, &[("subnormals", "flushed")]);
        assert_eq!(max(0x8000_0001, float(-1.0)), Left::One(float(-0.0)));
    }

    #[test]
    fn a_nan_sum_is_some_nan_whatever_is_added() {
        for choice in ["kept", "flushed"] {
            let add = rules(Add, DType::Float, A5, &[("subnormals", choice)]);
            let (up, one) = (float(f32::INFINITY), float(1.0));
            assert_eq!(add(up, float(-f32::INFINITY)), Left::One(NAN));
            assert_eq!(add(one, float(f32::NAN)), Left::One(NAN));
            assert_eq!(add(NAN, one), Left::One(NAN));
            assert_eq!(add(NAN, up), Left::One(NAN));
        }
        let plain = Rules::plain(DType::Float);
        assert_eq!(plain.leave(1, 2), Left::One(2));
        assert_eq!(plain.leave_unknown(2), Left::One(2));
    }
}
