//! Indices that count bytes (MSCATTER-GAP-87, MGATHER-GAP-76, MGATHERL1-GAP-35), by
//! hand, over tables of seven elements.

use crate::common::{calls::*, choices::with, *};
use ptodiff_contract::{Feeder, Permits, data_preconditions, feeders, permits};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Half, Int8, Int32, Uint32};
use NegativeIndex::{Intended, Signed, Unsigned};
use Target::{A2a3, A5, Cpu};

const ALL: [Target; 3] = [Cpu, A2a3, A5];

/// Indices count bytes; the CPU gathers to L1 too.
fn by_byte(negative_index: NegativeIndex) -> Readings {
    Readings {
        negative_index,
        index_unit: IndexUnit::Byte,
        ..suite()
    }
}

/// What is gathered to, or that it is a scatter.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Form {
    Ub,
    L1,
    Scatter,
}

impl Form {
    fn gap(self, target: Target) -> &'static str {
        match self {
            Self::Scatter => "MSCATTER-GAP-87",
            // The CPU goes by its gather to UB (MGATHERL1-GAP-14).
            Self::L1 if target != Cpu => "MGATHERL1-GAP-35",
            Self::Ub | Self::L1 => "MGATHER-GAP-76",
        }
    }
}

/// `n` elements that count up from `first`.
fn counted(dtype: DType, first: u64, n: u64) -> Vec<u8> {
    let element = |v: u64| v.to_le_bytes()[..dtype.size()].to_vec();
    (first..first + n).flat_map(element).collect()
}

/// The element that stands for `v`.
fn one(dtype: DType, v: u64) -> Slot {
    Slot::One(counted(dtype, v, 1))
}

/// A call of `lanes` lanes.
fn call(form: Form, [dtype, index]: [DType; 2], oob: ScatterOob, lanes: u64) -> Call {
    let table = matrix(dtype, 1, 7);
    let row = |dtype| tile(dtype, [1, 32], [1, lanes]);
    let gather_oob = match oob {
        ScatterOob::Undefined => GatherOob::Undefined,
        ScatterOob::Skip => GatherOob::Zero,
        ScatterOob::Clamp => GatherOob::Clamp,
        ScatterOob::Wrap => GatherOob::Wrap,
    };
    match form {
        Form::Ub => Call::Mgather(Mgather {
            oob: gather_oob,
            ..gather(row(dtype), table, row(index), Elem)
        }),
        Form::L1 => Call::MgatherL1(MgatherL1 {
            oob: gather_oob,
            ..l1(
                l1_tile(dtype, [16, 32 / dtype.size() as u64], [1, lanes]),
                table,
                matrix(index, 1, lanes),
                Elem,
            )
        }),
        Form::Scatter => Call::Mscatter(Mscatter {
            oob,
            ..scatter(table, row(dtype), row(index), Elem)
        }),
    }
}

/// The operands: a table of 10 to 16, a source of 1 and on.
fn operands(call: &Call, idx: &[i64]) -> Memory {
    let tile = call.data_tile();
    let (dtype, elems) = (tile.dtype, tile.rows * tile.cols);
    let mut indices = idx.to_vec();
    // Decoys in the padding of an index tile.
    indices.resize(32, 5);
    memory(&[
        (Role::Table, &counted(dtype, 10, 7)),
        (Role::Index, &words(&indices)),
        (Role::Source, &counted(dtype, 1, elems)),
        (Role::Destination, &counted(dtype, 50, elems)),
        (Role::Scratch, &counted(dtype, 90, elems)),
    ])
}

fn answered(call: &Call, idx: &[i64], target: Target, readings: &Readings) -> Permits {
    permits(call, &[&operands(call, idx)], target, readings).expect("operands fit")
}

/// The first seven slots that are written.
fn seven(p: &Permits, call: &Call) -> Vec<Slot> {
    let tile = call.data_tile();
    let elems = match call.output() {
        Role::Table => 7,
        _ => (tile.rows * tile.cols) as usize,
    };
    slots(p, call.output(), elems * tile.dtype.size())[..7].to_vec()
}

/// The preconditions that the data breaks: clauses and words.
fn broken(
    call: &Call,
    idx: &[i64],
    target: Target,
    readings: &Readings,
) -> Vec<(&'static str, String)> {
    let found = data_preconditions(call, &[&operands(call, idx)], target, readings);
    found.into_iter().map(|b| (b.clause.0, b.why)).collect()
}

#[test]
fn bytes_are_divided_by_the_size_of_an_element() {
    for dtype in [Int8, Half, Int32] {
        let size = dtype.size() as i64;
        let idx = [3, 0, 6].map(|n| n * size);
        for index in [Int32, Uint32] {
            for target in ALL {
                let said = |form, readings: &Readings| {
                    let call = call(form, [dtype, index], ScatterOob::Undefined, 3);
                    assert_eq!(broken(&call, &idx, target, readings), []);
                    let p = answered(&call, &idx, target, readings);
                    let list = runs(&p, call.output()).to_vec();
                    (seven(&p, &call), list)
                };
                for form in [Form::Ub, Form::L1] {
                    let (found, list) = said(form, &by_byte(Unsigned));
                    assert_eq!(found[..3], [13, 10, 16].map(|v| one(dtype, v)));
                    // Slot 0 is where it is for both, and of single bytes so are all.
                    let decided = list.iter().filter(|run| run.clause.0 == form.gap(target));
                    let starts: Vec<_> = decided.map(|run| run.offset as i64 / size).collect();
                    assert_eq!(starts, if size == 1 { vec![] } else { vec![0, 2] });
                }
                for form in ["documented", "templated"] {
                    let readings = Readings {
                        cpu_form: with(&[("cpu-form", form)]).cpu_form,
                        ..by_byte(Unsigned)
                    };
                    let (found, list) = said(Form::Scatter, &readings);
                    for (slot, expected) in found.into_iter().enumerate() {
                        let lane = [3, 0, 6].iter().position(|&n| n == slot);
                        let written = lane.map(|lane| one(dtype, lane as u64 + 1));
                        assert_eq!(expected, written.unwrap_or(Slot::Kept));
                    }
                    let by_gap = list.iter().all(|r| r.clause.0 == "MSCATTER-GAP-87");
                    assert_eq!(by_gap, size > 1);
                }
            }
        }
    }
}

/// What becomes of a displacement of three elements before the table under Undefined,
/// the policy that drops it, Clamp and Wrap: an element, or why there is none.
type Before = [Result<usize, Miss>; 4];

#[derive(Clone, Copy, Debug)]
enum Miss {
    /// A precondition is broken.
    Broken,
    /// The policy drops it.
    Dropped,
    /// It lies outside the table.
    Outside,
}

const POLICIES: [ScatterOob; 4] = [
    ScatterOob::Undefined,
    ScatterOob::Skip,
    ScatterOob::Clamp,
    ScatterOob::Wrap,
];

fn before_the_table(index: DType, target: Target, negative: NegativeIndex) -> Before {
    use Miss::{Broken, Dropped, Outside};
    match negative {
        // 2^32 - 3 is 1 more than a multiple of 7.
        _ if index == Uint32 || target == Cpu => [Err(Broken), Err(Dropped), Ok(6), Ok(1)],
        Unsigned => [Err(Broken), Err(Dropped), Ok(6), Ok(1)],
        Signed => [Err(Outside); 4],
        Intended => [Err(Broken), Err(Dropped), Ok(0), Ok(4)],
    }
}

#[test]
fn negative_displacements() {
    for dtype in [Int8, Half, Int32] {
        for index in [Int32, Uint32] {
            for target in ALL {
                for negative in [Unsigned, Signed, Intended] {
                    let expected = before_the_table(index, target, negative);
                    for (oob, expected) in POLICIES.into_iter().zip(expected) {
                        let of = |form| call(form, [dtype, index], oob, 1);
                        let about = format!("{dtype} by {index} on {target} {negative} {oob}");
                        gathers_before(of, target, negative, expected, &about);
                        scatters_before(&of(Form::Scatter), target, negative, expected, &about);
                    }
                }
            }
        }
    }
}

fn gathers_before(
    of: impl Fn(Form) -> Call,
    target: Target,
    negative: NegativeIndex,
    expected: Result<usize, Miss>,
    about: &str,
) {
    for call in [of(Form::Ub), of(Form::L1)] {
        let dtype = call.data_tile().dtype;
        let idx = [-3 * dtype.size() as i64];
        let p = answered(&call, &idx, target, &by_byte(negative));
        let slot = match expected {
            Ok(number) => one(dtype, 10 + number as u64),
            Err(Miss::Dropped) => one(dtype, 0),
            Err(Miss::Broken | Miss::Outside) => Slot::Anything,
        };
        assert_eq!(seven(&p, &call)[0], slot, "{about}");
        let found = broken(&call, &idx, target, &by_byte(negative));
        let clauses: Vec<_> = found.iter().map(|(clause, _)| *clause).collect();
        match expected {
            Err(Miss::Broken) => assert_eq!(clauses, ["MGATHER-OOB-01"], "{about}"),
            _ => assert_eq!(clauses, [""; 0], "{about}"),
        }
    }
}

fn scatters_before(
    call: &Call,
    target: Target,
    negative: NegativeIndex,
    expected: Result<usize, Miss>,
    about: &str,
) {
    let dtype = call.data_tile().dtype;
    let idx = [-3 * dtype.size() as i64];
    let r = Readings {
        cpu_form: CpuForm::Templated,
        ..by_byte(negative)
    };
    let p = answered(call, &idx, target, &r);
    let mut table = vec![Slot::Kept; 7];
    match expected {
        Ok(number) => table[number] = one(dtype, 1),
        Err(Miss::Broken) => table.fill(Slot::Anything),
        Err(Miss::Dropped | Miss::Outside) => {}
    }
    assert_eq!(seven(&p, call), table, "{about}");
    let strays = matches!(expected, Err(Miss::Broken | Miss::Outside));
    assert_eq!(p.oob_accesses.is_some(), strays, "{about}");
    let is_broken = matches!(expected, Err(Miss::Broken));
    assert_eq!(broken(call, &idx, target, &r).len(), usize::from(is_broken));
    // The documented CPU has no policy (MSCATTER-OOB-17).
    let p = answered(call, &idx, Cpu, &by_byte(negative));
    assert_eq!(seven(&p, call), vec![Slot::Anything; 7]);
}

#[test]
fn the_remainder_of_wrap_keeps_its_sign() {
    // -7 by C++ is 0 modulo 7 and inside; by the quotient, not by the bytes.
    let call = call(Form::Ub, [Int32, Int32], ScatterOob::Wrap, 1);
    let p = answered(&call, &[-28], A5, &by_byte(Signed));
    assert_eq!(seven(&p, &call)[0], one(Int32, 10));
}

#[test]
fn capacity_and_policies_are_of_elements() {
    for form in [Form::Ub, Form::L1, Form::Scatter] {
        for target in ALL {
            let r = Readings {
                cpu_form: CpuForm::Templated,
                ..by_byte(Unsigned)
            };
            // Element 6 is the last, 7 none, 10 is 3 modulo 7.
            for (bytes, [skip, clamp, wrap]) in [
                (24, [Some(6), Some(6), Some(6)]),
                (28, [None, Some(6), Some(0)]),
                (40, [None, Some(6), Some(3)]),
            ] {
                let expected = [skip, clamp, wrap];
                for (oob, expected) in POLICIES[1..].iter().zip(expected) {
                    let call = call(form, [Int32, Int32], *oob, 1);
                    let p = answered(&call, &[bytes], target, &r);
                    let found = seven(&p, &call);
                    match (form, expected) {
                        (Form::Scatter, _) => {
                            let hit = |slot| {
                                if Some(slot) == expected {
                                    one(Int32, 1)
                                } else {
                                    Slot::Kept
                                }
                            };
                            assert_eq!(found, (0..7).map(hit).collect::<Vec<_>>());
                        }
                        (_, Some(number)) => assert_eq!(found[0], one(Int32, 10 + number as u64)),
                        (_, None) => assert_eq!(found[0], one(Int32, 0)),
                    }
                    assert_eq!(broken(&call, &[bytes], target, &r), []);
                }
            }
            let undefined = call(form, [Int32, Int32], ScatterOob::Undefined, 1);
            let why = "step 0, element (0, 0): index 7 is not below capacity 7";
            assert_eq!(broken(&undefined, &[28], target, &r)[0].1, why);
        }
    }
}

#[test]
fn a_remainder_takes_every_promise_away() {
    for form in [Form::Ub, Form::L1, Form::Scatter] {
        for (dtype, bytes) in [(Half, 3), (Half, -1), (Int32, 5), (Int32, 2), (Int32, -3)] {
            for (target, oob) in ALL.into_iter().flat_map(|t| POLICIES.map(|oob| (t, oob))) {
                let call = call(form, [dtype, Int32], oob, 3);
                let idx = [0, bytes, 99];
                let r = Readings {
                    undefined_gather: UndefinedGather::Slots,
                    ..by_byte(Signed)
                };
                let p = answered(&call, &idx, target, &r);
                let gap = form.gap(target);
                let operand = p.operands.iter().find(|o| o.role == call.output()).unwrap();
                let all = operand.runs[0].len;
                assert_eq!(
                    slots(&p, call.output(), all),
                    vec![Slot::Anything; all / dtype.size()]
                );
                assert!(all >= 7 * dtype.size());
                assert_eq!(operand.guards_free.map(|c| c.0), Some(gap));
                assert_eq!(p.oob_accesses.map(|c| c.0), Some(gap));
                let why = format!(
                    "step 0, element (0, 1): {bytes} bytes are no whole number of elements"
                );
                assert_eq!(broken(&call, &idx, target, &r), [(gap, why)]);
                // Counted as elements it breaks nothing of the kind.
                let elements = Readings {
                    index_unit: IndexUnit::Element,
                    ..r
                };
                let found = broken(&call, &idx, target, &elements);
                assert!(found.iter().all(|(clause, _)| *clause != gap));
            }
        }
        // A byte has no part of an element.
        let bytes = call(form, [Int8, Int32], ScatterOob::Undefined, 3);
        assert_eq!(broken(&bytes, &[0, 5, 3], A5, &by_byte(Unsigned)), []);
    }
}

#[test]
fn a_remainder_in_an_earlier_step() {
    for form in [Form::Ub, Form::L1, Form::Scatter] {
        let call = call(form, [Int32, Int32], ScatterOob::Wrap, 1);
        let steps = [operands(&call, &[5]), operands(&call, &[4])];
        let steps: Vec<_> = steps.iter().collect();
        let p = permits(&call, &steps, A5, &by_byte(Unsigned)).unwrap();
        assert_eq!(seven(&p, &call), vec![Slot::Anything; 7]);
        let found = data_preconditions(&call, &steps, A5, &by_byte(Unsigned));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].clause.0, form.gap(A5));
    }
}

#[test]
fn sums_meet_where_the_bytes_lead() {
    // 10, 11 and on: slot 1 gets 1 and 3, slot 2 gets 2.
    let Call::Mscatter(plain) = call(Form::Scatter, [Int32, Int32], ScatterOob::Skip, 3) else {
        unreachable!()
    };
    let call = Call::Mscatter(Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..plain
    });
    for target in [A2a3, A5] {
        let p = answered(&call, &[4, 8, 4], target, &by_byte(Unsigned));
        let found = seven(&p, &call);
        assert_eq!(found[1..3], [15, 14].map(|v| one(Int32, v)));
        let last = runs(&p, Role::Table).last().unwrap();
        assert_eq!(last.clause.0, "MSCATTER-GAP-87");
    }
    let m = operands(&call, &[4, 8, 4]);
    let found = feeders(&call, &[&m], A5, &by_byte(Unsigned), Role::Table, 1);
    let lane = |c| Feeder { step: 0, r: 0, c };
    assert_eq!(found, [lane(0), lane(2)]);
}

#[test]
fn what_does_not_count_bytes() {
    let same = |call: Call, operands: &[(Role, &[u8])], target| {
        let m = memory(operands);
        let [a, b] = [by_byte(Unsigned), suite()].map(|r| {
            let broken = data_preconditions(&call, &[&m], target, &r);
            (permits(&call, &[&m], target, &r).unwrap(), broken)
        });
        assert_eq!(a, b);
        assert_eq!(a.1, []);
    };
    let (table, three) = (words(&[7; 32]), words(&[3, 1, 0, 0, 0, 0, 0, 0]));
    let data = words(&[1; 512]);
    let all = [
        (Role::Table, &table[..]),
        (Role::Index, &three),
        (Role::Source, &data),
        (Role::Destination, &data),
    ];
    let rows = tile(Int32, [2, 8], [2, 8]);
    let idx = tile(Int32, [1, 8], [1, 2]);
    for target in ALL {
        let moved = gather(rows, matrix(Int32, 4, 8), idx, Row);
        same(Call::Mgather(moved), &all, target);
        let to_l1 = l1(
            l1_tile(Int32, [16, 8], [2, 8]),
            matrix(Int32, 4, 8),
            matrix(Int32, 1, 2),
            Row,
        );
        same(Call::MgatherL1(to_l1), &all, target);
        let call = Call::TscatterIndex(TscatterIndex {
            dst: tile(Int32, [2, 8], [2, 8]),
            src: tile(Int32, [1, 8], [1, 2]),
            idx: tile(Int32, [1, 8], [1, 2]),
        });
        same(call, &all, target);
    }
    for target in [A2a3, A5] {
        let call = scatter(matrix(Int32, 4, 8), rows, idx, Row);
        same(Call::Mscatter(call), &all, target);
    }
    let old = first(
        matrix(Int32, 4, 8),
        tile(Int32, [1, 8], [1, 8]),
        tile(Int32, [1, 8], [1, 8]),
    );
    same(Call::MscatterFirst(old), &all, A5);
}

#[test]
fn the_documented_cpu_counts_bytes_in_either_mode() {
    // MSCATTER-SEM-03: it has the semantics of Elem, whatever the call's mode.
    let one_column = scatter(
        matrix(Int32, 1, 7),
        tile(Int32, [2, 8], [2, 1]),
        tile(Int32, [2, 8], [2, 1]),
        Row,
    );
    let call = Call::Mscatter(one_column);
    let mut idx = [0; 16];
    (idx[0], idx[8]) = (4, 24);
    let p = answered(&call, &idx, Cpu, &by_byte(Unsigned));
    let found = seven(&p, &call);
    assert_eq!([&found[1], &found[6]], [&one(Int32, 1), &one(Int32, 9)]);
    assert_eq!(found[4], Slot::Kept);
}
