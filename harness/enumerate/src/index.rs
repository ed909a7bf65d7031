//! Where an index leads.

use ptodiff_isa::{
    Coalesce, DType, GatherOob, IndexUnit, NegativeIndex, Readings, ScatterOob, Target,
};

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

/// What a negative index of a gather is. CPU converts to `uint32_t` whatever the
/// reading (001 Tile Constraints (CPU); MGATHER-GAP-02).
pub(crate) fn negative_of_gather(target: Target, readings: &Readings) -> NegativeIndex {
    match target {
        Target::Cpu => NegativeIndex::Unsigned,
        Target::A2a3 | Target::A5 => readings.negative_index,
    }
}

/// How the indices of a call are taken.
pub(crate) struct Leading {
    beyond: Beyond,
    signed: bool,
    negative: NegativeIndex,
    /// Bytes from one number to the next, where indices are displacements.
    stride: Option<i32>,
}

impl Leading {
    /// Indices of `dtype` under a policy, with what a negative one is.
    pub(crate) fn of(dtype: DType, beyond: Beyond, negative: NegativeIndex) -> Result<Self, Stop> {
        if !matches!(dtype, DType::Int32 | DType::Uint32) {
            return Err(Stop::NotCovered("indices of a table not of 32 bits"));
        }
        Ok(Self {
            beyond,
            signed: dtype == DType::Int32,
            negative,
            stride: None,
        })
    }

    /// The same where elements of `dtype` are led to by their displacements, if
    /// so they are (MSCATTER-GAP-87, MGATHER-GAP-76, MGATHERL1-GAP-35).
    pub(crate) fn over(self, dtype: DType, mode: Coalesce, readings: &Readings) -> Self {
        let displaced = mode == Coalesce::Elem && readings.index_unit == IndexUnit::Byte;
        Self {
            stride: displaced.then_some(dtype.size() as i32),
            ..self
        }
    }

    /// The index that these 32 bits stand for, in 32 bits.
    fn number(&self, bits: u32) -> Result<u32, Stop> {
        let Some(stride) = self.stride else {
            return Ok(bits);
        };
        // Signed, whatever the type.
        let bytes = bits.cast_signed();
        if bytes % stride == 0 {
            Ok((bytes / stride).cast_unsigned())
        } else {
            Err(Stop::Undefined)
        }
    }

    /// Where the index with these 32 bits leads among `capacity` numbers.
    pub(crate) fn lead(&self, bits: u64, capacity: usize) -> Result<Led, Stop> {
        let bits = self.number(bits as u32)?;
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
            _ if capacity == 0 => return Ok(Led::Astray),
            Beyond::Wrap if literal => index % capacity,
            Beyond::Wrap => index.rem_euclid(capacity),
            _ if passes => index,
            Beyond::Clamp if index < 0 => 0,
            Beyond::Clamp => capacity - 1,
            Beyond::Away => return Ok(Led::Away),
            Beyond::Undefined => return Ok(Led::Astray),
        };
        Ok(usize::try_from(number).map_or(Led::Before, Led::To))
    }
}
