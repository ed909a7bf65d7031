//! MGATHER into L1, Elem: scalar copies to a scratch in GM, then one DMA.

use ptodiff_isa::{Event, Role, Space};

use crate::{
    dma::StagedToL1,
    engine::Engine,
    extent::tile_bytes,
    handshake::{self, Phase},
    l1::Task,
    nz::{C0_BYTES, tile_offset},
    operands::Operands,
    port::{narrow, slot_offset},
    remap::{INDEX_BYTES, Policy},
    scribe::Scribe,
};

/// Bytes of a cache line; lines are counted from the scratch's first byte
/// (reading of MGATHERL1-CACHE-01).
const LINE: usize = 64;

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
        operands.scratch.clear(bytes, log);
    }
    // An empty table gives no value (reading of MGATHERL1-GAP-04).
    if !task.indices.nothing() {
        stage::<W, P>(task, operands, log);
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
fn stage<const W: usize, P: Policy>(
    task: &Task<'_>,
    operands: &mut Operands<'_>,
    log: &mut impl Scribe,
) {
    let dst = &task.call.dst;
    let c0 = C0_BYTES / W as u64;
    let (index, table) = (operands.index.view(), operands.table.view());
    let scratch = &mut operands.scratch;
    for row in 0..dst.valid_row.get() {
        for col in 0..dst.valid_col.get() {
            let at = task.pitch.of_element(row, col);
            log.load(Space::Gm, Role::Index, at, INDEX_BYTES);
            let bits = index.load(at, log);
            let Some(slot) = P::pick(task.indices, task.indices.decode(bits)) else {
                continue;
            };
            let from = slot_offset::<W>(slot);
            log.load(Space::Gm, Role::Table, from, W);
            let value: [u8; W] = table.load(from, log);
            let block = tile_offset(dst.rows, col / c0, row);
            let to = narrow(block + i128::from(col % c0) * W as i128);
            log.store(Space::Gm, Role::Scratch, to, W);
            scratch.store(to, value, log);
        }
    }
}
