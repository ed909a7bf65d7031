//! No relation is broken by a model.

use proptest::prelude::*;
use ptodiff_generate::random::{Rules, Wish, cases};
use ptodiff_generate::stimulus;
use ptodiff_hunt::Relation;
use ptodiff_hunt::relation::check;
use strum::VariantArray as _;

use crate::survey::{LEGAL, Survey, survey};

fn nothing_broken(survey: &Survey) {
    let broken = &survey.broken;
    let shown = broken.iter().take(5).cloned().collect::<Vec<_>>();
    assert!(
        broken.is_empty(),
        "{} broken:\n{}",
        broken.len(),
        shown.join("\n")
    );
}

#[test]
fn on_legal_cases() {
    nothing_broken(&LEGAL);
}

#[test]
fn on_cases_that_break_a_rule() {
    nothing_broken(&survey(Rules::Broken(1), 6_000));
}

#[test]
fn on_wild_cases() {
    nothing_broken(&survey(Rules::Wild, 20_000));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 512,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn on_cases_that_shrink(drawn in cases(Wish::default())) {
        let case = drawn.case;
        let steps = stimulus(&case, 0).steps;
        for model in ptodiff_runner::models() {
            for relation in Relation::VARIANTS {
                if let Some(found) = check(*relation, model, &case.call, &steps, &case.readings[model.target()]) {
                    prop_assert_eq!(found, Ok(()), "{} on {}", relation, model.target());
                }
            }
        }
    }
}
