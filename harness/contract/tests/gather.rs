//! MGATHER: what the register's witnesses and hand calculation say.

use crate::common::*;
use ptodiff_isa::{
    Coalesce, DType, Dim, GatherOob, Layout, Mgather, NegativeIndex, Readings, Role, Target,
};

use Target::{A2a3, A5, Cpu};

const ALL: [Target; 3] = [A2a3, A5, Cpu];
const POISON: u8 = 0x55;

fn up_to(n: usize) -> Vec<f32> {
    (0..n).map(|i| i as f32).collect()
}

/// float [rows, 8] from a table of `table` rows, Row.
fn rows(rows: u64, table: u64) -> Mgather {
    gather(
        tile(DType::Float, [rows, 8], [rows, 8]),
        matrix(DType::Float, table, 8),
        tile(DType::Int32, [1, 8], [1, rows]),
        Coalesce::Row,
    )
}

/// float [1, 8] with three valid columns from `slots` elements, Elem.
fn three(slots: u64) -> Mgather {
    gather(
        tile(DType::Float, [1, 8], [1, 3]),
        matrix(DType::Float, 1, slots),
        tile(DType::Int32, [1, 8], [1, 3]),
        Coalesce::Elem,
    )
}

fn index(idx: &[i64]) -> Vec<u8> {
    let mut all = idx.to_vec();
    all.resize(8, 0);
    words(&all)
}

/// The first column of each row of eight, whose rows are one table row each.
fn heads(slots: &[Slot]) -> Vec<f32> {
    slots
        .chunks(8)
        .map(|row| match &row[0] {
            Slot::One(b) => {
                let head = f32::from_le_bytes(b[..].try_into().unwrap());
                if head != 0.0 {
                    for (c, s) in row.iter().enumerate() {
                        assert_eq!(*s, Slot::float(head + c as f32));
                    }
                }
                head
            }
            other => panic!("{other:?}"),
        })
        .collect()
}

/// Table [n, 8] with 100 * row + column + 1.
fn table_of(n: usize) -> Vec<u8> {
    let all: Vec<f32> = (0..n * 8)
        .map(|i| (100 * (i / 8) + i % 8 + 1) as f32)
        .collect();
    floats(&all)
}

#[test]
fn rows_are_copied() {
    // MGATHER-SEM-01: one run for the whole destination, repeated rows included.
    for target in ALL {
        let p = gathered(
            &rows(3, 5),
            &[POISON; 96],
            &table_of(5),
            &index(&[4, 0, 4]),
            target,
            &Readings::default(),
        );
        assert_eq!(
            heads(&slots(&p, Role::Destination, 96)),
            [401.0, 1.0, 401.0]
        );
        let all = runs(&p, Role::Destination);
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].clause.0, all[0].freedom), ("MGATHER-SEM-01", None));
        assert!(runs(&p, Role::Table).is_empty());
        assert_eq!(p.oob_accesses, None);
    }
}

#[test]
fn policies() {
    for target in ALL {
        // MGATHER-OOB-04, -05, -06 on four rows.
        for (oob, idx, expected) in [
            (GatherOob::Clamp, [3, 4, 100], [301.0, 301.0, 301.0]),
            (GatherOob::Wrap, [9, 3, 4], [101.0, 301.0, 1.0]),
            (GatherOob::Zero, [1, 4, 3], [101.0, 0.0, 301.0]),
        ] {
            let call = Mgather { oob, ..rows(3, 4) };
            let s = gather_slots(&call, &[POISON; 96], &table_of(4), &index(&idx), target);
            assert_eq!(heads(&s), expected, "{target} {oob}");
        }
        // MGATHER-OOB-05, -07 by elements.
        let wrap = Mgather {
            oob: GatherOob::Wrap,
            ..three(10)
        };
        let s = gather_slots(
            &wrap,
            &[POISON; 32],
            &floats(&up_to(10)),
            &index(&[9, 10, 23]),
            target,
        );
        assert_eq!(s[..3], [9.0, 0.0, 3.0].map(Slot::float));
        assert_eq!(s[3..], vec![Slot::Kept; 5]);
        let zero = Mgather {
            oob: GatherOob::Zero,
            ..three(8)
        };
        let table: Vec<f32> = (1..=8).map(|i| i as f32).collect();
        let s = gather_slots(
            &zero,
            &[POISON; 32],
            &floats(&table),
            &index(&[7, 8, 0]),
            target,
        );
        assert_eq!(s[..3], [8.0, 0.0, 1.0].map(Slot::float));
    }
}

#[test]
fn undefined_opens_what_the_index_feeds() {
    // MGATHER-OOB-02, -03: row 0 open, row 1 exact.
    for (target, clause) in [
        (A2a3, "MGATHER-OOB-02"),
        (A5, "MGATHER-OOB-02"),
        (Cpu, "MGATHER-OOB-03"),
    ] {
        let p = gathered(
            &rows(2, 4),
            &[POISON; 64],
            &table_of(4),
            &index(&[9, 0]),
            target,
            &Readings::default(),
        );
        let s = slots(&p, Role::Destination, 64);
        assert_eq!(s[..8], vec![Slot::Anything; 8]);
        assert_eq!(heads(&s[8..]), [1.0]);
        assert_eq!(p.oob_accesses.unwrap().0, clause);
        assert_eq!(p.operands[0].guards_free, None);
    }
}

#[test]
fn negative_indices() {
    // MGATHER-OOB-10 and MGATHER-GAP-02: ten elements, index -1.
    use NegativeIndex::{Intended, Signed, Unsigned};
    let cases = [
        (Cpu, Signed, [9.0, 5.0, 0.0]),
        (A5, Unsigned, [9.0, 5.0, 0.0]),
        (A2a3, Intended, [0.0, 9.0, 0.0]),
    ];
    for (target, negative_index, expected) in cases {
        let r = Readings {
            negative_index,
            ..Readings::default()
        };
        for (oob, x) in [GatherOob::Clamp, GatherOob::Wrap, GatherOob::Zero]
            .into_iter()
            .zip(expected)
        {
            let call = Mgather { oob, ..three(10) };
            let idx = index(&[-1, 0, 1]);
            let p = gathered(&call, &[POISON; 32], &floats(&up_to(10)), &idx, target, &r);
            let s = slots(&p, Role::Destination, 32);
            assert_eq!(s[..3], [x, 0.0, 1.0].map(Slot::float), "{target} {oob}");
            let freedom = runs(&p, Role::Destination)[0].freedom.map(|c| c.0);
            let expected = match (target, negative_index) {
                (Cpu, _) => Some("MGATHER-OOB-10"),
                (_, Unsigned) => None,
                _ => Some("MGATHER-GAP-02"),
            };
            assert_eq!(freedom, expected);
        }
    }
    let r = Readings {
        negative_index: Signed,
        ..Readings::default()
    };
    let call = Mgather {
        oob: GatherOob::Clamp,
        ..three(10)
    };
    let p = gathered(
        &call,
        &[POISON; 32],
        &floats(&up_to(10)),
        &index(&[-1, 0, 1]),
        A5,
        &r,
    );
    let s = slots(&p, Role::Destination, 32);
    assert_eq!(s[0], Slot::Anything);
    assert_eq!(s[1], Slot::float(0.0));
    assert_eq!(p.oob_accesses.unwrap().0, "MGATHER-GAP-02");
}

#[test]
fn padding_is_kept_but_for_the_last_burst() {
    // MGATHER-GAP-18: valid [3,3] in [3,16], so 12 of 32 bytes, then 32 more.
    let call = gather(
        tile(DType::Int32, [3, 16], [3, 3]),
        matrix(DType::Int32, 4, 3),
        tile(DType::Int32, [1, 8], [1, 3]),
        Coalesce::Row,
    );
    for (oob, zero) in [(GatherOob::Undefined, false), (GatherOob::Zero, true)] {
        let call = Mgather { oob, ..call };
        for target in ALL {
            let idx = index(&[0, 1, if zero { 9 } else { 2 }]);
            let table = words(&(1..13).collect::<Vec<_>>());
            let s = gather_slots(&call, &[POISON; 192], &table, &idx, target);
            for r in 0..3 {
                let row = &s[r * 16..][..16];
                let filled = zero && r == 2;
                let first = if filled { 0 } else { 3 * r as i64 + 1 };
                assert_eq!(row[0], Slot::word(first));
                let tail = if target == A2a3 && !filled {
                    Slot::Anything
                } else {
                    Slot::Kept
                };
                assert_eq!(row[3..8], vec![tail; 5]);
                assert_eq!(row[8..], vec![Slot::Kept; 8]);
            }
        }
    }
}

#[test]
fn row_pitch_by_target() {
    // MGATHER-TABLE-05: rows 24 apart on A2/A3.
    let mut call = rows(2, 4);
    call.table.stride[3] = Dim::Static(24);
    let table = floats(&up_to(80));
    let s = gather_slots(&call, &[POISON; 64], &table, &index(&[3, 1]), A2a3);
    assert_eq!(heads(&s), [72.0, 24.0]);
    // MGATHER-TABLE-04: Shape[4] apart on the CPU, and the tile narrower.
    let wide = Mgather {
        table: matrix(DType::Float, 4, 12),
        ..rows(1, 4)
    };
    for target in [Cpu, A2a3] {
        let s = gather_slots(
            &wide,
            &[POISON; 32],
            &floats(&up_to(48)),
            &index(&[2]),
            target,
        );
        assert_eq!(heads(&s), [24.0]);
    }
    // MGATHER-CAP-02, -03: Shape<1,1,2,3,8>, Clamp.
    let outer = Mgather {
        table: packed(DType::Float, [1, 1, 2, 3, 8], Layout::ND),
        oob: GatherOob::Clamp,
        ..rows(3, 4)
    };
    for (target, expected, clause) in [
        (A2a3, [501.0, 501.0, 101.0], "MGATHER-CAP-02"),
        (A5, [201.0, 201.0, 101.0], "MGATHER-CAP-03"),
    ] {
        let idx = index(&[5, 6, 1]);
        let r = Readings::default();
        let p = gathered(&outer, &[POISON; 96], &table_of(6), &idx, target, &r);
        assert_eq!(heads(&slots(&p, Role::Destination, 96)), expected);
        let all = runs(&p, Role::Destination);
        assert_eq!(all[0].freedom.unwrap().0, clause);
        assert_eq!(all.last().unwrap().freedom, None);
    }
}

#[test]
fn column_major_tiles_on_a5() {
    // MGATHER-GAP-38: ColMajor [8,4], table width 4, rows backwards.
    let call = gather(
        col_major(DType::Float, [8, 4], [8, 4]),
        matrix(DType::Float, 8, 4),
        col_major(DType::Int32, [8, 1], [8, 1]),
        Coalesce::Row,
    );
    let idx = words(&[7, 6, 5, 4, 3, 2, 1, 0]);
    let s = gather_slots(&call, &[POISON; 128], &floats(&up_to(32)), &idx, A5);
    let expected: Vec<_> = (0..32)
        .map(|i| Slot::float(((7 - i % 8) * 4 + i / 8) as f32))
        .collect();
    assert_eq!(s, expected);
    // MGATHER-TILE-10: index tile of the other layout.
    let elem = gather(
        tile(DType::Float, [8, 8], [8, 8]),
        matrix(DType::Float, 8, 8),
        col_major(DType::Int32, [8, 8], [8, 8]),
        Coalesce::Elem,
    );
    let idx: Vec<i64> = (0..64).map(|i| 63 - (i % 8 * 8 + i / 8)).collect();
    let s = gather_slots(&elem, &[POISON; 256], &floats(&up_to(64)), &words(&idx), A5);
    let expected: Vec<_> = (0..64).map(|i| Slot::float(63.0 - i as f32)).collect();
    assert_eq!(s, expected);
}

#[test]
fn a_cpu_index_column() {
    // MGATHER-TILE-12: [4,1] RowMajor in [4,8], decoys beside it.
    let call = Mgather {
        idx: tile(DType::Int32, [4, 8], [4, 1]),
        ..rows(4, 6)
    };
    let mut idx = vec![5; 32];
    for (r, row) in [2, 0, 3, 1].into_iter().enumerate() {
        idx[r * 8] = row;
    }
    let s = gather_slots(&call, &[POISON; 128], &table_of(6), &words(&idx), Cpu);
    assert_eq!(heads(&s), [201.0, 1.0, 301.0, 101.0]);
}

/// half table Shape<1,2,2,16,16> whose logical (r, c) holds 64r + c.
fn nz_table() -> Vec<u8> {
    let mut all = vec![0; 1024];
    for r in 0..32 {
        for c in 0..32 {
            all[c / 16 * 512 + r * 16 + c % 16] = (64 * r + c) as u16;
        }
    }
    halves(&all)
}

fn nz(valid: [u64; 2], mode: Coalesce) -> Mgather {
    let idx = match mode {
        Coalesce::Row => tile(DType::Int32, [1, 24], [1, valid[0]]),
        Coalesce::Elem => tile(DType::Int32, [2, 32], valid),
    };
    gather(
        nz_tile(DType::Half, [32, 32], valid),
        packed(DType::Half, [1, 2, 2, 16, 16], Layout::NZ),
        idx,
        mode,
    )
}

fn half_slot(v: usize) -> Slot {
    Slot::One((v as u16).to_le_bytes().to_vec())
}

#[test]
fn nz_rows() {
    // MGATHER-NZ-05, -06: tile (r, c) stands at c/16*512 + r*16 + c%16.
    let mut idx = vec![0; 24];
    (idx[0], idx[1]) = (17, 31);
    let full = nz([2, 32], Coalesce::Row);
    let s = gather_slots(&full, &[POISON; 2048], &nz_table(), &words(&idx), A2a3);
    for c in 0..32 {
        assert_eq!(s[c / 16 * 512 + c % 16], half_slot(64 * 17 + c));
        assert_eq!(s[c / 16 * 512 + 16 + c % 16], half_slot(64 * 31 + c));
    }
    assert_eq!(s.iter().filter(|s| **s == Slot::Kept).count(), 1024 - 64);
    // MGATHER-GAP-57: columns from 20 on kept or brought.
    let narrow = nz([1, 20], Coalesce::Row);
    let s = gather_slots(&narrow, &[POISON; 2048], &nz_table(), &words(&idx), A2a3);
    assert_eq!(s[512 + 3], half_slot(64 * 17 + 19));
    let mut both = vec![
        vec![POISON, POISON],
        (64_u16 * 17 + 20).to_le_bytes().to_vec(),
    ];
    both.sort();
    assert_eq!(s[512 + 4], Slot::Several(both));
    // MGATHER-OOB-13: Zero fills the tile first; MGATHER-CAP-05: 32 rows.
    let zero = Mgather {
        oob: GatherOob::Zero,
        ..nz([2, 20], Coalesce::Row)
    };
    idx[1] = 32;
    let s = gather_slots(&zero, &[POISON; 2048], &nz_table(), &words(&idx), A2a3);
    assert_eq!(s[0], half_slot(64 * 17));
    assert_eq!(s[16], half_slot(0));
    assert_eq!(s[512 + 16 + 10], half_slot(0));
    assert_eq!(s[512 + 31 * 16], half_slot(0));
    let mut both = vec![vec![0, 0], (64_u16 * 17 + 20).to_le_bytes().to_vec()];
    both.sort();
    assert_eq!(s[512 + 4], Slot::Several(both));
    let clamp = Mgather {
        oob: GatherOob::Clamp,
        ..full
    };
    let s = gather_slots(&clamp, &[POISON; 2048], &nz_table(), &words(&idx), A2a3);
    assert_eq!(s[16], half_slot(64 * 31));
}

#[test]
fn nz_elements() {
    // MGATHER-INDEX-04: 564 is logical (17,20). MGATHER-CAP-06: 1024 wraps to 0.
    let call = Mgather {
        oob: GatherOob::Wrap,
        ..nz([2, 32], Coalesce::Elem)
    };
    let mut idx: Vec<i64> = vec![0; 64];
    (idx[0], idx[1], idx[2], idx[32 + 20]) = (564, 1024, 1023, 33);
    let s = gather_slots(&call, &[POISON; 2048], &nz_table(), &words(&idx), A2a3);
    assert_eq!(s[0], half_slot(64 * 17 + 20));
    assert_eq!(s[1], half_slot(0));
    assert_eq!(s[2], half_slot(64 * 31 + 31));
    assert_eq!(s[512 + 16 + 4], half_slot(64 + 1));
}

#[test]
fn the_table_of_the_first_step_and_the_tiles_of_the_last() {
    let call = ptodiff_isa::Call::Mgather(rows(1, 4));
    let first = memory(&[
        (Role::Destination, &[POISON; 32]),
        (Role::Table, &table_of(4)),
        (Role::Index, &index(&[1])),
    ]);
    let last = memory(&[(Role::Destination, &[0; 32]), (Role::Index, &index(&[2]))]);
    let p = ptodiff_contract::permits(&call, &[&first, &last], A5, &Readings::default()).unwrap();
    assert_eq!(heads(&slots(&p, Role::Destination, 32)), [201.0]);
}

#[test]
fn an_access_outside_is_excused_in_whichever_step_it_happens() {
    // MGATHER-GAP-02 (b): -1 passes the clamp and reads the row before the table.
    let call = ptodiff_isa::Call::Mgather(Mgather {
        oob: GatherOob::Clamp,
        ..rows(1, 4)
    });
    let signed = Readings {
        negative_index: NegativeIndex::Signed,
        ..Readings::default()
    };
    let excused = |indices: [i64; 2]| {
        let [first, last] = indices.map(|i| {
            memory(&[
                (Role::Destination, &[POISON; 32]),
                (Role::Table, &table_of(4)),
                (Role::Index, &index(&[i])),
            ])
        });
        let p = ptodiff_contract::permits(&call, &[&first, &last], A5, &signed).unwrap();
        p.oob_accesses.map(|c| c.0)
    };
    assert_eq!(excused([0, 1]), None);
    assert_eq!(excused([0, -1]), Some("MGATHER-GAP-02"));
    assert_eq!(excused([-1, 0]), Some("MGATHER-GAP-02"));
}
