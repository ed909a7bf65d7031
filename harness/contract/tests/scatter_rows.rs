//! TSCATTER by indices that name rows (TSCATTER-GAP-22), by hand.

use crate::common::{calls::*, *};
use ptodiff_contract::{Feeder, Permits, data_preconditions, feeders};
use ptodiff_isa::*;

use DType::{Half, Int8, Int16, Int32};
use Target::{A2a3, A5, Cpu};

const ALL: [Target; 3] = [Cpu, A2a3, A5];

fn by_row(tscatter_range: ScatterRange) -> Readings {
    Readings {
        tscatter_index: ScatterIndex::Row,
        tscatter_range,
        ..Readings::default()
    }
}

/// int32 `dst`, two rows of so many valid columns out of eight.
fn two_rows(dst: Tile, cols: u64) -> TscatterIndex {
    TscatterIndex {
        dst,
        src: tile(Int32, [2, 8], [2, cols]),
        idx: tile(Int32, [2, 8], [2, cols]),
    }
}

/// The two rows of indices, each one's decoys 99.
fn rows_of(indices: [&[i64]; 2]) -> Vec<u8> {
    let mut all = [99; 16];
    for (row, given) in all.chunks_mut(8).zip(indices) {
        row[..given.len()].copy_from_slice(given);
    }
    words(&all)
}

/// What is said of the source 1, 2, 3 and on, and the clause that the data breaks.
fn said(
    call: &TscatterIndex,
    idx: &[u8],
    target: Target,
    readings: &Readings,
) -> (Permits, Vec<Slot>, Option<(&'static str, String)>) {
    let bytes = |t: &Tile| (t.rows * t.cols) as usize * t.dtype.size();
    let element = |v: u64| v.to_le_bytes()[..call.src.dtype.size()].to_vec();
    let src: Vec<u8> = (1..=call.src.rows * call.src.cols)
        .flat_map(element)
        .collect();
    let operands = [
        (Role::Destination, &vec![0x55; bytes(&call.dst)][..]),
        (Role::Source, &src),
        (Role::Index, idx),
    ];
    let (call, m) = (Call::TscatterIndex(*call), memory(&operands));
    let p = answer(&call, &operands, target, readings);
    let found = slots(&p, Role::Destination, operands[0].1.len());
    let mut broken = data_preconditions(&call, &[&m], target, readings);
    assert!(broken.len() < 2);
    (p, found, broken.pop().map(|b| (b.clause.0, b.why)))
}

/// The slots that are written, and the word in each.
fn written(found: &[Slot]) -> Vec<(usize, i64)> {
    let word = |(at, slot): (usize, &Slot)| match slot {
        Slot::Kept => None,
        Slot::One(b) => Some((at, i64::from(i32::from_le_bytes(b[..].try_into().unwrap())))),
        other => panic!("{other:?}"),
    };
    found.iter().enumerate().filter_map(word).collect()
}

#[test]
fn an_index_names_a_row() {
    // The register's witness: the second row is 1 to 8.
    let call = TscatterIndex {
        dst: tile(Int32, [2, 8], [2, 8]),
        src: tile(Int32, [1, 8], [1, 8]),
        idx: tile(Int32, [1, 8], [1, 8]),
    };
    for target in ALL {
        for range in [ScatterRange::Storage, ScatterRange::Valid] {
            let (p, found, broken) = said(&call, &words(&[1; 8]), target, &by_row(range));
            assert_eq!(found[..8], vec![Slot::Kept; 8]);
            assert_eq!(found[8..], [1, 2, 3, 4, 5, 6, 7, 8].map(Slot::word));
            assert_eq!(broken, None);
            let run = &runs(&p, Role::Destination)[0];
            assert_eq!((run.clause.0, run.freedom), ("TSCATTER-GAP-22", None));
        }
        // Row 0 is where the slots 0 to 7 are.
        let one = TscatterIndex {
            src: tile(Int32, [1, 8], [1, 1]),
            idx: tile(Int32, [1, 8], [1, 1]),
            ..call
        };
        let (p, found, _) = said(
            &one,
            &words(&[0; 8]),
            target,
            &by_row(ScatterRange::Storage),
        );
        assert_eq!(found[0], Slot::word(1));
        assert_eq!(runs(&p, Role::Destination)[0].clause.0, "TSCATTER-SEM-01");
    }
}

#[test]
fn rows_and_columns_stand_in_the_layout_of_the_destination() {
    // Element (r, c) of the source holds 8 * r + c + 1.
    let idx = rows_of([&[3, 0], &[1, 2]]);
    for target in ALL {
        let r = by_row(ScatterRange::Storage);
        for (dst, expected) in [
            (
                tile(Int32, [4, 8], [4, 2]),
                [(1, 2), (8, 9), (17, 10), (24, 1)],
            ),
            (
                col_major(Int32, [8, 4], [4, 2]),
                [(1, 9), (3, 1), (8, 2), (10, 10)],
            ),
        ] {
            let (_, found, broken) = said(&two_rows(dst, 2), &idx, target, &r);
            assert_eq!(written(&found), expected);
            assert_eq!(broken, None);
        }
    }
}

#[test]
fn a_destination_in_boxes_has_no_rows() {
    let call = TscatterIndex {
        dst: nz_tile(Int32, [16, 16], [16, 16]),
        src: tile(Int32, [1, 16], [1, 10]),
        idx: tile(Int32, [1, 16], [1, 10]),
    };
    let idx = words(&[3; 16]);
    for target in ALL {
        let (p, found, _) = said(&call, &idx, target, &by_row(ScatterRange::Storage));
        assert_eq!(found, vec![Slot::Anything; 256]);
        let gap = Some("TSCATTER-GAP-22");
        assert_eq!(p.operands[0].guards_free.map(|c| c.0), gap);
        assert_eq!(p.oob_accesses.map(|c| c.0), gap);
        // As a line of slots it takes one of the ten.
        let (_, found, _) = said(&call, &idx, target, &Readings::default());
        assert_ne!(found[3], Slot::Kept);
        assert_eq!(found[4..], vec![Slot::Kept; 252]);
    }
}

#[test]
fn what_the_destination_has_not_is_out_of_range() {
    let gap = "TSCATTER-GAP-22";
    // Storage [4,8], valid [2,3].
    let dst = tile(Int32, [4, 8], [2, 3]);
    for target in ALL {
        let beyond = if target == Cpu {
            "TSCATTER-GAP-08"
        } else {
            "TSCATTER-OOB-01"
        };
        for (range, cols, indices, expected) in [
            // The padding is storage, too.
            (ScatterRange::Storage, 2, [0, 3], None),
            (ScatterRange::Valid, 2, [0, 1], None),
            (ScatterRange::Valid, 3, [0, 1], None),
            (ScatterRange::Storage, 4, [0, 1], None),
            // Rows 4 and 2, whose numbers are of slots.
            (ScatterRange::Storage, 2, [0, 4], Some((gap, 0, 4))),
            (ScatterRange::Valid, 2, [0, 2], Some((gap, 0, 2))),
            // Column 3 of row 0: slot 0 is a valid one.
            (ScatterRange::Valid, 4, [0, 1], Some((gap, 3, 0))),
            // Row 3 is no valid one, nor is slot 3; slot 32 is none at all.
            (ScatterRange::Valid, 2, [0, 3], Some((beyond, 0, 3))),
            (ScatterRange::Storage, 2, [0, 32], Some((beyond, 0, 32))),
        ] {
            let idx = rows_of(indices.map(|i| [i; 4]).each_ref().map(|row| &row[..cols]));
            let call = two_rows(dst, cols as u64);
            let (p, found, broken) = said(&call, &idx, target, &by_row(range));
            let Some((clause, c, row)) = expected else {
                assert_eq!(broken, None);
                let rows = indices.iter().enumerate();
                let all = rows.flat_map(|(r, &i)| {
                    (0..cols).map(move |c| (8 * i as usize + c, (8 * r + c + 1) as i64))
                });
                assert_eq!(written(&found), all.collect::<Vec<_>>());
                continue;
            };
            assert_eq!(found, vec![Slot::Anything; 32]);
            assert_eq!(p.operands[0].guards_free.map(|c| c.0), Some(clause));
            assert_eq!(p.oob_accesses.map(|c| c.0), Some(clause));
            let r = usize::from(c == 0);
            let why = format!(
                "step 0, element ({r}, {c}): row {row}, column {c} is no slot of the destination"
            );
            assert_eq!(broken, Some((clause, why)));
        }
    }
    // A column that not even the storage has.
    let narrow = two_rows(tile(Int32, [4, 2], [4, 2]), 3);
    let idx = rows_of([&[0; 3], &[1; 3]]);
    let (_, found, broken) = said(&narrow, &idx, A5, &by_row(ScatterRange::Storage));
    assert_eq!(found, vec![Slot::Anything; 8]);
    assert_eq!(broken.map(|(clause, _)| clause), Some(gap));
}

#[test]
fn two_elements_in_one_slot_break_a_precondition() {
    let dst = tile(Int32, [4, 8], [4, 8]);
    for target in ALL {
        for range in [ScatterRange::Storage, ScatterRange::Valid] {
            let r = by_row(range);
            // Twice column 1 of row 2.
            let idx = rows_of([&[0, 2], &[1, 2]]);
            let (p, found, broken) = said(&two_rows(dst, 2), &idx, target, &r);
            assert_eq!(found, vec![Slot::Anything; 32]);
            let gap = Some("TSCATTER-GAP-22");
            assert_eq!(p.operands[0].guards_free.map(|c| c.0), gap);
            assert_eq!(p.oob_accesses.map(|c| c.0), gap);
            let why = "step 0, element (1, 1): row 2, column 1 was named before";
            assert_eq!(broken, Some(("TSCATTER-GAP-22", why.into())));
            // One row in two columns is no such thing.
            let idx = rows_of([&[2, 2], &[1, 3]]);
            let (_, found, broken) = said(&two_rows(dst, 2), &idx, target, &r);
            assert_eq!(written(&found), [(8, 9), (16, 1), (17, 2), (25, 10)]);
            assert_eq!(broken, None);
        }
    }
}

#[test]
fn rows_that_no_index_names() {
    let dst = tile(Int32, [2, 8], [2, 8]);
    let call = TscatterIndex {
        src: tile(Int32, [1, 8], [1, 2]),
        idx: tile(Int32, [1, 8], [1, 2]),
        ..two_rows(dst, 2)
    };
    for target in ALL {
        for (tscatter_unaddressed, expected) in [
            (Unaddressed::Kept, Slot::Kept),
            (Unaddressed::Zero, Slot::word(0)),
            (Unaddressed::Undefined, Slot::Anything),
        ] {
            let r = Readings {
                tscatter_unaddressed,
                ..by_row(ScatterRange::Storage)
            };
            let (_, found, _) = said(&call, &words(&[1, 0, 9, 9, 9, 9, 9, 9]), target, &r);
            // Row 1 of column 0, row 0 of column 1.
            for (at, slot) in found.iter().enumerate() {
                let expected = match at {
                    8 => Slot::word(1),
                    1 => Slot::word(2),
                    _ => expected.clone(),
                };
                assert_eq!(*slot, expected, "{at}");
            }
        }
    }
}

#[test]
fn negative_rows() {
    // TSCATTER-GAP-06: int16 -1 is row 65535 when read as unsigned.
    let call = TscatterIndex {
        dst: tile(Int8, [1 << 16, 1], [1 << 16, 1]),
        src: tile(Int8, [1, 32], [1, 1]),
        idx: tile(Int16, [1, 16], [1, 1]),
    };
    for target in ALL {
        for (negative_index, placed) in [
            (NegativeIndex::Unsigned, true),
            (NegativeIndex::Signed, false),
            (NegativeIndex::Intended, false),
        ] {
            let r = Readings {
                negative_index,
                ..by_row(ScatterRange::Storage)
            };
            let (_, found, broken) = said(&call, &halves(&[0xFFFF; 16]), target, &r);
            let expected = if placed {
                Slot::One(vec![1])
            } else {
                Slot::Anything
            };
            assert_eq!(found[65535], expected);
            assert_eq!(broken.is_none(), placed);
        }
    }
}

#[test]
fn rows_over_the_region_of_the_indices() {
    // TSCATTER-GAP-03 (b): one row of indices, two of the source.
    let call = TscatterIndex {
        dst: tile(Half, [2, 16], [2, 16]),
        src: tile(Half, [2, 16], [2, 2]),
        idx: tile(Int16, [2, 16], [1, 2]),
    };
    let r = Readings {
        tscatter_extent: ScatterExtent::Index,
        ..by_row(ScatterRange::Storage)
    };
    let (_, found, broken) = said(&call, &halves(&[1; 32]), A2a3, &r);
    assert_eq!(found[16..18], [short(1), short(2)]);
    assert_eq!(found[18..], vec![Slot::Kept; 14]);
    assert_eq!(broken, None);
    let m = memory(&[(Role::Index, &halves(&[1; 32]))]);
    let lanes = feeders(
        &Call::TscatterIndex(call),
        &[&m],
        A2a3,
        &r,
        Role::Destination,
        17,
    );
    assert_eq!(
        lanes,
        [Feeder {
            step: 0,
            r: 0,
            c: 1
        }]
    );
}
