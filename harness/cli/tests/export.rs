//! The data of a case as NumPy arrays.

use std::{fs, path::Path};

use crate::common::{Done, folder_with, ptodiff, root, suites};
use ptodiff_case::{Case, Fill, Form, IndexPattern};
use ptodiff_data::{npy, place};
use ptodiff_generate::{
    random::{Rules, Series, Wish, case, name},
    stimulus, written_out,
};
use ptodiff_isa::{DType, Role, SLayout};

fn export(case: &str, cases: &Path, out: &Path) -> Done {
    let [cases, out] = [cases, out].map(|path| path.to_str().expect("text"));
    ptodiff(&root(), &["export", case, "--cases", cases, "--npy", out])
}

fn array(path: &Path, dtype: DType, extents: &[u64]) -> Vec<u8> {
    let file = fs::File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    npy::read(file, dtype, extents).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A gather of rows 2, 0 of a padded table, by hand.
const GATHER: &str = "cases:\n  - name: rows\n    instruction: MGATHER\n    dtype: bfloat16_t\n    \
     tile: {shape: [2, 16], valid: [2, 3], data: poison}\n    \
     index: {shape: [1, 8], valid: [1, 2], data: {values: [2, 0]}}\n    \
     table: {shape: [1, 1, 1, 3, 3], stride: [1, 1, 1, 5, 1], data: {bits: [1, 2, 3, 4, 5, 6, 7, 8, 9]}}\n";

fn words(values: &[u8]) -> Vec<u16> {
    let words = values.as_chunks().0.iter();
    words.map(|word| u16::from_le_bytes(*word)).collect()
}

/// The rows are the same whether the table has gaps or not.
#[test]
fn operands_and_results_are_arrays_of_values_without_padding() {
    let dense = GATHER.replace("stride: [1, 1, 1, 5, 1], ", "");
    for (text, targets) in [(GATHER, &["a2a3"][..]), (&dense, &["cpu", "a2a3", "a5"])] {
        let cases = folder_with(text);
        let out = tempfile::tempdir().unwrap();
        let done = export("rows", cases.path(), out.path());
        assert_eq!(done.code, 0, "{}", done.err);
        let at = |name: &str| out.path().join(name);
        let table = array(&at("table.npy"), DType::Bfloat16, &[1, 1, 1, 3, 3]);
        assert_eq!(words(&table), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let index = array(&at("index.npy"), DType::Int32, &[1, 2]);
        assert_eq!(index, [2, 0, 0, 0, 0, 0, 0, 0]);
        for target in targets {
            let result = at(&format!("result-{target}.npy"));
            let result = array(&result, DType::Bfloat16, &[2, 3]);
            assert_eq!(words(&result), [7, 8, 9, 1, 2, 3], "{target}");
        }
        let line = "[1, 2] of int32_t, stored as <i4";
        assert!(done.out.contains(line), "{}", done.out);
    }
}

#[test]
fn a_case_without_a_result_is_said() {
    let text = GATHER.replace("values: [2, 0]", "values: [7, 0]");
    let cases = folder_with(&text);
    let out = tempfile::tempdir().unwrap();
    let done = export("rows", cases.path(), out.path());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.out.contains("no result: a5 is undefined by MGATHER-"),
        "{}",
        done.out
    );
    assert!(!out.path().join("result-a5.npy").exists());
    let unknown = export("colums", cases.path(), out.path());
    assert_eq!(unknown.code, 2);
}

/// 16 rows to a box, of which the tile has 3: the second box lies beyond its end.
#[test]
fn values_without_a_place_are_an_error() {
    let text = GATHER
        .replace(
            "tile: {shape: [2, 16],",
            "tile: {shape: [3, 32], slayout: RowMajor,",
        )
        .replace("valid: [2, 3]", "valid: [2, 17]");
    let cases = folder_with(&text);
    let out = tempfile::tempdir().unwrap();
    let done = export("rows", cases.path(), out.path());
    assert_eq!(done.code, 2, "{}{}", done.out, done.err);
    assert!(done.err.contains("values without a place"), "{}", done.err);
}

/// What is exported can stand in the case itself in place of what made it.
#[test]
fn what_is_exported_can_be_read_back() {
    let drawn = "cases:\n  - name: drawn\n    instruction: MSCATTER\n    mode: Elem\n    dtype: half\n    chunks: 3\n    \
         tile: {shape: [4, 16], valid: [3, 5], data: random-bits}\n    \
         index: {shape: [4, 8], valid: [3, 5], data: random}\n    \
         table: {shape: [1, 1, 1, 6, 16], data: special}\n";
    let cases = folder_with(drawn);
    let out = tempfile::tempdir().unwrap();
    assert_eq!(export("drawn", cases.path(), out.path()).code, 0);
    let given = drawn
        .replace("random-bits", "{npy: tile.npy}")
        .replace("data: random}", "data: {npy: index.npy}}")
        .replace("special", "{npy: table.npy}");
    assert_eq!(given.matches("npy").count(), 6);
    fs::write(out.path().join("a.yaml"), given).unwrap();
    let again = tempfile::tempdir().unwrap();
    let done = export("drawn", &out.path().join("a.yaml"), again.path());
    assert_eq!(done.code, 0, "{}", done.err);
    let mut seen = 0;
    for entry in fs::read_dir(again.path()).unwrap() {
        let path = entry.unwrap().path();
        let before = out.path().join(path.file_name().unwrap());
        assert_eq!(
            fs::read(&path).unwrap(),
            fs::read(&before).unwrap(),
            "{}",
            path.display()
        );
        seen += 1;
    }
    assert!(seen >= 4, "{seen} files");
}

/// Puts the literals of a case where they already stand: nothing changes.
/// Where two places of an operand are one, the last value stays in either account.
fn compare(case: &Case, seed: u64) -> usize {
    let literal = written_out(case, seed);
    let steps = stimulus(&literal, seed).steps;
    let mut compared = 0;
    for (role, operand) in literal.call.operands() {
        let given = match (role, literal.data.fill(role), &literal.data.index) {
            (_, Some(Fill::Literal(values)), _) => values,
            (Role::Index, _, IndexPattern::Literal(values)) => values,
            _ => continue,
        };
        let mut left = &given[..];
        let part = place::bytes(operand).expect("a size") as usize;
        for region in steps.iter().filter_map(|step| step.get(role)) {
            let (now, later) = left.split_at(part);
            left = later;
            let mut body = region.body().to_vec();
            if place::put(operand, now, &mut body).is_none() {
                // Boxes that the padded extents cut off.
                let tile = operand.tile().expect("a tensor is as long as it reaches");
                assert_ne!(tile.slayout, SLayout::NoneBox, "{} {role}", case.id);
                continue;
            }
            assert_eq!(body, region.body(), "{} {role}", case.id);
            compared += 1;
        }
        assert!(left.is_empty(), "{} {role}", case.id);
    }
    compared
}

/// Two accounts of where values stand, written apart, agree on every layout.
#[test]
fn values_are_taken_from_where_they_were_put() {
    let corpus = ptodiff_case::load(&[suites()]).expect("the suites");
    let compared: usize = corpus.cases.iter().map(|case| compare(case, 3)).sum();
    assert!(compared > 551, "{compared}");
    let wish = Wish {
        rules: Rules::Wild,
        forms: Form::ALL.to_vec(),
        ..Wish::default()
    };
    let series = Series::new(11);
    let compared: usize = (0..4000)
        .map(|number| {
            let mut case = case(&mut series.number(number), &wish);
            name(&mut case, 11, number);
            compare(&case, 11)
        })
        .sum();
    assert!(compared > 4000, "{compared}");
}
