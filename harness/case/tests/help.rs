//! What is proposed where something is wrong.

use ptodiff_case::{Diagnostic, load_str};

/// A right case but for one text that stands in place of another.
fn mistake(right: &str, wrong: &str) -> Diagnostic {
    let text = "cases:\n  - name: a\n    instruction: MGATHER\n    dtype: float\n    \
                tile: {shape: [1, 8]}\n    index: {shape: [1, 8]}\n    \
                table: {shape: [1, 1, 1, 1, 8]}\n    refused: {a5: MGATHER-SEM-01}\n";
    assert!(text.contains(right), "{right}");
    let text = text.replace(right, wrong);
    let error = load_str("a.yaml", &text).expect_err(&text);
    error.diagnostics().swap_remove(0)
}

fn help(right: &str, wrong: &str) -> String {
    mistake(right, wrong).help.unwrap_or_default()
}

#[test]
fn a_type_in_other_words_is_known_for_what_it_is() {
    for (dtype, names) in [
        ("int8_t", &["i8", "s8", "si8", "int8", "INT8"][..]),
        ("uint8_t", &["u8", "ui8", "uint8"]),
        ("int16_t", &["i16", "int16"]),
        ("uint16_t", &["u16", "uint16"]),
        ("int32_t", &["i32", "int32"]),
        ("uint32_t", &["u32", "uint32"]),
        ("int64_t", &["i64", "int64"]),
        ("uint64_t", &["u64", "uint64"]),
        ("half", &["f16", "fp16", "float16", "float16_t"]),
        ("bfloat16_t", &["bf16", "bfloat16", "BF16"]),
        ("float", &["f32", "fp32", "float32", "float32_t"]),
        ("float8_e4m3_t", &["e4m3", "fp8_e4m3", "float8_e4m3"]),
        ("float8_e5m2_t", &["e5m2", "float8_e5m2"]),
        ("hifloat8_t", &["hif8", "hifloat8"]),
    ] {
        for name in names {
            let found = help("dtype: float", &format!("dtype: {name}"));
            assert_eq!(found, format!("did you mean `{dtype}`?"), "{name}");
        }
    }
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
