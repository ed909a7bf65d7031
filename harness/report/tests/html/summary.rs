//! The markup that is there before any script runs.

use ptodiff_isa::Target;
use ptodiff_record::{CaseRecord, Header, StData, Verdict};
use serde_json::json;

use crate::cause::{diagnosis, of_two_causes};

use super::{
    read::{markup, page, page_of, page_of_run, text, unpacked},
    records,
};

#[test]
fn a_diagnosis_that_many_passes_contradict_does_not_stand_out() {
    let (header, cases, mut diagnoses) = records::tested();
    let fit = &mut diagnoses[0].fits[0];
    fit.contradicts = fit.explains + 1;
    let page = markup(&page_of_run(&(header, cases, diagnoses)));
    assert!(page.contains("Diagnosis: weak: takes the first writer"));
    assert!(!page.contains("<b>weak"));
}

/// A case of it may be of either.
#[test]
fn a_case_of_a_failure_group_with_two_causes_is_told_nothing_of_one() {
    let (header, _, _) = records::tested();
    let diagnosed = vec![diagnosis("MSCATTER a5:mine oob=Wrap")];
    let page = page_of_run(&(header, of_two_causes(), diagnosed));
    assert!(markup(&page).contains("<b>does it"));
    assert_eq!(unpacked(&page, "run")["diagnoses"], json!({}));
}

#[test]
fn a_cause_of_several_failure_groups_is_one_box_that_counts_each() {
    let (header, mut cases, _) = records::tested();
    let mine = "a5:mine".parse().expect("a party");
    let violates = |case: &&mut CaseRecord| case.id.starts_with("mscatter/last_writer");
    for case in cases.iter_mut().filter(violates) {
        case.call.insert("oob".into(), "Wrap".into());
        let theirs = case.targets.get_mut(&mine).expect("it ran");
        theirs.findings[1].failure_group = "MSCATTER a5:mine valid MSCATTER-CONF-06".into();
    }
    cases.truncate(cases.len() - 2);
    let header = Header {
        cases: cases.len(),
        ..header
    };
    let page = page_of_run(&(header, cases, vec![]));
    assert_eq!(
        markup(&page)
            .matches("<details class=\"group s-violation\"")
            .count(),
        1
    );
    let shown = text(&page);
    let counts = "2 failure groups, as a waiver names them MSCATTER a5:mine valid MSCATTER-CONF-06 2 cases MSCATTER a5:mine valid MSCATTER-SEM-02 2 cases";
    assert!(shown.contains(counts), "{shown}");
}

#[test]
fn a_pair_is_rejected_where_the_case_expected_another_rejection_of_one() {
    let case = json!({
        "id": "c", "name": "c", "instruction": "TGATHERB", "file": "a.yaml", "line": 1,
        "call": {}, "verdict": "violation",
        "targets": {"cpu": {"verdict": "undefined"}, "a5": {"verdict": "violates"}},
        "pairs": [{"targets": ["cpu", "a5"], "verdict": "not-compared", "why": "a5: rejected"}],
    });
    let page = markup(&page(&[serde_json::from_value(case).expect("a case")]));
    let label = "aria-label=\"TGATHERB cpu&#x2f;a5: 1 rejected\"";
    assert!(page.contains(label), "{page}");
}

#[test]
fn what_means_something_in_an_address_is_written_in_numbers() {
    let finding = json!({"failure_group": "a&b=c #\"<\u{e9}", "what": "wrong"});
    let case = json!({
        "id": "c", "name": "c", "instruction": "MSCATTER", "file": "a.yaml", "line": 1,
        "call": {}, "verdict": "violation", "pairs": [],
        "targets": {"a5": {"verdict": "violates", "findings": [finding]}},
    });
    let page = markup(&page(&[serde_json::from_value(case).expect("a case")]));
    let link = "href=\"#cases?failure_group=a%26b%3Dc%20%23%22%3C%C3%A9\"";
    assert!(page.contains(link), "{page}");
}

#[test]
fn the_bar_shows_one_violation_among_very_many_cases() {
    let mut cases: Vec<_> = (0..2000)
        .map(|n| records::case("a.yaml", &n.to_string()))
        .collect();
    cases[77].verdict = Verdict::Violation;
    let page = markup(&page(&cases));
    assert!(page.contains("<rect x=\"0\" width=\"3\" height=\"10\" class=\"s-violation\"/>"));
    assert!(page.contains("<rect x=\"0\" width=\"1000\" height=\"10\" class=\"s-agree\"/>"));
}

/// What the script puts before a case's file.
#[test]
fn data_that_was_read_is_named_in_place_of_a_seed() {
    let header = Header {
        st_data: Some(StData {
            folder: "a board's <data>".into(),
            suite: Target::Cpu,
            held_to: Target::A5,
            unjudged: Default::default(),
        }),
        ..records::header(&[])
    };
    let run = unpacked(&page_of(&header, &[]), "run");
    assert_eq!(
        run["command"],
        r"ptodiff st check 'a board'\''s <data>' --suite cpu --as a5 --cases"
    );
    assert_eq!(run["told"], "");
}
