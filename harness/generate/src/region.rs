//! An operand's bytes: guard zone, body, guard zone.

use std::{collections::BTreeMap, ops::Range};

use ptodiff_case::limits::stored_elements;
use ptodiff_data::place::Places;
use ptodiff_isa::{BLayout, GlobalTensor, Layout, Operand, Region, Role, SLayout};

use crate::element::of_width;
use crate::poison;
use crate::slots::Slots;

/// Least bytes of a guard zone, and what its length is a multiple of.
const GUARD_UNIT: u64 = 64;

/// Most bytes of a guard zone.
const GUARD_MOST: u64 = 4096;

/// Least bytes of a table of given rows that is held sparse.
const SPARSE: usize = 1 << 20;

/// What an operand's bytes are made of before it has values.
pub(crate) struct Frame {
    role: Role,
    places: Places,
    /// Logical positions.
    count: usize,
    /// Elements of the body.
    elements: usize,
    /// Elements of what an access can overrun: a row, a column, a block.
    pitch: u64,
    /// Bytes of an element.
    size: usize,
}

impl Frame {
    /// That of the operand that plays `role`.
    pub(crate) fn of(role: Role, operand: Operand<'_>) -> Self {
        let places = Places::of(operand);
        let pitch = match operand {
            Operand::Tile(tile) => match (tile.slayout, tile.blayout) {
                (SLayout::NoneBox, BLayout::ColMajor) => tile.rows,
                _ => tile.cols,
            },
            Operand::Tensor(tensor) => {
                let [_, _, block, row, _] = tensor.stride.map(|d| d.get());
                // An NZ row lies in strips; what can be overrun is a block of 16 of them.
                match tensor.layout {
                    Layout::NZ => block,
                    Layout::ND | Layout::DN => row.max(tensor.shape[4].get()),
                }
            }
        };
        Self {
            role,
            count: places.count(),
            places,
            elements: index(stored_elements(operand)),
            pitch,
            size: operand.dtype().size(),
        }
    }

    /// How many bytes of values the operand takes.
    pub(crate) fn bytes(&self) -> usize {
        self.count * self.size
    }

    /// Whether its body is its values in logical order and nothing else.
    pub(crate) fn is_dense(&self) -> bool {
        self.count == self.elements && self.places.is_dense()
    }

    /// Where the operand lies in its bytes, and how many these are.
    pub(crate) fn extent(&self) -> (Range<usize>, usize) {
        let row = self.pitch.saturating_mul(self.size as u64);
        let guard = row
            .clamp(GUARD_UNIT, GUARD_MOST)
            .next_multiple_of(GUARD_UNIT) as usize;
        let body = self.elements * self.size;
        (guard..guard + body, guard + body + guard)
    }

    /// The operand's bytes, all of them poison.
    pub(crate) fn poisoned(&self) -> Region {
        let (body, len) = self.extent();
        Region::new(self.role, poison::bytes(self.role, len), body)
    }

    /// The table's bytes, zero but for its guard zones and for what `rows` give. A
    /// large one is sparse.
    ///
    /// # Panics
    /// If the machine has not so many addresses: [`crate::room_for`] asks before.
    pub(crate) fn zeros_but(&self, table: &GlobalTensor, rows: &BTreeMap<u64, Vec<u8>>) -> Region {
        let (body, len) = self.extent();
        let mut region = if len < SPARSE {
            Region::new(self.role, vec![0; len], body.clone())
        } else {
            match Region::sparse(self.role, len, body.clone()) {
                Ok(region) => region,
                Err(why) => panic!("{why}"),
            }
        };
        for at in (0..body.start).chain(body.end..len) {
            if let Some(byte) = region.part_mut(at..at + 1) {
                byte.copy_from_slice(poison::at(self.role, at, 1));
            }
        }
        for (row, bytes) in rows {
            for (col, value) in (0..).zip(bytes.chunks_exact(self.size)) {
                let at = body.start + of_row(table, *row, col) * self.size;
                if let Some(slot) = region.part_mut(at..at + self.size) {
                    slot.copy_from_slice(value);
                }
            }
        }
        region
    }

    /// Puts `values`, in logical order, into the body of `region`; where they
    /// run short it stays as it is.
    pub(crate) fn put(&self, values: &[u8], region: &mut Region) {
        of_width!(self.size, put(values, &self.places, region.body_mut()));
    }

    /// Makes what lies between indices worth reading, before `given` bytes of
    /// them are put there: every other slot of it holds an index in range (the
    /// others keep their poison, huge or negative), so that whoever reads it
    /// moves something.
    pub(crate) fn mark_index_padding(&self, region: &mut Region, slots: &Slots, given: usize) {
        if self.count == self.elements {
            return;
        }
        of_width!(self.size, mark(region.body_mut(), slots));
        if given < self.bytes() {
            // What has no value is no padding either.
            self.restore(region, given / self.size);
        }
    }

    /// Poisons all logical positions but the first `given` once more.
    fn restore(&self, region: &mut Region, given: usize) {
        let body = region.body_range();
        let bytes = &mut region.bytes_mut()[..body.end];
        let mut before = 0;
        self.places.each_run(|run| {
            for k in given.saturating_sub(before)..run.len {
                let at = body.start + (run.start + k * run.step) * self.size;
                if let Some(slot) = bytes.get_mut(at..at + self.size) {
                    slot.copy_from_slice(poison::at(self.role, at, self.size));
                }
            }
            before += run.len;
            Some(())
        });
    }
}

/// Puts `values`, in logical order, where `places` has them.
///
/// A place outside the body (boxes that do not divide the padded tile) is left out.
fn put<const W: usize>(values: &[u8], places: &Places, body: &mut [u8]) {
    let mut values = values.as_chunks::<W>().0;
    let body = body.as_chunks_mut::<W>().0;
    places.each_run(|run| {
        let (now, later) = values.split_at(run.len.min(values.len()));
        values = later;
        let slots = body.get_mut(run.start..).unwrap_or_default();
        if run.step == 1 {
            let len = now.len().min(slots.len());
            slots[..len].copy_from_slice(&now[..len]);
        } else {
            let mut at = 0_usize;
            for value in now {
                let Some(slot) = slots.get_mut(at) else { break };
                *slot = *value;
                at = at.saturating_add(run.step);
            }
        }
        Some(())
    });
}

/// The element of a tensor's body that column `col` of row `row` is, as
/// [`rows_of`](ptodiff_case::rows_of) counts them.
fn of_row(tensor: &GlobalTensor, row: u64, col: u64) -> usize {
    let (rows, cols): (&[usize], &[usize]) = match tensor.layout {
        Layout::NZ => (&[2, 3], &[0, 1, 4]),
        Layout::ND | Layout::DN => (&[0, 1, 2, 3], &[4]),
    };
    let mut element = 0_u64;
    for (mut left, dims) in [(row, rows), (col, cols)] {
        for &dim in dims.iter().rev() {
            let extent = tensor.shape[dim].get().max(1);
            let step = (left % extent).saturating_mul(tensor.stride[dim].get());
            element = element.saturating_add(step);
            left /= extent;
        }
    }
    index(element)
}

/// A place as an index; one that no memory has where it does not fit.
fn index(place: u64) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}

/// Puts an index in range into every other slot of `body`.
fn mark<const W: usize>(body: &mut [u8], slots: &Slots) {
    let Slots { capacity, unit, .. } = *slots;
    let mut back = 0;
    for slot in body.as_chunks_mut::<W>().0.iter_mut().step_by(2) {
        // Counted from the end: not the index that a count from 0 would have here.
        let index = capacity.saturating_sub(1 + back) * unit;
        slot.copy_from_slice(&index.to_le_bytes()[..W]);
        back += 2;
        if back >= capacity {
            back = back.checked_rem(capacity).unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::{DType, Dim, Tile, TileType};

    use super::*;

    /// Three of four columns valid in two of three rows.
    const TILE: Tile = Tile {
        location: TileType::Vec,
        dtype: DType::Uint16,
        rows: 3,
        cols: 4,
        valid_row: Dim::Static(2),
        valid_col: Dim::Static(3),
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        fractal: 512,
    };

    /// What has no index is no padding: it keeps its poison, in even places too.
    #[test]
    fn only_what_is_padding_is_marked() {
        let frame = Frame::of(Role::Index, Operand::Tile(&TILE));
        let slots = Slots {
            capacity: 5,
            unit: 3,
            row: 1,
            reach: 100,
        };
        for given in 0..=6 {
            let mut region = frame.poisoned();
            let before = region.clone();
            frame.mark_index_padding(&mut region, &slots, 2 * given);
            frame.put(&[7, 0].repeat(given), &mut region);
            let words = |region: &Region| -> Vec<u16> {
                let body = region.body().as_chunks().0.iter();
                body.map(|word| u16::from_le_bytes(*word)).collect()
            };
            let mut expected = words(&before);
            for (position, place) in [0, 1, 2, 4, 5, 6].into_iter().enumerate() {
                if position < given {
                    expected[place] = 7;
                }
            }
            // Every other of the places 3, 7 and 8 to 11, counted down from the last slot.
            expected[8] = 3;
            expected[10] = 3 * 4;
            assert_eq!(words(&region), expected, "{given} given");
        }
    }
}
