//! Where the documents leave something open a relation says nothing, and just
//! beside it does.

use ptodiff_hunt::Relation::{
    Chunks, Clamped, Expansion, Period, Permutation, Readback, Relayout, Schedules,
};
use ptodiff_hunt::relation::check;
use ptodiff_isa::Memory;
use ptodiff_isa::Target::{A2a3, A5, Cpu};

use crate::written::{binds, case, parts, right};

/// Eight elements to slots of sixteen.
const SCATTER: &str = "
instruction: MSCATTER
mode: Elem
table: {shape: [1, 1, 1, 1, 16], data: arange}";

const INTS: &str = "dtype: int32_t\ntile: {shape: [1, 8]}";
/// The sum of the last two and 6 depends on the order.
const FLOATS: &str =
    "dtype: float\ntile: {shape: [1, 8], data: {values: [1, 2, 3, 4, 5, 6, 16777215, 0.75]}}";
const APART: &str = "index: {shape: [1, 8], data: seq}";
const SHARED: &str = "index: {shape: [1, 8], data: {values: [0, 1, 2, 3, 4, 5, 6, 6]}}";
const BEYOND: &str = "index: {shape: [1, 8], data: {values: [0, 1, 2, 3, 4, 5, 6, 99]}}";
const BELOW: &str = "index: {shape: [1, 8], data: {values: [0, 1, 2, 3, 4, 5, 6, -1]}}";

#[test]
fn writers_of_one_slot() {
    let ints = [SCATTER, INTS];
    let any = "conflict: Default";
    parts(Schedules, A5, &ints, &[APART, any], &[SHARED, any]);
    parts(Schedules, A5, &ints, &[SHARED], &[SHARED, any]);
    parts(Permutation, A5, &ints, &[APART], &[SHARED]);
    parts(Permutation, A2a3, &ints, &[APART], &[SHARED]);

    let first = "instruction: MSCATTER\nrevision: first\ntable: {shape: [1, 1, 1, 1, 16]}";
    let last = "readings: {first-conflict: last}";
    parts(Schedules, A5, &[first, INTS, SHARED], &[last], &[]);

    let on_chip = "instruction: TSCATTER\ndtype: int32_t\nsource: {shape: [1, 8]}";
    parts(Schedules, A5, &[on_chip], &[APART], &[SHARED]);
    assert!(binds(Readback, A5, &[on_chip, SHARED]), "the other slots");
}

/// Under this reading what the last writer of a slot out of bounds writes is dropped. A single
/// element is no writer of that kind: by element the call would break a precondition.
#[test]
fn one_element_has_no_last_writer() {
    let call = "
        instruction: MSCATTER
        mode: Row
        dtype: int32_t
        tile: {shape: [1, 8], valid: [1, 1]}
        table: {shape: [1, 1, 1, 2, 1]}
        readings: {undefined-last: dropped}";
    let index = |n| format!("index: {{shape: [1, 1], data: {{values: [{n}]}}}}");
    parts(Expansion, A5, &[call], &[&index(1)], &[&index(2)]);

    let call = "
        instruction: MSCATTER
        mode: Elem
        dtype: int32_t
        tile: {shape: [2, 8], valid: [2, 1]}
        table: {shape: [1, 1, 1, 1, 2]}
        readings: {undefined-last: dropped}";
    let index = |n| format!("index: {{shape: [2, 8], valid: [2, 1], data: {{values: [0, {n}]}}}}");
    parts(Chunks, A5, &[call], &[&index(1)], &[&index(2)]);
}

#[test]
fn sums_in_any_order() {
    let base = [SCATTER, SHARED, "atomic: Add"];
    parts(Schedules, A5, &base, &[INTS], &[FLOATS]);
    parts(Permutation, A5, &base, &[INTS], &[FLOATS]);
    parts(
        Period,
        A5,
        &[SCATTER, SHARED, "atomic: Add\noob: Wrap"],
        &[INTS],
        &[FLOATS],
    );
    let base = [SCATTER, INTS, SHARED, "atomic: Add"];
    parts(
        Permutation,
        A5,
        &base,
        &[],
        &["readings: {add-overflow: saturate}"],
    );

    // In column 2 of row 2, too.
    let values = [[16_777_215.0; 8], [0.75; 8]].concat();
    let rows = format!(
        "
        instruction: MSCATTER
        dtype: float
        atomic: Add
        tile: {{shape: [2, 8], data: {{values: {values:?}}}}}
        index: {{shape: [1, 2], data: same}}
        table: {{shape: [1, 1, 1, 4, 8], data: arange}}"
    );
    parts(
        Chunks,
        A2a3,
        &[&rows],
        &[],
        &["readings: {row-add-order: any}"],
    );
    assert!(!binds(Chunks, A5, &[&rows]));
}

#[test]
fn indices_out_of_bounds() {
    let base = [SCATTER, INTS, BEYOND];
    parts(Schedules, A5, &base, &["oob: Skip"], &[]);
    parts(
        Schedules,
        A5,
        &base,
        &["readings: {undefined-last: dropped}"],
        &[],
    );
    parts(Permutation, A2a3, &base, &["oob: Skip"], &[]);
    parts(
        Permutation,
        Cpu,
        &[SCATTER, INTS],
        &[APART],
        &[BEYOND, "oob: Skip"],
    );
    parts(
        Permutation,
        Cpu,
        &base,
        &["oob: Skip\nreadings: {cpu-form: templated}"],
        &[],
    );

    let gather = "instruction: MGATHER\nmode: Elem\ntable: {shape: [1, 1, 1, 1, 16]}";
    let alone = "readings: {undefined-gather: slots}";
    for target in [Cpu, A2a3, A5] {
        parts(Permutation, target, &[gather, INTS, BEYOND], &[alone], &[]);
    }
}

#[test]
fn offsets_out_of_range() {
    let offsets = |values: &str| format!("offset: {{shape: [1, 2], data: {{values: [{values}]}}}}");
    let base = "instruction: TGATHERB\ndtype: int32_t\nsource: {shape: [1, 8]}\ndestination: {shape: [1, 8], valid: [1, 2]}";
    let [one, both] = [offsets("4, 32"), offsets("30, 32")];
    parts(Permutation, A5, &[base], &[&one], &[&both]);
    assert!(binds(Clamped, Cpu, &[base, &both]));
    let aligned = "readings: {tgatherb-unaligned: undefined}";
    parts(Permutation, Cpu, &[base, &offsets("1, 2")], &[], &[aligned]);
}

#[test]
fn negative_indices() {
    let base = [SCATTER, INTS, BELOW, "oob: Clamp"];
    let signed = "readings: {negative-index: signed}";
    parts(Clamped, A5, &base, &[], &[signed]);
    parts(
        Clamped,
        A2a3,
        &base,
        &["readings: {negative-index: intended}"],
        &[signed],
    );
    for (choice, is_bound) in [("unsigned", true), ("intended", true), ("signed", false)] {
        let cpu = format!("readings: {{negative-index: {choice}, cpu-form: templated}}");
        let case = [SCATTER, INTS, BELOW, "oob: Clamp", &cpu];
        assert_eq!(binds(Clamped, Cpu, &case), is_bound, "{choice}");
    }
    let gather = "instruction: MGATHER\nmode: Elem\ntable: {shape: [1, 1, 1, 1, 16]}";
    let casts = [gather, INTS, BELOW, "oob: Clamp", signed];
    assert!(binds(Clamped, Cpu, &casts));
    let on_chip = "
        instruction: TSCATTER
        dtype: int8_t
        source: {shape: [1, 32], valid: [1, 2]}
        destination: {shape: [1, 65536]}
        index: {dtype: int16_t, shape: [1, 16], valid: [1, 2], data: {values: [-1, 3]}}";
    let own = "readings: {tscatter-negative-index: signed}";
    parts(Readback, A5, &[on_chip], &[signed], &[own]);
}

#[test]
fn launches() {
    let base = [SCATTER, INTS, APART];
    parts(Schedules, A5, &base, &[], &["launch: {flush: Missing}"]);
    parts(Schedules, A5, &base, &[], &["launch: {dispatch: Direct}"]);
}

#[test]
fn modes_that_add_in_two_ways() {
    let rows = "
        instruction: MSCATTER
        dtype: int16_t
        atomic: Add
        tile: {shape: [2, 16]}
        index: {shape: [1, 2]}
        table: {shape: [1, 1, 1, 4, 16]}
        targets: [a2a3]";
    let both = "readings: {add-overflow: saturate}";
    let one = "readings: {add-overflow: mte3-saturates}";
    parts(Expansion, A2a3, &[rows], &[both], &[one]);
}

#[test]
fn orders_of_elements() {
    // (0, 8) and (1, 0) share slot 5.
    let boxes = "
        instruction: MSCATTER
        mode: Elem
        dtype: float
        tile: {shape: [16, 16], valid: [2, 9], blayout: ColMajor, slayout: RowMajor}
        index: {shape: [2, 9], data: {values: [20, 21, 22, 23, 24, 25, 26, 27, 5, 5, 11, 12, 13, 14, 15, 16, 17, 18]}}
        table: {shape: [1, 2, 1, 16, 8], layout: NZ}
        targets: [a2a3]";
    let coordinate = "readings: {nz-elem-order: coordinate}";
    for relation in [Relayout, Chunks] {
        parts(relation, A2a3, &[boxes], &[coordinate], &[]);
    }
    let columns = "
        instruction: MSCATTER
        mode: Elem
        dtype: float
        tile: {shape: [8, 2], blayout: ColMajor}
        index: {shape: [8, 2], data: same}
        table: {shape: [1, 1, 1, 1, 16]}
        targets: [a5]";
    let storage = "readings: {last-by: storage}";
    parts(Chunks, A5, &[columns], &[], &[storage]);
    assert!(binds(Schedules, A5, &[columns, storage]));
}

#[test]
fn calls_that_a_relation_is_not_about() {
    let base = [SCATTER, INTS, APART];
    parts(Readback, A2a3, &base, &[], &["atomic: Add"]);
    parts(Period, A2a3, &base, &["oob: Wrap"], &["oob: Clamp"]);
    parts(Clamped, A2a3, &base, &["oob: Clamp"], &["oob: Wrap"]);
    assert!(!binds(Expansion, A2a3, &base), "it is by element");
    assert!(!binds(Relayout, A2a3, &base), "it is by rows");
    assert!(!binds(Chunks, A2a3, &base), "it has one row");
    assert!(!binds(Schedules, A2a3, &base), "it has one order");
    // Rejected: A2/A3 has no Max.
    parts(Permutation, A2a3, &base, &[], &["atomic: Max"]);
}

#[test]
fn operands_that_are_missing() {
    let (case, steps) = case(&[SCATTER, INTS, APART].join("\n"));
    for relation in [Readback, Permutation, Chunks, Schedules] {
        let says = |steps: &[Memory]| check(relation, right(A5), &case, steps);
        assert_eq!(says(&[]), None);
        for without in 0..3 {
            let mut short = steps.clone();
            short[0].regions.remove(without);
            assert_eq!(says(&short), None, "{relation} without operand {without}");
        }
    }
}
