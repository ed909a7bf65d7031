//! Divergences, grouped by failure group, the worst and the biggest first.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    sync::Arc,
};

use ptodiff_isa::Party;
use ptodiff_record::{
    CaseRecord, Diagnosis, Finding, Header, PairRecord, PairVerdict, Slot, TargetRecord, counted,
    reproduce::reproduce,
};

use crate::{
    cause::{Calls, Cause, Causes, is_wrong_value},
    share,
    slot::write_slot,
    style::{BAD, BOLD, CLAUSE, DIM},
};

/// What a group of divergences is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A target breaks its contract, or two differ with no clause.
    Violation,
    /// Targets differ where clauses permit it.
    Permitted,
}

/// All divergences of one failure group.
#[derive(Clone, PartialEq, Debug)]
pub struct Divergence {
    /// What it is.
    pub kind: Kind,
    /// What it is called: the failure group, or where calls of several have a cause in
    /// common those that show it and that.
    pub failure_group: String,
    /// The failure groups in it, as the cases have them.
    pub failure_groups: BTreeSet<String>,
    /// What its calls have in common, where it is about values of an implementation.
    pub cause: Option<Cause>,
    /// Clauses cited in it.
    pub clauses: BTreeSet<String>,
    /// How many cases show it.
    pub cases: usize,
    /// The first of them, without its detail.
    pub first: Arc<CaseRecord>,
    /// One line that says what was found, from the first case.
    pub what: String,
    /// Why two parties may not stand side by side so, from the first case; none
    /// where one party alone is at fault, or where clauses permit it.
    pub why: Option<String>,
    /// The first case's slots.
    pub slots: Vec<Slot>,
    /// What may be behind it, where that was looked for.
    pub diagnosis: Option<Diagnosis>,
    /// Numbers of the cases that show it, in order.
    shown_by: Vec<usize>,
    parties: BTreeSet<Party>,
    keys: Vec<Key>,
}

impl Divergence {
    /// What was found and, where the record says it, why that may not be.
    pub(crate) fn said(&self) -> String {
        match &self.why {
            Some(why) => format!("{}: {why}", self.what),
            None => self.what.clone(),
        }
    }

    /// The outlier of the first case, if this is about it.
    pub(crate) fn outlier(&self) -> Option<&Party> {
        let case = &self.first;
        let outlier = case.outlier.as_ref()?;
        let findings = case.targets.get(outlier).map_or(&[][..], |t| &t.findings);
        let own = findings
            .iter()
            .any(|f| self.failure_groups.contains(&f.failure_group));
        let in_pair = |pair: &PairRecord| {
            let (a, b) = &pair.targets;
            let mut groups = pair.failure_groups.iter();
            (a == outlier || b == outlier) && groups.any(|g| self.failure_groups.contains(g))
        };
        (own || case.pairs.iter().any(in_pair)).then_some(outlier)
    }

    /// The last lines of standard error of the implementation that it is about.
    pub(crate) fn last_words(&self) -> &[String] {
        let has = |t: &&TargetRecord| {
            let mut findings = t.findings.iter();
            findings.any(|f| self.failure_groups.contains(&f.failure_group))
        };
        let target = self.first.targets.values().find(has);
        target.map_or(&[], |t| &t.stderr)
    }

    /// The failure groups in it, where its name is none.
    pub(crate) fn several(&self) -> Option<Vec<&str>> {
        let all = || self.failure_groups.iter().map(String::as_str).collect();
        (!self.failure_groups.contains(&self.failure_group)).then(all)
    }

    /// The first case, and whether something else than an element is shown of it.
    fn begins(&self) -> (Option<&usize>, bool) {
        let element = self.failure_group.split(' ').nth(2) == Some("valid");
        (self.shown_by.first(), !element)
    }

    /// Adds one of the same cause; the one of the earlier case shows what it is.
    fn join(&mut self, other: Self) {
        let earlier = other.begins() < self.begins();
        self.failure_groups.extend(other.failure_groups);
        self.clauses.extend(other.clauses);
        self.parties.extend(other.parties);
        self.keys.extend(other.keys);
        if earlier {
            self.failure_group = other.failure_group;
            (self.first, self.what, self.slots) = (other.first, other.what, other.slots);
        }
        self.shown_by.extend(other.shown_by);
        self.shown_by.sort_unstable();
        self.shown_by.dedup();
        self.cases = self.shown_by.len();
    }
}

/// The divergences of cases that come one after the other. Of each group the
/// first case is kept.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    violations: BTreeMap<Key, Divergence>,
    permitted: BTreeMap<Key, Divergence>,
    calls: Calls,
    diagnoses: Vec<Diagnosis>,
    cases: usize,
}

/// A failure group, and the kind of calls where values are wrong: those of one failure
/// group may have several causes.
pub(crate) type Key = (String, Option<usize>);

/// Failure groups whose calls are told apart: of each kind a case is kept.
const KEPT: usize = 2_000;

impl Groups {
    /// Adds the divergences of the next case.
    pub fn add(&mut self, case: &CaseRecord) {
        self.add_first(case);
    }

    /// As [`Self::add`]: the first violation of the case.
    pub(crate) fn add_first(&mut self, case: &CaseRecord) -> Option<Key> {
        let mut first = None;
        self.cases += 1;
        let mut kept = None;
        for (party, target) in &case.targets {
            let kind = self.calls.add(case, party, target);
            for finding in &target.findings {
                let of_values = kind.filter(|_| is_wrong_value(finding));
                let key = (finding.failure_group.clone(), of_values);
                let group = self.group(Kind::Violation, key, case, &mut kept, || {
                    let (what, slots) = from_finding(finding);
                    (what, None, slots)
                });
                first = first.or_else(|| group.keys.first().cloned());
                group.clauses.extend(finding.clause.clone());
                if !group.parties.contains(party) {
                    group.parties.insert(party.clone());
                }
            }
        }
        for pair in &case.pairs {
            let kind = match pair.verdict {
                PairVerdict::Permitted => Kind::Permitted,
                PairVerdict::Violation => Kind::Violation,
                PairVerdict::Agree | PairVerdict::NotCompared => continue,
            };
            for failure_group in &pair.failure_groups {
                let what = || {
                    let slots = share::slots(pair, failure_group);
                    let slots = slots.into_iter().cloned().collect();
                    (differ_in_kinds(pair), pair.why.clone(), slots)
                };
                let key = (failure_group.clone(), None);
                let group = self.group(kind, key, case, &mut kept, what);
                if kind == Kind::Violation {
                    first = first.or_else(|| group.keys.first().cloned());
                }
                for clause in share::clauses(pair, failure_group) {
                    if !group.clauses.contains(clause) {
                        group.clauses.insert(clause.to_owned());
                    }
                }
            }
        }
        first
    }

    /// What the groups of violations are called, by all that is in them.
    pub(crate) fn names(self) -> BTreeMap<Key, String> {
        let groups = self.sorted().into_iter();
        let violations = groups.filter(|group| group.kind == Kind::Violation);
        let named = violations.flat_map(|group| {
            let name = group.failure_group;
            group.keys.into_iter().map(move |key| (key, name.clone()))
        });
        named.collect()
    }

    /// Adds what may be behind a group, after all cases.
    pub fn diagnosed(&mut self, diagnosis: &Diagnosis) {
        self.diagnoses.push(diagnosis.clone());
    }

    /// The groups: violations before permitted ones, then by size.
    #[must_use]
    pub fn sorted(self) -> Vec<Divergence> {
        let causes = self.calls.causes();
        let mut all = by_cause(self.violations, &causes);
        for group in &mut all {
            let own = |d: &&Diagnosis| group.failure_groups.contains(&d.failure_group);
            let own = self.diagnoses.iter().filter(own);
            // Several failure groups of one cause have one mistake behind them.
            group.diagnosis = own.max_by_key(|diagnosis| diagnosis.failures).cloned();
        }
        all.extend(self.permitted.into_values());
        all.sort_by_key(|d| (d.kind, std::cmp::Reverse(d.cases)));
        all
    }

    /// The group of `case`, which has it; `kept` is what is kept of that.
    fn group(
        &mut self,
        kind: Kind,
        mut key: Key,
        case: &CaseRecord,
        kept: &mut Option<Arc<CaseRecord>>,
        first: impl FnOnce() -> First,
    ) -> &mut Divergence {
        let all = match kind {
            Kind::Violation => &mut self.violations,
            Kind::Permitted => &mut self.permitted,
        };
        if all.len() >= KEPT && !all.contains_key(&key) {
            key.1 = None;
        }
        let group = all.entry(key).or_insert_with_key(|key| {
            let (failure_group, _) = key;
            let (what, why, slots) = first();
            let kept = kept.get_or_insert_with(|| Arc::new(without_detail(case)));
            Divergence {
                kind,
                failure_group: failure_group.clone(),
                failure_groups: BTreeSet::from([failure_group.clone()]),
                cause: None,
                clauses: BTreeSet::new(),
                cases: 0,
                first: Arc::clone(kept),
                what,
                why,
                slots,
                diagnosis: None,
                shown_by: Vec::new(),
                parties: BTreeSet::new(),
                keys: vec![key.clone()],
            }
        });
        if group.shown_by.last() != Some(&self.cases) {
            group.shown_by.push(self.cases);
            group.cases += 1;
        }
        group
    }
}

/// The groups of violations, those of one cause as one.
fn by_cause(all: BTreeMap<Key, Divergence>, causes: &Causes) -> Vec<Divergence> {
    let mut groups: BTreeMap<(Option<usize>, Option<String>), Divergence> = BTreeMap::new();
    for ((failure_group, kind), group) in all {
        let cause = kind.and_then(|kind| causes.of(kind));
        // Without a cause a failure group stands for itself.
        let key = (cause, cause.is_none().then_some(failure_group));
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
            continue;
        };
        let alone = group.failure_groups.len() == 1;
        if !alone || group.failure_groups.iter().any(|g| often[g] > 1) {
            group.failure_group = name(group, cause);
        }
        group.cause = Some(cause.clone());
    }
    groups.into_values().collect()
}

/// The name of a group that several failure groups are in: the instructions and parties
/// of those, and its cause.
fn name(group: &Divergence, cause: &Cause) -> String {
    let instructions = group.failure_groups.iter();
    let instructions = instructions.filter_map(|g| g.split(' ').next());
    let instructions: BTreeSet<&str> = instructions.collect();
    let instructions: Vec<&str> = instructions.into_iter().collect();
    let parties: Vec<String> = group.parties.iter().map(Party::to_string).collect();
    let (instructions, parties) = (instructions.join("+"), parties.join("+"));
    format!("{instructions} {parties} {}", cause.properties.join(", "))
}

/// What of a case is kept beside its group.
fn without_detail(case: &CaseRecord) -> CaseRecord {
    CaseRecord {
        detail: None,
        ..case.clone()
    }
}

/// The divergences of `cases`, as [`Groups::sorted`].
#[must_use]
pub fn groups(cases: &[CaseRecord]) -> Vec<Divergence> {
    let mut all = Groups::default();
    cases.iter().for_each(|case| all.add(case));
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

fn from_finding(finding: &Finding) -> (String, Vec<Slot>) {
    let mut what = finding.what.clone();
    if let Some(schedule) = &finding.schedule {
        what.push_str(&format!(", schedule {schedule}"));
    }
    (what, finding.slot.iter().cloned().collect())
}

/// What was found in the first case of a group, why it is wrong, and where.
type First = (String, Option<String>, Vec<Slot>);

/// Writes every group: its first case in full, and how to run that case again.
///
/// # Errors
/// What the writer gives.
pub fn write_groups(mut to: impl Write, header: &Header, groups: &[Divergence]) -> io::Result<()> {
    for group in groups {
        write_group(&mut to, header, group)?;
    }
    Ok(())
}

fn write_group(to: &mut impl Write, header: &Header, group: &Divergence) -> io::Result<()> {
    let (style, word) = match group.kind {
        Kind::Violation => (BAD, "violation"),
        Kind::Permitted => (BOLD, "permitted"),
    };
    writeln!(
        to,
        "\n{style}{word}{style:#} {BOLD}{}{BOLD:#}, {}",
        group.failure_group,
        counted(group.cases, "case")
    )?;
    if !group.clauses.is_empty() {
        let rules: Vec<&str> = group.clauses.iter().map(String::as_str).collect();
        writeln!(to, "  rule       {CLAUSE}{}{CLAUSE:#}", rules.join(", "))?;
    }
    if let Some(cause) = &group.cause {
        writeln!(to, "  in common  {}", cause.said())?;
    }
    if let Some(several) = group.several() {
        /// Those that are named.
        const GROUPS: usize = 4;
        for (n, one) in several.iter().take(GROUPS).enumerate() {
            let lead = if n == 0 { "groups" } else { "" };
            writeln!(to, "  {lead:<9}  {one}")?;
        }
        if several.len() > GROUPS {
            writeln!(
                to,
                "  {:<9}  {DIM}and {} more{DIM:#}",
                "",
                several.len() - GROUPS
            )?;
        }
    }
    let case = &*group.first;
    writeln!(
        to,
        "  first      {}  {DIM}{}:{}{DIM:#}",
        case.id, case.file, case.line
    )?;
    if let Some(outlier) = group.outlier() {
        writeln!(to, "  outlier    {outlier}")?;
    }
    writeln!(to, "             {}", group.said())?;
    for slot in group.slots.iter().take(2) {
        write_slot(to, slot)?;
    }
    let diagnosed = group.diagnosis.iter().flat_map(Diagnosis::lines);
    for (n, line) in diagnosed.enumerate() {
        let lead = if n == 0 { "diagnosis" } else { "" };
        writeln!(to, "  {lead:<9}  {line}")?;
    }
    for line in group.last_words() {
        writeln!(to, "             {DIM}|{DIM:#} {line}")?;
    }
    writeln!(to, "  reproduce  {}", reproduce(header, case))
}
