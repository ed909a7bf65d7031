//! What the table of readings asks of a call.
//!
//! It spares running what cannot differ, and decides nothing of a result. The models
//! and the contract do not use it: a mistake here must not become one of theirs.

use crate::{
    Call, Coalesce, Form, GatherOob, GlobalTensor, Layout, Memory, Operand, Role, ScatterAtomicOp,
    ScatterConflict, ScatterOob, Target, Tile,
};

/// A call with its data, on one target.
#[derive(Clone, Copy, Debug)]
pub struct OnTarget<'a> {
    /// The call.
    pub call: &'a Call,
    /// Its operands before each step.
    pub steps: &'a [Memory],
    /// Where it runs.
    pub target: Target,
}

impl OnTarget<'_> {
    pub(super) const fn form(&self) -> Form {
        Form::of(self.call)
    }

    pub(super) fn by_row(&self) -> bool {
        self.call.mode() == Some(Coalesce::Row)
    }

    pub(super) fn by_elem(&self) -> bool {
        self.call.mode() == Some(Coalesce::Elem)
    }

    pub(super) fn by_row_of_nd(&self) -> bool {
        self.by_row() && self.table_is(Layout::ND)
    }

    pub(super) const fn data(&self) -> &Tile {
        self.call.data_tile()
    }

    /// Whether there is a table, and `is` holds of it.
    pub(super) fn table(&self, is: impl FnOnce(&GlobalTensor) -> bool) -> bool {
        self.call.table().is_some_and(is)
    }

    /// Whether indices are in a tile, and `is` holds of it.
    pub(super) fn index_tile(&self, is: impl Fn(&Tile) -> bool) -> bool {
        let index = self.call.operand(Role::Index);
        index.and_then(Operand::tile).is_some_and(is)
    }

    pub(super) fn table_is(&self, layout: Layout) -> bool {
        self.table(|table| table.layout == layout)
    }

    pub(super) fn has_outer_dimensions(&self) -> bool {
        self.table(|table| table.shape[..3].iter().any(|d| d.get() != 1))
    }

    /// Whether the strides are those of a row-major tensor without gaps.
    pub(super) fn has_dense_table(&self) -> bool {
        self.table(|table| {
            let mut step = 1_u64;
            let both = table.shape.iter().zip(&table.stride).rev();
            both.into_iter().all(|(extent, stride)| {
                let fits = extent.get() <= 1 || stride.get() == step;
                step = step.saturating_mul(extent.get());
                fits
            })
        })
    }

    /// Whether part of the tile that plays `role` does not count.
    pub(super) fn is_padded(&self, role: Role) -> bool {
        let tile = self.call.operand(role).and_then(Operand::tile);
        tile.is_some_and(|tile| {
            (tile.valid_row.get(), tile.valid_col.get()) != (tile.rows, tile.cols)
        })
    }

    pub(super) fn combines_by(&self, ops: &[ScatterAtomicOp]) -> bool {
        self.call.atomic().is_some_and(|op| ops.contains(&op))
    }

    /// Whether data or table are not of integers.
    pub(super) fn has_floats(&self) -> bool {
        !self.data().dtype.is_integer() || self.table(|table| !table.dtype.is_integer())
    }

    /// Whether of several plain writers the last one wins.
    pub(super) fn last_wins(&self) -> bool {
        let last = |conflict| conflict == ScatterConflict::Last;
        matches!(self.call, Call::Mscatter(c) if last(c.conflict))
            && self.combines_by(&[ScatterAtomicOp::None])
    }

    pub(super) fn scatters_with(&self, oob: ScatterOob) -> bool {
        matches!(self.call, Call::Mscatter(c) if c.oob == oob)
    }

    pub(super) fn gathers_with(&self, oob: GatherOob) -> bool {
        matches!(self.call, Call::Mgather(c) if c.oob == oob)
    }

    /// The smallest capacity that any target gives the table.
    pub(super) fn least_capacity(&self, table: &GlobalTensor) -> u64 {
        let shape = table.shape.map(|d| d.get());
        match table.layout {
            _ if self.by_elem() => shape.iter().fold(1, |n, d| n.saturating_mul(*d)),
            Layout::NZ => shape[2].saturating_mul(16).min(shape[3]),
            Layout::ND | Layout::DN => shape[3],
        }
    }

    /// Whether some index, taken as unsigned and of 32 bits, is at or above `capacity`.
    pub(super) fn some_index_reaches(&self, capacity: u64) -> bool {
        let words = self.indices().flat_map(|body| body.as_chunks::<4>().0);
        let mut indices = words.map(|word| u64::from(u32::from_le_bytes(*word)));
        indices.any(|index| index >= capacity)
    }

    pub(super) fn has_negative_index(&self) -> bool {
        let index = self.call.operand(Role::Index).map(Operand::dtype);
        let Some(dtype) = index.filter(|dtype| dtype.is_signed_integer()) else {
            return false;
        };
        let negative = |index: &[u8]| index.last().is_some_and(|byte| byte & 0x80 != 0);
        let size = dtype.size();
        self.indices()
            .any(|body| body.chunks_exact(size).any(negative))
    }

    /// The bytes of the index operand in each step.
    fn indices(&self) -> impl Iterator<Item = &[u8]> {
        let regions = self.steps.iter().filter_map(|step| step.get(Role::Index));
        regions.map(|region| region.body())
    }
}
