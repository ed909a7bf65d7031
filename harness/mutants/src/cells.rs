//! The tile that a call writes, element by element, before and after the right model.

use ptodiff_isa::{Call, End, Fault, How, Log, Memory, Model, Operand, Region, Role, Tile};
use ptodiff_memory::Bus;

use crate::{
    operands::{Operands, byte, in_tile, rectangle},
    walk,
};

/// The tile that a call writes, as it was and as the right model leaves it.
pub(crate) struct Cells<'a> {
    pub(crate) call: &'a Call,
    pub(crate) tile: Tile,
    ops: Option<Operands>,
    before: &'a Memory,
    after: Region,
}

impl Cells<'_> {
    /// Whether `(r, c)` lies in the valid region.
    pub(crate) const fn is_valid(&self, r: u64, c: u64) -> bool {
        r < self.tile.valid_row.get() && c < self.tile.valid_col.get()
    }

    /// What `(r, c)` held.
    pub(crate) fn before(&self, r: u64, c: u64) -> u64 {
        self.held(Role::Destination, r, c)
    }

    /// What the operand of this role held where the tile has `(r, c)`.
    pub(crate) fn held(&self, role: Role, r: u64, c: u64) -> u64 {
        let size = self.tile.dtype.size();
        let region = self.before.get(role);
        region.map_or(0, |region| element(region, size, in_tile(&self.tile, r, c)))
    }

    /// What the right model leaves in `(r, c)`.
    pub(crate) fn after(&self, r: u64, c: u64) -> u64 {
        element(
            &self.after,
            self.tile.dtype.size(),
            in_tile(&self.tile, r, c),
        )
    }

    /// Whether `(r, c)` is the last of the valid region.
    pub(crate) const fn is_last(&self, r: u64, c: u64) -> bool {
        r + 1 == self.tile.valid_row.get() && c + 1 == self.tile.valid_col.get()
    }

    /// Whether the policy gives a lane of a gather nothing to read.
    pub(crate) fn is_dropped(&self, r: u64, c: u64) -> bool {
        let operands = self.ops.zip(self.before.get(Role::Index));
        let Some((ops, indices)) = operands.filter(|_| self.is_valid(r, c)) else {
            return false;
        };
        let number = ops.index_at(r, c).unsigned_abs() / ops.index_size as u64;
        let index = element(indices, ops.index_size, number);
        walk::remap(&ops, index, ops.capacity().max(1)).is_none()
    }
}

/// Element `number` of `size` bytes, of an operand that has it.
fn element(region: &Region, size: usize, number: u64) -> u64 {
    let found = usize::try_from(number).ok().and_then(|number| {
        let at = number.checked_mul(size)?;
        region.body().get(at..at.checked_add(size)?)
    });
    let mut wide = [0; 8];
    if let Some(found) = found {
        wide[..size].copy_from_slice(found);
    }
    u64::from_le_bytes(wide)
}

/// Runs `right` and puts into every element of the tile that it writes what `cell` says.
///
/// # Errors
/// Those of `right`.
pub(crate) fn run(
    cell: fn(&Cells<'_>, u64, u64) -> u64,
    call: &Call,
    right: &dyn Model,
    memory: &mut Memory,
    how: &How,
    log: &mut Log,
) -> Result<End, Fault> {
    let before = memory.clone();
    let end = right.execute(call, memory, how, log)?;
    let tile = call.operand(Role::Destination).and_then(Operand::tile);
    let (End::Finished, Some(&tile), Some(after)) = (end, tile, memory.get(Role::Destination))
    else {
        return Ok(end);
    };
    let cells = Cells {
        call,
        tile,
        ops: Operands::of(call, right.target(), &how.readings),
        before: &before,
        after: after.clone(),
    };
    let (size, bus) = (tile.dtype.size(), &mut Bus::new(memory, log));
    for (r, c) in rectangle(tile.rows, tile.cols) {
        let value = cell(&cells, r, c);
        if value != cells.after(r, c) {
            let at = byte(in_tile(&tile, r, c), size);
            bus.poke(Role::Destination, at, size, value);
        }
    }
    Ok(end)
}
