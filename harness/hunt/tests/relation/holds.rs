//! No relation is broken by a model, whatever rules a case keeps to.

use ptodiff_generate::random::Rules;

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
