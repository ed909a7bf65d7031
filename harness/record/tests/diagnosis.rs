//! Diagnoses in words.

use ptodiff_record::{Diagnosis, Fit};

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
