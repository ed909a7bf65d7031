//! Oracles over cases: models, holes, and the contract.

use ptodiff_contract::{Permit, Permits, Run, permits};
use ptodiff_fuzz::input::{Input, Recipe, read};
use ptodiff_fuzz::oracle::{contract, differential::explained, holes::all_known};
use ptodiff_fuzz::target::CONTRACT;
use ptodiff_hunt::Known;
use ptodiff_isa::{Call, Clause, End, Fault, How, Log, Memory, Model, Readings, Rejection, Target};

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

/// A model of A5 that takes every call for one that has nothing to do.
struct Idle;

impl Model for Idle {
    fn target(&self) -> Target {
        Target::A5
    }

    fn check(&self, _: &Call, _: &Readings) -> Vec<Rejection> {
        Vec::new()
    }

    fn execute(&self, _: &Call, _: &mut Memory, _: &How, _: &mut Log) -> Result<End, Fault> {
        Ok(End::Finished)
    }
}

#[test]
fn a_model_that_does_nothing_is_found() {
    let wrong = |input: &Input| explained(input, &[&Idle]).is_err();
    assert!(inputs(Recipe::ANY, 40).filter(wrong).count() > 10);
}

#[test]
fn a_hole_that_no_case_shows_is_found() {
    let found = |input: &Input| {
        let found = all_known(&input.case, &Known::default());
        found.is_err_and(|why| why.starts_with("a new hole of "))
    };
    assert!(inputs(Recipe::LAWLESS, 100).filter(found).count() > 10);
}

/// How many of some legal inputs the permits, changed by `change`, are wrong for.
fn faults(change: fn(&mut Permits)) -> usize {
    let wrong = |input: &Input| {
        let promise = |call: &_, steps: &[&_], target, readings: &_| {
            let mut all = permits(call, steps, target, readings)?;
            change(&mut all);
            Some(all)
        };
        contract::any_case(&input.case, &promise).is_err()
    };
    inputs(Recipe::LEGAL, 400).filter(wrong).count()
}

fn runs(all: &mut Permits) -> impl Iterator<Item = &mut Run> {
    let operands = all.operands.iter_mut();
    operands.flat_map(|operand| &mut operand.runs)
}

#[test]
fn permits_of_less_and_of_more_than_can_be_are_found() {
    assert_eq!(faults(|_| {}), 0);
    let one_writer_less = faults(|all| {
        for run in runs(all) {
            if let Permit::OneOf { count, .. } = &mut run.permit {
                *count = (*count - 1).max(1);
            }
        }
    });
    assert!(one_writer_less > 0);
    let open = faults(|all| runs(all).for_each(|run| run.permit = Permit::Anything));
    assert!(open > 100, "{open}");
    let accesses = faults(|all| all.oob_accesses = Some(Clause("MSCATTER-OOB-01")));
    assert!(accesses > 100, "{accesses}");
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
