//! TSCATTER by mask: source tile spread over groups of lanes of the destination.

use ptodiff_isa::{End, Fault, MaskAxis, MaskPadding, MaskPattern, Memory, Role, TscatterMask};

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
    watch: T,
) -> Result<End, Fault> {
    let (dst, inputs) = operands(memory, &Role::Destination)?;
    let src = inputs.get(&Role::Source)?;
    let mut spread = Spread {
        dst: Elements::new(&call.dst, dst),
        src: Elements::new(&call.src, src),
        rows: call.src.valid_row.get(),
        cols: call.src.valid_col.get(),
        lanes: Lanes::of(call.pattern),
        axis: call.axis,
        zero: call.pattern != MaskPattern::P1111 || padding == MaskPadding::Zero,
        watch,
    };
    match call.dst.dtype.size() {
        1 => spread.run::<1>(),
        2 => spread.run::<2>(),
        4 => spread.run::<4>(),
        _ => spread.run::<8>(),
    }
    Ok(End::Finished)
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
    /// Whether the destination is zeroed first.
    zero: bool,
    watch: T,
}

impl<T: Watch> Spread<'_, T> {
    fn run<const W: usize>(&mut self) {
        let fast = if T::RECORDS {
            None
        } else {
            match (self.axis, self.lanes.count) {
                (MaskAxis::Row, 2) => self.groups::<W, 2>(),
                (MaskAxis::Row, 4) => self.groups::<W, 4>(),
                // The group of one lane is the same along both axes.
                (MaskAxis::Row | MaskAxis::Col, _) => self.rows::<W>(),
            }
        };
        if fast.is_none() {
            self.walk::<W>();
        }
    }

    /// Element by element.
    fn walk<const W: usize>(&mut self) {
        let (lanes, watch) = (self.lanes, &mut self.watch);
        if self.zero {
            self.dst.zero(watch);
        }
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

    /// Spreads rows over groups of `G` lanes, if these and those lie in one
    /// piece each. Zeros and elements are written together.
    fn groups<const W: usize, const G: usize>(&mut self) -> Option<()> {
        let chosen = usize::try_from(self.lanes.chosen).ok()?;
        let mut src = self.src.rows::<W>(self.rows, self.cols)?;
        let cols = self.cols.checked_mul(G as u64)?;
        let (strips, len) = self.dst.strips_mut::<W>(self.rows, cols)?;
        for strip in strips {
            let Some(src) = src.next() else {
                strip.fill(0);
                continue;
            };
            let (row, padding) = strip.split_at_mut(len);
            let groups = row.as_chunks_mut().0.as_chunks_mut::<G>().0;
            for (group, &element) in groups.iter_mut().zip(src) {
                *group = std::array::from_fn(|lane| if lane == chosen { element } else { [0; W] });
            }
            padding.fill(0);
        }
        Some(())
    }

    /// Copies rows to those that are the chosen ones of their groups, if these
    /// and those lie in one piece each.
    fn rows<const W: usize>(&mut self) -> Option<()> {
        let mut src = self.src.rows::<W>(self.rows, self.cols)?;
        let Lanes { count, chosen } = self.lanes;
        let rows = self.rows.checked_mul(count)?;
        let (strips, len) = self.dst.strips_mut::<W>(rows, self.cols)?;
        for (r, strip) in (0..).zip(strips) {
            let row = if r % count == chosen {
                src.next()
            } else {
                None
            };
            let copied = row.map_or(0, |row| {
                strip[..len].copy_from_slice(row.as_flattened());
                len
            });
            if self.zero {
                strip[copied..].fill(0);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Steps;
    use crate::operand::Operand;
    use crate::watch::Quiet;
    use ptodiff_isa::Strays;

    /// What a fast way makes of 1 2, 3 4 under P1010, one byte each, in a
    /// destination of `cols` columns; `None` where it is not taken.
    fn spread(
        axis: MaskAxis,
        cols: u64,
        fast: fn(&mut Spread<'_, Quiet<'_>>) -> Option<()>,
    ) -> Option<[u8; 8]> {
        let (mut dst, mut strays) = ([9; 8], Strays::default());
        let to = Operand::bare(Role::Destination, &mut dst[..]);
        let from = Operand::bare(Role::Source, &[1, 2, 3, 4][..]);
        let mut spread = Spread {
            dst: Elements::placed(Steps::apart(cols, 1, 1), 1, to),
            src: Elements::placed(Steps::apart(2, 1, 1), 1, from),
            rows: 2,
            cols: 2,
            lanes: Lanes::of(MaskPattern::P1010),
            axis,
            zero: true,
            watch: Quiet {
                strays: &mut strays,
            },
        };
        fast(&mut spread).map(|()| dst)
    }

    // TSCATTER-MASK-04
    #[test]
    fn a_row_in_one_piece_is_spread_group_by_group() {
        let wide = spread(MaskAxis::Row, 4, |it| it.groups::<1, 2>());
        assert_eq!(wide, Some([0, 1, 0, 2, 0, 3, 0, 4]));
    }

    #[test]
    fn rows_in_one_piece_are_spread_row_by_row() {
        let high = spread(MaskAxis::Col, 2, |it| it.rows::<1>());
        assert_eq!(high, Some([0, 0, 1, 2, 0, 0, 3, 4]));
    }
}
