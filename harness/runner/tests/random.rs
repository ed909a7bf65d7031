//! Random cases against the contract and the models' own checks: a case that
//! is drawn to be legal is legal, one that is drawn to break a rule breaks it.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_case::{Case, case_yaml};
use ptodiff_contract::{Enforced, data_preconditions, legality};
use ptodiff_generate::random::{
    Choices, Drawn, Form, Rule, Rules, Series, Stable, Wish, draw, name,
};
use ptodiff_generate::stimulus;
use ptodiff_isa::{Clause, DType, Memory, Role, ScatterAtomicOp, Target};
use ptodiff_runner::{model_of, schedule, trial};
use rayon::prelude::*;
use strum::VariantArray;

use crate::any_call::any_readings;

const SEED: u64 = 0;

/// Cases of each form.
const CASES: u64 = 1000;

/// Orders of lanes that each runs under.
const SCHEDULES: u32 = 3;

fn rejections(case: &Case, target: Target) -> BTreeSet<Clause> {
    let rejections = model_of(target)
        .check(&case.call, &case.readings[target])
        .into_iter();
    rejections.map(|rejection| rejection.clause).collect()
}

/// Clauses that the contract has against the case, those about its data too.
fn against(case: &Case, target: Target) -> BTreeSet<Clause> {
    let broken = legality(&case.call, target, &case.readings[target]);
    let rejected = broken.iter().any(|one| one.enforced == Enforced::ByCheck);
    let mut clauses: BTreeSet<Clause> = broken.into_iter().map(|broken| broken.clause).collect();
    // A call that is rejected has no data.
    if !rejected {
        let steps = stimulus(case, SEED).steps;
        let steps: Vec<&Memory> = steps.iter().collect();
        let preconditions = data_preconditions(&case.call, &steps, target, &case.readings[target]);
        clauses.extend(preconditions.into_iter().map(|broken| broken.clause));
    }
    clauses
}

/// `CASES` named cases of every form, each with the choices that go on from it.
fn cases(rules: Rules) -> impl ParallelIterator<Item = (Form, Drawn, Stable)> {
    let series = Series::new(SEED);
    Form::ALL.par_iter().flat_map(move |form| {
        let wish = Wish {
            forms: vec![*form],
            rules,
            ..Wish::default()
        };
        let series = series.clone();
        (0..CASES).into_par_iter().map(move |number| {
            let mut choices = series.number(number);
            let mut drawn = draw(&mut choices, &wish);
            name(&mut drawn.case, SEED, number);
            (*form, drawn, choices)
        })
    })
}

/// What is wrong, counted, with one case of each.
#[derive(Default)]
struct Wrong(BTreeMap<String, (u32, String)>);

impl Wrong {
    fn of(found: Vec<(String, String)>) -> Self {
        let mut wrong = Self::default();
        for (what, example) in found {
            wrong.0.entry(what).or_insert((0, example)).0 += 1;
        }
        wrong
    }

    fn none(&self) {
        let lines: String = self
            .0
            .iter()
            .map(|(what, (count, example))| format!("{what}, {count} times, as in\n{example}\n"))
            .collect();
        assert!(self.0.is_empty(), "{lines}");
    }
}

#[test]
fn legal_cases_are_legal() {
    let wrong = cases(Rules::Legal).flat_map_iter(|(form, Drawn { case, broken }, _)| {
        assert!(broken.is_empty());
        let mut found = Vec::new();
        for target in &case.targets {
            for clause in against(&case, *target) {
                let what = format!("{form:?} on {target} breaks {clause}");
                found.push((what, case_yaml(&case)));
            }
            for clause in rejections(&case, *target) {
                let what = format!("{form:?}: {target} rejects by {clause}");
                found.push((what, case_yaml(&case)));
            }
        }
        found
    });
    Wrong::of(wrong.collect()).none();
}

/// Whether one of the rule's clauses is found on a target of the case.
fn shows(rule: Rule, form: Form, case: &Case) -> bool {
    case.targets.iter().any(|target| {
        let found = against(case, *target);
        let clauses = rule.clauses(form, *target);
        clauses.iter().any(|clause| found.contains(clause))
    })
}

#[test]
fn broken_rules_are_broken() {
    let wrong = cases(Rules::Broken(1)).filter_map(|(form, Drawn { case, broken }, _)| {
        let [rule] = broken[..] else {
            return Some((format!("{form:?}: nothing to break"), case_yaml(&case)));
        };
        if shows(rule, form, &case) {
            return None;
        }
        let found: Vec<_> = case
            .targets
            .iter()
            .map(|target| format!("{target}: {:?}", against(&case, *target)))
            .collect();
        let what = format!("{form:?}: {rule:?} does not show, but {found:?}");
        Some((what, case_yaml(&case)))
    });
    Wrong::of(wrong.collect()).none();
}

#[test]
fn of_several_broken_rules_one_shows() {
    let wrong = cases(Rules::Broken(3)).filter_map(|(form, Drawn { case, broken }, _)| {
        let shown = broken.iter().any(|rule| shows(*rule, form, &case));
        (!shown).then(|| (format!("{form:?}: {broken:?}"), case_yaml(&case)))
    });
    Wrong::of(wrong.collect()).none();
}

/// What a model rejects, on any target, it rejects by the clauses that the contract has
/// for it, under the readings of the case and under any: no table of either is written
/// from the other's.
#[test]
fn a_model_rejects_by_the_clauses_of_the_contract() {
    let found = [Rules::Broken(1), Rules::Broken(3), Rules::Wild].map(|rules| {
        let each = cases(rules).flat_map_iter(|(form, Drawn { mut case, .. }, mut choices)| {
            let mut each = Vec::new();
            for readings in [case.readings, any_readings(&mut choices).into()] {
                case.readings = readings;
                for &target in Target::VARIANTS {
                    let own = rejections(&case, target);
                    let mut broken = legality(&case.call, target, &readings[target]);
                    broken.retain(|one| one.enforced == Enforced::ByCheck);
                    let contract: BTreeSet<Clause> = broken.iter().map(|one| one.clause).collect();
                    let wrong = (own != contract).then(|| {
                        let what = format!("{form:?} on {target}: {own:?}, contract {contract:?}");
                        (what, case_yaml(&case))
                    });
                    let cited: Vec<_> = own.into_iter().map(|clause| (target, clause)).collect();
                    each.push((wrong, cited));
                }
            }
            each
        });
        each.collect::<Vec<_>>()
    });
    let (wrong, cited): (Vec<_>, Vec<_>) = found.into_iter().flatten().unzip();
    Wrong::of(wrong.into_iter().flatten().collect()).none();
    let cited: BTreeSet<_> = cited.into_iter().flatten().collect();
    assert!(
        cited.len() >= 134,
        "only {} clauses of targets",
        cited.len()
    );
}

/// What the models leave is what the contract lets each slot hold, in whatever order the
/// lanes come, under the readings that the case is legal under and under any; and on a
/// call that nothing is promised of they fault no less.
#[test]
fn models_leave_what_the_contract_permits() {
    let found = [Rules::Legal, Rules::Wild].map(|rules| {
        let wrong = cases(rules).flat_map_iter(|(form, Drawn { mut case, .. }, mut choices)| {
            let steps = stimulus(&case, SEED).steps;
            let own = (case.readings, case.targets.clone());
            let mut wrong = Vec::new();
            let mut judged = |case: &Case, steps: &[Memory], number| {
                let schedule = schedule(number);
                for group in trial(case, steps, &schedule).unexplained() {
                    let what = format!("{form:?}, {schedule:?}: {group}");
                    wrong.push((what, case_yaml(case)));
                }
            };
            let combines = case
                .call
                .atomic()
                .is_some_and(|op| op != ScatterAtomicOp::None);
            for number in 0..SCHEDULES {
                (case.readings, case.targets) = own.clone();
                judged(&case, &steps, number);
                case.readings = any_readings(&mut choices).into();
                case.targets = Target::VARIANTS.to_vec();
                judged(&case, &steps, number);
                if combines {
                    judged(&case, &special(&case, &steps, &mut choices), number);
                }
            }
            wrong
        });
        wrong.collect::<Vec<_>>()
    });
    Wrong::of(found.concat()).none();
}

/// The same steps with what is combined at the ends of its type: zeros, ends of the
/// subnormal and of the normal numbers, infinities, NaNs, of either sign.
pub(crate) fn special(case: &Case, steps: &[Memory], choices: &mut impl Choices) -> Vec<Memory> {
    let dtype = case.call.data_tile().dtype;
    let sign = 1_u64 << (8 * dtype.size() - 1);
    let (infinity, quiet) = match dtype {
        DType::Half => (0x7C00, 0x0200),
        DType::Bfloat16 => (0x7F80, 0x0040),
        DType::Float => (0x7F80_0000, 0x0040_0000),
        _ => (sign - 1, 1),
    };
    let subnormal = 2 * quiet - 1;
    let middle = infinity / 2;
    let last = infinity - 1;
    let nans = [infinity + 1, infinity + quiet, infinity + quiet + 1];
    let all = [
        0,
        1,
        subnormal,
        subnormal + 1,
        middle,
        middle + 1,
        last,
        infinity,
    ];
    let all = [&all[..], &nans].concat();
    let mut steps = steps.to_vec();
    for region in steps.iter_mut().flat_map(|step| &mut step.regions) {
        if matches!(region.role, Role::Source | Role::Table) && !region.is_sparse() {
            for element in region.body_mut().chunks_exact_mut(dtype.size()) {
                let bits = choices.pick(&all) | (sign * choices.below(2));
                element.copy_from_slice(&bits.to_le_bytes()[..dtype.size()]);
            }
        }
    }
    steps
}
