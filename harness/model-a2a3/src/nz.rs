//! NZ: blocks of 16 rows by 32 bytes (000 and 001, NZ Layout (A2/A3)).

use ptodiff_isa::GlobalTensor;

use crate::{dma::Transfer, port::narrow};

/// Rows of a fractal block (`FRACTAL_NZ_ROW`).
pub(crate) const FRACTAL_ROWS: u64 = 16;

/// Bytes of one row of a block (`C0_SIZE_BYTE`).
pub(crate) const C0_BYTES: u64 = 32;

/// Bytes of a block.
const BLOCK_BYTES: i128 = (FRACTAL_ROWS * C0_BYTES) as i128;

/// Byte offset, in an NZ tile of `rows` padded rows, of the 32 bytes of row
/// `row` in column block `block` (MSCATTER-NZ-12, MGATHER-NZ-06).
#[inline]
pub(crate) fn tile_offset(rows: u64, block: u64, row: u64) -> i128 {
    let column_of_blocks = i128::from(rows) * i128::from(C0_BYTES);
    i128::from(block) * column_of_blocks
        + i128::from(row / FRACTAL_ROWS) * BLOCK_BYTES
        + i128::from(row % FRACTAL_ROWS) * i128::from(C0_BYTES)
}

/// An NZ table of elements of `W` bytes.
pub(crate) struct NzTable<const W: usize> {
    /// Batches (`gShape0`).
    pub(crate) batches: u64,
    /// Column blocks of one batch (`gShape1`).
    pub(crate) blocks: u64,
    /// `gStride0` to `gStride3`, in bytes.
    stride: [i128; 4],
}

impl<const W: usize> NzTable<W> {
    /// Elements of one row of a block (`kC0`).
    pub(crate) const C0: u64 = C0_BYTES / W as u64;

    /// Reads the run-time geometry of `table` (MSCATTER-NZ-14, MGATHER-NZ-12).
    pub(crate) fn new(table: &GlobalTensor) -> Self {
        Self {
            blocks: table.shape[1].get(),
            batches: table.shape[0].get(),
            stride: std::array::from_fn(|d| i128::from(table.stride[d].get()) * W as i128),
        }
    }

    /// Byte offset of row `row` of the table in a batch and column block.
    ///
    /// Division truncates as in C++, which only an index taken for negative notices.
    #[inline]
    pub(crate) fn offset(&self, batch: i128, block: i128, row: i64) -> i128 {
        let fractal_rows = FRACTAL_ROWS as i64;
        batch * self.stride[0]
            + block * self.stride[1]
            + i128::from(row / fractal_rows) * self.stride[2]
            + i128::from(row % fractal_rows) * self.stride[3]
    }

    /// All column blocks of one batch of a logical row.
    #[inline]
    fn batch(&self, batch: u64, row: RowPair) -> RowBursts {
        let first_block = batch.saturating_mul(self.blocks);
        RowBursts {
            gm: narrow(self.offset(batch.into(), 0, row.table_row)),
            ub: narrow(tile_offset(row.tile_rows, first_block, row.tile_row)),
            n_burst: self.blocks,
            len_burst: C0_BYTES,
            gm_gap: narrow(self.stride[1] - i128::from(C0_BYTES)),
            ub_gap: narrow((i128::from(row.tile_rows) - 1) * i128::from(C0_BYTES)),
        }
    }
}

/// One logical row on both sides of a transfer.
#[derive(Clone, Copy)]
pub(crate) struct RowPair {
    /// Row of the table.
    pub(crate) table_row: i64,
    /// Row of the tile.
    pub(crate) tile_row: u64,
    /// Padded rows of the tile.
    pub(crate) tile_rows: u64,
}

/// Which columns of a logical row the kernel moves.
pub(crate) trait Columns {
    /// The transfers of one row.
    fn row(&self, row: RowPair) -> impl Iterator<Item = RowBursts>;
}

/// All of them, a transfer a batch, whatever `ValidCol` is.
impl<const W: usize> Columns for NzTable<W> {
    #[inline]
    fn row(&self, row: RowPair) -> impl Iterator<Item = RowBursts> {
        (0..self.batches).map(move |batch| self.batch(batch, row))
    }
}

/// The first columns only (`nz-row-columns=kept` of MSCATTER-GAP-22 and
/// MGATHER-GAP-57): a block that they fill in part is a transfer of its own.
pub(crate) struct ValidColumns<const W: usize> {
    /// The table.
    pub(crate) table: NzTable<W>,
    /// How many columns.
    pub(crate) columns: u64,
}

impl<const W: usize> Columns for ValidColumns<W> {
    fn row(&self, row: RowPair) -> impl Iterator<Item = RowBursts> {
        let c0 = NzTable::<W>::C0;
        let of_batch = self.table.blocks.saturating_mul(c0);
        (0..self.table.batches)
            .map_while(move |batch| {
                let before = batch.saturating_mul(of_batch);
                let columns = self.columns.saturating_sub(before).min(of_batch);
                (columns > 0).then(|| {
                    let (whole, rest) = (columns / c0, columns % c0);
                    let bursts = self.table.batch(batch, row);
                    [bursts.first(whole), bursts.part_of(whole, rest * W as u64)]
                })
            })
            .flatten()
            .filter(|bursts| bursts.n_burst > 0)
    }
}

/// Bursts of one batch of one NZ row.
#[derive(Clone, Copy)]
pub(crate) struct RowBursts {
    gm: i64,
    ub: i64,
    n_burst: u64,
    len_burst: u64,
    gm_gap: i64,
    ub_gap: i64,
}

impl RowBursts {
    /// The first `count` of them.
    fn first(self, count: u64) -> Self {
        Self {
            n_burst: count,
            ..self
        }
    }

    /// The first `bytes` bytes of burst number `burst`; no burst if those are none.
    fn part_of(self, burst: u64, bytes: u64) -> Self {
        let skip = |at: i64, gap: i64| {
            let step = i128::from(self.len_burst) + i128::from(gap);
            narrow(
                i128::from(burst)
                    .saturating_mul(step)
                    .saturating_add(at.into()),
            )
        };
        Self {
            gm: skip(self.gm, self.gm_gap),
            ub: skip(self.ub, self.ub_gap),
            n_burst: u64::from(bytes > 0),
            len_burst: bytes,
            gm_gap: 0,
            ub_gap: 0,
        }
    }

    /// The call that moves it to GM (MSCATTER-NZ-08).
    pub(crate) fn to_table(self) -> Transfer {
        Transfer {
            from: self.ub,
            to: self.gm,
            n_burst: self.n_burst,
            len_burst: self.len_burst,
            gm_gap: self.gm_gap,
            ub_gap: self.ub_gap,
        }
    }

    /// The call that fetches it from GM (MGATHER-PERF-02, -03).
    pub(crate) fn to_tile(self) -> Transfer {
        Transfer {
            from: self.gm,
            to: self.ub,
            ..self.to_table()
        }
    }
}
