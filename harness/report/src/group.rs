//! Divergences, grouped by failure group, the worst and the biggest first.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
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
pub struct Divergence<'a> {
    /// What it is.
    pub kind: Kind,
    /// The failure group.
    pub failure_group: &'a str,
    /// Clauses cited in it.
    pub clauses: BTreeSet<&'a str>,
    /// The cases, in the order of the record.
    pub cases: Vec<&'a CaseRecord>,
    /// One line that says what was found, from the first case.
    pub what: String,
    /// Why two parties may not stand side by side so, from the first case; none
    /// where one party alone is at fault, or where clauses permit it.
    pub why: Option<&'a str>,
    /// The first case's slots.
    pub slots: Vec<&'a Slot>,
}

impl Divergence<'_> {
    /// What was found and, where the record says it, why that may not be.
    pub(crate) fn said(&self) -> String {
        match self.why {
            Some(why) => format!("{}: {why}", self.what),
            None => self.what.clone(),
        }
    }

    /// The outlier of the first case, if this is about it.
    pub(crate) fn outlier(&self) -> Option<&Party> {
        let case = self.cases.first()?;
        let outlier = case.outlier.as_ref()?;
        let findings = case.targets.get(outlier).map_or(&[][..], |t| &t.findings);
        let own = findings
            .iter()
            .any(|f| f.failure_group == self.failure_group);
        let in_pair = |pair: &PairRecord| {
            let (a, b) = &pair.targets;
            (a == outlier || b == outlier)
                && pair.failure_groups.iter().any(|s| s == self.failure_group)
        };
        (own || case.pairs.iter().any(in_pair)).then_some(outlier)
    }
}

/// Groups the divergences of `cases`: violations before permitted ones, then by size.
#[must_use]
pub fn groups(cases: &[CaseRecord]) -> Vec<Divergence<'_>> {
    let mut all: BTreeMap<(Kind, &str), Divergence<'_>> = BTreeMap::new();
    for case in cases {
        for finding in case.targets.values().flat_map(|t| &t.findings) {
            add(
                &mut all,
                Kind::Violation,
                &finding.failure_group,
                case,
                || {
                    let (what, slots) = from_finding(finding);
                    (what, None, slots)
                },
            )
            .clauses
            .extend(finding.clause.as_deref());
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
                    (differ_in_kinds(pair), pair.why.as_deref(), slots)
                };
                add(&mut all, kind, failure_group, case, what)
                    .clauses
                    .extend(share::clauses(pair, failure_group));
            }
        }
    }
    let mut all: Vec<_> = all.into_values().collect();
    all.sort_by_key(|d| (d.kind, std::cmp::Reverse(d.cases.len())));
    all
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

fn from_finding(finding: &Finding) -> (String, Vec<&Slot>) {
    let mut what = finding.what.clone();
    if let Some(schedule) = &finding.schedule {
        what.push_str(&format!(", schedule {schedule}"));
    }
    (what, finding.slot.iter().collect())
}

/// What was found in the first case of a group, why it is wrong, and where.
type First<'a> = (String, Option<&'a str>, Vec<&'a Slot>);

fn add<'m, 'a>(
    all: &'m mut BTreeMap<(Kind, &'a str), Divergence<'a>>,
    kind: Kind,
    failure_group: &'a str,
    case: &'a CaseRecord,
    first: impl FnOnce() -> First<'a>,
) -> &'m mut Divergence<'a> {
    let group = all.entry((kind, failure_group)).or_insert_with(|| {
        let (what, why, slots) = first();
        Divergence {
            kind,
            failure_group,
            clauses: BTreeSet::new(),
            cases: Vec::new(),
            what,
            why,
            slots,
        }
    });
    if group.cases.last().is_none_or(|last| last.id != case.id) {
        group.cases.push(case);
    }
    group
}

/// Writes every group: its first case in full, and how to run that case again.
///
/// # Errors
/// What the writer gives.
pub fn write_groups(
    mut to: impl Write,
    header: &Header,
    groups: &[Divergence<'_>],
) -> io::Result<()> {
    for group in groups {
        write_group(&mut to, header, group)?;
    }
    Ok(())
}

fn write_group(to: &mut impl Write, header: &Header, group: &Divergence<'_>) -> io::Result<()> {
    let (style, word) = match group.kind {
        Kind::Violation => (BAD, "violation"),
        Kind::Permitted => (BOLD, "permitted"),
    };
    writeln!(
        to,
        "\n{style}{word}{style:#} {BOLD}{}{BOLD:#}, {}",
        group.failure_group,
        counted(group.cases.len(), "case")
    )?;
    if !group.clauses.is_empty() {
        let rules: Vec<&str> = group.clauses.iter().copied().collect();
        writeln!(to, "  rule       {CLAUSE}{}{CLAUSE:#}", rules.join(", "))?;
    }
    let Some(case) = group.cases.first() else {
        return Ok(());
    };
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
    for line in last_words(case, group.failure_group) {
        writeln!(to, "             {DIM}|{DIM:#} {line}")?;
    }
    writeln!(to, "  reproduce  {}", reproduce(header, case))
}

/// The last lines of standard error of the implementation whose finding has this failure group.
pub(crate) fn last_words<'a>(case: &'a CaseRecord, failure_group: &str) -> &'a [String] {
    let has = |t: &&TargetRecord| t.findings.iter().any(|f| f.failure_group == failure_group);
    case.targets.values().find(has).map_or(&[], |t| &t.stderr)
}
