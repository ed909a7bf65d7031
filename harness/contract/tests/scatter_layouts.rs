//! MSCATTER: tables and tiles of every layout, by hand.

use crate::common::{scatters::*, *};
use ptodiff_isa::*;

use Target::{A2a3, A5, Cpu};

const ALL: [Target; 3] = [A2a3, A5, Cpu];

#[test]
fn row_capacity_differs_by_target() {
    // MSCATTER-CAP-03, -04, MSCATTER-GAP-15: Shape<2,1,1,4,8>, Clamp, index 6.
    let call = Mscatter {
        table: packed(DType::Float, [2, 1, 1, 4, 8], Layout::ND),
        oob: ScatterOob::Clamp,
        ..rows_of_eight(1)
    };
    for (target, row, clause) in [(A2a3, 6, "MSCATTER-CAP-03"), (A5, 3, "MSCATTER-CAP-04")] {
        let idx = padded_index(&[6]);
        let p = scattered(
            &call,
            &[0; 256],
            &numbered(1, 8),
            &idx,
            target,
            &Readings::default(),
        );
        let s = fills(&slots(&p, Role::Table, 256));
        assert_eq!(s.iter().position(Option::is_some), Some(row));
        assert_eq!(runs(&p, Role::Table)[0].freedom.unwrap().0, clause);
        let p = scattered(
            &call,
            &[0; 256],
            &numbered(1, 8),
            &padded_index(&[2]),
            target,
            &Readings::default(),
        );
        assert_eq!(runs(&p, Role::Table)[0].freedom, None);
    }
}

#[test]
fn padded_strides_and_padded_tiles() {
    // MSCATTER-TABLE-04, -05: rows 16 apart, the gap kept.
    let mut call = rows_of_eight(1);
    call.table.stride[3] = Dim::Static(16);
    for d in 0..3 {
        call.table.stride[d] = Dim::Static(64);
    }
    let s = scatter_slots(&call, &[0; 224], &numbered(1, 8), &padded_index(&[2]), A2a3);
    assert!(s[32..40].iter().all(|s| *s == Slot::float(1.0)));
    assert_eq!(s.iter().filter(|s| **s == Slot::Kept).count(), 48);
    // MSCATTER-GAP-18: Elem counts elements, gap or not.
    let mut flat = eight(8);
    flat.table = packed(DType::Int32, [1, 1, 1, 4, 8], Layout::ND);
    flat.table.stride[3] = Dim::Static(16);
    let idx = words(&[8, 0, 1, 2, 3, 4, 5, 6]);
    let s = scatter_slots(&flat, &[0; 224], &words(&up_to(8)), &idx, A5);
    assert_eq!(s[8], Slot::word(0));
    // MSCATTER-SEM-05, -ALIGN-08: valid [3,3] in [3,8].
    let call = scatter(
        matrix(DType::Int32, 1, 32),
        tile(DType::Int32, [3, 8], [3, 3]),
        tile(DType::Int32, [3, 8], [3, 3]),
        Coalesce::Elem,
    );
    let (mut src, mut idx) = (vec![0xDEAD; 24], vec![0; 24]);
    for r in 0..3 {
        for c in 0..3 {
            src[r * 8 + c] = (10 * r + c) as i64;
            idx[r * 8 + c] = 9 + (3 * r + c) as i64;
        }
    }
    for target in ALL {
        let s = scatter_slots(&call, &[0; 128], &words(&src), &words(&idx), target);
        assert_eq!(s[0], Slot::Kept);
        let expected: Vec<_> = [0, 1, 2, 10, 11, 12, 20, 21, 22].map(Slot::word).to_vec();
        assert_eq!(s[9..18], expected);
        assert_eq!(s.iter().filter(|s| **s != Slot::Kept).count(), 9);
    }
}

#[test]
fn column_major_tiles_on_a5() {
    // MSCATTER-GAP-68: src(r,c) = 10r + c, idx 7..0.
    let call = scatter(
        matrix(DType::Int32, 8, 8),
        col_major(DType::Int32, [8, 8], [8, 8]),
        col_major(DType::Int32, [8, 1], [8, 1]),
        Coalesce::Row,
    );
    let src: Vec<i64> = (0..64).map(|i| 10 * (i % 8) + i / 8).collect();
    let s = scatter_slots(
        &call,
        &[0; 256],
        &words(&src),
        &words(&[7, 6, 5, 4, 3, 2, 1, 0]),
        A5,
    );
    let expected: Vec<_> = (0..64)
        .map(|i| Slot::word(10 * (7 - i / 8) + i % 8))
        .collect();
    assert_eq!(s, expected);
    // MSCATTER-GAP-72: (1,0) comes after (0,1) whatever the layout.
    let elem = scatter(
        matrix(DType::Int32, 1, 80),
        col_major(DType::Int32, [8, 8], [8, 8]),
        col_major(DType::Int32, [8, 8], [8, 8]),
        Coalesce::Elem,
    );
    let mut src = vec![0; 64];
    let mut idx: Vec<i64> = (0..64).map(|i| i + 10).collect();
    (src[8], idx[8]) = (1, 5);
    (src[1], idx[1]) = (2, 5);
    let s = scatter_slots(&elem, &[0; 320], &words(&src), &words(&idx), A5);
    assert_eq!(s[5], Slot::word(2));
}

/// float NZ tile [16,16] with src(r,c) = 100r + c.
fn nz_source(valid: [u64; 2]) -> (ptodiff_isa::Tile, Vec<u8>) {
    let mut all = vec![0.0; 256];
    for r in 0..16 {
        for c in 0..16 {
            all[c / 8 * 128 + r * 8 + c % 8] = (100 * r + c) as f32;
        }
    }
    (nz_tile(DType::Float, [16, 16], valid), floats(&all))
}

#[test]
fn nz_rows() {
    // Shape<1,2,2,16,8>: 32 logical rows of 16; row 17 is block row 1, row 1.
    let (src, bytes) = nz_source([2, 16]);
    let table = packed(DType::Float, [1, 2, 2, 16, 8], Layout::NZ);
    let call = scatter(
        table,
        src,
        tile(DType::Int32, [1, 8], [1, 2]),
        Coalesce::Row,
    );
    let s = scatter_slots(&call, &[0; 2048], &bytes, &padded_index(&[17, 3]), A2a3);
    for c in 0..8 {
        assert_eq!(s[136 + c], Slot::float(c as f32));
        assert_eq!(s[256 + 136 + c], Slot::float(8.0 + c as f32));
        assert_eq!(s[24 + c], Slot::float(100.0 + c as f32));
        assert_eq!(s[256 + 24 + c], Slot::float(108.0 + c as f32));
    }
    assert_eq!(s.iter().filter(|s| **s != Slot::Kept).count(), 32);
    // MSCATTER-NZ-14: blocks 512 apart instead of 256.
    let mut apart = call;
    apart.table.stride[1] = Dim::Static(512);
    let s = scatter_slots(
        &apart,
        &vec![0; 3072],
        &bytes,
        &padded_index(&[17, 3]),
        A2a3,
    );
    assert_eq!(s[512 + 136], Slot::float(8.0));
    // MSCATTER-GAP-22: columns 9 to 15 kept or padding.
    let (src, _) = nz_source([1, 9]);
    let narrow = Mscatter {
        src,
        idx: tile(DType::Int32, [1, 8], [1, 1]),
        ..call
    };
    let s = scatter_slots(&narrow, &[0; 2048], &bytes, &padded_index(&[3]), A2a3);
    assert_eq!(s[256 + 24], Slot::float(8.0));
    for c in 1..8 {
        let mut both = vec![vec![0; 4], (8.0 + c as f32).to_le_bytes().to_vec()];
        both.sort();
        assert_eq!(s[256 + 24 + c], Slot::Several(both));
    }
    // With Add the increment is open too; valid columns are sums.
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..narrow
    };
    let ones = floats(&[1.0; 512]);
    let r = Readings::default();
    let p = scattered(&add, &ones, &bytes, &padded_index(&[3]), A2a3, &r);
    let s = slots(&p, Role::Table, 2048);
    let kept_too = |at: usize| {
        let mut all = runs(&p, Role::Table).iter();
        let run = all.find(|run| (run.offset..run.offset + run.len).contains(&(4 * at)));
        run.expect("a run").or_kept.map(|clause| clause.0)
    };
    assert_eq!(
        (&s[256 + 24], kept_too(256 + 24)),
        (&Slot::float(9.0), None)
    );
    let sum = (&s[256 + 25], kept_too(256 + 25));
    assert_eq!(sum, (&Slot::float(10.0), Some("MSCATTER-GAP-22")));
}

#[test]
fn nz_batches() {
    // MSCATTER-NZ-11: float tile 16x32, Shape<2,2,1,16,8>, row 0..31 to row 3.
    let mut all = vec![0.0; 512];
    for c in 0..32 {
        all[c / 8 * 128 + c % 8] = c as f32;
    }
    let call = scatter(
        packed(DType::Float, [2, 2, 1, 16, 8], Layout::NZ),
        nz_tile(DType::Float, [16, 32], [1, 32]),
        tile(DType::Int32, [1, 8], [1, 1]),
        Coalesce::Row,
    );
    let s = scatter_slots(&call, &[0; 2048], &floats(&all), &padded_index(&[3]), A2a3);
    for c in 0..32 {
        assert_eq!(s[c / 8 * 128 + 24 + c % 8], Slot::float(c as f32));
    }
    // MSCATTER-GAP-25: logical (3,20) stands at 284.
    assert_eq!(s[284], Slot::float(20.0));
}

#[test]
fn nz_elements_and_their_order() {
    // MSCATTER-INDEX-04: index 109 is element 309. MSCATTER-GAP-08: who is last.
    let (src, bytes) = nz_source([2, 16]);
    let call = scatter(
        packed(DType::Float, [1, 2, 2, 16, 8], Layout::NZ),
        src,
        tile(DType::Int32, [2, 16], [2, 16]),
        Coalesce::Elem,
    );
    let mut idx: Vec<i64> = (0..32).map(|i| 200 + i).collect();
    (idx[8], idx[16]) = (109, 109);
    for (order, winner) in [(NzElemOrder::Walk, 8.0), (NzElemOrder::Coordinate, 100.0)] {
        let r = Readings {
            nz_elem_order: order,
            ..Readings::default()
        };
        let p = scattered(&call, &[0; 2048], &bytes, &words(&idx), A2a3, &r);
        assert_eq!(slots(&p, Role::Table, 2048)[309], Slot::float(winner));
    }
    // And how sums round: 1e8 - 1e8 + 1 by walk order is ((1e8 + 1) ...) by coordinate.
    let mut values = vec![0.0; 256];
    (values[0], values[128], values[8]) = (1e8, -1e8, 1.0);
    idx[0] = 109;
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..call
    };
    for (order, sum) in [(NzElemOrder::Walk, 0.0), (NzElemOrder::Coordinate, 1.0)] {
        let r = Readings {
            nz_elem_order: order,
            ..Readings::default()
        };
        let p = scattered(&add, &[0; 2048], &floats(&values), &words(&idx), A2a3, &r);
        assert_eq!(slots(&p, Role::Table, 2048)[309], Slot::float(sum));
    }
}
