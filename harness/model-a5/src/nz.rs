//! The NZ image of a tile in L1, and of the scratch in GM that becomes it (001,
//! GM to L1 Gather, Algorithm).

use ptodiff_isa::Role::{Destination, Scratch};
use ptodiff_isa::{Event, Space, Tile};
use ptodiff_memory::Bus;

use crate::cache::LINE;
use crate::plan;

/// `C0_SIZE_BYTE`.
const C0_BYTES: usize = 32;

/// Elements in NZ order: columns in units of kC0, each as high as the tile.
#[derive(Clone, Copy)]
pub(crate) struct NzImage {
    /// Padded rows of the tile.
    rows: u64,
    /// Elements, padding included.
    pub(crate) count: u64,
    /// `kC0` (NZ-01).
    pub(crate) c0: u64,
    /// Bytes of an element.
    size: usize,
}

impl NzImage {
    pub(crate) fn of(tile: &Tile) -> Self {
        let size = tile.dtype.size();
        Self {
            rows: tile.rows,
            count: tile.rows.saturating_mul(tile.cols),
            c0: (C0_BYTES / size) as u64,
            size,
        }
    }

    /// Byte offset of `(c / kC0) * (Rows * kC0) + r * kC0 + (c % kC0)` (NZ-02).
    pub(crate) fn at(self, (row, col): (u64, u64)) -> i64 {
        let unit = i128::from(col / self.c0) * i128::from(self.rows) + i128::from(row);
        let element = unit * i128::from(self.c0) + i128::from(col % self.c0);
        plan::element_at(element, self.size)
    }

    /// The row and the column that stand at a linear offset (EXEC-08).
    pub(crate) fn position(self, offset: u64) -> (u64, u64) {
        let unit_column = offset / (self.rows * self.c0);
        let row = offset % (self.rows * self.c0) / self.c0;
        (row, unit_column * self.c0 + offset % self.c0)
    }

    /// Zeroes the scratch, element after element by the scalar pipe.
    pub(crate) fn zero_scratch(self, bus: &mut Bus<'_>) {
        bus.note(|| Event::Fill {
            name: None,
            space: Space::Gm,
            role: Scratch,
            offset: 0,
            len: self.bytes(),
        });
        for offset in 0..self.count {
            let at = plan::element_at(offset.into(), self.size);
            bus.write(Scratch, at, self.size, 0);
        }
    }

    /// `dcci` on each line of the image, then `dsb(DSB_DDR)` (CACHE-01, -02, GAP-34).
    pub(crate) fn flush_scratch(self, bus: &mut Bus<'_>) {
        let bytes = self.bytes();
        for line in (0..bytes).step_by(LINE) {
            bus.note(|| Event::Dcci {
                role: Scratch,
                offset: line as i64,
                len: (bytes - line).min(LINE as u64),
            });
        }
        bus.note(|| Event::Dsb);
    }

    /// One contiguous transfer of the whole image to L1 (PERF-03, EXEC-10).
    pub(crate) fn copy_to_l1(self, name: &str, bus: &mut Bus<'_>) {
        bus.note(|| Event::Dma {
            name: name.to_owned(),
            from: (Scratch, 0),
            to: (Destination, 0),
            n_burst: 1,
            len_burst: self.bytes(),
            gm_gap: 0,
            ub_gap: 0,
        });
        for offset in 0..self.count {
            let at = plan::element_at(offset.into(), self.size);
            let value = bus.read(Scratch, at, self.size);
            bus.write(Destination, at, self.size, value);
        }
    }

    /// Bytes of the whole image.
    pub(crate) fn bytes(self) -> u64 {
        self.count.saturating_mul(self.size as u64)
    }
}
