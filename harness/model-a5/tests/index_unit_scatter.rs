//! Scatters whose indices count bytes in Elem mode (MSCATTER-GAP-87).

use crate::common::*;
use crate::index_unit::{INDICES, NEGATIVES, SIZES, by_byte, elements, outside, ten};
use crate::{first, tscatter};
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::NegativeIndex::{Intended, Signed, Unsigned};
use ptodiff_isa::ScatterConflict::{Default as Any, Last};
use ptodiff_isa::ScatterOob::{Clamp, Skip, Undefined, Wrap};
use ptodiff_isa::*;

/// Ten slots, of which slot k held 10 + k, after 1 to 4 went where four indices say,
/// and what was written outside the table.
fn scattered(
    (dtype, size): (DType, i64),
    index: DType,
    (oob, conflict): (ScatterOob, ScatterConflict),
    negative_index: NegativeIndex,
    idx: [i64; 4],
) -> ([u32; 10], Vec<i64>) {
    let call = Mscatter {
        oob,
        conflict,
        ..mscatter(Elem, flat(dtype, 10), tile(dtype, 1, 4), tile(index, 1, 4))
    };
    let call = Call::Mscatter(call);
    let how = by_byte(negative_index);
    assert_eq!(clauses(call, &how.readings), [""; 0]);
    let mut memory = memory(&[
        (Role::Table, ten(10, size)),
        (Role::Source, ten(1, size)),
        (Role::Index, bytes(&idx.map(|index| index as u32))),
    ]);
    let log = execute(call, &mut memory, how);
    let table = memory.get(Role::Table).expect("a table");
    (elements(table.body(), size), outside(&log))
}

#[test]
fn gap_87_an_index_is_a_displacement() {
    for size in SIZES {
        for index in INDICES {
            for oob in [Undefined, Skip, Clamp, Wrap] {
                for (conflict, negative) in [Any, Last].map(|c| NEGATIVES.map(|n| (c, n))).concat()
                {
                    let idx = [4, 0, 9, 1].map(|slot| slot * size.1);
                    let found = scattered(size, index, (oob, conflict), negative, idx);
                    let table = [2, 4, 12, 13, 1, 15, 16, 17, 18, 3];
                    assert_eq!(found, (table, vec![]), "{size:?} {index} {oob} {conflict}");
                }
            }
        }
    }
}

#[test]
fn gap_87_the_experiment() {
    let part = |dtype| valid(dtype, 1, 8, 1, 2);
    let call = mscatter(Elem, flat(Int32, 8), part(Int32), part(Int32));
    let of = |how| scatter_how(&call, how, &[0; 8], &[9, 8], &[4, 0]);
    assert_eq!(of(How::default()), [8, 0, 0, 0, 9, 0, 0, 0]);
    assert_eq!(of(by_byte(Unsigned)), [8, 9, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn gap_87_the_quotient_is_held_against_the_capacity() {
    for size in SIZES {
        let idx = [12, 3, 25, 7].map(|slot| slot * size.1);
        for index in INDICES {
            for negative in NEGATIVES {
                for conflict in [Any, Last] {
                    let of = |oob| scattered(size, index, (oob, conflict), negative, idx);
                    let skipped = [10, 11, 12, 2, 14, 15, 16, 4, 18, 19];
                    assert_eq!(of(Skip), (skipped, vec![]));
                    let clamped = [10, 11, 12, 2, 14, 15, 16, 4, 18, 3];
                    assert_eq!(of(Clamp), (clamped, vec![]));
                    let wrapped = [10, 11, 1, 2, 14, 3, 16, 4, 18, 19];
                    assert_eq!(of(Wrap), (wrapped, vec![]));
                    let strays = match conflict {
                        Any => vec![12 * size.1, 25 * size.1],
                        // GAP-10: no lane owns such a slot.
                        Last => vec![],
                    };
                    assert_eq!(of(Undefined), (skipped, strays));
                }
            }
        }
    }
}

#[test]
fn gap_87_a_displacement_backwards() {
    for size in SIZES {
        let idx = [-1, 2, -3, 8].map(|slot| slot * size.1);
        for conflict in [Any, Last] {
            let of = |oob, negative| scattered(size, Int32, (oob, conflict), negative, idx);
            let dropped = [10, 11, 2, 13, 14, 15, 16, 17, 4, 19];
            let strays = |offsets: [i64; 2]| match conflict {
                Any => offsets.map(|slot| slot * size.1).to_vec(),
                Last => vec![],
            };
            // 2^32 - 1 and 2^32 - 3.
            assert_eq!(of(Skip, Unsigned), (dropped, vec![]));
            let clamped = [10, 11, 2, 13, 14, 15, 16, 17, 4, 3];
            assert_eq!(of(Clamp, Unsigned), (clamped, vec![]));
            let wrapped = [10, 11, 2, 3, 14, 1, 16, 17, 4, 19];
            assert_eq!(of(Wrap, Unsigned), (wrapped, vec![]));
            let far = strays([4_294_967_295, 4_294_967_293]);
            assert_eq!(of(Undefined, Unsigned), (dropped, far));
            for oob in [Skip, Clamp, Wrap, Undefined] {
                assert_eq!(of(oob, Signed), (dropped, strays([-1, -3])));
            }
            assert_eq!(of(Skip, Intended), (dropped, vec![]));
            let clamped = [3, 11, 2, 13, 14, 15, 16, 17, 4, 19];
            assert_eq!(of(Clamp, Intended), (clamped, vec![]));
            let wrapped = [10, 11, 2, 13, 14, 15, 16, 3, 4, 1];
            assert_eq!(of(Wrap, Intended), (wrapped, vec![]));
            assert_eq!(of(Undefined, Intended), (dropped, strays([-1, -3])));
        }
    }
}

#[test]
fn gap_87_an_unsigned_index_is_divided_as_a_signed_one() {
    for negative in NEGATIVES {
        for conflict in [Any, Last] {
            let of = |size: (DType, i64), oob| {
                let idx = [-size.1, 1 << 31, -3 * size.1, 0];
                scattered(size, Uint32, (oob, conflict), negative, idx).0
            };
            // 4294967295, then 2147483648, 3221225472 or 3758096384, then 4294967293.
            let wrapped = [4, 11, 12, 3, 14, 1, 16, 17, 2, 19];
            assert_eq!(of(SIZES[0], Wrap), wrapped);
            let wrapped = [4, 11, 2, 3, 14, 1, 16, 17, 18, 19];
            assert_eq!(of(SIZES[1], Wrap), wrapped);
            let wrapped = [4, 11, 12, 3, 2, 1, 16, 17, 18, 19];
            assert_eq!(of(SIZES[2], Wrap), wrapped);
            for size in SIZES {
                let skipped = [4, 11, 12, 13, 14, 15, 16, 17, 18, 19];
                assert_eq!(of(size, Skip), skipped);
            }
        }
    }
}

#[test]
fn gap_87_with_a_remainder_the_quotient_is_towards_zero() {
    for negative in NEGATIVES {
        for (index, conflict) in INDICES.map(|i| [Any, Last].map(|c| (i, c))).concat() {
            let of = |size, idx| scattered(size, index, (Skip, conflict), negative, idx).0;
            let table = [3, 1, 12, 2, 14, 15, 16, 17, 18, 4];
            assert_eq!(of(SIZES[2], [7, 13, -3, 39]), table);
            assert_eq!(of(SIZES[1], [3, 7, -1, 19]), table);
        }
    }
}

#[test]
fn gap_87_displacements_that_fold_meet_in_one_slot() {
    // Slots 1, 11, 0 and 9.
    let idx = [4, 44, 0, 36];
    let tiles = tile(Int32, 1, 4);
    let call = Mscatter {
        oob: Wrap,
        ..mscatter(Elem, flat(Int32, 10), tiles, tiles)
    };
    let sum = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..call
    };
    for schedule in SCHEDULES {
        let mut how = by_byte(Unsigned);
        how.schedule = schedule;
        let of = |call| scatter_how(call, how, &[100; 10], &[1, 2, 3, 4], &idx);
        assert_eq!(of(&call), [3, 2, 100, 100, 100, 100, 100, 100, 100, 4]);
        let sums = [103, 103, 100, 100, 100, 100, 100, 100, 100, 104];
        assert_eq!(of(&sum), sums);
    }
}

#[test]
fn gap_87_on_the_scalar_path() {
    let one = |dtype| valid(dtype, 1, 8, 1, 1);
    let of = |atomic, oob, negative, index| {
        let call = Mscatter {
            atomic,
            oob,
            ..mscatter(Elem, flat(Int32, 5), one(Int32), one(Int32))
        };
        scatter_how(&call, by_byte(negative), &[5; 5], &[9; 8], &[index])
    };
    for (atomic, value) in [(ScatterAtomicOp::None, 9), (ScatterAtomicOp::Add, 14)] {
        for oob in [Undefined, Skip, Clamp, Wrap] {
            assert_eq!(of(atomic, oob, Signed, 8), [5, 5, value, 5, 5]);
        }
        assert_eq!(of(atomic, Skip, Signed, 20), [5; 5]);
        // (2^32 - 2) % 5 is 4, -2 modulo 5 is 3.
        assert_eq!(of(atomic, Wrap, Unsigned, -8), [5, 5, 5, 5, value]);
        assert_eq!(of(atomic, Wrap, Intended, -8), [5, 5, 5, value, 5]);
        assert_eq!(of(atomic, Clamp, Intended, -8), [value, 5, 5, 5, 5]);
    }
}

#[test]
fn gap_87_a_row_index_counts_rows() {
    for conflict in [Any, Last] {
        let call = Mscatter {
            conflict,
            ..mscatter(Row, rows(Int32, 4, 2), tile(Int32, 2, 2), tile(Int32, 1, 2))
        };
        let table = scatter_how(&call, by_byte(Unsigned), &[0; 8], &[1, 2, 3, 4], &[3, 1]);
        assert_eq!(table, [0, 0, 3, 4, 0, 0, 1, 2]);
    }
}

#[test]
fn gap_87_neither_the_first_revision_nor_tscatter_changes() {
    let part = tile(Int32, 1, 2);
    for first_conflict in [FirstConflict::Any, FirstConflict::Last] {
        let mut how = by_byte(Unsigned);
        how.readings.first_conflict = first_conflict;
        let call = mscatter_first(rows(Int32, 1, 6), part, part);
        let table = first::scattered(&call, how, &[0; 6], &[8, 9], &[4, 1]);
        assert_eq!(table, [0, 9, 0, 0, 8, 0]);
    }
    let call = tscatter::call(tile(Int32, 1, 6), part, part);
    let dst = tscatter::scattered(&call, by_byte(Unsigned), &[0; 6], &[8, 9], &[4, 1]);
    assert_eq!(dst, [0, 9, 0, 0, 8, 0]);
}
