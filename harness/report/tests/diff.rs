//! When the second of two records is worse.

use crate::made::{case, header};
use ptodiff_record::CaseRecord;
use ptodiff_report::compare;
use serde_json::json;

/// A case that came to `verdict`, and what `a5` and an implementation did there.
fn came_to(verdict: &str, a5: &str, implementation: (&str, &str)) -> CaseRecord {
    let (name, did) = implementation;
    let targets = json!({"a5": {"verdict": a5}, name: {"verdict": did}});
    case(json!({"id": "a", "verdict": verdict, "targets": targets}))
}

#[test]
fn the_second_is_worse_for_a_result_that_is_gone() {
    let worse = |before: &CaseRecord, after: &CaseRecord| {
        let [before, after] = [before, after].map(std::slice::from_ref);
        compare(["A", "B"], [&header(); 2], [before, after]).regressed()
    };
    let own = ("a5:own", "conforms");
    let of = |verdict: &str| came_to(verdict, "conforms", own);
    // Compared, with one result, with none: downwards is worse, and nothing else is.
    let levels = [
        &["agree", "permitted"][..],
        &["single"],
        &["rejected", "undefined", "hangs"],
    ];
    for (a, before) in levels.iter().enumerate() {
        for (b, after) in levels.iter().enumerate() {
            for (was, is) in before
                .iter()
                .flat_map(|w| after.iter().map(move |i| (w, i)))
            {
                assert_eq!(worse(&of(was), &of(is)), b > a, "{was} -> {is}");
            }
        }
    }
    // What was wrong and is gone is no loss.
    assert!(!worse(&of("violation"), &of("undefined")));
    // The same verdict, and one party shows less.
    for lost in ["rejected", "undefined", "hangs", "unsupported"] {
        let after = came_to("agree", "conforms", ("a5:own", lost));
        assert!(worse(&of("agree"), &after), "{lost}");
        assert!(!worse(&after, &of("agree")), "{lost}");
        assert!(!worse(&after, &after), "{lost}");
    }
    // What was wrong, and what was rejected or never returned as it must, is not asked any more.
    for was in ["violates", "rejected", "hangs"] {
        let [before, after] =
            [was, "unsupported"].map(|did| came_to("agree", "conforms", ("a5:own", did)));
        assert!(worse(&before, &after), "{was}");
        assert!(!worse(&after, &before), "{was}");
    }
    let idle = came_to("undefined", "rejected", ("a5:own", "undefined"));
    assert!(!worse(
        &idle,
        &came_to("undefined", "rejected", ("a5:own", "unsupported"))
    ));
    // Two that ran are compared no longer.
    let pair = |verdict: &str| {
        let pair = json!({"targets": ["a5", "a5:own"], "verdict": verdict});
        case(
            json!({"id": "a", "targets": {"a5:own": {"verdict": "conforms"}}, "pairs": [{}, pair]}),
        )
    };
    assert!(worse(&pair("permitted"), &pair("not-compared")));
    assert!(!worse(&pair("violation"), &pair("not-compared")));
    // An implementation of another name is another one.
    let other = came_to("agree", "conforms", ("a5:other", "unsupported"));
    assert!(!worse(&of("agree"), &other));
}

#[test]
fn who_is_flaky_in_one_of_them_is_told_and_not_worse() {
    let of = |flaky: &[&str]| {
        let flaky: Vec<_> = flaky
            .iter()
            .map(|what| json!({"what": what, "failure_group": "V a5:own valid"}))
            .collect();
        case(json!({"id": "a", "targets": {"a5:own": {"verdict": "conforms", "flaky": flaky}}}))
    };
    let (before, after) = ([of(&[])], [of(&["a slot"])]);
    let diff = compare(["A", "B"], [&header(); 2], [&before, &after]);
    let part = &diff.changed[0].parts[0];
    assert_eq!(
        [&*part.name, &*part.before, &*part.after],
        ["a5:own", "conforms", "conforms, flaky"]
    );
    assert!(!diff.regressed() && !diff.is_empty());
}
