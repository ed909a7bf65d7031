//! A case that covers it fails when what it says is not so: every expectation of every
//! case in `cases/` is altered, one at a time, and the case must turn red.

use std::collections::BTreeMap;

use ptodiff_case::{Case, Expectation, ExpectedOutcome, ExpectedSlot, ExpectedSlots};
use ptodiff_isa::{Clause, Target};
use ptodiff_record::Verdict;
use ptodiff_register::{Kind, find};
use ptodiff_runner::{Options, run};

use crate::CASES;

/// A clause that nothing ever cites.
const NOWHERE: Clause = Clause("NOWHERE-AT-00");

/// A case with one expectation altered: one of its `versions` at least must
/// turn red. Where the right value is not known here, two that cannot both be
/// right are given.
struct Flip {
    case: String,
    what: String,
    versions: Vec<Case>,
}

fn flips(case: &Case) -> Vec<Flip> {
    let mut all = Vec::new();
    let mut add = |what: String, versions: Vec<Case>| {
        all.push(Flip {
            case: case.id.clone(),
            what,
            versions,
        });
    };
    type List = fn(&mut Case) -> &mut Vec<(Target, Clause)>;
    let lists: [(&str, List); 3] = [
        ("rejected", |c| &mut c.rejected),
        ("undefined", |c| &mut c.undefined),
        ("hangs", |c| &mut c.hangs),
    ];
    for (name, list) in lists {
        for target in [Target::Cpu, Target::A2a3, Target::A5] {
            let mut other = case.clone();
            let mut named = false;
            for (of, clause) in list(&mut other) {
                if *of == target {
                    (*clause, named) = (NOWHERE, true);
                }
            }
            if named {
                add(format!("{name} on {target}"), vec![other]);
            }
        }
    }
    for (n, entry) in case.expect.iter().enumerate() {
        let with = |change: &dyn Fn(&mut Expectation)| {
            let mut other = case.clone();
            change(&mut other.expect[n]);
            other
        };
        if !runs(case, entry) {
            // What is only stated must at least differ from what is run.
            let mut same = case.clone();
            let letter = entry.answer;
            let in_use = find(case.gap.expect("a gap").0).and_then(|e| e.gap);
            let in_use = in_use.expect("a gap of the register").in_use;
            same.expect.retain(|e| e.answer != letter);
            let copies = same.expect.iter().filter(|e| e.answer == Some(in_use));
            let copies: Vec<Expectation> = copies.cloned().collect();
            same.expect.extend(copies.into_iter().map(|e| Expectation {
                answer: letter,
                ..e
            }));
            add(format!("reading {letter:?} as the one in use"), vec![same]);
            continue;
        }
        let outcome = match entry.outcome {
            ExpectedOutcome::Result => ExpectedOutcome::Rejected,
            _ => ExpectedOutcome::Result,
        };
        add(
            format!("entry {n}, outcome"),
            vec![with(&|e| e.outcome = outcome)],
        );
        for (at, operand) in entry.slots.iter().enumerate() {
            for (slot, versions) in altered(operand) {
                let versions = versions
                    .iter()
                    .map(|v| with(&|e| e.slots[at] = changed(&e.slots[at], slot, v)));
                let what = format!("entry {n}, {}[{slot}]", operand.role);
                add(what, versions.collect());
            }
        }
        for at in 0..entry.trace.count.len() {
            add(
                format!("entry {n}, count {at}"),
                vec![with(&|e| e.trace.count[at].1 += 1)],
            );
        }
        if !entry.trace.order.is_empty() {
            let order = with(&|e| e.trace.order.push("no such event".to_owned()));
            add(format!("entry {n}, order"), vec![order]);
        }
        for at in 0..entry.spelled.len() {
            let spelled = with(&|e| e.spelled[at].1.push_str(" and more"));
            add(format!("entry {n}, spelling {at}"), vec![spelled]);
        }
    }
    all
}

/// Whether the case is run under the reading that `entry` is about.
fn runs(case: &Case, entry: &Expectation) -> bool {
    let Some(letter) = entry.answer else {
        return true;
    };
    let gap = case.gap.and_then(|gap| find(gap.0)).and_then(|e| e.gap);
    let gap = gap.expect("a case with answers has a gap");
    letter == gap.in_use || gap.reading(letter).is_some_and(|r| r.choice.is_some())
}

/// The first slot of each kind, altered.
fn altered(slots: &ExpectedSlots) -> Vec<(u64, Vec<ExpectedSlot>)> {
    let exactly = |bits: u64| ExpectedSlot::OneOf {
        bits: vec![bits],
        or_kept: false,
    };
    let mut all = Vec::new();
    let written = |s: &ExpectedSlot| matches!(s, ExpectedSlot::OneOf { .. });
    if let Some((run, slot)) = slots.runs().find(|(_, slot)| written(slot))
        && let ExpectedSlot::OneOf { bits, .. } = slot
    {
        let mut others = (0..).filter(|b| !bits.contains(b)).map(exactly);
        all.push((run.start, others.by_ref().take(2).collect()));
    }
    if let Some((run, _)) = slots.runs().find(|(_, s)| **s == ExpectedSlot::Kept) {
        all.push((run.start, vec![exactly(1), exactly(2)]));
    }
    all
}

/// The same with another token for one element.
fn changed(slots: &ExpectedSlots, at: u64, token: &ExpectedSlot) -> ExpectedSlots {
    let runs = slots.runs().flat_map(|(run, slot)| {
        let own = at.clamp(run.start, run.end)..(at + 1).clamp(run.start, run.end);
        [
            (own.start - run.start, slot.clone()),
            (own.end - own.start, token.clone()),
            (run.end - own.end, slot.clone()),
        ]
    });
    ExpectedSlots::new(slots.role, runs)
}

#[test]
fn every_altered_expectation_turns_its_case_red() {
    let mut flips: Vec<Flip> = CASES.iter().flat_map(flips).collect();
    assert!(flips.len() > 1000, "only {} expectations", flips.len());
    let mut green = Vec::new();
    // The next version of those that no version turned red so far.
    loop {
        let done = flips.extract_if(.., |flip| flip.versions.is_empty());
        green.extend(done.map(|flip| format!("{}: {}", flip.case, flip.what)));
        if flips.is_empty() {
            break;
        }
        let next = flips.iter_mut().filter_map(|flip| flip.versions.pop());
        let records = run(&next.collect::<Vec<_>>(), &Options::default()).expect("the cases run");
        let mut records = records.iter();
        flips.retain(|_| {
            let record = records.next();
            record.is_none_or(|record| record.verdict != Verdict::Violation)
        });
    }
    assert!(green.is_empty(), "still green:\n{}", green.join("\n"));
}

#[test]
fn every_covering_case_expects_something_and_all_kinds_of_clauses_have_some() {
    let mut areas: BTreeMap<(String, Kind), usize> = BTreeMap::new();
    for case in &*CASES {
        let expected = expected(case);
        for clause in &case.covers {
            let entry = find(clause.0).expect("the reader knows every clause");
            assert!(!expected.is_empty(), "{} expects nothing", case.id);
            let area = entry.id.split('-').next().expect("a document").to_owned();
            *areas.entry((area, entry.kind)).or_default() += 1;
        }
    }
    assert!(
        areas.len() >= 30,
        "{} kinds of clause by document",
        areas.len()
    );
}

fn expected(case: &Case) -> Vec<Target> {
    let lists = [&case.rejected, &case.undefined, &case.hangs];
    let listed = lists.into_iter().flatten().map(|(t, _)| *t);
    let entries = case.expect.iter().flat_map(|e| e.targets.iter().copied());
    listed.chain(entries).collect()
}
