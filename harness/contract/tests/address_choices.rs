//! MSCATTER: where tables whose strides leave room, and bursts into
//! them, are written to, by each answer to the gaps.

use crate::common::{choices::*, scatters::*, *};
use ptodiff_contract::feeders;
use ptodiff_isa::*;

use Target::{A2a3, A5, Cpu};

#[test]
fn elements_of_a_padded_table() {
    // MSCATTER-GAP-18, -19: Shape<1,1,2,3,8>, rows 10 and matrices 64 apart;
    // 8 is row 1, 25 is the second element of matrix 1.
    let call = scatter(
        strided(
            packed(DType::Float, [1, 1, 2, 3, 8], Layout::ND),
            &[(2, 64), (3, 10)],
        ),
        tile(DType::Float, [1, 8], [1, 2]),
        tile(DType::Int32, [1, 8], [1, 2]),
        Coalesce::Elem,
    );
    let operands: [&[u8]; 3] = [&[0; 4 * 92], &numbered(1, 8), &padded_index(&[8, 25])];
    for (target, choice, places, gap) in [
        (A2a3, "flat", [8, 25], None),
        (A2a3, "strided", [10, 65], Some("MSCATTER-GAP-18")),
        (A5, "strided", [8, 25], Some("MSCATTER-GAP-19")),
    ] {
        let (p, preconditions) = run(&call, operands, target, &[("padded-elem", choice)]);
        assert_eq!(written(&p, 4 * 92), places.map(|at| (at, 1.0)));
        assert_eq!((freedom(&p), preconditions.len()), (gap, 0));
    }
    // The CPU has one matrix: Shape<1,1,1,4,8>, rows 16 apart.
    let call = Mscatter {
        table: strided(matrix(DType::Float, 4, 8), &[(3, 16)]),
        ..call
    };
    let operands: [&[u8]; 3] = [&[0; 4 * 56], &numbered(1, 8), &padded_index(&[8, 9])];
    for (target, places, gap) in [
        (A2a3, [16, 17], "MSCATTER-GAP-18"),
        (Cpu, [8, 9], "MSCATTER-GAP-18"),
    ] {
        let (p, _) = run(&call, operands, target, &[("padded-elem", "strided")]);
        assert_eq!(written(&p, 4 * 56), places.map(|at| (at, 1.0)));
        assert_eq!(freedom(&p), Some(gap));
    }
}

/// Rows of eight into Shape<1,1,2,4,8> with this stride for DIM_2.
fn two_matrices(stride: u64) -> Mscatter {
    Mscatter {
        table: strided(
            packed(DType::Float, [1, 1, 2, 4, 8], Layout::ND),
            &[(2, stride)],
        ),
        ..rows_of_eight(2)
    }
}

#[test]
fn rows_of_outer_dimensions() {
    // MSCATTER-GAP-16: 96 elements, row 4 at 32 or at 64.
    let operands: [&[u8]; 3] = [&[0; 4 * 96], &numbered(2, 8), &padded_index(&[4, 1])];
    for (choice, start) in [("ignored", 32), ("split", 64)] {
        let (p, preconditions) = run(
            &two_matrices(64),
            operands,
            A2a3,
            &[("outer-strides", choice)],
        );
        assert_eq!(written(&p, 4 * 96), filled(&[(8, 2.0), (start, 1.0)]));
        assert!(preconditions.is_empty());
    }
    // 48 elements: row 5 is the last that fits, if outer strides are ignored.
    for (row, fits) in [(5, true), (6, false)] {
        let operands: [&[u8]; 3] = [&[0; 4 * 48], &numbered(2, 8), &padded_index(&[0, row])];
        let (p, preconditions) = run(
            &two_matrices(16),
            operands,
            A2a3,
            &[("outer-strides", "ignored")],
        );
        assert_eq!(preconditions.is_empty(), fits);
        assert_eq!(all_open(&p, 4 * 48), !fits);
        if !fits {
            assert_eq!(preconditions, ["MSCATTER-GAP-16"]);
            assert_eq!(p.oob_accesses.unwrap().0, "MSCATTER-GAP-16");
        }
    }
}

#[test]
fn rows_that_share_elements() {
    // MSCATTER-GAP-16 (c): matrices 12 apart, so row 4 is 12 to 19, row 1 is 8 to 15.
    let split = [("outer-strides", "split")];
    let operands: [&[u8]; 3] = [&[0; 4 * 44], &numbered(2, 8), &padded_index(&[4, 1])];
    let (p, _) = run(&two_matrices(12), operands, A2a3, &split);
    let expected: Vec<_> = (8..20)
        .map(|at| (at, if at < 16 { 2.0 } else { 1.0 }))
        .collect();
    assert_eq!(written(&p, 4 * 44), expected);
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..two_matrices(12)
    };
    let (p, _) = run(&add, operands, A2a3, &split);
    let sums = (8..20).map(|at| match at {
        8..12 => (at, 2.0),
        12..16 => (at, 3.0),
        _ => (at, 1.0),
    });
    assert_eq!(written(&p, 4 * 44), sums.collect::<Vec<_>>());
}

/// int8 [2,32] valid [2,5] into a packed 4x5 table, Row.
fn five_bytes() -> Mscatter {
    scatter(
        matrix(DType::Int8, 4, 5),
        tile(DType::Int8, [2, 32], [2, 5]),
        tile(DType::Int32, [1, 8], [1, 2]),
        Coalesce::Row,
    )
}

#[test]
fn bursts_of_whole_chunks() {
    // MSCATTER-GAP-28: rows 0 and 2 stand at bytes 0 and 10.
    let src: Vec<u8> = (0..64).collect();
    let operands: [&[u8]; 3] = [&[100; 64], &src, &padded_index(&[0, 2])];
    let byte = |v: u8| Slot::One(vec![v]);
    let mut exact = vec![Slot::Kept; 64];
    let mut rounded = exact.clone();
    let mut summed = exact.clone();
    for c in 0..5_u8 {
        exact[usize::from(c)] = byte(c);
        exact[usize::from(10 + c)] = byte(32 + c);
    }
    for at in 0..42_u8 {
        let slot = usize::from(at);
        rounded[slot] = byte(if at < 10 { at } else { 22 + at });
        summed[slot] = byte(match at {
            0..10 => 100 + at,
            10..32 => 100 + at + 22 + at,
            _ => 100 + 22 + at,
        });
    }
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..five_bytes()
    };
    for (call, target, choice, expected, gap) in [
        (five_bytes(), A2a3, "exact", &exact, None),
        (
            five_bytes(),
            A2a3,
            "rounded",
            &rounded,
            Some("MSCATTER-GAP-28"),
        ),
        (add, A2a3, "rounded", &summed, Some("MSCATTER-GAP-28")),
        (five_bytes(), A5, "rounded", &exact, None),
    ] {
        let (p, preconditions) = run(&call, operands, target, &[("burst-tail", choice)]);
        assert_eq!(slots(&p, Role::Table, 64), *expected, "{target} {choice}");
        assert_eq!((freedom(&p), preconditions.len()), (gap, 0));
    }
    // Byte 12 comes from column 12 of row 0, then from column 2 of row 1.
    let m = memory(&[(Role::Index, operands[2])]);
    let rounded = with(&[("burst-tail", "rounded")]);
    let fed = feeders(
        &Call::Mscatter(five_bytes()),
        &[&m],
        A2a3,
        &rounded,
        Role::Table,
        12,
    );
    assert_eq!(
        fed.iter().map(|f| [f.r, f.c]).collect::<Vec<_>>(),
        [[0, 12], [1, 2]]
    );
    // The last byte that a burst writes is byte 41.
    for (len, fits) in [(42, true), (41, false)] {
        let table = vec![100; len];
        let operands: [&[u8]; 3] = [&table, &src, &padded_index(&[0, 2])];
        let (p, preconditions) = run(&five_bytes(), operands, A2a3, &[("burst-tail", "rounded")]);
        let expected: &[&str] = if fits { &[] } else { &["MSCATTER-GAP-28"] };
        assert_eq!(preconditions, expected);
        assert_eq!(all_open(&p, len), !fits);
    }
    // 32 bytes are exact as they are.
    let whole = Mscatter {
        table: matrix(DType::Int8, 4, 32),
        src: tile(DType::Int8, [2, 32], [2, 32]),
        ..five_bytes()
    };
    let operands: [&[u8]; 3] = [&[100; 128], &src, &padded_index(&[3, 0])];
    let (p, preconditions) = run(&whole, operands, A2a3, &[("burst-tail", "rounded")]);
    assert_eq!((freedom(&p), preconditions.len()), (None, 0));
}

#[test]
fn columns_of_the_padding_in_nz_rows() {
    // MSCATTER-GAP-22: src(0, c) = c, valid [1,9], to row 3 of Shape<1,2,1,16,8>:
    // column 8 + i stands at 128 + 24 + i.
    let mut src = vec![0.0; 256];
    for c in 0..16 {
        src[c / 8 * 128 + c % 8] = c as f32;
    }
    let call = scatter(
        packed(DType::Float, [1, 2, 1, 16, 8], Layout::NZ),
        nz_tile(DType::Float, [16, 16], [1, 9]),
        tile(DType::Int32, [1, 8], [1, 1]),
        Coalesce::Row,
    );
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..call
    };
    let operands: [&[u8]; 3] = [&floats(&[1.0; 256]), &floats(&src), &padded_index(&[3])];
    // Offset 158 is column 14.
    let fed = |choice| {
        let m = memory(&[(Role::Index, &padded_index(&[3]))]);
        let readings = with(&[("nz-row-columns", choice)]);
        feeders(
            &Call::Mscatter(call),
            &[&m],
            A2a3,
            &readings,
            Role::Table,
            158,
        )
    };
    let columns = |choice| fed(choice).iter().map(|f| f.c).collect::<Vec<_>>();
    assert_eq!((columns("moved"), columns("kept")), (vec![14], vec![]));
    for (call, choice, last, plus) in [
        (call, "moved", 16, 0.0),
        (call, "kept", 9, 0.0),
        (add, "moved", 16, 1.0),
        (add, "kept", 9, 1.0),
    ] {
        let (p, _) = run(&call, operands, A2a3, &[("nz-row-columns", choice)]);
        let expected = (0..last).map(|c| (c / 8 * 128 + 24 + c % 8, c as f32 + plus));
        assert_eq!(written(&p, 1024), expected.collect::<Vec<_>>(), "{choice}");
    }
}

#[test]
fn rows_valid_columns_apart_on_a5() {
    let valid_cols = [("row-pitch", "valid-cols")];
    let one = Mscatter {
        idx: tile(DType::Int32, [1, 8], [1, 1]),
        src: tile(DType::Float, [1, 8], [1, 8]),
        ..rows_of_eight(1)
    };
    // MSCATTER-GAP-13: rows 16 apart; A2/A3 goes by the stride.
    let apart = Mscatter {
        table: strided(matrix(DType::Float, 4, 8), &[(3, 16)]),
        ..one
    };
    let operands: [&[u8]; 3] = [&[0; 4 * 56], &numbered(1, 8), &padded_index(&[1])];
    for (target, start) in [(A5, 8), (A2a3, 16)] {
        let (p, _) = run(&apart, operands, target, &valid_cols);
        assert_eq!(written(&p, 4 * 56), filled(&[(start, 1.0)]));
        assert_eq!(freedom(&p), Some("MSCATTER-GAP-13"));
    }
    assert_eq!(freedom(&run(&apart, operands, A2a3, &[]).0), None);
    // MSCATTER-GAP-14: Shape<1,1,1,-1,-1>(4,16).
    let mut wide = one;
    wide.table = matrix(DType::Float, 4, 16);
    wide.table.shape[4] = Dim::Dynamic(16);
    let operands: [&[u8]; 3] = [&[0; 256], &numbered(1, 8), &padded_index(&[1])];
    let (p, _) = run(&wide, operands, A5, &valid_cols);
    assert_eq!(written(&p, 256), filled(&[(8, 1.0)]));
    assert_eq!(freedom(&p), Some("MSCATTER-GAP-14"));
    // What A5 rejects it cannot put elsewhere.
    wide.table.shape[4] = Dim::Static(16);
    let (p, _) = run(&wide, operands, A2a3, &valid_cols);
    assert_eq!(freedom(&p), None);
    // Shape<1,1,1,-1,-1>(4,4): 16 elements, so row 2 leaves them.
    let mut narrow = one;
    narrow.table = matrix(DType::Float, 4, 4);
    narrow.table.shape[4] = Dim::Dynamic(4);
    for (row, fits) in [(1, true), (2, false)] {
        let operands: [&[u8]; 3] = [&[0; 64], &numbered(1, 8), &padded_index(&[row])];
        let (p, preconditions) = run(&narrow, operands, A5, &valid_cols);
        let expected: &[&str] = if fits { &[] } else { &["MSCATTER-GAP-14"] };
        assert_eq!(preconditions, expected);
        assert_eq!(all_open(&p, 64), !fits);
    }
}
