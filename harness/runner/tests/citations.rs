//! Whatever is permitted, rejected or judged cites clauses; the register has every one of
//! them, and says that it is about the target that it is cited for.

use std::collections::BTreeSet;

use ptodiff_contract::{data_preconditions, hangs, legality, permits};
use ptodiff_generate::random::Form;
use ptodiff_isa::{Call, Clause, CpuForm, Memory, Readings, Target};
use ptodiff_record::{PairVerdict, TargetVerdict};
use ptodiff_register::find;
use ptodiff_runner::{Options, run};
use rayon::prelude::*;
use strum::VariantArray as _;

use crate::enumerated::drawn;

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

/// Drawn cases of each form.
const DRAWN: u64 = 3_000;

/// Every clause by which `target` promises or asks something of a call. What a run is free
/// by is left out: it names a difference, which may be another target's.
fn cited(call: &Call, steps: &[&Memory], target: Target, readings: &Readings) -> Vec<Clause> {
    let broken = legality(call, target, readings);
    if !broken.is_empty() {
        let own = broken.iter().filter(|_| !lent(call, target, readings));
        let each = own.flat_map(|one| one.also.iter().chain([&one.clause]));
        return each.copied().collect();
    }
    let owed = data_preconditions(call, steps, target, readings);
    let mut all: Vec<Clause> = owed.iter().map(|one| one.clause).collect();
    all.extend(hangs(call, target, readings));
    let permits = permits(call, steps, target, readings).expect("operands fit");
    all.extend(permits.oob_accesses);
    for operand in permits.operands {
        all.extend([operand.kept, operand.around]);
        all.extend(operand.guards_free);
        for run in operand.runs {
            all.push(run.clause);
            all.extend(run.or_kept);
        }
    }
    all
}

/// Whether what a call must keep are rules of another target, which no clause gives to this
/// one: of a form that it has by a reading alone, or not at all.
fn lent(call: &Call, target: Target, readings: &Readings) -> bool {
    match call {
        Call::Mscatter(_) => target == Target::Cpu && readings.cpu_form == CpuForm::Templated,
        Call::MgatherL1(_) => target == Target::Cpu,
        Call::MscatterFirst(_) | Call::TscatterMask(_) => target != Target::A5,
        _ => false,
    }
}

#[test]
fn a_clause_is_cited_for_a_target_that_it_is_about() {
    let of_case = |form: Form, number: u64| {
        let (case, steps) = drawn(form, number);
        let steps: Vec<&Memory> = steps.iter().collect();
        let of = |target: Target| {
            let all = cited(&case.call, &steps, target, &case.readings[target]);
            all.into_iter().map(move |clause| (target, clause.0))
        };
        Target::VARIANTS.iter().copied().flat_map(of).collect()
    };
    let all: BTreeSet<(Target, &str)> = Form::ALL
        .par_iter()
        .flat_map(|form| (0..DRAWN).into_par_iter().map(|number| (*form, number)))
        .flat_map_iter(|(form, number)| -> Vec<_> { of_case(form, number) })
        .collect();
    assert!(all.len() > 300, "only {} are cited", all.len());
    let about = |(target, clause): &&(Target, &str)| {
        find(clause).is_some_and(|entry| entry.targets.contains(target))
    };
    let wrong: Vec<_> = all.iter().filter(|one| !about(one)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
