//! MGATHER (001): GM to UB through an index tile.

use ptodiff_isa::{
    Coalesce::{Elem, Row},
    Fault, GatherOob, Layout, Mgather, NdZeroFill, Readings,
    Role::{Destination, Index, Table},
    Space::{Gm, Ub},
};

use crate::{
    dma::{Clear, Dma, Transfer, Way},
    engine::Core,
    handshake::{Phase, of_gather},
    index::{INDEX_BYTES, Indices},
    nothing_valid, nz, places,
};

/// Runs one call.
///
/// # Errors
/// If no kernel exists for its index dtype, or an operand is missing.
pub(crate) fn run(call: &Mgather, readings: &Readings, core: &mut Core<'_>) -> Result<(), Fault> {
    let (mode, table) = (call.mode, &call.table);
    let indices = Indices::new(call.idx.dtype, call.oob, mode, table, readings)?;
    core.bus().require(&[Destination, Table, Index])?;
    if nothing_valid(&call.dst) {
        return Ok(());
    }
    let protocol = of_gather(call.mode);
    core.take(Phase::Before, protocol.before);
    match call.mode {
        // An empty table gives no value but the zeros of Zero (MGATHER-GAP-03).
        _ if !indices.has_slots() && call.oob != GatherOob::Zero => {}
        Row => rows(call, readings, &indices, core),
        Elem => elements(call, readings, &indices, core),
    }
    core.take(Phase::After, protocol.after);
    Ok(())
}

/// Row: one transfer of MTE2 a row; NZ: one a row and outer batch.
fn rows(call: &Mgather, readings: &Readings, indices: &Indices, core: &mut Core<'_>) {
    let size = call.dst.dtype.size();
    // NZ zeroes the whole tile once (MGATHER-OOB-13), ND each row out of bounds on
    // the scalar pipe, unless the reading has it do the same (MGATHER-GAP-19).
    let whole_tile = match call.table.layout {
        Layout::NZ => true,
        Layout::ND | Layout::DN => readings.nd_zero_fill == NdZeroFill::WholeTile,
    };
    let zero = call.oob == GatherOob::Zero;
    if zero && whole_tile {
        // On the queue of the transfers, hence before them without a flag (MGATHER-GAP-24).
        core.issue(Dma::Clear(Clear {
            name: None,
            space: Ub,
            len: places::allocation(&call.dst),
        }));
    }
    for row in 0..call.dst.valid_row.get() {
        let at = places::in_nd(&call.idx, 0, row);
        let index = core.load(Ub, Index, at, INDEX_BYTES);
        match (indices.select(index), call.table.layout) {
            (Some(from), Layout::ND | Layout::DN) => core.issue(nd_row(call, readings, from, row)),
            (Some(from), Layout::NZ) => {
                let columns = readings.nz_row_columns;
                let (table, tile) = ((&call.table, from), (&call.dst, row));
                for transfer in nz::row_transfers(Way::GmToUb, table, tile, columns) {
                    core.issue(transfer);
                }
            }
            (None, _) if zero && !whole_tile => {
                // ValidCol elements, no transfer (MGATHER-OOB-14).
                for col in 0..call.dst.valid_col.get() {
                    let at = places::in_nd(&call.dst, row, col);
                    core.store(Ub, Destination, at, size, 0);
                }
            }
            (None, _) => {}
        }
    }
}

/// One burst of `validCol * sizeof(T)` bytes from
/// `tablePtr + row * GetStride(DIM_3)` to a row of the tile (MGATHER-PERF-01).
/// It writes exactly its length (MGATHER-GAP-18, -70).
fn nd_row(call: &Mgather, readings: &Readings, from: i128, row: u64) -> Dma {
    let size = call.dst.dtype.size();
    let gm = places::byte(places::row(&call.table, from, readings.outer_strides), size);
    let ub = places::in_nd(&call.dst, row, 0);
    let len = places::bytes(call.dst.valid_col.get(), size);
    Dma::Transfer(Transfer::burst(Way::GmToUb, size, gm, ub, len))
}

/// Elem: the scalar pipe loads and stores each element.
fn elements(call: &Mgather, readings: &Readings, indices: &Indices, core: &mut Core<'_>) {
    let size = call.dst.dtype.size();
    let (rows, cols) = (call.dst.valid_row.get(), call.dst.valid_col.get());
    let is_nz = call.table.layout == Layout::NZ;
    // Column blocks come first in NZ (MGATHER-NZ-13).
    let block = if is_nz { nz::c0(size) } else { cols };
    for (row, col) in places::walk(rows, cols, block) {
        let at = places::in_nd(&call.idx, row, col);
        let index = core.load(Ub, Index, at, INDEX_BYTES);
        let value = match indices.select(index) {
            Some(slot) => {
                let from = match is_nz {
                    true => nz::slot(&call.table, slot, size),
                    false => places::slot(&call.table, slot, readings.padded_elem),
                };
                core.load(Gm, Table, places::byte(from, size), size)
            }
            // Zero goes through the same store (MGATHER-OOB-16).
            None if call.oob == GatherOob::Zero => 0,
            None => continue,
        };
        let to = match is_nz {
            true => nz::in_tile(&call.dst, row, col),
            false => places::in_nd(&call.dst, row, col),
        };
        core.store(Ub, Destination, to, size, value);
    }
}
