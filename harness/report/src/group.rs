//! Divergences, grouped by failure group, the worst and the biggest first.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    sync::Arc,
};

use ptodiff_isa::Party;
use ptodiff_record::{
    CaseRecord, Finding, Header, PairRecord, PairVerdict, Slot, TargetRecord, counted,
    reproduce::reproduce,
};

use crate::{
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
    /// The failure group.
    pub failure_group: String,
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
    /// Number of the last case that shows it.
    last: usize,
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
            .any(|f| f.failure_group == self.failure_group);
        let in_pair = |pair: &PairRecord| {
            let (a, b) = &pair.targets;
            (a == outlier || b == outlier) && pair.failure_groups.contains(&self.failure_group)
        };
        (own || case.pairs.iter().any(in_pair)).then_some(outlier)
    }
}

/// The divergences of cases that come one after the other. Of each group the
/// first case is kept.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    violations: BTreeMap<String, Divergence>,
    permitted: BTreeMap<String, Divergence>,
    cases: usize,
}

impl Groups {
    /// Adds the divergences of the next case.
    pub fn add(&mut self, case: &CaseRecord) {
        self.cases += 1;
        let mut kept = None;
        for finding in case.targets.values().flat_map(|t| &t.findings) {
            let group = self.group(
                Kind::Violation,
                &finding.failure_group,
                case,
                &mut kept,
                || {
                    let (what, slots) = from_finding(finding);
                    (what, None, slots)
                },
            );
            group.clauses.extend(finding.clause.clone());
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
                let group = self.group(kind, failure_group, case, &mut kept, what);
                for clause in share::clauses(pair, failure_group) {
                    if !group.clauses.contains(clause) {
                        group.clauses.insert(clause.to_owned());
                    }
                }
            }
        }
    }

    /// The groups: violations before permitted ones, then by size.
    #[must_use]
    pub fn sorted(self) -> Vec<Divergence> {
        let all = self
            .violations
            .into_values()
            .chain(self.permitted.into_values());
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|d| (d.kind, std::cmp::Reverse(d.cases)));
        all
    }

    /// The group of `case`, which has it; `kept` is what is kept of that.
    fn group(
        &mut self,
        kind: Kind,
        failure_group: &str,
        case: &CaseRecord,
        kept: &mut Option<Arc<CaseRecord>>,
        first: impl FnOnce() -> First,
    ) -> &mut Divergence {
        let all = match kind {
            Kind::Violation => &mut self.violations,
            Kind::Permitted => &mut self.permitted,
        };
        let group = all.entry(failure_group.to_owned()).or_insert_with(|| {
            let (what, why, slots) = first();
            let kept = kept.get_or_insert_with(|| Arc::new(without_detail(case)));
            Divergence {
                kind,
                failure_group: failure_group.to_owned(),
                clauses: BTreeSet::new(),
                cases: 0,
                first: Arc::clone(kept),
                what,
                why,
                slots,
                last: 0,
            }
        });
        if group.last != self.cases {
            group.last = self.cases;
            group.cases += 1;
        }
        group
    }
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
    for line in last_words(case, &group.failure_group) {
        writeln!(to, "             {DIM}|{DIM:#} {line}")?;
    }
    writeln!(to, "  reproduce  {}", reproduce(header, case))
}

/// The last lines of standard error of the implementation whose finding has this failure group.
pub(crate) fn last_words<'a>(case: &'a CaseRecord, failure_group: &str) -> &'a [String] {
    let has = |t: &&TargetRecord| t.findings.iter().any(|f| f.failure_group == failure_group);
    case.targets.values().find(has).map_or(&[], |t| &t.stderr)
}
