//! All relations over many drawn cases, on every model.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use ptodiff_case::{Case, Form};
use ptodiff_generate::random::{Rules, Series, Wish, case, name};
use ptodiff_generate::stimulus;
use ptodiff_hunt::Relation;
use ptodiff_hunt::relation::check;
use ptodiff_isa::{Memory, Target};
use strum::VariantArray as _;

/// Seed of all drawn cases.
pub(crate) const SEED: u64 = 7;

/// Case `number` as `wish` asks for, and the memory before each of its calls.
pub(crate) fn drawn(series: &Series, number: u64, wish: &Wish) -> (Case, Vec<Memory>) {
    let mut case = case(&mut series.number(number), wish);
    name(&mut case, SEED, number);
    let steps = stimulus(&case, SEED).steps;
    (case, steps)
}

/// What the relations said.
#[derive(Default)]
pub(crate) struct Survey {
    /// How often each bound.
    pub(crate) bound: BTreeMap<(Relation, Form, Target), u64>,
    /// Cases that broke one, as text.
    pub(crate) broken: Vec<String>,
}

/// All relations on all models over `count` cases that keep to `rules`.
pub(crate) fn survey(rules: Rules, count: u64) -> Survey {
    let wish = Wish {
        rules,
        ..Wish::default()
    };
    survey_of(&wish, count)
}

/// All relations on all models over `count` cases as `wish` asks for.
pub(crate) fn survey_of(wish: &Wish, count: u64) -> Survey {
    let series = Series::new(SEED);
    let mut survey = Survey::default();
    for number in 0..count {
        let (case, steps) = drawn(&series, number, wish);
        for model in ptodiff_runner::models() {
            for relation in Relation::VARIANTS {
                let target = model.target();
                match check(*relation, model, &case, &steps) {
                    None => continue,
                    Some(Ok(())) => {}
                    Some(Err(what)) => {
                        let text = ptodiff_case::case_yaml(&case);
                        let broken = format!("{relation} on {target}: {what}\n{text}");
                        survey.broken.push(broken);
                    }
                }
                let of = (*relation, Form::of(&case.call), target);
                *survey.bound.entry(of).or_default() += 1;
            }
        }
    }
    survey
}

/// Legal cases, drawn once for all tests.
pub(crate) static LEGAL: LazyLock<Survey> = LazyLock::new(|| survey(Rules::Legal, 20_000));
