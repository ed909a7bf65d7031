//! MSCATTER: who writes a slot, and where indices lead.

use crate::common::{scatters::*, *};
use ptodiff_contract::{Permit, Permits, Unusable, permits};
use ptodiff_isa::*;

use Target::{A2a3, A5, Cpu};

const NPUS: [Target; 2] = [A2a3, A5];
const ALL: [Target; 3] = [A2a3, A5, Cpu];

#[test]
fn row_replaces_whole_rows() {
    // MSCATTER-SEM-01.
    for target in NPUS {
        let p = scattered(
            &rows_of_eight(2),
            &[0; 128],
            &numbered(2, 8),
            &padded_index(&[3, 0]),
            target,
            &Readings::default(),
        );
        let slots = slots(&p, Role::Table, 128);
        assert_eq!(fills(&slots), [Some(2.0), None, None, Some(1.0)]);
        // A row is one run, and the others are kept (MSCATTER-SEM-04).
        assert_eq!(runs(&p, Role::Table).len(), 2);
        assert!(p.oob_accesses.is_none() && p.operands[0].guards_free.is_none());
        assert!(runs(&p, Role::Source).is_empty() && runs(&p, Role::Index).is_empty());
        assert_eq!(p.operands[0].kept.0, "MSCATTER-SEM-04");
        assert_eq!(runs(&p, Role::Table)[0].clause.0, "MSCATTER-SEM-01");
    }
}

#[test]
fn elem_is_flat() {
    // MSCATTER-SEM-02, a reversal; merged into one run.
    for target in ALL {
        let p = scattered(
            &eight(8),
            &[0; 32],
            &words(&[1, 2, 3, 4, 5, 6, 7, 8]),
            &words(&[7, 6, 5, 4, 3, 2, 1, 0]),
            target,
            &Readings::default(),
        );
        let expected: Vec<_> = (1..=8).rev().map(Slot::word).collect();
        assert_eq!(slots(&p, Role::Table, 32), expected);
        assert_eq!(runs(&p, Role::Table).len(), 1);
    }
}

#[test]
fn the_last_writer_wins() {
    // MSCATTER-CONF-01, -02, -04, -08; the register's numbers.
    for target in NPUS {
        let s = scatter_slots(
            &rows_of_eight(3),
            &[0; 128],
            &numbered(3, 8),
            &padded_index(&[2, 2, 2]),
            target,
        );
        assert_eq!(fills(&s), [None, None, Some(3.0), None]);
    }
    let call = scatter(
        matrix(DType::Int32, 1, 7),
        tile(DType::Int32, [8, 32], [8, 32]),
        tile(DType::Int32, [8, 32], [8, 32]),
        Coalesce::Elem,
    );
    let idx: Vec<i64> = (0..256).map(|i| i % 7).collect();
    let expected = [252, 253, 254, 255, 249, 250, 251].map(Slot::word);
    for target in ALL {
        let s = scatter_slots(&call, &[0; 28], &words(&up_to(256)), &words(&idx), target);
        assert_eq!(s, expected, "{target}");
    }
}

#[test]
fn default_leaves_any_writer() {
    // MSCATTER-CONF-06 on A5; elsewhere there is no such policy (MSCATTER-CONF-10, -14).
    let call = Mscatter {
        conflict: ScatterConflict::Default,
        ..eight(8)
    };
    let src = words(&[10, 11, 12, 13, 14, 15, 16, 17]);
    for (target, freedom) in [
        (A5, "MSCATTER-CONF-06"),
        (A2a3, "MSCATTER-CONF-10"),
        (Cpu, "MSCATTER-CONF-14"),
    ] {
        let idx = words(&[3, 3, 3, 3, 3, 3, 3, 5]);
        let p = scattered(&call, &[0; 32], &src, &idx, target, &Readings::default());
        let s = slots(&p, Role::Table, 32);
        let contested = match target {
            A5 => Slot::any_word(&[10, 11, 12, 13, 14, 15, 16]),
            _ => Slot::word(16),
        };
        assert_eq!(s[3], contested);
        assert_eq!(s[5], Slot::word(17));
        assert_eq!(runs(&p, Role::Table)[0].freedom.unwrap().0, freedom);
        assert_eq!(runs(&p, Role::Table)[1].freedom, None);
    }
}

#[test]
fn a_contested_row_may_be_torn() {
    // MSCATTER-GAP-09 as read: each element on its own.
    let call = Mscatter {
        conflict: ScatterConflict::Default,
        ..rows_of_eight(3)
    };
    let p = scattered(
        &call,
        &[0; 128],
        &numbered(3, 8),
        &padded_index(&[1, 1, 0]),
        A5,
        &Readings::default(),
    );
    let s = slots(&p, Role::Table, 128);
    let mut either = vec![
        1.0_f32.to_le_bytes().to_vec(),
        2.0_f32.to_le_bytes().to_vec(),
    ];
    either.sort();
    assert_eq!(s[8..16], vec![Slot::Several(either); 8]);
    assert_eq!(runs(&p, Role::Table).len(), 2);
}

#[test]
fn out_of_bounds_policies() {
    // MSCATTER-OOB-04, -07, -09, -12, -15 on a table of four rows.
    type Rows = [Option<f32>; 4];
    let cases: [(ScatterOob, &[i64], Rows); 6] = [
        (
            ScatterOob::Skip,
            &[1, 4, 2],
            [None, Some(1.0), Some(3.0), None],
        ),
        (
            ScatterOob::Clamp,
            &[4, 9, 1],
            [None, Some(3.0), None, Some(2.0)],
        ),
        (
            ScatterOob::Clamp,
            &[3, 7, 100],
            [None, None, None, Some(3.0)],
        ),
        (
            ScatterOob::Wrap,
            &[9, 4, 4],
            [Some(3.0), Some(1.0), None, None],
        ),
        (ScatterOob::Skip, &[1, 1, 9], [None, Some(2.0), None, None]),
        (ScatterOob::Wrap, &[1, 1, 9], [None, Some(3.0), None, None]),
    ];
    for target in NPUS {
        for (oob, idx, expected) in cases {
            let call = Mscatter {
                oob,
                ..rows_of_eight(3)
            };
            let s = scatter_slots(
                &call,
                &[0; 128],
                &numbered(3, 8),
                &padded_index(idx),
                target,
            );
            assert_eq!(fills(&s), expected, "{target} {oob}");
        }
        // MSCATTER-OOB-13: large unsigned numbers.
        let mut call = scatter(
            matrix(DType::Float, 10, 8),
            tile(DType::Float, [1, 8], [1, 8]),
            tile(DType::Uint32, [1, 8], [1, 1]),
            Coalesce::Row,
        );
        for (oob, row) in [
            (ScatterOob::Skip, None),
            (ScatterOob::Clamp, Some(9)),
            (ScatterOob::Wrap, Some(5)),
        ] {
            call.oob = oob;
            let s = scatter_slots(
                &call,
                &[0; 320],
                &numbered(1, 8),
                &padded_index(&[0xFFFF_FFFF]),
                target,
            );
            let written = fills(&s).iter().position(Option::is_some);
            assert_eq!(written, row);
        }
    }
}

#[test]
fn negative_indices_follow_the_reading() {
    // MSCATTER-GAP-01, ten rows, index -1.
    let written = |oob, negative_index| -> (Option<usize>, Permits) {
        let call = Mscatter {
            oob,
            ..scatter(
                matrix(DType::Float, 10, 8),
                tile(DType::Float, [1, 8], [1, 8]),
                tile(DType::Int32, [1, 8], [1, 1]),
                Coalesce::Row,
            )
        };
        let r = Readings {
            negative_index,
            ..Readings::default()
        };
        let idx = padded_index(&[-1]);
        let p = scattered(&call, &[0; 320], &numbered(1, 8), &idx, A5, &r);
        let row = fills(&slots(&p, Role::Table, 320))
            .iter()
            .position(Option::is_some);
        (row, p)
    };
    use NegativeIndex::{Intended, Signed, Unsigned};
    assert_eq!(written(ScatterOob::Clamp, Unsigned).0, Some(9));
    assert_eq!(written(ScatterOob::Wrap, Unsigned).0, Some(5));
    assert_eq!(written(ScatterOob::Skip, Unsigned).0, None);
    assert_eq!(written(ScatterOob::Clamp, Intended).0, Some(0));
    assert_eq!(written(ScatterOob::Wrap, Intended).0, Some(9));
    assert_eq!(written(ScatterOob::Skip, Intended).0, None);
    for oob in [ScatterOob::Clamp, ScatterOob::Wrap, ScatterOob::Skip] {
        let (row, p) = written(oob, Signed);
        assert_eq!(row, None);
        assert_eq!(p.oob_accesses.unwrap().0, "MSCATTER-GAP-01");
        assert!(p.operands[0].guards_free.is_some());
    }
    let (_, p) = written(ScatterOob::Wrap, Intended);
    assert_eq!(
        runs(&p, Role::Table)[0].freedom.unwrap().0,
        "MSCATTER-GAP-01"
    );
}

#[test]
fn undefined_promises_nothing() {
    // MSCATTER-OOB-03, -16.
    for (target, clause) in [(A2a3, "MSCATTER-OOB-03"), (Cpu, "MSCATTER-OOB-16")] {
        let idx = words(&[0, 1, 2, 3, 4, 5, 6, 8]);
        let p = scattered(
            &eight(8),
            &[0; 32],
            &words(&up_to(8)),
            &idx,
            target,
            &Readings::default(),
        );
        assert_eq!(slots(&p, Role::Table, 32), vec![Slot::Anything; 8]);
        assert_eq!(runs(&p, Role::Table).len(), 1);
        assert_eq!(p.oob_accesses.unwrap().0, clause);
        assert_eq!(p.operands[0].guards_free.unwrap().0, clause);
        assert_eq!(runs(&p, Role::Table)[0].clause.0, clause);
    }
    // A call that breaks a precondition is promised nothing either.
    let call = Mscatter {
        table: matrix(DType::Float, 4, 16),
        ..rows_of_eight(2)
    };
    let p = scattered(
        &call,
        &[0; 256],
        &numbered(2, 8),
        &padded_index(&[0, 1]),
        A5,
        &Readings::default(),
    );
    assert_eq!(runs(&p, Role::Table)[0].permit, Permit::Anything);
    assert_eq!(p.oob_accesses.unwrap().0, "MSCATTER-TABLE-07");
}

#[test]
fn copies_keep_every_bit() {
    // MSCATTER-SEM-09: a NaN pattern. MSCATTER-GAP-44: other types of equal size.
    let call = scatter(
        matrix(DType::Half, 1, 16),
        tile(DType::Half, [1, 16], [1, 1]),
        tile(DType::Int32, [1, 16], [1, 1]),
        Coalesce::Elem,
    );
    let mut src = [0; 16];
    src[0] = 0x7C01;
    for target in ALL {
        let s = scatter_slots(&call, &[0x3C; 32], &halves(&src), &words(&[4; 16]), target);
        assert_eq!(s[4], Slot::One(vec![0x01, 0x7C]));
    }
    let mut mixed = eight(8);
    mixed.src.dtype = DType::Float;
    let src = floats(&[1.0; 8]);
    let s = scatter_slots(&mixed, &[0; 32], &src, &words(&up_to(8)), Cpu);
    assert_eq!(s[0], Slot::word(0x3F80_0000));
}

fn chunks(call: &Mscatter, parts: &[(&[u8], &[u8])], table: &[u8], target: Target) -> Permits {
    let mut all: Vec<Memory> = parts
        .iter()
        .map(|(src, idx)| memory(&[(Role::Source, src), (Role::Index, idx)]))
        .collect();
    all[0].regions.insert(0, region(Role::Table, table));
    let all: Vec<_> = all.iter().collect();
    permits(&Call::Mscatter(*call), &all, target, &Readings::default()).unwrap()
}

#[test]
fn chunked_calls_compose() {
    // Two calls of eight lanes each.
    let (a, b) = (words(&up_to(8)), words(&(8..16).collect::<Vec<_>>()));
    let (three, mixed) = (words(&[3; 8]), words(&[3, 3, 0, 1, 2, 4, 5, 6]));
    let parts: [(&[u8], &[u8]); 2] = [(&a, &three), (&b, &mixed)];
    for target in ALL {
        // MSCATTER-CHUNK-02.
        let p = chunks(&eight(8), &parts, &[0; 32], target);
        assert_eq!(slots(&p, Role::Table, 32)[3], Slot::word(9));
        if target == A5 {
            let mut runs = runs(&p, Role::Table).iter();
            let over = runs.find(|run| (run.offset..run.offset + run.len).contains(&12));
            assert_eq!(over.unwrap().clause.0, "MSCATTER-CHUNK-02");
        }
    }
    // MSCATTER-CHUNK-03: a writer of the second call.
    let default = Mscatter {
        conflict: ScatterConflict::Default,
        ..eight(8)
    };
    let p = chunks(&default, &parts, &[0; 32], A5);
    let s = slots(&p, Role::Table, 32);
    assert_eq!(s[3], Slot::any_word(&[8, 9]));
    assert_eq!(s[0], Slot::word(10));
    assert_eq!(runs(&p, Role::Table)[1].clause.0, "MSCATTER-CHUNK-03");
    let reversed = [parts[1], parts[0]];
    let p = chunks(&default, &reversed, &[0; 32], A5);
    assert_eq!(slots(&p, Role::Table, 32)[3], Slot::any_word(&up_to(8)));
    // MSCATTER-CHUNK-04.
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..eight(8)
    };
    for target in NPUS {
        let p = chunks(&add, &parts, &words(&[0, 0, 0, 100, 0, 0, 0, 0]), target);
        let s = slots(&p, Role::Table, 32);
        assert_eq!(s[3], Slot::word(100 + 28 + 8 + 9));
    }
    // Row mode, Default: rows of the second call only.
    let rows = Mscatter {
        conflict: ScatterConflict::Default,
        ..rows_of_eight(2)
    };
    let first = numbered(2, 8);
    let second: Vec<u8> = [[3.0_f32; 8], [4.0; 8]]
        .iter()
        .flat_map(|r| floats(r))
        .collect();
    let (both, one) = (padded_index(&[1, 1]), padded_index(&[1, 2]));
    let p = chunks(&rows, &[(&first, &both), (&second, &one)], &[0; 128], A5);
    assert_eq!(
        fills(&slots(&p, Role::Table, 128)),
        [None, Some(3.0), Some(4.0), None]
    );
}

#[test]
fn operands_that_do_not_fit() {
    let call = Call::Mscatter(eight(8));
    let r = Readings::default();
    assert_eq!(permits(&call, &[], A5, &r), Err(Unusable::NoSteps));
    let m = memory(&[(Role::Table, &[0; 32]), (Role::Source, &[0; 32])]);
    let missing = Unusable::Missing {
        step: 0,
        role: Role::Index,
    };
    assert_eq!(permits(&call, &[&m], A5, &r), Err(missing));
    let m = memory(&[
        (Role::Table, &[0; 32]),
        (Role::Source, &[0; 28]),
        (Role::Index, &[0; 32]),
    ]);
    let short = Unusable::Short {
        step: 0,
        role: Role::Source,
        needed: 32,
        found: 28,
    };
    assert_eq!(permits(&call, &[&m], A5, &r), Err(short));
}
