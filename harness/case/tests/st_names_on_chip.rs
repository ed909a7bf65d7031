//! The names of TSCATTER's and TGATHERB's tests, and the check of them against cases.

use ptodiff_case::st_name::{StName, TgatherbName, TscatterForm, TscatterName, parse};
use ptodiff_case::{load_str, name_check};
use ptodiff_isa::{DType, Instruction, MaskAxis, MaskPattern};

fn tscatter(name: &str) -> TscatterName {
    match parse(Instruction::Tscatter, name) {
        Ok(StName::Tscatter(name)) => name,
        other => panic!("{name}: {other:?}"),
    }
}

fn tgatherb(name: &str) -> TgatherbName {
    match parse(Instruction::Tgatherb, name) {
        Ok(StName::Tgatherb(name)) => name,
        other => panic!("{name}: {other:?}"),
    }
}

/// Every index case of the suites.
#[test]
fn names_by_index() {
    use DType::{Float, Half, Int8, Int16, Int32, Int64, Uint16, Uint32, Uint64};
    let all = [
        (
            "case_float_uint16_2x32_1x32",
            Float,
            Uint16,
            (2, 32),
            (1, 32),
        ),
        (
            "case_int16_uint16_2x32_1x32",
            Int16,
            Uint16,
            (2, 32),
            (1, 32),
        ),
        (
            "case_half_uint16_63x64_63x64",
            Half,
            Uint16,
            (63, 64),
            (63, 64),
        ),
        (
            "case_int32_uint32_31x128_31x128",
            Int32,
            Uint32,
            (31, 128),
            (31, 128),
        ),
        (
            "case_int16_int16_15x192_15x192",
            Int16,
            Int16,
            (15, 192),
            (15, 192),
        ),
        (
            "case_float_int32_7x448_7x448",
            Float,
            Int32,
            (7, 448),
            (7, 448),
        ),
        (
            "case_int8_uint16_256x32_256x32",
            Int8,
            Uint16,
            (256, 32),
            (256, 32),
        ),
        (
            "case_float_uint32_32x64_32x64",
            Float,
            Uint32,
            (32, 64),
            (32, 64),
        ),
        (
            "case_int64_uint32_4x16_4x16",
            Int64,
            Uint32,
            (4, 16),
            (4, 16),
        ),
        (
            "case_uint64_uint32_4x16_4x16",
            Uint64,
            Uint32,
            (4, 16),
            (4, 16),
        ),
    ];
    for (name, dtype, index, data, indices) in all {
        let form = TscatterForm::Index {
            index,
            data,
            indices,
        };
        assert_eq!(tscatter(name), TscatterName { dtype, form });
    }
}

/// Every dtype, pattern, axis and way of writing that the suites' mask cases have.
#[test]
fn names_by_mask() {
    use DType::{Float, Half, Int16, Int32, Int64, Uint16, Uint32, Uint64};
    use MaskPattern::{P0001, P0010, P0100, P0101, P1000, P1010, P1111};
    let (row, col) = (MaskAxis::Row, MaskAxis::Col);
    let all = [
        ("case_masked_float_P0101", Float, P0101, row, None),
        ("case_masked_float_P0010", Float, P0010, row, None),
        ("case_masked_float_P1111", Float, P1111, row, None),
        ("case_masked_half_P1010", Half, P1010, row, None),
        ("case_masked_U16_P0101", Uint16, P0101, row, None),
        ("case_masked_I16_P0001", Int16, P0001, row, None),
        ("case_masked_U32_P0100", Uint32, P0100, row, None),
        ("case_masked_I32_P1000", Int32, P1000, row, None),
        ("case_col_float_P1000", Float, P1000, col, None),
        ("case_col_half_P1111", Half, P1111, col, None),
        (
            "case_mask_half_16x64_16x64_P1111",
            Half,
            P1111,
            row,
            Some(((16, 64), (16, 64))),
        ),
        (
            "case_mask_float_16x64_16x128_P1010",
            Float,
            P1010,
            row,
            Some(((16, 64), (16, 128))),
        ),
        (
            "case_mask_int32_16x64_16x256_P0001",
            Int32,
            P0001,
            row,
            Some(((16, 64), (16, 256))),
        ),
        (
            "case_mask_int64_4x16_4x32_P1010",
            Int64,
            P1010,
            row,
            Some(((4, 16), (4, 32))),
        ),
        (
            "case_mask_uint64_4x16_4x64_P0001",
            Uint64,
            P0001,
            row,
            Some(((4, 16), (4, 64))),
        ),
    ];
    for (name, dtype, pattern, axis, sizes) in all {
        let form = TscatterForm::Mask {
            pattern,
            axis,
            sizes,
        };
        assert_eq!(tscatter(name), TscatterName { dtype, form });
    }
}

/// Every case of the suites: source, offsets, destination.
#[test]
fn names_of_tgatherb() {
    use DType::{Float, Int8, Int16, Int32, Uint8, Uint16, Uint32};
    let all = [
        ("case_float_2x128_2x16_2x128", Float, (2, 128), (2, 16)),
        ("case_int32_2x128_2x16_2x128", Int32, (2, 128), (2, 16)),
        ("case_uint32_2x128_2x16_2x128", Uint32, (2, 128), (2, 16)),
        (
            "case_int16_1x32768_1x2048_1x32768",
            Int16,
            (1, 32768),
            (1, 2048),
        ),
        (
            "case_uint16_257x128_257x8_257x128",
            Uint16,
            (257, 128),
            (257, 8),
        ),
        ("case_int8_2x256_2x8_2x256", Int8, (2, 256), (2, 8)),
        (
            "case_int8_2x32768_2x1024_2x32768",
            Int8,
            (2, 32768),
            (2, 1024),
        ),
        (
            "case_uint8_2x32768_2x1024_2x32768",
            Uint8,
            (2, 32768),
            (2, 1024),
        ),
    ];
    for (name, dtype, source, offsets) in all {
        let expected = TgatherbName {
            dtype,
            source,
            offsets,
            destination: source,
        };
        assert_eq!(tgatherb(name), expected);
    }
}

#[test]
fn what_is_no_name_is_rejected() {
    let bad = [
        "",
        "case_",
        "float_uint16_2x32_1x32",
        "case_float_2x32_1x32",
        "case_float_uint17_2x32_1x32",
        "case_float_U_2x32_1x32",
        "case_float_uint16_2x32_1x",
        "case_float_uint16_2x32_1x32_",
        "case_masked_float",
        "case_masked_P0101",
        "case_masked_float_P0011",
        "case_col_float_4x64_P0101",
        "case_mask_half_16x64_P1111",
        "case_mask_half_16x64_16x64",
        "case_row_float_8x32_64rows",
    ];
    for name in bad {
        assert!(parse(Instruction::Tscatter, name).is_err(), "{name}");
    }
    let bad = [
        "case_float_2x128_2x16",
        "case_2x128_2x16_2x128",
        "case_float_2x128_2x16_128",
        "case_float_2x128_2x16_2x128_2x128",
        "case_masked_float_P0101",
    ];
    for name in bad {
        assert!(parse(Instruction::Tgatherb, name).is_err(), "{name}");
    }
}

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
