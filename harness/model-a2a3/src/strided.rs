//! Places in an ND table by its strides: rows of Row mode, and slots of Elem
//! mode where padding is read to count.

use ptodiff_isa::{GlobalTensor, OuterStrides, PaddedElem};

use crate::{dma::byte_pitch, extent::product, port::narrow};

/// Where the rows of an ND table lie in GM.
pub(crate) trait Rows {
    /// Byte offset of a row from the start of the table.
    fn offset(&self, row: i64) -> i64;
}

/// Rows at equal distances, in bytes: `row * GetStride(DIM_3)`
/// (MSCATTER-TABLE-04, MGATHER-TABLE-05).
pub(crate) struct Pitched(i64);

impl Pitched {
    /// The rows of a table of elements of `W` bytes.
    pub(crate) fn new<const W: usize>(table: &GlobalTensor) -> Self {
        Self(byte_pitch::<W>(table.stride[3].get()))
    }
}

impl Rows for Pitched {
    #[inline(always)]
    fn offset(&self, row: i64) -> i64 {
        row.saturating_mul(self.0)
    }
}

/// [`Pitched`] so near to each other that no index of 32 bits leads out of 64.
pub(crate) struct Near(u32);

impl Pitched {
    /// The same rows, if they are near.
    pub(crate) fn near(&self) -> Option<Near> {
        i32::try_from(self.0).ok()?.try_into().ok().map(Near)
    }
}

impl Rows for Near {
    #[inline(always)]
    fn offset(&self, row: i64) -> i64 {
        row.wrapping_mul(i64::from(self.0))
    }
}

/// A number split row-major over the first `N` extents, whose strides all count.
pub(crate) struct Split<const N: usize> {
    extent: [i64; N],
    /// In bytes.
    pitch: [i128; N],
}

/// The rows of a table that [`Pitched`] would put elsewhere than the reading
/// of MSCATTER-GAP-16 and MGATHER-GAP-06 does.
pub(crate) fn split_rows<const W: usize>(
    table: &GlobalTensor,
    reading: OuterStrides,
) -> Option<Split<4>> {
    match reading {
        OuterStrides::Split => Split::unless_packed::<W>(table, table.stride[3].get()),
        OuterStrides::Duty | OuterStrides::Ignored => None,
    }
}

/// The slots of a table with padding where the reading of MSCATTER-GAP-18 and
/// MGATHER-GAP-07 sees it.
pub(crate) fn split_slots<const W: usize>(
    table: &GlobalTensor,
    reading: PaddedElem,
) -> Option<Split<5>> {
    match reading {
        PaddedElem::Strided => Split::unless_packed::<W>(table, 1),
        PaddedElem::Flat | PaddedElem::Duty => None,
    }
}

impl<const N: usize> Split<N> {
    /// None if number `k` lies `k * unit` elements from the start anyway.
    fn unless_packed<const W: usize>(table: &GlobalTensor, unit: u64) -> Option<Self> {
        let (shape, stride) = (table.shape.map(|d| d.get()), table.stride.map(|d| d.get()));
        let mut dense = u128::from(unit);
        let mut packed = true;
        for (&extent, &stride) in shape.iter().zip(&stride).take(N).rev() {
            packed &= extent <= 1 || u128::from(stride) == dense;
            dense = dense.saturating_mul(extent.into());
        }
        (!packed).then(|| Self {
            extent: std::array::from_fn(|d| product([shape[d]])),
            pitch: std::array::from_fn(|d| i128::from(stride[d]) * W as i128),
        })
    }

    /// Byte offset of a number below the product of the extents, which are not
    /// zero then. Division truncates as in C++, which only an index taken for
    /// negative notices.
    #[inline]
    pub(crate) fn place(&self, number: i64) -> i64 {
        let (mut rest, mut at) = (number, 0_i128);
        for (&extent, pitch) in self.extent.iter().zip(&self.pitch).skip(1).rev() {
            at += i128::from(rest % extent) * pitch;
            rest /= extent;
        }
        narrow(at + i128::from(rest) * self.pitch[0])
    }
}

impl Rows for Split<4> {
    #[inline]
    fn offset(&self, row: i64) -> i64 {
        self.place(row)
    }
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::{DType, Dim, Layout};

    use super::*;

    fn table(shape: [u64; 5], stride: [u64; 5]) -> GlobalTensor {
        GlobalTensor {
            dtype: DType::Float,
            shape: shape.map(Dim::Static),
            stride: stride.map(Dim::Static),
            layout: Layout::ND,
        }
    }

    /// Strides of extents of 1 say nothing.
    #[test]
    fn packed_tables_need_no_split() {
        let slots =
            |shape, stride| split_slots::<4>(&table(shape, stride), PaddedElem::Strided).is_some();
        assert!(!slots([1, 1, 2, 4, 8], [7, 7, 32, 8, 1]));
        assert!(!slots([1, 1, 1, 1, 8], [7, 7, 7, 7, 1]));
        assert!(slots([1, 1, 1, 4, 8], [32, 32, 32, 16, 1]));
        assert!(slots([1, 1, 1, 1, 8], [8, 8, 8, 8, 2]));
        let rows =
            |shape, stride| split_rows::<4>(&table(shape, stride), OuterStrides::Split).is_some();
        // Packed relative to DIM_3, padded or not.
        assert!(!rows([1, 1, 2, 4, 8], [7, 7, 64, 16, 1]));
        assert!(rows([1, 1, 2, 4, 8], [7, 7, 64, 8, 1]));
    }

    /// The last index leads to 63 bits, of the greatest pitch that is near.
    #[test]
    fn near_rows_are_where_they_are() {
        let (pitch, last) = (i64::from(i32::MAX), u32::MAX);
        let near = Pitched(pitch).near().expect("near");
        let at = i128::from(last) * i128::from(pitch);
        assert_eq!(i128::from(near.offset(last.into())), at);
        assert!(Pitched(pitch + 1).near().is_none());
        assert!(Pitched(i64::MAX).near().is_none());
    }

    /// Row 4 of MSCATTER-GAP-16 is (0, 0, 1, 0), slot 45 of 2x1x2x2x8 is
    /// (1, 0, 0, 1, 5); bytes are four times the elements.
    #[test]
    fn every_dimension_counts() {
        let split = |shape, stride| {
            let found = split_slots::<4>(&table(shape, stride), PaddedElem::Strided);
            found.expect("padding")
        };
        let slots = split([2, 1, 2, 2, 8], [1000, 999, 100, 20, 2]);
        assert_eq!(slots.place(45), 4 * (1000 + 20 + 5 * 2));
        let table = table([1, 1, 2, 4, 8], [128, 128, 64, 8, 1]);
        let rows = split_rows::<4>(&table, OuterStrides::Split).expect("padding");
        assert_eq!([3, 4, 7].map(|row| rows.offset(row)), [96, 256, 352]);
    }
}
