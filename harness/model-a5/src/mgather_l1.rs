//! MGATHER, GM to L1 (001, GM to L1 Gather).

use ptodiff_isa::Role::{Destination, Index, Scratch, Table};
use ptodiff_isa::Space::{Gm, L1};
use ptodiff_isa::{
    Coalesce, Core, End, Event, Fault, GatherExec, GatherOob, GlobalTensor, How, L1IndexPitch,
    L1RowPadding, L1ScratchZero, MgatherL1, Pipe, Serves,
};
use ptodiff_memory::Bus;

use crate::index::{Indices, Selected};
use crate::launch::{Grid, async_invoke};
use crate::nz::NzImage;
use crate::plan::{self, Extent, INDEX_SIZE};
use crate::schedule::order;

/// Runs one call.
pub(crate) fn run(call: &MgatherL1, how: &How, bus: &mut Bus<'_>) -> Result<End, Fault> {
    let (size, readings) = (call.dst.dtype.size(), &how.readings);
    // CAP-01 and CAP-02: Row counts Shape[0] to Shape[3], on A5 too.
    let capacity = match call.mode {
        Coalesce::Row => plan::product(&call.table.shape[..4]),
        Coalesce::Elem => plan::table_size(&call.table),
    };
    let indices = Indices::new(call.idx.dtype, readings.negative_index, capacity)?;
    let gather = Gather {
        call,
        how,
        image: NzImage::of(&call.dst),
        valid: Extent::valid(&call.dst)?,
        size,
        indices: indices.counting(call.mode, readings.index_unit, size),
    };
    match (call.mode, call.exec) {
        (Coalesce::Row, _) => Ok(gather.rows(bus)),
        (Coalesce::Elem, exec) => {
            bus.require(&[Scratch])?;
            // All of the image is staged, padding included.
            Extent::padded(&call.dst)?;
            match exec {
                GatherExec::Scalar => Ok(gather.scalar(bus)),
                GatherExec::Simt => Ok(gather.simt(bus)),
            }
        }
    }
}

/// A gather, with what is the same in both modes.
struct Gather<'c> {
    call: &'c MgatherL1,
    how: &'c How,
    image: NzImage,
    /// What is gathered.
    valid: Extent,
    /// Bytes of an element.
    size: usize,
    indices: Indices,
}

impl Gather<'_> {
    /// Row mode: one nd2nz transfer a row, from the table row to the NZ slot, all on
    /// the cube core (PERF-01, SYNC-04).
    fn rows(&self, bus: &mut Bus<'_>) -> End {
        let MgatherL1 { dst, oob, .. } = self.call;
        bus.note(|| Event::Core(Core::Aic));
        if *oob == GatherOob::Zero {
            // OOB-02, before the transfers (GAP-20).
            let name = Some("pto_create_cbuf_matrix");
            bus.fill(name, L1, Destination, 0, self.image.bytes());
        }
        // PERF-05. A column of units is as high as the tile.
        let c0_stride = dst.rows;
        bus.note(|| Event::SetMte2NzPara { c0_stride });
        // GAP-30: without columns there are no rows.
        for row in 0..self.valid.rows {
            // Row r has index [0, r].
            if let Selected::Slot(from) = self.select((0, row), bus) {
                self.nd2nz(from, row, bus);
            }
        }
        End::Finished
    }

    /// Moves ValidCol elements of a table row (GAP-17) to `dstBase + r * kC0` (NZ-03).
    fn nd2nz(&self, from: i64, row: u64, bus: &mut Bus<'_>) {
        let MgatherL1 { dst, table, .. } = self.call;
        let cols = self.valid.cols;
        // TABLE-02: rows lie GetStride(DIM_3) apart.
        let from = |col| plan::row_at(from, table.stride[3].get(), col, self.size);
        let to = |col| self.image.at((row, col));
        bus.note(|| Event::Nd2nz {
            name: "copy_gm_to_cbuf_multi_nd2nz".to_owned(),
            from: (Table, from(0)),
            to: (Destination, to(0)),
            n_value: 1,
            d_value: cols,
            c0_stride: dst.rows,
            arguments: None,
        });
        for col in 0..cols {
            let value = bus.read(Table, from(col), self.size);
            bus.write(Destination, to(col), self.size, value);
        }
        // GAP-01: the rest of the last unit of 32 bytes.
        let tail_is_zero = match self.how.readings.l1_row_padding {
            L1RowPadding::TailZero | L1RowPadding::Undefined => true,
            L1RowPadding::Kept => false,
        };
        if tail_is_zero {
            for col in cols..cols.next_multiple_of(self.image.c0) {
                bus.write(Destination, to(col), self.size, 0);
            }
        }
    }

    /// Elem mode, the scalar executor: the cube core fills the scratch (SEM-02,
    /// SYNC-04, EXEC-02).
    fn scalar(&self, bus: &mut Bus<'_>) -> End {
        bus.note(|| Event::Core(Core::Aic));
        let zeroes = self.how.readings.l1_scratch_zero == L1ScratchZero::Always
            || self.call.oob == GatherOob::Zero;
        if zeroes {
            // SCRATCH-05, GAP-02.
            self.image.zero_scratch(bus);
        }
        // GAP-31: row by row.
        for item in 0..self.valid.count() {
            let position = self.valid.position(item as u32);
            // A lane that selects nothing is not stored: it stays as it was zeroed.
            if let Selected::Slot(from) = self.select(position, bus) {
                let from = plan::element_at(from.into(), self.size);
                let value = bus.load(Gm, Table, from, self.size);
                bus.store(Gm, Scratch, self.image.at(position), self.size, value);
            }
        }
        self.image.flush_scratch(bus);
        let name = "pto_copy_gm_to_cbuf_align_v2";
        self.image.copy_to_l1(name, bus);
        End::Finished
    }

    /// Elem mode, the SIMT executor: lanes of the vector core fill all of the
    /// scratch, then the cube core copies it (EXEC-06 to -10).
    fn simt(&self, bus: &mut Bus<'_>) -> End {
        // EXEC-09: one subcore launches.
        bus.note(|| Event::Core(Core::Aiv));
        let kernel = "simt_mgather_l1_elem_kernel";
        let grid = Grid::items(self.image.count, Serves::Offset);
        // GAP-22: a direct dispatch hangs here, too.
        let dispatch = self.call.launch.dispatch;
        if async_invoke(kernel, Coalesce::Elem, &grid, dispatch, bus) == End::Hung {
            return End::Hung;
        }
        for offset in order(&grid, self.how.schedule) {
            // EXEC-08: a lane stores where it stands.
            let (row, col) = self.image.position(offset.into());
            let selected = if row < self.valid.rows && col < self.valid.cols {
                self.select((row, col), bus)
            } else {
                // EXEC-07: padding.
                Selected::Zero
            };
            let at = |element| plan::element_at(element, self.size);
            if let Some(value) = selected.load(bus, self.size, |slot| at(slot.into())) {
                bus.store(Gm, Scratch, at(offset.into()), self.size, value);
            }
        }
        self.image.flush_scratch(bus);
        // SYNC-05, with an id of its own (GAP-13).
        let id = 0;
        bus.note(|| Event::SetIntraBlock { pipe: Pipe::S, id });
        bus.note(|| Event::Core(Core::Aic));
        bus.note(|| Event::WaitIntraBlock {
            pipe: Pipe::MTE2,
            id,
        });
        self.image.copy_to_l1("copy_gm_to_cbuf", bus);
        End::Finished
    }

    /// Loads the index of an element, or of a row, and applies the policy (OOB-01).
    fn select(&self, (row, col): (u64, u64), bus: &mut Bus<'_>) -> Selected {
        if self.indices.give_nothing(self.call.oob) {
            return Selected::Nothing;
        }
        let at = match self.how.readings.l1_index_pitch {
            // INDEX-02, GAP-03.
            L1IndexPitch::Linear => plan::row_at(row as i64, self.valid.cols, col, INDEX_SIZE),
            L1IndexPitch::Strided => strided_at(&self.call.idx, row, col),
        };
        let bits = bus.load(Gm, Index, at, INDEX_SIZE);
        self.indices.gather(self.call.oob, bits)
    }
}

/// `r * GetStride(DIM_3) + c * GetStride(DIM_4)` (GAP-03).
fn strided_at(idx: &GlobalTensor, row: u64, col: u64) -> i64 {
    let [_, _, _, row_stride, col_stride] = idx.stride.map(|stride| i128::from(stride.get()));
    let element = i128::from(row) * row_stride + i128::from(col) * col_stride;
    plan::element_at(element, INDEX_SIZE)
}
