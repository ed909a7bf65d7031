//! MGATHER Row: a DMA from GM for every row, or every row and batch.

use ptodiff_isa::{GatherOob, NdZeroFill, NzRowColumns, Role, Space, Tile};

use crate::{
    bursts::{Bursts, FIRST_CACHE, span},
    dma::{Clear, Transfer, byte_pitch},
    engine::Engine,
    extent::tile_bytes,
    gather::Task,
    handshake::{Phase, Protocol},
    nz::{Columns, NzTable, RowPair, ValidColumns},
    remap::{INDEX_BYTES, Indices, Policy, pick_row},
    scribe::Scribe,
    strided::{self, Near, Pitched, Rows},
};

/// ND: one burst of `ValidCol` elements a row (MGATHER-PERF-01), from where the
/// strides put it (reading of MGATHER-GAP-06).
pub(crate) fn nd<'m, const W: usize, P, E>(task: &Task<'_>, protocol: &Protocol, engine: &mut E)
where
    P: Policy,
    E: Engine<'m>,
{
    let table = &task.call.table;
    match strided::split_rows::<W>(table, task.readings.outer_strides) {
        None => nd_rows::<W, P, _, E>(Pitched::new::<W>(table), task, protocol, engine),
        Some(rows) => nd_rows::<W, P, _, E>(rows, task, protocol, engine),
    }
}

/// Only under Zero is a row out of bounds; it is filled on the scalar pipe
/// (MGATHER-OOB-14), unless the whole tile was zeroed first (the other reading
/// of MGATHER-GAP-19).
#[inline(never)]
fn nd_rows<'m, const W: usize, P, R, E>(
    rows: R,
    task: &Task<'_>,
    protocol: &Protocol,
    engine: &mut E,
) where
    P: Policy,
    R: Rows,
    E: Engine<'m>,
{
    let dst = &task.call.dst;
    let len_burst = dst.valid_col.get().saturating_mul(W as u64);
    let cleared =
        task.call.oob == GatherOob::Zero && task.readings.nd_zero_fill == NdZeroFill::WholeTile;
    if cleared {
        clear_tile::<W, E>(dst, engine);
    }
    let dtype = task.call.table.dtype;
    let tile_pitch = byte_pitch::<W>(dst.cols);
    for row in task.done as u64..dst.valid_row.get() {
        let to = (row as i64).saturating_mul(tile_pitch);
        let (operands, log) = engine.scalar();
        match pick_row::<P>(task.indices, &operands.index.view(), row, log) {
            Some(table_row) => {
                let transfer = Transfer {
                    from: rows.offset(table_row),
                    to,
                    n_burst: 1,
                    len_burst,
                    gm_gap: 0,
                    ub_gap: 0,
                };
                engine.issue(transfer.into_ub::<W>());
                engine.take(Phase::Body, protocol.body, dtype);
            }
            None if cleared => {}
            None => fill_row::<W, E>(dst.valid_col.get(), to, engine),
        }
    }
}

/// [`moved`] for rows wherever they are.
#[inline(never)]
pub(crate) fn inside<P: Policy, R: Rows>(
    at: &R,
    rows: &Bursts,
    bits: &[[u8; INDEX_BYTES]],
    table: &[u8],
    tile: &mut [u8],
) -> usize {
    moved::<P, R>(at, rows, bits, table, tile)
}

/// [`moved`] for near rows.
#[inline(always)]
pub(crate) fn near<P: Policy>(
    at: &Near,
    rows: &Bursts,
    bits: &[[u8; INDEX_BYTES]],
    table: &[u8],
    tile: &mut [u8],
) -> usize {
    // Stores that wait for another cache had better be the widest, as in a call
    // that copies.
    if bits.len().saturating_mul(rows.len) > FIRST_CACHE {
        inside::<P, _>(at, rows, bits, table, tile)
    } else {
        copies::<P>(at, rows, bits, table, tile)
    }
}

#[inline(never)]
fn copies<P: Policy>(
    at: &Near,
    rows: &Bursts,
    bits: &[[u8; INDEX_BYTES]],
    table: &[u8],
    tile: &mut [u8],
) -> usize {
    rows.copied(
        #[inline(always)]
        |rows| moved::<P, _>(at, &rows, bits, table, tile),
    )
}

/// Moves to each row of `tile` the row of `table` that one of `bits` selects, or
/// fills it, until one does not lie in its operands, and gives how many came
/// before. No index is negative.
#[inline(always)]
fn moved<P: Policy, R: Rows>(
    at: &R,
    rows: &Bursts,
    bits: &[[u8; INDEX_BYTES]],
    table: &[u8],
    tile: &mut [u8],
) -> usize {
    let indices = Indices::within(rows.capacity);
    let mut done = 0;
    for (&bits, row) in bits
        .iter()
        .zip(tile.chunks_exact_mut(rows.tile_pitch.get()))
    {
        let Some(to) = row.get_mut(..rows.len) else {
            break;
        };
        match P::pick(indices, indices.decode(bits)) {
            Some(table_row) => {
                let Some(values) = span(table, at.offset(table_row), rows.len) else {
                    break;
                };
                to.copy_from_slice(values);
            }
            None => to.fill(0),
        }
        done += 1;
    }
    done
}

/// Zeroes all of the tile's storage.
fn clear_tile<'m, const W: usize, E: Engine<'m>>(dst: &Tile, engine: &mut E) {
    engine.issue(Clear {
        name: None,
        space: Space::Ub,
        bytes: tile_bytes::<W>(dst),
    });
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

/// NZ: a burst for each column block of a batch, or for those alone that hold
/// valid columns (reading of MGATHER-GAP-57); under Zero the whole tile is
/// zeroed first (MGATHER-NZ-05, MGATHER-PERF-02 to -04, MGATHER-OOB-13).
pub(crate) fn nz<'m, const W: usize, P, E>(task: &Task<'_>, protocol: &Protocol, engine: &mut E)
where
    P: Policy,
    E: Engine<'m>,
{
    let dst = &task.call.dst;
    if task.call.oob == GatherOob::Zero {
        clear_tile::<W, E>(dst, engine);
    }
    let table = NzTable::<W>::new(&task.call.table);
    let columns = dst.valid_col.get();
    match task.readings.nz_row_columns {
        NzRowColumns::Either | NzRowColumns::Moved | NzRowColumns::Duty => {
            nz_rows::<W, P, _, E>(table, task, protocol, engine);
        }
        NzRowColumns::Kept => {
            nz_rows::<W, P, _, E>(ValidColumns { table, columns }, task, protocol, engine);
        }
    }
}

#[inline(never)]
fn nz_rows<'m, const W: usize, P, S, E>(
    columns: S,
    task: &Task<'_>,
    protocol: &Protocol,
    engine: &mut E,
) where
    P: Policy,
    S: Columns,
    E: Engine<'m>,
{
    let (dst, dtype) = (&task.call.dst, task.call.table.dtype);
    for tile_row in 0..dst.valid_row.get() {
        let (operands, log) = engine.scalar();
        let index = &operands.index.view();
        let Some(table_row) = pick_row::<P>(task.indices, index, tile_row, log) else {
            continue;
        };
        let row = RowPair {
            table_row,
            tile_row,
            tile_rows: dst.rows,
        };
        for bursts in columns.row(row) {
            engine.issue(bursts.to_tile().into_ub::<W>());
            engine.take(Phase::Body, protocol.body, dtype);
        }
    }
}
