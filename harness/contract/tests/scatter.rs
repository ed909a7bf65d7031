//! MSCATTER: who writes a slot, and where indices lead.

use crate::common::{said::*, scatters::*, *};
use ptodiff_contract::{Unusable, permits};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int32, Uint32};
use ScatterOob::{Clamp, Skip, Wrap};
use Target::{A2a3, A5, Cpu};

const NPUS: [Target; 2] = [A2a3, A5];
const ALL: [Target; 3] = [A2a3, A5, Cpu];

#[test]
fn row_replaces_whole_rows() {
    // MSCATTER-SEM-01.
    for target in NPUS {
        let said = into_zeros(&rows_of_eight(2), &numbered(2, 8), &[3, 0], target, &[]);
        assert_eq!(fills(&said.slots), [Some(2.0), None, None, Some(1.0)]);
        // A row is one run, and the others are kept (MSCATTER-SEM-04).
        assert_eq!(said.cited(), [("MSCATTER-SEM-01", None); 2]);
        let p = &said.permits;
        assert!(p.oob_accesses.is_none() && p.operands[0].guards_free.is_none());
        assert!(runs(p, Role::Source).is_empty() && runs(p, Role::Index).is_empty());
        assert_eq!(p.operands[0].kept.0, "MSCATTER-SEM-04");
    }
}

#[test]
fn elem_is_flat() {
    // MSCATTER-SEM-02, a reversal; merged into one run.
    let reversed: Vec<i64> = (0..8).rev().collect();
    for target in ALL {
        let said = into_zeros(&eight(8), &words(&up_to(8)), &reversed, target, &[]);
        let expected: Vec<_> = reversed.iter().copied().map(Slot::word).collect();
        assert_eq!(said.slots, expected);
        assert_eq!(said.runs().len(), 1);
    }
}

#[test]
fn the_last_writer_wins() {
    // MSCATTER-CONF-01, -02, -04, -08; the register's numbers.
    for target in NPUS {
        let said = into_zeros(&rows_of_eight(3), &numbered(3, 8), &[2, 2, 2], target, &[]);
        assert_eq!(fills(&said.slots), [None, None, Some(3.0), None]);
    }
    let full = tile(Int32, [8, 32], [8, 32]);
    let call = scatter(matrix(Int32, 1, 7), full, full, Elem);
    let idx: Vec<i64> = (0..256).map(|i| i % 7).collect();
    let expected = [252, 253, 254, 255, 249, 250, 251].map(Slot::word);
    for target in ALL {
        let said = into_zeros(&call, &words(&up_to(256)), &idx, target, &[]);
        assert_eq!(said.slots, expected, "{target}");
    }
}

#[test]
fn default_leaves_any_writer() {
    // MSCATTER-CONF-06 on A5; elsewhere there is no such policy (MSCATTER-CONF-10, -14).
    let call = Mscatter {
        conflict: ScatterConflict::Default,
        ..eight(8)
    };
    for (target, contested, freedom) in [
        (A5, Slot::any_word(&up_to(7)), "MSCATTER-CONF-06"),
        (A2a3, Slot::word(6), "MSCATTER-CONF-10"),
        (Cpu, Slot::word(6), "MSCATTER-CONF-14"),
    ] {
        let idx = [3, 3, 3, 3, 3, 3, 3, 5];
        let said = into_zeros(&call, &words(&up_to(8)), &idx, target, &[]);
        assert_eq!(
            [&said.slots[3], &said.slots[5]],
            [&contested, &Slot::word(7)]
        );
        let freedoms: Vec<_> = said.cited().into_iter().map(|(_, free)| free).collect();
        assert_eq!(freedoms, [Some(freedom), None]);
    }
    // MSCATTER-GAP-09 as read: each element of a contested row on its own.
    let call = Mscatter {
        conflict: ScatterConflict::Default,
        ..rows_of_eight(3)
    };
    let said = into_zeros(&call, &numbered(3, 8), &[1, 1, 0], A5, &[]);
    let either = Slot::any_of(&[1_f32, 2.0].map(f32::to_le_bytes));
    assert_eq!(said.slots[8..16], vec![either; 8]);
    assert_eq!(said.runs().len(), 2);
}

#[test]
fn out_of_bounds_policies() {
    // MSCATTER-OOB-04, -07, -09, -12, -15 on a table of four rows.
    let cases: [(ScatterOob, [i64; 3], [Option<f32>; 4]); 5] = [
        (Skip, [1, 4, 2], [None, Some(1.0), Some(3.0), None]),
        (Clamp, [4, 9, 1], [None, Some(3.0), None, Some(2.0)]),
        (Wrap, [9, 4, 4], [Some(3.0), Some(1.0), None, None]),
        (Skip, [1, 1, 9], [None, Some(2.0), None, None]),
        (Wrap, [1, 1, 9], [None, Some(3.0), None, None]),
    ];
    for target in NPUS {
        for (oob, idx, expected) in cases {
            let call = Mscatter {
                oob,
                ..rows_of_eight(3)
            };
            let said = into_zeros(&call, &numbered(3, 8), &idx, target, &[]);
            assert_eq!(fills(&said.slots), expected, "{target} {oob}");
        }
        // MSCATTER-OOB-13: large unsigned numbers.
        let mut call = ten_rows(Skip);
        call.idx.dtype = Uint32;
        for (oob, row) in [(Skip, None), (Clamp, Some(9)), (Wrap, Some(5))] {
            call.oob = oob;
            let said = into_zeros(&call, &numbered(1, 8), &[0xFFFF_FFFF], target, &[]);
            assert_eq!(row_written(&said), row);
        }
    }
}

/// One row of eight into ten.
fn ten_rows(oob: ScatterOob) -> Mscatter {
    Mscatter {
        table: matrix(Float, 10, 8),
        oob,
        ..rows_of_eight(1)
    }
}

fn row_written(said: &Said) -> Option<usize> {
    fills(&said.slots).iter().position(Option::is_some)
}

#[test]
fn negative_indices_follow_the_reading() {
    // MSCATTER-GAP-01, ten rows, index -1.
    let gap = "MSCATTER-GAP-01";
    for (oob, unsigned, intended) in [
        (Clamp, Some(9), Some(0)),
        (Wrap, Some(5), Some(9)),
        (Skip, None, None),
    ] {
        let [as_unsigned, as_intended, signed] = ["unsigned", "intended", "signed"].map(|choice| {
            let choices = [("negative-index", choice)];
            into_zeros(&ten_rows(oob), &numbered(1, 8), &[-1], A5, &choices)
        });
        assert_eq!(row_written(&as_unsigned), unsigned);
        assert_eq!(row_written(&as_intended), intended);
        if oob == Wrap {
            assert_eq!(as_intended.freedom(), Some(gap));
        }
        assert_eq!(row_written(&signed), None);
        assert_eq!(signed.excused(), Some(gap));
        assert!(signed.permits.operands[0].guards_free.is_some());
    }
}

#[test]
fn undefined_promises_nothing() {
    // MSCATTER-OOB-03, -16.
    for (target, clause) in [(A2a3, "MSCATTER-OOB-03"), (Cpu, "MSCATTER-OOB-16")] {
        let idx = [0, 1, 2, 3, 4, 5, 6, 8];
        let said = into_zeros(&eight(8), &words(&up_to(8)), &idx, target, &[]);
        assert!(said.all_open());
        let whole: Vec<_> = said.runs().iter().map(|run| run.clause.0).collect();
        assert_eq!(whole, [clause]);
        assert_eq!(said.excused(), Some(clause));
        let guards = said.permits.operands[0].guards_free;
        assert_eq!(guards, Some(Clause(clause)));
    }
    // A call that breaks a precondition is promised nothing either.
    let call = Mscatter {
        table: matrix(Float, 4, 16),
        ..rows_of_eight(2)
    };
    let said = into_zeros(&call, &numbered(2, 8), &[0, 1], A5, &[]);
    assert!(said.all_open());
    assert_eq!(said.excused(), Some("MSCATTER-TABLE-07"));
}

#[test]
fn copies_keep_every_bit() {
    // MSCATTER-SEM-09: a NaN pattern. MSCATTER-GAP-44: other types of equal size.
    let one = |dtype| tile(dtype, [1, 16], [1, 1]);
    let call = scatter(matrix(Half, 1, 16), one(Half), one(Int32), Elem);
    for target in ALL {
        let said = into_zeros(&call, &halves(&[0x7C01; 16]), &[4], target, &[]);
        assert_eq!(said.slots[4], Slot::One(vec![0x01, 0x7C]));
    }
    let mut mixed = eight(8);
    mixed.src.dtype = Float;
    let said = into_zeros(&mixed, &floats(&[1.0; 8]), &up_to(8), Cpu, &[]);
    assert_eq!(said.slots[0], Slot::word(0x3F80_0000));
}

/// One call for each source and its indices, the table that of the first.
fn calls(call: &Mscatter, parts: &[(&[u8], &[i64])], table: &[u8], target: Target) -> Said {
    let each = parts.iter().map(|&(src, idx)| {
        memory(&[
            (Role::Source, src),
            (Role::Index, &filled_up(idx, &call.idx)),
        ])
    });
    let mut all: Vec<Memory> = each.collect();
    all[0].regions.insert(0, region(Role::Table, table));
    let all: Vec<_> = all.iter().collect();
    Said::of(&Call::Mscatter(*call), &all, target, &Readings::default())
}

#[test]
fn chunked_calls_compose() {
    // Two calls of eight lanes each.
    let (a, b) = (words(&up_to(8)), words(&(8..16).collect::<Vec<_>>()));
    let parts: [(&[u8], &[i64]); 2] = [(&a, &[3; 8]), (&b, &[3, 3, 0, 1, 2, 4, 5, 6])];
    for target in ALL {
        // MSCATTER-CHUNK-02.
        let said = calls(&eight(8), &parts, &[0; 32], target);
        assert_eq!(said.slots[3], Slot::word(9));
    }
    // MSCATTER-CHUNK-03: a writer of the second call.
    let default = Mscatter {
        conflict: ScatterConflict::Default,
        ..eight(8)
    };
    let said = calls(&default, &parts, &[0; 32], A5);
    assert_eq!(said.slots[3], Slot::any_word(&[8, 9]));
    assert_eq!(said.slots[0], Slot::word(10));
    let said = calls(&default, &[parts[1], parts[0]], &[0; 32], A5);
    assert_eq!(said.slots[3], Slot::any_word(&up_to(8)));
    // MSCATTER-CHUNK-04.
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..eight(8)
    };
    for target in NPUS {
        let said = calls(&add, &parts, &words(&[0, 0, 0, 100, 0, 0, 0, 0]), target);
        assert_eq!(said.slots[3], Slot::word(100 + 28 + 8 + 9));
    }
    // Rows of each call, whatever the layout; of the last one either that meets.
    for layout in [tile, col_major] {
        let call = Mscatter {
            src: layout(Float, [8, 8], [2, 8]),
            conflict: ScatterConflict::Default,
            ..scatter(
                matrix(Float, 4, 8),
                tile(Float, [8, 8], [2, 8]),
                tile(Int32, [1, 8], [1, 2]),
                Row,
            )
        };
        let [one, two, three] = [1.0, 2.0, 3.0].map(|v| floats(&[v; 64]));
        let parts: [(&[u8], &[i64]); 3] = [(&one, &[0, 1]), (&two, &[1, 2]), (&three, &[2, 3])];
        let said = calls(&call, &parts, &[0; 128], A5);
        assert_eq!(fills(&said.slots), [1.0, 2.0, 3.0, 3.0].map(Some));
        let mut last = vec![0.0; 64];
        for c in 0..8 {
            let [a, b] = match call.src.blayout {
                BLayout::RowMajor => [c, 8 + c],
                BLayout::ColMajor => [c * 8, c * 8 + 1],
            };
            (last[a], last[b]) = (5.0, 6.0);
        }
        let said = calls(&call, &[parts[0], (&floats(&last), &[1, 1])], &[0; 128], A5);
        let either = Slot::any_of(&[5_f32, 6.0].map(f32::to_le_bytes));
        assert_eq!(said.slots[8..16], vec![either; 8]);
    }
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
