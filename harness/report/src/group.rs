//! Divergences, grouped by failure group, the worst and the biggest first.

use std::{
    cell::LazyCell,
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    sync::Arc,
};

use ptodiff_isa::Party;
use ptodiff_record::{
    CaseRecord, Diagnosis, Finding, PairRecord, PairVerdict, Slot, TargetRecord, Wrong, counted,
    joined,
};

pub use crate::kind::Kind;
use crate::{
    cause::{Called, Calls, Cause, Causes, Did},
    kind::{is_own_word, place},
    share,
};

/// All divergences of one failure group.
#[derive(Clone, PartialEq, Debug)]
pub struct Divergence {
    /// What it is.
    pub kind: Kind,
    /// What it is called: the failure group, or of several those that show it and what their
    /// calls have in common or which mistake is behind them.
    pub failure_group: String,
    /// The failure groups in it, as the cases have them.
    pub failure_groups: BTreeSet<String>,
    /// What its calls have in common, where it is about what an implementation did.
    pub cause: Option<Cause>,
    /// Clauses cited in it.
    pub clauses: BTreeSet<String>,
    /// How many cases show it.
    pub cases: usize,
    /// The first of them, without its detail.
    pub first: Arc<CaseRecord>,
    /// The line of its file that this is about: what it expects, or the case.
    pub line: u32,
    /// One line that says what was found, from the first case.
    pub what: String,
    /// Why two parties may not stand side by side so, from the first case; none
    /// where one party alone is at fault, or where clauses permit it.
    pub why: Option<String>,
    /// What the waiver says that hides it, from the first case.
    pub waived: Option<String>,
    /// The first case's slots.
    pub slots: Vec<Slot>,
    /// How much of the first case's result is wrong.
    pub wrong: Option<Wrong>,
    /// The schedule that shows it, in the first case.
    pub schedule: Option<String>,
    /// What may be behind it, where that was looked for.
    pub diagnosis: Option<Diagnosis>,
    /// Numbers of the cases that show it, in order.
    shown_by: Vec<usize>,
    parties: BTreeSet<Party>,
    /// What [`Fails`] calls it: of several that became one what it called each.
    pub(crate) numbers: Vec<usize>,
}

impl Divergence {
    /// What a case shows alone, without its place: in no group yet.
    fn new(kind: Kind, failure_group: &str, first: &Arc<CaseRecord>, what: String) -> Self {
        Self {
            kind,
            failure_group: failure_group.to_owned(),
            failure_groups: BTreeSet::from([failure_group.to_owned()]),
            cause: None,
            clauses: BTreeSet::new(),
            cases: 1,
            first: Arc::clone(first),
            line: first.line,
            what,
            why: None,
            waived: None,
            slots: Vec::new(),
            wrong: None,
            schedule: None,
            diagnosis: None,
            shown_by: Vec::new(),
            parties: BTreeSet::new(),
            numbers: Vec::new(),
        }
    }

    /// What was found, and under which schedule.
    pub(crate) fn told(&self) -> String {
        match &self.schedule {
            Some(schedule) => format!("{}, schedule {schedule}", self.what.trim_end_matches('.')),
            None => self.what.clone(),
        }
    }

    /// What was found and, where the record says it, why that may not be.
    pub(crate) fn said(&self) -> String {
        let why = self.why.iter().map(|why| format!(": {why}"));
        std::iter::once(self.told()).chain(why).collect()
    }

    /// What the first case has of it: findings, each with whose it is.
    pub(crate) fn findings(&self) -> impl Iterator<Item = (&Party, &TargetRecord, &Finding)> {
        let all = self.first.targets.iter();
        let all = all.flat_map(|(party, t)| t.findings.iter().map(move |f| (party, t, f)));
        all.filter(|(.., f)| self.failure_groups.contains(&f.failure_group))
    }

    /// The outlier of the first case, if this is about it.
    pub(crate) fn outlier(&self) -> Option<&Party> {
        let outlier = self.first.outlier.as_ref()?;
        let in_pair = |pair: &PairRecord| {
            let (a, b) = &pair.targets;
            let mut groups = pair.failure_groups.iter();
            (a == outlier || b == outlier) && groups.any(|g| self.failure_groups.contains(g))
        };
        let own = self.findings().any(|(party, ..)| party == outlier);
        (own || self.first.pairs.iter().any(in_pair)).then_some(outlier)
    }

    /// Who alone says that the first case breaks the clause that is named, if that is so.
    pub(crate) fn named_by(&self) -> Option<&Party> {
        let own = self.findings().find(|(.., f)| is_own_word(f));
        own.map(|(party, ..)| party)
    }

    /// Whether an implementation leaves wrong values.
    #[must_use]
    pub fn shows_values(&self) -> bool {
        let mut findings = self.findings();
        let own = findings.any(|(party, ..)| party.form.is_some());
        self.kind == Kind::Violation && own && !self.slots.is_empty()
    }

    /// The last lines of standard error of the implementation that it is about.
    pub(crate) fn last_words(&self) -> &[String] {
        self.findings().next().map_or(&[], |(_, t, _)| &t.stderr)
    }

    /// The lines of its diagnosis, each with whether it is an explanation that is not weak.
    pub(crate) fn diagnosed(&self) -> Vec<(String, bool)> {
        let lines = |of: &Diagnosis| of.lines(self.parties.len() > 1);
        self.diagnosis.as_ref().map_or_else(Vec::new, lines)
    }

    /// The failure groups in it, where its name is none.
    pub(crate) fn several(&self) -> Option<Vec<&str>> {
        let all = || self.failure_groups.iter().map(String::as_str).collect();
        (!self.failure_groups.contains(&self.failure_group)).then(all)
    }

    /// The first case, whether something else than an element is shown of it, and its byte.
    pub(crate) fn begins(&self) -> (Option<&usize>, bool, i64) {
        let element = place(&self.failure_group) == Some("valid");
        let byte = self.slots.first().map_or(i64::MAX, |slot| slot.offset);
        (self.shown_by.first(), !element, byte)
    }

    /// Whether both say that targets do not meet an expectation, and all is equal but the
    /// targets and what they left.
    fn is_unmet_as(&self, other: &Self) -> bool {
        let place = |slot: &Slot| {
            let mut slot = slot.clone();
            slot.got.clear();
            (slot.whose, slot.schedule) = (Vec::new(), None);
            slot
        };
        let both = [self, other];
        let [own, theirs] = both.map(|group| without_party(&group.failure_group));
        let [slots, slots_of_other] =
            both.map(|group| group.slots.iter().map(place).collect::<Vec<_>>());
        both.iter().all(|group| group.kind == Kind::Expectation)
            && own == theirs
            && (self.line, &self.what) == (other.line, &other.what)
            && self.shown_by == other.shown_by
            && slots == slots_of_other
    }

    /// Adds what another target did, which [is alike](Self::is_unmet_as).
    fn join_unmet(&mut self, other: Self) {
        for (slot, theirs) in self.slots.iter_mut().zip(&other.slots) {
            slot.got.extend(theirs.got.clone());
            if slot.whose != theirs.whose {
                slot.whose.clear();
            }
        }
        if self.wrong != other.wrong {
            self.wrong = None;
        }
        if self.schedule != other.schedule {
            self.schedule = None;
        }
        self.join(other);
        self.name_all();
    }

    /// Calls it by all its parties and places, where it has several.
    fn name_all(&mut self) {
        let places = self.failure_groups.iter().filter_map(|group| place(group));
        let places: BTreeSet<&str> = places.collect();
        let parts: Vec<&str> = self.failure_group.splitn(4, ' ').collect();
        let is_several = self.parties.len() > 1 || places.len() > 1;
        if let ([instruction, _, _, rest], true) = (&parts[..], is_several) {
            let (parties, places) = (joined(&self.parties, "+"), joined(places, "+"));
            self.failure_group = format!("{instruction} {parties} {places} {rest}");
        }
    }

    /// Adds one of the same cause or mistake; the one of the earlier case shows what it is. Of
    /// several causes that of most calls is told: then it is a case of that.
    fn join(&mut self, other: Self) {
        let calls = |of: &Self| Reverse(of.cause.as_ref().map(|cause| cause.wrong));
        let shows = (calls(&other), other.begins()) < (calls(self), self.begins());
        self.failure_groups.extend(other.failure_groups);
        self.clauses.extend(other.clauses);
        self.parties.extend(other.parties);
        self.numbers.extend(other.numbers);
        if shows {
            (self.failure_group, self.cause) = (other.failure_group, other.cause);
            (self.first, self.what, self.slots) = (other.first, other.what, other.slots);
            self.line = other.line;
            (self.wrong, self.schedule) = (other.wrong, other.schedule);
        }
        self.shown_by.extend(other.shown_by);
        self.shown_by.sort_unstable();
        self.shown_by.dedup();
        self.cases = self.shown_by.len();
    }
}

/// The `most` of `groups` with the most cases, in the order in which they stand.
pub fn biggest<'a>(
    groups: impl IntoIterator<Item = &'a Divergence>,
    most: usize,
) -> impl Iterator<Item = &'a Divergence> {
    let mut all: Vec<(usize, &Divergence)> = groups.into_iter().enumerate().collect();
    all.sort_by_key(|(_, group)| Reverse(group.cases));
    all.truncate(most);
    all.sort_unstable_by_key(|(n, _)| *n);
    all.into_iter().map(|(_, group)| group)
}

/// The divergences of cases that come one after the other. Of each group the
/// first case is kept.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    all: BTreeMap<Key, Divergence>,
    calls: Calls,
    diagnoses: Vec<Diagnosis>,
    cases: usize,
}

/// A failure group, and the kind of calls that go wrong: those of one failure group may have
/// several causes.
type Key = (Kind, String, Option<Called>);

/// What makes a case fail.
#[derive(Clone, Debug)]
pub struct Fails {
    /// The party that does it, or the two that differ.
    pub parties: Vec<Party>,
    /// It alone, as if no other case had it.
    pub(crate) found: Divergence,
}

impl Fails {
    /// Whether a waiver hides it.
    #[must_use]
    pub const fn is_waived(&self) -> bool {
        self.found.waived.is_some()
    }

    /// The number of its group: one of those in [`Groups::by_cause`].
    #[must_use]
    pub fn group(&self) -> usize {
        self.found.numbers[0]
    }
}

/// Failure groups whose calls are told apart: of each kind a case is kept.
const KEPT: usize = 2_000;

impl Groups {
    /// Adds the divergences of the next case: who does what fails it, and the group of that.
    pub fn add(&mut self, case: &CaseRecord) -> Vec<Fails> {
        self.add_but(case, |_, _| None)
    }

    /// The same with waivers: what is said of the one that hides a failure group of a party or
    /// of two (`a5` or `cpu/a5`), if there is one.
    pub fn add_but(
        &mut self,
        case: &CaseRecord,
        waived: impl Fn(&str, &str) -> Option<String>,
    ) -> Vec<Fails> {
        let mut fails = Vec::new();
        self.cases += 1;
        // Most cases show none.
        let first = LazyCell::new(|| {
            Arc::new(CaseRecord {
                detail: None,
                ..case.clone()
            })
        });
        for (party, target) in &case.targets {
            let called = self.calls.add(case, party, target);
            for finding in &target.findings {
                let waived = waived(&finding.failure_group, &party.to_string());
                // Why it is wrong is said by its waiver.
                let called =
                    called.filter(|(did, _)| waived.is_none() && Did::of(finding) == Some(*did));
                let kind = waived.as_ref().map_or(Kind::of(finding), |_| Kind::Waived);
                let found = Divergence {
                    waived,
                    clauses: finding.clause.iter().cloned().collect(),
                    line: finding.line.unwrap_or(case.line),
                    slots: finding.slot.iter().cloned().collect(),
                    wrong: target.wrong.filter(|_| !finding.is_of_scratch()),
                    schedule: finding.schedule.clone(),
                    parties: BTreeSet::from([party.clone()]),
                    ..Divergence::new(kind, &finding.failure_group, &first, finding.what.clone())
                };
                fails.push(Fails {
                    parties: vec![party.clone()],
                    found: self.take(found, called),
                });
            }
        }
        for pair in &case.pairs {
            let permitted = match pair.verdict {
                PairVerdict::Permitted => true,
                PairVerdict::Violation => false,
                PairVerdict::Agree | PairVerdict::NotCompared => continue,
            };
            let (a, b) = &pair.targets;
            for failure_group in &pair.failure_groups {
                let waived = match permitted {
                    true => None,
                    false => waived(failure_group, &format!("{a}/{b}")),
                };
                let kind = match (permitted, &waived) {
                    (true, _) => Kind::Permitted,
                    (false, Some(_)) => Kind::Waived,
                    (false, None) => Kind::Violation,
                };
                let clauses = share::clauses(pair, failure_group);
                let found = Divergence {
                    clauses: clauses.map(str::to_owned).collect(),
                    why: pair.why.clone(),
                    waived,
                    slots: share::slots(pair, failure_group).cloned().collect(),
                    ..Divergence::new(kind, failure_group, &first, differ_in_kinds(pair))
                };
                let found = self.take(found, None);
                if !permitted {
                    fails.push(Fails {
                        parties: vec![a.clone(), b.clone()],
                        found,
                    });
                }
            }
        }
        fails
    }

    /// Adds what was found of a case to its group, whose number it gets.
    fn take(&mut self, mut found: Divergence, called: Option<Called>) -> Divergence {
        let mut key = (found.kind, found.failure_group.clone(), called);
        if self.all.len() >= KEPT && !self.all.contains_key(&key) {
            key.2 = None;
        }
        found.numbers.push(self.all.len());
        found.shown_by.push(self.cases);
        match self.all.entry(key) {
            Entry::Vacant(new) => drop(new.insert(found.clone())),
            Entry::Occupied(known) => {
                let group = known.into_mut();
                found.numbers.clone_from(&group.numbers);
                group.clauses.extend(found.clauses.iter().cloned());
                group.parties.extend(found.parties.iter().cloned());
                if group.shown_by.last() != Some(&self.cases) {
                    group.shown_by.push(self.cases);
                    group.cases += 1;
                }
            }
        }
        found
    }

    /// The groups of violations, after all cases and without what is diagnosed: by the name that
    /// each has then, and the numbers that [`Fails`] has of it.
    #[must_use]
    pub fn by_cause(&self) -> Vec<(String, Vec<usize>)> {
        let all = self.clone().violations().into_iter();
        all.map(|group| (group.failure_group, group.numbers))
            .collect()
    }

    fn violations(mut self) -> Vec<Divergence> {
        self.all.retain(|(kind, ..), _| kind.fails());
        unmet_alike(by_cause(self.all, &self.calls.causes()))
    }

    /// Adds what may be behind a group, after all cases.
    pub fn diagnosed(&mut self, diagnosis: &Diagnosis) {
        self.diagnoses.push(diagnosis.clone());
    }

    /// The groups, in the order in which all reports have them: violations, wrong results
    /// before checks that are not there, then expectations that are not met, then what is waived
    /// and what clauses permit; the biggest first.
    #[must_use]
    pub fn sorted(mut self) -> Vec<Divergence> {
        let others = self.all.extract_if(.., |(kind, ..), _| !kind.fails());
        let others: Vec<Divergence> = others.map(|(_, group)| group).collect();
        let diagnoses = std::mem::take(&mut self.diagnoses);
        let mut all = by_mistake(self.violations(), diagnoses);
        all.extend(others);
        let unchecked = |d: &Divergence| place(&d.failure_group) == Some("rejection");
        all.sort_by_key(|d| (d.kind, unchecked(d), Reverse(d.cases)));
        all
    }
}

/// The groups of violations, those of one cause as one.
fn by_cause(all: BTreeMap<Key, Divergence>, causes: &Causes) -> Vec<Divergence> {
    let mut groups: BTreeMap<(Option<usize>, Option<String>), Divergence> = BTreeMap::new();
    let chance = by_chance(&all, causes);
    for ((.., called), mut group) in all {
        let cause = called.and_then(|called| causes.of(called));
        let cause = cause.filter(|n| !chance.contains(n));
        // What has the same words and no result is one group, whatever its calls have in common.
        let ran = called.is_some_and(|(did, _)| did == Did::Wrong);
        group.cause = cause.filter(|_| !ran).map(|n| causes.all[n].clone());
        let cause = cause.filter(|_| ran);
        // Without a cause it is what an implementation does wrong on any target.
        let key = (cause, cause.is_none().then(|| on_any_target(&group)));
        match groups.get_mut(&key) {
            Some(same) => same.join(group),
            None => {
                groups.insert(key, group);
            }
        }
    }
    let mut often: BTreeMap<String, usize> = BTreeMap::new();
    for group in groups.values().flat_map(|g| &g.failure_groups) {
        *often.entry(group.clone()).or_default() += 1;
    }
    for ((cause, _), group) in &mut groups {
        let Some(cause) = cause.map(|n| &causes.all[n]) else {
            group.name_all();
            // The name of all its cases is that of a waiver.
            if group.failure_groups.iter().any(|g| often[g] > 1) {
                group.failure_group.push_str(" of other calls");
            }
            continue;
        };
        let alone = group.failure_groups.len() == 1;
        if !alone || group.failure_groups.iter().any(|g| often[g] > 1) {
            group.failure_group = name(group, &cause.properties.join(", "));
        }
        group.cause = Some(cause.clone());
    }
    groups.into_values().collect()
}

/// Fewer calls that break different rules have something in common by chance.
const FEW: usize = 3;

/// The causes of few calls of which no failure group has all.
fn by_chance(all: &BTreeMap<Key, Divergence>, causes: &Causes) -> BTreeSet<usize> {
    let mut cases: BTreeMap<usize, BTreeMap<String, BTreeSet<usize>>> = BTreeMap::new();
    for ((.., called), group) in all {
        let cause = called.and_then(|called| causes.of(called));
        if let Some(n) = cause.filter(|n| causes.all[*n].own < FEW) {
            let of_cause = cases.entry(n).or_default();
            let of_group = of_cause.entry(on_any_target(group)).or_default();
            of_group.extend(&group.shown_by);
        }
    }
    let apart = cases.into_iter().filter(|(_, groups)| {
        let all: BTreeSet<usize> = groups.values().flatten().copied().collect();
        !groups.values().any(|of_group| *of_group == all)
    });
    apart.map(|(n, _)| n).collect()
}

/// `groups`, each with what was diagnosed of it, and those that one mistake explains as one: that
/// tells more than what their calls have in common.
fn by_mistake(groups: Vec<Divergence>, diagnoses: Vec<Diagnosis>) -> Vec<Divergence> {
    // With the names by which they are diagnosed.
    let named = |group: Divergence| (vec![group.failure_group.clone()], group);
    let mut all: Vec<(Vec<String>, Divergence)> = groups.into_iter().map(named).collect();
    for diagnosis in diagnoses {
        let is_own = |names: &[String]| {
            let mut own = std::iter::once(&diagnosis.failure_group).chain(&diagnosis.also);
            own.any(|name| names.contains(name))
        };
        let Some(first) = all.iter().position(|(names, _)| is_own(names)) else {
            continue;
        };
        let mut own = all.extract_if(first.., |(names, _)| is_own(names));
        let Some((mut names, mut group)) = own.next() else {
            continue;
        };
        for (others, mut other) in own {
            names.extend(others);
            (group.cause, other.cause) = (None, None);
            group.join(other);
        }
        if let (Some(fit), true) = (diagnosis.fits.first(), names.len() > 1) {
            group.failure_group = name(&group, &fit.sentence);
        }
        // Of several parties the one that shows most.
        let failures = |of: &Diagnosis| of.failures;
        if group.diagnosis.as_ref().map(failures) < Some(diagnosis.failures) {
            group.diagnosis = Some(diagnosis);
        }
        all.insert(first, (names, group));
    }
    all.into_iter().map(|(_, group)| group).collect()
}

/// `groups`, with an expectation that several targets do not meet in the same way as one.
fn unmet_alike(groups: Vec<Divergence>) -> Vec<Divergence> {
    let mut all: Vec<Divergence> = Vec::new();
    for group in groups {
        match all.iter_mut().find(|other| other.is_unmet_as(&group)) {
            Some(same) => same.join_unmet(group),
            None => all.push(group),
        }
    }
    all
}

/// The name of a group that several failure groups are in: the instructions and parties
/// of those, and what is behind them.
fn name(group: &Divergence, behind: &str) -> String {
    let instructions = group.failure_groups.iter();
    let instructions = instructions.filter_map(|g| g.split(' ').next());
    let instructions: BTreeSet<&str> = instructions.collect();
    let [instructions, parties] = [joined(instructions, "+"), joined(&group.parties, "+")];
    format!("{instructions} {parties} {behind}")
}

/// The failure group of an implementation with its name in the place of the party, which has a
/// target, too, and of a scratch that of the tile, which is a copy of it; any other as it is.
fn on_any_target(group: &Divergence) -> String {
    let own = group.failure_group.replacen(" scratch ", " valid ", 1);
    let name = group.parties.first().and_then(|one| one.form.as_deref());
    match (name, without_party(&own)) {
        (Some(name), Some((instruction, rest))) => format!("{instruction} {name} {rest}"),
        _ => own,
    }
}

/// A failure group without its second word, the party.
fn without_party(group: &str) -> Option<(&str, &str)> {
    let (instruction, rest) = group.split_once(' ')?;
    Some((instruction, rest.split_once(' ')?.1))
}

/// The failure groups of a case, and whether each is of a violation.
pub(crate) fn failure_groups(case: &CaseRecord) -> BTreeMap<&str, bool> {
    let findings = case.targets.values().flat_map(|target| &target.findings);
    let findings = findings.map(|finding| (finding.failure_group.as_str(), true));
    let mut all: BTreeMap<&str, bool> = findings.collect();
    for pair in &case.pairs {
        for failure_group in &pair.failure_groups {
            *all.entry(failure_group).or_default() |= pair.verdict == PairVerdict::Violation;
        }
    }
    all
}

/// The divergences of `cases`, as [`Groups::sorted`].
#[must_use]
pub fn groups(cases: &[CaseRecord]) -> Vec<Divergence> {
    let mut all = Groups::default();
    for case in cases {
        all.add(case);
    }
    all.sorted()
}

pub(crate) fn differ(pair: &PairRecord) -> String {
    let (a, b) = &pair.targets;
    format!("{a} and {b} differ in {}", counted(pair.differing, "slot"))
}

/// As [`differ`], with how many kinds of slots that are: a group is about one.
fn differ_in_kinds(pair: &PairRecord) -> String {
    match pair.failure_groups.len() {
        0 | 1 => differ(pair),
        kinds => format!("{} of {kinds} kinds", differ(pair)),
    }
}
