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
fn a_red_run_says_so_first_and_shows_values_lanes_clause_and_command() {
    let page = page(&records::mixed());
    let shown = text(&page);
    for part in [
        "4 violations in 358 cases",
        "targets cpu, a2a3, a5 seed 7 schedules 4 ptodiff 0.1.0",
        "a2a3 and a5 differ in 9 slots: a5 breaks its contract · outlier: a5",
        "a slot holds what no permit allows, schedule reversed · outlier: a5",
        // What a finding of a5 does not say, its pairs do.
        "table [0, 0, 0, 2, 5]byte 276 9 0x41100000 9 0x41100000 not permitted 9.000001 0x41100001 (0, 5) (2, 7) (5, 30) and 2 more schedule reversed 9 (0x41100000) MSCATTER-SEM-02 MSCATTER-CONF-06 0.6690918 0x3f2b499a",
        "MSCATTER-SEM-02With Coalesce::Elem and no atomic, every valid (r,c) stores src[r,c]",
        "ptodiff run cases/clauses/mscatter.yaml --filter '=mscatter/last_writer_0' --seed 7",
        "First in mscatter/last_writer_0 cases/clauses/mscatter.yaml:12 · show all 3 cases",
        "one sided rejection 1 hole the first target accepts, the second rejects, and no clause says that only it must",
        "a5/a2a3 rejection MSCATTER-TILE-03 MSCATTER-GAP-10 mscatter/tile_larger_than_index",
        "A reading mattered in 1 case: negative-index",
        "MSCATTER-TILE-05 cpu undefined 1",
        "TSCATTER 46 1 0 1 44 22 0",
    ] {
        assert!(shown.contains(part), "`{part}` is not in:\n{shown}");
    }
    // A search for a clause finds more cases than it keeps from a result.
    assert!(!markup(&page).contains("href=\"#cases?q="));
}

#[test]
fn a_red_run_of_an_implementation_names_it_and_its_mistake_before_anything_else() {
    let run = records::tested();
    let page = page_of_run(&run);
    let shown = text(&page);
    let mut rest = &*shown;
    for part in [
        "First failing case: mscatter/last_writer_0",
        "under test: a5:mine",
        "4 violations in 371 cases",
        "implementation a5:mine (simulator 3)",
        "MSCATTER a5:mine valid MSCATTER-SEM-02 3 cases",
        "Diagnosis: takes the first writer of a slot, not the last: explains 3 of 3 failures",
        "First in mscatter/last_writer_0",
        "Slot a5:mine a2a3 a5 lane may hold, by rule initial",
        "index 7 at (0, 5), index 8 at (2, 7)",
        "TGATHERB a5:mine crash - 1 case",
        "mine: bad descriptor",
        "Pairs of targets by instruction",
        "a5:mine/a5",
        "cpu/a2a3",
        "Permitted differences",
        "What each target did",
    ] {
        let at = rest.find(part);
        rest = &rest[at.unwrap_or_else(|| panic!("`{part}` is not in:\n{rest}"))..];
    }
    let data = unpacked(&page, "run");
    assert_eq!(data["implementations"], json!(["a5:mine"]));
    let diagnosed = &data["diagnoses"]["MSCATTER a5:mine valid MSCATTER-SEM-02"][0];
    assert!(
        diagnosed[0]
            .as_str()
            .is_some_and(|line| line.starts_with("takes the first writer"))
    );
    assert_eq!(diagnosed[1], json!(true));
    assert!(markup(&page).contains("<b>takes the first writer"));
}

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
fn the_matrix_counts_every_pair_by_instruction() {
    let page = markup(&page(&records::mixed()));
    for label in [
        "MSCATTER cpu&#x2f;a5: 47 agree",
        "MSCATTER cpu&#x2f;a5: 4 violation",
        "MSCATTER a2a3&#x2f;a5: 47 permitted",
        "MSCATTER a2a3&#x2f;a5: 1 no result",
        "TGATHERB cpu&#x2f;a2a3: 1 rejected",
        "MGATHER a5&#x2f;a5:Simt: 1 agree",
    ] {
        assert!(page.contains(&format!("aria-label=\"{label}\"")), "{label}");
    }
    assert!(page.contains("never met"));
    // What no case came to is no link.
    let table = page.split("<table class=\"matrix\">").nth(1);
    let table = table.and_then(|rest| rest.split("</table>").next());
    let table = table.expect("a matrix");
    assert!(table.contains(": 47 agree"));
    assert!(!table.contains(": 0 "));
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
