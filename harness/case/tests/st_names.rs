//! The name grammar over every ST name, and the check of names against cases.

use ptodiff_case::st_name::table::{StMode, StPattern, StTable, parse};
use ptodiff_case::{Mismatch, load_str, name_check, st_name};
use ptodiff_isa::{DType, Instruction, ScatterAtomicOp, ScatterConflict};

/// What an ST suite is called, the suite, and the name of the test, a line each.
const NAMES: &str = include_str!("../../../cases/st/NAMES.txt");

#[test]
fn every_st_name_parses() {
    assert_eq!(NAMES.lines().count(), 551);
    for line in NAMES.lines() {
        let words: Vec<_> = line.split(' ').collect();
        let [class, _, name] = words[..] else {
            panic!("{line}")
        };
        // MGATHER's tests of the gather to L1 are a suite of their own.
        let known = ["MSCATTER", "MGATHER", "TSCATTER", "TGATHERB"];
        let instruction = known.into_iter().find(|word| class.starts_with(word));
        let instruction: Instruction = instruction.unwrap().parse().unwrap();
        st_name::parse(instruction, name).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

#[test]
fn words_may_stand_before_and_after_the_size() {
    let name = parse("case_elem2d_float_2048x8_last_256size").unwrap();
    assert_eq!(name.valid, (2048, 8));
    assert_eq!(name.conflict, Some(ScatterConflict::Last));
    assert_eq!(name.table, Some(StTable::Size(256)));

    let name = parse("case_elem_float_clamp_no_dup_32_16size").unwrap();
    assert_eq!(name.oob, Some("Clamp"));
    assert_eq!(name.pattern, Some(StPattern::NoDup));
    assert_eq!(name.valid, (1, 32));

    let name = parse("case_elem_int32_atomicadd_skip_32_16size").unwrap();
    assert_eq!(name.atomic, Some(ScatterAtomicOp::Add));
    assert_eq!(name.oob, Some("Skip"));

    let name = parse("case_row_bfloat16_atomic_add_8x32_8rows").unwrap();
    assert_eq!(name.atomic, Some(ScatterAtomicOp::Add));
    assert_eq!(name.dtype, DType::Bfloat16);
    assert_eq!(name.table, Some(StTable::Rows(8)));

    let name = parse("case_row_nz_float_16x16_2blk").unwrap();
    assert!(name.nz);
    assert_eq!(name.table, Some(StTable::Blocks(2)));
}

/// A mirrored case whose name and body a test chooses.
fn mismatches(name: &str, body: &str) -> Vec<Mismatch> {
    let text = format!("suite: a2a3\ncases:\n  - name: {name}\n    {body}\n");
    let corpus = load_str("st.yaml", &text).unwrap();
    name_check(&corpus.cases[0]).unwrap()
}

fn aspects(name: &str, body: &str) -> Vec<&'static str> {
    mismatches(name, body).iter().map(|m| m.aspect).collect()
}

const ROW: &str = "{instruction: MSCATTER, dtype: uint8_t, tile: {shape: [3, 32]}, \
                   index: {shape: [1, 8], valid: [1, 3]}, table: {shape: [1, 1, 1, 8, 32]}}";

fn case(name: &str, body: &str) -> Vec<Mismatch> {
    let inner = body.trim_start_matches('{').trim_end_matches('}');
    // A block entry: the body's keys become one flow mapping merged into the case.
    mismatches(name, &format!("<<: {{{inner}}}}}"))
}

#[test]
fn the_table_that_the_suite_itself_got_wrong_is_found() {
    let found = case("case_row_uint8_unaligned_3x32_32rows", ROW);
    assert_eq!(found.len(), 1, "{found:?}");
    let text = found[0].to_string();
    assert_eq!(text, "table rows: the name says 32, the case 8");
    assert_eq!(case("case_row_uint8_unaligned_3x32_8rows", ROW), []);
}

#[test]
fn every_aspect_is_compared() {
    let at = |name: &str| {
        let found = case(name, ROW);
        found.iter().map(|m| m.aspect).collect::<Vec<_>>()
    };
    assert_eq!(
        at("case_elem2d_uint8_unaligned_3x32_8size"),
        ["mode", "table elements"]
    );
    assert_eq!(
        at("case_row_int8_unaligned_3x32_8rows"),
        ["tile dtype", "table dtype"]
    );
    assert_eq!(at("case_row_uint8_4x32_8rows"), ["valid size"]);
    assert_eq!(
        at("case_row_uint8_scalar_1x1_8rows"),
        ["valid size", "scalar"]
    );
    assert_eq!(at("case_row_uint8_3x32_in_4x32_8rows"), ["padded size"]);
    assert_eq!(at("case_row_nz_uint8_3x32_8rows"), ["tile", "table layout"]);
    assert_eq!(at("case_row_colidx_uint8_3x32_8rows"), ["index BLayout"]);
    assert_eq!(at("case_row_dyn_uint8_3x32_8rows"), ["sizes"]);
    assert_eq!(at("case_row_uint8_seq_3x32_8rows"), ["index pattern"]);
    assert_eq!(at("case_row_uint8_no_dup_3x32_8rows"), ["index pattern"]);
    assert_eq!(at("case_row_uint8_random_3x32_8rows"), [""; 0]);
    assert_eq!(at("case_row_uint8_3x32_8x33"), ["table size"]);
    assert_eq!(at("case_row_uint8_3x32_2blk"), ["table blocks"]);
    assert_eq!(at("case_row_uint8_clamp_3x32_8rows"), ["out of bounds"]);
    assert_eq!(at("case_row_uint8_atomic_add_3x32_8rows"), ["atomic"]);
    assert_eq!(at("case_row_uint8_default_3x32_8rows"), ["conflict"]);
    assert_eq!(at("case_row_uint8_last_3x32_8rows"), [""; 0]);
}

#[test]
fn a_name_without_a_policy_states_the_default() {
    let body = "instruction: MGATHER\n    oob: Clamp\n    dtype: half\n    \
                tile: {shape: [4, 16], valid: [3, 16]}\n    \
                index: {shape: [1, 16], valid: [1, 3]}\n    \
                table: {shape: [1, 1, 1, 8, 16]}";
    let name = "case_row_half_partial_3x16_in_4x16";
    assert_eq!(aspects(name, body), ["out of bounds"]);
}

/// The gather to L1 has the names of its own suite, in the same grammar.
#[test]
fn names_of_the_gather_to_l1() {
    let name = parse("case_elem_simt_half_zero_16x16_64size").unwrap();
    assert!(name.simt && !name.nz);
    assert_eq!((name.mode, name.dtype), (StMode::Elem, DType::Half));
    assert_eq!((name.oob, name.valid), (Some("Zero"), (16, 16)));
    assert_eq!(name.table, Some(StTable::Size(64)));
    assert!(!parse("case_row_uint16_16x32_48rows").unwrap().simt);

    let elem = "instruction: MGATHER\n    mode: Elem\n    exec: Simt\n    oob: Zero\n    dtype: half\n    \
                tile: {location: Mat, shape: [16, 16]}\n    table: {shape: [1, 1, 1, 1, 64]}";
    let none: [&str; 0] = [];
    assert_eq!(aspects("case_elem_simt_half_zero_16x16_64size", elem), none);
    assert_eq!(
        aspects("case_elem_half_zero_16x16_64size", elem),
        ["executor"]
    );
    assert_eq!(
        aspects("case_elem_simt_half_16x16_64size", elem),
        ["out of bounds"]
    );
    assert_eq!(
        aspects("case_row_simt_half_zero_16x16_64rows", elem),
        ["mode", "table rows"]
    );
    assert_eq!(
        aspects("case_elem_simt_int16_zero_16x32_64size", elem),
        ["tile dtype", "table dtype", "valid size", "padded columns"]
    );
    assert_eq!(
        aspects("case_elem_simt_colidx_half_zero_16x16_64size", elem),
        ["index BLayout"]
    );
    assert_eq!(
        aspects("case_elem_simt_nz_half_zero_16x16_64size", elem),
        ["table layout"]
    );
    let strided =
        format!("{elem}\n    index: {{shape: [1, 1, 1, 16, 16], stride: [1, 1, 1, dyn 16, 1]}}");
    assert_eq!(
        aspects("case_elem_simt_half_zero_16x16_64size", &strided),
        ["sizes"]
    );
    // To UB there is no other executor.
    assert_eq!(
        case("case_row_simt_uint8_unaligned_3x32_8rows", ROW)[0].aspect,
        "executor"
    );
}
