//! MGATHER Row: a DMA from GM for every row, or every row and batch.

use ptodiff_isa::{GatherOob, Role};

use crate::{
    combine::Replace,
    dma::{Transfer, byte_pitch},
    gather::Task,
    handshake::{self, Protocol},
    nz::NzTable,
    remap::{Policy, pick_row},
    scribe::Scribe,
};

/// ND: one burst of `ValidCol` elements a row; a row that is out of bounds
/// under Zero is filled on the scalar pipe (MGATHER-TABLE-05, MGATHER-PERF-01,
/// MGATHER-OOB-14).
pub(crate) fn nd<const W: usize, P: Policy, L: Scribe>(
    task: &mut Task<'_, '_>,
    protocol: &Protocol,
    log: &mut L,
) {
    let (dst, dtype) = (&task.call.dst, task.call.table.dtype);
    let pitch = byte_pitch::<W>(task.call.table.stride[3].get());
    let tile_pitch = byte_pitch::<W>(dst.cols);
    let len_burst = dst.valid_col.get().saturating_mul(W as u64);
    for row in 0..dst.valid_row.get() {
        let to = (row as i64).saturating_mul(tile_pitch);
        match pick_row::<P, L>(task.indices, &task.operands.index.view(), row, log) {
            Some(table_row) => {
                let transfer = Transfer {
                    from: table_row.saturating_mul(pitch),
                    to,
                    n_burst: 1,
                    len_burst,
                    gm_gap: 0,
                    ub_gap: 0,
                };
                let operands = &mut *task.operands;
                transfer.issue::<W, Replace, L>(&operands.table.view(), &mut operands.data, log);
                handshake::issue(protocol.each_dma, dtype, log);
            }
            None => fill_row::<W, L>(task, to, log),
        }
    }
}

/// Zeroes the valid columns of the row at `at` by scalar stores.
fn fill_row<const W: usize, L: Scribe>(task: &mut Task<'_, '_>, at: i64, log: &mut L) {
    let (cols, tile) = (task.call.dst.valid_col.get(), &mut task.operands.data);
    let column_at = |col: u64| at.saturating_add((col * W as u64) as i64);
    for col in 0..cols {
        log.store(Role::Destination, column_at(col), W);
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
pub(crate) fn nz<const W: usize, P: Policy, L: Scribe>(
    task: &mut Task<'_, '_>,
    protocol: &Protocol,
    log: &mut L,
) {
    let (dst, dtype) = (&task.call.dst, task.call.table.dtype);
    if task.call.oob == GatherOob::Zero {
        fill_tile(task, W, log);
    }
    let table = NzTable::<W>::new(&task.call.table);
    for row in 0..dst.valid_row.get() {
        let Some(table_row) = pick_row::<P, L>(task.indices, &task.operands.index.view(), row, log)
        else {
            continue;
        };
        for bursts in table.row(table_row, dst.rows, row) {
            let operands = &mut *task.operands;
            bursts
                .to_ub()
                .issue::<W, Replace, L>(&operands.table.view(), &mut operands.data, log);
            handshake::issue(protocol.each_dma, dtype, log);
        }
    }
}

/// Zeroes the padded tile, as one store: the documents do not say which pipe
/// does it (MGATHER-GAP-24).
fn fill_tile<L: Scribe>(task: &mut Task<'_, '_>, width: usize, log: &mut L) {
    let dst = &task.call.dst;
    let bytes = u128::from(dst.rows) * u128::from(dst.cols) * width as u128;
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    log.store(Role::Destination, 0, bytes);
    task.operands.data.clear(bytes, log);
}
