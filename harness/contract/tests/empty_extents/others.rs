//! The same of gathers to L1, of TSCATTER and of TGATHERB, of which no reading
//! says that an extent of 0 leaves them nothing to do.

use super::*;
use crate::common::calls::*;

#[test]
fn gathers_to_l1() {
    let (mut owed, mut settled) = (0, 0);
    for target in TARGETS {
        for (mode, exec) in [
            (Row, GatherExec::Scalar),
            (Elem, GatherExec::Scalar),
            (Elem, GatherExec::Simt),
        ] {
            for extents in EMPTY {
                let [rows, _] = extents;
                let dst = valid(l1_tile(DType::Int32, [16, 8], [1, 1]), extents);
                let (table, count) = match mode {
                    Row => (matrix(DType::Int32, CAPACITY as u64, 8), rows),
                    Elem => (matrix(DType::Int32, 2, 8), 0),
                };
                let idx = matrix(DType::Int32, 2, 8);
                for vector in vectors(count) {
                    let mut sizes = vec![
                        (Role::Destination, bytes(&dst)),
                        (Role::Table, reach(&table)),
                    ];
                    if mode == Elem {
                        sizes.push((Role::Scratch, bytes(&dst)));
                    }
                    let m = operands(&sizes, &indices(&vector, 16, 1));
                    for oob in GATHERS {
                        let call = Call::MgatherL1(MgatherL1 {
                            oob,
                            exec,
                            ..l1(dst, table, idx, mode)
                        });
                        for readings in l1_readings() {
                            let lost = oob == GatherOob::Undefined
                                && astray(&vector, DType::Int32, target, &readings);
                            let broken = mode == Row && rows > 0 && lost;
                            let seen = if broken {
                                Seen::Undefined
                            } else {
                                Seen::Settled
                            };
                            let seen = match (exec, target) {
                                (GatherExec::Simt, A2a3) => Seen::Illegal,
                                _ => seen,
                            };
                            let found = compare(&call, &[&m], target, &readings);
                            assert_eq!(found, seen, "{target} {call:?} {vector:?}");
                            owed += u32::from(seen == Seen::Undefined);
                            settled += u32::from(seen == Seen::Settled);
                        }
                    }
                }
            }
        }
    }
    assert!(owed > 100 && settled > 1000, "{owed} {settled}");
}

/// What matters to a gather to L1, where every target has it.
fn l1_readings() -> Vec<Readings> {
    let mut all = Vec::new();
    for negative_index in NEGATIVE {
        for l1_row_padding in [
            L1RowPadding::TailZero,
            L1RowPadding::Kept,
            L1RowPadding::Undefined,
        ] {
            for l1_scratch_zero in [L1ScratchZero::Always, L1ScratchZero::ZeroOnly] {
                all.push(Readings {
                    scope: Scope::AsTheSuite,
                    undefined_gather: UndefinedGather::Slots,
                    negative_index,
                    l1_row_padding,
                    l1_scratch_zero,
                    ..Readings::default()
                });
            }
        }
    }
    all
}

#[test]
fn scatters_within_a_chip() {
    let shape = |dtype, extents| valid(tile(dtype, [2, 8], [1, 1]), extents);
    let full = [2, 8];
    let mut silent = 0;
    for target in TARGETS {
        for extents in EMPTY {
            for dst in [full, [0, 8], [2, 0], [0, 0]] {
                for index in [0, 15, 16, -1] {
                    let call = Call::TscatterIndex(TscatterIndex {
                        dst: shape(DType::Int32, dst),
                        src: shape(DType::Int32, extents),
                        idx: shape(DType::Int32, extents),
                    });
                    let sizes = [(Role::Destination, 64), (Role::Source, 64)];
                    let m = operands(&sizes, &words(&[index; 16]));
                    for unaddressed in
                        [Unaddressed::Kept, Unaddressed::Zero, Unaddressed::Undefined]
                    {
                        for range in [ScatterRange::Storage, ScatterRange::Valid] {
                            let readings = Readings {
                                tscatter_unaddressed: unaddressed,
                                tscatter_range: range,
                                ..Readings::default()
                            };
                            match compare(&call, &[&m], target, &readings) {
                                Seen::Settled => {}
                                // The zeros come before the first write.
                                found => {
                                    assert!(matches!(found, Seen::Silent(_)), "{call:?}");
                                    assert_eq!(unaddressed, Unaddressed::Zero);
                                    silent += 1;
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    assert_eq!(silent, 3 * 5 * 4 * 4 * 2);
}

#[test]
fn a_destination_without_a_valid_slot_takes_no_index() {
    let shape = |extents| valid(tile(DType::Int32, [2, 8], [1, 1]), extents);
    for target in TARGETS {
        for dst in [[0, 8], [2, 0], [0, 0]] {
            for (range, seen) in [
                (ScatterRange::Storage, Seen::Settled),
                (ScatterRange::Valid, Seen::Undefined),
            ] {
                let call = Call::TscatterIndex(TscatterIndex {
                    dst: shape(dst),
                    src: shape([1, 1]),
                    idx: shape([1, 1]),
                });
                let sizes = [(Role::Destination, 64), (Role::Source, 64)];
                let m = operands(&sizes, &words(&[0; 16]));
                let readings = Readings {
                    tscatter_range: range,
                    ..Readings::default()
                };
                assert_eq!(
                    compare(&call, &[&m], target, &readings),
                    seen,
                    "{target} {dst:?}"
                );
            }
        }
    }
}

#[test]
fn byte_gathers() {
    let shape = |dtype, extents| valid(tile(dtype, [2, 8], [1, 1]), extents);
    let mut silent = 0;
    for target in TARGETS {
        for [dst, src] in EMPTY
            .map(|extents| [extents, [2, 8]])
            .into_iter()
            .chain(EMPTY.map(|extents| [[1, 3], extents]))
        {
            for offset in [0, 60, 64, 3, -4] {
                let call = Call::Tgatherb(Tgatherb {
                    dst: shape(DType::Int32, dst),
                    src: shape(DType::Int32, src),
                    offset: shape(DType::Uint32, dst),
                });
                let sizes = [(Role::Destination, 64), (Role::Source, 64)];
                let m = operands(&sizes, &words(&[offset; 16]));
                for boundary in [OffsetBoundary::Allocation, OffsetBoundary::Valid] {
                    let readings = Readings {
                        tgatherb_boundary: boundary,
                        ..Readings::default()
                    };
                    match compare(&call, &[&m], target, &readings) {
                        Seen::Settled => {}
                        // The CPU would clamp to the last element of none.
                        found => {
                            assert!(matches!(found, Seen::Silent(_)), "{target} {call:?}");
                            assert_eq!((target, boundary), (Cpu, OffsetBoundary::Valid));
                            silent += 1;
                        }
                    }
                }
            }
        }
    }
    assert_eq!(silent, 5 * 5);
}
