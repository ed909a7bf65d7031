//! Why an access outside the table is excused: a negative index, or strides by
//! which the table is smaller than its shape.

use crate::common::{calls::*, choices::*, *};
use ptodiff_contract::{Permits, data_preconditions, legality, permits};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::Int32;
use Target::{A2a3, A5, Cpu};

const NPUS: [Target; 2] = [A2a3, A5];
const ALL: [Target; 3] = [A2a3, A5, Cpu];

/// Shape<1,1,1,2,2>, rows one element apart: capacity 4, three elements.
fn fewer() -> GlobalTensor {
    strided(
        matrix(Int32, 2, 2),
        &[(0, 2), (1, 2), (2, 2), (3, 1), (4, 1)],
    )
}

/// int32 [1,8] valid [1,2], Elem.
fn two(table: GlobalTensor) -> Mscatter {
    let data = tile(Int32, [1, 8], [1, 2]);
    scatter(table, data, data, Elem)
}

/// What `call` does with these indices, if it is legal; the table has as many
/// elements as its strides reach.
fn answered(call: &Call, idx: &[i64], target: Target, readings: &Readings) -> Option<Permits> {
    let data = call.data_tile();
    let image = vec![0; (data.rows * data.cols) as usize * 4];
    let table = call.table().expect("a table");
    let last = |d: usize| (table.shape[d].get() - 1) * table.stride[d].get();
    let held = vec![0; ((0..5).map(last).sum::<u64>() as usize + 1) * 4];
    let m = memory(&[
        (Role::Table, &held),
        (Role::Source, &image),
        (Role::Destination, &image),
        (Role::Index, &words(idx)),
        (Role::Scratch, &image),
    ]);
    let legal = legality(call, target, readings).is_empty()
        && data_preconditions(call, &[&m], target, readings).is_empty();
    legal.then(|| permits(call, &[&m], target, readings).expect("operands fit"))
}

/// The same of a call that is legal.
fn asked(call: &Call, idx: &[i64], target: Target, readings: &Readings) -> Permits {
    answered(call, idx, target, readings).expect("a legal call")
}

/// Why accesses outside operands are excused.
fn excused(call: &Call, idx: &[i64], target: Target, readings: &Readings) -> Option<&'static str> {
    asked(call, idx, target, readings).oob_accesses.map(|c| c.0)
}

/// The first of eight indices, the rest 0.
fn padded(first: &[i64]) -> Vec<i64> {
    let mut all = first.to_vec();
    all.resize(8, 0);
    all
}

#[test]
fn a_scatter_behind_a_table_of_fewer_elements() {
    // MSCATTER-GAP-86, the register's numbers: slot 1 is written, 3 lies behind.
    let call = Call::Mscatter(two(fewer()));
    for target in ALL {
        let p = asked(&call, &padded(&[3, 1]), target, &Readings::default());
        let expected = [Slot::Kept, Slot::word(0), Slot::Kept];
        assert_eq!(slots(&p, Role::Table, 12), expected);
        let gap = Some("MSCATTER-GAP-86");
        assert_eq!(p.oob_accesses.map(|c| c.0), gap, "{target}");
        assert_eq!(p.operands[0].guards_free.map(|c| c.0), gap);
        // The last one that the table has.
        let inside = excused(&call, &padded(&[2, 1]), target, &Readings::default());
        assert_eq!(inside, None);
    }
    // A CPU with A5's form, whose Row goes by elements otherwise.
    let templated = with(&[("cpu-form", "templated")]);
    let behind = excused(&call, &padded(&[3, 1]), Cpu, &templated);
    assert_eq!(behind, Some("MSCATTER-GAP-86"));
    // Row, by elements on the CPU: the case of one column.
    let column = Mscatter {
        src: tile(Int32, [1, 8], [1, 1]),
        idx: tile(Int32, [1, 1], [1, 1]),
        mode: Row,
        ..two(fewer())
    };
    let behind = excused(&Call::Mscatter(column), &[3], Cpu, &Readings::default());
    assert_eq!(behind, Some("MSCATTER-GAP-86"));
}

#[test]
fn a_scatter_before_the_table() {
    // MSCATTER-GAP-01 (b): -1 is below capacity, whatever the strides.
    let signed = with(&[("negative-index", "signed")]);
    for (table, oob) in [
        (fewer(), ScatterOob::Undefined),
        (fewer(), ScatterOob::Skip),
        (matrix(Int32, 2, 2), ScatterOob::Clamp),
    ] {
        let call = Call::Mscatter(Mscatter { oob, ..two(table) });
        for target in NPUS {
            let before = excused(&call, &padded(&[-1, 1]), target, &signed);
            assert_eq!(before, Some("MSCATTER-GAP-01"), "{target} {oob}");
        }
    }
    // Rows: -1 of an NZ table spoils all of it, under Undefined too, where
    // MSCATTER-OOB-03 is about indices at or above capacity.
    let nz = scatter(
        packed(Int32, [1, 1, 1, 16, 8], Layout::NZ),
        nz_tile(Int32, [16, 8], [1, 8]),
        tile(Int32, [1, 8], [1, 1]),
        Row,
    );
    let nd = Mscatter {
        table: matrix(Int32, 2, 8),
        src: tile(Int32, [1, 8], [1, 8]),
        ..nz
    };
    for oob in [ScatterOob::Undefined, ScatterOob::Skip, ScatterOob::Clamp] {
        for (call, target) in [(nz, A2a3), (nd, A2a3), (nd, A5)] {
            let call = Call::Mscatter(Mscatter { oob, ..call });
            let before = excused(&call, &padded(&[-1]), target, &signed);
            assert_eq!(before, Some("MSCATTER-GAP-01"), "{target} {oob}");
        }
    }
}

#[test]
fn the_first_revision_outside_the_table() {
    // It says nothing of strides by elements: document 000 holds (MSCATTER0-GAP-11).
    let data = tile(Int32, [1, 8], [1, 8]);
    let call = Call::MscatterFirst(first(fewer(), data, data));
    let behind = excused(&call, &padded(&[3, 1]), A5, &Readings::default());
    assert_eq!(behind, Some("MSCATTER-GAP-86"));
    // MSCATTER0-GAP-05.
    let signed = with(&[("negative-index", "signed")]);
    let before = excused(&call, &padded(&[-1, 1]), A5, &signed);
    assert_eq!(before, Some("MSCATTER0-GAP-05"));
}

#[test]
fn a_gather_outside_the_table() {
    let data = tile(Int32, [1, 8], [1, 2]);
    let call = Call::Mgather(gather(data, fewer(), data, Elem));
    let signed = with(&[("negative-index", "signed")]);
    for target in ALL {
        // MGATHER-GAP-07: where Elem reads in a table that is not packed.
        let p = asked(&call, &padded(&[3, 1]), target, &Readings::default());
        let found = slots(&p, Role::Destination, 32);
        assert_eq!(found[..3], [Slot::Anything, Slot::word(0), Slot::Kept]);
        let gap = "MGATHER-GAP-07";
        assert_eq!(p.oob_accesses.map(|c| c.0), Some(gap), "{target}");
        assert_eq!(runs(&p, Role::Destination)[0].clause.0, gap);
    }
    for target in NPUS {
        let before = excused(&call, &padded(&[-1, 1]), target, &signed);
        assert_eq!(before, Some("MGATHER-GAP-02"), "{target}");
    }
}

#[test]
fn a_gather_to_l1_outside_the_table() {
    let dst = l1_tile(Int32, [16, 8], [1, 2]);
    let elem = l1(dst, fewer(), matrix(Int32, 1, 2), Elem);
    let signed = with(&[("negative-index", "signed")]);
    for target in NPUS {
        // MGATHERL1-GAP-27, as MGATHER-GAP-07.
        let call = Call::MgatherL1(elem);
        let behind = excused(&call, &[3, 1], target, &Readings::default());
        assert_eq!(behind, Some("MGATHERL1-GAP-27"), "{target}");
        let before = excused(&call, &[-1, 1], target, &signed);
        assert_eq!(before, Some("MGATHERL1-GAP-04"), "{target}");
    }
    // The CPU goes by its form to UB (MGATHERL1-GAP-14).
    let call = Call::MgatherL1(MgatherL1 {
        scratch: None,
        ..elem
    });
    let behind = excused(&call, &[3, 1], Cpu, &suite());
    assert_eq!(behind, Some("MGATHER-GAP-07"));
}

/// Small ND tables with strides of all kinds.
fn tables(mut see: impl FnMut(GlobalTensor)) {
    for [d2, d3, d4] in [[1, 1, 2], [1, 2, 2], [2, 1, 2], [2, 2, 8], [1, 3, 1]] {
        for s2 in [0, 1, 8, 20] {
            for s3 in [0, 1, 2, 8] {
                for s4 in [0, 1, 2] {
                    let table = packed(Int32, [1, 1, d2, d3, d4], Layout::ND);
                    see(strided(table, &[(2, s2), (3, s3), (4, s4)]));
                }
            }
        }
    }
}

/// One lane in each mode, by each form, into or from `table`.
fn calls(table: GlobalTensor, cols: u64) -> Vec<Call> {
    let data = tile(Int32, [1, 8], [1, cols]);
    let idx = tile(Int32, [1, 8], [1, 1]);
    let image = l1_tile(Int32, [16, 8], [1, cols]);
    let lane = matrix(Int32, 1, 8);
    let full = tile(Int32, [1, 8], [1, 8]);
    let one = tile(Int32, [1, 1], [1, 1]);
    vec![
        Call::Mscatter(scatter(table, data, idx, Row)),
        Call::Mscatter(scatter(table, data, data, Elem)),
        Call::MscatterFirst(first(table, full, one)),
        Call::MscatterFirst(first(table, full, full)),
        Call::Mgather(gather(data, table, idx, Row)),
        Call::Mgather(gather(data, table, data, Elem)),
        Call::MgatherL1(l1(image, table, lane, Row)),
        Call::MgatherL1(l1(image, table, lane, Elem)),
    ]
}

#[test]
fn the_index_decides_which_gap_it_is() {
    let choices: [&[(&str, &str)]; 6] = [
        &[],
        &[("padded-elem", "strided")],
        &[("outer-strides", "ignored")],
        &[("outer-strides", "split")],
        &[("row-pitch", "valid-cols")],
        &[("cpu-padded-table", "strided"), ("cpu-form", "templated")],
    ];
    let negative = [
        "MSCATTER-GAP-01",
        "MSCATTER0-GAP-05",
        "MGATHER-GAP-02",
        "MGATHERL1-GAP-04",
    ];
    let (mut before, mut behind) = (0, 0);
    for choices in choices {
        let readings = Readings {
            negative_index: NegativeIndex::Signed,
            scope: Scope::AsTheSuite,
            ..with(choices)
        };
        tables(|table| {
            for call in [1, 2, 8].into_iter().flat_map(|cols| calls(table, cols)) {
                for target in ALL {
                    for index in [-9, -1, 0, 1, 2, 3] {
                        let p = answered(&call, &[index; 8], target, &readings);
                        let Some(clause) = p.and_then(|p| p.oob_accesses) else {
                            continue;
                        };
                        let by_sign = negative.contains(&clause.0);
                        assert_eq!(by_sign, index < 0, "{target} {index} {clause:?} {call:?}");
                        *(if by_sign { &mut before } else { &mut behind }) += 1;
                    }
                }
            }
        });
    }
    assert!(before > 0 && behind > 0, "{before} {behind}");
}
