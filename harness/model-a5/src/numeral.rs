//! From the bits of an index to a number: width and signedness.

use ptodiff_isa::{DType, NegativeIndex};

/// The bits of an index.
pub(crate) trait Bits: Copy {
    /// Taken as an unsigned number.
    fn unsigned(self) -> i64;
}

impl Bits for [u8; 2] {
    #[inline(always)]
    fn unsigned(self) -> i64 {
        u16::from_le_bytes(self).into()
    }
}

impl Bits for [u8; 4] {
    #[inline(always)]
    fn unsigned(self) -> i64 {
        u32::from_le_bytes(self).into()
    }
}

/// How the bits of an index become a number under a reading of negative ones
/// (MSCATTER-GAP-01, MGATHER-GAP-02, MGATHERL1-GAP-04, TSCATTER-GAP-06, MSCATTER0-GAP-05).
#[derive(Clone, Copy)]
pub(crate) struct Numeral {
    /// The sign bit where there is one, else 0.
    sign: u32,
}

impl Numeral {
    /// No number is negative.
    pub(crate) const UNSIGNED: Self = Self { sign: 0 };

    /// For indices of `dtype`, of 2 or 4 bytes.
    pub(crate) fn new(dtype: DType, negative: NegativeIndex) -> Self {
        let sign = match (negative, dtype) {
            (NegativeIndex::Unsigned, _) => 0,
            (_, DType::Int16) => 1 << 15,
            (_, DType::Int32) => 1 << 31,
            _ => 0,
        };
        Self { sign }
    }

    /// Whether none of `indices` is a negative number.
    #[inline(always)]
    pub(crate) fn is_plain<B: Bits>(self, indices: &[B]) -> bool {
        self.sign == 0 || !indices.iter().any(|bits| self.of(*bits) < 0)
    }

    /// The number; extends the sign, where there is one, without a branch.
    #[inline(always)]
    pub(crate) fn of(self, bits: impl Bits) -> i64 {
        let sign = i64::from(self.sign);
        (bits.unsigned() ^ sign) - sign
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_16_bit_index_has_its_own_width() {
        let of = |dtype, negative| Numeral::new(dtype, negative).of((-2_i16).to_le_bytes());
        assert_eq!(of(DType::Int16, NegativeIndex::Unsigned), 65534);
        assert_eq!(of(DType::Int16, NegativeIndex::Signed), -2);
        assert_eq!(of(DType::Int16, NegativeIndex::Intended), -2);
        assert_eq!(of(DType::Uint16, NegativeIndex::Signed), 65534);
    }
}
