//! A record held against the baseline and the waivers.

use std::collections::BTreeSet;
use std::sync::Arc;

use ptodiff_case::waiver::{Date, Waivers};
use ptodiff_isa::{Party, Target};
use ptodiff_record::{CaseRecord, Covers, Header, counted, joined};

use crate::baseline::Baseline;
use crate::failure::{Failure, Kind};
use crate::shown::{self, sound};
use crate::violation::{Place, Violations};
use crate::waive::{self, Open, Waived, few};

/// A run as its record has it, whose cases come one after the other.
#[derive(Debug)]
pub struct Run {
    /// Whether what is flaky fails the gate.
    pub fail_flaky: bool,
    pub(crate) header: Header,
    /// What it shows.
    pub(crate) shown: Baseline,
    pub(crate) violations: Violations,
    /// How many cases an implementation did not say that it cannot run.
    pub(crate) answered: u64,
    /// The cases that are violations.
    pub(crate) red: Vec<Red>,
    /// Lists of results, each kept once.
    known: BTreeSet<Arc<[String]>>,
}

impl Run {
    /// A run with this header, in which a test of the harness covers each of the
    /// clauses `tests`.
    #[must_use]
    pub fn new(header: &Header, tests: &[&str]) -> Self {
        Self {
            fail_flaky: false,
            header: header.clone(),
            shown: Baseline::new(header, tests),
            violations: Violations::default(),
            answered: 0,
            red: Vec::new(),
            known: BTreeSet::new(),
        }
    }

    /// Adds the next case.
    pub fn add(&mut self, case: &CaseRecord) {
        self.shown.add(case, &mut self.known);
        self.violations.add(case);
        self.answered += u64::from(self.header.has_answer(case));
        if !sound(case) {
            self.red.push(Red {
                id: case.id.clone(),
                covers: case.covers.clone(),
                wrong: shown::wrong(case),
            });
        }
    }

    /// The run of all these cases.
    #[must_use]
    pub fn of(header: &Header, cases: &[CaseRecord], tests: &[&str]) -> Self {
        let mut run = Self::new(header, tests);
        cases.iter().for_each(|case| run.add(case));
        run
    }

    /// What it would show if nothing of it were wrong.
    pub(crate) fn mended(&self) -> Baseline {
        let mut mended = self.shown.clone();
        self.red.iter().for_each(|red| mended.cover(&red.covers));
        mended
    }

    /// What it shows, as a baseline.
    #[must_use]
    pub const fn shown(&self) -> &Baseline {
        &self.shown
    }
}

/// A case that is a violation.
#[derive(Debug)]
pub(crate) struct Red {
    pub(crate) id: String,
    covers: Covers,
    /// As [`shown::wrong`].
    pub(crate) wrong: Vec<String>,
}

/// What came of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Judged {
    /// Why the gate fails; none where it passes. In the order of their
    /// kinds, and in each of what they are about, or of the file of waivers.
    pub failures: Vec<Failure>,
    /// Of each violation that could be waived the entry of the file of waivers that would hide
    /// it, but for why, who and until when; in the order of `failures`.
    pub entries: Vec<String>,
    /// What comes of violations, those that are waived too, and goes with them: clauses and
    /// gaps that only their cases cover.
    pub follow: Vec<Failure>,
    /// What waivers hide, in the order of their file.
    pub waived: Vec<Waived>,
    /// Waivers that hide nothing, as places in [`Waivers::list`].
    pub unused: Vec<usize>,
    /// Cases that the baseline does not know, by id, in the order of ids.
    pub unlisted: Vec<String>,
    /// Implementations that have a result in no case of the baseline.
    pub new_parties: Vec<Party>,
}

/// Holds `run` against `baseline` and `waivers`, as of `today`.
#[must_use]
pub fn judge(baseline: &Baseline, waivers: &Waivers, run: &Run, today: Date) -> Judged {
    if let Some(failure) = other_run(baseline, &run.header) {
        return Judged {
            failures: vec![failure],
            ..Judged::default()
        };
    }
    let (now, violations) = (&run.shown, &run.violations);
    let left = waive::apply(run, waivers, today);
    let mut failures: Vec<Failure> = Vec::new();
    for open in &left.open {
        let parties = violations.parties(open.key);
        failures.push(violation(open, parties, waivers));
    }
    failures.extend(violations.unsigned.iter().map(unsigned));
    cases(&mut failures, baseline, now);
    expectations(&mut failures, baseline, now);
    let follow = losses(&mut failures, baseline, run);
    for hole in baseline.holes.difference(&now.holes) {
        let what = "the hole is known, and no case shows it any more".to_owned();
        failures.push(loss(Kind::HoleGone, hole, what));
    }
    failures.extend(left.failures);
    failures.sort_by_key(|failure| failure.kind);
    let in_none = |party: &&Party| {
        let name = party.to_string();
        baseline.cases.values().all(|own| !own.contains(&name))
    };
    let new_parties = now.implementations.iter().filter(in_none);
    let is_new = |id: &&String| !baseline.cases.contains_key(*id);
    let new = now.cases.keys().filter(is_new);
    // What is flaky goes with what it is of.
    let alike = left.open.chunk_by(|one, next| one.key == next.key);
    let mut alike: Vec<&[Open<'_>]> = alike.collect();
    alike.sort_by_key(|open| open[0].kind());
    let entry = |open: &[Open<'_>]| waive::entry(open, violations.parties(open[0].key));
    Judged {
        failures,
        entries: alike.into_iter().map(entry).collect(),
        follow,
        waived: left.waived,
        unused: left.unused,
        unlisted: new.cloned().collect(),
        new_parties: new_parties.cloned().collect(),
    }
}

/// Why a record cannot be held against the baseline.
pub(crate) fn other_run(baseline: &Baseline, header: &Header) -> Option<Failure> {
    let failure = |what: String, remedy: &str| {
        Some(Failure {
            kind: Kind::OtherRun,
            about: "the record".to_owned(),
            what,
            remedy: remedy.to_owned(),
        })
    };
    if let Some(part) = &header.part {
        let what = format!(
            "it is the part {} of a run of {}",
            part.partition,
            counted(part.of, "case")
        );
        return failure(what, "put the parts together with `ptodiff merge` first");
    }
    if header.targets != baseline.targets {
        let [ran, known] = [&header.targets, &baseline.targets].map(|own| joined(own, " "));
        let what = format!("it is of a run on {ran}, and the baseline of one on {known}");
        return failure(
            what,
            "run on the same targets: --target, or [run] targets of ptodiff.toml",
        );
    }
    let took_part = |party: &Party| header.implementations.iter().any(|s| s.party == *party);
    if let Some(missing) = baseline
        .implementations
        .iter()
        .find(|party| !took_part(party))
    {
        let what = format!("the baseline is of a run with {missing}, which takes no part in it");
        return failure(
            what,
            "run with the same implementations, or accept it: the same command with `--bless`",
        );
    }
    if header.readings != baseline.readings {
        let names = |readings: &[(String, String)]| match readings {
            [] => "the cases' own readings".to_owned(),
            some => joined(
                some.iter().map(|(gap, choice)| format!("{gap}={choice}")),
                " ",
            ),
        };
        let (ran, known) = (names(&header.readings), names(&baseline.readings));
        let what = format!("it is of a run under {ran}, and the baseline of one under {known}");
        return failure(
            what,
            "run under the same readings: --reading, or [run] readings of ptodiff.toml",
        );
    }
    if let Some(seed) = baseline.seed.filter(|seed| *seed != header.seed) {
        let ran = header.seed;
        let what = format!("it is of a run of seed {ran}, and the baseline of one of seed {seed}");
        return failure(what, "run with the same seed: --seed");
    }
    let on_a5 = header.targets.contains(&Target::A5);
    let more = |known: &u32| on_a5 && *known > header.schedules;
    if let Some(known) = baseline.schedules.filter(more) {
        let ran = header.schedules;
        let what = format!(
            "it is of a run under {}, and the baseline of one under {known}",
            counted(ran as usize, "schedule")
        );
        return failure(what, "run under as many: --schedules");
    }
    None
}

fn violation(open: &Open<'_>, parties: &str, waivers: &Waivers) -> Failure {
    let count = counted(open.shown.len(), "case");
    let group = &open.key.failure_group;
    let first = open.shown.first();
    let once = first.and_then(|first| first.once.as_deref());
    let once = once.map(|what| format!(": wrong once and right when asked again: {what}"));
    let kind = open.kind();
    let mend = match kind {
        Kind::ExpectationNotMet => "fix it or the case",
        _ => "fix it",
    };
    let first = first.map(|first| format!(", first {}", first.case));
    let [first, once] = [first, once].map(Option::unwrap_or_default);
    Failure {
        kind,
        about: group.to_string(),
        what: format!("{count} of {parties}{first}{once}"),
        remedy: format!(
            "{mend}, or waive the failure group in {}",
            waivers.file.path.display()
        ),
    }
}

fn unsigned(case: &Place) -> Failure {
    Failure {
        kind: Kind::Violation,
        about: case.id.clone(),
        what: format!(
            "{}:{} is a violation and has no failure group, so that nothing can waive it",
            case.file, case.line
        ),
        remedy: "fix it".to_owned(),
    }
}

/// That something is not there any more, or less of it, which may be as it should be.
fn loss(kind: Kind, about: &str, what: String) -> Failure {
    let mend = match kind {
        Kind::CaseGone => "put it back under its id",
        Kind::CaseNotRun => "let it run there again",
        Kind::ExpectationLost => "put back what it expects",
        Kind::HoleGone => "put back a case that shows it",
        _ => "put back a case that covers it",
    };
    Failure {
        kind,
        about: about.to_owned(),
        what,
        remedy: format!("{mend}, or accept the loss: the same command with `--bless`"),
    }
}

/// Cases that are gone or show less than they did.
fn cases(failures: &mut Vec<Failure>, baseline: &Baseline, now: &Baseline) {
    for (id, before) in &baseline.cases {
        let Some(after) = now.cases.get(id) else {
            let what = "the case is not in the record".to_owned();
            failures.push(loss(Kind::CaseGone, id, what));
            continue;
        };
        let lost = before.iter().filter(|was| !after.contains(was));
        let (pairs, parties): (Vec<&str>, Vec<&str>) =
            lost.map(String::as_str).partition(|was| was.contains('/'));
        let what = match (&parties[..], &pairs[..]) {
            ([], []) => continue,
            ([], pairs) => format!("{} are compared no longer", few(pairs)),
            // What has no result is compared with nothing.
            (parties, _) => format!("no result any more on {}", few(parties)),
        };
        failures.push(loss(Kind::CaseNotRun, id, what));
    }
}

/// Cases that are still there and expect less than they did.
fn expectations(failures: &mut Vec<Failure>, baseline: &Baseline, now: &Baseline) {
    for (id, before) in &baseline.expects {
        let after = now.expects.get(id).map_or(&[][..], Vec::as_slice);
        let lost = before.iter().filter(|target| !after.contains(target));
        let lost = joined(lost, ", ");
        if lost.is_empty() || !now.cases.contains_key(id) {
            continue;
        }
        let what = format!("it expects nothing of {lost} any more");
        failures.push(loss(Kind::ExpectationLost, id, what));
    }
}

/// Adds the clauses and gaps that are covered less than they were; those that cases cover
/// which fail for another reason, waived or not, come of that.
fn losses(failures: &mut Vec<Failure>, baseline: &Baseline, run: &Run) -> Vec<Failure> {
    let mended = run.mended();
    let (mut all, mut own) = (Vec::new(), Vec::new());
    covers(&mut all, baseline, &run.shown);
    covers(&mut own, baseline, &mended);
    all.retain(|lost: &Failure| own.iter().all(|one| one.about != lost.about));
    failures.append(&mut own);
    all
}

/// Clauses and gaps that are covered less than they were.
fn covers(failures: &mut Vec<Failure>, baseline: &Baseline, now: &Baseline) {
    let mut lost = |about: &str, what: String| failures.push(loss(Kind::CoverageLost, about, what));
    for (clause, before) in &baseline.clauses {
        let after = now.clauses.get(clause);
        let mut weaker = Vec::new();
        for (target, was) in before {
            match after.and_then(|after| after.get(target)) {
                Some(is) if is >= was => {}
                Some(is) => weaker.push(format!("{target} {is}")),
                None => weaker.push(format!("{target} by nothing")),
            }
        }
        if !weaker.is_empty() {
            lost(
                clause,
                format!("covered less than before: on {}", weaker.join(", on ")),
            );
        }
    }
    for (gap, was) in &baseline.gaps {
        match now.gaps.get(gap) {
            Some(is) if is >= was => {}
            Some(is) => lost(gap, format!("distinguished {is}, and {was} before")),
            None => lost(gap, "its readings are distinguished no longer".to_owned()),
        }
    }
}
