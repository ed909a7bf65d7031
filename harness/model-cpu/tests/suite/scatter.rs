//! MSCATTER's plain stores: as document 000 gives them, element semantics and
//! nothing else, and with A5's template parameters, in row-major order.

use ptodiff_isa::{
    Call, Coalesce, CpuForm, DType, Dim, GlobalTensor, Mscatter, Readings, ScatterAtomicOp,
    ScatterConflict, ScatterOob, Tile,
};
use strum::VariantArray;

use crate::common::{
    With, by_default, col_major, dynamic, f32s, flat, full, i32s, made, reading, rows, scatter,
    table, tile, to_i32s, u16s,
};

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int32};
use ScatterOob::{Clamp, Skip, Undefined, Wrap};

fn templated() -> Readings {
    reading(|r| r.cpu_form = CpuForm::Templated)
}

/// Scatters words into a table of -1.
fn scattered(readings: Readings, call: Mscatter, src: &[i32], indices: &[i32]) -> Vec<i32> {
    let slots: u64 = call.table.shape.iter().map(|extent| extent.get()).product();
    let table = i32s(&vec![-1; slots as usize]);
    let operands: [&[u8]; 3] = [&table, &i32s(src), &i32s(indices)];
    to_i32s(&made(readings, Call::Mscatter(call), &operands))
}

fn documented(call: Mscatter, src: &[i32], indices: &[i32]) -> Vec<i32> {
    scattered(Readings::default(), call, src, indices)
}

/// A call on words with source and index of one tile.
fn of(tile: Tile, slots: u64) -> Mscatter {
    scatter(flat(Int32, slots), tile, tile)
}

fn count(first: i32, len: i32) -> Vec<i32> {
    (first..first + len).collect()
}

// MSCATTER-SEM-03, MSCATTER-UB-04: a tile has no budget.
#[test]
fn each_element_goes_to_its_own_slot() {
    for shape in [[2, 8], [1024, 128]] {
        let size = shape[0] * shape[1];
        let down: Vec<i32> = (0..size as i32).rev().collect();
        let table = documented(of(full(Int32, shape), size), &count(0, size as i32), &down);
        assert_eq!(table, down);
    }
}

// MSCATTER-SEM-04, -05
#[test]
fn padding_scatters_nothing() {
    let (p, d) = (0, 0xDEAD);
    let src = [1, 2, 3, d, 4, 5, 6, d, 7, 8, 9, d];
    let idx = [9, 10, 11, p, 12, 13, 14, p, 15, 16, 17, p];
    let tile = tile(Int32, [3, 4], [3, 3]);
    // MSCATTER-GAP-46: run-time extents count.
    for tile in [tile, dynamic(tile)] {
        let table = documented(of(tile, 32), &src, &idx);
        let expected = [[-1; 9].to_vec(), count(1, 9), vec![-1; 14]].concat();
        assert_eq!(table, expected);
    }
}

// MSCATTER-SEM-09, MSCATTER-DTYPE-01, MSCATTER-ATOM-07
#[test]
fn every_dtype_is_copied_bit_by_bit() {
    for &dtype in DType::VARIANTS {
        let width = dtype.size();
        let call = scatter(flat(dtype, 32), full(dtype, [1, 32]), full(Int32, [1, 32]));
        let src: Vec<u8> = (0..32 * width).map(|k| (k * 7 + 3) as u8).collect();
        let down: Vec<i32> = (0..32).rev().collect();
        let operands: [&[u8]; 3] = [&vec![0; 32 * width], &src, &i32s(&down)];
        let table = by_default(Call::Mscatter(call), &operands);
        let expected: Vec<u8> = src.rchunks(width).flatten().copied().collect();
        assert_eq!(table, expected, "{dtype}");
    }
    let one = |dtype| full(dtype, [1, 1]);
    let call = Call::Mscatter(scatter(flat(Half, 2), one(Half), one(Int32)));
    let operands: [&[u8]; 3] = [&[0x34, 0x12, 0, 0x3C], &[0x01, 0x7C], &i32s(&[1])];
    let table = by_default(call, &operands);
    assert_eq!(table, u16s(&[0x1234, 0x7C01]));
    // MSCATTER-GAP-44: types of equal size.
    let call = Call::Mscatter(scatter(flat(Int32, 1), one(Float), one(Int32)));
    let table = by_default(call, &[&[0; 4], &f32s(&[1.0]), &[0; 4]]);
    assert_eq!(to_i32s(&table), [0x3F80_0000]);
}

// MSCATTER-CONF-08, -13, -14; on columns (1,0) comes before (1,1), though it lies
// before (0,1) in memory.
#[test]
fn the_last_in_row_major_order_wins() {
    for &conflict in ScatterConflict::VARIANTS {
        let with = |call| Mscatter { conflict, ..call };
        let call = with(of(full(Int32, [2, 8]), 4));
        assert_eq!(documented(call, &count(0, 16), &[0; 16]), [15, -1, -1, -1]);
        // In memory: (0,0) (1,0) (0,1) (1,1). Slot 0: (0,1) then (1,0); slot 1: the others.
        let four = full(Int32, [2, 2]);
        let call = with(scatter(flat(Int32, 2), col_major(four), four));
        assert_eq!(documented(call, &[1, 2, 3, 4], &[1, 0, 0, 1]), [2, 4]);
        // 37 * k mod 64 visits every slot four times; k = 192 + j is the last at 37 * j.
        let call = with(of(full(Int32, [8, 32]), 64));
        let indices: Vec<i32> = (0..256).map(|k| 37 * k % 64).collect();
        let table = documented(call, &count(0, 256), &indices);
        for j in 0..64 {
            assert_eq!(table[37 * j % 64], 192 + j as i32);
        }
    }
}

// MSCATTER-ATOM-18, MSCATTER-INDEX-06, MSCATTER-OOB-17: element by element, plain,
// whatever the call says.
#[test]
fn the_documented_form_has_no_parameters() {
    for &atomic in ScatterAtomicOp::VARIANTS {
        for &oob in ScatterOob::VARIANTS {
            let mut call = scatter(rows(Int32, 2, 4), full(Int32, [1, 8]), full(Int32, [1, 8]));
            (call.mode, call.atomic, call.oob) = (Row, atomic, oob);
            let table = documented(call, &count(1, 8), &[0, 1, 2, 3, 4, 0, 6, 0]);
            assert_eq!(table, [8, 2, 3, 4, 5, -1, 7, -1], "{atomic} {oob}");
        }
    }
}

// MSCATTER-GAP-45: row 1 of the source begins at element 16, that of the index tile at 8.
#[test]
fn each_tile_has_its_own_pitch() {
    let (src, idx) = (tile(Int32, [2, 16], [2, 5]), tile(Int32, [2, 8], [2, 5]));
    let idx_ = [9, 8, 7, 6, 5, 0, 0, 0, 4, 3, 2, 1, 0, 9, 9, 9];
    let table = documented(scatter(flat(Int32, 10), src, idx), &count(0, 32), &idx_);
    assert_eq!(table, [20, 19, 18, 17, 16, 4, 3, 2, 1, 0]);
}

// MSCATTER-GAP-02, -38
#[test]
fn an_extent_of_zero_scatters_nothing() {
    for mode in [Elem, Row] {
        for valid in [[0, 8], [2, 0]] {
            let tile = dynamic(tile(Int32, [2, 8], valid));
            let call = scatter(rows(Int32, 9, 1), tile, tile).with(|c| c.mode = mode);
            let got = scattered(templated(), call, &count(0, 16), &[-1; 16]);
            assert_eq!(got, [-1; 9]);
        }
        for oob in [Skip, Clamp, Wrap] {
            let tile = full(Int32, [1, 8]);
            let call =
                scatter(rows(Int32, 0, 8), tile, tile).with(|c| (c.mode, c.oob) = (mode, oob));
            assert_eq!(scattered(templated(), call, &count(1, 8), &count(0, 8)), []);
        }
    }
}

/// Scatters rows of eight: the first filled with 1, the next with 2, and so on.
/// What each row of the table is filled with, 0 if with nothing.
fn fills(oob: ScatterOob, table: GlobalTensor, indices: &[i32]) -> Vec<i32> {
    let count = indices.len() as u64;
    let call = scatter(table, full(Int32, [count, 8]), full(Int32, [1, count]))
        .with(|c| (c.mode, c.oob) = (Row, oob));
    let src: Vec<i32> = (1..=indices.len() as i32).flat_map(|r| [r; 8]).collect();
    let table = scattered(templated(), call, &src, indices);
    let (rows, _) = table.as_chunks::<8>();
    let fill = |row: &[i32; 8]| {
        assert_eq!(*row, [row[0]; 8], "torn");
        row[0].max(0)
    };
    rows.iter().map(fill).collect()
}

#[test]
fn rows_go_where_index_and_policy_say() {
    let four = rows(Int32, 4, 8);
    // Rows 3 to 5 of the memory are those of the next index of dimension 2.
    let planes = table(Int32, [1, 1, 2, 3, 8]);
    for (oob, table, indices, expected) in [
        // MSCATTER-SEM-01, -06
        (Undefined, four, &[3, 0][..], &[2, 0, 0, 1][..]),
        // MSCATTER-OOB-04, -07, -09, -12, MSCATTER-CAP-04
        (Skip, four, &[1, 4, 2], &[0, 1, 3, 0]),
        (Clamp, four, &[4, 9, 1], &[0, 3, 0, 2]),
        (Wrap, four, &[9, 4], &[2, 1, 0, 0]),
        (Skip, four, &[3, -1], &[0, 0, 0, 1]),
        (Clamp, four, &[-1, 3], &[0, 0, 0, 2]),
        (Wrap, four, &[-1, 0], &[2, 0, 0, 1]),
        // MSCATTER-CONF-01, -11, MSCATTER-OOB-15
        (Skip, four, &[2, 2, 2], &[0, 0, 3, 0]),
        (Skip, four, &[1, 1, 9], &[0, 2, 0, 0]),
        (Wrap, four, &[1, 1, 9], &[0, 3, 0, 0]),
        (Clamp, four, &[3, 7, 100], &[0, 0, 0, 3]),
        // MSCATTER-GAP-15: Shape[3], not all rows of the memory.
        (Skip, planes, &[3, 4, 1], &[0, 3, 0, 0, 0, 0]),
        (Clamp, planes, &[3, 4, 1], &[0, 3, 2, 0, 0, 0]),
        (Wrap, planes, &[3, 4, 1], &[1, 3, 0, 0, 0, 0]),
        (Undefined, planes, &[3, 4, 1], &[0, 3, 0, 1, 2, 0]),
    ] {
        assert_eq!(fills(oob, table, indices), expected, "{oob} {indices:?}");
    }
}

#[test]
fn elements_go_where_the_policy_says() {
    let two = tile(Int32, [1, 8], [1, 2]);
    let mut dynamic_table = rows(Int32, 3, 10);
    dynamic_table.shape = dynamic_table.shape.map(|extent| Dim::Dynamic(extent.get()));
    for (oob, index, slot) in [
        // MSCATTER-OOB-05, -08, -10, -11; of 30 slots, 2^32 - 1 is 15 modulo 30.
        (Skip, 30, None),
        (Clamp, 30, Some(29)),
        (Wrap, 65, Some(5)),
        (Skip, -1, None),
        (Clamp, -1, Some(29)),
        (Wrap, -1, Some(15)),
        (Skip, 29, Some(29)),
    ] {
        let mut expected = [-1; 30];
        expected[28] = 1;
        if let Some(slot) = slot {
            expected[slot] = 2;
        }
        // MSCATTER-DYN-02, -03: run-time table extents bound, too.
        for (table, tile) in [(rows(Int32, 3, 10), two), (dynamic_table, dynamic(two))] {
            let call = scatter(table, tile, tile).with(|c| c.oob = oob);
            let indices = [28, index, 1, 1, 1, 1, 1, 1];
            let table = scattered(templated(), call, &count(1, 8), &indices);
            assert_eq!(table, expected, "{oob} {index}");
        }
    }
    // MSCATTER-CAP-02: all five extents.
    let call = scatter(table(Int32, [2, 1, 3, 4, 8]), two, two).with(|c| c.oob = Skip);
    let table = scattered(
        templated(),
        call,
        &count(1, 8),
        &[191, 192, 0, 0, 0, 0, 0, 0],
    );
    assert_eq!((table[191], table.iter().sum::<i32>()), (1, 1 - 191));
}

// The pitch is Shape[4], so a narrower tile leaves the rest of each row alone.
#[test]
fn a_narrow_row_keeps_the_rest() {
    let (src, idx) = (tile(Int32, [2, 3], [2, 2]), tile(Int32, [1, 8], [1, 2]));
    let call = scatter(rows(Int32, 3, 4), src, idx).with(|c| c.mode = Row);
    let table = scattered(templated(), call, &count(1, 6), &[2, 1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(table, [-1, -1, -1, -1, 4, 5, -1, -1, 1, 2, -1, -1]);
}

// MSCATTER-INDEX-05 and the upright form
#[test]
fn row_indices_lie_along_a_row_or_down_a_column() {
    let (across, down) = (full(Int32, [1, 8]), full(Int32, [8, 1]));
    for idx in [across, down, col_major(down), col_major(across)] {
        let call = scatter(rows(Int32, 8, 8), full(Int32, [8, 8]), idx);
        let call = Mscatter { mode: Row, ..call };
        let table = scattered(templated(), call, &count(0, 64), &[7, 6, 5, 4, 3, 2, 1, 0]);
        let expected: Vec<i32> = (0..8).rev().flat_map(|r| 8 * r..8 * r + 8).collect();
        assert_eq!(table, expected, "{idx:?}");
    }
}
