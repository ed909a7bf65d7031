//! Oracles over cases: models, holes, and the contract.

use ptodiff_case::{Case, Hole};
use ptodiff_contract::{Permit, Permits, Run, permits};
use ptodiff_fuzz::input::{Input, Recipe, read};
use ptodiff_fuzz::oracle::contract;
use ptodiff_fuzz::oracle::differential::{explained, models};
use ptodiff_fuzz::oracle::holes::all_known;
use ptodiff_fuzz::target::CONTRACT;
use ptodiff_generate::stimulus;
use ptodiff_hunt::Known;
use ptodiff_isa::{Clause, Schedule};
use ptodiff_runner::trial;

use crate::Noise;

/// Inputs for a recipe, one in four near a case of `cases/`.
fn inputs(recipe: Recipe, count: u32) -> impl Iterator<Item = Input> {
    let mut noise = Noise::new(6);
    (0..count).map(move |number| {
        let mut bytes = vec![number as u8, (number / 4) as u8];
        bytes.extend(noise.bytes(200));
        read(&bytes, &recipe)
    })
}

#[test]
fn the_models_keep_the_contract_and_what_does_not_is_found() {
    for input in inputs(Recipe::ANY, 800) {
        assert_eq!(explained(&input, &models), Ok(()), "{:#?}", input.case);
    }
    // A model that is wrong under one schedule.
    let wrong = |_: &Case, _: &[_], schedule: &Schedule| match schedule {
        Schedule::Reversed => vec!["MSCATTER a5 valid MSCATTER-CONF-01".to_owned()],
        Schedule::InOrder | Schedule::Shuffled(_) => Vec::new(),
    };
    for input in inputs(Recipe::ANY, 12) {
        let found = explained(&input, &wrong);
        assert_eq!(found.is_err(), input.schedule == Schedule::Reversed);
        assert!(found.is_ok() || found == Err("MSCATTER a5 valid MSCATTER-CONF-01".to_owned()));
    }
}

/// Those that show in the order of a plain run.
fn holes_of(case: &Case) -> Vec<Hole> {
    let steps = stimulus(case, 0).steps;
    trial(case, &steps, &Schedule::InOrder).holes()
}

#[test]
fn a_hole_that_no_case_shows_is_found() {
    let nothing = Known::default();
    let mut found = 0;
    for Input { case, .. } in inputs(Recipe::LAWLESS, 300) {
        let holes = holes_of(&case);
        let few = |hole: &Hole| hole.clauses.len() <= 3;
        let result = all_known(&case, &nothing);
        assert_eq!(result.is_err(), holes.iter().any(few), "{holes:?}");
        let Err(why) = result else { continue };
        assert!(why.starts_with("a new hole of "), "{why}");
        let shows = Case {
            holes: holes.clone(),
            ..case.clone()
        };
        assert_eq!(all_known(&case, &Known::of([&shows])), Ok(()));
        found += 1;
    }
    assert!(found > 50, "{found} cases with holes");
}

/// What is done to permits.
type Change<'a> = &'a dyn Fn(&mut Permits);

/// How many of some legal inputs the permits, changed by `change`, are wrong for.
fn faults(change: Change<'_>) -> usize {
    let wrong = |input: &Input| {
        let promise = |call: &_, steps: &[&_], target, readings: &_| {
            let mut all = permits(call, steps, target, readings)?;
            change(&mut all);
            Ok(all)
        };
        contract::any_case(&input.case, &promise).is_err()
    };
    inputs(Recipe::LEGAL, 400).filter(wrong).count()
}

#[test]
fn the_contract_promises_what_can_be() {
    for input in inputs(Recipe::LEGAL, 1200) {
        let found = contract::any_case(&input.case, &permits);
        assert_eq!(found, Ok(()), "{:#?}", input.case);
    }
}

/// A sum that comes to -inf in every order, beside others that may overflow.
#[test]
fn an_infinite_sum_that_a_fuzzer_found_is_promised_alone() {
    let bytes = [
        48, 0, 246, 3, 69, 144, 255, 91, 255, 3, 0, 180, 3, 0, 8, 1, 255, 255, 255, 255, 8, 1, 255,
        255, 255, 255, 255, 255, 255, 255, 255, 239, 255, 255, 1, 0, 0, 0, 0, 0, 0, 0, 255, 255,
        255, 255, 8,
    ];
    assert_eq!((CONTRACT.run)(&bytes), Ok(()));
}

#[test]
fn wrong_permits_are_found() {
    fn runs(all: &mut Permits) -> impl Iterator<Item = &mut Run> {
        all.operands
            .iter_mut()
            .flat_map(|operand| &mut operand.runs)
    }
    assert_eq!(faults(&|_| {}), 0);
    // What is wrong, and more than how often that is found.
    let wrong: [(&str, usize, Change<'_>); 7] = [
        ("one run less", 100, &|all| {
            for operand in &mut all.operands {
                operand.runs.pop();
            }
        }),
        ("other bytes", 100, &|all| {
            all.pool.iter_mut().for_each(|byte| *byte ^= 0x40);
        }),
        ("open", 100, &|all| {
            runs(all).for_each(|run| run.permit = Permit::Anything);
        }),
        ("kept, too", 50, &|all| {
            runs(all).for_each(|run| run.or_kept = Some(Clause("MSCATTER-SEM-01")));
        }),
        ("one writer less", 0, &|all| {
            for run in runs(all) {
                if let Permit::OneOf { count, .. } = &mut run.permit {
                    *count = (*count - 1).max(1);
                }
            }
        }),
        ("no other NaN", 0, &|all| {
            for run in runs(all) {
                if let Permit::Between { low, .. } = run.permit {
                    run.permit = Permit::Exactly { at: low };
                }
            }
        }),
        ("accesses out of bounds", 100, &|all| {
            all.oob_accesses = Some(Clause("MSCATTER-OOB-01"));
        }),
    ];
    for (what, least, change) in wrong {
        let found = faults(change);
        assert!(found > least, "{what}: {found}");
    }
}
