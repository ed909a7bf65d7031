//! What an index selects: its number, and the out-of-bounds policies (000 and
//! 001, Out-of-Bounds Behaviour).

use ptodiff_isa::{
    Coalesce, DType, Fault, GatherOob, IndexUnit, NegativeIndex, Role, ScatterOob, Space,
};
use ptodiff_memory::Bus;

use crate::no_kernel;

/// The number that the bits of an index stand for: a signed one below 0 keeps
/// its sign under every reading but `unsigned` (MSCATTER-GAP-01, TSCATTER-GAP-06).
pub(crate) fn number(bits: u64, dtype: DType, reading: NegativeIndex) -> i64 {
    let unused = 64 - 8 * dtype.size() as u32;
    if dtype.is_signed_integer() && reading != NegativeIndex::Unsigned {
        ((bits << unused) as i64) >> unused
    } else {
        bits as i64
    }
}

/// The 32-bit indices of a call and the capacity that they are held against.
pub(crate) struct Indices {
    dtype: DType,
    reading: NegativeIndex,
    capacity: u64,
    /// By how much the index of a slot, or row, exceeds that of the one before.
    step: i32,
}

/// Where the element of a gather comes from.
#[derive(Clone, Copy)]
pub(crate) enum Selected {
    /// A slot of the table, or memory around it.
    Slot(i64),
    /// Nowhere: it is zero.
    Zero,
    /// Nowhere: nothing is stored.
    Nothing,
}

impl Selected {
    /// Loads the element, if there is one to store; `at` gives the byte offset of
    /// a slot in the table.
    pub(crate) fn load(
        self,
        bus: &mut Bus<'_>,
        size: usize,
        at: impl FnOnce(i64) -> i64,
    ) -> Option<u64> {
        match self {
            Self::Slot(slot) => Some(bus.load(Space::Gm, Role::Table, at(slot), size)),
            Self::Zero => Some(0),
            Self::Nothing => None,
        }
    }
}

impl Indices {
    /// Fails for a dtype other than the two of MSCATTER-DTYPE-03 and MGATHER-DTYPE-08.
    pub(crate) fn new(dtype: DType, reading: NegativeIndex, capacity: u64) -> Result<Self, Fault> {
        if !matches!(dtype, DType::Int32 | DType::Uint32) {
            return Err(no_kernel(format_args!("{dtype} indices")));
        }
        Ok(Self {
            dtype,
            reading,
            capacity,
            step: 1,
        })
    }

    /// The same where a reading may have Elem mode count bytes of elements of `size`
    /// (MSCATTER-GAP-87, MGATHER-GAP-76, MGATHERL1-GAP-35).
    pub(crate) fn counting(self, mode: Coalesce, unit: IndexUnit, size: usize) -> Self {
        let step = match (mode, unit) {
            (Coalesce::Elem, IndexUnit::Byte) => size as i32,
            (Coalesce::Row, _) | (Coalesce::Elem, IndexUnit::Element) => 1,
        };
        Self { step, ..self }
    }

    /// Slots, or rows, that the table has.
    pub(crate) fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Whether the table has a slot, or row, of this number.
    pub(crate) fn has(&self, slot: i64) -> bool {
        u64::try_from(slot).is_ok_and(|slot| slot < self.capacity)
    }

    /// Whether the lanes of a scatter have nothing to do: an empty table takes no
    /// write (MSCATTER-GAP-02).
    pub(crate) fn take_nothing(&self) -> bool {
        self.capacity == 0
    }

    /// The same of a gather: an empty table gives nothing but the zeros of Zero
    /// (MGATHER-GAP-03).
    pub(crate) fn give_nothing(&self, oob: GatherOob) -> bool {
        self.capacity == 0 && oob != GatherOob::Zero
    }

    /// The slot, or row, that a scatter writes, if it writes one.
    pub(crate) fn scatter(&self, oob: ScatterOob, bits: u64) -> Option<i64> {
        if self.take_nothing() {
            return None;
        }
        let number = self.number(bits);
        match oob {
            ScatterOob::Undefined => Some(number),
            ScatterOob::Skip => self.is_within(number).then_some(number),
            ScatterOob::Clamp => Some(self.clamped(number)),
            ScatterOob::Wrap => Some(self.wrapped(number)),
        }
    }

    /// The slot, or row, that a gather reads.
    pub(crate) fn gather(&self, oob: GatherOob, bits: u64) -> Selected {
        if self.give_nothing(oob) {
            return Selected::Nothing;
        }
        let number = self.number(bits);
        match oob {
            GatherOob::Zero if self.capacity == 0 || !self.is_within(number) => Selected::Zero,
            GatherOob::Zero | GatherOob::Undefined => Selected::Slot(number),
            GatherOob::Clamp => Selected::Slot(self.clamped(number)),
            GatherOob::Wrap => Selected::Slot(self.wrapped(number)),
        }
    }

    /// The number of an index. A displacement has a sign whatever its type is; the
    /// quotient, towards zero, is of that type again.
    fn number(&self, bits: u64) -> i64 {
        let slot = bits as i32 / self.step;
        number(u64::from(slot as u32), self.dtype, self.reading)
    }

    /// The capacity as a signed number. No index is near the limit of these.
    fn signed_capacity(&self) -> i64 {
        i64::try_from(self.capacity).unwrap_or(i64::MAX)
    }

    /// `idx < capacity`, which a negative index passes unless the intent counts.
    fn is_within(&self, number: i64) -> bool {
        number < self.signed_capacity() && (number >= 0 || self.reading != NegativeIndex::Intended)
    }

    /// `min(idx, capacity - 1)`.
    fn clamped(&self, number: i64) -> i64 {
        let number = number.min(self.signed_capacity() - 1);
        match self.reading {
            NegativeIndex::Intended => number.max(0),
            NegativeIndex::Unsigned | NegativeIndex::Signed => number,
        }
    }

    /// `idx % capacity`, which keeps the sign as C++ does unless the intent counts.
    fn wrapped(&self, number: i64) -> i64 {
        match self.reading {
            NegativeIndex::Intended => number.rem_euclid(self.signed_capacity()),
            NegativeIndex::Unsigned | NegativeIndex::Signed => number % self.signed_capacity(),
        }
    }
}
