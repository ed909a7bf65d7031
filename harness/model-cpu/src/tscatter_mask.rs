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
        match (self.axis, self.lanes.count) {
            (MaskAxis::Row, 2) => self.walk::<W>(Self::groups::<W, 2>),
            (MaskAxis::Row, 4) => self.walk::<W>(Self::groups::<W, 4>),
            // The group of one lane is the same along both axes.
            (MaskAxis::Row | MaskAxis::Col, _) => self.walk::<W>(Self::whole::<W>),
        }
    }

    /// Walks row by row: all of one at once by `fast` where it can, and
    /// element by element otherwise.
    fn walk<const W: usize>(&mut self, fast: impl Fn(&mut Self, u64) -> Option<()>) {
        let lanes = self.lanes;
        for r in 0..self.rows {
            if !T::RECORDS && fast(self, r).is_some() {
                continue;
            }
            let watch = &mut self.watch;
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

    /// Spreads row `r` over groups of `G` lanes, if it and they lie in one piece each.
    fn groups<const W: usize, const G: usize>(&mut self, r: u64) -> Option<()> {
        let chosen = usize::try_from(self.lanes.chosen).ok()?;
        let src = self.src.row::<W>(r, self.cols)?;
        let dst = self.dst.row_mut(r, self.cols.checked_mul(G as u64)?)?;
        let groups = dst.as_chunks_mut::<G>().0;
        for (group, &element) in groups.iter_mut().zip(src) {
            *group.get_mut(chosen)? = element;
        }
        Some(())
    }

    /// Copies row `r` to the row that is the chosen one of its group, if both
    /// lie in one piece each.
    fn whole<const W: usize>(&mut self, r: u64) -> Option<()> {
        let src = self.src.row::<W>(r, self.cols)?;
        let dst = self.dst.row_mut(self.lanes.place(r), self.cols)?;
        dst.copy_from_slice(src);
        Some(())
    }
}
