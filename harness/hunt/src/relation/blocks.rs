//! An NZ table as its logical rows and columns.

use ptodiff_isa::GlobalTensor;

use super::place::BLOCK_ROWS;
use super::view::Shape;

/// Where the logical elements of an NZ table stand (000, NZ Layout,
/// MSCATTER-GAP-25, MGATHER-GAP-22).
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    /// Blocks: batches of columns, columns of a batch, rows.
    blocks: [usize; 3],
    /// From one to the next: batch, block column, block row, row.
    step: [usize; 4],
    /// Elements of a row of a block.
    wide: usize,
}

impl Blocks {
    pub(super) fn of(table: &GlobalTensor) -> Self {
        let Shape { of, step } = Shape::of(table);
        let [batches, across, down, _, wide] = of.map(|extent| extent as usize);
        let [batch, block, under, row, _] = step.map(|step| step as usize);
        Self {
            blocks: [batches, across, down],
            step: [batch, block, under, row],
            wide,
        }
    }

    /// Logical rows.
    pub(super) const fn rows(&self) -> usize {
        self.blocks[2].saturating_mul(BLOCK_ROWS as usize)
    }

    /// Logical columns.
    pub(super) const fn cols(&self) -> usize {
        self.blocks[0]
            .saturating_mul(self.blocks[1])
            .saturating_mul(self.wide)
    }

    /// The element number of logical row `r` and column `c`.
    pub(super) const fn at(&self, r: usize, c: usize) -> usize {
        const DOWN: usize = BLOCK_ROWS as usize;
        let ([_, across, _], [batch, block, under, row]) = (self.blocks, self.step);
        let strip = c / self.wide;
        strip / across * batch
            + strip % across * block
            + r / DOWN * under
            + r % DOWN * row
            + c % self.wide
    }
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::{DType, Dim, Layout};

    use super::*;

    /// The examples of MSCATTER-GAP-25, and a batch whose strides are padded.
    #[test]
    fn logical_places() {
        let table = |shape: [u64; 5], stride: [u64; 5]| {
            Blocks::of(&GlobalTensor {
                dtype: DType::Float,
                shape: shape.map(Dim::Static),
                stride: stride.map(Dim::Static),
                layout: Layout::NZ,
            })
        };
        let packed = table([2, 2, 1, 16, 8], [256, 128, 128, 8, 1]);
        assert_eq!((packed.rows(), packed.cols()), (16, 32));
        assert_eq!((packed.at(3, 20), packed.at(0, 8)), (284, 128));
        let padded = table([2, 2, 2, 16, 8], [1000, 300, 140, 9, 1]);
        assert_eq!(padded.at(17, 25), 1000 + 300 + 140 + 9 + 1);
    }
}
