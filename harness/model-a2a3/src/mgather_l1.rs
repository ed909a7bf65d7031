//! MGATHER into L1 (001, GM to L1 Gather): GM to an NZ tile through indices in GM.

use ptodiff_isa::{
    Coalesce::{Elem, Row},
    Event, Fault, GatherOob, L1IndexPitch, L1ScratchZero, MgatherL1, Readings,
    Role::{Destination, Index, Scratch, Table},
    Space::{Gm, L1},
};

use crate::{
    dma::{Clear, Dma, Nd2nz, Transfer, Way},
    engine::Core,
    handshake::{Phase, of_gather_l1},
    index::{INDEX_BYTES, Indices},
    nz, places,
};

/// Bytes of a cache line, counted from the first byte of the scratch (MGATHERL1-GAP-34).
const CACHE_LINE: u64 = 64;

/// Runs one call. There is one executor, the scalar one (MGATHERL1-EXEC-03).
///
/// # Errors
/// If no kernel exists for its index dtype, Elem has no scratch, or an operand is missing.
pub(crate) fn run(call: &MgatherL1, readings: &Readings, core: &mut Core<'_>) -> Result<(), Fault> {
    let (mode, table) = (call.mode, &call.table);
    let indices = Indices::new(call.idx.dtype, call.oob, mode, table, readings)?;
    let needed = match (call.mode, call.scratch) {
        (Row, None) => &[Destination, Table, Index][..],
        (_, Some(_)) => &[Destination, Table, Index, Scratch],
        // MGATHERL1-GAP-05.
        (Elem, None) => {
            return Err(Fault(
                "no kernel for Elem into L1 without scratch".to_owned(),
            ));
        }
    };
    core.bus().require(needed)?;
    match call.mode {
        Row => rows(call, readings, &indices, core),
        Elem => elements(call, readings, &indices, core),
    }
    Ok(())
}

/// Row: one nd2nz a row, straight from the table into the tile (MGATHERL1-PERF-01).
fn rows(call: &MgatherL1, readings: &Readings, indices: &Indices, core: &mut Core<'_>) {
    let size = call.dst.dtype.size();
    if call.oob == GatherOob::Zero {
        // MGATHERL1-OOB-02; on the queue of the transfers (MGATHERL1-SYNC-02).
        core.issue(Dma::Clear(Clear {
            name: Some("pto_create_cbuf_matrix"),
            space: L1,
            len: places::allocation(&call.dst),
        }));
    } else if !indices.has_slots() {
        // An empty table gives no value but the zeros of Zero (MGATHERL1-GAP-26).
        return;
    }
    for row in 0..call.dst.valid_row.get() {
        let at = index_at(call, readings, 0, row);
        let index = core.load(Gm, Index, at, INDEX_BYTES);
        let Some(from) = indices.select(index) else {
            continue;
        };
        // tableRowStride is GetStride(DIM_3) (MGATHERL1-TABLE-02, MGATHERL1-GAP-16).
        let from = places::strided(from, call.table.stride[3]);
        core.issue(Dma::Nd2nz(Nd2nz {
            size,
            table: places::byte(from, size),
            tile: nz::in_tile(&call.dst, row, 0),
            d_value: call.dst.valid_col.get(),
            c0_stride: call.dst.rows,
            padding: readings.l1_row_padding,
        }));
    }
}

/// Elem: the scalar pipe stages the NZ image in the scratch, and one copy moves
/// it whole (MGATHERL1-NZ-02, MGATHERL1-PERF-03).
fn elements(call: &MgatherL1, readings: &Readings, indices: &Indices, core: &mut Core<'_>) {
    let size = call.dst.dtype.size();
    let image = places::allocation(&call.dst);
    // MGATHERL1-SCRATCH-05, MGATHERL1-GAP-02.
    if call.oob == GatherOob::Zero || readings.l1_scratch_zero == L1ScratchZero::Always {
        core.fill(Gm, Scratch, image);
    }
    // The zeros of an empty table are there already (MGATHERL1-GAP-26).
    let rows = if indices.has_slots() {
        call.dst.valid_row.get()
    } else {
        0
    };
    // Row by row (MGATHERL1-GAP-31).
    for row in 0..rows {
        for col in 0..call.dst.valid_col.get() {
            let at = index_at(call, readings, row, col);
            let index = core.load(Gm, Index, at, INDEX_BYTES);
            let Some(slot) = indices.select(index) else {
                continue;
            };
            // The slot is the index, whatever the strides (MGATHERL1-GAP-27).
            let value = core.load(Gm, Table, places::byte(slot, size), size);
            core.store(Gm, Scratch, nz::in_tile(&call.dst, row, col), size, value);
        }
    }
    flush(image, core);
    core.take(Phase::Body, of_gather_l1(call.mode).body);
    let copy = Transfer::burst(Way::GmToL1, size, 0, 0, image);
    core.issue(Dma::Transfer(copy));
}

/// Where the index of (row, col) lies; in Row mode it is that of (0, row).
///
/// One after the other from the first one on, or at the tensor's strides
/// (MGATHERL1-GAP-03).
fn index_at(call: &MgatherL1, readings: &Readings, row: u64, col: u64) -> i64 {
    let element = match readings.l1_index_pitch {
        L1IndexPitch::Linear => {
            places::scaled(row, call.dst.valid_col.get()).saturating_add(col.into())
        }
        L1IndexPitch::Strided => {
            let [.., row_stride, col_stride] = call.idx.stride;
            let row = places::strided(row.into(), row_stride);
            row.saturating_add(places::strided(col.into(), col_stride))
        }
    };
    places::byte(element, INDEX_BYTES)
}

/// `dcci` on each cache line of the image and `dsb(DSB_DDR)`, before the copy
/// (MGATHERL1-CACHE-01). They show in a trace and change no byte.
fn flush(image: u64, core: &mut Core<'_>) {
    if !core.bus().traced() {
        return;
    }
    for start in (0..image).step_by(CACHE_LINE as usize) {
        core.bus().note(|| Event::Dcci {
            role: Scratch,
            offset: places::byte(start.into(), 1),
            len: CACHE_LINE.min(image - start),
        });
    }
    core.bus().note(|| Event::Dsb);
}
