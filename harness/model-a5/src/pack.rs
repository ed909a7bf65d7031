//! Few elements of a tile with padding, one after the other as if it had none.

use crate::extent::{Steps, Valid};
use crate::view::View;

/// Most elements that are packed: they stand on the stack.
const FEW: usize = 64;

/// Room for them.
pub(crate) struct Packed<const W: usize>([[u8; W]; FEW]);

impl<const W: usize> Packed<W> {
    pub(crate) fn new() -> Self {
        Self([[0; W]; FEW])
    }
}

impl<const W: usize> View<'_, W> {
    /// The elements of a region of the tile, position by position; none where they
    /// are too many or one lies outside.
    #[inline(never)]
    pub(crate) fn pack<'r>(
        &self,
        (steps, valid): (Steps, Valid),
        Packed(cells): &'r mut Packed<W>,
    ) -> Option<&'r [[u8; W]]> {
        let cells = cells.get_mut(..valid.count() as usize)?;
        let rows = cells.chunks_exact_mut(valid.cols as usize);
        for (row, cells) in (0..).zip(rows) {
            let mut at = steps.at(row, 0);
            for cell in cells {
                *cell = *self.get(at)?;
                at += steps.col;
            }
        }
        Some(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extent::tests::tile;
    use ptodiff_isa::{BLayout, Region, Role, Space};

    #[test]
    fn elements_stand_in_the_order_of_their_positions() {
        // Twelve bytes, each of which is its number, and guard bytes.
        let bytes = [[99].as_slice(), &(0..12).collect::<Vec<u8>>(), &[99]].concat();
        let region = Region::new(Role::Source, bytes, 1..13);
        let view = View::<1>::new(&region, Space::Ub);
        let packed = |blayout, rows, cols| {
            let valid = Valid { rows, cols };
            let steps = Steps::new(&tile(blayout, 3, 4), valid).unwrap();
            let mut room = Packed::new();
            let cells = view.pack((steps, valid), &mut room);
            cells.map(|cells| cells.as_flattened().to_vec())
        };
        let (by_row, by_col) = (BLayout::RowMajor, BLayout::ColMajor);
        assert_eq!(packed(by_row, 2, 3), Some(vec![0, 1, 2, 4, 5, 6]));
        assert_eq!(packed(by_col, 2, 3), Some(vec![0, 3, 6, 1, 4, 7]));
        assert_eq!(packed(by_row, 3, 4), Some((0..12).collect()));
        // Beyond the operand, and too many.
        assert_eq!(packed(by_row, 4, 1), None);
        assert_eq!(packed(by_row, 1, 65), None);
    }
}
