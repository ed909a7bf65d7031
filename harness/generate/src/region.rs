//! An operand's bytes: guard zone, body, guard zone.

use ptodiff_isa::{BLayout, Layout, Operand, Region, Role, SLayout};

use crate::fill;
use crate::place::{Places, put};
use crate::slots::Slots;

/// Least bytes of a guard zone, and what its length is a multiple of.
const GUARD_UNIT: u64 = 64;

/// Most bytes of a guard zone.
const GUARD_MOST: u64 = 4096;

/// What an operand's bytes are made of before it has values.
pub(crate) struct Frame {
    role: Role,
    places: Places,
    /// Elements of the body.
    elements: usize,
    /// Elements of what an access can overrun: a row, a column, a block.
    pitch: u64,
    /// Bytes of an element.
    size: usize,
    /// Logical positions of a row.
    width: u64,
}

impl Frame {
    /// That of the operand that plays `role`.
    pub(crate) fn of(role: Role, operand: Operand<'_>) -> Self {
        let size = operand.dtype().size();
        match operand {
            Operand::Tile(tile) => Self {
                role,
                places: Places::of_tile(tile),
                elements: usize::try_from(tile.rows.saturating_mul(tile.cols))
                    .unwrap_or(usize::MAX),
                pitch: match (tile.slayout, tile.blayout) {
                    (SLayout::NoneBox, BLayout::ColMajor) => tile.rows,
                    _ => tile.cols,
                },
                size,
                width: tile.valid_col.get(),
            },
            Operand::Tensor(tensor) => {
                let places = Places::of_tensor(tensor);
                let [_, _, block, row, _] = tensor.stride.map(|d| d.get());
                let width = tensor.shape[4].get();
                Self {
                    role,
                    elements: places.span(),
                    places,
                    // An NZ row lies in strips; what can be overrun is a block of 16 of them.
                    pitch: match tensor.layout {
                        Layout::NZ => block,
                        Layout::ND | Layout::DN => row.max(width),
                    },
                    size,
                    width,
                }
            }
        }
    }

    /// How many values the operand takes.
    pub(crate) fn count(&self) -> usize {
        self.places.count()
    }

    /// How many of them stand in a row.
    pub(crate) fn width(&self) -> u64 {
        self.width
    }

    /// The operand's bytes, `chunks` times, with the next part of `values` in
    /// each; poison where values run short and where no position lies.
    pub(crate) fn regions(&self, chunks: usize, values: &[u8]) -> Vec<Region> {
        let mut regions = vec![self.poisoned(); chunks];
        let part = (self.count() * self.size).max(1);
        for (region, values) in regions.iter_mut().zip(values.chunks(part)) {
            put(values, self.size, &self.places, region.body_mut());
        }
        regions
    }

    /// Makes what lies between indices worth reading: every other slot there
    /// holds an index in range (the others keep their poison, huge or
    /// negative), so that whoever reads it moves something.
    pub(crate) fn mark_index_padding(&self, region: &mut Region, slots: &Slots) {
        if self.count() == self.elements {
            return;
        }
        let mut padding = vec![true; self.elements];
        self.places.each_run(|run| {
            for k in 0..run.len {
                if let Some(slot) = padding.get_mut(run.start + k * run.step) {
                    *slot = false;
                }
            }
        });
        let body = region.body_mut();
        for (at, slot) in body.chunks_exact_mut(self.size).enumerate().step_by(2) {
            if padding[at] {
                // Counted from the end: not the index that a count from 0 would have here.
                let back = (at as u64).checked_rem(slots.capacity).unwrap_or(0);
                let index = slots.capacity.saturating_sub(1 + back) * slots.unit;
                slot.copy_from_slice(&index.to_le_bytes()[..self.size]);
            }
        }
    }

    /// The operand's bytes, all of them poison.
    fn poisoned(&self) -> Region {
        let row = self.pitch.saturating_mul(self.size as u64);
        let guard = row
            .clamp(GUARD_UNIT, GUARD_MOST)
            .next_multiple_of(GUARD_UNIT) as usize;
        let body = self.elements * self.size;
        let bytes = fill::repeat(poison(self.role), guard + body + guard);
        Region::new(self.role, bytes, guard..guard + body)
    }
}

/// What stands where no data does.
///
/// Only bytes that neither the suites' ramp nor zeros make; read as numbers
/// they are far from any data (large negative, NaN, an index out of any
/// range). Another order for each operand, and a period prime to all element
/// sizes: poison that was copied is not poison that was left alone.
fn poison(role: Role) -> &'static [u8; 7] {
    match role {
        Role::Table => &[0xFC, 0xFD, 0xFE, 0xFD, 0xFD, 0xFC, 0xFE],
        Role::Source => &[0xFD, 0xFE, 0xFC, 0xFE, 0xFE, 0xFD, 0xFC],
        Role::Destination => &[0xFE, 0xFC, 0xFD, 0xFC, 0xFC, 0xFE, 0xFD],
        Role::Index => &[0xFD, 0xFC, 0xFE, 0xFC, 0xFE, 0xFE, 0xFD],
        Role::Scratch => &[0xFE, 0xFD, 0xFC, 0xFD, 0xFC, 0xFC, 0xFE],
    }
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::Role::{Destination, Index, Scratch, Source, Table};

    use super::*;

    #[test]
    fn no_poison_is_another_shifted() {
        let roles = [Table, Source, Destination, Index, Scratch];
        for (at, one) in roles.into_iter().enumerate() {
            for other in &roles[at + 1..] {
                let mut shifted = *poison(*other);
                for _ in 0..7 {
                    assert_ne!(&shifted, poison(one), "{one} {other}");
                    shifted.rotate_left(1);
                }
            }
        }
    }
}
