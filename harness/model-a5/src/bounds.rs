//! From the bits of an index to a slot: signedness, capacity, OOB policy.

use ptodiff_isa::{DType, Fault, NegativeIndex};

/// What a kernel does with an index at or above capacity
/// (000 and 001, Out-of-Bounds Behaviour).
pub(crate) trait Policy {
    /// Whether an empty table still gives a value: Zero's.
    const FILLS: bool = false;
    /// The slot of `index`, which is not in `[0, capacity)`; none where nothing is selected.
    fn outside(index: i64, bounds: &Bounds) -> Option<i64>;
}

/// Undefined: no remap.
pub(crate) struct Pass;
/// A scatter's Skip and a gather's Zero: no slot.
pub(crate) struct Drop;
/// Clamp: `min(idx, capacity - 1)`.
pub(crate) struct Clamp;
/// Wrap: `idx % capacity`.
pub(crate) struct Wrap;

impl Policy for Pass {
    fn outside(index: i64, _: &Bounds) -> Option<i64> {
        Some(index)
    }
}

impl Policy for Drop {
    const FILLS: bool = true;
    fn outside(index: i64, bounds: &Bounds) -> Option<i64> {
        (bounds.literal && index < bounds.capacity).then_some(index)
    }
}

impl Policy for Clamp {
    fn outside(index: i64, bounds: &Bounds) -> Option<i64> {
        let low = if bounds.literal { index } else { index.max(0) };
        Some(low.min(bounds.capacity.saturating_sub(1)))
    }
}

impl Policy for Wrap {
    fn outside(index: i64, bounds: &Bounds) -> Option<i64> {
        if bounds.literal {
            index.checked_rem(bounds.capacity)
        } else {
            index.checked_rem_euclid(bounds.capacity)
        }
    }
}

/// How indices are read and what they are held against.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// Slots or rows, exact below 2^63 and capped there: no index reaches so far.
    pub(crate) capacity: i64,
    /// Bit 31 where it is a sign, else 0.
    sign: i64,
    /// Reading `signed`: a negative index passes `idx < capacity`.
    literal: bool,
}

impl Bounds {
    /// For indices of `dtype` under a reading of negative ones (MSCATTER-GAP-01, MGATHER-GAP-02).
    ///
    /// # Errors
    /// If `dtype` is none that the check lets pass.
    pub(crate) fn new(dtype: DType, capacity: i64, negative: NegativeIndex) -> Result<Self, Fault> {
        let signed = match dtype {
            DType::Int32 => negative != NegativeIndex::Unsigned,
            DType::Uint32 => false,
            other => return Err(Fault(format!("{other} is no index type of A5"))),
        };
        Ok(Self {
            capacity,
            sign: if signed { 1 << 31 } else { 0 },
            // An empty table has no slot for any index.
            literal: signed && negative == NegativeIndex::Signed && capacity > 0,
        })
    }

    /// The slot or row that the index with these bits selects.
    #[inline(always)]
    pub(crate) fn slot<P: Policy>(&self, bits: [u8; 4]) -> Option<i64> {
        let unsigned = i64::from(u32::from_le_bytes(bits));
        // Extends the sign, where there is one, without a branch.
        let index = (unsigned ^ self.sign) - self.sign;
        if self.holds(index) {
            Some(index)
        } else {
            P::outside(index, self)
        }
    }

    /// Whether a gather has no value to give: the table is empty
    /// (MGATHER-GAP-03) and the policy has no substitute.
    pub(crate) fn gives_nothing<P: Policy>(&self) -> bool {
        self.capacity == 0 && !P::FILLS
    }

    /// Whether there is such a slot.
    #[inline(always)]
    pub(crate) fn holds(&self, slot: i64) -> bool {
        // One comparison: what is negative becomes huge.
        (slot as u64) < self.capacity as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(dtype: DType, capacity: i64, negative: NegativeIndex, index: i32) -> [Option<i64>; 4] {
        let bounds = Bounds::new(dtype, capacity, negative).unwrap();
        let bits = index.to_le_bytes();
        [
            bounds.slot::<Pass>(bits),
            bounds.slot::<Drop>(bits),
            bounds.slot::<Clamp>(bits),
            bounds.slot::<Wrap>(bits),
        ]
    }

    #[test]
    fn a_negative_index_follows_the_reading() {
        let of = |negative| slots(DType::Int32, 10, negative, -1);
        let far = 4_294_967_295;
        assert_eq!(
            of(NegativeIndex::Unsigned),
            [Some(far), None, Some(9), Some(5)]
        );
        assert_eq!(of(NegativeIndex::Signed), [Some(-1); 4]);
        assert_eq!(
            of(NegativeIndex::Intended),
            [Some(-1), None, Some(0), Some(9)]
        );
    }

    #[test]
    fn the_remainder_of_reading_signed_keeps_its_sign() {
        assert_eq!(
            slots(DType::Int32, 10, NegativeIndex::Signed, -23)[3],
            Some(-3)
        );
        assert_eq!(
            slots(DType::Int32, 10, NegativeIndex::Intended, -23)[3],
            Some(7)
        );
    }

    #[test]
    fn an_unsigned_index_is_never_negative() {
        for negative in [
            NegativeIndex::Unsigned,
            NegativeIndex::Signed,
            NegativeIndex::Intended,
        ] {
            let got = slots(DType::Uint32, 10, negative, -1);
            assert_eq!(got, [Some(4_294_967_295), None, Some(9), Some(5)]);
        }
    }
}
