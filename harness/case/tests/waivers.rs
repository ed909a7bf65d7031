//! Files of waivers: their schema and their days.

use std::{fs, path::Path};

use ptodiff_case::waiver;
use ptodiff_case::waiver::{NoDate, day};

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
