//! From the bits of an index to the row or slot that it selects.

use ptodiff_isa::{DType, Fault, NegativeIndex, Space};

use crate::{
    port::{View, narrow},
    scribe::Scribe,
};

/// Bytes of one index of either dtype.
pub(crate) const INDEX_BYTES: usize = 4;

/// How the indices of one call are read and bounded.
#[derive(Clone, Copy)]
pub(crate) struct Indices {
    capacity: i64,
    /// Least index that the policies take for in bounds.
    floor: i64,
    /// Sign bit to be extended, or none.
    sign: i64,
}

impl Indices {
    /// Indices of `dtype` against `capacity` rows or elements.
    ///
    /// # Errors
    /// If `dtype` is no index dtype (MSCATTER-DTYPE-03, MGATHER-DTYPE-08).
    pub(crate) fn new(dtype: DType, reading: NegativeIndex, capacity: i64) -> Result<Self, Fault> {
        let signed = Self::signed(dtype, reading)
            .ok_or_else(|| Fault(format!("no kernel reads indices of {dtype}")))?;
        // An empty table has nothing in bounds, not even what lies before it.
        let literal = reading == NegativeIndex::Signed && capacity > 0;
        Ok(Self {
            capacity,
            floor: if literal { i64::MIN } else { 0 },
            sign: if signed { 1 << 31 } else { 0 },
        })
    }

    /// Whether an index of `dtype` can be negative, if `dtype` is an index dtype.
    pub(crate) fn signed(dtype: DType, reading: NegativeIndex) -> Option<bool> {
        match dtype {
            DType::Int32 => Some(reading != NegativeIndex::Unsigned),
            DType::Uint32 => Some(false),
            _ => None,
        }
    }

    /// Indices that are not negative against `capacity`; they need no floor.
    #[inline(always)]
    pub(crate) fn within(capacity: usize) -> Self {
        Self {
            capacity: i64::try_from(capacity).unwrap_or(i64::MAX),
            floor: i64::MIN,
            sign: 0,
        }
    }

    /// Whether the table has nothing to select.
    pub(crate) fn nothing(self) -> bool {
        self.capacity == 0
    }

    /// Rows or elements that may be selected.
    pub(crate) fn capacity(self) -> usize {
        usize::try_from(self.capacity).unwrap_or(usize::MAX)
    }

    /// The same indices in a form that shows the compiler that none is
    /// negative; none if one can be. An index that is not needs no floor.
    #[inline(always)]
    pub(crate) fn unsigned(self) -> Option<Self> {
        (self.sign == 0).then_some(Self {
            capacity: self.capacity,
            floor: i64::MIN,
            sign: 0,
        })
    }

    /// The index as a number, negative only where the reading lets it be.
    #[inline(always)]
    pub(crate) fn decode(self, bytes: [u8; INDEX_BYTES]) -> i64 {
        (i64::from(u32::from_le_bytes(bytes)) ^ self.sign) - self.sign
    }

    #[inline(always)]
    fn in_bounds(self, index: i64) -> Option<i64> {
        (self.floor <= index && index < self.capacity).then_some(index)
    }
}

/// One out-of-bounds policy. Not to be asked about an empty table unless it
/// can answer `None`.
pub(crate) trait Policy {
    /// Whether an index that is not negative gives only what is in bounds.
    const BOUNDED: bool;

    /// Whether every index is made one in bounds, for which there must be one.
    const FOLDS: bool;

    /// The row or slot to use, or `None` if the index selects none.
    fn pick(indices: Indices, index: i64) -> Option<i64>;
}

/// Undefined: the index as it comes.
pub(crate) struct Undefined;

impl Policy for Undefined {
    const BOUNDED: bool = false;
    const FOLDS: bool = false;

    #[inline(always)]
    fn pick(_: Indices, index: i64) -> Option<i64> {
        Some(index)
    }
}

/// Skip and Zero: nothing when out of bounds.
pub(crate) struct Within;

impl Policy for Within {
    const BOUNDED: bool = true;
    const FOLDS: bool = false;

    #[inline(always)]
    fn pick(indices: Indices, index: i64) -> Option<i64> {
        indices.in_bounds(index)
    }
}

/// Clamp: `min(index, capacity - 1)`, and no less than the floor.
pub(crate) struct Clamp;

impl Policy for Clamp {
    const BOUNDED: bool = true;
    const FOLDS: bool = true;

    #[inline(always)]
    fn pick(indices: Indices, index: i64) -> Option<i64> {
        if index < 0 {
            return Some(index.max(indices.floor));
        }
        // Without a sign, the compiler sees that a loop needs no look at bounds.
        let last = indices.capacity as u64 - 1;
        Some((index as u64).min(last) as i64)
    }
}

/// Wrap: `index % capacity`.
pub(crate) struct Wrap;

impl Policy for Wrap {
    const BOUNDED: bool = true;
    const FOLDS: bool = true;

    #[inline(always)]
    fn pick(indices: Indices, index: i64) -> Option<i64> {
        let (large, capacity) = (index as u64, indices.capacity as u64);
        // Division is slow, most indices need none, and unsigned is the faster one.
        if large < capacity {
            return Some(index);
        }
        if index >= 0 {
            return Some((large % capacity) as i64);
        }
        let rest = index % indices.capacity;
        // C++ keeps the sign of the dividend; only the literal reading wants that.
        let lift = rest < 0 && indices.floor == 0;
        Some(if lift { rest + indices.capacity } else { rest })
    }
}

/// The table row of tile row `row`, read from `index`; a Row index tile is
/// [1, R], so its indices lie side by side.
#[inline]
pub(crate) fn pick_row<P: Policy>(
    indices: Indices,
    index: &View<'_>,
    row: u64,
    log: &mut impl Scribe,
) -> Option<i64> {
    let at = narrow(i128::from(row) * INDEX_BYTES as i128);
    log.load(Space::Ub, index.role(), at, INDEX_BYTES);
    P::pick(indices, indices.decode(index.load(at, log)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minus_one<P: Policy>(reading: NegativeIndex, capacity: i64) -> Option<i64> {
        let indices = Indices::new(DType::Int32, reading, capacity).unwrap();
        P::pick(indices, indices.decode((-1_i32).to_le_bytes()))
    }

    /// The witness of MSCATTER-GAP-01 with capacity 10; 4294967295 mod 10 is 5.
    #[test]
    fn minus_one_under_the_three_readings() {
        use NegativeIndex::{Intended, Signed, Unsigned};
        assert_eq!(minus_one::<Within>(Unsigned, 10), None);
        assert_eq!(minus_one::<Clamp>(Unsigned, 10), Some(9));
        assert_eq!(minus_one::<Wrap>(Unsigned, 10), Some(5));
        assert_eq!(minus_one::<Undefined>(Unsigned, 10), Some(4_294_967_295));

        assert_eq!(minus_one::<Within>(Signed, 10), Some(-1));
        assert_eq!(minus_one::<Clamp>(Signed, 10), Some(-1));
        assert_eq!(minus_one::<Wrap>(Signed, 10), Some(-1));
        assert_eq!(minus_one::<Undefined>(Signed, 10), Some(-1));

        assert_eq!(minus_one::<Within>(Intended, 10), None);
        assert_eq!(minus_one::<Clamp>(Intended, 10), Some(0));
        assert_eq!(minus_one::<Wrap>(Intended, 10), Some(9));
        assert_eq!(minus_one::<Undefined>(Intended, 10), Some(-1));
    }

    /// MSCATTER-OOB-07, of the least capacity and of the greatest.
    #[test]
    fn clamp_keeps_to_the_last() {
        for capacity in [1, 10, 1 << 59] {
            let indices = Indices::new(DType::Uint32, NegativeIndex::Unsigned, capacity).unwrap();
            let last = capacity - 1;
            for (index, want) in [(0, 0), (last, last), (capacity, last), (i64::MAX, last)] {
                assert_eq!(Clamp::pick(indices, index), Some(want));
            }
        }
    }

    #[test]
    fn an_empty_table_is_never_in_bounds() {
        for reading in [
            NegativeIndex::Unsigned,
            NegativeIndex::Signed,
            NegativeIndex::Intended,
        ] {
            assert_eq!(minus_one::<Within>(reading, 0), None);
        }
    }

    /// MSCATTER-OOB-13.
    #[test]
    fn uint32_has_no_negative_values() {
        for reading in [NegativeIndex::Signed, NegativeIndex::Intended] {
            let indices = Indices::new(DType::Uint32, reading, 10).unwrap();
            let index = indices.decode([0xFF; 4]);
            assert_eq!(Within::pick(indices, index), None);
            assert_eq!(Clamp::pick(indices, index), Some(9));
            assert_eq!(Wrap::pick(indices, index), Some(5));
        }
    }

    #[test]
    fn other_index_dtypes_are_a_fault() {
        assert!(Indices::new(DType::Int64, NegativeIndex::Unsigned, 1).is_err());
        assert!(Indices::new(DType::Float, NegativeIndex::Unsigned, 1).is_err());
    }
}
