//! Bytes that a case and a seed have in the second version of the streams.
//!
//! Worked out by a second implementation of the draws, which had given the bytes
//! of the first version too, over XXH3 by its authors and SplitMix64.

use crate::stimulus::build::{case, operand};
use ptodiff_case::{Case, Fill, IndexPattern};
use ptodiff_enumerate::world::build::{matrix, scatter, tile};
use ptodiff_generate::stimulus;
use ptodiff_isa::{Call, Coalesce, DType, Role};

/// `count` elements of `dtype`, indices into `capacity` slots.
fn elem(id: &str, dtype: DType, count: u64, capacity: u64) -> Case {
    let row = |dtype| tile(dtype, [1, count], [1, count]);
    let table = matrix(dtype, 1, capacity);
    let call = scatter(table, row(dtype), row(DType::Int32), Coalesce::Elem);
    case(id, Call::Mscatter(call))
}

fn indices(case: &Case, seed: u64) -> Vec<i32> {
    let stimulus = stimulus(case, seed);
    let body = operand(&stimulus.steps[0], Role::Index).body();
    body.as_chunks()
        .0
        .iter()
        .map(|b| i32::from_le_bytes(*b))
        .collect()
}

fn body(case: &Case, role: Role) -> Vec<u8> {
    operand(&stimulus(case, 0).steps[0], role).body().to_vec()
}

#[test]
fn random_indices_of_a_mirrored_case() {
    let id = "cpu/MSCATTERTest.case_row_float_random_8x32_64rows";
    let mut case = elem(id, DType::Float, 8, 64);
    assert_eq!(indices(&case, 0), [39, 46, 24, 24, 20, 37, 19, 4]);
    assert_eq!(indices(&case, 7), [35, 35, 62, 34, 18, 20, 57, 49]);
    case.data.seed = 7;
    assert_eq!(indices(&case, 0), [18, 53, 6, 12, 4, 61, 30, 37]);
}

#[test]
fn out_of_bounds_indices() {
    let mut case = elem("golden/oob", DType::Float, 9, 30);
    case.data.index = IndexPattern::OutOfBounds;
    assert_eq!(indices(&case, 0), [41, 21, 44, 51, 6, 8, 50, 22, 3]);
}

#[test]
fn out_of_bounds_indices_without_repeats() {
    let mut case = elem("golden/no-dup", DType::Float, 8, 6);
    case.data.index = IndexPattern::OutOfBoundsNoDup;
    assert_eq!(indices(&case, 0), [9, 2, 0, 1, 4, 6, 11, 10]);
}

#[test]
fn hot_slots_and_edges() {
    let mut case = elem("golden/hot", DType::Float, 8, 50);
    case.data.index = IndexPattern::Hot { slots: 3 };
    assert_eq!(indices(&case, 0), [36, 36, 13, 17, 36, 13, 13, 36]);
    let mut case = elem("golden/edges", DType::Float, 6, 100);
    case.data.index = IndexPattern::Edges;
    assert_eq!(indices(&case, 0), [0, 87, 99, 56, 100, 28]);
}

#[test]
fn a_permutation() {
    let mut case = elem("golden/permutation", DType::Float, 8, 16);
    case.data.index = IndexPattern::Permutation;
    assert_eq!(indices(&case, 0), [0, 12, 15, 7, 6, 5, 10, 2]);
}

#[test]
fn random_bits_of_table_and_tile() {
    let mut case = elem("golden/bits", DType::Int64, 2, 2);
    case.data.source = Fill::RandomBits;
    case.data.table = Fill::RandomBits;
    let expected = |words: [u64; 2]| words.map(u64::to_be_bytes).concat();
    assert_eq!(
        body(&case, Role::Source),
        expected([0x19fa_d306_3a09_5c8a, 0xbe30_5567_3250_316e])
    );
    assert_eq!(
        body(&case, Role::Table),
        expected([0x5bdb_b11c_7a99_f265, 0x5b14_da6f_9e51_dbfb])
    );
}

#[test]
fn distinct_patterns() {
    let mut case = elem("golden/distinct", DType::Uint16, 8, 16);
    case.data.source = Fill::Distinct;
    let words = [39249_u16, 48264, 57279, 760, 9775, 18790, 27805, 36820];
    assert_eq!(
        body(&case, Role::Source),
        words.map(u16::to_le_bytes).concat()
    );
    let mut case = elem("golden/distinct", DType::Float, 4, 16);
    case.data.source = Fill::Distinct;
    let words = [0xbeca_8a03_u32, 0x3f2c_a09c, 0xbf8e_b735, 0x3ff0_cdce];
    assert_eq!(
        body(&case, Role::Source),
        words.map(u32::to_le_bytes).concat()
    );
}
