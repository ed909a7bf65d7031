//! The suites of TSCATTER and TGATHERB.

use ptodiff_case::{Case, Fill};
use ptodiff_isa::{
    Call, Clause, MaskAxis, OffsetGranularity, Readings, ScatterExtent, Scope, Target, Unaddressed,
};

use crate::mirrored::corpus::{cases, class, of, suite};

const ALL: [Target; 3] = [Target::Cpu, Target::A2a3, Target::A5];

fn tscatter() -> impl Iterator<Item = &'static Case> {
    cases().iter().filter(|c| class(c) == "TSCATTER")
}

#[test]
fn scatter_data_is_the_suites() {
    for case in tscatter() {
        let (source, destination) = match (&case.call, suite(case)) {
            // Its kernel clears the destination itself.
            (Call::TscatterIndex(_), Target::Cpu) => (Fill::Percent, Fill::Zeros),
            (Call::TscatterMask(_), Target::Cpu) => (Fill::SmallInts, Fill::Poison),
            _ => (Fill::Percent, Fill::Poison),
        };
        assert_eq!(case.data.source, source, "{}", case.id);
        assert_eq!(case.data.destination, destination, "{}", case.id);
        let run_time = case.call.data_tile().valid_row.known().is_none();
        assert_eq!(run_time, suite(case) == Target::Cpu, "{}", case.id);
    }
}

/// Readings without which the suites' own results would be no results.
#[test]
fn scatter_readings_are_what_the_suites_take_for_granted() {
    for case in tscatter() {
        let wide = case.call.data_tile().dtype.size() == 8;
        let mut readings = Readings::default();
        match &case.call {
            Call::TscatterIndex(c) => {
                if suite(case) != Target::Cpu {
                    readings.tscatter_unaddressed = Unaddressed::Zero;
                }
                if c.idx.rows == 1 {
                    readings.tscatter_extent = ScatterExtent::Index;
                }
                if wide {
                    readings.scope = Scope::AsTheSuite;
                }
            }
            _ if suite(case) == Target::A5 && !wide => {}
            _ => readings.scope = Scope::AsTheSuite,
        }
        assert_eq!(case.readings, readings.into(), "{}", case.id);
    }
}

#[test]
fn scatters_run_where_they_exist_and_are_rejected_elsewhere() {
    let both = |targets: [Target; 2], clause| targets.map(|t| (t, Clause(clause))).to_vec();
    for case in tscatter() {
        let wide = case.call.data_tile().dtype.size() == 8;
        let (targets, rejected) = match (&case.call, suite(case)) {
            _ if wide => (vec![Target::A5], Vec::new()),
            (Call::TscatterMask(c), _) if c.axis == MaskAxis::Col => {
                (vec![Target::Cpu], Vec::new())
            }
            // Float by two-byte indices.
            (Call::TscatterIndex(_), Target::Cpu) => {
                let rejected = both([Target::A2a3, Target::A5], "TSCATTER-DTYPE-05");
                (ALL.to_vec(), rejected)
            }
            (Call::TscatterMask(_), Target::A5) => {
                let rejected = both([Target::Cpu, Target::A2a3], "TSCATTER-MODE-02");
                (ALL.to_vec(), rejected)
            }
            _ => (ALL.to_vec(), Vec::new()),
        };
        assert_eq!(case.targets, targets, "{}", case.id);
        assert_eq!(case.rejected, rejected, "{}", case.id);
        assert!(case.undefined.is_empty(), "{}", case.id);
    }
}

#[test]
fn gathers_are_the_same_eight_in_each_suite() {
    let calls = |target| -> Vec<Call> {
        let cases = of("TGATHERB", target);
        cases.iter().map(|case| case.call).collect()
    };
    assert_eq!(calls(Target::Cpu), calls(Target::A2a3));
    assert_eq!(calls(Target::Cpu), calls(Target::A5));
    for case in cases().iter().filter(|c| class(c) == "TGATHERB") {
        assert_eq!(case.targets, ALL, "{}", case.id);
        assert!(case.rejected.is_empty() && case.undefined.is_empty());
        assert_eq!(case.data.source, Fill::Arange, "{}", case.id);
        assert_eq!(case.data.destination, Fill::Poison, "{}", case.id);
        let block = Readings {
            tgatherb_granularity: OffsetGranularity::Block,
            ..Readings::default()
        };
        assert_eq!(case.readings, block.into(), "{}", case.id);
    }
}
