//! Which waivers go.

use std::path::Path;

use proptest::prelude::*;
use ptodiff_gate::{Run, bless};
use serde_json::json;

use crate::{
    made::{case, header_with},
    pages::{TODAY, waivers},
};

proptest! {
    #[test]
    fn exactly_the_unused_waivers_go(used in prop::collection::vec(any::<bool>(), 1..8)) {
        let groups = (0..used.len()).map(|n| format!("MSCATTER a5 fault {n}"));
        let entry = |group: &String| format!(
            "  - failure-group: {group}\n    pair: a5\n    cases: [x]\n    cause: a\n    \
             reference: b\n    owner: c\n    expires: 2026-12-31\n"
        );
        let text: String = groups.clone().map(|group| entry(&group)).collect();
        let used: Vec<String> = groups.zip(&used).filter(|(_, used)| **used).map(|(g, _)| g).collect();
        let findings: Vec<_> =
            used.iter().map(|g| json!({"failure_group": g, "what": "wrong"})).collect();
        let wrong = json!({"verdict": "violates", "findings": findings});
        let one = match used.is_empty() {
            true => json!({"id": "x"}),
            false => json!({"id": "x", "verdict": "violation", "targets": {"a5": wrong}}),
        };
        let run = Run::of(&header_with(json!({})), &[case(one)], &[]);
        let (path, known) = (Path::new("baseline.json"), run.shown().text());
        let all = waivers(&format!("waivers:\n{text}"));
        let blessing = bless(&run, path, Some(&known), &all, TODAY.parse().expect("a day"));
        let blessing = blessing.expect("it passes");
        prop_assert_eq!(&blessing.remaining, &[]);
        prop_assert_eq!(blessing.changes.is_empty(), used.len() == all.list.len());
        for change in &blessing.changes {
            let left = waivers(&change.after).list;
            let left: Vec<&String> = left.iter().map(|w| &w.failure_group).collect();
            prop_assert_eq!(left, used.iter().collect::<Vec<_>>());
        }
    }
}
