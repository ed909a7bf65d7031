//! MSCATTER (000): UB to GM through an index tile.

use ptodiff_isa::{
    BurstTail,
    Coalesce::{Elem, Row},
    DType, Fault, Layout, Mscatter, NzElemOrder, Readings,
    Role::{Index, Source, Table},
    RowAddOrder, ScatterAtomicOp,
    Space::{Gm, Ub},
};
use ptodiff_memory::Combine;

use crate::{
    atomics,
    dma::{AddMode, Dma, Transfer, Way},
    engine::Core,
    handshake::{Phase, Protocol, of_scatter},
    index::{INDEX_BYTES, Indices},
    nothing_valid, nz, places,
};

/// Runs one call.
///
/// # Errors
/// If no kernel exists for its atomic or its index dtype, or an operand is missing.
pub(crate) fn run(call: &Mscatter, readings: &Readings, core: &mut Core<'_>) -> Result<(), Fault> {
    let sum = sum(call, readings)?;
    let (mode, table) = (call.mode, &call.table);
    let indices = Indices::new(call.idx.dtype, call.oob, mode, table, readings)?;
    core.bus().require(&[Table, Source, Index])?;
    if nothing_valid(&call.src) {
        return Ok(());
    }
    if let Some(sum) = sum {
        let size = call.src.dtype.size();
        core.set_up_add(call.table.dtype, AddMode { size, sum });
    }
    let protocol = of_scatter(call.mode, call.atomic);
    core.take(Phase::Before, protocol.before);
    match call.mode {
        // An empty table takes no write, and no index is read (MSCATTER-GAP-02).
        _ if !indices.has_slots() => {}
        Row => rows(call, readings, &indices, protocol, core),
        Elem => elements(call, readings, &indices, sum, core),
    }
    core.take(Phase::Reset, protocol.reset);
    core.take(Phase::After, protocol.after);
    Ok(())
}

/// The sum of Add; none for plain stores. A2/A3 has no Max and no Min
/// (MSCATTER-ATOM-10).
fn sum(call: &Mscatter, readings: &Readings) -> Result<Option<Combine>, Fault> {
    let sum = match call.atomic {
        ScatterAtomicOp::None => return Ok(None),
        ScatterAtomicOp::Add => atomics::sum_of(call.src.dtype, call.mode, readings),
        ScatterAtomicOp::Max | ScatterAtomicOp::Min => None,
    };
    let none = || format!("no kernel for {} with {}", call.atomic, call.src.dtype);
    sum.map(Some).ok_or_else(|| Fault(none()))
}

/// Row: one transfer of MTE3 a row; NZ: one a row and outer batch.
fn rows(
    call: &Mscatter,
    readings: &Readings,
    indices: &Indices,
    protocol: &Protocol,
    core: &mut Core<'_>,
) {
    let count = call.src.valid_row.get();
    let from_the_last = rows_in_reverse(call, readings);
    for k in 0..count {
        let row = if from_the_last { count - 1 - k } else { k };
        let at = places::in_nd(&call.idx, 0, row);
        let index = core.load(Ub, Index, at, INDEX_BYTES);
        // A dropped row has neither transfer nor flag (MSCATTER-OOB-06, MSCATTER-GAP-29).
        let Some(to) = indices.select(index) else {
            continue;
        };
        match call.table.layout {
            Layout::ND | Layout::DN => {
                core.issue(nd_row(call, readings, row, to));
                core.take(Phase::Body, protocol.body);
            }
            Layout::NZ => {
                let columns = readings.nz_row_columns;
                let (table, tile) = ((&call.table, to), (&call.src, row));
                for transfer in nz::row_transfers(Way::UbToGm, table, tile, columns) {
                    core.issue(transfer);
                    core.take(Phase::Body, protocol.body);
                }
            }
        }
    }
}

/// Where rows may be added in any order, they are added from the last one on. It
/// shows only where the order counts: for floats, and integers that saturate
/// (MSCATTER-GAP-07).
fn rows_in_reverse(call: &Mscatter, readings: &Readings) -> bool {
    let order_counts = match call.src.dtype {
        DType::Half | DType::Bfloat16 | DType::Float => true,
        _ => atomics::saturates(call.mode, readings),
    };
    call.atomic == ScatterAtomicOp::Add
        && readings.row_add_order == RowAddOrder::Any
        && order_counts
}

/// One burst of `validCol * sizeof(T)` bytes from a row of the tile to
/// `tablePtr + row * GetStride(DIM_3)` (MSCATTER-PERF-01, MSCATTER-TABLE-04).
fn nd_row(call: &Mscatter, readings: &Readings, row: u64, to: i128) -> Dma {
    let size = call.src.dtype.size();
    let gm = places::byte(places::row(&call.table, to, readings.outer_strides), size);
    let ub = places::in_nd(&call.src, row, 0);
    let len = places::bytes(call.src.valid_col.get(), size);
    // MSCATTER-GAP-28.
    let len = match readings.burst_tail {
        BurstTail::Exact | BurstTail::Precondition => len,
        BurstTail::Rounded => len.checked_next_multiple_of(32).unwrap_or(u64::MAX),
    };
    Dma::Transfer(Transfer::burst(Way::UbToGm, size, gm, ub, len))
}

/// Elem: the scalar pipe stores each element, or reads, adds and writes.
fn elements(
    call: &Mscatter,
    readings: &Readings,
    indices: &Indices,
    sum: Option<Combine>,
    core: &mut Core<'_>,
) {
    let size = call.src.dtype.size();
    let (rows, cols) = (call.src.valid_row.get(), call.src.valid_col.get());
    let is_nz = call.table.layout == Layout::NZ;
    // Column blocks come first in NZ (MSCATTER-NZ-13, MSCATTER-GAP-08).
    let block = match readings.nz_elem_order {
        NzElemOrder::Walk if is_nz => nz::c0(size),
        NzElemOrder::Walk | NzElemOrder::Coordinate => cols,
    };
    for (row, col) in places::walk(rows, cols, block) {
        let at = places::in_nd(&call.idx, row, col);
        let index = core.load(Ub, Index, at, INDEX_BYTES);
        let Some(slot) = indices.select(index) else {
            continue;
        };
        let (from, to) = match is_nz {
            true => (
                nz::in_tile(&call.src, row, col),
                nz::slot(&call.table, slot, size),
            ),
            false => (
                places::in_nd(&call.src, row, col),
                places::slot(&call.table, slot, readings.padded_elem),
            ),
        };
        let to = places::byte(to, size);
        let new = core.load(Ub, Source, from, size);
        let value = match sum {
            None => new,
            Some(sum) => sum(core.load(Gm, Table, to, size), new),
        };
        core.store(Gm, Table, to, size, value);
    }
}
