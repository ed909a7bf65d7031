//! Small outputs whose differences are counted by hand.

use ptodiff_contract::{OperandPermits, Permits};
use ptodiff_isa::{
    BLayout, Call, Dim, Memory, OobAccesses, Region, SLayout, Target, TargetReadings, Tile,
    TileType, TscatterIndex,
};

use super::*;
use crate::{Expect, Ran};

/// Bytes of the output: too many to be compared whole for a few runs.
const LEN: usize = 32 * DENSE;

/// A call whose operands are tiles of this shape, all of them valid.
fn call(dtype: DType, rows: u64, cols: u64) -> Call {
    let tile = Tile {
        location: TileType::Vec,
        dtype,
        rows,
        cols,
        valid_row: Dim::Static(rows),
        valid_col: Dim::Static(cols),
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        fractal: 512,
    };
    Call::TscatterIndex(TscatterIndex {
        dst: tile,
        src: tile,
        idx: tile,
    })
}

fn memory(written: &[(usize, u8)]) -> Memory {
    let mut bytes = vec![0; LEN];
    for (offset, byte) in written {
        bytes[*offset] = *byte;
    }
    Memory {
        regions: vec![Region::new(Role::Destination, bytes, 0..LEN)],
    }
}

fn permits(runs: &[(usize, usize, Permit)]) -> Permits {
    let run = |&(offset, len, permit): &(usize, usize, Permit)| Run {
        offset,
        len,
        permit,
        clause: Clause("A-01"),
        freedom: None,
        or_kept: None,
    };
    Permits {
        operands: vec![OperandPermits {
            role: Role::Destination,
            dtype: DType::Uint8,
            runs: runs.iter().map(run).collect(),
            kept: Clause("A-02"),
            guards_free: None,
        }],
        pool: vec![0; 64],
        oob_accesses: None,
    }
}

fn ran(memory: Memory) -> Answer {
    Answer::Ran(Ran {
        memory,
        oob_accesses: OobAccesses::default(),
        inputs_changed: Vec::new(),
        schedule: Schedule::InOrder,
    })
}

/// What `f` finds out of the outputs of two parties.
fn held<T>(
    dtype: DType,
    permits: [&Permits; 2],
    answers: [&[Answer]; 2],
    f: impl FnOnce(&OutputComparison<'_>) -> T,
) -> T {
    let cols = (DENSE / dtype.size()) as u64;
    let (call, before) = (call(dtype, 32, cols), memory(&[]));
    let context = CaseContext {
        call: &call,
        before: &before,
        lanes: &|_, _, _| Vec::new(),
        readings: &TargetReadings::default(),
    };
    let parties = [Target::Cpu, Target::A5].map(Party::of);
    let input = |i: usize| PartyInput {
        party: &parties[i],
        legality: &[],
        preconditions: &[],
        hangs: None,
        permits: Some(permits[i]),
        answers: answers[i],
        expect: Expect::default(),
    };
    f(&OutputComparison::new(&context, &input(0), &input(1)).unwrap())
}

/// What two parties differ in: in all slots, in those that runs cover, and
/// how many slots are compared.
fn comparison(permits: [&Permits; 2], answers: [&[Answer]; 2]) -> (Differences, Differences, u64) {
    held(DType::Uint8, permits, answers, |comparison| {
        let [whole, touched] =
            [Extent::Whole, Extent::Touched].map(|extent| comparison.differences(extent));
        (whole, touched, comparison.compared())
    })
}

#[test]
fn slots_are_elements_and_not_bytes() {
    let (none, same) = (permits(&[]), [ran(memory(&[]))]);
    for (dtype, bytes) in [(DType::Uint8, 1), (DType::Float, 4), (DType::Int64, 8)] {
        let slots = held(dtype, [&none; 2], [&same; 2], |comparison| {
            comparison.slots()
        });
        assert_eq!(slots, (LEN / bytes) as u64);
    }
}

#[test]
fn what_no_run_covers_need_not_be_looked_at() {
    let one_of = Permit::OneOf { at: 0, count: 2 };
    let a = permits(&[(10, 4, one_of), (4000, 2, one_of), (8000, 1, one_of)]);
    let b = permits(&[(12, 4, one_of), (5000, 1, one_of), (LEN - 1, 1, one_of)]);
    let left = [
        ran(memory(&[(10, 1), (4001, 2), (8000, 3)])),
        ran(memory(&[(11, 1)])),
    ];
    let right = [ran(memory(&[(15, 4), (5000, 5), (LEN - 1, 6)]))];
    let (whole, touched, _) = comparison([&a, &b], [&left, &right]);
    assert_eq!(whole.slots, 7);
    assert_eq!(touched, whole);
    // Where it may be, it is.
    let oob_access = [ran(memory(&[(100, 1)]))];
    let (whole, touched, _) = comparison([&a, &b], [&left[..1], &oob_access]);
    assert_eq!((whole.slots, touched.slots), (4, 3));
}

#[test]
fn answers_alike_differ_nowhere() {
    let a = permits(&[(0, 8, Permit::Exactly { at: 0 })]);
    let same = [ran(memory(&[(3, 1)])), ran(memory(&[(3, 1)]))];
    let (whole, touched, compared) = comparison([&a, &a], [&same, &same[..1]]);
    assert_eq!((whole.slots, touched.slots), (0, 0));
    assert_eq!(compared, LEN as u64);
}

#[test]
fn slots_open_on_both_sides_count_once() {
    let open = |offset, len| (offset, len, Permit::Anything);
    let exact = |offset, len| (offset, len, Permit::Exactly { at: 0 });
    let a = permits(&[open(0, 10), exact(10, 5), open(100, 10)]);
    let b = permits(&[open(5, 10), exact(100, 4), open(104, 10)]);
    let same = [ran(memory(&[]))];
    let (.., compared) = comparison([&a, &b], [&same, &same]);
    assert_eq!(compared, (LEN - 15 - 14) as u64);
}
