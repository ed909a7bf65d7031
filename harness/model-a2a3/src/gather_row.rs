//! MGATHER Row: a DMA from GM for every row, or every row and batch.

use ptodiff_isa::{GatherOob, Role, Space};

use crate::{
    dma::{Clear, Transfer, byte_pitch},
    engine::Engine,
    extent::tile_bytes,
    gather::Task,
    handshake::{Phase, Protocol},
    nz::NzTable,
    remap::{Policy, pick_row},
    scribe::Scribe,
};

/// ND: one burst of `ValidCol` elements a row; a row that is out of bounds
/// under Zero is filled on the scalar pipe (MGATHER-TABLE-05, MGATHER-PERF-01,
/// MGATHER-OOB-14).
pub(crate) fn nd<'m, const W: usize, P, E>(task: &Task<'_>, protocol: &Protocol, engine: &mut E)
where
    P: Policy,
    E: Engine<'m>,
{
    let (dst, dtype) = (&task.call.dst, task.call.table.dtype);
    let pitch = byte_pitch::<W>(task.call.table.stride[3].get());
    let tile_pitch = byte_pitch::<W>(dst.cols);
    let len_burst = dst.valid_col.get().saturating_mul(W as u64);
    for row in 0..dst.valid_row.get() {
        let to = (row as i64).saturating_mul(tile_pitch);
        let (operands, log) = engine.scalar();
        match pick_row::<P>(task.indices, &operands.index.view(), row, log) {
            Some(table_row) => {
                let transfer = Transfer {
                    from: table_row.saturating_mul(pitch),
                    to,
                    n_burst: 1,
                    len_burst,
                    gm_gap: 0,
                    ub_gap: 0,
                };
                engine.issue(transfer.into_ub::<W>());
                engine.take(Phase::Body, protocol.body, dtype);
            }
            None => fill_row::<W, E>(dst.valid_col.get(), to, engine),
        }
    }
}

/// Zeroes the first `cols` columns of the row at `at` by scalar stores.
fn fill_row<'m, const W: usize, E: Engine<'m>>(cols: u64, at: i64, engine: &mut E) {
    let (operands, log) = engine.scalar();
    let tile = &mut operands.data;
    let column_at = |col: u64| at.saturating_add((col * W as u64) as i64);
    for col in 0..cols {
        log.store(Space::Ub, Role::Destination, column_at(col), W);
    }
    let bytes = usize::try_from(cols).ok().and_then(|n| n.checked_mul(W));
    if let Some(row) = bytes.and_then(|n| tile.span_mut(at, n)) {
        row.fill(0);
    } else {
        for col in 0..cols {
            tile.store(column_at(col), [0; W], log);
        }
    }
}

/// NZ: a burst for each column block of a batch; under Zero the whole tile is
/// zeroed first (MGATHER-NZ-05, MGATHER-PERF-02 to -04, MGATHER-OOB-13).
pub(crate) fn nz<'m, const W: usize, P, E>(task: &Task<'_>, protocol: &Protocol, engine: &mut E)
where
    P: Policy,
    E: Engine<'m>,
{
    let (dst, dtype) = (&task.call.dst, task.call.table.dtype);
    if task.call.oob == GatherOob::Zero {
        engine.issue(Clear {
            name: None,
            space: Space::Ub,
            bytes: tile_bytes::<W>(dst),
        });
    }
    let table = NzTable::<W>::new(&task.call.table);
    for row in 0..dst.valid_row.get() {
        let (operands, log) = engine.scalar();
        let Some(table_row) = pick_row::<P>(task.indices, &operands.index.view(), row, log) else {
            continue;
        };
        for bursts in table.row(table_row, dst.rows, row) {
            engine.issue(bursts.to_tile().into_ub::<W>());
            engine.take(Phase::Body, protocol.body, dtype);
        }
    }
}
