//! What the contract permits in small drawn cases is what brute force reaches there, slot
//! by slot: calls of every form on every target that has it, under any readings, some of
//! which break a precondition of their data.

#[path = "../../contract/tests/common/same.rs"]
mod same;

use std::collections::BTreeMap;

use ptodiff_case::{IndexPattern, case_yaml};
use ptodiff_contract::permits;
use ptodiff_generate::random::{Form, Rules, Series, Wish, draw, name};
use ptodiff_generate::stimulus;
use ptodiff_isa::{Memory, Target};
use rayon::prelude::*;

use same::{Seen, compare};

const SEED: u64 = 3;

/// Cases of each form.
const CASES: u64 = 4000;

/// How a comparison ended, on each target of a case.
fn ends(form: Form, number: u64) -> Vec<(Target, Seen)> {
    let rules = [Rules::Legal, Rules::Legal, Rules::Broken(1), Rules::Wild];
    let wish = Wish {
        forms: vec![form],
        rules: rules[(number % 4) as usize],
        max_lanes: 1 + number / 4 % 12,
        ..Wish::default()
    };
    let mut case = draw(&mut Series::new(SEED).number(number), &wish).case;
    name(&mut case, SEED, number);
    // Writers that meet, and indices that lead nowhere.
    match number / 48 % 5 {
        0 => case.data.index = IndexPattern::Hot { slots: 2 },
        1 => case.data.index = IndexPattern::OutOfBounds,
        2 => case.data.index = IndexPattern::Negative,
        _ => {}
    }
    let steps = stimulus(&case, SEED).steps;
    let steps: Vec<&Memory> = steps.iter().collect();
    let end = |target: &Target| {
        let readings = &case.readings[*target];
        match compare(&case.call, &steps, *target, readings, &permits) {
            Ok(end) => (*target, end),
            Err(why) => panic!("{target}: {why}\n{}", case_yaml(&case)),
        }
    };
    case.targets.iter().map(end).collect()
}

#[test]
fn permits_are_what_brute_force_reaches() {
    for form in Form::ALL {
        let all = (0..CASES).into_par_iter();
        let all: Vec<_> = all.flat_map_iter(|number| ends(*form, number)).collect();
        // By target: settled and undefined.
        let mut seen = BTreeMap::<Target, [u32; 2]>::new();
        for (target, end) in all {
            match end {
                Seen::Settled => seen.entry(target).or_default()[0] += 1,
                Seen::Undefined => seen.entry(target).or_default()[1] += 1,
                Seen::Illegal | Seen::Silent(_) => {}
            }
        }
        // A mask has no indices, and an offset out of range opens its own slot only.
        let none = matches!(form, Form::TscatterMask | Form::Tgatherb);
        for target in form.targets() {
            let [settled, undefined] = seen.get(target).copied().unwrap_or_default();
            let enough = settled > 50 && (none || undefined > 10);
            assert!(enough, "{form:?} {target}: {settled} {undefined}");
        }
    }
}
