//! `.pto` files in every command that takes cases.

use std::fs;

use crate::common::{Done, command, folder_with, ptodiff, root};

const FILES: &str = "harness/pto/tests/files";

fn text(name: &str) -> String {
    fs::read_to_string(root().join(FILES).join(name)).unwrap()
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn each_of_the_six_files_is_judged_as_the_documents_say() {
    // What no document says a word against is legal. The others:
    // - rows of A5's table lie 64 apart and not 40 (MSCATTER-GAP-13);
    // - A2/A3 and the CPU have no masked TSCATTER (TSCATTER-MODE-02);
    // - no target has 64-bit floats; and Row wants one row of indices, not 8 x 8.
    for (name, code, expected) in [
        ("row_gather_a3.pto", 0, &[][..]),
        ("to_l1.pto", 0, &[]),
        ("loop_and_generic.pto", 0, &["13:22 remark same-operand"]),
        (
            "padded_scatter_a5.pto",
            1,
            &[
                "19:5 warning dropped-policy a5: MSCATTER-CONF-09",
                "19:5 error precondition a5: MSCATTER-GAP-13",
            ],
        ),
        (
            "short_types.pto",
            1,
            &[
                "10:5 error rejected cpu: TSCATTER-MODE-02",
                "10:5 error rejected a2a3: TSCATTER-MODE-02",
            ],
        ),
        (
            "refused.pto",
            1,
            &[
                "4:62 error rejected cpu, a2a3, a5: PTO-C042",
                "4:141 error rejected cpu, a2a3, a5: PTO-C042",
                "5:5 error rejected a2a3: MSCATTER-SHAPE-01",
                "5:5 error rejected a5: MSCATTER-SHAPE-04",
                "5:5 remark missing-coalesce",
            ],
        ),
    ] {
        let done = ptodiff(&root().join(FILES), &["check", name]);
        assert_eq!(
            (done.code, done.err.as_str()),
            (code, ""),
            "{name}: {}",
            done.out
        );
        let lines: Vec<&str> = done.out.lines().collect();
        let (_, found) = lines.split_last().unwrap();
        assert_eq!(found.len(), expected.len(), "{name}: {}", done.out);
        for (line, start) in found.iter().zip(expected) {
            assert!(
                line.starts_with(&format!("{name}:{start}")),
                "{line}\n{start}"
            );
        }
    }
}

#[test]
fn files_and_folders_run() {
    let folder = folder(&[
        ("row.pto", &text("row_gather_a3.pto")),
        ("flat.pto", &text("short_types.pto")),
        ("notes.txt", "nothing"),
    ]);
    let done = ptodiff(
        folder.path(),
        &["run", ".", "--out", "out", "--status-level", "all"],
    );
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("row/row_gather.1  a2a3"), "{}", done.out);
    // Its module is for A2/A3; who asks about another target is told of that.
    let a5 = ptodiff(folder.path(), &["check", "row.pto", "-t", "a5"]);
    assert_eq!(
        (a5.code, &a5.out[..]),
        (0, "1 case: legal on a5\n"),
        "{}",
        a5.err
    );
    // What no target takes is told, though nothing else is for the target.
    let refused = text("refused.pto");
    fs::write(folder.path().join("refused.pto"), refused).unwrap();
    let own = "cases: [{name: c, instruction: TGATHERB, dtype: float, source: {shape: [1, 64]}, destination: {shape: [1, 64]}, offset: {shape: [1, 8]}, targets: [a5]}]\n";
    fs::write(folder.path().join("own.yaml"), own).unwrap();
    let both = ["check", "own.yaml", "refused.pto", "-t", "cpu"];
    let told = ptodiff(folder.path(), &both);
    assert_eq!(told.code, 1, "{}{}", told.out, told.err);
    assert!(told.out.contains("type f64"), "{}", told.out);
    let run = ptodiff(folder.path(), &["run", "row.pto", "-t", "a5"]);
    assert_eq!(run.code, 3, "{}", run.err);
    let listed = ptodiff(folder.path(), &["list", "row.pto"]);
    assert!(listed.out.contains("row/row_gather.1"), "{}", listed.out);
}

#[test]
fn a_file_mlir_is_read_where_it_is_named_and_passed_over_in_a_folder() {
    let folder = folder(&[("row.mlir", &text("row_gather_a3.pto"))]);
    let at = folder.path();
    let done = ptodiff(at, &["check", "row.mlir"]);
    assert_eq!((&done.out[..], done.code), ("1 case: legal on a2a3\n", 0));
    let done = ptodiff(at, &["asm", "row.mlir"]);
    assert_eq!(done.code, 0, "{}", done.err);
    fs::write(at.join("two.mlir"), text("refused.pto")).unwrap();
    let refused = ptodiff(at, &["check", "two.mlir"]).out;
    assert_eq!(refused.matches("missing-coalesce").count(), 1, "{refused}");
    let none = ptodiff(at, &["check", "."]);
    assert_eq!(none.code, 3, "{}", none.out);
    let help = "a file that ends in `.mlir` is read if it is named itself";
    assert!(none.err.contains(help), "{}", none.err);
    fs::write(at.join("flat.pto"), text("loop_and_generic.pto")).unwrap();
    let some = ptodiff(at, &["check", "."]);
    let said = "not case files by their names: ./row.mlir, ./two.mlir\n";
    assert!(some.out.ends_with(said), "{}", some.out);
}

#[test]
fn a_check_reads_standard_input_and_no_other_command_does() {
    let own = "cases: [{name: c, instruction: TGATHERB, dtype: int8_t, source: {shape: [1, 96]}, destination: {shape: [1, 32]}}]\n";
    let own = format!("# A case\n{own}");
    let folder = folder(&[
        ("a", &text("short_types.pto")),
        ("b", &own),
        ("row.pto", &text("row_gather_a3.pto")),
        ("empty", ""),
    ]);
    let at = folder.path();
    let fed = |input: &str, args: &[&str]| {
        let input = fs::File::open(at.join(input)).unwrap();
        Done::from(command(at).args(args).stdin(input).output().unwrap())
    };
    let found = fed("a", &["check", "-"]);
    let place = "stdin.pto:10:5 error rejected cpu: TSCATTER-MODE-02";
    assert_eq!(found.code, 1, "{}", found.err);
    assert!(found.out.starts_with(place), "{}", found.out);
    assert!(found.out.contains("[stdin/spread.1]"), "{}", found.out);
    assert_eq!(
        fed("b", &["check", "-"]).out,
        "1 case: legal on cpu, a2a3, a5\n"
    );
    assert_eq!(fed("b", &["check", "row.pto", "-"]).out, "2 cases: legal\n");
    assert_eq!(fed("empty", &["check", "-"]).code, 3);
    let allowed = "[check]\nallow = [\"rejected\"]\n";
    fs::write(at.join("ptodiff.toml"), allowed).unwrap();
    assert_eq!(fed("a", &["check", "-"]).code, 0);
    if cfg!(unix) {
        assert_eq!(
            fed("b", &["check", "/dev/stdin"]).out,
            "1 case: legal on cpu, a2a3, a5\n"
        );
    }
    for command in ["run", "list"] {
        let done = fed("a", &[command, "-"]);
        assert_eq!(done.code, 2, "{}", done.out);
        let said = "only `ptodiff check` reads cases from standard input";
        assert!(done.err.contains(said), "{}", done.err);
    }
}

#[cfg(unix)]
#[test]
fn the_hook_lets_a_commit_pass_that_has_nothing_to_check() {
    let none = "func.func @f() {\n  pto.barrier <PIPE_ALL>\n  return\n}\n";
    let folder = folder(&[("none.pto", none), ("refused.pto", &text("refused.pto"))]);
    let hook = fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    let entry = hook
        .lines()
        .find_map(|line| line.trim().strip_prefix("entry: "));
    let entry = entry
        .expect("a command")
        .replace("ptodiff", env!("CARGO_BIN_EXE_ptodiff"));
    let ends = |files: &str| {
        let mut sh = std::process::Command::new("sh");
        sh.args(["-c", &format!("{entry} {files}")]);
        sh.current_dir(folder.path())
            .output()
            .unwrap()
            .status
            .code()
    };
    assert_eq!(ends("none.pto"), Some(0));
    assert_eq!(ends("none.pto refused.pto"), Some(1));
}

#[test]
fn every_command_that_takes_a_case_takes_a_file() {
    let folder = folder(&[
        ("row.pto", &text("row_gather_a3.pto")),
        ("two.pto", &text("to_l1.pto")),
    ]);
    let done = ptodiff(folder.path(), &["asm", "row.pto"]);
    assert!(
        done.out.contains("# level 2 (DPS)"),
        "{}{}",
        done.out,
        done.err
    );
    let done = ptodiff(folder.path(), &["cpp", "two.pto"]);
    assert!(
        done.out.contains("// two/staged.1") && done.out.contains("// two/by_row.1"),
        "{}{}",
        done.out,
        done.err
    );
    let done = ptodiff(folder.path(), &["explain", "row.pto"]);
    assert!(
        done.out.contains("row/row_gather.1"),
        "{}{}",
        done.out,
        done.err
    );
    let done = ptodiff(
        folder.path(),
        &["trace", "two/by_row.1", "--cases", "two.pto", "-t", "a5"],
    );
    assert_eq!(done.code, 0, "{}", done.err);
    for command in ["asm", "cpp", "explain"] {
        let done = ptodiff(folder.path(), &[command, "none.pto"]);
        assert_eq!(done.code, 2, "{command}: {}", done.out);
        assert!(done.err.contains("cannot read none.pto"), "{}", done.err);
    }
    fs::write(folder.path().join("empty.pto"), "module {}").unwrap();
    let done = ptodiff(folder.path(), &["check", "empty.pto"]);
    assert_eq!(done.code, 3);
    assert!(
        done.err.contains("none of the files has an operation"),
        "{}",
        done.err
    );
    // What reads a document takes no empty file.
    for (format, part) in [("sarif", "\"results\":[]"), ("junit", "tests=\"0\"")] {
        let done = ptodiff(folder.path(), &["check", "empty.pto", "--format", format]);
        assert_eq!(done.code, 3);
        assert!(done.out.contains(part), "{}", done.out);
    }
}

#[test]
fn a_case_goes_to_a_file_and_to_yaml_and_back() {
    let case = "cases:\n  - {name: add, instruction: MSCATTER, mode: Row, atomic: Add, oob: Skip, dtype: half, tile: {shape: [4, 16]}, index: {shape: [1, 8], valid: [1, dyn 4]}, table: {shape: [1, 1, 1, 9, 16]}, targets: [a5]}\n";
    let folder = folder_with(case);
    let done = ptodiff(
        folder.path(),
        &["asm", "a/add", "--cases", "a.yaml", "--pto"],
    );
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    fs::write(folder.path().join("b.pto"), &done.out).unwrap();
    let yaml = ptodiff(folder.path(), &["asm", "b.pto", "--yaml"]);
    assert_eq!((yaml.code, yaml.err.as_str()), (0, ""));
    fs::write(folder.path().join("c.yaml"), &yaml.out).unwrap();
    let forms =
        |name: &str, cases: &str| ptodiff(folder.path(), &["asm", name, "--cases", cases]).out;
    assert_eq!(forms("a/add", "a.yaml"), forms("c/add.1", "c.yaml"));
    assert!(yaml.out.contains("targets: [a5]"), "{}", yaml.out);
    // Two operations make one file of cases.
    fs::write(folder.path().join("d.pto"), text("to_l1.pto")).unwrap();
    let yaml = ptodiff(folder.path(), &["asm", "d.pto", "--yaml"]).out;
    fs::write(folder.path().join("d.yaml"), yaml).unwrap();
    let done = ptodiff(folder.path(), &["list", "d.yaml"]);
    assert!(
        done.out.contains("d/staged.1") && done.out.contains("d/by_row.1"),
        "{}{}",
        done.out,
        done.err
    );
}

const OPEN: &str = "func.func @g(%p: !pto.ptr<i32>, %n: index) {
  %c1 = arith.constant 1 : index
  %v = pto.make_tensor_view %p, shape = [%n], strides = [%c1] : !pto.tensor_view<?xi32>
  %t = pto.partition_view %v, offsets = [%c1], sizes = [%n] : !pto.tensor_view<?xi32> -> !pto.partition_tensor_view<?xi32>
  %idx, %d = foo.bar
  pto.mgather ins(%t, %idx : !pto.partition_tensor_view<?xi32>, !pto.tile_buf<vec, 1x8xi32>) outs(%d : !pto.tile_buf<vec, 1x8xi32>) {coalesce = #pto<coalesce elem>}
  return
}
";

#[test]
fn what_a_file_does_not_say_is_given_and_a_run_tells_how_it_is_seen_again() {
    let folder = folder(&[("g.pto", OPEN)]);
    let at = folder.path();
    let done = ptodiff(at, &["run", "g.pto"]);
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("PTO-C039") && done.err.contains("--set n=N"),
        "{}",
        done.err
    );
    // A check tells of it, and of the rest.
    let done = ptodiff(at, &["check", "g.pto"]);
    assert_eq!(done.code, 1);
    assert!(
        done.out.contains("g.pto:4:57 error not-judged PTO-C039"),
        "{}",
        done.out
    );
    assert_eq!(ptodiff(at, &["check", "g.pto", "--set", "n=64"]).code, 0);
    let done = ptodiff(at, &["check", "g.pto", "--set", "n=64", "--set", "m=1"]);
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("PTO-C043") && done.err.contains("--set m"),
        "{}",
        done.err
    );
    for wrong in ["n", "n=x", "=4", "n=-1"] {
        assert_eq!(
            ptodiff(at, &["check", "g.pto", "--set", wrong]).code,
            2,
            "{wrong}"
        );
    }
    let done = ptodiff(at, &["check", "g.pto", "--set", "n=64", "--set", "n=65"]);
    assert!(done.err.contains("--set gives n twice"), "{}", done.err);
}

/// A call that is legal, one with a word that there is not, and one that is misspelt.
const MIXED: &str = "func.func @g(%t: !pto.tile_buf<vec, 8x16xf16>, %i: !pto.tile_buf<vec, 8x16xui16>) {
  pto.tscatter ins(%t, %i : !pto.tile_buf<vec, 8x16xf16>, !pto.tile_buf<vec, 8x16xui16>) out(%t : !pto.tile_buf<vec, 8x16xf16>)
  pto.tscatterr ins(%t, %i : !pto.tile_buf<vec, 8x16xf16>, !pto.tile_buf<vec, 8x16xui16>) outs(%t : !pto.tile_buf<vec, 8x16xf16>)
  pto.tscatter ins(%t, %i : !pto.tile_buf<vec, 8x16xf16>, !pto.tile_buf<vec, 8x16xui16>) outs(%t : !pto.tile_buf<vec, 8x16xf16>)
  return
}
";

#[test]
fn a_call_that_cannot_be_read_is_a_finding_and_the_others_are_judged() {
    let folder = folder(&[("mixed.pto", MIXED), ("refused.pto", &text("refused.pto"))]);
    let at = folder.path();
    let done = ptodiff(at, &["check", "."]);
    assert_eq!((done.code, done.err.as_str()), (1, ""));
    for expected in [
        "mixed.pto:2:90 error not-judged PTO-C040: `pto.tscatter` cannot have `out` here; `outs` is expected: `pto.tscatter ins(...) outs(...)` is read, a form with a result is not\n",
        "mixed.pto:3:3 error unknown-operation PTO-C044: `pto.tscatterr` is no operation that is known; did you mean `pto.tscatter`?\n",
        "mixed.pto:4:20 remark same-operand",
        "[mixed/g.2]",
        "refused.pto:5:5 error rejected a2a3: MSCATTER-SHAPE-01",
    ] {
        assert!(done.out.contains(expected), "{}", done.out);
    }
    for format in ["json", "github", "sarif"] {
        let done = ptodiff(at, &["check", ".", "--format", format]);
        assert_eq!((done.code, done.err.as_str()), (1, ""));
        assert!(!done.out.contains("./mixed.pto"), "{}", done.out);
        for expected in [
            "cannot have `out` here",
            "did you mean",
            "MSCATTER-SHAPE-01",
        ] {
            assert!(done.out.contains(expected), "{format}: {}", done.out);
        }
    }
    let junit = ptodiff(at, &["check", ".", "--format", "junit"]);
    assert_eq!((junit.code, junit.err.as_str()), (1, ""));
    // A call of each file, and of each two findings that are of no case.
    for expected in [
        "<testsuite name=\"ptodiff check\" tests=\"6\" skipped=\"0\" errors=\"0\" failures=\"5\">",
        "<testcase name=\"2:90 not-judged\" classname=\"mixed.pto\">",
        "<failure message=\"PTO-C040: `pto.tscatter` cannot have `out` here; `outs` is expected: `pto.tscatter ins(...) outs(...)` is read, a form with a result is not\" type=\"not-judged\">",
        "<testcase name=\"mixed/g.2\" classname=\"mixed.pto\">\n            <system-out>mixed.pto:4:20 remark same-operand ",
        "<testcase name=\"refused/refused.2\" classname=\"refused.pto\">\n            <failure message=\"a2a3: MSCATTER-SHAPE-01 ",
    ] {
        assert!(junit.out.contains(expected), "{}", junit.out);
    }
    // What is misspelt may be of a later dialect; a run would say nothing of it.
    fs::write(at.join("mixed.pto"), MIXED.replace(" out(", " outs(")).unwrap();
    let allowed = ["check", "mixed.pto", "--allow", "unknown-operation"];
    assert_eq!(ptodiff(at, &allowed).code, 0);
    for command in ["run", "list"] {
        let done = ptodiff(at, &[command, "mixed.pto"]);
        assert_eq!(done.code, 2, "{}", done.out);
        let told = "mixed.pto:3:3";
        assert!(done.err.contains(told), "{}", done.err);
        let near = "did you mean `pto.tscatter`?";
        assert!(done.err.contains(near), "{}", done.err);
    }
    // A file of another kind is none of findings.
    fs::write(at.join("mixed.pto"), "module {").unwrap();
    assert_eq!(ptodiff(at, &["check", "."]).code, 2);
}

#[test]
fn data_of_named_operands_comes_from_a_file() {
    let data = "indices: {idx: {values: [3, 3, 0, 1, 2, 9, 5, 4]}}\noperands: {g.t: arange}\n";
    let folder = folder(&[("g.pto", OPEN), ("data.yaml", data)]);
    let at = folder.path();
    let with = ["--set", "n=64", "--data", "data.yaml"];
    let yaml = ptodiff(at, &[&["asm", "g.pto", "--yaml"], &with[..]].concat());
    assert!(
        yaml.out
            .contains("data: {values: [3, 3, 0, 1, 2, 9, 5, 4]}"),
        "{}{}",
        yaml.out,
        yaml.err
    );
    assert!(yaml.out.contains("data: arange"), "{}", yaml.out);
    // What is found there is found in a check: with 8 elements, index 9 is none.
    let done = ptodiff(
        at,
        &["check", "g.pto", "--set", "n=8", "--data", "data.yaml"],
    );
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(
        done.out.contains("index 9 is not below capacity 8"),
        "{}",
        done.out
    );

    // Some rows of a table.
    let rows = "operands: {g.t: {rows: {0: [1]}}}\n";
    fs::write(at.join("data.yaml"), rows).expect("a file");
    let yaml = ptodiff(at, &[&["asm", "g.pto", "--yaml"], &with[..]].concat());
    assert!(
        yaml.out.contains("data: {rows: {0: ["),
        "{}{}",
        yaml.out,
        yaml.err
    );

    for (text, says) in [
        (
            "operands: {g.t: {rows: {99: [1]}}}\n",
            "the table has no row 99",
        ),
        ("indices: {idx: {values: [3]}}\n", "data.yaml:1:25"),
        ("indices: {idy: seq}\n", "did you mean `idx`?"),
        ("operands: {idx: arange}\n", "indices stand under `indices`"),
        ("indizes: {idx: seq}\n", "there is no key `indizes`"),
        ("", "the file is empty"),
    ] {
        fs::write(at.join("data.yaml"), text).unwrap();
        let done = ptodiff(at, &[&["check", "g.pto"], &with[..]].concat());
        assert_eq!(done.code, 2, "{text}: {}", done.out);
        assert!(done.err.contains(says), "{text}: {}", done.err);
    }
    let done = ptodiff(at, &["check", "g.pto", "--data", "none.yaml"]);
    assert_eq!(done.code, 2);
}

#[test]
fn a_record_says_what_was_given() {
    let folder = folder(&[("g.pto", OPEN)]);
    let run = ["run", "g.pto", "--set", "n=64", "--out", "out"];
    let done = ptodiff(folder.path(), &run);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let record = fs::read_to_string(folder.path().join("out/run.jsonl")).unwrap();
    let header: serde_json::Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    assert_eq!(header["beside"], serde_json::json!([["--set", "n=64"]]));
}

#[test]
fn what_every_target_rejects_is_left_out_of_a_run_and_told() {
    let folder = folder(&[("refused.pto", &text("refused.pto"))]);
    let done = ptodiff(folder.path(), &["run", "refused.pto", "--out", "out"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("1 case: "), "{}", done.out);
    let told = "left out, every target rejects it: refused.pto:4:62: error[PTO-C042]";
    assert!(done.err.contains(told), "{}", done.err);
}

#[test]
fn two_files_of_one_name_are_told_apart_by_their_folders_or_their_ends() {
    let folder = tempfile::tempdir().unwrap();
    for target in ["a3", "a5"] {
        fs::create_dir(folder.path().join(target)).unwrap();
        let path = folder.path().join(target).join("row.pto");
        fs::write(path, text("row_gather_a3.pto")).unwrap();
    }
    let ids = |path: &str| -> Vec<String> {
        let told = ptodiff(folder.path(), &["list", path]).out;
        let ids = told
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        ids.map(str::to_owned).collect()
    };
    assert_eq!(ids("."), ["a3/row/row_gather.1", "a5/row/row_gather.1"]);
    assert_eq!(ids("a3"), ["row/row_gather.1"]);
    let copy = folder.path().join("a3/row.mlir");
    fs::copy(folder.path().join("a3/row.pto"), copy).unwrap();
    let three = ptodiff(folder.path(), &["list", "a3/row.mlir", "a3", "a5"]).out;
    for id in ["a3/row.mlir/row", "a3/row.pto/row", "a5/row.pto/row"] {
        assert!(three.contains(&format!("{id}_gather.1 ")), "{three}");
    }
    fs::remove_file(folder.path().join("a3/row.mlir")).unwrap();
    let one = ["check", ".", "--filter", "=a5/row/row_gather.1"];
    let done = ptodiff(folder.path(), &one);
    assert_eq!(done.out, "1 case: legal on a2a3\n", "{}", done.err);
}

#[test]
fn the_texts_own_form_without_a_mode_is_row_and_does_not_fit() {
    let form = "pto.mscatter ins(%src, %idx : !pto.tile_buf<Vec, f32, 8, 8, RowMajor, NoneBox, 512, none, valid = 8x8>, \
        !pto.tile_buf<Vec, i32, 8, 8, RowMajor, NoneBox, 512, none, valid = 8x8>) \
        outs(%mem : !pto.partition_tensor_view<1x1x1x8x8xf32, stride = [64, 64, 64, 8, 1], layout = ND>)";
    let folder = folder(&[("op.asm", form)]);
    let done = ptodiff(folder.path(), &["asm", "--read", "op.asm"]);
    assert_eq!(done.code, 0, "{}", done.err);
    fs::write(folder.path().join("op.yaml"), done.out).unwrap();
    let done = ptodiff(folder.path(), &["check", "op.yaml", "-t", "a2a3,a5"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(
        done.out
            .contains("MSCATTER-SHAPE-01 ValidRow of the index tile is 8, Row wants 1"),
        "{}",
        done.out
    );
}
