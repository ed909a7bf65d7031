//! Parts of an output that may hold anything are not compared, and their
//! neighbours are.

use std::sync::atomic::{AtomicU8, Ordering};

use ptodiff_hunt::Relation;
use ptodiff_isa::{
    Model,
    Target::{self, A2a3, A5, Cpu},
};
use ptodiff_runner::altered;

use crate::written::{right, says};

/// A right model that then leaves another value in `element` each time.
fn noisy(target: Target, element: usize) -> impl Model {
    let times = AtomicU8::new(0);
    altered(right(target), move |right, call, memory, how, log| {
        let end = right.execute(call, memory, how, log)?;
        let size = call.data_tile().dtype.size();
        let output = memory.get_mut(call.output()).expect("an output");
        output.body_mut()[element * size] = times.fetch_add(1, Ordering::Relaxed);
        Ok(end)
    })
}

/// Noise in element `open` is not heard, in each of `told` it is.
fn hears(relation: Relation, target: Target, open: &[usize], told: &[usize], keys: &str) {
    let found = |element| {
        let noisy = noisy(target, element);
        says(relation, &noisy, keys).unwrap_or_else(|| panic!("{relation} is to bind:{keys}"))
    };
    for element in open {
        assert_eq!(found(*element), Ok(()), "{relation} on {target}:{keys}");
    }
    for element in told {
        let wrong = found(*element).expect_err("noise");
        assert!(
            wrong.contains(&format!(" element {element}: 0x")),
            "{wrong}"
        );
    }
}

#[test]
fn columns_past_the_source_in_rows_of_blocks() {
    // Rows 1 and 3 of 16 are written, columns 0 to 2 of 8.
    let keys = "
instruction: MSCATTER
dtype: float
oob: Wrap
tile: {shape: [16, 8], valid: [2, 3], blayout: ColMajor, slayout: RowMajor}
index: {shape: [1, 2], data: {values: [1, 3]}}
table: {shape: [1, 1, 1, 16, 8], layout: NZ}
targets: [a2a3]";
    for relation in [Relation::Permutation, Relation::Period, Relation::Expansion] {
        hears(
            relation,
            A2a3,
            &[11, 15, 31],
            &[0, 8, 10, 16, 23, 24, 26],
            keys,
        );
    }
}

#[test]
fn padding_of_a_gather() {
    let keys = "
instruction: MGATHER
oob: Wrap
dtype: float
tile: {shape: [2, 8], valid: [2, 3]}
index: {shape: [1, 2], data: {values: [1, 3]}}
table: {shape: [1, 1, 1, 4, 3]}";
    hears(Relation::Period, A2a3, &[3, 7], &[0, 2, 8, 10], keys);
    for target in [Cpu, A5] {
        hears(Relation::Period, target, &[], &[2, 3, 7, 8], keys);
        let open = format!("{keys}\nreadings: {{gather-padding: undefined}}");
        hears(Relation::Period, target, &[3, 7], &[2, 8], &open);
    }
}

#[test]
fn padding_in_l1() {
    let elements = "
instruction: MGATHER
mode: Elem
dtype: float
tile: {location: Mat, shape: [16, 8], valid: [2, 3]}
table: {shape: [1, 1, 1, 4, 3]}
targets: [a5]";
    hears(Relation::Executor, A5, &[], &[2, 3], elements);
    let open = format!("{elements}\nreadings: {{l1-scratch-zero: zero-only}}");
    hears(Relation::Executor, A5, &[3, 127], &[2, 8], &open);
}

#[test]
fn slots_that_no_index_addresses() {
    let keys = "
instruction: TSCATTER
dtype: int32_t
source: {shape: [1, 8], valid: [1, 2]}
index: {shape: [1, 8], valid: [1, 2], data: {values: [4, 6]}}
destination: {shape: [1, 8]}";
    hears(Relation::Permutation, A5, &[], &[4, 5], keys);
    let open = format!("{keys}\nreadings: {{tscatter-unaddressed: undefined}}");
    hears(Relation::Permutation, A5, &[5], &[4, 6], &open);
}

#[test]
fn lanes_of_which_nothing_is_said() {
    let keys = "
instruction: TGATHERB
dtype: int32_t
source: {shape: [1, 8]}
destination: {shape: [1, 8], valid: [1, 3]}
offset: {shape: [1, 3], data: {values: [0, 32, 8]}}";
    hears(Relation::Schedules, A5, &[1], &[0, 2], keys);
    hears(Relation::Clamped, Cpu, &[], &[0, 1, 2], keys);
}
