//! From what a hunt found to smallest cases, one a distinct hole.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_case::{Case, Form, Hole, HoleKind};
use ptodiff_generate::stimulus;
use ptodiff_isa::{Clause, Schedule, Target};
use ptodiff_record::joined;
use ptodiff_runner::trial;
use rayon::prelude::*;

use crate::{
    Found, Group, Known, Seen,
    explain::explain,
    plan::{Drawer, Plan},
    shrink::shrink,
};

/// The distinct holes of one group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Distinct {
    /// The form of the call.
    pub form: Form,
    /// The holes: one kind, the same clauses, on each target the worst place.
    pub holes: Vec<Hole>,
    /// Which holes of the group showed together, and in which cases.
    together: BTreeMap<Vec<Hole>, Seen>,
}

impl Distinct {
    /// In how many cases of the hunt `hole` showed, and the first of them.
    #[must_use]
    pub fn seen(&self, hole: &Hole) -> Option<Seen> {
        let showing = self.together.iter().filter(|(all, _)| all.contains(hole));
        let showing = showing.map(|(_, seen)| *seen);
        showing.reduce(|one, other| Seen {
            count: one.count + other.count,
            first: one.first.min(other.first),
        })
    }

    /// The case that shows the most of `needed`, of equals the one seen first.
    fn best(&self, needed: &[Hole]) -> Option<(Vec<Hole>, u64)> {
        let shown = |holes: &[Hole]| -> Vec<Hole> {
            holes
                .iter()
                .filter(|hole| needed.contains(hole))
                .cloned()
                .collect()
        };
        let all = self.together.iter();
        let all = all.map(|(holes, seen)| (shown(holes), seen.first));
        all.filter(|(shown, _)| !shown.is_empty())
            .max_by_key(|(shown, first)| (shown.len(), std::cmp::Reverse(*first)))
    }
}

/// How often a case is tried while it is shrunk.
const TRIES: usize = 3000;

/// The distinct holes of `found`: of each group and target the worst place,
/// without those of which a part of the clauses is a hole already.
#[must_use]
pub fn distinct(found: &Found) -> Vec<Distinct> {
    let of_group = |(group, together): (&Group, &BTreeMap<Vec<Hole>, Seen>)| {
        let mut holes = worst(together);
        holes.retain(|hole| !by_fewer(found, group, hole));
        (!holes.is_empty()).then(|| Distinct {
            form: group.form,
            holes: holes.into_iter().collect(),
            together: together.clone(),
        })
    };
    found.holes.iter().filter_map(of_group).collect()
}

/// Of the holes of a group that differ in their place only, the worst.
fn worst(together: &BTreeMap<Vec<Hole>, Seen>) -> BTreeSet<Hole> {
    let mut worst: BTreeMap<_, Hole> = BTreeMap::new();
    for hole in together.keys().flatten() {
        let known = worst.entry(&hole.targets).or_insert_with(|| hole.clone());
        known.place = known.place.min(hole.place);
    }
    worst.into_values().collect()
}

/// Whether some but not all of the clauses of `hole` are a hole on its targets.
fn by_fewer(found: &Found, group: &Group, hole: &Hole) -> bool {
    let fewer = |other: &Group| {
        other.clauses.len() < hole.clauses.len()
            && other
                .clauses
                .iter()
                .all(|clause| hole.clauses.contains(clause))
    };
    let same = |other: &&Group| other.form == group.form && other.kind == group.kind;
    let smaller = found.holes.keys().filter(same).filter(|other| fewer(other));
    smaller
        .flat_map(|other| found.holes[other].keys().flatten())
        .any(|other| other.targets == hole.targets)
}

/// Smallest cases that show the holes of `distinct` which `known` does not
/// have, as few as are needed, on the threads at hand. Each has a name, a
/// sentence, literal data and the holes that it shows.
#[must_use]
pub fn distil(plan: &Plan, distinct: &[Distinct], known: &Known) -> Vec<Case> {
    let drawer = Drawer::new(plan);
    let drawn = |number| drawer.number(number).case;
    smallest_of(plan.seed, &drawn, distinct, known)
}

/// The same where `of` gives the case of a number, drawn for `seed`.
pub(crate) fn smallest_of(
    seed: u64,
    of: &(dyn Fn(u64) -> Case + Sync),
    distinct: &[Distinct],
    known: &Known,
) -> Vec<Case> {
    let group = |one: &Distinct| {
        let mut needed = one.holes.clone();
        needed.retain(|hole| !known.has(one.form, hole));
        let mut cases = Vec::new();
        while let Some((holes, number)) = one.best(&needed) {
            let case = smallest(&of(number), seed, &holes);
            let case = widened(case, seed, &needed);
            needed.retain(|hole| !case.holes.contains(hole));
            cases.push(case);
        }
        cases
    };
    distinct.par_iter().flat_map_iter(group).collect()
}

/// `case` with its data as literals, shrunk as long as it shows all of `holes`.
fn smallest(case: &Case, seed: u64, holes: &[Hole]) -> Case {
    let mut keeps = |case: &Case| shows(case, seed, holes);
    let small = shrink(case, seed, TRIES, &mut keeps);
    // Of what a case of a file says, only what makes its call.
    let mut case = Case {
        chunks: small.chunks,
        data: small.data,
        targets: small.targets,
        readings: small.readings,
        ..Case::of_call("", small.call)
    };
    describe(&mut case, holes.to_vec());
    case
}

/// `case` on all targets, if it shows more of `needed` there than its own holes.
fn widened(case: Case, seed: u64, needed: &[Hole]) -> Case {
    let mut wide = case.clone();
    wide.targets = Form::of(&case.call).targets().to_vec();
    let found = found(&wide, seed, &case.holes);
    let holes: Vec<Hole> = needed
        .iter()
        .filter(|h| found.contains(h))
        .cloned()
        .collect();
    let all = case.holes.iter().all(|hole| holes.contains(hole));
    if !all || holes.len() == case.holes.len() || !shows(&wide, seed, &holes) {
        return case;
    }
    let shown = |target: &Target| holes.iter().any(|hole| hole.targets.contains(target));
    let mut some = wide.clone();
    some.targets.retain(shown);
    // A target without a hole may be the one that another differs from.
    if shows(&some, seed, &holes) {
        wide = some;
    }
    describe(&mut wide, holes);
    wide
}

fn describe(case: &mut Case, holes: Vec<Hole>) {
    case.name = name(&holes);
    case.id.clone_from(&case.name);
    case.about = Some(explain(&holes));
    case.holes = holes;
}

/// The holes of `case`; those of open readings for the clauses of `like` only.
fn found(case: &Case, seed: u64, like: &[Hole]) -> Vec<Hole> {
    let steps = stimulus(case, seed).steps;
    let trial = trial(case, &steps, &Schedule::InOrder);
    if !trial.unexplained().is_empty() {
        return Vec::new();
    }
    let open = like
        .iter()
        .filter(|hole| hole.kind == HoleKind::OpenReading);
    let gaps: Vec<Clause> = open.flat_map(|hole| hole.clauses.iter().copied()).collect();
    let mut found = trial.holes();
    if !gaps.is_empty() {
        found.extend(trial.open_readings(&gaps));
    }
    found
}

/// Whether `case` shows all of `holes`, and nothing that no clause explains.
#[must_use]
pub fn shows(case: &Case, seed: u64, holes: &[Hole]) -> bool {
    let found = found(case, seed, holes);
    holes.iter().all(|hole| found.contains(hole))
}

/// `unchecked-precondition.MSCATTER-OOB-02.cpu.a5`
fn name(holes: &[Hole]) -> String {
    let Some(first) = holes.first() else {
        return String::new();
    };
    let clauses = joined(&first.clauses, "+");
    let targets = joined(holes.iter().map(|hole| joined(&hole.targets, "-")), ".");
    format!("{}.{clauses}.{targets}", first.kind)
}
