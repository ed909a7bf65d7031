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

    /// The transfers of one logical row, one a batch: table row `table_row` on
    /// the side of GM, row `tile_row` of a tile of `tile_rows` padded rows on
    /// the side of UB. Gives byte offsets in GM and UB and the rest of the call.
    pub(crate) fn row(
        &self,
        table_row: i64,
        tile_rows: u64,
        tile_row: u64,
    ) -> impl Iterator<Item = RowBursts> {
        let bursts = self.blocks;
        (0..self.batches).map(move |batch| RowBursts {
            gm: narrow(self.offset(batch.into(), 0, table_row)),
            ub: narrow(tile_offset(
                tile_rows,
                batch.saturating_mul(bursts),
                tile_row,
            )),
            n_burst: bursts,
            gm_gap: narrow(self.stride[1] - i128::from(C0_BYTES)),
            ub_gap: narrow((i128::from(tile_rows) - 1) * i128::from(C0_BYTES)),
        })
    }
}

/// One batch of one NZ row.
pub(crate) struct RowBursts {
    gm: i64,
    ub: i64,
    n_burst: u64,
    gm_gap: i64,
    ub_gap: i64,
}

impl RowBursts {
    /// The call that moves it to GM (MSCATTER-NZ-08).
    pub(crate) fn to_table(&self) -> Transfer {
        Transfer {
            from: self.ub,
            to: self.gm,
            n_burst: self.n_burst,
            len_burst: C0_BYTES,
            gm_gap: self.gm_gap,
            ub_gap: self.ub_gap,
        }
    }

    /// The call that fetches it from GM (MGATHER-PERF-02, -03).
    pub(crate) fn to_tile(&self) -> Transfer {
        Transfer {
            from: self.gm,
            to: self.ub,
            ..self.to_table()
        }
    }
}
