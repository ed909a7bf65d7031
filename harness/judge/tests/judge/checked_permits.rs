//! Permits that fit no memory are errors of the harness, not panics.

use proptest::prelude::*;
use ptodiff_contract::{Permit, Run};
use ptodiff_isa::{DType, Role, ScatterAtomicOp};
use ptodiff_judge::{TargetVerdict, Unjudged};

use crate::fixture::{Fixture, STORED, kept, region};

fn malformed(fixture: &Fixture) -> String {
    match fixture.verdict() {
        TargetVerdict::Unjudged(Unjudged::MalformedPermits(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn operands_must_be_those_of_the_memory() {
    let mut fixture = Fixture::stored();
    fixture.permits.operands.pop();
    assert_eq!(malformed(&fixture), "permits for 2 of 3 operands");
    let mut fixture = Fixture::stored();
    fixture.permits.operands[1] = kept(Role::Destination, DType::Int32, STORED);
    assert_eq!(
        malformed(&fixture),
        "permits for destination where source stands"
    );
}

#[test]
fn runs_must_be_whole_slots_of_the_body() {
    let exactly = Permit::Exactly { at: 0 };
    for (offset, len, why) in [
        (0, 0, "run of 0 bytes at 0: not whole slots of 4"),
        (0, 6, "run of 6 bytes at 0: not whole slots of 4"),
        (2, 4, "run of 4 bytes at 2: not whole slots of 4"),
        (2, 2, "run of 2 bytes at 2: not whole slots of 4"),
        (24, 8, "run of 8 bytes at 24: ends after 28 bytes"),
    ] {
        let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
        fixture.permits.pool = vec![0; 64];
        fixture.run(offset, len, exactly, STORED);
        assert_eq!(malformed(&fixture), format!("table: {why}"));
    }
    let mut fixture = Fixture::stored();
    fixture.run(24, 4, exactly, STORED);
    assert_eq!(
        malformed(&fixture),
        "table: run of 4 bytes at 24: overlaps the one before"
    );
    let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
    fixture.exactly(0, &[0; 32]);
    fixture.permits.operands[0].runs[0].len = 8;
    fixture.run(8, 24, exactly, STORED);
    assert_eq!(
        malformed(&fixture),
        "table: run of 24 bytes at 8: ends after 28 bytes"
    );
}

#[test]
fn operands_must_be_whole_slots() {
    let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
    fixture.before.regions[0] = region(Role::Table, 30);
    fixture.after = fixture.before.clone();
    let why = "table: 30 bytes are not whole slots of 4";
    assert_eq!(malformed(&fixture), why);
    fixture.exactly(0, &[0; 4]);
    assert_eq!(malformed(&fixture), why);
}

#[test]
fn promises_must_lie_in_the_pool_and_make_sense() {
    // 1.0, 0.5 and a NaN.
    let pool: Vec<u8> = [0x3f80_0000_u32, 0x3f00_0000, 0x7fc0_0000]
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .collect();
    for (len, permit, why) in [
        (8, Permit::Exactly { at: 5 }, "outside the pool"),
        (4, Permit::OneOf { at: 0, count: 0 }, "no candidate"),
        (4, Permit::OneOf { at: 4, count: 3 }, "outside the pool"),
        (
            4,
            Permit::OneOf {
                at: 0,
                count: usize::MAX,
            },
            "outside the pool",
        ),
        (4, between(0, 9, 0), "outside the pool"),
        (4, between(4, 0, 3), "outside the pool"),
        (4, between(4, 0, usize::MAX), "outside the pool"),
        (8, between(4, 0, 0), "an interval over several slots"),
        (
            4,
            between(0, 4, 0),
            "an interval whose bounds are not in order",
        ),
        (
            4,
            between(0, 8, 0),
            "an interval whose bounds are not in order",
        ),
    ] {
        let mut fixture = Fixture::scatter(DType::Float, ScatterAtomicOp::Add);
        fixture.permits.pool.clone_from(&pool);
        fixture.run(4, len, permit, STORED);
        assert!(malformed(&fixture).ends_with(why), "{permit:?}");
    }
    // No document adds eight-bit floats: they have no order here.
    let mut fixture = Fixture::scatter(DType::Float8E4M3, ScatterAtomicOp::Add);
    fixture.between(0, &[1], &[2]);
    assert!(malformed(&fixture).ends_with("not in order"));
}

/// Bounds at these places, and single values.
const fn between(low: usize, high: usize, more: usize) -> Permit {
    let wide = false;
    Permit::Between {
        low,
        high,
        more,
        wide,
    }
}

fn size() -> impl Strategy<Value = usize> {
    prop_oneof![0..40_usize, Just(usize::MAX), Just(usize::MAX / 2 + 1)]
}

fn permit() -> impl Strategy<Value = Permit> {
    prop_oneof![
        size().prop_map(|at| Permit::Exactly { at }),
        (size(), size()).prop_map(|(at, count)| Permit::OneOf { at, count }),
        (size(), size(), size()).prop_map(|(low, high, more)| between(low, high, more)),
        Just(Permit::Anything),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn no_permits_make_the_judge_panic(
        runs in prop::collection::vec((size(), size(), permit()), 0..4),
        pool in prop::collection::vec(any::<u8>(), 0..40),
        wide in any::<bool>(),
    ) {
        let dtype = if wide { DType::Float } else { DType::Int8 };
        let mut fixture = Fixture::scatter(dtype, ScatterAtomicOp::Add);
        fixture.permits.pool = pool;
        for (offset, len, permit) in runs {
            let (clause, freedom) = (STORED, None);
            let run = Run { offset, len, permit, clause, freedom, or_kept: None };
            fixture.permits.operands[0].runs.push(run);
        }
        let (a, b) = ([fixture.answer()], [Fixture::stored().answer()]);
        let inputs = [fixture.input(ptodiff_isa::Target::Cpu, &a), fixture.input(ptodiff_isa::Target::A5, &b)];
        let verdict = ptodiff_judge::judge_case(&fixture.context(), &inputs);
        prop_assert_eq!(verdict.pairs.len(), 1);
    }
}
