//! What an index selects, and which slots the lanes of a call select.

use ptodiff_isa::{DType, NegativeIndex};

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
    /// Among `capacity` slots with indices of type `dtype`, of which a negative one becomes
    /// what `negative` says (MSCATTER-GAP-01 and those that repeat it).
    pub(super) const fn new(
        capacity: u64,
        policy: Policy,
        dtype: DType,
        negative: NegativeIndex,
    ) -> Self {
        let negative = match (negative, policy) {
            (NegativeIndex::Unsigned, _) | (_, Policy::Bytes { .. }) => Negative::Large,
            (NegativeIndex::Intended, Policy::Drop | Policy::Clamp | Policy::Wrap) => {
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

/// One slot a lane, in the order of the lanes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Slots {
    of: Vec<u64>,
    /// Those of them that are slots, in increasing order.
    sorted: Vec<u64>,
}

impl Slots {
    pub(super) fn new(of: Vec<u64>) -> Self {
        let mut sorted = of.clone();
        sorted.retain(|slot| *slot < OPEN);
        sorted.sort_unstable();
        Self { of, sorted }
    }

    /// Lanes.
    pub(super) fn len(&self) -> usize {
        self.of.len()
    }

    /// That of lane `lane`, or [`DROPPED`], or [`OPEN`].
    pub(super) fn of(&self, lane: usize) -> u64 {
        self.of[lane]
    }

    /// Whether nothing is said of any lane.
    pub(super) fn all_open(&self) -> bool {
        self.of.iter().all(|slot| *slot == OPEN)
    }

    /// Whether nothing is said of some lane.
    pub(super) fn any_open(&self) -> bool {
        self.of.contains(&OPEN)
    }

    /// Whether no two lanes select one slot.
    pub(super) fn distinct(&self) -> bool {
        self.sorted.is_sorted_by(|one, next| one < next)
    }

    /// Whether lane `lane` selects a slot and no other lane selects it.
    pub(super) fn sole(&self, lane: usize) -> bool {
        let slot = self.of[lane];
        let from = self.sorted.partition_point(|other| *other < slot);
        slot < OPEN && self.sorted.get(from + 1) != Some(&slot)
    }

    /// Whether lane `lane` selects nothing, as its policy has it.
    pub(super) fn dropped(&self, lane: usize) -> bool {
        self.of[lane] == DROPPED
    }
}
