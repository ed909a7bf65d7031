//! Whether the tester catches a mutant, and where.

use ptodiff_case::{Case, Form};
use ptodiff_generate::random::Rules;
use ptodiff_hunt::{Drawer, Plan};
use ptodiff_isa::{Memory, Schedule};
use ptodiff_record::{DEFAULT_SCHEDULES, Verdict};
use ptodiff_runner::{schedules, trial_on};
use rayon::prelude::*;

use crate::Mutant;

/// Cases that a hunt of a mutant draws if not told otherwise.
pub const HUNT: u64 = 2000;

/// What catches a mutant among cases.
#[derive(Clone, Debug)]
pub struct InCases {
    /// The id of the first case that does.
    pub first: String,
    /// How many do, as far as was looked.
    pub count: usize,
}

/// What became of a mutant.
#[derive(Clone)]
pub struct Caught {
    /// The mutant.
    pub mutant: &'static Mutant,
    /// The cases that catch it, if any does.
    pub cases: Option<InCases>,
    /// The number of the first case of the hunt that catches it, if one does.
    pub hunt: Option<u64>,
}

impl Caught {
    /// Whether cases and the hunt both caught it.
    #[must_use]
    pub const fn by_both(&self) -> bool {
        self.cases.is_some() && self.hunt.is_some()
    }
}

/// Holds each of `mutants` against `cases`, up to the first that catches it
/// (against all with `all`), and hunts it with `count` draws of seed 0.
#[must_use]
pub fn caught(mutants: &[&'static Mutant], cases: &[Case], count: u64, all: bool) -> Vec<Caught> {
    let one = |mutant: &&'static Mutant| Caught {
        mutant,
        cases: in_cases(mutant, cases, all),
        hunt: in_hunt(mutant, count),
    };
    mutants.par_iter().map(one).collect()
}

/// The first of `cases` that catches `mutant`, and how many do: all are
/// looked at with `all`, otherwise those up to the first.
fn in_cases(mutant: &Mutant, cases: &[Case], all: bool) -> Option<InCases> {
    let concerned = cases
        .iter()
        .filter(|c| Form::of(&c.call) == mutant.form && c.targets.contains(&mutant.target));
    let mut orders = schedules(DEFAULT_SCHEDULES);
    if !mutant.follows_schedule() {
        orders.truncate(1);
    }
    let mut catching = concerned.filter(|case| {
        let (steps, mut orders) = (stimulus(case), orders.iter());
        orders.any(|schedule| catches(mutant, case, &steps, schedule))
    });
    let first = catching.next()?.id.clone();
    let more = if all { catching.count() } else { 0 };
    Some(InCases {
        first,
        count: 1 + more,
    })
}

/// The number of the first of `count` legal cases of seed 0 that catches
/// `mutant`, drawn of its form on its target.
fn in_hunt(mutant: &Mutant, count: u64) -> Option<u64> {
    let drawer = drawer(mutant);
    (0..count).find(|number| {
        let draw = drawer.number(*number);
        draw.case.targets.contains(&mutant.target)
            && catches(mutant, &draw.case, &stimulus(&draw.case), &draw.schedule)
    })
}

/// Draws legal cases of the form of `mutant` on its target.
pub(crate) fn drawer(mutant: &Mutant) -> Drawer {
    Drawer::new(&Plan {
        rules: Some(Rules::Legal),
        forms: vec![mutant.form],
        targets: vec![mutant.target],
        further: false,
        ..Plan::default()
    })
}

/// The memory before each call of `case`, for seed 0.
pub(crate) fn stimulus(case: &Case) -> Vec<Memory> {
    ptodiff_generate::stimulus(case, 0).steps
}

/// Whether `mutant` alone is in the wrong in `case` where the right model is not.
fn catches(mutant: &Mutant, case: &Case, steps: &[Memory], schedule: &Schedule) -> bool {
    let wrong = |model| trial_on(&[model], case, steps, schedule).verdict() == Verdict::Violation;
    wrong(mutant) && !wrong(mutant.right())
}
