//! TSCATTER by mask: source tile spread over groups of lanes of the destination.

use ptodiff_isa::{Fault, MaskAxis, MaskPadding, MaskPattern, Memory, Role, TscatterMask};

use crate::operand::operands;
use crate::tile::Elements;
use crate::watch::Watch;

/// Runs one call over the source's valid region, after zeroing the whole
/// destination (TSCATTER-MASK-11) unless `padding` exempts P1111 from that.
///
/// # Errors
/// If `memory` lacks the destination or the source.
pub(crate) fn execute<T: Watch>(
    call: &TscatterMask,
    memory: &mut Memory,
    padding: MaskPadding,
    mut watch: T,
) -> Result<(), Fault> {
    let (dst, inputs) = operands(memory, Role::Destination)?;
    let src = inputs.get(Role::Source)?;
    let mut dst = Elements::new(&call.dst, dst);
    if call.pattern != MaskPattern::P1111 || padding == MaskPadding::Zero {
        dst.zero(&mut watch);
    }
    let mut spread = Spread {
        dst,
        src: Elements::new(&call.src, src),
        rows: call.src.valid_row.get(),
        cols: call.src.valid_col.get(),
        lanes: Lanes::of(call.pattern),
        axis: call.axis,
        watch,
    };
    match call.dst.dtype.size() {
        1 => spread.run::<1>(),
        2 => spread.run::<2>(),
        4 => spread.run::<4>(),
        _ => spread.run::<8>(),
    }
    Ok(())
}

/// How many lanes a group has, and which of them is the chosen one, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Lanes {
    count: u64,
    chosen: u64,
}

impl Lanes {
    /// A pattern's group (TSCATTER-MASK-02 to -09): its rightmost digit is lane 0.
    fn of(pattern: MaskPattern) -> Self {
        let (count, chosen) = match pattern {
            MaskPattern::P1111 => (1, 0),
            MaskPattern::P0101 => (2, 0),
            MaskPattern::P1010 => (2, 1),
            MaskPattern::P0001 => (4, 0),
            MaskPattern::P0010 => (4, 1),
            MaskPattern::P0100 => (4, 2),
            MaskPattern::P1000 => (4, 3),
        };
        Self { count, chosen }
    }

    /// Where the chosen lane of group `group` stands.
    #[inline]
    fn place(self, group: u64) -> u64 {
        group.saturating_mul(self.count).saturating_add(self.chosen)
    }
}

struct Spread<'a, T> {
    dst: Elements<&'a mut [u8]>,
    src: Elements<&'a [u8]>,
    rows: u64,
    cols: u64,
    lanes: Lanes,
    axis: MaskAxis,
    watch: T,
}

impl<T: Watch> Spread<'_, T> {
    fn run<const W: usize>(&mut self) {
        let (lanes, watch) = (self.lanes, &mut self.watch);
        for r in 0..self.rows {
            for c in 0..self.cols {
                let element = self.src.load::<W>(r, c, watch);
                let (row, col) = match self.axis {
                    MaskAxis::Row => (r, lanes.place(c)),
                    MaskAxis::Col => (lanes.place(r), c),
                };
                self.dst.store(row, col, element, watch);
            }
        }
    }
}
