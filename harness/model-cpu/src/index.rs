//! What an index is, and what it selects under a policy.
//!
//! `capacity` is the number of rows in Row mode and of elements in Elem mode.
//! A table without slots gives no slot under Clamp and Wrap (MSCATTER-GAP-02,
//! MGATHER-GAP-03).

use ptodiff_isa::{
    DType, GatherOob, GlobalTensor, IndexUnit, NegativeIndex, Readings, Role, ScatterOob, Space,
};
use ptodiff_memory::Bus;

use crate::place;

/// Loads an index of `dtype` and casts it to `uint32_t` as C++ does: signed
/// types are sign-extended first, wide ones lose their upper half (001,
/// Tile Constraints (CPU); MGATHER-OOB-10, MGATHER-GAP-14, TGATHERB-INDEX-01).
pub(crate) fn load_uint32(bus: &mut Bus<'_>, space: Space, dtype: DType, at: i64) -> u64 {
    let bits = bus.load(space, Role::Index, at, dtype.size());
    to_uint32(bits, dtype)
}

/// The same for an index of Elem mode, which may count the bytes of `table`.
pub(crate) fn load_of_element(
    bus: &mut Bus<'_>,
    at: (Space, i64),
    dtype: DType,
    table: &GlobalTensor,
    readings: &Readings,
) -> u64 {
    to_uint32(load_bits_of_element(bus, at, dtype, table, readings), dtype)
}

/// Its bits, before any cast.
pub(crate) fn load_bits_of_element(
    bus: &mut Bus<'_>,
    (space, at): (Space, i64),
    dtype: DType,
    table: &GlobalTensor,
    readings: &Readings,
) -> u64 {
    let bits = bus.load(space, Role::Index, at, dtype.size());
    match readings.index_unit {
        IndexUnit::Element => bits,
        IndexUnit::Byte => of_displacement(bits, dtype, table.dtype.size()),
    }
}

/// The index of a scatter: `uint32_t`, but a negative one stays what it is where
/// the reading says so (MSCATTER-GAP-01).
pub(crate) fn of_scatter(bits: u64, dtype: DType, negative: NegativeIndex) -> i64 {
    let casts = negative == NegativeIndex::Unsigned || !dtype.is_signed_integer();
    match signed(bits, dtype) {
        below @ ..0 if !casts => below,
        _ => place::offset(to_uint32(bits, dtype)),
    }
}

/// The bits of the index that stands for a displacement in bytes: the quotient
/// towards zero of what they say with a sign, in the same width
/// (MSCATTER-GAP-87, MGATHER-GAP-76, MGATHERL1-GAP-35).
fn of_displacement(bits: u64, dtype: DType, size: usize) -> u64 {
    let unused = u64::BITS - 8 * dtype.size() as u32;
    let elements = signed(bits, dtype) / size as i64;
    (elements as u64) << unused >> unused
}

/// The cast to `uint32_t`.
fn to_uint32(bits: u64, dtype: DType) -> u64 {
    let index = match dtype.is_signed_integer() {
        true => signed(bits, dtype) as u32,
        false => bits as u32,
    };
    u64::from(index)
}

/// The bits of a `dtype` in two's complement.
pub(crate) fn signed(bits: u64, dtype: DType) -> i64 {
    let unused = u64::BITS - 8 * dtype.size() as u32;
    (bits << unused) as i64 >> unused
}

/// The slot that a scatter writes, if it writes one (000, Out-of-Bounds
/// Behaviour); under `Signed` it may lie before the table (MSCATTER-GAP-01).
pub(crate) fn select_for_scatter(
    oob: ScatterOob,
    index: i64,
    capacity: u64,
    negative: NegativeIndex,
) -> Option<i64> {
    let capacity = place::offset(capacity);
    let literal = negative == NegativeIndex::Signed;
    let least = if literal { i64::MIN } else { 0 };
    match oob {
        // No remap, so a negative index leads before the table.
        ScatterOob::Undefined => Some(index),
        ScatterOob::Skip => (least..capacity).contains(&index).then_some(index),
        ScatterOob::Clamp => (capacity > 0).then(|| index.clamp(least, capacity - 1)),
        // The C++ remainder keeps the sign.
        ScatterOob::Wrap if literal => index.checked_rem(capacity),
        ScatterOob::Wrap => index.checked_rem_euclid(capacity),
    }
}

/// What a gather delivers.
#[derive(Clone, Copy)]
pub(crate) enum Selected {
    /// What stands in this slot of the table.
    Slot(u64),
    /// `T(0)`.
    Zero,
    /// Nothing: the destination is kept.
    Nothing,
}

impl Selected {
    /// The same for one element of the selected row: `element` turns the row's
    /// number into the element's.
    pub(crate) fn in_row(self, element: impl FnOnce(u64) -> u64) -> Self {
        match self {
            Self::Slot(row) => Self::Slot(element(row)),
            Self::Zero | Self::Nothing => self,
        }
    }
}

/// What a gather delivers for `index` (001, Out-of-Bounds Behaviour).
pub(crate) fn select_for_gather(oob: GatherOob, index: u64, capacity: u64) -> Selected {
    let slot = match oob {
        GatherOob::Undefined => Some(index),
        GatherOob::Clamp => capacity.checked_sub(1).map(|last| index.min(last)),
        GatherOob::Wrap => index.checked_rem(capacity),
        GatherOob::Zero if index < capacity => Some(index),
        GatherOob::Zero => return Selected::Zero,
    };
    slot.map_or(Selected::Nothing, Selected::Slot)
}
