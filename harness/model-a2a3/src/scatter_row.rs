//! MSCATTER Row: a DMA to GM for every row, or every row and batch.

use ptodiff_isa::{BurstTail, NzRowColumns};
use pulp::Arch;

use crate::{
    bursts::{Bursts, span_mut},
    combine::{Combine, Replace},
    dma::{Transfer, byte_pitch},
    engine::Engine,
    handshake::{Phase, Protocol},
    nz::{Columns, NzTable, RowPair, ValidColumns},
    remap::{INDEX_BYTES, Indices, Policy, pick_row},
    scatter::{Task, last_row_first},
    strided::{self, Near, Pitched, Rows},
};

/// What an aligned copy moves at a time.
const CHUNK: u64 = 32;

/// ND: one burst of `ValidCol` elements a row (MSCATTER-PERF-01), to where the
/// strides put it (reading of MSCATTER-GAP-16).
pub(crate) fn nd<'m, const W: usize, C, P, E>(task: &Task<'_>, protocol: &Protocol, engine: &mut E)
where
    C: Combine<W>,
    P: Policy,
    E: Engine<'m>,
{
    let table = &task.call.table;
    match strided::split_rows::<W>(table, task.readings.outer_strides) {
        None => nd_rows::<W, C, P, _, E>(Pitched::new::<W>(table), task, protocol, engine),
        Some(rows) => nd_rows::<W, C, P, _, E>(rows, task, protocol, engine),
    }
}

#[inline(never)]
fn nd_rows<'m, const W: usize, C, P, R, E>(
    rows: R,
    task: &Task<'_>,
    protocol: &Protocol,
    engine: &mut E,
) where
    C: Combine<W>,
    P: Policy,
    R: Rows,
    E: Engine<'m>,
{
    let src = &task.call.src;
    let len_burst = len_burst::<W>(src.valid_col.get(), task.readings.burst_tail);
    let dtype = task.call.table.dtype;
    let tile_pitch = byte_pitch::<W>(src.cols);
    for row in rows_in_order(task).skip(task.done) {
        let (operands, log) = engine.scalar();
        let Some(table_row) = pick_row::<P>(task.indices, &operands.index.view(), row, log) else {
            continue;
        };
        let transfer = Transfer {
            from: (row as i64).saturating_mul(tile_pitch),
            to: rows.offset(table_row),
            n_burst: 1,
            len_burst,
            gm_gap: 0,
            ub_gap: 0,
        };
        engine.issue(transfer.into_gm::<W, C>());
        engine.take(Phase::Body, protocol.body, dtype);
    }
}

/// [`moved`] for rows wherever they are.
#[inline(never)]
pub(crate) fn inside<const W: usize, C, P, R>(
    at: &R,
    rows: &Bursts,
    bits: &[[u8; INDEX_BYTES]],
    source: &[u8],
    table: &mut [u8],
) -> usize
where
    C: Combine<W>,
    P: Policy,
    R: Rows,
{
    moved::<W, C, P, R>(at, rows, bits, source, table)
}

/// [`moved`] for near rows.
#[inline(always)]
pub(crate) fn near<const W: usize, C: Combine<W>, P: Policy>(
    at: &Near,
    rows: &Bursts,
    bits: &[[u8; INDEX_BYTES]],
    source: &[u8],
    table: &mut [u8],
) -> usize {
    if C::READS {
        sums::<W, C, P>(at, rows, bits, source, table)
    } else {
        copies::<P>(at, rows, bits, source, table)
    }
}

/// Copies are alike for elements of all sizes.
#[inline(never)]
fn copies<P: Policy>(
    at: &Near,
    rows: &Bursts,
    bits: &[[u8; INDEX_BYTES]],
    source: &[u8],
    table: &mut [u8],
) -> usize {
    rows.copied(
        #[inline(always)]
        |rows| moved::<1, Replace, P, _>(at, &rows, bits, source, table),
    )
}

/// Sums are made in the widest registers that the machine has.
#[inline(never)]
fn sums<const W: usize, C: Combine<W>, P: Policy>(
    at: &Near,
    rows: &Bursts,
    bits: &[[u8; INDEX_BYTES]],
    source: &[u8],
    table: &mut [u8],
) -> usize {
    Arch::new().dispatch(
        #[inline(always)]
        || moved::<W, C, P, _>(at, rows, bits, source, table),
    )
}

/// Moves each row of `source` to the row of `table` that one of `bits` selects,
/// first row first, until one does not lie in its operands, and gives how many
/// came before. No index is negative.
#[inline(always)]
fn moved<const W: usize, C, P, R>(
    at: &R,
    rows: &Bursts,
    bits: &[[u8; INDEX_BYTES]],
    source: &[u8],
    table: &mut [u8],
) -> usize
where
    C: Combine<W>,
    P: Policy,
    R: Rows,
{
    let indices = Indices::within(rows.capacity);
    let mut lines = source.chunks_exact(rows.tile_pitch.get());
    let mut left = bits;
    while let Some((&first, after)) = left.split_first() {
        let Some(values) = lines.next().and_then(|line| line.get(..rows.len)) else {
            break;
        };
        if let Some(table_row) = P::pick(indices, indices.decode(first)) {
            let Some(slots) = span_mut(table, at.offset(table_row), rows.len) else {
                break;
            };
            C::combine_all(slots, values);
        }
        left = after;
    }
    bits.len() - left.len()
}

/// Bytes of the burst of `columns` elements (reading of MSCATTER-GAP-28). What
/// rounding adds is the padding of the tile's row, which ends on a chunk
/// (MSCATTER-ALIGN-01).
pub(crate) fn len_burst<const W: usize>(columns: u64, reading: BurstTail) -> u64 {
    let bytes = columns.saturating_mul(W as u64);
    match reading {
        BurstTail::Exact | BurstTail::Duty => bytes,
        BurstTail::Rounded => bytes.div_ceil(CHUNK).saturating_mul(CHUNK),
    }
}

/// The tile's rows in the order in which they reach GM.
fn rows_in_order(task: &Task<'_>) -> impl Iterator<Item = u64> + use<> {
    let count = task.call.src.valid_row.get();
    // Stepped instead of reversed: one loop serves both orders, without a choice.
    let (first, step) = if last_row_first(task.call, task.readings) {
        (count.wrapping_sub(1), u64::MAX)
    } else {
        (0, 1)
    };
    (0..count).map(move |k: u64| first.wrapping_add(k.wrapping_mul(step)))
}

/// NZ: a burst for each column block of a batch (MSCATTER-NZ-08 to -11), or for
/// those alone that hold valid columns (reading of MSCATTER-GAP-22).
pub(crate) fn nz<'m, const W: usize, C, P, E>(task: &Task<'_>, protocol: &Protocol, engine: &mut E)
where
    C: Combine<W>,
    P: Policy,
    E: Engine<'m>,
{
    let table = NzTable::<W>::new(&task.call.table);
    let columns = task.call.src.valid_col.get();
    match task.readings.nz_row_columns {
        NzRowColumns::Either | NzRowColumns::Moved | NzRowColumns::Duty => {
            nz_rows::<W, C, P, _, E>(table, task, protocol, engine);
        }
        NzRowColumns::Kept => {
            nz_rows::<W, C, P, _, E>(ValidColumns { table, columns }, task, protocol, engine);
        }
    }
}

#[inline(never)]
fn nz_rows<'m, const W: usize, C, P, S, E>(
    columns: S,
    task: &Task<'_>,
    protocol: &Protocol,
    engine: &mut E,
) where
    C: Combine<W>,
    P: Policy,
    S: Columns,
    E: Engine<'m>,
{
    let (src, dtype) = (&task.call.src, task.call.table.dtype);
    for tile_row in rows_in_order(task) {
        let (operands, log) = engine.scalar();
        let index = &operands.index.view();
        let Some(table_row) = pick_row::<P>(task.indices, index, tile_row, log) else {
            continue;
        };
        let row = RowPair {
            table_row,
            tile_row,
            tile_rows: src.rows,
        };
        for bursts in columns.row(row) {
            engine.issue(bursts.to_table().into_gm::<W, C>());
            engine.take(Phase::Body, protocol.body, dtype);
        }
    }
}
