//! What an index selects.

use ptodiff_isa::{DType, NegativeIndex, Readings, Target};

/// An index that selects nothing: it is skipped, or its lane gets a zero.
pub(super) const DROPPED: u64 = u64::MAX;

/// An index of which no clause says what it selects.
pub(super) const OPEN: u64 = u64::MAX - 1;

/// What becomes of an index that is not below capacity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Policy {
    /// The caller owes that there is none.
    Undefined,
    /// Skip and Zero.
    Drop,
    /// The last slot.
    Clamp,
    /// The remainder.
    Wrap,
    /// TSCATTER: a slot of the storage, of which only the first `inner` of
    /// every `pitch` are in range.
    Storage { pitch: u64, inner: u64 },
    /// TGATHERB: an offset in bytes, of which each serves `unit` bytes.
    Bytes {
        unit: u64,
        /// Whether one past the end means the last one inside.
        clamps: bool,
        /// Whether it has to be a multiple of `unit`.
        aligned: bool,
    },
}

/// What a negative index is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Negative {
    /// A large one.
    Large,
    /// Beyond what is promised.
    Open,
    /// Below every slot.
    Below,
}

/// Slots that indices select among.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reach {
    /// How many there are by the rule on bounds, or bytes of TGATHERB's source.
    pub(super) capacity: u64,
    /// How many of them lie in the operand.
    pub(super) exists: u64,
    pub(super) policy: Policy,
    /// The index's sign bit.
    sign: u64,
    signed: bool,
    negative: Negative,
}

impl Reach {
    /// Among `capacity` slots with indices of type `dtype`. A negative one is
    /// as its reading has it (MSCATTER-GAP-01 and those that repeat it); CPU
    /// casts it.
    pub(super) const fn new(
        capacity: u64,
        policy: Policy,
        dtype: DType,
        target: Target,
        readings: &Readings,
    ) -> Self {
        let negative = match (target, readings.negative_index, policy) {
            (Target::Cpu, _, _)
            | (_, NegativeIndex::Unsigned, _)
            | (_, _, Policy::Bytes { .. }) => Negative::Large,
            (_, NegativeIndex::Intended, Policy::Drop | Policy::Clamp | Policy::Wrap) => {
                Negative::Below
            }
            _ => Negative::Open,
        };
        Self {
            capacity,
            exists: capacity,
            policy,
            sign: 1 << (dtype.size() * 8 - 1),
            signed: dtype.is_signed_integer(),
            negative,
        }
    }

    /// The largest index that is not negative.
    pub(super) const fn largest(&self) -> u64 {
        if self.signed {
            self.sign - 1
        } else {
            self.sign - 1 + self.sign
        }
    }

    /// The slot that the index with the bits `raw` selects, or [`DROPPED`], or [`OPEN`].
    pub(super) const fn slot(&self, raw: u64) -> u64 {
        let slot = if self.signed && raw >= self.sign {
            match self.negative {
                Negative::Large => self.of_large(raw),
                Negative::Open => OPEN,
                Negative::Below => self.of_negative(self.sign.wrapping_mul(2).wrapping_sub(raw)),
            }
        } else {
            self.of_large(raw)
        };
        if slot != DROPPED && slot >= self.exists {
            OPEN
        } else {
            slot
        }
    }

    const fn of_large(&self, index: u64) -> u64 {
        match self.policy {
            Policy::Bytes {
                unit,
                clamps,
                aligned,
            } => {
                if aligned && !index.is_multiple_of(unit) {
                    OPEN
                } else if index.saturating_add(unit) <= self.capacity {
                    index
                } else if clamps {
                    self.capacity - unit
                } else {
                    OPEN
                }
            }
            Policy::Storage { pitch, inner } if index < self.capacity => {
                if index % pitch < inner {
                    index
                } else {
                    OPEN
                }
            }
            _ if index < self.capacity => index,
            Policy::Undefined | Policy::Storage { .. } => OPEN,
            Policy::Drop => DROPPED,
            Policy::Clamp => self.capacity - 1,
            Policy::Wrap => index % self.capacity,
        }
    }

    /// Index `-below` where the intent counts.
    const fn of_negative(&self, below: u64) -> u64 {
        match self.policy {
            Policy::Drop => DROPPED,
            Policy::Clamp => 0,
            Policy::Wrap => (self.capacity - below % self.capacity) % self.capacity,
            _ => OPEN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(policy: Policy, dtype: DType, negative_index: NegativeIndex) -> Reach {
        let readings = Readings {
            negative_index,
            ..Readings::default()
        };
        Reach::new(10, policy, dtype, Target::A5, &readings)
    }

    #[test]
    fn policies() {
        let of = |policy| reach(policy, DType::Uint32, NegativeIndex::Unsigned);
        let all = |policy| [9, 10, 23, u64::from(u32::MAX)].map(|raw| of(policy).slot(raw));
        assert_eq!(all(Policy::Undefined), [9, OPEN, OPEN, OPEN]);
        assert_eq!(all(Policy::Drop), [9, DROPPED, DROPPED, DROPPED]);
        assert_eq!(all(Policy::Clamp), [9, 9, 9, 9]);
        assert_eq!(all(Policy::Wrap), [9, 0, 3, 5]);
        let rows = Policy::Storage { pitch: 5, inner: 4 };
        assert_eq!(
            [3, 4, 8, 9, 10].map(|raw| of(rows).slot(raw)),
            [3, OPEN, 8, OPEN, OPEN]
        );
    }

    /// The answers of MSCATTER-GAP-01 for -1 and -11 in a table of ten.
    #[test]
    fn negative_indices() {
        let raws = [-1_i32, -11].map(|index| u64::from(index as u32));
        let all =
            |policy, negative| raws.map(|raw| reach(policy, DType::Int32, negative).slot(raw));
        assert_eq!(all(Policy::Wrap, NegativeIndex::Unsigned), [5, 5]);
        assert_eq!(all(Policy::Wrap, NegativeIndex::Intended), [9, 9]);
        assert_eq!(all(Policy::Clamp, NegativeIndex::Intended), [0, 0]);
        assert_eq!(all(Policy::Clamp, NegativeIndex::Unsigned), [9, 9]);
        assert_eq!(all(Policy::Drop, NegativeIndex::Intended), [DROPPED; 2]);
        assert_eq!(all(Policy::Undefined, NegativeIndex::Intended), [OPEN; 2]);
        assert_eq!(all(Policy::Clamp, NegativeIndex::Signed), [OPEN; 2]);
    }

    #[test]
    fn offsets_in_bytes() {
        let of = |clamps, aligned| {
            let policy = Policy::Bytes {
                unit: 4,
                clamps,
                aligned,
            };
            [0, 5, 6, 7, u64::from(u32::MAX)]
                .map(|raw| reach(policy, DType::Int32, NegativeIndex::Signed).slot(raw))
        };
        assert_eq!(of(true, false), [0, 5, 6, 6, 6]);
        assert_eq!(of(false, false), [0, 5, 6, OPEN, OPEN]);
        assert_eq!(of(true, true), [0, OPEN, OPEN, OPEN, OPEN]);
    }

    #[test]
    fn the_largest_index_of_a_type() {
        let of = |dtype| reach(Policy::Wrap, dtype, NegativeIndex::Unsigned).largest();
        assert_eq!(of(DType::Int32), i32::MAX as u64);
        assert_eq!(of(DType::Uint32), u64::from(u32::MAX));
        assert_eq!(of(DType::Uint64), u64::MAX);
    }
}
