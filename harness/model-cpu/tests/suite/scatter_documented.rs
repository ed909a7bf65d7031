//! MSCATTER as document 000 gives it: element semantics and nothing else.

use ptodiff_isa::{
    Coalesce, CpuForm, DType, Memory, Mscatter, ScatterAtomicOp, ScatterConflict, ScatterOob,
};

use crate::common::{
    col_major, counted, dynamic, f32s, flat, full, i32s, rows, scatter, scatter_memory, tile,
    to_i32s, u16s,
};

fn scattered(call: &Mscatter, memory: Memory) -> Vec<u8> {
    crate::common::scattered(call, CpuForm::Documented, memory)
}

// MSCATTER-SEM-03
#[test]
fn each_element_goes_to_its_own_slot() {
    let call = scatter(
        flat(DType::Int32, 16),
        full(DType::Int32, [2, 8]),
        full(DType::Int32, [2, 8]),
    );
    let down: Vec<i32> = (0..16).rev().collect();
    let memory = scatter_memory(&i32s(&[0; 16]), &counted(0, 16), &i32s(&down));
    assert_eq!(to_i32s(&scattered(&call, memory)), down);
}

// MSCATTER-SEM-04, MSCATTER-SEM-05
#[test]
fn padding_scatters_nothing() {
    let call = scatter(
        flat(DType::Int32, 32),
        tile(DType::Int32, [3, 8], [3, 3]),
        tile(DType::Int32, [3, 8], [3, 3]),
    );
    let (pad, d) = (0, 0xDEAD);
    let src = [
        1, 2, 3, d, d, d, d, d, //
        4, 5, 6, d, d, d, d, d, //
        7, 8, 9, d, d, d, d, d,
    ];
    let idx = [
        9, 10, 11, pad, pad, pad, pad, pad, //
        12, 13, 14, pad, pad, pad, pad, pad, //
        15, 16, 17, pad, pad, pad, pad, pad,
    ];
    let memory = scatter_memory(&i32s(&[-7; 32]), &i32s(&src), &i32s(&idx));
    let mut expected = [-7; 32];
    expected[9..18].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(to_i32s(&scattered(&call, memory)), expected);
}

// MSCATTER-SEM-09
#[test]
fn a_nan_pattern_survives() {
    let call = scatter(
        flat(DType::Half, 2),
        tile(DType::Half, [1, 16], [1, 1]),
        tile(DType::Int32, [1, 8], [1, 1]),
    );
    let (mut src, mut idx) = (u16s(&[0; 16]), i32s(&[0; 8]));
    src[..2].copy_from_slice(&[0x01, 0x7C]);
    idx[0] = 1;
    let memory = scatter_memory(&u16s(&[0x1234, 0x3C00]), &src, &idx);
    assert_eq!(scattered(&call, memory), u16s(&[0x1234, 0x7C01]));
}

// MSCATTER-CONF-08
#[test]
fn the_last_in_row_major_order_wins() {
    let mut call = scatter(
        flat(DType::Int32, 4),
        full(DType::Int32, [2, 8]),
        full(DType::Int32, [2, 8]),
    );
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        call.conflict = conflict;
        let memory = scatter_memory(&i32s(&[-1; 4]), &counted(0, 16), &i32s(&[0; 16]));
        assert_eq!(to_i32s(&scattered(&call, memory)), [15, -1, -1, -1]);
    }
}

// MSCATTER-CONF-08 on tiles that lie column by column: logical (1,0) comes
// before logical (1,1), though it lies before (0,1) in memory.
#[test]
fn the_order_is_the_coordinates_order() {
    let call = scatter(
        flat(DType::Int32, 2),
        col_major(full(DType::Int32, [2, 2])),
        full(DType::Int32, [2, 2]),
    );
    // In memory: (0,0) (1,0) (0,1) (1,1).
    let src = i32s(&[1, 2, 3, 4]);
    // Slot 0: (0,1) then (1,0); slot 1: (0,0) then (1,1).
    let memory = scatter_memory(&i32s(&[0, 0]), &src, &i32s(&[1, 0, 0, 1]));
    assert_eq!(to_i32s(&scattered(&call, memory)), [2, 4]);
}

// MSCATTER-CONF-13: i = 37 * k mod 64 visits every slot four times over 256
// lanes; k = 192 + j is the last to reach slot 37 * j mod 64.
#[test]
fn a_full_tile_leaves_its_last_writers() {
    let call = scatter(
        flat(DType::Int32, 64),
        full(DType::Int32, [8, 32]),
        full(DType::Int32, [8, 32]),
    );
    let idx: Vec<i32> = (0..256).map(|k| 37 * k % 64).collect();
    let memory = scatter_memory(&i32s(&[-1; 64]), &counted(0, 256), &i32s(&idx));
    let table = to_i32s(&scattered(&call, memory));
    assert_eq!(table[0], 192);
    assert_eq!(table[37], 193);
    assert_eq!(table[10], 194);
    assert_eq!(table[27], 255);
    let mut seen = table.clone();
    seen.sort_unstable();
    assert_eq!(seen, (192..256).collect::<Vec<_>>());
}

// MSCATTER-ATOM-18
#[test]
fn nothing_accumulates() {
    for atomic in [
        ScatterAtomicOp::Add,
        ScatterAtomicOp::Max,
        ScatterAtomicOp::Min,
    ] {
        let mut call = scatter(
            flat(DType::Int32, 1),
            tile(DType::Int32, [1, 8], [1, 3]),
            tile(DType::Int32, [1, 8], [1, 3]),
        );
        call.atomic = atomic;
        let src = i32s(&[1, 2, 3, 9, 9, 9, 9, 9]);
        let memory = scatter_memory(&i32s(&[100]), &src, &i32s(&[0; 8]));
        assert_eq!(to_i32s(&scattered(&call, memory)), [3], "{atomic}");
    }
}

// MSCATTER-INDEX-06: a Row call is element-wise all the same, and no policy
// holds an index back.
#[test]
fn row_calls_are_element_wise() {
    for oob in [ScatterOob::Clamp, ScatterOob::Skip, ScatterOob::Wrap] {
        let mut call = scatter(
            rows(DType::Float, 4, 8),
            full(DType::Float, [1, 8]),
            full(DType::Int32, [1, 8]),
        );
        call.mode = Coalesce::Row;
        call.oob = oob;
        let row = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        let memory = scatter_memory(&f32s(&[0.5; 32]), &f32s(&row), &counted(0, 8));
        let mut expected = [0.5; 32];
        expected[..8].copy_from_slice(&row);
        assert_eq!(scattered(&call, memory), f32s(&expected), "{oob}");
    }
}

// MSCATTER-DTYPE-01, MSCATTER-ATOM-07
#[test]
fn every_dtype_is_copied_bit_by_bit() {
    let dtypes = [
        (1, DType::Int8),
        (1, DType::Uint8),
        (2, DType::Int16),
        (2, DType::Uint16),
        (4, DType::Int32),
        (4, DType::Uint32),
        (8, DType::Int64),
        (8, DType::Uint64),
        (2, DType::Half),
        (2, DType::Bfloat16),
        (4, DType::Float),
        (1, DType::Float8E4M3),
        (1, DType::Float8E5M2),
        (1, DType::Hifloat8),
    ];
    for (width, dtype) in dtypes {
        let call = scatter(
            flat(dtype, 32),
            full(dtype, [1, 32]),
            full(DType::Int32, [1, 32]),
        );
        let src: Vec<u8> = (0..32 * width).map(|k| (k * 7 + 3) as u8).collect();
        let down: Vec<i32> = (0..32).rev().collect();
        let memory = scatter_memory(&vec![0; 32 * width], &src, &i32s(&down));
        let expected: Vec<u8> = src.rchunks(width).flatten().copied().collect();
        assert_eq!(scattered(&call, memory), expected, "{dtype}");
    }
}

// MSCATTER-GAP-44
#[test]
fn bytes_cross_types_of_equal_size() {
    let call = scatter(
        flat(DType::Int32, 1),
        tile(DType::Float, [1, 8], [1, 1]),
        tile(DType::Int32, [1, 8], [1, 1]),
    );
    let memory = scatter_memory(&i32s(&[0]), &f32s(&[1.0; 8]), &i32s(&[0; 8]));
    assert_eq!(to_i32s(&scattered(&call, memory)), [0x3F80_0000]);
}

// MSCATTER-GAP-45: row 1 of the source begins at element 16, row 1 of the
// index tile at element 8.
#[test]
fn each_tile_has_its_own_pitch() {
    let call = scatter(
        flat(DType::Half, 10),
        tile(DType::Half, [2, 16], [2, 5]),
        tile(DType::Int32, [2, 8], [2, 5]),
    );
    let mut src = [0x7777_u16; 32];
    src[..5].copy_from_slice(&[1, 2, 3, 4, 5]);
    src[16..21].copy_from_slice(&[6, 7, 8, 9, 10]);
    let idx = [9, 8, 7, 6, 5, 0, 0, 0, 4, 3, 2, 1, 0, 9, 9, 9];
    let memory = scatter_memory(&u16s(&[0; 10]), &u16s(&src), &i32s(&idx));
    assert_eq!(
        scattered(&call, memory),
        u16s(&[10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    );
}

// MSCATTER-GAP-46, the example of "Dynamic Runtime Shapes"
#[test]
fn run_time_extents_count() {
    let call = scatter(
        rows(DType::Float, 3, 10),
        dynamic(tile(DType::Float, [1, 16], [1, 9])),
        dynamic(tile(DType::Int32, [1, 16], [1, 9])),
    );
    let mut src = [99.0; 16];
    src[..9].copy_from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    let mut idx = [29; 16];
    idx[..9].copy_from_slice(&[0, 3, 6, 9, 12, 15, 18, 21, 24]);
    let memory = scatter_memory(&f32s(&[-1.0; 30]), &f32s(&src), &i32s(&idx));
    let mut expected = [-1.0; 30];
    for (slot, value) in [
        (0, 1.0),
        (3, 2.0),
        (6, 3.0),
        (9, 4.0),
        (12, 5.0),
        (15, 6.0),
        (18, 7.0),
        (21, 8.0),
        (24, 9.0),
    ] {
        expected[slot] = value;
    }
    assert_eq!(scattered(&call, memory), f32s(&expected));
}

// MSCATTER-GAP-38
#[test]
fn an_extent_of_zero_scatters_nothing() {
    for valid in [[0, 8], [2, 0]] {
        let call = scatter(
            flat(DType::Int32, 4),
            dynamic(tile(DType::Int32, [2, 8], valid)),
            dynamic(tile(DType::Int32, [2, 8], valid)),
        );
        let memory = scatter_memory(&i32s(&[5; 4]), &counted(0, 16), &i32s(&[0; 16]));
        assert_eq!(to_i32s(&scattered(&call, memory)), [5; 4]);
    }
}

// MSCATTER-UB-04
#[test]
fn a_tile_has_no_budget() {
    let shape = [1024, 128];
    let call = scatter(
        flat(DType::Int32, 1024 * 128),
        full(DType::Int32, shape),
        full(DType::Int32, shape),
    );
    let down: Vec<i32> = (0..1024 * 128).rev().collect();
    let memory = scatter_memory(&vec![0; 1024 * 512], &counted(0, 1024 * 128), &i32s(&down));
    assert_eq!(to_i32s(&scattered(&call, memory)), down);
}
