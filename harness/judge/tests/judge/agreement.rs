//! Two targets against each other.

use ptodiff_contract::Permit;
use ptodiff_isa::{Clause, DType, Instruction, Party, Role, ScatterAtomicOp, Target};
use ptodiff_judge::{
    CaseContext, Cause, Differences, NotCompared, PairVerdict, judge_pair, judge_target,
    pair_failure_groups,
};

use crate::fixture::{Fixture, KEPT, STORED, floats, ints, region};

const PAIR: [Target; 2] = [Target::Cpu, Target::A5];

/// The verdict on what two scenes of one call left.
pub(crate) fn pair(a: &Fixture, b: &Fixture) -> PairVerdict {
    let (of_a, of_b) = ([a.answer()], [b.answer()]);
    let inputs = [a.input(PAIR[0], &of_a), b.input(PAIR[1], &of_b)];
    let judged = |context: &CaseContext<'_>| {
        let [of_a, of_b] = inputs.map(|input| judge_target(context, &input));
        judge_pair(context, (&inputs[0], &of_a), (&inputs[1], &of_b))
    };
    let verdict = judged(&a.context());
    // Few words hide no kind of difference.
    let brief = judged(&CaseContext {
        brief: true,
        ..a.context()
    });
    let groups = |verdict: &PairVerdict| {
        pair_failure_groups(a.call.instruction(), &PAIR.map(Party::of), verdict)
    };
    assert_eq!(groups(&brief), groups(&verdict));
    verdict
}

/// Row 0 stored; on this target by an exact permit.
fn fixed(row: [i32; 3]) -> Fixture {
    let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
    fixture.exactly(0, &ints(&row));
    fixture.but(0, &ints(&row))
}

/// Where two differ, permitted or not.
pub(crate) fn differences(verdict: PairVerdict) -> Differences {
    match verdict {
        PairVerdict::Permitted { differences, .. } | PairVerdict::Violation { differences, .. } => {
            differences
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_difference_without_freedom_is_a_contradiction() {
    let verdict = pair(&fixed([1, 2, 3]), &fixed([1, 2, 9]));
    let failure_group = "MSCATTER cpu/a5 contradiction valid MSCATTER-SEM-01/MSCATTER-SEM-01";
    assert_eq!(
        pair_failure_groups(Instruction::Mscatter, &PAIR.map(Party::of), &verdict),
        [failure_group]
    );
    let PairVerdict::Violation { cause, differences } = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(cause, Cause::Contradiction);
    assert_eq!((differences.slots, differences.described[0].offset), (1, 8));
    // One stores, the other keeps.
    let none = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
    let found = differences_of_contradiction(pair(&fixed([1, 2, 3]), &none));
    assert_eq!(found.slots, 3);
    assert_eq!(found.described[0].ruled, [Some(STORED), None]);
    // A single candidate is no choice.
    let mut sole = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
    sole.one_of(0, &[&ints(&[7, 8, 9])]);
    let sole = sole.but(0, &ints(&[7, 8, 9]));
    assert_eq!(
        differences_of_contradiction(pair(&fixed([1, 8, 9]), &sole)).slots,
        1
    );
}

#[track_caller]
fn differences_of_contradiction(verdict: PairVerdict) -> Differences {
    match verdict {
        PairVerdict::Violation {
            cause: Cause::Contradiction,
            differences,
        } => differences,
        other => panic!("{other:?}"),
    }
}

#[test]
fn one_free_slot_excuses_no_other() {
    // Slot 0 is free, slot 4 is exact on both and differs.
    let build = |first: i32, last: i32| {
        let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
        fixture.one_of(0, &[&ints(&[1]), &ints(&[2])]);
        fixture.exactly(16, &ints(&[last]));
        fixture.but(0, &ints(&[first])).but(16, &ints(&[last]))
    };
    let (a, b) = (build(1, 5), build(2, 6));
    assert_eq!(differences_of_contradiction(pair(&a, &b)).slots, 2);
    let permitted = pair(&a, &build(2, 5));
    assert!(matches!(permitted, PairVerdict::Permitted { .. }));
}

#[test]
fn anything_is_no_difference_in_padding_and_one_elsewhere() {
    let (a, b) = (
        Fixture::gathered(),
        Fixture::gathered().but(6, &[0xee, 0xee]),
    );
    // 32 slots, one of each row free.
    assert_eq!(pair(&a, &b), PairVerdict::Agree { compared: 30 });
    let kept = pair(&a, &b.but(8, &[0xee, 0xee]));
    assert_eq!(differences(kept).slots, 1);
    let free = |bits: i32| {
        let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::Max);
        fixture.run(0, 4, Permit::Anything, Clause("MSCATTER-GAP-03"));
        fixture.but(0, &ints(&[bits]))
    };
    let verdict = pair(&free(1), &free(2));
    assert_eq!(
        pair_failure_groups(Instruction::Mscatter, &PAIR.map(Party::of), &verdict),
        ["MSCATTER cpu/a5 permitted valid MSCATTER-GAP-03"]
    );
    let PairVerdict::Permitted { clauses, .. } = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(clauses, [Clause("MSCATTER-GAP-03")]);
}

#[test]
fn added_nans_agree_and_moved_ones_do_not() {
    let nan = |atomic, bits: u32| {
        let mut fixture = Fixture::scatter(DType::Float, atomic);
        fixture.exactly(0, &bits.to_le_bytes());
        fixture.but(0, &bits.to_le_bytes())
    };
    let both = |atomic| pair(&nan(atomic, 0x7fc0_0000), &nan(atomic, 0xffc0_0001));
    assert_eq!(
        both(ScatterAtomicOp::Add),
        PairVerdict::Agree { compared: 7 }
    );
    assert_eq!(
        differences_of_contradiction(both(ScatterAtomicOp::None)).slots,
        1
    );
    // Kept here and added there: bits count.
    let mut keeper = Fixture::scatter(DType::Float, ScatterAtomicOp::Add);
    let mut adder = nan(ScatterAtomicOp::Add, 0xffc0_0001);
    for fixture in [&mut keeper, &mut adder] {
        fixture.before.regions[0].body_mut()[..4].copy_from_slice(&floats(&[f32::NAN]));
    }
    let keeper = keeper.but(0, &floats(&[f32::NAN]));
    assert_eq!(differences_of_contradiction(pair(&keeper, &adder)).slots, 1);
    let mut sum = Fixture::scatter(DType::Float, ScatterAtomicOp::Add);
    sum.between(0, &floats(&[1.0]), &floats(&[3.0]));
    let verdict = pair(
        &nan(ScatterAtomicOp::Add, 0x4000_0000),
        &sum.but(0, &floats(&[1.5])),
    );
    assert!(
        matches!(verdict, PairVerdict::Permitted { .. }),
        "{verdict:?}"
    );
}

#[test]
fn a_broken_contract_blames_and_shows_both_values() {
    let (good, bad) = (Fixture::stored(), Fixture::stored().but(4, &ints(&[9])));
    // Of an output of another length no slot is held against another.
    let mut short = Fixture::stored();
    short.after.regions[0] = region(Role::Table, 24);
    assert_eq!(differences(pair(&good, &short)).slots, 0);
    let verdict = pair(&good, &bad);
    let failure_groups = pair_failure_groups(Instruction::Mscatter, &PAIR.map(Party::of), &verdict);
    assert!(
        failure_groups.is_empty(),
        "the target's own failure group says it"
    );
    let PairVerdict::Violation { cause, differences } = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(cause, Cause::Broken(vec![Party::of(Target::A5)]));
    assert_eq!(differences.slots, 1);
    assert_eq!(differences.described[0].got[1].bits, 9);
    // Both wrong in the same way is no agreement.
    let PairVerdict::Violation { cause, differences } = pair(&bad, &bad) else {
        panic!("agreed on an error");
    };
    assert_eq!(cause, Cause::Broken(PAIR.map(Party::of).to_vec()));
    assert_eq!(differences.slots, 0);
}

#[test]
fn no_slot_promised_by_both_is_no_agreement() {
    // Either leaves a part of the table open.
    let half = |free: usize, len| {
        let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
        if len > 0 {
            fixture.run(free, len, Permit::Anything, KEPT);
        }
        fixture
    };
    let verdict = pair(&half(0, 16), &half(16, 12));
    assert_eq!(verdict, PairVerdict::NotCompared(NotCompared::Open));
    // What is open on both sides counts once.
    for other in [half(8, 16), half(4, 20), half(16, 8)] {
        let overlapping = pair(&half(0, 16), &other);
        assert_eq!(overlapping, PairVerdict::Agree { compared: 1 });
    }
    let within = pair(&half(0, 24), &half(4, 8));
    assert_eq!(within, PairVerdict::Agree { compared: 1 });
    // One slot each, and not the same.
    let verdict = pair(&half(0, 24), &half(4, 24));
    assert_eq!(verdict, PairVerdict::NotCompared(NotCompared::Open));
    // All of it here, and less there.
    for (here, there) in [(half(0, 0), half(8, 16)), (half(8, 16), half(0, 0))] {
        assert_eq!(pair(&here, &there), PairVerdict::Agree { compared: 3 });
    }
}
