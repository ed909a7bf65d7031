//! MGATHER, GM to UB.

use ptodiff_isa::{Coalesce, CpuForm, DType, Dim, GatherOob, Mgather, Readings, Role};

use crate::common::{
    col_major, counted, dynamic, f32s, flat, full, gather, gather_memory, gathered, i32s, made,
    rows, scatter, scatter_memory, scattered, table, tile, to_f32s, to_i32s, u16s,
};

use Coalesce::{Elem, Row};
use GatherOob::{Clamp, Undefined, Wrap, Zero};

const POLICIES: [GatherOob; 4] = [Undefined, Clamp, Wrap, Zero];

/// Gathers rows of 8 from a table whose row `i` is `10 * i, 10 * i + 1, ..`;
/// the first element of each destination row, or -1 for a row of zeroes.
fn row_tens(oob: GatherOob, height: u64, idx: &[i32]) -> Vec<i32> {
    let call = gather(
        Row,
        oob,
        full(DType::Float, [idx.len() as u64, 8]),
        rows(DType::Float, height, 8),
        full(DType::Int32, [1, idx.len() as u64]),
    );
    let table: Vec<f32> = (0..height as i32)
        .flat_map(|i| (0..8).map(move |k| (10 * i + k) as f32))
        .collect();
    let memory = gather_memory(&f32s(&vec![-5.0; 8 * idx.len()]), &f32s(&table), &i32s(idx));
    let out = to_f32s(&gathered(&call, memory));
    out.as_chunks::<8>()
        .0
        .iter()
        .map(|row| {
            if *row == [0.0; 8] {
                return -1;
            }
            for k in 1..8 {
                assert_eq!(row[k], row[0] + k as f32);
            }
            row[0] as i32
        })
        .collect()
}

// MGATHER-SEM-01, -04, -06, MGATHER-CONF-01, MGATHER-INDEX-01
#[test]
fn rows_come_from_where_the_index_says() {
    assert_eq!(row_tens(Undefined, 5, &[4, 0, 4]), [40, 0, 40]);
    assert_eq!(row_tens(Undefined, 3, &[2]), [20]);
    assert_eq!(row_tens(Wrap, 6, &[7, 1, 6, 0]), [10, 10, 0, 0]);
    assert_eq!(row_tens(Undefined, 4, &[3, 3, 3, 3]), [30, 30, 30, 30]);
    assert_eq!(row_tens(Undefined, 4, &[1]), [10]);
}

// MGATHER-CAP-01, MGATHER-OOB-04, -06, -09
#[test]
fn row_bounds_follow_the_policy() {
    assert_eq!(row_tens(Clamp, 5, &[5, 4]), [40, 40]);
    assert_eq!(row_tens(Clamp, 4, &[3, 4, 100]), [30, 30, 30]);
    assert_eq!(row_tens(Zero, 4, &[1, 4, 3]), [10, -1, 30]);
    assert_eq!(row_tens(Zero, 4, &[3, 4]), [30, -1]);
}

/// Gathers `int32_t` elements from a flat table counted up from `first`.
fn elements(oob: GatherOob, first: i32, size: u64, idx: &[u32]) -> Vec<i32> {
    let shape = full(DType::Int32, [1, idx.len() as u64]);
    let call = gather(Elem, oob, shape, flat(DType::Int32, size), shape);
    let idx: Vec<i32> = idx.iter().map(|i| *i as i32).collect();
    let memory = gather_memory(
        &i32s(&vec![-5; idx.len()]),
        &counted(first, size as usize),
        &i32s(&idx),
    );
    let signed = gathered(&call, memory.clone());
    let mut call = call;
    call.idx.dtype = DType::Uint32;
    assert_eq!(gathered(&call, memory), signed);
    to_i32s(&signed)
}

// MGATHER-SEM-02
#[test]
fn elements_come_from_where_the_index_says() {
    let shape = full(DType::Int32, [2, 8]);
    let call = gather(Elem, Undefined, shape, flat(DType::Int32, 16), shape);
    let down: Vec<i32> = (0..16).rev().collect();
    let memory = gather_memory(&i32s(&[0; 16]), &counted(100, 16), &i32s(&down));
    let out = to_i32s(&gathered(&call, memory));
    assert_eq!((out[0], out[15]), (115, 100));
    assert_eq!(out, (100..116).rev().collect::<Vec<_>>());
}

// MGATHER-OOB-05, -07, -10, -17, MGATHER-DTYPE-03
#[test]
fn element_bounds_follow_the_policy() {
    assert_eq!(elements(Wrap, 0, 10, &[9, 10, 23]), [9, 0, 3]);
    assert_eq!(elements(Zero, 1, 8, &[7, 8, 0]), [8, 0, 1]);
    let minus_one = u32::MAX;
    assert_eq!(elements(Clamp, 0, 10, &[minus_one]), [9]);
    assert_eq!(elements(Wrap, 0, 10, &[minus_one]), [5]);
    assert_eq!(elements(Zero, 0, 10, &[minus_one]), [0]);
    let large = [2_147_483_648, 4_294_967_295];
    assert_eq!(elements(Clamp, 0, 10, &large), [9, 9]);
    assert_eq!(elements(Wrap, 0, 10, &large), [8, 5]);
    assert_eq!(elements(Zero, 5, 10, &large), [0, 0]);
}

// MGATHER-OOB-08
#[test]
fn no_policy_touches_an_index_in_bounds() {
    let idx: Vec<u32> = (0..64).collect();
    for oob in POLICIES {
        assert_eq!(elements(oob, 1, 64, &idx), (1..65).collect::<Vec<_>>());
    }
}

// MGATHER-SEM-05, MGATHER-MIN-09
#[test]
fn one_element_is_a_tile() {
    for mode in [Elem, Row] {
        let width = if mode == Row { 1 } else { 32 };
        let call = gather(
            mode,
            Undefined,
            tile(DType::Int32, [1, 8], [1, 1]),
            rows(DType::Int32, 32, width),
            tile(DType::Int32, [1, 8], [1, 1]),
        );
        let size = 32 * width as usize;
        let memory = gather_memory(&i32s(&[-5; 8]), &counted(0, size), &i32s(&[5; 8]));
        let out = to_i32s(&gathered(&call, memory));
        assert_eq!(out, [5, -5, -5, -5, -5, -5, -5, -5], "{mode}");
    }
}

// MGATHER-SEM-03, MGATHER-GAP-18, -45, MGATHER-CAP-04
#[test]
fn padding_is_kept() {
    for make in [|t| t, dynamic] {
        let call = gather(
            Elem,
            Zero,
            make(tile(DType::Int32, [2, 16], [2, 9])),
            rows(DType::Int32, 3, 10),
            make(tile(DType::Int32, [2, 12], [2, 9])),
        );
        let mut idx = [0; 24];
        idx[..9].copy_from_slice(&[0, 1, 2, 3, 4, 5, 6, 7, 8]);
        idx[12..21].copy_from_slice(&[29, 30, 28, 27, 26, 25, 24, 23, 22]);
        let memory = gather_memory(&i32s(&[-5; 32]), &counted(100, 30), &i32s(&idx));
        let mut expected = [-5; 32];
        expected[..9].copy_from_slice(&[100, 101, 102, 103, 104, 105, 106, 107, 108]);
        expected[16..25].copy_from_slice(&[129, 0, 128, 127, 126, 125, 124, 123, 122]);
        assert_eq!(to_i32s(&gathered(&call, memory)), expected);
    }
}

// MGATHER-GAP-18 in Row mode, a row of zeroes included
#[test]
fn padding_of_rows_is_kept() {
    let call = gather(
        Row,
        Zero,
        tile(DType::Int32, [3, 8], [2, 3]),
        rows(DType::Int32, 4, 3),
        tile(DType::Int32, [1, 8], [1, 2]),
    );
    let idx = i32s(&[4, 2, 0, 0, 0, 0, 0, 0]);
    let memory = gather_memory(&i32s(&[0x55; 24]), &counted(1, 12), &idx);
    let mut expected = [0x55; 24];
    expected[..3].copy_from_slice(&[0, 0, 0]);
    expected[8..11].copy_from_slice(&[7, 8, 9]);
    assert_eq!(to_i32s(&gathered(&call, memory)), expected);
}

// MGATHER-TABLE-04, MGATHER-GAP-08: strides are not read.
#[test]
fn the_row_pitch_is_the_width_of_the_table() {
    let mut call = gather(
        Row,
        Undefined,
        full(DType::Int32, [1, 8]),
        rows(DType::Int32, 4, 12),
        tile(DType::Int32, [1, 8], [1, 1]),
    );
    for stride in [12, 16] {
        call.table.stride[3] = Dim::Static(stride);
        let memory = gather_memory(&i32s(&[0; 8]), &counted(0, 64), &i32s(&[2; 8]));
        let out = to_i32s(&gathered(&call, memory));
        assert_eq!(out, [24, 25, 26, 27, 28, 29, 30, 31]);
    }
}

// MGATHER-GAP-05, -07: Shape[3] bounds Row, all five extents bound Elem.
#[test]
fn capacity_depends_on_the_mode() {
    let shape = table(DType::Int32, [1, 1, 2, 3, 8]);
    let idx = tile(DType::Int32, [1, 8], [1, 1]);
    let call = gather(Row, Clamp, full(DType::Int32, [1, 8]), shape, idx);
    let memory = gather_memory(&i32s(&[0; 8]), &counted(0, 48), &i32s(&[4; 8]));
    assert_eq!(
        to_i32s(&gathered(&call, memory)),
        [16, 17, 18, 19, 20, 21, 22, 23]
    );
    let two = tile(DType::Int32, [1, 8], [1, 2]);
    let call = gather(Elem, Zero, two, shape, two);
    let idx = i32s(&[47, 48, 0, 0, 0, 0, 0, 0]);
    let memory = gather_memory(&i32s(&[-5; 8]), &counted(0, 48), &idx);
    assert_eq!(to_i32s(&gathered(&call, memory))[..3], [47, 0, -5]);
}

// MGATHER-CAP-01, MGATHER-OOB-09: rows 3 to 5 of the memory are those of the
// next index of dimension 2.
#[test]
fn a_row_behind_the_capacity_is_out_of_range() {
    let shape = table(DType::Int32, [1, 1, 2, 3, 8]);
    let (dst, idx) = (full(DType::Int32, [3, 8]), full(DType::Int32, [1, 3]));
    for (oob, expected) in [
        (Clamp, [16, 16, 8]),
        (Wrap, [0, 8, 8]),
        (Zero, [0, 0, 8]),
        (Undefined, [24, 32, 8]),
    ] {
        let call = gather(Row, oob, dst, shape, idx);
        let memory = gather_memory(&i32s(&[-5; 24]), &counted(0, 48), &i32s(&[3, 4, 1]));
        let out = to_i32s(&gathered(&call, memory));
        let firsts: Vec<i32> = out.into_iter().step_by(8).collect();
        assert_eq!(firsts, expected, "{oob}");
    }
}

// MGATHER-GAP-10: a tile wider than the table's rows reads on into the next row.
#[test]
fn a_wide_tile_reads_on() {
    let call = gather(
        Row,
        Undefined,
        full(DType::Int32, [1, 8]),
        rows(DType::Int32, 4, 6),
        tile(DType::Int32, [1, 8], [1, 1]),
    );
    let memory = gather_memory(&i32s(&[0; 8]), &counted(0, 24), &i32s(&[1; 8]));
    let out = to_i32s(&gathered(&call, memory));
    assert_eq!(out, [6, 7, 8, 9, 10, 11, 12, 13]);
}

// MGATHER-OOB-11, -12, MGATHER-GAP-36
#[test]
fn every_dtype_is_copied_bit_by_bit_and_zero_is_positive() {
    for (dtype, width) in [
        (DType::Int8, 1),
        (DType::Uint8, 1),
        (DType::Int16, 2),
        (DType::Uint16, 2),
        (DType::Half, 2),
        (DType::Bfloat16, 2),
        (DType::Int32, 4),
        (DType::Uint32, 4),
        (DType::Float, 4),
        (DType::Int64, 8),
        (DType::Uint64, 8),
        (DType::Float8E4M3, 1),
        (DType::Float8E5M2, 1),
        (DType::Hifloat8, 1),
    ] {
        for mode in [Row, Elem] {
            let table: Vec<u8> = (0..4 * width).map(|k| (k * 31 + 0x81) as u8).collect();
            let call = gather(
                mode,
                Zero,
                full(dtype, [2, 1]),
                rows(dtype, 4, 1),
                full(DType::Int32, [2, 1]),
            );
            let memory = gather_memory(&vec![0xCC; 2 * width], &table, &i32s(&[3, 4]));
            let mut expected = table[3 * width..].to_vec();
            expected.resize(2 * width, 0);
            assert_eq!(gathered(&call, memory), expected, "{dtype} {mode}");
        }
    }
    let call = gather(
        Elem,
        Undefined,
        tile(DType::Float, [1, 8], [1, 1]),
        flat(DType::Float, 1),
        tile(DType::Int32, [1, 8], [1, 1]),
    );
    let nan = 0x7FA0_0001_u32.to_le_bytes();
    let memory = gather_memory(&f32s(&[0.0; 8]), &nan, &i32s(&[0; 8]));
    assert_eq!(gathered(&call, memory)[..4], nan);
}

// MGATHER-GAP-13
#[test]
fn bytes_cross_types_of_equal_size() {
    let call = gather(
        Elem,
        Undefined,
        tile(DType::Half, [1, 16], [1, 1]),
        flat(DType::Int16, 2),
        tile(DType::Int32, [1, 8], [1, 1]),
    );
    let memory = gather_memory(&u16s(&[0; 16]), &u16s(&[7, 1]), &i32s(&[1; 8]));
    assert_eq!(gathered(&call, memory)[..2], [1, 0]);
}

// A ColMajor destination is a broken precondition; its own layout still says where.
#[test]
fn a_tile_is_written_in_its_own_layout() {
    let dst = col_major(full(DType::Int32, [2, 3]));
    let call = gather(
        Elem,
        Undefined,
        dst,
        flat(DType::Int32, 6),
        full(DType::Int32, [2, 3]),
    );
    let memory = gather_memory(&i32s(&[0; 6]), &counted(10, 6), &counted(0, 6));
    let out = to_i32s(&gathered(&call, memory));
    assert_eq!(out, [10, 13, 11, 14, 12, 15]);
    let call = gather(
        Row,
        Zero,
        dst,
        rows(DType::Int32, 2, 3),
        full(DType::Int32, [1, 2]),
    );
    let memory = gather_memory(&i32s(&[0; 6]), &counted(10, 6), &i32s(&[1, 2]));
    let out = to_i32s(&gathered(&call, memory));
    assert_eq!(out, [13, 0, 14, 0, 15, 0]);
}

// Rows without columns bring nothing, whatever their index.
#[test]
fn rows_without_columns_bring_nothing() {
    let call = gather(
        Row,
        Undefined,
        tile(DType::Int32, [3, 1], [3, 0]),
        rows(DType::Int32, 9, 1),
        full(DType::Int32, [1, 3]),
    );
    let memory = gather_memory(&counted(1, 3), &counted(101, 9), &i32s(&[3, -1, 9]));
    assert_eq!(gathered(&call, memory), counted(1, 3));
}

fn empty(mode: Coalesce, oob: GatherOob) -> Mgather {
    gather(
        mode,
        oob,
        full(DType::Int32, [1, 8]),
        rows(DType::Int32, 0, 8),
        full(DType::Int32, [1, 8]),
    )
}

// MGATHER-GAP-03
#[test]
fn an_empty_table_gives_no_value_but_zero() {
    for mode in [Row, Elem] {
        for (oob, value) in [(Clamp, 9), (Wrap, 9), (Zero, 0)] {
            let memory = gather_memory(&i32s(&[9; 8]), &[], &i32s(&[0; 8]));
            let call = call_of(empty(mode, oob));
            let out = to_i32s(&made(Readings::default(), &call, &memory));
            assert_eq!(out, [value; 8], "{mode} {oob}");
        }
    }
}

// MSCATTER-SEM-10
#[test]
fn a_gather_undoes_a_scatter() {
    let idx: Vec<i32> = (0..256).map(|k| (k * 77 + 13) % 256).collect();
    let src = counted(5000, 256);
    let shape = full(DType::Int32, [8, 32]);
    let call = scatter(flat(DType::Int32, 256), shape, shape);
    let memory = scatter_memory(&i32s(&[0; 256]), &src, &i32s(&idx));
    let table = scattered(&call, CpuForm::Documented, memory);
    assert_ne!(table, src);
    let call = gather(Elem, Undefined, shape, flat(DType::Int32, 256), shape);
    let memory = gather_memory(&i32s(&[0; 256]), &table, &i32s(&idx));
    assert_eq!(gathered(&call, memory), src);
}

// MGATHER-GAP-50
#[test]
fn what_is_read_stays() {
    let call = empty(Elem, Undefined);
    let (table, idx) = (counted(0, 64), counted(8, 8));
    let memory = gather_memory(&i32s(&[0; 8]), &table, &idx);
    let ran = crate::common::run(&call_of(call), memory, CpuForm::Documented, false);
    assert_eq!(ran.body(Role::Table), table);
    assert_eq!(ran.body(Role::Index), idx);
    assert_eq!(ran.body(Role::Destination), counted(8, 8));
}

fn call_of(call: Mgather) -> ptodiff_isa::Call {
    ptodiff_isa::Call::Mgather(call)
}
