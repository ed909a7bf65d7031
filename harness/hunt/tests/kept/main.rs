//! What is kept: which holes it covers, and that none shows in it that it does not; and
//! the record of what was counted.

#[path = "../../../record/tests/broken.rs"]
mod broken;
mod complete;
mod files;
mod known;
mod record;

use ptodiff_case::{Case, Hole};

/// The cases of a file.
fn cases(text: &str) -> Vec<Case> {
    ptodiff_case::load_str("kept.yaml", text)
        .unwrap_or_else(|e| panic!("{}", e.render(ptodiff_case::Style::Plain)))
        .cases
}

/// One element is gathered from behind a table of eight, on every target.
const BEHIND_THE_TABLE: &str = "cases:
  - name: behind
    instruction: MGATHER
    mode: Elem
    dtype: int32_t
    tile: {shape: [1, 8], valid: [1, 1]}
    index: {shape: [1, 8], valid: [1, 1], data: {values: [8]}}
    table: {shape: [1, 1, 1, 1, 8]}
";

fn hole(text: &str) -> Hole {
    text.parse().expect("a hole")
}

/// The case behind the table, with the holes that it names.
fn naming(holes: &[&str]) -> Case {
    let mut case = cases(BEHIND_THE_TABLE).remove(0);
    case.holes = holes.iter().map(|text| hole(text)).collect();
    case
}
