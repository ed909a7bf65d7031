//! What a run came to, in words.

use ptodiff_report::RunTotals;

use crate::made::header;

#[test]
fn all_that_fails_a_run_by_a_flag_is_said() {
    let mut totals = RunTotals::of(&header());
    (totals.cases, totals.flaky, totals.unpromised) = (1000, 1, 2);
    for (flags, said) in [
        ([false, false], None),
        ([true, false], Some("1 of 1,000 cases is flaky")),
        (
            [true, true],
            Some("1 of 1,000 cases is flaky, 2 differ where nothing is promised"),
        ),
    ] {
        [totals.fail_flaky, totals.fail_unpromised] = flags;
        assert_eq!(totals.fails_by_flag().as_deref(), said);
    }
    // Beside a failure it is not why the run fails, and told all the same.
    totals.failing = 3;
    let said = totals.said(&[]);
    assert!(
        said.ends_with("in 0 groups, 1 flaky, 2 differing where nothing is promised"),
        "{said}"
    );
}

#[test]
fn so_many_flaky_cases_are_no_chance() {
    for (cases, flaky, fails) in [
        (1000, 10, false),
        (1000, 11, true),
        (20, 8, false),
        (20, 9, true),
    ] {
        let mut totals = RunTotals::of(&header());
        // Cases that it cannot run do not count.
        (totals.cases, totals.answered, totals.flaky) = (100_000, cases, flaky);
        assert_eq!(
            totals.fails_by_flag().is_some(),
            fails,
            "{flaky} of {cases}"
        );
    }
}
