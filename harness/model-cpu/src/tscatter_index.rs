//! TSCATTER by index: source tile to slots of the destination's storage.

use ptodiff_isa::{Fault, Memory, Readings, Role, ScatterExtent, TscatterIndex, Unaddressed};

use crate::index::Indices;
use crate::layout::span;
use crate::operand::{Output, operands};
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
        let watch = &mut self.watch;
        for r in 0..self.rows {
            for c in 0..self.cols {
                let slot = self.indices.unsigned(r, c, watch);
                let element = self.src.load::<W>(r, c, watch);
                self.dst.store(span(slot, W), element, watch);
            }
        }
    }
}
