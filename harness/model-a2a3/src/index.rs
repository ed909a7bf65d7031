//! What an index selects (000 and 001, Out-of-Bounds Behaviour).

use ptodiff_isa::{
    Coalesce, DType, Fault, GatherOob, GlobalTensor, IndexUnit, Layout, NegativeIndex, Readings,
    ScatterOob,
};

use crate::{nz, places::product};

/// Bytes of an index of MSCATTER and MGATHER (MSCATTER-DTYPE-03, MGATHER-DTYPE-08).
pub(crate) const INDEX_BYTES: usize = 4;

/// What becomes of an index at or above capacity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Policy {
    /// Nothing is checked.
    Undefined,
    /// It selects nothing: Skip of a scatter, Zero of a gather.
    Drop,
    /// It becomes `capacity - 1`.
    Clamp,
    /// It becomes its remainder by the capacity.
    Wrap,
}

impl From<ScatterOob> for Policy {
    fn from(oob: ScatterOob) -> Self {
        match oob {
            ScatterOob::Undefined => Self::Undefined,
            ScatterOob::Skip => Self::Drop,
            ScatterOob::Clamp => Self::Clamp,
            ScatterOob::Wrap => Self::Wrap,
        }
    }
}

impl From<GatherOob> for Policy {
    fn from(oob: GatherOob) -> Self {
        match oob {
            GatherOob::Undefined => Self::Undefined,
            GatherOob::Zero => Self::Drop,
            GatherOob::Clamp => Self::Clamp,
            GatherOob::Wrap => Self::Wrap,
        }
    }
}

/// How the indices of one call are read and what they select.
pub(crate) struct Indices {
    dtype: DType,
    policy: Policy,
    /// Rows in Row mode, elements in Elem mode.
    capacity: i128,
    negative: NegativeIndex,
    /// Bytes of an element where an index counts bytes, else none.
    displaces: Option<i32>,
}

impl Indices {
    /// Indices of MSCATTER or MGATHER into a table.
    ///
    /// # Errors
    /// If no kernel reads indices of `dtype` (MSCATTER-DTYPE-03, MGATHER-DTYPE-08,
    /// MGATHERL1-DTYPE-05).
    pub(crate) fn new(
        dtype: DType,
        policy: impl Into<Policy>,
        mode: Coalesce,
        table: &GlobalTensor,
        readings: &Readings,
    ) -> Result<Self, Fault> {
        match dtype {
            DType::Int32 | DType::Uint32 => Ok(Self {
                dtype,
                policy: policy.into(),
                capacity: capacity(mode, table),
                negative: readings.negative_index,
                displaces: match (mode, readings.index_unit) {
                    (Coalesce::Elem, IndexUnit::Byte) => Some(table.dtype.size() as i32),
                    _ => None,
                },
            }),
            _ => Err(not_read(dtype)),
        }
    }

    /// Whether the table has a slot to select.
    pub(crate) fn has_slots(&self) -> bool {
        self.capacity != 0
    }

    /// The row or element that an index of these bits selects, if any.
    ///
    /// A table without slots has none to select (MSCATTER-GAP-02, MGATHER-GAP-03).
    pub(crate) fn select(&self, bits: u64) -> Option<i128> {
        let bits = match self.displaces {
            Some(size) => quotient(bits, size),
            None => bits,
        };
        let index = number(bits, self.dtype, self.negative);
        let capacity = self.capacity;
        if capacity == 0 {
            return None;
        }
        // Under `signed` a negative index is simply below capacity (MSCATTER-GAP-01,
        // MGATHER-GAP-02); under `unsigned` there is none.
        let intended = self.negative == NegativeIndex::Intended;
        match self.policy {
            Policy::Undefined => Some(index),
            Policy::Drop if intended && index < 0 => None,
            Policy::Drop => (index < capacity).then_some(index),
            Policy::Clamp if intended => Some(index.clamp(0, capacity - 1)),
            Policy::Clamp => Some(index.min(capacity - 1)),
            Policy::Wrap if intended => Some(index.rem_euclid(capacity)),
            // The remainder of C++ has the sign of the index.
            Policy::Wrap => Some(index % capacity),
        }
    }
}

/// What the policies compare an index with: the rows of the table, or its
/// elements (MSCATTER-CAP-02, -03, -05, -06, MGATHER-CAP-02, -04, -05, -06,
/// MGATHERL1-CAP-01, -02).
fn capacity(mode: Coalesce, table: &GlobalTensor) -> i128 {
    match (mode, table.layout) {
        (Coalesce::Row, Layout::NZ) => nz::logical_rows(table),
        (Coalesce::Row, Layout::ND | Layout::DN) => product(&table.shape[..4]),
        (Coalesce::Elem, _) => product(&table.shape),
    }
}

/// The index, in its own 32 bits again, that a displacement of these bits stands
/// for: it is signed whatever the type of the index, and rounds towards zero
/// (MSCATTER-GAP-87, MGATHER-GAP-76, MGATHERL1-GAP-35).
fn quotient(bits: u64, size: i32) -> u64 {
    let displacement = (bits as u32).cast_signed();
    (displacement / size).cast_unsigned().into()
}

/// The number that the bits of an index stand for.
pub(crate) fn number(bits: u64, dtype: DType, negative: NegativeIndex) -> i128 {
    let unused = 64 - 8 * dtype.size() as u32;
    match dtype.is_signed_integer() && negative != NegativeIndex::Unsigned {
        true => i128::from((bits << unused).cast_signed() >> unused),
        false => i128::from(bits),
    }
}

/// The fault of a call whose indices no kernel reads.
pub(crate) fn not_read(dtype: DType) -> Fault {
    Fault(format!("no kernel reads indices of {dtype}"))
}
