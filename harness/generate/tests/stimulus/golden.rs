//! Bytes that a case and a seed have had since the first version.
//!
//! Worked out by a second implementation of the key derivation (BLAKE3), the
//! generator (ChaCha8) and the draws, written from their specifications.

use crate::stimulus::build::{case, operand, scatter, tensor, tile};
use ptodiff_case::{Case, Fill, IndexPattern};
use ptodiff_generate::stimulus;
use ptodiff_isa::{Coalesce, DType, Layout, Role};

/// `count` elements of `dtype`, indices into `capacity` slots.
fn elem(id: &str, dtype: DType, count: u64, capacity: u64) -> Case {
    let table = tensor(
        dtype,
        Layout::ND,
        [1, 1, 1, 1, capacity],
        [1, 1, 1, capacity, 1],
    );
    let shape = [1, count];
    case(
        id,
        scatter(
            Coalesce::Elem,
            table,
            tile(dtype, shape, shape),
            tile(DType::Int32, shape, shape),
        ),
    )
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
    assert_eq!(indices(&case, 0), [4, 55, 40, 43, 24, 37, 15, 37]);
    assert_eq!(indices(&case, 7), [40, 48, 50, 39, 20, 42, 27, 36]);
    case.data.seed = 7;
    assert_eq!(indices(&case, 0), [27, 45, 31, 50, 11, 47, 39, 59]);
}

#[test]
fn out_of_bounds_indices() {
    let mut case = elem("golden/oob", DType::Float, 9, 30);
    case.data.index = IndexPattern::OutOfBounds;
    assert_eq!(indices(&case, 0), [26, 16, 13, 47, 40, 51, 30, 16, 11]);
}

#[test]
fn out_of_bounds_indices_without_repeats() {
    let mut case = elem("golden/no-dup", DType::Float, 8, 6);
    case.data.index = IndexPattern::OutOfBoundsNoDup;
    assert_eq!(indices(&case, 0), [10, 9, 0, 7, 5, 8, 4, 2]);
}

#[test]
fn hot_slots_and_edges() {
    let mut case = elem("golden/hot", DType::Float, 8, 50);
    case.data.index = IndexPattern::Hot { slots: 3 };
    assert_eq!(indices(&case, 0), [5, 17, 5, 19, 19, 5, 5, 19]);
    let mut case = elem("golden/edges", DType::Float, 6, 100);
    case.data.index = IndexPattern::Edges;
    assert_eq!(indices(&case, 0), [0, 3, 99, 32, 100, 86]);
}

#[test]
fn a_permutation() {
    let mut case = elem("golden/permutation", DType::Float, 8, 16);
    case.data.index = IndexPattern::Permutation;
    assert_eq!(indices(&case, 0), [15, 13, 8, 0, 1, 9, 3, 10]);
}

#[test]
fn random_bits_of_table_and_tile() {
    let mut case = elem("golden/bits", DType::Int64, 2, 2);
    case.data.source = Fill::RandomBits;
    case.data.table = Fill::RandomBits;
    let expected = |words: [u64; 2]| words.map(u64::to_be_bytes).concat();
    assert_eq!(
        body(&case, Role::Source),
        expected([0x9ba9_11c1_ea04_72ee, 0x706f_2e1a_ed6f_8aa4])
    );
    assert_eq!(
        body(&case, Role::Table),
        expected([0x7556_f5af_9176_38f7, 0x7d0c_9a3c_3aeb_55ec])
    );
}

#[test]
fn distinct_patterns() {
    let mut case = elem("golden/distinct", DType::Uint16, 8, 16);
    case.data.source = Fill::Distinct;
    let words = [59545_u16, 38918, 18291, 63198, 42571, 21944, 1317, 46224];
    assert_eq!(
        body(&case, Role::Source),
        words.map(u16::to_le_bytes).concat()
    );
    let mut case = elem("golden/distinct", DType::Float, 4, 16);
    case.data.source = Fill::Distinct;
    let words = [0xc144_d582_u32, 0x3ed5_24db, 0x4065_7434, 0x41f5_c38d];
    assert_eq!(
        body(&case, Role::Source),
        words.map(u32::to_le_bytes).concat()
    );
}

#[test]
fn threads_do_not_matter() {
    let cases: Vec<Case> = (0..16)
        .map(|n| {
            let mut case = elem(&format!("threads/{n}"), DType::Half, 64, 100);
            case.data.source = Fill::RandomBits;
            case
        })
        .collect();
    let alone: Vec<_> = cases.iter().map(|c| stimulus(c, 3)).collect();
    let together: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = cases
            .iter()
            .map(|c| scope.spawn(move || stimulus(c, 3)))
            .collect();
        running.into_iter().map(|r| r.join().unwrap()).collect()
    });
    assert_eq!(alone, together);
    assert_ne!(alone[0], alone[1], "each case has data of its own");
}
