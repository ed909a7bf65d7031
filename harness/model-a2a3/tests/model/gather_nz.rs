//! MGATHER on NZ tables.

use ptodiff_isa::{Coalesce, DType, GatherOob, GlobalTensor, Layout, Mgather, Tile};

use crate::common::{gathered, mgather, nz, nz_tile, table, tile};

use Coalesce::{Elem, Row};
use DType::{Half, Int32};
use GatherOob::{Clamp, Undefined, Wrap, Zero};

/// What the tile did not hold before: no number of an element.
const OLD: u16 = 0xFFFF;

/// Gathers halves from a table in which every element holds its own number.
fn gather(mode: Coalesce, oob: GatherOob, dst: Tile, table: GlobalTensor, idx: &[i32]) -> Vec<u16> {
    let shape = match mode {
        Row => [1, dst.valid_row.get()],
        Elem => [dst.valid_row.get(), dst.valid_col.get()],
    };
    let tile = tile(Int32, [shape[0], shape[1].next_multiple_of(8)], shape);
    let call = mgather(mode, dst, table, tile);
    let last = (0..5).map(|d| (table.shape[d].get() - 1) * table.stride[d].get());
    let numbers: Vec<u16> = (0..=last.sum::<u64>() as u16).collect();
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
    let got = gather(Row, Undefined, dst(2), nz(Half, [1, 2, 2], 16), &[17, 0]);
    assert_eq!(runs(&got), [(0, 272), (16, 0), (256, 784), (272, 512)]);
    // Batch 1 fills columns 16 to 31.
    let got = gather(Row, Undefined, dst(1), nz(Half, [2, 1, 1], 16), &[3]);
    assert_eq!(runs(&got), [(0, 48), (256, 304)]);
    // Blocks 768 apart instead of 512.
    let apart = table(Half, [1, 2, 2, 16, 16], [1536, 768, 256, 16, 1], Layout::NZ);
    let got = gather(Row, Undefined, dst(1), apart, &[2]);
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
        let got = gather(Row, oob, dst, nz(Half, [1, 2, 2], 16), &[index]);
        assert_eq!(got[0], first, "{oob} {index}");
    }
}

/// MGATHER-INDEX-04, MGATHER-CAP-06, MGATHER-NZ-02: slot 564 is logical (17, 20).
#[test]
fn elem_slots_translate() {
    let table = nz(Half, [1, 2, 2], 16);
    for (oob, index, want) in [
        (Undefined, 564, 788),
        (Undefined, 1023, 1023),
        (Wrap, 1024, 0),
        (Clamp, 1024, 1023),
    ] {
        let dst = nz_tile(Half, [16, 16], [1, 1]);
        let got = gather(Elem, oob, dst, table, &[index]);
        assert_eq!(
            (got[0], &got[1..]),
            (want, &[OLD; 255][..]),
            "{oob} {index}"
        );
    }
    // The last eight columns of row 0 are in the second column block, the first eight
    // of row 1 in the first one.
    let slots: Vec<i32> = (24..40).collect();
    let got = gather(
        Elem,
        Undefined,
        nz_tile(Half, [16, 16], [1, 16]),
        table,
        &slots,
    );
    let want: Vec<u16> = (520..528).chain(16..24).collect();
    assert_eq!((&got[..16], &got[16..]), (&want[..], &[OLD; 240][..]));
}

/// MGATHER-NZ-06: (1, 20) of a tile with 32 rows is element 532.
#[test]
fn elem_destinations_translate() {
    let mut idx = vec![0; 64];
    idx[32 + 20] = 5;
    let dst = nz_tile(Half, [32, 32], [2, 32]);
    let got = gather(Elem, Undefined, dst, nz(Half, [1, 1, 1], 16), &idx);
    assert_eq!(got.iter().position(|v| *v == 5), Some(532));
    assert_eq!(got.iter().filter(|v| **v == 0).count(), 63);
}

/// MGATHER-OOB-13, -07, MGATHER-SHAPE-05: by row Zero clears the whole tile first,
/// padding rows included; by element only the lane that is out of bounds is zero.
#[test]
fn what_zero_clears() {
    let table = nz(Half, [1, 1, 1], 16);
    let dst = nz_tile(Half, [32, 16], [5, 16]);
    let rows = [4, 3, 2, 1, 99];
    let got = gather(Row, Clamp, dst, table, &rows);
    let moved = [(0, 64), (16, 48), (32, 32), (48, 16), (64, 240)];
    assert_eq!(runs(&got), moved);
    let got = gather(Row, Zero, dst, table, &rows);
    assert_eq!(runs(&got[..64]), moved[..4]);
    assert_eq!(got[64..], [0; 448]);
    let dst = nz_tile(Half, [16, 16], [1, 3]);
    let got = gather(Elem, Zero, dst, table, &[255, 256, 7]);
    assert_eq!(got[..4], [255, 0, 7, OLD]);
}
