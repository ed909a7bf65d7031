//! Which reading of a gap a random case is run under.

use ptodiff_isa::{
    Readings,
    reading::{GAPS, Gap},
};

use super::Form;
use super::choices::Choices;

/// Parameters that are changed at once: a mistake may be where two of them meet.
const MOST: usize = 2;

/// How often a reading is the one that is changed in a case of `form`: more often
/// those that few calls show, never one that no call of the form does.
fn weight(gap: &Gap, form: Form) -> u64 {
    match gap.name {
        _ if !gap.forms.contains(&form) => 0,
        "cpu-form" => 20,
        "undefined-last" => 8,
        "empty-extent" | "undefined-gather" | "index-unit" | "scope" => 3,
        _ => 1,
    }
}

/// The defaults, or with one or two parameters changed that `form` depends on.
pub(super) fn of_form(choices: &mut impl Choices, form: Form) -> Readings {
    let mut readings = Readings::default();
    for _ in 0..MOST {
        if !choices.one_in(3) {
            break;
        }
        let mut left = choices.below(GAPS.iter().map(|gap| weight(gap, form)).sum());
        for gap in GAPS {
            let weight = weight(gap, form);
            if left < weight {
                change(choices, gap, &mut readings);
                break;
            }
            left -= weight;
        }
    }
    readings
}

/// The defaults, or with any one or two parameters changed.
pub(super) fn any(choices: &mut impl Choices) -> Readings {
    let mut readings = Readings::default();
    for _ in 0..MOST {
        if !choices.one_in(3) {
            break;
        }
        let at = choices.below(GAPS.len() as u64) as usize;
        change(choices, &GAPS[at], &mut readings);
    }
    readings
}

fn change(choices: &mut impl Choices, gap: &Gap, readings: &mut Readings) {
    let others = gap.choices.len() - 1;
    gap.put(readings, 1 + choices.below(others as u64) as usize);
}
