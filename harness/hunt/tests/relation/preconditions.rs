//! Calls that the checks accept and of which nothing is promised all the same.

use ptodiff_generate::random::{Rules, Series, Wish, draw, name};
use ptodiff_generate::stimulus;
use ptodiff_hunt::Relation::{self, Permutation};
use ptodiff_hunt::relation::check;
use ptodiff_isa::Target::{self, A2a3, A5, Cpu};
use strum::VariantArray as _;

use crate::survey::SEED;
use crate::written::{binds, parts, right};

/// Cases a target.
const CASES: u64 = 8000;

/// Calls that break a rule on their only target: no relation binds them,
/// though most pass the checks.
#[test]
fn no_relation_binds_a_call_that_breaks_a_rule() {
    let series = Series::new(SEED);
    for target in Target::VARIANTS {
        let wish = Wish {
            rules: Rules::Broken(1),
            targets: vec![*target],
            ..Wish::default()
        };
        let model = right(*target);
        let mut accepted = 0;
        for number in 0..CASES {
            let drawn = draw(&mut series.number(number), &wish);
            let mut case = drawn.case;
            name(&mut case, SEED, number);
            if drawn.broken.is_empty() || case.targets != [*target] {
                continue;
            }
            let steps = stimulus(&case, SEED).steps;
            for relation in Relation::VARIANTS {
                let says = check(
                    *relation,
                    model,
                    &case.call,
                    &steps,
                    &case.readings[model.target()],
                );
                let broken = &drawn.broken;
                assert_eq!(says, None, "{relation} on {target}, {broken:?}: {case:?}");
            }
            accepted += u64::from(
                model
                    .check(&case.call, &case.readings[model.target()])
                    .is_empty(),
            );
        }
        assert!(accepted > CASES / 10, "{target}: {accepted}");
    }
}

#[test]
fn preconditions_of_the_caller() {
    let table = "table: {shape: [1, 1, 1, 4, 8]}";
    let gather = ["instruction: MGATHER", "dtype: float"];
    let index = "index: {shape: [1, 2], data: seq}";
    let base = [gather[0], gather[1], "tile: {shape: [2, 8]}", index];
    // Rows that lie apart (MGATHER-GAP-09), a table by columns (MGATHER-TABLE-08).
    let apart = "table: {shape: [1, 1, 1, 4, 8], stride: [1, 1, 1, 16, 1]}";
    parts(Permutation, A5, &base, &[table], &[apart]);
    parts(
        Permutation,
        A5,
        &base,
        &[table],
        &["table: {shape: [1, 1, 1, 4, 8], layout: DN}"],
    );
    // A tile that does not fit UB (MGATHER-UB-02, -07).
    let base = [gather[0], gather[1], index, table];
    let large = "tile: {shape: [6200, 8], valid: [2, 8]}";
    for target in [A2a3, A5] {
        parts(
            Permutation,
            target,
            &base,
            &["tile: {shape: [2, 8]}"],
            &[large],
        );
    }
    assert!(binds(
        Permutation,
        A5,
        &[&base[..], &[large, "launch: {dyn_ub: 221184}"]].concat()
    ));
    // A tile by columns on CPU (MGATHER-TILE-03).
    let columns = "tile: {shape: [8, 8], valid: [2, 8], blayout: ColMajor}";
    parts(
        Permutation,
        Cpu,
        &base,
        &["tile: {shape: [8, 8], valid: [2, 8]}"],
        &[columns],
    );
    // Tiles of the first revision that are not full (MSCATTER0-GAP-06).
    let first = "instruction: MSCATTER\nrevision: first\ndtype: float\noob: Skip\nindex: {shape: [4, 1], data: seq}";
    let full = "tile: {shape: [4, 8]}";
    parts(
        Permutation,
        A5,
        &[first, table],
        &[full],
        &["tile: {shape: [4, 8], valid: [3, 8]}"],
    );
}
