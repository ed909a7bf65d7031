//! MGATHER into L1, Row: an nd2nz transfer for every row.

use ptodiff_isa::{Event, GatherOob, Pipe, Role, Space};

use crate::{
    dma::{Clear, byte_pitch},
    engine::{Engine, Job},
    extent::tile_bytes,
    l1::Task,
    nz::{C0_BYTES, tile_offset},
    operands::Operands,
    port::{narrow, report},
    remap::{INDEX_BYTES, Policy},
    scribe::Scribe,
};

/// Bytes of one row of a block.
const BLOCK: usize = C0_BYTES as usize;

/// Arguments of the form that A2/A3 calls (MGATHERL1-PERF-04).
const ARGUMENTS: u64 = 11;

/// Reads an index from GM and moves a table row, for each logical row; under
/// Zero the tile is cleared first and rows out of bounds are left out
/// (MGATHERL1-PERF-01, -02, MGATHERL1-TABLE-02). Both are MTE2 instructions, so
/// no flag stands between them (MGATHERL1-SYNC-02).
pub(crate) fn gather<'m, const W: usize, P, E>(task: &Task<'_>, engine: &mut E)
where
    P: Policy,
    E: Engine<'m>,
{
    let dst = &task.call.dst;
    if task.call.oob == GatherOob::Zero {
        engine.issue(Clear {
            name: Some("pto_create_cbuf_matrix"),
            space: Space::L1,
            bytes: tile_bytes::<W>(dst),
        });
    } else if task.indices.nothing() {
        // An empty table gives no value (reading of MGATHERL1-GAP-26).
        return;
    }
    let pitch = byte_pitch::<W>(task.call.table.stride[3].get());
    for row in 0..dst.valid_row.get() {
        let at = task.pitch.of_row(row);
        let (operands, log) = engine.scalar();
        log.load(Space::Gm, Role::Index, at, INDEX_BYTES);
        let bits = operands.index.view().load(at, log);
        let Some(table_row) = P::pick(task.indices, task.indices.decode(bits)) else {
            continue;
        };
        engine.issue(Nd2nz::<W> {
            from: table_row.saturating_mul(pitch),
            to: narrow(tile_offset(dst.rows, 0, row)),
            cols: dst.valid_col.get(),
            tile_rows: dst.rows,
            zero_tail: task.zero_tail,
        });
    }
}

/// `pto_copy_gm_to_cbuf_multi_nd2nz` of one row (MGATHERL1-NZ-03).
struct Nd2nz<const W: usize> {
    /// First byte read.
    from: i64,
    /// First byte written.
    to: i64,
    /// Elements moved.
    cols: u64,
    /// From one block of the row to the next in the tile, in blocks.
    tile_rows: u64,
    /// Whether the rest of the last block becomes zero.
    zero_tail: bool,
}

impl<const W: usize> Job for Nd2nz<W> {
    const PIPE: Pipe = Pipe::MTE2;

    fn event(&self) -> Event {
        Event::Nd2nz {
            name: "pto_copy_gm_to_cbuf_multi_nd2nz".to_owned(),
            from: (Role::Table, self.from),
            to: (Role::Destination, self.to),
            n_value: 1,
            d_value: self.cols,
            c0_stride: self.tile_rows,
            arguments: Some(ARGUMENTS),
        }
    }

    /// The row is read in one access and written in one a block.
    #[inline(always)]
    fn run(&self, operands: &mut Operands<'_>, log: &mut impl Scribe) {
        if self.copy(operands).is_none() {
            self.copy_by_block(operands, log);
        }
    }
}

impl<const W: usize> Nd2nz<W> {
    fn bytes(&self) -> usize {
        let cols = usize::try_from(self.cols).unwrap_or(usize::MAX);
        cols.saturating_mul(W)
    }

    /// Moves the row if it is made of whole blocks and they leave no operand;
    /// else does nothing.
    #[inline(always)]
    fn copy(&self, operands: &mut Operands<'_>) -> Option<()> {
        let row = operands.table.span(self.from, self.bytes())?;
        let (blocks, []) = row.as_chunks::<BLOCK>() else {
            return None;
        };
        let step = usize::try_from(self.tile_rows).ok()?.checked_mul(BLOCK)?;
        let reach = blocks.len().checked_sub(1)?.checked_mul(step)?;
        let tile = &mut operands.data;
        let slots = tile.span_mut(self.to, reach.checked_add(BLOCK)?)?;
        for (k, block) in blocks.iter().enumerate() {
            slots[k * step..][..BLOCK].copy_from_slice(block);
        }
        Some(())
    }

    /// Moves any row.
    // Inlined it would take the registers from the loop over whole rows.
    #[inline(never)]
    fn copy_by_block(&self, operands: &mut Operands<'_>, log: &mut impl Scribe) {
        let (table, tile) = (&operands.table, &mut operands.data);
        let len = self.bytes();
        let inside = table.span(self.from, len);
        if inside.is_none() {
            report(table.role(), self.from, len, false, log);
        }
        let step = byte_pitch::<BLOCK>(self.tile_rows);
        let mut to = self.to;
        for start in (0..len).step_by(BLOCK) {
            let mut block = [0; BLOCK];
            let filled = BLOCK.min(len - start);
            if let Some(row) = inside {
                block[..filled].copy_from_slice(&row[start..start + filled]);
            } else {
                let from = i128::from(self.from) + start as i128;
                let found: [u8; BLOCK] = table.peek(from);
                block[..filled].copy_from_slice(&found[..filled]);
            }
            let written = if self.zero_tail { BLOCK } else { filled };
            tile.write(to, &block[..written], log);
            to = to.saturating_add(step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bytes, memory, numbers};

    /// Blocks of eight words, 16 of them from one to the next (MGATHERL1-NZ-03).
    #[test]
    fn whole_blocks_are_copied_at_once() {
        let mut memory = memory(Role::Destination, [numbers(0, 32), vec![0; 256], vec![]]);
        let mut operands = Operands::open_gather(&mut memory).expect("all are there");
        let row = |from, to, cols| Nd2nz::<4> {
            from,
            to,
            cols,
            tile_rows: 16,
            zero_tail: false,
        };
        let mut copied = |from, to, cols| row(from, to, cols).copy(&mut operands).is_some();
        assert!(!copied(64, 32, 12), "no whole block");
        assert!(!copied(68, 32, 16), "the table is left");
        assert!(!copied(64, 512, 16), "the tile is left");
        assert!(copied(64, 32, 16));
        let mut want = vec![0; 256];
        want[8..16].copy_from_slice(&numbers(16, 8));
        want[136..144].copy_from_slice(&numbers(24, 8));
        assert_eq!(memory.regions[1].body(), bytes(want));
    }
}
