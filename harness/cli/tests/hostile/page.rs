//! The page of limits says what the code does.

use ptodiff_case::limits as case;
use ptodiff_data::npy;
use ptodiff_record::grouped;

use crate::common::root;

/// A size as the page has it.
fn mib(bytes: u64) -> String {
    assert_eq!(bytes % (1 << 20), 0, "a whole number");
    format!("{} MiB", bytes >> 20)
}

#[test]
fn every_figure_is_that_of_the_code() {
    let page =
        std::fs::read_to_string(root().join("harness/cli/guide/limits.md")).expect("the page");
    assert_eq!((case::COPIES, case::LANE_BYTES), (9, 128));
    let implementation = ptodiff_impl::Limits::default();
    let rows = [
        ("case file", mib(case::MAX_FILE_BYTES)),
        ("nesting of a case file", case::MAX_DEPTH.to_string()),
        (
            "values in a case file (keys, words, containers), aliases expanded",
            grouped(case::MAX_NODES as u64),
        ),
        (
            "folders of case files below each other",
            case::MAX_FOLDERS.to_string(),
        ),
        (
            "memory to run a case: nine times its operands, over all its calls, and 128 bytes for each element of an index",
            mib(case::MAX_CASE_MEMORY),
        ),
        (
            "bytes that a table of given rows spans",
            format!("{} GiB", case::MAX_SPARSE >> 30),
        ),
        ("calls of a case", grouped(case::MAX_CHUNKS)),
        ("stride, in elements", grouped(case::MAX_STRIDE)),
        ("name of a case, in characters", case::MAX_NAME.to_string()),
        (
            "arrays that the cases of a file read",
            mib(case::MAX_LOADED_OF_FILE),
        ),
        ("data of an array", mib(npy::MAX_BYTES)),
        (
            "header of an array, in bytes",
            grouped(npy::MAX_HEADER as u64),
        ),
        ("dimensions of an array", npy::MAX_DIMENSIONS.to_string()),
        ("line of a record", mib(ptodiff_record::MAX_LINE)),
        (
            "line of a frame, in bytes",
            grouped(ptodiff_impl::frame::LONGEST_LINE as u64),
        ),
        (
            "memory of an implementation's process",
            mib(implementation.memory),
        ),
        (
            "time for an answer, in seconds",
            implementation.time.as_secs().to_string(),
        ),
        (
            "time for a greeting, in seconds",
            implementation.start.as_secs().to_string(),
        ),
        (
            "starts of an implementation that fail in a row",
            ptodiff_impl::TRIES.to_string(),
        ),
    ];
    for (what, figure) in rows {
        let row = format!("| {what} | {figure} |");
        assert!(page.contains(&row), "{row}");
    }
    let prefix = format!("`{}`", ptodiff_edge::whole::PREFIX);
    assert!(page.contains(&prefix), "{prefix}");
}

/// The exit codes, as the command's own help has them.
#[test]
fn every_exit_code_is_there() {
    let page =
        std::fs::read_to_string(root().join("harness/cli/guide/limits.md")).expect("the page");
    for code in [0, 1, 2, 3, 70, 130] {
        assert!(page.contains(&format!("| {code} |")), "{code}");
    }
}
