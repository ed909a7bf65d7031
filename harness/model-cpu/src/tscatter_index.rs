//! TSCATTER by index: source tile to slots of the destination's storage.

use ptodiff_isa::{End, Fault, Memory, Readings, Role, ScatterExtent, TscatterIndex, Unaddressed};

use crate::combine::Replace;
use crate::index::Indices;
use crate::layout::span;
use crate::operand::{Output, operands};
use crate::scatter::lanes;
use crate::tile::Elements;
use crate::watch::Watch;

/// Runs one call over the region that `Readings::tscatter_extent` names.
///
/// A slot takes the last of its writers in row-major order (TSCATTER-CONF-03);
/// what no index addresses is kept, or zero where
/// `Readings::tscatter_unaddressed` wants that.
///
/// # Errors
/// If `memory` lacks the destination, the source or the index tile.
pub(crate) fn execute<T: Watch>(
    call: &TscatterIndex,
    memory: &mut Memory,
    readings: &Readings,
    mut watch: T,
) -> Result<End, Fault> {
    let (mut dst, inputs) = operands(memory, &Role::Destination)?;
    let (src, idx) = (inputs.get(&Role::Source)?, inputs.get(&Role::Index)?);
    match readings.tscatter_unaddressed {
        Unaddressed::Zero => dst.zero(&mut watch),
        Unaddressed::Kept | Unaddressed::Undefined => {}
    }
    let walked = match readings.tscatter_extent {
        ScatterExtent::Source => &call.src,
        ScatterExtent::Index => &call.idx,
    };
    let mut scatter = Scatter {
        dst,
        src: Elements::new(&call.src, src),
        indices: Indices::new(&call.idx, idx),
        rows: walked.valid_row.get(),
        cols: walked.valid_col.get(),
        watch,
    };
    match call.dst.dtype.size() {
        1 => scatter.run::<1>(),
        2 => scatter.run::<2>(),
        4 => scatter.run::<4>(),
        _ => scatter.run::<8>(),
    }
    Ok(End::Finished)
}

struct Scatter<'a, T> {
    dst: Output<'a>,
    src: Elements<&'a [u8]>,
    indices: Indices<'a>,
    rows: u64,
    cols: u64,
    watch: T,
}

impl<T: Watch> Scatter<'_, T> {
    fn run<const W: usize>(&mut self) {
        // Without padding the rows are one long row.
        let (rows, cols) = if self.src.packed(self.cols) && self.indices.packed(self.cols) {
            (1, self.rows.saturating_mul(self.cols))
        } else {
            (self.rows, self.cols)
        };
        if !T::RECORDS
            && (self.whole::<W, 4>(rows, cols, u32::from_le_bytes)
                || self.whole::<W, 2>(rows, cols, |index| u16::from_le_bytes(index).into())
                || self.whole::<W, 1>(rows, cols, |[index]| index.into()))
        {
            return;
        }
        for r in 0..rows {
            let watch = &mut self.watch;
            for c in 0..cols {
                let slot = self.indices.unsigned(r, c, watch);
                let element = self.src.load::<W>(r, c, watch);
                self.dst.store(span(slot, W), element, watch);
            }
        }
    }

    /// Scatters rows whose indices are `I` bytes wide, if these and those lie
    /// in one piece each.
    fn whole<const W: usize, const I: usize>(
        &mut self,
        rows: u64,
        cols: u64,
        number: impl Fn([u8; I]) -> u32 + Copy,
    ) -> bool {
        let Some(indices) = self.indices.words::<I>(rows, cols) else {
            return false;
        };
        let Some(src) = self.src.rows(rows, cols) else {
            return false;
        };
        for (indices, src) in indices.zip(src) {
            lanes::<W, I, Replace>(&mut self.dst, src, indices, number, self.watch.strays());
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operand::Operand;
    use crate::watch::Quiet;
    use ptodiff_isa::{BLayout, DType, Dim, SLayout, Strays, Tile, TileType};

    // Three columns of four: 1 2 3 and 5 6 7 go to slots 5 0 1 and 2 2 7.
    #[test]
    fn rows_in_one_piece_are_scattered_at_once() {
        let tile = |dtype| Tile {
            location: TileType::Vec,
            dtype,
            rows: 2,
            cols: 4,
            valid_row: Dim::Static(2),
            valid_col: Dim::Static(3),
            blayout: BLayout::RowMajor,
            slayout: SLayout::NoneBox,
            fractal: 512,
        };
        let src = [1, 2, 3, 4, 5, 6, 7, 8];
        let idx = [5_u16, 0, 1, 9, 2, 2, 7, 9];
        let idx: Vec<u8> = idx.into_iter().flat_map(u16::to_le_bytes).collect();
        let (src, idx) = (&src[..], &idx[..]);
        let (mut dst, mut strays) = ([0; 8], Strays::default());
        let mut scatter = Scatter {
            dst: Operand::bare(Role::Destination, &mut dst[..]),
            src: Elements::new(&tile(DType::Uint8), Operand::bare(Role::Source, src)),
            indices: Indices::new(&tile(DType::Uint16), Operand::bare(Role::Index, idx)),
            rows: 2,
            cols: 3,
            watch: Quiet {
                strays: &mut strays,
            },
        };
        // The indices have two bytes, not four.
        assert!(!scatter.whole::<1, 4>(2, 3, u32::from_le_bytes));
        assert!(scatter.whole::<1, 2>(2, 3, |index| u16::from_le_bytes(index).into()));
        assert_eq!(dst, [2, 3, 6, 0, 0, 1, 0, 7]);
    }
}
