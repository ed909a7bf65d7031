//! Indices that count bytes (MSCATTER-GAP-87, MGATHER-GAP-76, MGATHERL1-GAP-35), by
//! hand, over tables of seven elements.

use crate::common::{calls::*, said::*, *};
use ptodiff_isa::*;

use Coalesce::Elem;
use DType::{Half, Int8, Int32};
use NegativeIndex::{Signed, Unsigned};
use Target::{A2a3, A5, Cpu};

/// Indices count bytes; the CPU has every form, with policies.
fn by_byte(negative_index: NegativeIndex) -> Readings {
    Readings {
        negative_index,
        index_unit: IndexUnit::Byte,
        cpu_form: CpuForm::Templated,
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

/// Every form on every target.
fn everywhere() -> impl Iterator<Item = (Form, Target)> {
    let forms = [Form::Ub, Form::L1, Form::Scatter];
    forms
        .into_iter()
        .flat_map(|form| [Cpu, A2a3, A5].map(|target| (form, target)))
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

/// A call of `lanes` lanes.
fn call(form: Form, [dtype, index]: [DType; 2], oob: ScatterOob, lanes: u64) -> Call {
    let table = matrix(dtype, 1, 7);
    let row = |dtype| tile(dtype, [1, 32], [1, lanes]);
    match form {
        Form::Ub => Call::Mgather(Mgather {
            oob: of_gather(oob),
            ..gather(row(dtype), table, row(index), Elem)
        }),
        Form::L1 => Call::MgatherL1(MgatherL1 {
            oob: of_gather(oob),
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

fn said(call: &Call, idx: &[i64], target: Target, readings: &Readings) -> Said {
    Said::of(call, &[&operands(call, idx)], target, readings)
}

#[test]
fn bytes_are_divided_by_the_size_of_an_element() {
    for (form, target) in everywhere() {
        for dtype in [Int8, Half, Int32] {
            let size = dtype.size() as i64;
            let call = call(form, [dtype, Int32], ScatterOob::Undefined, 3);
            let idx = [3, 0, 6].map(|n| n * size);
            let said = said(&call, &idx, target, &by_byte(Unsigned));
            assert_eq!(said.broken, []);
            let decided = said
                .runs()
                .iter()
                .filter(|run| run.clause.0 == form.gap(target));
            if form == Form::Scatter {
                assert_eq!(decided.count() > 0, size > 1);
            } else {
                // Slot 0 is where it is for both, and of single bytes so are all.
                let starts: Vec<_> = decided.map(|run| run.offset as i64 / size).collect();
                assert_eq!(starts, if size == 1 { vec![] } else { vec![0, 2] });
            }
        }
    }
}

#[test]
fn a_remainder_takes_every_promise_away() {
    for (form, target) in everywhere() {
        for (dtype, bytes) in [(Half, 3), (Half, -1), (Int32, 5), (Int32, 2), (Int32, -3)] {
            let call = call(form, [dtype, Int32], ScatterOob::Skip, 3);
            let idx = [0, bytes, 99];
            let r = Readings {
                undefined_gather: UndefinedGather::Slots,
                ..by_byte(Signed)
            };
            let found = said(&call, &idx, target, &r);
            let gap = form.gap(target);
            assert!(found.all_open());
            let mut operands = found.permits.operands.iter();
            let operand = operands.find(|o| o.role == call.output()).unwrap();
            assert_eq!(operand.guards_free.map(|c| c.0), Some(gap));
            assert_eq!(found.excused(), Some(gap));
            let why =
                format!("step 0, element (0, 1): {bytes} bytes are no whole number of elements");
            assert_eq!(found.broken, [(gap, why)]);
            // Counted as elements it breaks nothing of the kind.
            let elements = Readings {
                index_unit: IndexUnit::Element,
                ..r
            };
            let found = said(&call, &idx, target, &elements);
            assert!(!found.clauses().contains(&gap));
        }
        // A byte has no part of an element.
        let bytes = call(form, [Int8, Int32], ScatterOob::Undefined, 3);
        let found = said(&bytes, &[0, 5, 3], target, &by_byte(Unsigned));
        assert_eq!(found.broken, []);
        // In an earlier step.
        if form != Form::Scatter {
            continue;
        }
        let call = call(form, [Int32, Int32], ScatterOob::Wrap, 1);
        let steps = [operands(&call, &[5]), operands(&call, &[4])];
        let steps: Vec<_> = steps.iter().collect();
        let found = Said::of(&call, &steps, target, &by_byte(Unsigned));
        assert!(found.all_open());
        assert_eq!(found.clauses(), [form.gap(target)]);
    }
}
