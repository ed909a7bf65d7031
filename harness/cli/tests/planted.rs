//! A wrong model is planted in the place of the right one: the gate turns red
//! with the failure group of what it does, and every report shows it. No option of
//! the command reaches it: only the library takes models.

use std::sync::OnceLock;

use crate::common::suites;
use ptodiff_gate::{Baseline, Date, Judged, Kind, Run, judge, waiver};
use ptodiff_isa::{Model, Party, Role, Target};
use ptodiff_record::{CaseRecord, Header, TargetVerdict, Verdict};
use ptodiff_report::{
    compare, groups, write_annotations, write_diff, write_diff_html, write_diff_markdown,
    write_groups, write_html, write_junit, write_markdown,
};
use ptodiff_runner::{Options, altered, models, run_with};

/// What the planted model does wrong where it does it most.
const FAILURE_GROUP: &str = "MSCATTER a5 valid MSCATTER-SEM-02";

/// A5 that spoils the first element that a scatter changed in its table.
fn planted(right: &'static dyn Model) -> impl Model + 'static {
    altered(right, |right, call, memory, how, log| {
        let before = memory.get(Role::Table).map(|r| r.body().to_vec());
        let end = right.execute(call, memory, how, log)?;
        if let (Some(before), Some(table)) = (before, memory.get_mut(Role::Table)) {
            let mut pairs = table.body_mut().iter_mut().zip(before);
            if let Some((byte, was)) = pairs.find(|(byte, was)| **byte != *was) {
                // Neither what was there nor what belongs there.
                *byte = if *byte ^ 1 == was {
                    *byte ^ 2
                } else {
                    *byte ^ 1
                };
            }
        }
        Ok(end)
    })
}

struct Done {
    header: Header,
    cases: Vec<CaseRecord>,
}

impl Done {
    /// The A5 suite of MSCATTER on these models.
    fn of(models: &[&dyn Model]) -> Self {
        let suite = suites().join("mscatter-a5.yaml");
        let cases = ptodiff_case::load(&[suite]).expect("the suite").cases;
        let options = Options {
            details: true,
            ..Options::default()
        };
        let cases = run_with(models, &cases, &options).expect("it runs");
        Self {
            header: options.header(cases.len()),
            cases,
        }
    }

    fn run(&self) -> Run {
        Run::of(&self.header, &self.cases, &[])
    }
}

/// The suite on the right models, and with the planted one.
fn both() -> &'static (Done, Done) {
    static BOTH: OnceLock<(Done, Done)> = OnceLock::new();
    BOTH.get_or_init(|| {
        let right = models();
        let [cpu, a2a3, a5] = right;
        (Done::of(&right), Done::of(&[cpu, a2a3, &planted(a5)]))
    })
}

fn gate(baseline: &Baseline, waivers: &str, done: &Done) -> Judged {
    let waivers = waiver::load_str("waivers.yaml", waivers).expect("waivers");
    let today = Date::from_ymd_opt(2026, 1, 1).expect("a day");
    judge(baseline, &waivers, &done.run(), today)
}

#[test]
fn the_gate_turns_red_with_the_failure_group_of_the_planted_bug() {
    let (right, wrong) = both();
    let baseline = right.run().shown().clone();
    assert_eq!(gate(&baseline, "waivers: []\n", right).failures, []);
    let red = gate(&baseline, "waivers: []\n", wrong);
    let found = red.failures.iter().find(|f| f.about == FAILURE_GROUP);
    let found = found.expect("the failure group fails the gate");
    assert!(found.what.contains("cases of a5, first a5/"), "{found}");
    let violations = red.failures.iter().filter(|f| f.kind == Kind::Violation);
    let strangers = violations.filter(|f| !f.what.contains("a5"));
    assert_eq!(strangers.count(), 0, "only A5 is to blame");
    // A waiver hides this failure group, where it names its party, and no other.
    let waivers = format!(
        "waivers:\n  - failure-group: {FAILURE_GROUP}\n    pair: a5\n    cause: planted\n    \
         reference: here\n    owner: me\n    expires: 2026-06-30\n"
    );
    let waived = gate(&baseline, &waivers, wrong);
    assert!(waived.failures.iter().all(|f| f.about != FAILURE_GROUP));
    assert_eq!(waived.failures.len() + 1, red.failures.len());
    assert!(!waived.failures.is_empty(), "the rest stays");
}

#[test]
fn the_planted_bug_is_found_wherever_a5_has_a_result_and_only_there() {
    let (right, wrong) = both();
    let a5 = Party::of(Target::A5);
    for (green, red) in right.cases.iter().zip(&wrong.cases) {
        assert_ne!(green.verdict, Verdict::Violation, "{}", green.id);
        let had_result = green.targets[&a5].verdict == TargetVerdict::Conforms;
        let found = red.targets[&a5].verdict == TargetVerdict::Violates;
        // The least of the table's zeros and what is scattered changes nothing.
        let idle = had_result && red.id.contains("atomicmin") && !found;
        assert_eq!(had_result && !idle, found, "{}", red.id);
        for (party, target) in red.targets.iter().filter(|(party, _)| **party != a5) {
            assert_ne!(
                target.verdict,
                TargetVerdict::Violates,
                "{party} of {}",
                red.id
            );
        }
    }
}

#[test]
fn every_report_shows_the_failure_group_of_the_planted_bug() {
    let (right, wrong) = both();
    let Done { header, cases } = wrong;
    let diff = compare(
        ["right", "wrong"],
        [&right.header, header],
        [&right.cases, cases],
    );
    assert!(diff.regressed());
    type Face<'a> = (
        &'a str,
        Box<dyn Fn(&mut Vec<u8>) -> std::io::Result<()> + 'a>,
    );
    let faces: [Face<'_>; 8] = [
        (
            "terminal",
            Box::new(|to| write_groups(to, header, &groups(cases))),
        ),
        ("JUnit", Box::new(|to| write_junit(to, header, cases))),
        ("Markdown", Box::new(|to| write_markdown(to, header, cases))),
        (
            "annotations",
            Box::new(|to| write_annotations(to, header, cases)),
        ),
        ("page", Box::new(|to| write_html(to, header, cases, &[]))),
        ("difference", Box::new(|to| write_diff(to, &diff))),
        (
            "difference in Markdown",
            Box::new(|to| write_diff_markdown(to, &diff)),
        ),
        (
            "difference as a page",
            Box::new(|to| write_diff_html(to, &diff)),
        ),
    ];
    for (name, face) in faces {
        let mut text = Vec::new();
        face(&mut text).expect("a vector takes all");
        let text = String::from_utf8(text).expect("text");
        assert!(text.contains(FAILURE_GROUP), "not in the {name}");
    }
    let shown = |case: &&CaseRecord| case.verdict == Verdict::Violation;
    for case in cases.iter().filter(shown) {
        let detail = case.detail.as_ref().expect("details");
        let states = detail.slots.as_ref().map(|map| map.states.clone().into());
        let states: String = states.expect("a picture");
        assert!(states.contains('v'), "{}: {states}", case.id);
    }
}
