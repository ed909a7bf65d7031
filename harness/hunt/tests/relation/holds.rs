//! No relation is broken by a model, whatever rules a case keeps to.

use ptodiff_case::Form;
use ptodiff_generate::random::{Rules, Wish};
use ptodiff_isa::TargetReadings;

use crate::survey::{LEGAL, Survey, survey, survey_of};

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

/// A gather to UB is the counterpart of one to L1, which nobody reads so.
#[test]
fn on_gathers_to_l1_where_those_to_ub_are_read_otherwise() {
    for (gap, choice) in [("row-pitch", "valid-cols"), ("padded-elem", "strided")] {
        let readings = TargetReadings::default().with([(gap, choice)].into_iter());
        let wish = Wish {
            forms: vec![Form::MgatherL1],
            readings: Some(readings.expect("a reading")),
            ..Wish::default()
        };
        nothing_broken(&survey_of(&wish, 3_000));
    }
}
