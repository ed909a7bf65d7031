//! MGATHER and MSCATTER on NZ tables.

use ptodiff_isa::{
    Coalesce, DType, GatherOob, GlobalTensor, Layout, Mgather, Mscatter, NzElemOrder,
    ScatterAtomicOp, Tile,
};

use crate::common::{
    Number, With, gathered, mgather, mscatter, nz, nz_tile, reading, scatter, scattered, table,
    tile,
};

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int32};
use GatherOob::{Clamp, Undefined, Wrap, Zero};

/// What the tile did not hold before: no number of an element.
const OLD: u16 = 0xFFFF;

/// Elements that a table reaches to.
fn reach(table: &GlobalTensor) -> usize {
    let last = (0..5).map(|d| (table.shape[d].get() - 1) * table.stride[d].get());
    last.sum::<u64>() as usize + 1
}

/// Gathers rows of halves from a table in which every element holds its own number.
fn gather(oob: GatherOob, dst: Tile, table: GlobalTensor, idx: &[i32]) -> Vec<u16> {
    let call = mgather(
        Row,
        dst,
        table,
        tile(Int32, [1, 8], [1, dst.valid_row.get()]),
    );
    let numbers: Vec<u16> = (0..reach(&table) as u16).collect();
    gathered(Mgather { oob, ..call }, OLD, &numbers, idx)
}

/// Where the tile changed, and the first number of each run of 16.
fn runs(tile: &[u16]) -> Vec<(usize, u16)> {
    let chunks = tile.chunks(16).enumerate();
    let run = |(k, chunk): (usize, &[u16])| {
        let first = chunk[0];
        (first != OLD).then(|| {
            assert!(chunk.iter().copied().eq(first..first + 16));
            (16 * k, first)
        })
    };
    chunks.filter_map(run).collect()
}

/// MGATHER-NZ-05, -11, -12, MGATHER-SHAPE-05: blocks of columns are 256 elements apart in
/// a tile of 16 rows.
#[test]
fn rows_are_spread_over_column_blocks() {
    let dst = |rows| nz_tile(Half, [16, 32], [rows, 32]);
    // Logical row 17 is row 1 of block row 1; column blocks are 512 apart in the table.
    let got = gather(Undefined, dst(2), nz(Half, [1, 2, 2], 16), &[17, 0]);
    assert_eq!(runs(&got), [(0, 272), (16, 0), (256, 784), (272, 512)]);
    // Batch 1 fills columns 16 to 31.
    let got = gather(Undefined, dst(1), nz(Half, [2, 1, 1], 16), &[3]);
    assert_eq!(runs(&got), [(0, 48), (256, 304)]);
    // Blocks 768 apart instead of 512.
    let apart = table(Half, [1, 2, 2, 16, 16], [1536, 768, 256, 16, 1], Layout::NZ);
    let got = gather(Undefined, dst(1), apart, &[2]);
    assert_eq!(runs(&got), [(0, 32), (256, 800)]);
}

/// MGATHER-CAP-05: Row bounds are the 32 logical rows.
#[test]
fn row_bounds_are_logical_rows() {
    for (oob, index, first) in [
        (Clamp, 32, 496),
        (Wrap, 33, 16),
        (Zero, 31, 496),
        (Zero, 32, 0),
    ] {
        let dst = nz_tile(Half, [16, 32], [1, 32]);
        let got = gather(oob, dst, nz(Half, [1, 2, 2], 16), &[index]);
        assert_eq!(got[0], first, "{oob} {index}");
    }
}

/// Scatters `src` into zeros.
fn into_zeros<T: Number>(call: Mscatter, src: &[T], idx: &[i32]) -> Vec<T> {
    scattered(call, &vec![T::default(); reach(&call.table)], src, idx)
}

/// Where a table is not zero.
fn touched<T: Number>(values: &[T]) -> Vec<usize> {
    let hit = |(k, v): (usize, &T)| (*v != T::default()).then_some(k);
    values.iter().enumerate().filter_map(hit).collect()
}

/// MSCATTER-NZ-15, -16.
#[test]
fn adds_accumulate() {
    let atomic = ScatterAtomicOp::Add;
    let (src, idx) = (
        nz_tile(Float, [16, 16], [2, 16]),
        tile(Int32, [1, 8], [1, 2]),
    );
    let call = mscatter(Row, nz(Float, [1, 2, 1], 8), src, idx);
    let got = into_zeros(Mscatter { atomic, ..call }, &[1_f32; 32], &[4, 4]);
    assert_eq!((&got[32..40], &got[160..168]), (&[2.; 8][..], &[2.; 8][..]));
    assert_eq!(touched(&got).len(), 16);
    let (src, idx) = (nz_tile(Int32, [16, 8], [1, 2]), tile(Int32, [1, 8], [1, 2]));
    let call = mscatter(Elem, nz(Int32, [1, 2, 2], 8), src, idx);
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
