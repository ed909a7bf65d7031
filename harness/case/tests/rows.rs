//! Tables of given rows, which may be larger than any memory.

use std::collections::BTreeMap;

use ptodiff_case::{Case, Code, ExpectedSlot, Fill, Style, case_yaml, load_str};

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

/// The code, message, label and help of the one mistake.
fn mistake(text: &str) -> (Code, String, String, String) {
    let error = load_str("file.yaml", text).expect_err("a mistake");
    let [found] = &error.diagnostics()[..] else {
        panic!("{}", error.render(Style::Plain));
    };
    let help = found.help.clone().unwrap_or_default();
    (found.code, found.message.clone(), found.label.clone(), help)
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
    // What has no zeros cannot be given that way.
    let (code, message, _, help) = mistake(&scatter(&format!("{LARGE}, data: ramp"), ""));
    assert_eq!(code, Code::TooLarge);
    assert!(message.contains("51499 MiB"), "{message}");
    assert!(
        help.starts_with("give the table some rows, `data: {rows: {N: [..]}}`"),
        "{help}"
    );
}

#[test]
fn a_sparse_table_spans_256_gib_at_most() {
    let rows = |rows: u64| {
        scatter(
            &format!("shape: [1, 1, 1, {rows}, 8], data: {{rows: {{}}}}"),
            "",
        )
    };
    // 16 bytes a row.
    assert!(load_str("file.yaml", &rows(1 << 34)).is_ok());
    let (code, message, ..) = mistake(&rows((1 << 34) + 1));
    assert_eq!(code, Code::TooLarge);
    assert!(
        message.starts_with("the table spans 257 GiB; 256 GiB is the most"),
        "{message}"
    );
}

#[test]
fn the_places_that_are_touched_are_counted() {
    let many = scatter(LARGE, "").replace("[1, 16], valid: [1, 8]", "[256, 256]");
    let (code, message, _, help) = mistake(&many);
    assert_eq!(code, Code::TooLarge);
    assert!(
        message.starts_with("to run this case takes 46"),
        "{message}"
    );
    assert!(
        help.contains("each place that is touched takes 8 KiB"),
        "{help}"
    );
}

#[test]
fn rows_that_cannot_be_are_mistakes() {
    let with = |rows: &str| {
        let table = format!("shape: [1, 1, 2, 3, 4], data: {{rows: {{{rows}}}}}");
        mistake(&scatter(&table, ""))
    };
    let (code, message, label, _) = with("6: [1]");
    assert_eq!(
        (code, &*message),
        (Code::BadSlots, "the table has no row 6")
    );
    assert_eq!(label, "it has 6, the first is 0");
    let (code, message, label, _) = with("5: [1, 2, 3, 4, 5]");
    assert_eq!(
        (code, &*message),
        (Code::LiteralCount, "5 literals for row 5 of 4 elements")
    );
    assert_eq!(label, "at most 4; what is not given is zero");
    assert_eq!(with("5: [70000]").0, Code::LiteralDoesNotFit);
    assert_eq!(with("-1: [1]").0, Code::OutOfLimits);
    assert_eq!(with("x: [1]").0, Code::NotANumber);
    assert_eq!(with("5: 1").0, Code::WrongKind);
    assert_eq!(with("5: [1], 5: [2]").0, Code::DuplicateKey);
}

#[test]
fn only_a_table_has_rows() {
    let text = scatter("shape: [1, 1, 1, 4, 8]", "");
    let tile = text.replacen("valid: [1, 8]", "valid: [1, 8], data: {rows: {0: [1]}}", 1);
    let (code, message, _, help) = mistake(&tile);
    assert_eq!(code, Code::NotApplicable);
    assert_eq!(
        message,
        "`rows` is data of a table, and this operand is none"
    );
    assert_eq!(help, "`values` gives every element of it");
    let index = text.replace(
        "16], valid: [1, 8]}\n    table",
        "16], valid: [1, 8], data: {rows: {0: [1]}}}\n    table",
    );
    let (code, message, _, _) = mistake(&index);
    let unknown = "`rows` is not a name that is known here";
    assert_eq!((code, &*message), (Code::UnknownName, unknown));
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
    assert_eq!(mistake(&expect("{3000000000: 1}")).0, Code::BadSlots);
    // So many values nobody gives.
    assert_eq!(mistake(&expect("{rest: 1}")).0, Code::TooLarge);
    assert!(load_str("file.yaml", &expect("{0: 1, rest: any}")).is_ok());
}
