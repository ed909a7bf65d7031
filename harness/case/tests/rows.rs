//! Tables of given rows, which may be larger than any memory.

use std::collections::BTreeMap;

use ptodiff_case::{Case, ExpectedSlot, Fill, Style, case_yaml, load_str};

/// A scatter of 8 elements on a table with these keys, and more.
fn scatter(table: &str, more: &str) -> String {
    format!(
        "cases:\n  - name: a\n    instruction: MSCATTER\n    mode: Elem\n    dtype: half\n    \
         tile: {{shape: [1, 16], valid: [1, 8]}}\n    index: {{shape: [1, 16], valid: [1, 8]}}\n    \
         table: {{{table}}}\n{more}"
    )
}

fn only(text: &str) -> Case {
    let corpus = load_str("file.yaml", text);
    let corpus = corpus.unwrap_or_else(|error| panic!("{}", error.render(Style::Plain)));
    corpus.cases[0].clone()
}

const LARGE: &str = "shape: [1, 1, 1, 375000000, 8]";

#[test]
fn rows_are_given_from_their_first_element_on() {
    let data = format!("{LARGE}, data: {{rows: {{7: [1, 0x7C01], 268435456: [-2], 3: []}}}}");
    let case = only(&scatter(&data, ""));
    let rows: BTreeMap<u64, Vec<u8>> = [
        (3, vec![]),
        (7, vec![0x00, 0x3C, 0x01, 0x7C]),
        (268_435_456, vec![0x00, 0xC0]),
    ]
    .into();
    assert_eq!(case.data.table, Fill::Rows(rows));
    let written = case_yaml(&case);
    assert!(
        written.contains(
            "data: {rows: {3: [],\n        7: [0x3C00, 0x7C01],\n        268435456: [0xC000]}}"
        ),
        "{written}"
    );
    let again = Case {
        id: case.id.clone(),
        place: case.place.clone(),
        ..only(&written)
    };
    assert_eq!(again, case);
}

#[test]
fn zeros_that_no_memory_holds_are_given_rows_of_which_there_are_none() {
    for data in ["", ", data: zeros", ", data: {rows: {}}"] {
        let case = only(&scatter(&format!("{LARGE}{data}"), ""));
        assert_eq!(case.data.table, Fill::Rows(BTreeMap::new()), "{data}");
    }
    let small = only(&scatter("shape: [1, 1, 1, 4, 8]", ""));
    assert_eq!(small.data.table, Fill::Zeros);
}

#[test]
fn elements_of_a_sparse_table_are_expected_one_by_one() {
    let expect = |table: &str| {
        let more = format!("    expect: [{{table: {table}}}]\n");
        scatter(LARGE, &more)
    };
    let case = only(&expect("{2999999999: 1, 7-9: any, 2147483648: [2, _]}"));
    let held = &case.expect[0].slots[0];
    let bits = |bits| ExpectedSlot::OneOf {
        bits: vec![bits],
        or_kept: false,
    };
    let runs: Vec<_> = held.runs().map(|(run, slot)| (run, slot.clone())).collect();
    assert_eq!(held.elements(), 3_000_000_000);
    assert_eq!(
        runs,
        [
            (0..7, ExpectedSlot::Kept),
            (7..10, ExpectedSlot::Any),
            (10..2_147_483_648, ExpectedSlot::Kept),
            (2_147_483_648..2_147_483_649, bits(0x4000)),
            (2_147_483_649..2_999_999_999, ExpectedSlot::Kept),
            (2_999_999_999..3_000_000_000, bits(0x3C00)),
        ]
    );
    let written = case_yaml(&case);
    assert!(
        written.contains("table: {7-9: any, 2147483648: 0x4000, 2999999999: 0x3C00}"),
        "{written}"
    );
    assert_eq!(only(&written).expect, case.expect);
}
