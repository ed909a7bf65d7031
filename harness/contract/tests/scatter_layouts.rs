//! MSCATTER: tables and tiles of every layout, by hand.

use crate::common::{said::*, scatters::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Float, Int32};
use Target::{A2a3, A5, Cpu};

#[test]
fn row_capacity_differs_by_target() {
    // MSCATTER-CAP-03, -04, MSCATTER-GAP-15: Shape<2,1,1,4,8>, Clamp, index 6.
    let call = Mscatter {
        table: packed(Float, [2, 1, 1, 4, 8], Layout::ND),
        oob: ScatterOob::Clamp,
        ..rows_of_eight(1)
    };
    for (target, row, clause) in [(A2a3, 6, "MSCATTER-CAP-03"), (A5, 3, "MSCATTER-CAP-04")] {
        let said = into_zeros(&call, &numbered(1, 8), &[6], target, &[]);
        assert_eq!(written(&said), filled(&[(8 * row, 1.0)]));
        assert_eq!(said.freedom(), Some(clause));
        let said = into_zeros(&call, &numbered(1, 8), &[2], target, &[]);
        assert_eq!(said.freedom(), None);
    }
}

#[test]
fn padded_strides_and_padded_tiles() {
    // MSCATTER-TABLE-04, -05: rows 16 apart, the gap kept.
    let mut call = rows_of_eight(1);
    call.table = strided(call.table, 3, 16);
    let said = into_zeros(&call, &numbered(1, 8), &[2], A2a3, &[]);
    assert_eq!(written(&said), filled(&[(32, 1.0)]));
    // MSCATTER-SEM-05, -ALIGN-08: valid [3,3] in [3,8].
    let three = tile(Int32, [3, 8], [3, 3]);
    let call = scatter(matrix(Int32, 1, 32), three, three, Elem);
    let (mut src, mut idx) = (vec![0xDEAD; 24], vec![0; 24]);
    for (r, c) in (0..3).flat_map(|r| (0..3).map(move |c| (r, c))) {
        src[r * 8 + c] = (10 * r + c) as i64;
        idx[r * 8 + c] = 9 + (3 * r + c) as i64;
    }
    for target in [A2a3, A5, Cpu] {
        let s = into_zeros(&call, &words(&src), &idx, target, &[]).slots;
        let expected = [0, 1, 2, 10, 11, 12, 20, 21, 22].map(Slot::word);
        assert_eq!(s[9..18], expected);
        assert_eq!(s.iter().filter(|s| **s != Slot::Kept).count(), 9);
    }
}

#[test]
fn column_major_tiles_on_a5() {
    // MSCATTER-GAP-68: src(r,c) = 10r + c, idx 7..0.
    let full = col_major(Int32, [8, 8], [8, 8]);
    let down = col_major(Int32, [8, 1], [8, 1]);
    let call = scatter(matrix(Int32, 8, 8), full, down, Row);
    let src: Vec<i64> = (0..64).map(|i| 10 * (i % 8) + i / 8).collect();
    let idx = [7, 6, 5, 4, 3, 2, 1, 0];
    let said = into_zeros(&call, &words(&src), &idx, A5, &[]);
    let expected = (0..64).map(|i| Slot::word(10 * (7 - i / 8) + i % 8));
    assert_eq!(said.slots, expected.collect::<Vec<_>>());
}

/// Where (r, c) stands in a table of 32 rows and blocks of 8 columns.
fn nz_at(r: usize, c: usize) -> usize {
    c / 8 * 256 + r * 8 + c % 8
}

/// Shape<1,2,2,16,8>: 32 logical rows of 16.
fn nz_table() -> GlobalTensor {
    packed(Float, [1, 2, 2, 16, 8], Layout::NZ)
}

/// float NZ tile [16,16] with src(r,c) = 100r + c.
fn nz_source(valid: [u64; 2]) -> (Tile, Vec<u8>) {
    let mut all = vec![0.0; 256];
    for (r, c) in (0..16).flat_map(|r| (0..16).map(move |c| (r, c))) {
        all[c / 8 * 128 + r * 8 + c % 8] = (100 * r + c) as f32;
    }
    (nz_tile(Float, [16, 16], valid), floats(&all))
}

#[test]
fn nz_rows() {
    let (src, bytes) = nz_source([2, 16]);
    let call = scatter(nz_table(), src, tile(Int32, [1, 8], [1, 2]), Row);
    let s = into_zeros(&call, &bytes, &[17, 3], A2a3, &[]).slots;
    for c in 0..16 {
        assert_eq!(s[nz_at(17, c)], Slot::float(c as f32));
        assert_eq!(s[nz_at(3, c)], Slot::float(100.0 + c as f32));
    }
    assert_eq!(s.iter().filter(|s| **s != Slot::Kept).count(), 32);
    // MSCATTER-NZ-14: blocks 512 apart instead of 256.
    let mut apart = call;
    apart.table = strided(apart.table, 1, 512);
    let s = into_zeros(&apart, &bytes, &[17, 3], A2a3, &[]).slots;
    assert_eq!(s[256 + nz_at(17, 8)], Slot::float(8.0));
    // MSCATTER-GAP-22: columns 9 to 15 kept or padding.
    let narrow = Mscatter {
        src: nz_source([1, 9]).0,
        idx: tile(Int32, [1, 8], [1, 1]),
        ..call
    };
    let s = into_zeros(&narrow, &bytes, &[3], A2a3, &[]).slots;
    assert_eq!(s[nz_at(3, 8)], Slot::float(8.0));
    for c in 9..16 {
        let either = Slot::any_of(&[0.0, c as f32].map(f32::to_le_bytes));
        assert_eq!(s[nz_at(3, c)], either);
    }
    // With Add the increment is open too; valid columns are sums.
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..narrow
    };
    let said = into(&add, &floats(&[1.0; 512]), &bytes, &[3], A2a3, &[]);
    for (c, kept_too) in [(8, None), (9, Some("MSCATTER-GAP-22"))] {
        let at = nz_at(3, c);
        let over =
            |run: &&ptodiff_contract::Run| (run.offset..run.offset + run.len).contains(&(4 * at));
        let run = said.runs().iter().find(over).expect("a run");
        assert_eq!(said.slots[at], Slot::float(c as f32 + 1.0));
        assert_eq!(run.or_kept.map(|clause| clause.0), kept_too);
    }
}

#[test]
fn nz_batches() {
    // MSCATTER-NZ-11, -GAP-25: float tile 16x32, Shape<2,2,1,16,8>, row 0..31 to row 3.
    let mut all = vec![0.0; 512];
    for c in 0..32 {
        all[c / 8 * 128 + c % 8] = c as f32;
    }
    let call = scatter(
        packed(Float, [2, 2, 1, 16, 8], Layout::NZ),
        nz_tile(Float, [16, 32], [1, 32]),
        tile(Int32, [1, 8], [1, 1]),
        Row,
    );
    let s = into_zeros(&call, &floats(&all), &[3], A2a3, &[]).slots;
    for c in 0..32 {
        assert_eq!(s[c / 8 * 128 + 24 + c % 8], Slot::float(c as f32));
    }
}

#[test]
fn nz_elements_and_their_order() {
    // MSCATTER-INDEX-04: index 109 is logical (6,13), element 309.
    assert_eq!(nz_at(6, 13), 309);
    let (src, bytes) = nz_source([2, 16]);
    let call = scatter(nz_table(), src, tile(Int32, [2, 16], [2, 16]), Elem);
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..call
    };
    let mut idx: Vec<i64> = (0..32).map(|i| 200 + i).collect();
    (idx[8], idx[16]) = (109, 109);
    let mut sums = idx.clone();
    sums[0] = 109;
    let mut values = vec![0.0; 256];
    (values[0], values[128], values[8]) = (1e8, -1e8, 1.0);
    // MSCATTER-GAP-08: who is last, and how sums round: (1e8 + 1) - 1e8 by walk.
    for (order, winner, sum) in [("walk", 8.0, 0.0), ("coordinate", 100.0, 1.0)] {
        let choices = [("nz-elem-order", order)];
        let said = into_zeros(&call, &bytes, &idx, A2a3, &choices);
        assert_eq!(said.slots[309], Slot::float(winner));
        let said = into_zeros(&add, &floats(&values), &sums, A2a3, &choices);
        assert_eq!(said.slots[309], Slot::float(sum));
    }
}
