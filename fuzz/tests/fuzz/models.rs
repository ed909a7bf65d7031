//! Oracles over cases: models, holes, and the contract.

use std::cell::RefCell;

use ptodiff_case::{Case, Hole};
use ptodiff_contract::{Permit, Permits, permits};
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
fn the_models_are_tried_on_the_memory_and_the_schedule_of_the_input() {
    for input in inputs(Recipe::ANY, 60) {
        let tried = RefCell::new(Vec::new());
        let tries = |case: &Case, steps: &[_], schedule: &Schedule| {
            tried
                .borrow_mut()
                .push((case.clone(), steps.to_vec(), *schedule));
            Vec::new()
        };
        assert_eq!(explained(&input, &tries), Ok(()));
        let expected = (
            input.case.clone(),
            stimulus(&input.case, 0).steps,
            input.schedule,
        );
        assert_eq!(tried.into_inner(), [expected]);
    }
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

/// How many of some legal inputs the permits, changed by `change`, are wrong for.
fn faults(change: &dyn Fn(&mut Permits)) -> usize {
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
    assert_eq!(faults(&|_| {}), 0);
    let output = |all: &mut Permits, change: &dyn Fn(&mut Vec<ptodiff_contract::Run>)| {
        for operand in &mut all.operands {
            change(&mut operand.runs);
        }
    };
    let one_run_less = faults(&|all| output(all, &|runs| runs.truncate(runs.len().max(1) - 1)));
    assert!(one_run_less > 100, "{one_run_less}");
    let other_bytes = faults(&|all| all.pool.iter_mut().for_each(|byte| *byte ^= 0x40));
    assert!(other_bytes > 100, "{other_bytes}");
    let open = faults(&|all| {
        output(all, &|runs| {
            runs.iter_mut()
                .for_each(|run| run.permit = Permit::Anything);
        });
    });
    assert!(open > 100, "{open}");
    let kept_too = faults(&|all| {
        output(all, &|runs| {
            runs.iter_mut()
                .for_each(|run| run.or_kept = Some(Clause("MSCATTER-SEM-01")));
        });
    });
    assert!(kept_too > 50, "{kept_too}");
    let one_writer_less = faults(&|all| {
        output(all, &|runs| {
            for run in runs {
                if let Permit::OneOf { count, .. } = &mut run.permit {
                    *count = (*count - 1).max(1);
                }
            }
        });
    });
    assert!(one_writer_less > 0, "{one_writer_less}");
    let no_other_nan = faults(&|all| {
        output(all, &|runs| {
            for run in runs {
                if let Permit::Between { low, .. } = run.permit {
                    run.permit = Permit::Exactly { at: low };
                }
            }
        });
    });
    assert!(no_other_nan > 0, "{no_other_nan}");
    let may_oob_access = faults(&|all| all.oob_accesses = Some(Clause("MSCATTER-OOB-01")));
    assert!(may_oob_access > 100, "{may_oob_access}");
}
