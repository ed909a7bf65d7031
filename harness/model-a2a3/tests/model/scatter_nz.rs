//! MSCATTER on NZ tables.

use ptodiff_isa::{
    Call, Coalesce, DType, GlobalTensor, Layout, Mscatter, NzElemOrder, Readings, ScatterAtomicOp,
    ScatterOob, Tile,
};

use crate::common::{
    Number, With, bytes, count, image, legal, mscatter, nz, nz_tile, reading, scatter, scattered,
    table, tile,
};

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int32};

/// Elements that a table reaches to.
fn reach(table: &GlobalTensor) -> usize {
    let last = (0..5).map(|d| (table.shape[d].get() - 1) * table.stride[d].get());
    last.sum::<u64>() as usize + 1
}

/// Scatters `src` into zeros.
fn into_zeros<T: Number>(call: Mscatter, src: &[T], idx: &[i32]) -> Vec<T> {
    scattered(call, &vec![T::default(); reach(&call.table)], src, idx)
}

/// A Row scatter.
fn rows(table: GlobalTensor, src: Tile) -> Mscatter {
    let count = src.valid_row.get();
    let idx = tile(Int32, [1, count.next_multiple_of(8)], [1, count]);
    mscatter(Row, table, src, idx)
}

/// An Elem scatter of one row of `count` words from a tile of one block.
fn elements(table: GlobalTensor, count: u64) -> Mscatter {
    let src = nz_tile(Int32, [16, 8], [1, count]);
    mscatter(Elem, table, src, tile(Int32, [1, 8], [1, count]))
}

/// Where a table is not zero.
fn touched<T: Number>(values: &[T]) -> Vec<usize> {
    let hit = |(k, v): (usize, &T)| (*v != T::default()).then_some(k);
    values.iter().enumerate().filter_map(hit).collect()
}

/// MSCATTER-INDEX-02, MSCATTER-NZ-10, -17: logical row 17 of a packed half table is elements
/// 272..287; rows of a tile of 32 are its own.
#[test]
fn a_row_lies_in_its_block() {
    let table = nz(Half, [1, 1, 2], 16);
    let src: Vec<u16> = (1..17).collect();
    let got = into_zeros(rows(table, nz_tile(Half, [16, 16], [1, 16])), &src, &[17]);
    assert_eq!(touched(&got), (272..288).collect::<Vec<_>>());
    assert_eq!(got[272..288], src);

    let src: Vec<u16> = (0..19 * 16).collect();
    let mut idx = [31; 19];
    idx[18] = 5;
    let got = into_zeros(rows(table, nz_tile(Half, [32, 16], [19, 16])), &src, &idx);
    assert_eq!(got[80..96], src[288..304]);
    // The last of the others, row 17, stays in row 31.
    assert_eq!(got[496..512], src[272..288]);
}

/// MSCATTER-NZ-11: column blocks 2 and 3 of the tile are batch 1.
#[test]
fn batches_take_their_column_blocks() {
    let call = rows(nz(Int32, [2, 2, 1], 8), nz_tile(Int32, [16, 32], [1, 32]));
    let got = into_zeros(call, &count(1, 32), &[3]);
    // Row 3 of each block is 24 elements in; batches are 256 apart.
    for (start, first) in [(24, 1), (152, 9), (280, 17), (408, 25)] {
        assert_eq!(got[start..start + 8], count(first, 8));
    }
    assert_eq!(touched(&got).len(), 32);
}

/// MSCATTER-NZ-14: strides come from the table; the gap is kept.
#[test]
fn padded_blocks_keep_their_gap() {
    let apart = table(Int32, [1, 2, 1, 16, 8], [512, 256, 128, 8, 1], Layout::NZ);
    let call = rows(apart, nz_tile(Int32, [16, 16], [1, 16]));
    let got = into_zeros(call, &[1; 16], &[0]);
    assert_eq!(touched(&got), (0..8).chain(256..264).collect::<Vec<_>>());
    // Elem: slot 9 is logical (0, 9), column block 1.
    assert_eq!(touched(&into_zeros(elements(apart, 1), &[1], &[9])), [257]);
}

/// MSCATTER-NZ-20, MSCATTER-CAP-05 and MSCATTER-GAP-21: Row bounds are logical rows.
#[test]
fn row_bounds_are_logical_rows() {
    for (shape, oob, index, want) in [
        ([1, 1, 2], ScatterOob::Wrap, 33, Some(1)),
        ([1, 1, 2], ScatterOob::Clamp, 33, Some(31)),
        ([1, 2, 2], ScatterOob::Skip, 31, Some(31)),
        ([1, 2, 2], ScatterOob::Skip, 32, None),
        ([1, 2, 2], ScatterOob::Skip, 40, None),
    ] {
        let cols = shape[1] * 16;
        let call = rows(nz(Half, shape, 16), nz_tile(Half, [16, cols], [1, cols]));
        let call = Mscatter { oob, ..call };
        let got = into_zeros(call, &vec![1_u16; cols as usize], &[index]);
        // Packed: row r of column block 0 starts at element 16 * r.
        let first = touched(&got).first().map(|at| at / 16);
        assert_eq!(first, want, "{oob} {index}");
    }
}

/// MSCATTER-INDEX-04, MSCATTER-CAP-06, MSCATTER-GAP-25: slot 109 is logical (6, 13), element
/// 309; logical (3, 20) of a table with two batches is element 284.
#[test]
fn elem_slots_translate() {
    for (shape, oob, index, want) in [
        ([1, 2, 2], ScatterOob::Undefined, 109, 309),
        ([1, 2, 2], ScatterOob::Wrap, 512, 0),
        ([1, 2, 2], ScatterOob::Clamp, 512, 511),
        ([2, 2, 1], ScatterOob::Undefined, 116, 284),
    ] {
        let call = elements(nz(Int32, shape, 8), 1);
        let got = into_zeros(Mscatter { oob, ..call }, &[1], &[index]);
        assert_eq!(touched(&got), [want]);
    }
}

/// MSCATTER-NZ-12: (5, 11) of a tile with 32 rows is UB element 299.
#[test]
fn elem_sources_translate() {
    let src = nz_tile(Int32, [32, 16], [6, 12]);
    let idx = tile(Int32, [6, 16], [6, 12]);
    let call = mscatter(Elem, nz(Int32, [1, 2, 2], 8), src, idx);
    // (5, 11), the last one, alone goes to slot 0.
    let mut slots = [1; 72];
    slots[71] = 0;
    let slots = bytes(image(&idx, &slots, 1));
    let operands = [bytes([0; 512]), bytes(0..512), slots];
    let ran = legal(Call::Mscatter(call), Readings::default(), operands);
    assert_eq!(ran.table::<i32>()[0], 299);
}

/// MSCATTER-NZ-01: one block of each width, second row.
#[test]
fn block_rows_are_32_bytes() {
    fn second<T: Number>(dtype: DType, one: T) -> Vec<usize> {
        let c0 = 32 / dtype.size() as u64;
        let call = rows(nz(dtype, [1, 1, 1], c0), nz_tile(dtype, [16, c0], [1, c0]));
        touched(&into_zeros(call, &vec![one; c0 as usize], &[1]))
    }
    assert_eq!(second(DType::Int8, 1_u8), (32..64).collect::<Vec<_>>());
    assert_eq!(second(Half, 1_u16), (16..32).collect::<Vec<_>>());
    assert_eq!(second(Float, 1_f32), (8..16).collect::<Vec<_>>());
}

/// MSCATTER-NZ-15, -16.
#[test]
fn adds_accumulate() {
    let atomic = ScatterAtomicOp::Add;
    let call = rows(nz(Float, [1, 2, 1], 8), nz_tile(Float, [16, 16], [2, 16]));
    let got = into_zeros(Mscatter { atomic, ..call }, &[1_f32; 32], &[4, 4]);
    assert_eq!((&got[32..40], &got[160..168]), (&[2.; 8][..], &[2.; 8][..]));
    assert_eq!(touched(&got).len(), 16);
    let call = elements(nz(Int32, [1, 2, 2], 8), 2);
    let got = into_zeros(Mscatter { atomic, ..call }, &[3, 4], &[109, 109]);
    assert_eq!((got[309], touched(&got)), (7, vec![309]));
}

/// MSCATTER-GAP-08: (0, 8) and (1, 0) share a slot; the walk visits (0, 8) last,
/// the coordinates put (1, 0) last.
#[test]
fn elem_order_is_a_reading() {
    let (src, idx) = (
        nz_tile(Float, [16, 16], [2, 9]),
        tile(Int32, [2, 16], [2, 9]),
    );
    let call = mscatter(Elem, nz(Float, [1, 2, 1], 8), src, idx);
    let mut values = [0_f32; 18];
    (values[0], values[8], values[9]) = (1e8, -1e8, 1.);
    // All others go to slot 1.
    let mut slots = [1; 18];
    (slots[8], slots[9]) = (0, 0);
    for (order, last, sum) in [
        (NzElemOrder::Walk, -1e8, 0.),
        (NzElemOrder::Coordinate, 1., 1.),
    ] {
        let readings = reading(|r| r.nz_elem_order = order);
        let ran = scatter(call, readings, &[0_f32; 256], &values, &slots);
        assert_eq!(ran.table::<f32>()[0], last);
        // With (0, 0) there too: 1e8, 1, -1e8 or 1e8, -1e8, 1.
        let add = call.with(|c| c.atomic = ScatterAtomicOp::Add);
        let mut slots = slots;
        slots[0] = 0;
        let ran = scatter(add, readings, &[0_f32; 256], &values, &slots);
        assert_eq!(ran.table::<f32>()[0], sum);
    }
}
