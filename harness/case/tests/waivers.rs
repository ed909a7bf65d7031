//! Files of waivers: what is read, and what is rejected where.

use std::{collections::BTreeSet, fs, path::Path};

use ptodiff_case::waiver::{NoDate, day};
use ptodiff_case::{Code, LoadError, Style, waiver};

const GOOD: &str = "\
# Known and owned.
waivers:
  - failure-group: MSCATTER a5 valid MSCATTER-SEM-02
    pair: a5
    cases: [regressions/torn_row, 'a: b']
    cause: the last row is written twice
    reference: https://example.org/issues/17
    owner: ' scatter team '
    expires: 2027-03-31

  - {failure-group: MGATHER coverage a gap that is not distinguished, pair: '*',
     cause: x, reference: y, owner: z, expires: 2028-02-29}
";

#[test]
fn one_failure_group_may_be_waived_for_each_case_by_itself() {
    let other = GOOD.replace(
        "  - {failure-group: MGATHER coverage a gap that is not distinguished, pair: '*',",
        "  - {failure-group: MSCATTER a5 valid MSCATTER-SEM-02, pair: a5, cases: [c],",
    );
    assert_eq!(waiver::load_str("w.yaml", &other).unwrap().list.len(), 2);
}

/// The first line of a fixture gives code, line and column of its first mistake.
#[test]
fn every_fixture_is_rejected_where_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad_waivers");
    let mut wrong = Vec::new();
    let mut produced = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let error = waiver::load(&path).unwrap_err();
        let LoadError::Bad { diagnostics, files } = &error else {
            panic!("{error}")
        };
        let text = &files[0].text;
        let expected = text.lines().next().unwrap().strip_prefix("# ").unwrap();
        let span = &diagnostics[0].place.as_ref().unwrap().span;
        let got = format!("{} {}:{}", diagnostics[0].code, span.line, span.column);
        produced.insert(diagnostics[0].code.id());
        if got != expected || diagnostics.len() > 1 {
            wrong.push(format!("{} {got} {error}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let codes = (1..=6).map(|n| format!("PTO-W{n:03}"));
    for code in codes {
        assert!(produced.contains(code.as_str()), "{code} has no fixture");
        assert!(Code::from_id(&code).is_some());
    }
}

#[test]
fn a_mistake_is_shown_with_line_caret_code_and_suggestion() {
    let text = GOOD.replace("pair: a5", "pair: a5/cpu");
    let error = waiver::load_str("reports/waivers.yaml", &text).unwrap_err();
    let expected = "\
error[PTO-W002]: `a5/cpu` is no target and no pair of targets that are compared
 --> reports/waivers.yaml:4:11
  |
4 |     pair: a5/cpu
  |           ^^^^^^ as in `a5` or `cpu/a5`, or `*`
  |
  = help: it is written `cpu/a5`
";
    let shown = error.render(Style::Plain);
    assert!(shown.contains(expected), "{shown}");
    let misspelt = GOOD.replace("owner:", "ovner:");
    let error = waiver::load_str("w.yaml", &misspelt).unwrap_err();
    assert!(error.render(Style::Plain).contains("did you mean `owner`?"));
}

#[test]
fn all_mistakes_of_a_file_are_reported() {
    let text = GOOD
        .replace("2027-03-31", "31.3.2027")
        .replace("owner: z", "owner: ''");
    let error = waiver::load_str("w.yaml", &text).unwrap_err();
    let codes: Vec<_> = error.diagnostics().iter().map(|d| d.code).collect();
    assert_eq!(codes, [Code::BadDay, Code::EmptyText]);
}

#[test]
fn the_schema_is_fresh() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports");
    let path = folder.join("waivers.schema.json");
    let mut fresh = serde_json::to_string_pretty(&waiver::schema()).unwrap();
    fresh.push('\n');
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(&path, &fresh).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == fresh,
        "{} is stale: run the test with UPDATE_SCHEMA=1",
        path.display()
    );
}

#[test]
fn the_schema_says_which_day_it_means() {
    let schema = waiver::schema();
    let expires = &schema["definitions"]["Waiver"]["properties"]["expires"];
    let about = expires["description"].as_str().unwrap();
    assert!(about.contains("UTC"), "{about}");
}

#[test]
fn a_day_has_one_form_and_is_in_the_calendar() {
    for text in ["2024-02-29", "2026-12-31", "9999-12-31"] {
        assert_eq!(day(text).map(|day| day.to_string()), Ok(text.to_owned()));
    }
    for text in [
        "",
        "2026",
        "26-01-01",
        "2026-1-1",
        "2026/01/01",
        "2026-01-01T00:00",
        " 2026-01-1",
        "+2026-1-01",
        // Ten bytes, and cut between them nowhere.
        "2026-0\u{661}-1",
    ] {
        assert_eq!(day(text), Err(NoDate::Form(text.to_owned())));
    }
    for text in ["2026-13-01", "2026-00-01", "2026-02-29", "2026-06-00"] {
        assert_eq!(day(text), Err(NoDate::Day(text.to_owned())));
    }
}
