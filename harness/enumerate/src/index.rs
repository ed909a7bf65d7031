//! Where an index leads.

use ptodiff_isa::{DType, GatherOob, NegativeIndex, Readings, ScatterOob, Target};

use crate::out::Stop;

/// What becomes of an index at or above capacity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// No policy takes care of it.
    Undefined,
    /// It leads nowhere: Skip, or Zero.
    Away,
    Clamp,
    Wrap,
}

impl From<ScatterOob> for Beyond {
    fn from(policy: ScatterOob) -> Self {
        match policy {
            ScatterOob::Undefined => Self::Undefined,
            ScatterOob::Skip => Self::Away,
            ScatterOob::Clamp => Self::Clamp,
            ScatterOob::Wrap => Self::Wrap,
        }
    }
}

impl From<GatherOob> for Beyond {
    fn from(policy: GatherOob) -> Self {
        match policy {
            GatherOob::Undefined => Self::Undefined,
            GatherOob::Zero => Self::Away,
            GatherOob::Clamp => Self::Clamp,
            GatherOob::Wrap => Self::Wrap,
        }
    }
}

/// Where one index leads.
pub(crate) enum Led {
    /// To the row or element with this number.
    To(usize),
    /// Before the table.
    Before,
    /// Nowhere, as the policy has it.
    Away,
    /// Nowhere, and no policy takes care of it.
    Astray,
}

/// How the indices of a call are taken.
pub(crate) struct Leading {
    beyond: Beyond,
    signed: bool,
    negative: NegativeIndex,
}

impl Leading {
    /// Indices of `dtype` under a policy. CPU converts to `uint32_t` whatever
    /// the reading (MSCATTER-GAP-01, MGATHER-GAP-02).
    pub(crate) fn of(
        dtype: DType,
        beyond: Beyond,
        target: Target,
        readings: &Readings,
    ) -> Result<Self, Stop> {
        if !matches!(dtype, DType::Int32 | DType::Uint32) {
            return Err(Stop::NotCovered("indices of a table not of 32 bits"));
        }
        Ok(Self {
            beyond,
            signed: dtype == DType::Int32,
            negative: match target {
                Target::Cpu => NegativeIndex::Unsigned,
                Target::A2a3 | Target::A5 => readings.negative_index,
            },
        })
    }

    /// Where the index with these 32 bits leads among `capacity` numbers.
    pub(crate) fn lead(&self, bits: u64, capacity: usize) -> Led {
        let bits = bits as u32;
        let index = match self.negative {
            NegativeIndex::Signed | NegativeIndex::Intended if self.signed => {
                i64::from(bits.cast_signed())
            }
            _ => i64::from(bits),
        };
        let capacity = capacity as i64;
        let literal = self.negative == NegativeIndex::Signed;
        // Taken literally, `idx < capacity` lets a negative index through.
        let passes = index < capacity && (literal || index >= 0);
        let number = match self.beyond {
            _ if capacity == 0 => return Led::Astray,
            Beyond::Wrap if literal => index % capacity,
            Beyond::Wrap => index.rem_euclid(capacity),
            _ if passes => index,
            Beyond::Clamp if index < 0 => 0,
            Beyond::Clamp => capacity - 1,
            Beyond::Away => return Led::Away,
            Beyond::Undefined => return Led::Astray,
        };
        usize::try_from(number).map_or(Led::Before, Led::To)
    }
}
