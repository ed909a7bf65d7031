//! TSCATTER by index: source tile to slots of the destination's storage.

use ptodiff_isa::{Fault, Memory, Readings, Role, ScatterExtent, TscatterIndex, Unaddressed};

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
) -> Result<(), Fault> {
    let (mut dst, inputs) = operands(memory, Role::Destination)?;
    let (src, idx) = (inputs.get(Role::Source)?, inputs.get(Role::Index)?);
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
    Ok(())
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
        number: impl Fn([u8; I]) -> u32,
    ) -> bool {
        let Some(indices) = self.indices.words::<I>(rows, cols) else {
            return false;
        };
        let Some(src) = self.src.rows(rows, cols) else {
            return false;
        };
        for (indices, src) in indices.zip(src) {
            let select = |index| Some(number(index));
            lanes::<W, I, Replace>(&mut self.dst, src, indices, select, self.watch.strays());
        }
        true
    }
}
