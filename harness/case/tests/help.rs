//! What is proposed where something is wrong.

use ptodiff_case::{Diagnostic, load_str};

/// A right case but for one text that stands in place of another.
fn mistake(right: &str, wrong: &str) -> Diagnostic {
    let text = "cases:\n  - name: a\n    instruction: MGATHER\n    dtype: float\n    \
                tile: {shape: [1, 8]}\n    index: {shape: [1, 8]}\n    \
                table: {shape: [1, 1, 1, 1, 8]}\n    rejected: {a5: MGATHER-SEM-01}\n";
    assert!(text.contains(right), "{right}");
    let text = text.replace(right, wrong);
    let error = load_str("a.yaml", &text).expect_err(&text);
    error.diagnostics().swap_remove(0)
}

fn help(right: &str, wrong: &str) -> String {
    mistake(right, wrong).help.unwrap_or_default()
}

#[test]
fn half_of_a_target_is_known_for_the_whole() {
    for half in ["a2", "a3", "A3"] {
        assert_eq!(help("a5: ", &format!("{half}: ")), "did you mean `a2a3`?");
    }
    // Words that mean something elsewhere mean it only where that is known.
    assert_eq!(help("a5: ", "a55: "), "did you mean `a5`?");
    assert!(!help("instruction: MGATHER", "instruction: a3").contains("a2a3"));
}

#[test]
fn the_number_of_a_clause_in_small_letters_is_found() {
    let found = mistake("MGATHER-SEM-01", "mgather-sem-01");
    assert_eq!(
        found.message,
        "`mgather-sem-01` is not the number of a clause"
    );
    assert_eq!(
        found.help.as_deref(),
        Some("did you mean `MGATHER-SEM-01`?")
    );
    assert_eq!(help("MGATHER-SEM-01", "mgather-sem-99"), "");
}

#[test]
fn a_negative_extent_is_no_wrong_number_and_minus_one_is_dynamic() {
    let found = mistake("tile: {shape: [1, 8]", "tile: {shape: [1, -8]");
    assert_eq!(found.message, "a padded extent cannot be -8");
    assert_eq!(found.label, "at least 1");
    let found = mistake("tile: {shape: [1, 8]", "tile: {shape: [1, x]");
    assert_eq!(
        found.message,
        "a padded extent is a whole number, 1 or more, not `x`"
    );
    let dynamic = "a template argument of -1, known at run time to be 9, is `dyn 9`";
    let found = mistake(
        "tile: {shape: [1, 8]",
        "tile: {shape: [1, 8], valid: [-1, 8]",
    );
    assert_eq!(found.message, "a valid extent cannot be -1");
    assert_eq!(
        (found.label.as_str(), found.help.as_deref()),
        ("at least 0", Some(dynamic))
    );
    assert_eq!(help("[1, 1, 1, 1, 8]", "[1, 1, 1, -1, 8]"), dynamic);
    let zero = "an extent that turns out 0 at run time is `dyn 0`";
    assert_eq!(help("[1, 1, 1, 1, 8]", "[1, 1, 1, 0, 8]"), zero);
    // A tile's padded extents are static, whatever happens.
    assert_eq!(help("tile: {shape: [1, 8]", "tile: {shape: [-1, 8]"), "");
}

#[test]
fn what_is_too_large_is_shown_where_it_is() {
    for (operand, column) in [
        ("tile: {shape: [65536, 65536]", 19),
        ("tile: {shape: [4294967296, 4294967296]", 19),
        ("index: {shape: [65536, 65536]", 20),
        ("table: {shape: [1, 1, 1, 65536, 65536]", 20),
    ] {
        let (key, _) = operand.split_once(" {").unwrap();
        let right = match key {
            "table:" => "table: {shape: [1, 1, 1, 1, 8]".to_owned(),
            _ => format!("{key} {{shape: [1, 8]"),
        };
        let line = ["tile:", "index:", "table:"].iter().position(|k| *k == key);
        let span = mistake(&right, operand).place.unwrap().span;
        let expected = (line.unwrap() as u32 + 5, column);
        assert_eq!((span.line, span.column), expected, "{operand}");
    }
}

#[test]
fn two_alternatives_of_one_value_are_shown_both() {
    let same = |dtype: &str, token: &str| {
        let token = format!("dtype: {dtype}\n    expect: [{{tile: {{0: {token}}}}}]");
        let found = mistake("dtype: float", &token);
        (found.message, found.help.unwrap_or_default())
    };
    let (message, help) = same("bfloat16_t", "512|514|516");
    assert_eq!(message, "`512` and `514` are the same bfloat16_t");
    assert_eq!(
        help,
        "a value is rounded to the nearest that bfloat16_t has"
    );
    let (message, help) = same("int32_t", "7|0x7");
    assert_eq!(message, "`7` and `0x7` are the same int32_t");
    assert_eq!(help, "");
    let (message, _) = same("int32_t", "7|8|7");
    assert_eq!(message, "`7` stands among its own alternatives");
}

#[test]
fn a_list_in_a_list_is_to_be_flattened() {
    let flat = "a list holds no other here: write its entries one after another";
    let values = "tile: {shape: [1, 8], data: {values: [[1, 2], [3, 4]]}";
    assert_eq!(help("tile: {shape: [1, 8]", values), flat);
    assert_eq!(help("tile: {shape: [1, 8]", "tile: {shape: [[1, 8]]"), flat);
    assert_eq!(help("dtype: float", "dtype: [float]"), "");
}

#[test]
fn a_number_that_may_be_octal_is_rejected() {
    let why = "octal to some readers of YAML: write it without the 0 in front, or as `0x..`";
    let data = |dtype: &str, data: &str| {
        let wrong = format!("tile: {{dtype: {dtype}, shape: [1, 8], valid: [1, 1], data: {data}");
        mistake("tile: {shape: [1, 8]", &wrong).label
    };
    for number in ["010", "-010", "+010", "007", "00"] {
        assert_eq!(
            data("int32_t", &format!("{{values: [{number}]}}")),
            why,
            "{number}"
        );
        assert_eq!(
            data("float", &format!("{{values: [{number}]}}")),
            why,
            "{number}"
        );
    }
    assert_eq!(data("half", "{bits: [010]}"), why);
    assert_eq!(
        mistake("tile: {shape: [1, 8]", "tile: {shape: [1, 010]").label,
        why
    );
    // Those that all readers take for the same.
    let right = "{values: [0, -0, 1, 0x010, 10, 100, 8]}";
    assert_eq!(data("int32_t", right), "1 are expected");
}
