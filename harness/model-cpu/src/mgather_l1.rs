//! MGATHER from GM to L1 (001, GM to L1 Gather), which the section does not give
//! to CPU. The suites drive it there (MGATHERL1-GAP-14): policies and bounds as
//! for gathers to UB, the tile in NZ order, the index a tensor in GM. The
//! scratch stays as it is, and the executor makes no difference.

use ptodiff_isa::Space::{Gm, L1};
use ptodiff_isa::{Coalesce, L1IndexPitch, MgatherL1, Readings};
use ptodiff_memory::Bus;

use crate::mgather::deliver;
use crate::{index, place};

/// Walks ValidRow x ValidCol of the destination; its padding is kept.
pub(crate) fn run(call: &MgatherL1, readings: &Readings, bus: &mut Bus<'_>) {
    let MgatherL1 {
        dst, table, idx, ..
    } = call;
    for r in 0..dst.valid_row.get() {
        match call.mode {
            Coalesce::Row => {
                let at = place::element(row_index(call, readings, r), idx.dtype);
                let index = index::load_uint32(bus, Gm, idx.dtype, at);
                let row = index::select_for_gather(call.oob, index, place::table_rows(table));
                let pitch = place::table_width(table);
                for c in 0..dst.valid_col.get() {
                    let element = row.in_row(|row| place::linear(row, pitch, c));
                    deliver(bus, table, element, dst, (L1, place::in_nz_tile(dst, r, c)));
                }
            }
            Coalesce::Elem => {
                let capacity = place::table_size(table);
                for c in 0..dst.valid_col.get() {
                    let at = place::element(element_index(call, readings, r, c), idx.dtype);
                    let index = index::load_of_element(bus, (Gm, at), idx.dtype, table, readings);
                    let element = index::select_for_gather(call.oob, index, capacity);
                    deliver(bus, table, element, dst, (L1, place::in_nz_tile(dst, r, c)));
                }
            }
        }
    }
}

/// The element of the index tensor that is `idx[r]` (MGATHERL1-GAP-03).
fn row_index(call: &MgatherL1, readings: &Readings, r: u64) -> u64 {
    match readings.l1_index_pitch {
        L1IndexPitch::Linear => r,
        L1IndexPitch::Strided => r.saturating_mul(call.idx.stride[4].get()),
    }
}

/// The element of the index tensor that is `idx[r, c]` (MGATHERL1-GAP-03).
fn element_index(call: &MgatherL1, readings: &Readings, r: u64, c: u64) -> u64 {
    match readings.l1_index_pitch {
        L1IndexPitch::Linear => place::linear(r, call.dst.valid_col.get(), c),
        L1IndexPitch::Strided => {
            let [.., down, across] = call.idx.stride.map(|stride| stride.get());
            place::linear(r, down, c.saturating_mul(across))
        }
    }
}
