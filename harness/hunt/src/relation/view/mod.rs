//! A call as the relations see it: lanes, each with an index, the elements
//! that it serves and a slot, and what is promised of the output.
//!
//! There is a view only of a call that keeps every rule that its target has,
//! the caller's preconditions included: of any other nothing is promised. The rules
//! are worked out here from the documents, and the answers to their gaps are
//! those of the readings in force.

mod facts;
mod first;
mod forms;
mod in_ub;
mod on_chip;
mod to_l1;

use ptodiff_case::Form;
use ptodiff_isa::{DType, Memory, Role, Tile};

use super::blocks::Blocks;
use super::order::Combine;
use super::place::{Places, read, write};
use super::reach::Reach;
use super::slots::Slots;
pub(super) use facts::{Shape, demand};
pub(super) use on_chip::by_mask;

/// Which part of the output is promised, whatever stood there before.
#[derive(Clone, Copy, Debug)]
pub(super) enum Promise {
    /// All of it.
    All,
    /// The valid region.
    Valid,
    /// The slots that indices select.
    Slots,
    /// All of an NZ table but the columns past the source's, in the rows that
    /// are written.
    Columns(Blocks),
}

/// A call that is promised something.
pub(super) struct View<'a> {
    pub(super) form: Form,
    /// The tile over which the call runs, and its part.
    pub(super) data: &'a Tile,
    pub(super) data_role: Role,
    /// Where its elements stand.
    pub(super) places: Places,
    /// The operand that the call changes.
    pub(super) output: Role,
    pub(super) index_type: DType,
    /// Where the indices stand: one a row, or one every `width` columns.
    index: Places,
    /// Whether an index is one of a whole table row.
    pub(super) by_row: bool,
    /// Extents that the call runs over.
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// Columns that one index serves.
    pub(super) width: usize,
    pub(super) reach: Reach,
    /// Whether an index of which nothing is said spoils no lane but its own.
    alone: bool,
    /// How lanes of one slot combine; none for a gather.
    pub(super) combine: Option<Combine>,
    pub(super) promise: Promise,
    /// Elements that the table's body has to have; 0 without a table.
    elements: u64,
}

impl View<'_> {
    /// Lanes: indices that the call reads.
    pub(super) const fn lanes(&self) -> usize {
        self.rows.saturating_mul(self.across())
    }

    /// Lanes of a row.
    pub(super) const fn across(&self) -> usize {
        self.cols / self.width
    }

    /// Row and first column of the elements that lane `lane` serves.
    pub(super) const fn lane(&self, lane: usize) -> (usize, usize) {
        (lane / self.across(), lane % self.across() * self.width)
    }

    /// The bits of the index of lane `lane`.
    pub(super) fn index(&self, indices: &[u8], lane: usize) -> u64 {
        read(indices, self.index_place(lane), self.index_type.size())
    }

    /// Makes `index` that of lane `lane`.
    pub(super) fn set_index(&self, indices: &mut [u8], lane: usize, index: u64) {
        let size = self.index_type.size();
        write(indices, self.index_place(lane), size, index);
    }

    const fn index_place(&self, lane: usize) -> usize {
        self.index.at(lane / self.across(), lane % self.across())
    }

    /// The slots that the lanes select. None where the operands in `memory`
    /// are not all there, or where an index leaves the call open.
    pub(super) fn slots(&self, memory: &Memory) -> Option<Slots> {
        self.slots_of(memory, memory)
    }

    /// As [`View::slots`], where `lasting` has what is not in `memory`.
    pub(super) fn slots_of(&self, memory: &Memory, lasting: &Memory) -> Option<Slots> {
        let get = |role| memory.get(role).or_else(|| lasting.get(role));
        let size = self.data.dtype.size();
        let has = |role, elements: u64, size: usize| {
            let body = get(role)?.body().len() / size;
            demand(body as u64 >= elements)
        };
        has(
            self.data_role,
            self.data.rows.checked_mul(self.data.cols)?,
            size,
        )?;
        if self.elements > 0 {
            has(Role::Table, self.elements, size)?;
        }
        if self.form == Form::TscatterIndex {
            has(Role::Destination, self.reach.capacity, size)?;
        }
        let last = self.index_place(self.lanes().checked_sub(1)?) as u64;
        has(Role::Index, last.checked_add(1)?, self.index_type.size())?;

        let indices = get(Role::Index)?.body();
        let of = (0..self.lanes()).map(|lane| self.reach.slot(self.index(indices, lane)));
        let slots = Slots::new(of.collect());
        let usable = if self.alone {
            !slots.all_open()
        } else {
            !slots.any_open()
        };
        usable.then_some(slots)
    }
}
