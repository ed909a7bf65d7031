//! The place of a finding, as an editor and a matcher of a CI job read it.

use std::fs;

use serde_json::Value;

use crate::common::{folder_with, ptodiff, root};

const RED: &str = "cases:
  - {name: c, instruction: MSCATTER, mode: Elem, atomic: Max, dtype: int32_t, tile: {shape: [1, 8]}, index: {shape: [1, 8]}, table: {shape: [1, 1, 1, 1, 8]}, targets: [a2a3]}
";

#[test]
fn an_editor_and_a_matcher_find_the_place_in_a_line() {
    let text = fs::read_to_string(root().join(".ci/check-matcher.json")).unwrap();
    let matcher: Value = serde_json::from_str(&text).unwrap();
    let pattern = &matcher["problemMatcher"][0]["pattern"][0];
    let regex = regex_lite::Regex::new(pattern["regexp"].as_str().unwrap()).unwrap();
    let done = ptodiff(folder_with(RED).path(), &["check", "a.yaml"]);
    let line = done.out.lines().next().unwrap();
    let groups = regex.captures(line).expect(line);
    let group = |name: &str| &groups[pattern[name].as_u64().unwrap() as usize];
    assert_eq!(group("file"), "a.yaml");
    assert_eq!((group("line"), group("column")), ("2", "12"));
    assert_eq!((group("severity"), group("code")), ("error", "rejected"));
    assert!(group("message").starts_with("a2a3: MSCATTER-ATOM-10"));
    // The summary is no problem.
    assert!(regex.captures(done.out.lines().last().unwrap()).is_none());
}
