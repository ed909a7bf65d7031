//! The name grammar over every ST name.

use ptodiff_case::st_name;
use ptodiff_case::st_name::table::{StMode, StPattern, StTable, parse};
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

/// The gather to L1 has the names of its own suite, in the same grammar.
#[test]
fn names_of_the_gather_to_l1() {
    let name = parse("case_elem_simt_half_zero_16x16_64size").unwrap();
    assert!(name.simt && !name.nz);
    assert_eq!((name.mode, name.dtype), (StMode::Elem, DType::Half));
    assert_eq!((name.oob, name.valid), (Some("Zero"), (16, 16)));
    assert_eq!(name.table, Some(StTable::Size(64)));
    assert!(!parse("case_row_uint16_16x32_48rows").unwrap().simt);
}
