//! Whatever is permitted, rejected or judged cites clauses, and the register
//! has every one of them.

use std::collections::BTreeSet;

use ptodiff_record::{PairVerdict, TargetVerdict};
use ptodiff_register::find;
use ptodiff_runner::{Options, run};

#[test]
fn every_verdict_cites_clauses_of_the_register() {
    let mut cited: BTreeSet<String> = BTreeSet::new();
    for case in run(&crate::CASES, &Options::default()).expect("the cases run") {
        for (party, target) in &case.targets {
            let gives_reasons = matches!(
                target.verdict,
                TargetVerdict::Rejected | TargetVerdict::Undefined | TargetVerdict::Hangs
            );
            assert!(
                !gives_reasons || !target.reasons.is_empty(),
                "{}: {party} gives no reason",
                case.id
            );
            cited.extend(target.reasons.iter().map(|r| r.clause.clone()));
            cited.extend(target.unseen.iter().map(|u| u.clause.clone()));
            cited.extend(target.deviates_from.iter().map(|r| r.clause.clone()));
        }
        for pair in &case.pairs {
            assert!(
                pair.verdict != PairVerdict::Permitted || !pair.clauses.is_empty(),
                "{}: a difference is permitted by nothing",
                case.id
            );
            let slots = pair.slots.iter().flat_map(|slot| &slot.clauses);
            cited.extend(pair.clauses.iter().chain(slots).cloned());
        }
        cited.extend(case.readings.iter().flat_map(|r| r.clauses.clone()));
    }
    let unknown: Vec<&String> = cited.iter().filter(|c| find(c).is_none()).collect();
    assert!(unknown.is_empty(), "the register has no {unknown:?}");
    assert!(cited.len() > 200, "only {} clauses are cited", cited.len());
}
