//! The operands of a scatter: what a write covers, and what it brings.

use std::{borrow::Cow, ops::Range};

use ptodiff_isa::{DType, NzRowColumns};

use crate::{
    coord::{NzTable, Plane},
    writers::Write,
};

/// What one write covers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Footprint {
    /// The slot that it goes to.
    Element,
    /// The valid columns of the row that it goes to.
    Row {
        /// Elements from one row to the next.
        pitch: usize,
    },
    /// All columns of the logical row that it goes to, in blocks.
    NzRow {
        /// Where the blocks stand.
        nz: NzTable,
        /// What becomes of columns from ValidCol on (MSCATTER-GAP-22).
        columns: NzRowColumns,
    },
}

/// The operands of a scatter, of all steps.
#[derive(Debug)]
pub(crate) struct ScatterOperands<'a> {
    /// Element type of what is written.
    pub(crate) dtype: DType,
    /// What stood there before the first step.
    pub(crate) table: &'a [u8],
    /// The source tile of each step.
    pub(crate) sources: Vec<&'a [u8]>,
    /// Where the elements of a source tile stand.
    pub(crate) plane: Plane,
    /// What a write covers.
    pub(crate) footprint: Footprint,
}

impl Footprint {
    /// Elements from the start of the table to the column `c` of what is written `to`.
    pub(crate) fn element(&self, to: u64, c: usize) -> usize {
        match self {
            Self::Element => to as usize,
            Self::Row { pitch } => to as usize * pitch + c,
            Self::NzRow { nz, .. } => {
                let (block, within) = (c as i64 / nz.block, c as i64 % nz.block);
                (nz.block_at(to as i64, block) + within) as usize
            }
        }
    }
}

impl<'a> ScatterOperands<'a> {
    /// The columns of a write, those that stand side by side together: of a write of
    /// one element the first one alone.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Range<usize>> {
        let (cols, width) = match &self.footprint {
            Footprint::Element => (1, 1),
            Footprint::Row { .. } => (self.plane.cols, self.plane.cols.max(1)),
            Footprint::NzRow { nz, .. } => (self.plane.padded_cols(), nz.block as usize),
        };
        (0..cols / width).map(move |piece| piece * width..(piece + 1) * width)
    }

    /// Bytes from the start of the table to the column `c` of what is written `to`.
    pub(crate) fn offset(&self, to: u64, c: usize) -> usize {
        self.footprint.element(to, c) * self.dtype.size()
    }

    /// The element that a write brings to its column `c`.
    pub(crate) fn source(&self, write: &Write, c: usize) -> &'a [u8] {
        let at = self.plane.at(write.r as usize, write.c as usize + c);
        let size = self.dtype.size();
        &self.sources[write.step as usize][at * size..][..size]
    }

    /// What a write brings to some of its columns.
    pub(crate) fn brought(&self, write: &Write, columns: Range<usize>) -> Cow<'a, [u8]> {
        let (r, first, size) = (write.r as usize, write.c as usize, self.dtype.size());
        let [from, to] = [columns.start, columns.end].map(|c| self.plane.at(r, first + c));
        if to == from + columns.len() {
            // Side by side in the tile, too.
            let source = self.sources[write.step as usize];
            return Cow::Borrowed(&source[from * size..to * size]);
        }
        columns
            .flat_map(|c| self.source(write, c))
            .copied()
            .collect()
    }
}
