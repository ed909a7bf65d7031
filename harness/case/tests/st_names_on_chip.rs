//! The names of TSCATTER's and TGATHERB's tests, and the check of them against cases.

use ptodiff_case::{load_str, name_check};

/// What differs between a name and the keys of its case.
fn aspects(name: &str, keys: &str) -> Vec<&'static str> {
    let text = format!("suite: a5\ncases:\n  - {{name: {name}, {keys}}}\n");
    let corpus = load_str("st.yaml", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let found = name_check(&corpus.cases[0]).unwrap();
    found.iter().map(|mismatch| mismatch.aspect).collect()
}

const NONE: [&str; 0] = [];

#[test]
fn every_aspect_of_an_index_case_is_compared() {
    let at = |name: &str| {
        let keys = "instruction: TSCATTER, dtype: half, source: {shape: [4, 16]}, \
                    index: {dtype: uint16_t, shape: [1, 16]}";
        aspects(name, keys)
    };
    assert_eq!(at("case_half_uint16_4x16_1x16"), NONE);
    let dtypes = ["source dtype", "destination dtype"];
    assert_eq!(at("case_int16_uint16_4x16_1x16"), dtypes);
    assert_eq!(at("case_half_int16_4x16_1x16"), ["index dtype"]);
    assert_eq!(at("case_half_uint16_4x16_4x16"), ["index size"]);
    let sizes = ["source size", "destination size"];
    assert_eq!(at("case_half_uint16_2x16_1x16"), sizes);
    assert_eq!(at("case_masked_half_P0101"), ["form"]);
    let narrower = "instruction: TSCATTER, dtype: half, source: {shape: [4, 16], valid: [3, 16]}, \
                    index: {dtype: uint16_t, shape: [4, 16]}, destination: {shape: [4, 16]}";
    assert_eq!(
        aspects("case_half_uint16_4x16_4x16", narrower),
        ["source size"]
    );
}

#[test]
fn every_aspect_of_a_mask_case_is_compared() {
    let keys = "instruction: TSCATTER, mask: P1010, dtype: half, source: {shape: [4, 16]}";
    let at = |name: &str| aspects(name, keys);
    assert_eq!(at("case_masked_half_P1010"), NONE);
    assert_eq!(at("case_mask_half_4x16_4x32_P1010"), NONE);
    assert_eq!(at("case_masked_half_P0101"), ["mask"]);
    assert_eq!(at("case_col_half_P1010"), ["axis"]);
    assert_eq!(
        at("case_masked_I16_P1010"),
        ["source dtype", "destination dtype"]
    );
    assert_eq!(at("case_mask_half_4x16_4x64_P1010"), ["destination size"]);
    assert_eq!(at("case_mask_half_8x16_4x32_P1010"), ["source size"]);
    assert_eq!(at("case_half_uint16_4x16_4x16"), ["form"]);
    let columns = keys.replace("mask: P1010", "mask: P1010, axis: Col");
    assert_eq!(aspects("case_col_half_P1010", &columns), NONE);
}

#[test]
fn every_aspect_of_a_tgatherb_case_is_compared() {
    let at = |name: &str| {
        let keys = "instruction: TGATHERB, dtype: int8_t, source: {shape: [2, 256]}, \
                    readings: {tgatherb-granularity: block}";
        aspects(name, keys)
    };
    assert_eq!(at("case_int8_2x256_2x8_2x256"), NONE);
    assert_eq!(
        at("case_uint8_2x256_2x8_2x256"),
        ["source dtype", "destination dtype"]
    );
    assert_eq!(at("case_int8_1x256_2x8_2x256"), ["source size"]);
    assert_eq!(at("case_int8_2x256_2x256_2x256"), ["offset size"]);
    assert_eq!(at("case_int8_2x256_2x8_2x128"), ["destination size"]);
}
