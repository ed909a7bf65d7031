//! The cases in the command: one of them is run without reading all.

use std::time::Instant;

use crate::common::ptodiff;

#[test]
fn one_case_is_run_at_once() {
    let here = tempfile::tempdir().expect("a folder");
    let least = |times, args: &[&str]| {
        let times = (0..times).map(|_| {
            let begun = Instant::now();
            let done = ptodiff(here.path(), args);
            assert_eq!(done.code, 0, "{args:?}: {}{}", done.out, done.err);
            begun.elapsed()
        });
        times.min().expect("one at least")
    };
    let one = least(3, &["run", "-q", "--filter", "=tgatherb/reversed"]);
    let all = least(1, &["list"]);
    assert!(one * 2 < all, "{one:?}, and reading all takes {all:?}");
}
