//! Diagnoses in words.

use ptodiff_record::{Diagnosis, Fit, Near};

fn none(unfinished: bool) -> Diagnosis {
    Diagnosis {
        party: "a5:mine".parse().expect("a party"),
        failure_group: "S".into(),
        failures: 3,
        passes: 1,
        fits: Vec::new(),
        nearest: None,
        unfinished,
    }
}

#[test]
fn what_was_not_tried_is_not_said_to_fail() {
    assert_eq!(none(false).lines(), ["nothing known explains it"]);
    let expected = [
        "nothing of what was tried explains it",
        "the time was up before everything known had been tried: --diagnosis TIME gives more",
    ];
    assert_eq!(none(true).lines(), expected);
}

#[test]
fn what_more_passes_contradict_than_failures_it_explains_is_weak() {
    let fit = |explains, contradicts| Fit {
        name: "n".into(),
        sentence: "does it".into(),
        explains,
        contradicts,
    };
    let told = Diagnosis {
        passes: 9,
        fits: vec![fit(3, 3), fit(3, 4)],
        ..none(false)
    };
    let expected = [
        (
            "does it: explains 3 of 3 failures, contradicts 3 of 9 passes",
            true,
        ),
        (
            "weak: does it: explains 3 of 3 failures, but contradicts 4 of 9 passes",
            false,
        ),
    ];
    assert_eq!(
        told.weighed(),
        expected.map(|(line, holds)| (line.to_owned(), holds))
    );
}

/// What leaves all that is shown and more is no explanation, and says so.
#[test]
fn what_leaves_other_values_wrong_is_only_near() {
    let near = |others| {
        let nearest = Near {
            name: "n".into(),
            sentence: "does it".into(),
            case: "a/b".into(),
            same: 3,
            of: 3,
            others,
        };
        let told = Diagnosis {
            nearest: Some(nearest),
            ..none(false)
        };
        told.lines().swap_remove(0)
    };
    let said = "nothing known explains it; nearest in a/b: does it, 3 of 3 values";
    assert_eq!(near(0), said);
    assert_eq!(near(1), format!("{said}, but has 1 other wrong"));
    assert_eq!(near(4), format!("{said}, but has 4 others wrong"));
}
