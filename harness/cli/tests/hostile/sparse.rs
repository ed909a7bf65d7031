//! Tables larger than any memory: what they take, and what is said where the machine
//! has no addresses for them.

use std::{fs, time::Instant};

use crate::{common::root, growth::peak, memory::within};

/// All of them are 12 GB and more.
#[test]
fn what_is_not_touched_takes_no_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = root().join("cases/clauses/sparse_tables.yaml");
    let cases = cases.to_str().expect("UTF-8");
    for args in [
        &["run", cases, "--out", "out", "--jobs", "2"][..],
        &["check", cases],
        &[
            "trace",
            "sparse_tables/elements_wrapped",
            "--cases",
            cases,
            "--target",
            "a5",
        ],
        &["run", cases, "--out", "out", "--readings", "all"],
    ] {
        let begun = Instant::now();
        let kib = peak(folder.path(), args);
        assert!(kib < 100 << 10, "{args:?}: {kib} KiB");
        // A second is plenty; a machine that builds beside it is slower.
        let seconds = begun.elapsed().as_secs_f64();
        assert!(seconds < 10.0, "{args:?}: {seconds} s");
    }
}

#[test]
fn what_the_machine_has_no_addresses_for_is_a_clear_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "cases:\n  - name: a\n    instruction: MSCATTER\n    mode: Elem\n    dtype: int32_t\n    \
         tile: {shape: [1, 8]}\n    index: {shape: [1, 8]}\n    \
         table: {shape: [1, 1, 1, 375000000, 8]}\n";
    fs::write(folder.path().join("a.yaml"), text).expect("a file");
    for args in [
        &["run", "a.yaml", "--out", "out"][..],
        &["check", "a.yaml"],
        &["trace", "a/a", "--cases", "a.yaml", "--target", "a5"],
        &["export", "a/a", "--cases", "a.yaml", "--npy", "arrays"],
    ] {
        let done = within("4194304", folder.path(), args);
        assert_eq!(done.code, 70, "{args:?}: {}", done.err);
        let why = "a/a: the machine has no 102997 MiB of addresses left for a sparse operand";
        assert!(done.err.contains(why), "{args:?}: {}", done.err);
    }
}

#[test]
fn what_needs_a_table_as_a_whole_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = root().join("cases/clauses/sparse_tables.yaml");
    let cases = cases.to_str().expect("UTF-8");
    let scatter = "sparse_tables/elements_beyond_4_gib";
    for (args, code, says) in [
        (
            &["export", scatter, "--cases", cases, "--npy", "arrays"][..],
            2,
            "table has 11445 MiB of values; an array has 256 MiB at most",
        ),
        (
            &[
                "trace",
                scatter,
                "--cases",
                cases,
                "--target",
                "a2a3",
                "--without",
                "caller MTE2->V",
            ],
            2,
            "cannot be told of a sparse table: make the table smaller",
        ),
    ] {
        let done = within("unlimited", folder.path(), args);
        assert!(done.err.contains(says), "{args:?}: {}", done.err);
        assert_eq!(done.code, code, "{args:?}: {}", done.err);
    }
}
