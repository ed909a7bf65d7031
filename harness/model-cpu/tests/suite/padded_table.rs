//! Row gathers from a table whose rows lie further apart than they are wide
//! (MGATHER-GAP-08).

use ptodiff_isa::{
    Call, Coalesce, CpuForm, CpuPaddedTable, DType, Dim, Event, GatherExec, GatherOob,
    GlobalTensor, Launch, Mgather, MgatherL1, OobAccess, Readings, Role, Tile, TileType,
};

use crate::common::{
    col_major, counted, flat, full, gather, gather_memory, i32s, made, rows, run_under, scatter,
    scatter_memory, tile, to_i32s,
};

use Coalesce::{Elem, Row};
use CpuPaddedTable::{Precondition, Strided};
use GatherOob::{Clamp, Undefined, Wrap, Zero};

/// Elements from the first of a table to the last of its last row.
const SIZE: usize = 3 * 16 + 8;

/// Four rows of eight, `DIM_3` 16 apart; the outer strides would take one
/// elsewhere.
fn padded() -> GlobalTensor {
    let mut table = rows(DType::Int32, 4, 8);
    table.stride = [1000, 1000, 1000, 16, 1].map(Dim::Static);
    table
}

fn under(cpu_padded_table: CpuPaddedTable) -> Readings {
    Readings {
        cpu_padded_table,
        ..Readings::default()
    }
}

/// Gathers from the padded table, whose elements are their own numbers, into
/// a tile of -5.
fn gathered(reading: CpuPaddedTable, call: &Mgather, idx: &[i32]) -> Vec<i32> {
    let size = (call.dst.rows * call.dst.cols) as usize;
    let memory = gather_memory(&i32s(&vec![-5; size]), &counted(0, SIZE), &i32s(idx));
    to_i32s(&made(under(reading), &Call::Mgather(*call), &memory))
}

fn by_row(oob: GatherOob, dst: Tile, count: u64) -> Mgather {
    gather(Row, oob, dst, padded(), full(DType::Int32, [1, count]))
}

#[test]
fn a_row_is_where_the_stride_of_dimension_3_says() {
    let call = by_row(Undefined, full(DType::Int32, [1, 8]), 1);
    let from = |first: i32| (first..first + 8).collect::<Vec<_>>();
    assert_eq!(gathered(Strided, &call, &[1]), from(16));
    assert_eq!(gathered(Strided, &call, &[3]), from(48));
    assert_eq!(gathered(Precondition, &call, &[1]), from(8));

    let mut dynamic = call;
    dynamic.table.stride[3] = Dim::Dynamic(16);
    assert_eq!(gathered(Strided, &dynamic, &[2]), from(32));
    // A packed table is no other under either choice.
    let mut packed = call;
    packed.table.stride[3] = Dim::Static(8);
    for reading in [Precondition, Strided] {
        assert_eq!(gathered(reading, &packed, &[2]), from(16));
    }
}

// The capacity is Shape[3] all the same (MGATHER-CAP-01).
#[test]
fn the_bounds_stay_those_of_the_shape() {
    let firsts = |oob, idx: &[i32]| -> Vec<i32> {
        let count = idx.len() as u64;
        let call = by_row(oob, full(DType::Int32, [count, 8]), count);
        let out = gathered(Strided, &call, idx);
        out.iter().step_by(8).copied().collect()
    };
    assert_eq!(firsts(Undefined, &[3, 0, 2, 1]), [48, 0, 32, 16]);
    assert_eq!(firsts(Clamp, &[4, 3, -1]), [48, 48, 48]);
    assert_eq!(firsts(Wrap, &[4, 7, 1]), [0, 48, 16]);
    assert_eq!(firsts(Zero, &[4, 1, -1]), [0, 16, 0]);
}

// ValidCol 3 of 8; the padding of the tile stays.
#[test]
fn a_narrow_tile_takes_the_first_columns() {
    let dst = tile(DType::Int32, [2, 4], [2, 3]);
    let call = by_row(Undefined, dst, 2);
    let expected = [32, 33, 34, -5, 16, 17, 18, -5];
    assert_eq!(gathered(Strided, &call, &[2, 1]), expected);
    let call = Mgather {
        dst: col_major(dst),
        idx: full(DType::Int32, [2, 1]),
        ..call
    };
    // Rows 2 high, so column after column, the last one padding.
    let expected = [32, 16, 33, 17, 34, 18, -5, -5];
    assert_eq!(gathered(Strided, &call, &[2, 1]), expected);
}

// Row 4 begins 256 bytes from a table of 224.
#[test]
fn the_trace_and_the_oob_accesses_show_the_addresses() {
    let call = Call::Mgather(by_row(Undefined, full(DType::Int32, [2, 1]), 2));
    for trace in [false, true] {
        let memory = gather_memory(&i32s(&[0; 2]), &counted(0, SIZE), &i32s(&[3, 4]));
        let log = run_under(under(Strided), &call, memory, trace).log;
        let read = OobAccess {
            role: Role::Table,
            offset: 256,
            len: 4,
            write: false,
        };
        assert_eq!(log.oob_accesses.first, [read]);
        let table_loads = log.trace.map(|events| {
            let offsets = events.into_iter().filter_map(|event| match event {
                Event::Load {
                    role: Role::Table,
                    offset,
                    ..
                } => Some(offset),
                _ => None,
            });
            offsets.collect::<Vec<_>>()
        });
        assert_eq!(table_loads, trace.then(|| vec![192, 256]));
    }
}

// MGATHER-GAP-07: an element is a number in the flat table, pads included.
#[test]
fn an_element_index_stays_flat() {
    let two = full(DType::Int32, [1, 2]);
    let call = gather(Elem, Zero, two, padded(), two);
    assert_eq!(gathered(Strided, &call, &[8, 31]), [8, 31]);
    assert_eq!(gathered(Strided, &call, &[32, 1]), [0, 1]);
}

// MGATHERL1-GAP-14: into L1 the pitch is Shape[4].
#[test]
fn a_gather_to_l1_reads_no_stride() {
    let call = Call::MgatherL1(MgatherL1 {
        dst: Tile {
            location: TileType::Mat,
            ..full(DType::Int32, [1, 8])
        },
        table: padded(),
        idx: flat(DType::Int32, 1),
        scratch: None,
        mode: Row,
        oob: Undefined,
        exec: GatherExec::Scalar,
        launch: Launch::default(),
    });
    let memory = gather_memory(&i32s(&[-5; 8]), &counted(0, SIZE), &i32s(&[1]));
    let out = made(under(Strided), &call, &memory);
    assert_eq!(out, counted(8, 8));
}

// MSCATTER-GAP-41 (c): a scattered row goes to Shape[4] times its index.
#[test]
fn a_scatter_reads_no_stride() {
    let mut call = scatter(
        padded(),
        full(DType::Int32, [1, 8]),
        full(DType::Int32, [1, 1]),
    );
    call.mode = Row;
    let readings = Readings {
        cpu_form: CpuForm::Templated,
        ..under(Strided)
    };
    let memory = scatter_memory(&i32s(&[0; SIZE]), &counted(1, 8), &i32s(&[1]));
    let ran = run_under(readings, &Call::Mscatter(call), memory, false);
    let table = to_i32s(ran.body(Role::Table));
    assert_eq!(table[..8], [0; 8]);
    assert_eq!(table[8..16], [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(table[16..], [0; SIZE - 16]);
}
