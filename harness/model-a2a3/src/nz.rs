//! The NZ layout (000 and 001, NZ Layout): fractal blocks of 16 rows by 32 bytes.

use ptodiff_isa::{GlobalTensor, NzRowColumns, Tile};

use crate::{
    dma::{Dma, Transfer, Way},
    places::{byte, bytes, product, scaled, strided},
};

/// `C0_SIZE_BYTE`: bytes of one row of a block.
pub(crate) const C0_BYTES: u64 = 32;

/// `FRACTAL_NZ_ROW`: rows of one block.
pub(crate) const FRACTAL_ROWS: u64 = 16;

/// `TileConfig::fractalABSize`: bytes of one block.
pub(crate) const FRACTAL_BYTES: u64 = 512;

/// `kC0`: elements of one row of a block (MSCATTER-NZ-01).
pub(crate) const fn c0(size: usize) -> u64 {
    C0_BYTES / size as u64
}

/// Logical rows of an NZ table: gShape2 * 16 (MSCATTER-NZ-03, MSCATTER-CAP-05).
pub(crate) fn logical_rows(table: &GlobalTensor) -> i128 {
    product(&table.shape[2..3]) * i128::from(FRACTAL_ROWS)
}

/// Logical columns of an NZ table: gShape0 * gShape1 * kC0 (MSCATTER-NZ-03).
pub(crate) fn logical_cols(table: &GlobalTensor, size: usize) -> i128 {
    product(&table.shape[..2]) * i128::from(c0(size))
}

/// The byte of element (row, col) of an NZ tile:
/// `(c / kC0) * (Rows * kC0) + r * kC0 + c % kC0` elements (MSCATTER-NZ-12).
pub(crate) fn in_tile(tile: &Tile, row: u64, col: u64) -> i64 {
    let size = tile.dtype.size();
    let c0 = c0(size);
    let rows = scaled(col / c0, tile.rows).saturating_add(row.into());
    let element = rows
        .saturating_mul(c0.into())
        .saturating_add((col % c0).into());
    byte(element, size)
}

/// The element that slot `slot` of an NZ table is: logical row
/// `slot / nLogicalCols`, logical column `slot % nLogicalCols` (MSCATTER-INDEX-04).
pub(crate) fn slot(table: &GlobalTensor, slot: i128, size: usize) -> i128 {
    // A table without columns has no slot that could be selected.
    let cols = logical_cols(table, size).max(1);
    let (row, col) = (slot / cols, slot % cols);
    let c0 = i128::from(c0(size));
    let (block, blocks) = (col / c0, product(&table.shape[1..2]).max(1));
    block_row(table, row, block / blocks, block % blocks).saturating_add(col % c0)
}

/// The first element of a logical row in block `block` of the columns of an outer
/// batch (MScatterNZGmOffset, MGatherNZGmOffset; MSCATTER-GAP-25, MGATHER-GAP-22).
fn block_row(table: &GlobalTensor, row: i128, batch: i128, block: i128) -> i128 {
    let height = i128::from(FRACTAL_ROWS);
    let numbers = [batch, block, row / height, row % height];
    let parts = numbers.into_iter().zip(table.stride);
    parts.fold(0, |sum, (number, stride)| {
        sum.saturating_add(strided(number, stride))
    })
}

/// The transfers between a logical row of the table and a row of the tile: one
/// an outer batch, of gShape1 bursts of 32 bytes (MSCATTER-NZ-08, -09,
/// MGATHER-PERF-02, -03). Batch i has column blocks i * gShape1 and on of table
/// and tile (MSCATTER-GAP-24, MGATHER-GAP-21).
///
/// Under `nz-row-columns=kept` nothing from ValidCol on is moved: a batch is cut
/// short, and a block that is not valid as a whole has a transfer of its own
/// (MSCATTER-GAP-22, MGATHER-GAP-57).
pub(crate) fn row_transfers(
    way: Way,
    (table, table_row): (&GlobalTensor, i128),
    (tile, tile_row): (&Tile, u64),
    columns: NzRowColumns,
) -> impl Iterator<Item = Dma> {
    let (table, tile) = (*table, *tile);
    let size = tile.dtype.size();
    let (c0, blocks) = (c0(size), table.shape[1].get());
    let burst = move |batch: u64, block: u64, len: u64| {
        let element = block_row(&table, table_row, batch.into(), block.into());
        let block = scaled(batch, blocks).saturating_add(block.into());
        let line = block.saturating_mul(tile.rows.into());
        let line = line.saturating_add(tile_row.into());
        Transfer::burst(
            way,
            size,
            byte(element, size),
            byte(line, C0_BYTES as usize),
            len,
        )
    };
    let bursts = move |batch: u64, n_burst: u64| Transfer {
        n_burst,
        // (gStride1 - kC0) * sizeof(T) bytes; Rows - 1 blocks of 32 bytes.
        gm_gap: byte(strided(1, table.stride[1]) - i128::from(c0), size),
        ub_gap: byte(i128::from(tile.rows) - 1, C0_BYTES as usize),
        ..burst(batch, 0, C0_BYTES)
    };
    let transfers = (0..table.shape[0].get()).flat_map(move |batch| {
        if columns != NzRowColumns::Kept {
            return [Some(bursts(batch, blocks)), None];
        }
        let before = batch.saturating_mul(blocks).saturating_mul(c0);
        let left = tile.valid_col.get().saturating_sub(before);
        let whole = blocks.min(left / c0);
        let rest = if whole < blocks { left % c0 } else { 0 };
        let all = (whole > 0).then(|| bursts(batch, whole));
        let part = (rest > 0).then(|| burst(batch, whole, bytes(rest, size)));
        [all, part]
    });
    transfers.flatten().map(Dma::Transfer)
}
