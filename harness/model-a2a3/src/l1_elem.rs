//! MGATHER into L1, Elem: scalar copies to a scratch in GM, then one DMA.

use ptodiff_isa::{Event, Role, Space};

use crate::{
    dma::{StagedToL1, byte_pitch},
    engine::Engine,
    extent::tile_bytes,
    handshake::{self, Phase},
    inside,
    l1::Task,
    nz::{C0_BYTES, tile_offset},
    operands::Operands,
    port::{Port, View, narrow, slot_offset},
    remap::{INDEX_BYTES, Policy},
    scribe::Scribe,
};

/// Bytes of a cache line; lines are counted from the scratch's first byte
/// (reading of MGATHERL1-CACHE-01).
const LINE: usize = 64;

/// Bytes of one row of a block.
const BLOCK: usize = C0_BYTES as usize;

/// Zeroes the scratch, fills it, writes it back and copies it
/// (MGATHERL1-SCRATCH-05, MGATHERL1-CACHE-01, MGATHERL1-SYNC-03, MGATHERL1-PERF-03).
pub(crate) fn gather<'m, const W: usize, P, E>(task: &Task<'_>, engine: &mut E)
where
    P: Policy,
    E: Engine<'m>,
{
    let bytes = tile_bytes::<W>(&task.call.dst);
    let (operands, log) = engine.scalar();
    if task.zero_scratch {
        log.note(|| Event::Fill {
            name: None,
            space: Space::Gm,
            role: Role::Scratch,
            offset: 0,
            len: bytes as u64,
        });
        operands.gm.clear(bytes, log);
    }
    // An empty table gives no value (reading of MGATHERL1-GAP-26).
    if !task.indices.nothing() {
        stage::<W, P, E::Log>(task, operands, log);
    }
    for offset in (0..bytes).step_by(LINE) {
        log.note(|| Event::Dcci {
            role: Role::Scratch,
            offset: offset as i64,
            len: LINE.min(bytes - offset) as u64,
        });
    }
    log.note(|| Event::Dsb);
    let protocol = handshake::of_gather_l1(task.call.mode);
    engine.take(Phase::Body, protocol.body, task.call.table.dtype);
    engine.issue(StagedToL1 { bytes });
}

/// Puts each valid element at its NZ offset; one that is out of bounds under
/// Zero is not stored (MGATHERL1-NZ-02, MGATHERL1-OOB-03).
fn stage<const W: usize, P: Policy, L: Scribe>(
    task: &Task<'_>,
    operands: &mut Operands<'_>,
    log: &mut L,
) {
    let dst = &task.call.dst;
    let c0 = C0_BYTES / W as u64;
    let (index, table) = (operands.index.view(), operands.table.again());
    let scratch = &mut operands.gm;
    let cols = dst.valid_col.get();
    let done = if L::TRACES {
        0
    } else {
        rows_inside::<W, P>(task, &index, &table, scratch)
    };
    for row in done..dst.valid_row.get() {
        for block in 0..cols.div_ceil(c0) {
            let first = block * c0;
            let len = c0.min(cols - first);
            let start = narrow(tile_offset(dst.rows, block, row));
            let index_at = |k: u64| task.pitch.of_element(row, first + k);
            let slot_at = |k: u64| start.saturating_add((k * W as u64) as i64);
            // Operands are seldom left; bounds are checked once a block then.
            let index_line = task.pitch.line(&index, row, first, len as usize);
            let slot_line = scratch.span_mut(start, len as usize * W);
            if let (Some(index_line), Some(slot_line)) = (index_line, slot_line) {
                let (slot_line, _) = slot_line.as_chunks_mut::<W>();
                for (k, (&bits, to)) in (0..).zip(index_line.iter().zip(slot_line)) {
                    log.load(Space::Gm, Role::Index, index_at(k), INDEX_BYTES);
                    let Some(slot) = P::pick(task.indices, task.indices.decode(bits)) else {
                        continue;
                    };
                    log.load(Space::Gm, Role::Table, slot_offset::<W>(slot), W);
                    table.fetch_slot(slot, to, log);
                    log.store(Space::Gm, Role::Scratch, slot_at(k), W);
                }
            } else {
                for k in 0..len {
                    log.load(Space::Gm, Role::Index, index_at(k), INDEX_BYTES);
                    let bits = index.load(index_at(k), log);
                    let Some(slot) = P::pick(task.indices, task.indices.decode(bits)) else {
                        continue;
                    };
                    let from = slot_offset::<W>(slot);
                    log.load(Space::Gm, Role::Table, from, W);
                    let value: [u8; W] = table.load(from, log);
                    log.store(Space::Gm, Role::Scratch, slot_at(k), W);
                    scratch.store(slot_at(k), value, log);
                }
            }
        }
    }
}

/// Stages rows until one does not lie in its operands, and gives how many came
/// before. That one may be staged in part: staging it again changes nothing.
#[inline(never)]
fn rows_inside<const W: usize, P: Policy>(
    task: &Task<'_>,
    index: &View<'_>,
    table: &View<'_>,
    scratch: &mut Port<'_>,
) -> u64 {
    let Some((cells, indices)) = inside::cells::<W, P>(table, task.indices) else {
        return 0;
    };
    let dst = &task.call.dst;
    let (rows, cols) = (dst.valid_row.get(), dst.valid_col.get());
    let mut scratch = scratch.again();
    let from_block_to_block = byte_pitch::<BLOCK>(dst.rows);
    let mut stage_row = |row: u64| {
        let line = task
            .pitch
            .line(index, row, 0, usize::try_from(cols).ok()?)?;
        let mut at = narrow(tile_offset(dst.rows, 0, row));
        for block in line.chunks(BLOCK / W) {
            let (slots, _) = scratch.span_mut(at, BLOCK)?.as_chunks_mut::<W>();
            for (&bits, to) in block.iter().zip(slots) {
                if let Some(slot) = P::pick(indices, indices.decode(bits)) {
                    *to = *cells.get(slot as usize)?;
                }
            }
            at = at.saturating_add(from_block_to_block);
        }
        Some(())
    };
    (0..rows)
        .take_while(|&row| stage_row(row).is_some())
        .count() as u64
}
