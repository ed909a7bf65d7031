//! MSCATTER Row: a DMA to GM for every row, or every row and batch.

use crate::{
    combine::Combine,
    dma::{Transfer, byte_pitch},
    engine::Engine,
    handshake::{Phase, Protocol},
    nz::NzTable,
    remap::{Policy, pick_row},
    scatter::Task,
};

/// ND: one burst of `ValidCol` elements a row, at `row * GetStride(DIM_3)`
/// (MSCATTER-TABLE-04, MSCATTER-PERF-01).
pub(crate) fn nd<'m, const W: usize, C, P, E>(task: &Task<'_>, protocol: &Protocol, engine: &mut E)
where
    C: Combine<W>,
    P: Policy,
    E: Engine<'m>,
{
    let (src, dtype) = (&task.call.src, task.call.table.dtype);
    let pitch = byte_pitch::<W>(task.call.table.stride[3].get());
    let tile_pitch = byte_pitch::<W>(src.cols);
    let len_burst = src.valid_col.get().saturating_mul(W as u64);
    for row in 0..src.valid_row.get() {
        let (operands, log) = engine.scalar();
        let Some(table_row) = pick_row::<P>(task.indices, &operands.index.view(), row, log) else {
            continue;
        };
        let transfer = Transfer {
            from: (row as i64).saturating_mul(tile_pitch),
            to: table_row.saturating_mul(pitch),
            n_burst: 1,
            len_burst,
            gm_gap: 0,
            ub_gap: 0,
        };
        engine.issue(transfer.into_gm::<W, C>());
        engine.take(Phase::Body, protocol.body, dtype);
    }
}

/// NZ: a burst for each column block of a batch (MSCATTER-NZ-08 to -11).
pub(crate) fn nz<'m, const W: usize, C, P, E>(task: &Task<'_>, protocol: &Protocol, engine: &mut E)
where
    C: Combine<W>,
    P: Policy,
    E: Engine<'m>,
{
    let (src, dtype) = (&task.call.src, task.call.table.dtype);
    let table = NzTable::<W>::new(&task.call.table);
    for row in 0..src.valid_row.get() {
        let (operands, log) = engine.scalar();
        let Some(table_row) = pick_row::<P>(task.indices, &operands.index.view(), row, log) else {
            continue;
        };
        for bursts in table.row(table_row, src.rows, row) {
            engine.issue(bursts.to_table().into_gm::<W, C>());
            engine.take(Phase::Body, protocol.body, dtype);
        }
    }
}
