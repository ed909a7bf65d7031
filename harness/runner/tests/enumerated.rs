//! What the contract permits in small drawn cases is what brute force reaches there, slot
//! by slot: calls of every form on every target that has it, under any readings, some of
//! which break a precondition of their data.

#[path = "../../contract/tests/common/same.rs"]
pub(crate) mod same;

use std::collections::BTreeMap;

use ptodiff_case::{Case, IndexPattern, case_yaml};
use ptodiff_contract::permits;
use ptodiff_generate::random::{Choices, Form, Rules, Series, Wish, draw, name};
use ptodiff_generate::stimulus;
use ptodiff_isa::{Dim, GlobalTensor, Layout, Memory, Readings, Role, Target, reading::GAPS};
use rayon::prelude::*;

use crate::{any_call::any_readings, random::special};
use same::{Seen, compare};

const SEED: u64 = 3;

/// Cases of each form.
const CASES: u64 = 12_000;

/// A small case of a form, and the operands of each of its calls.
pub(crate) fn drawn(form: Form, number: u64) -> (Case, Vec<Memory>) {
    let rules = [Rules::Legal, Rules::Legal, Rules::Broken(1), Rules::Wild];
    let wish = Wish {
        forms: vec![form],
        rules: rules[(number % 4) as usize],
        max_lanes: 1 + number / 4 % 12,
        ..Wish::default()
    };
    let mut choices = Series::new(SEED).number(number);
    let mut case = draw(&mut choices, &wish).case;
    name(&mut case, SEED, number);
    // Beside what the grammar draws, all gaps at once, and strides that no allocation has.
    if choices.one_in(2) {
        case.readings = usual_mostly(any_readings(&mut choices), &mut choices).into();
    }
    if let Some(table) = case.call.tensor_mut(Role::Table)
        && choices.one_in(2)
    {
        space_out(table, &mut choices);
    }
    // Writers that meet, and indices that lead nowhere.
    match number / 48 % 5 {
        0 => case.data.index = IndexPattern::Hot { slots: 2 },
        1 => case.data.index = IndexPattern::OutOfBounds,
        2 => case.data.index = IndexPattern::Negative,
        _ => {}
    }
    let mut steps = stimulus(&case, SEED).steps;
    if case.call.atomic().is_some() && choices.one_in(2) {
        steps = special(&case, &steps, &mut choices);
    }
    (case, steps)
}

/// How a comparison ended, on each target of a case.
fn ends(form: Form, number: u64) -> Vec<(Target, Seen)> {
    let (case, steps) = drawn(form, number);
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

/// `readings` with those choices taken back that make a precondition of what is drawn.
fn usual_mostly(mut readings: Readings, choices: &mut impl Choices) -> Readings {
    let usual = Readings::default();
    for gap in GAPS {
        let strict = matches!(gap.choice(&readings), "precondition" | "rejected");
        let changed = choices.one_in(2);
        if strict || changed {
            let own = gap
                .choices
                .iter()
                .position(|one| *one == gap.choice(&usual));
            gap.put(&mut readings, own.unwrap_or(0));
        }
    }
    readings
}

/// Gives `table` strides with gaps, or of dimensions that overlap.
fn space_out(table: &mut GlobalTensor, choices: &mut impl Choices) {
    let [_, _, _, rows, width] = table.shape.map(Dim::get);
    let first = match table.layout {
        Layout::NZ => 3,
        Layout::ND | Layout::DN => 4,
    };
    if first == 4 {
        table.shape[4] = Dim::Dynamic(width);
    }
    let nested = choices.one_in(2);
    let mut room = if first == 3 { rows * width } else { width };
    for d in (0..first).rev() {
        let gap = choices.pick(&[0, 0, 3, 5, 8]);
        let stride = match nested || first == 3 || d == 3 {
            true => room + gap,
            false => choices.below(60),
        };
        table.stride[d] = Dim::Static(stride);
        room = stride.saturating_mul(table.shape[d].get());
    }
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
