//! The schema of files of waivers.

use std::{fs, path::Path};

use ptodiff_case::waiver;

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
