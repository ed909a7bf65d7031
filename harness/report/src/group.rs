//! Divergences, grouped by signature, the worst and the biggest first.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
};

use ptodiff_isa::Party;
use ptodiff_record::{
    CaseRecord, Finding, Header, Lane, PairRecord, PairVerdict, Slot, SlotValue, TargetRecord,
    again::reproduce, counted,
};

use crate::style::{BAD, BOLD, CLAUSE, DIM};

/// What a group of divergences is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A target breaks its contract, or two differ with no clause.
    Violation,
    /// Targets differ where clauses permit it.
    Permitted,
}

/// All divergences of one signature.
#[derive(Clone, PartialEq, Debug)]
pub struct Divergence<'a> {
    /// What it is.
    pub kind: Kind,
    /// The signature.
    pub signature: &'a str,
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
    pub slots: &'a [Slot],
}

impl Divergence<'_> {
    /// What was found and, where the record says it, why that may not be.
    pub(crate) fn said(&self) -> String {
        match self.why {
            Some(why) => format!("{}: {why}", self.what),
            None => self.what.clone(),
        }
    }

    /// The party that stands alone in the first case, if this is about it.
    pub(crate) fn odd(&self) -> Option<&Party> {
        let case = self.cases.first()?;
        let odd = case.odd_one_out.as_ref()?;
        let findings = case.targets.get(odd).map_or(&[][..], |t| &t.findings);
        let own = findings.iter().any(|f| f.signature == self.signature);
        let in_pair = |pair: &PairRecord| {
            let (a, b) = &pair.targets;
            (a == odd || b == odd) && pair.signatures.iter().any(|s| s == self.signature)
        };
        (own || case.pairs.iter().any(in_pair)).then_some(odd)
    }
}

/// Groups the divergences of `cases`: violations before permitted ones, then by size.
#[must_use]
pub fn groups(cases: &[CaseRecord]) -> Vec<Divergence<'_>> {
    let mut all: BTreeMap<(Kind, &str), Divergence<'_>> = BTreeMap::new();
    for case in cases {
        for finding in case.targets.values().flat_map(|t| &t.findings) {
            add(&mut all, Kind::Violation, &finding.signature, case, || {
                let (what, slots) = from_finding(finding);
                (what, None, slots)
            })
            .clauses
            .extend(finding.clause.as_deref());
        }
        for pair in &case.pairs {
            let kind = match pair.verdict {
                PairVerdict::Permitted => Kind::Permitted,
                PairVerdict::Violation => Kind::Violation,
                PairVerdict::Agree | PairVerdict::NotCompared => continue,
            };
            for signature in &pair.signatures {
                let what = || (differ(pair), pair.why.as_deref(), pair.slots.as_slice());
                add(&mut all, kind, signature, case, what)
                    .clauses
                    .extend(pair.clauses.iter().map(String::as_str));
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

fn from_finding(finding: &Finding) -> (String, &[Slot]) {
    let mut what = finding.what.clone();
    if let Some(schedule) = &finding.schedule {
        what.push_str(&format!(", schedule {schedule}"));
    }
    (what, finding.slot.as_slice())
}

/// What was found in the first case of a group, why it is wrong, and where.
type First<'a> = (String, Option<&'a str>, &'a [Slot]);

fn add<'m, 'a>(
    all: &'m mut BTreeMap<(Kind, &'a str), Divergence<'a>>,
    kind: Kind,
    signature: &'a str,
    case: &'a CaseRecord,
    first: impl FnOnce() -> First<'a>,
) -> &'m mut Divergence<'a> {
    let group = all.entry((kind, signature)).or_insert_with(|| {
        let (what, why, slots) = first();
        Divergence {
            kind,
            signature,
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
        group.signature,
        counted(group.cases.len(), "case")
    )?;
    if !group.clauses.is_empty() {
        let by: Vec<&str> = group.clauses.iter().copied().collect();
        writeln!(to, "  by      {CLAUSE}{}{CLAUSE:#}", by.join(", "))?;
    }
    let Some(case) = group.cases.first() else {
        return Ok(());
    };
    writeln!(
        to,
        "  first   {}  {DIM}{}:{}{DIM:#}",
        case.id, case.file, case.line
    )?;
    if let Some(odd) = group.odd() {
        writeln!(to, "  odd     {odd} stands alone against the others")?;
    }
    writeln!(to, "          {}", group.said())?;
    for slot in group.slots.iter().take(2) {
        write_slot(to, slot)?;
    }
    for line in last_words(case, group.signature) {
        writeln!(to, "          {DIM}|{DIM:#} {line}")?;
    }
    writeln!(to, "  again   {}", reproduce(header, case))
}

/// The last lines of standard error of the subject whose finding has this signature.
pub(crate) fn last_words<'a>(case: &'a CaseRecord, signature: &str) -> &'a [String] {
    let has = |t: &&TargetRecord| t.findings.iter().any(|f| f.signature == signature);
    case.targets.values().find(has).map_or(&[], |t| &t.stderr)
}

pub(crate) fn write_slot(to: &mut impl Write, slot: &Slot) -> io::Result<()> {
    write!(
        to,
        "          {} {} at byte {}: before {}",
        slot.role,
        slot.at,
        slot.offset,
        text(&slot.before)
    )?;
    for (target, value) in &slot.got {
        write!(to, ", {target} {}", text(value))?;
    }
    if let Some(schedule) = &slot.schedule {
        write!(to, " {schedule}")?;
    }
    if let Some(permitted) = &slot.permitted {
        write!(to, "; permitted {permitted}")?;
    }
    writeln!(to)?;
    if slot.lanes.is_empty() {
        return Ok(());
    }
    let lanes: Vec<String> = slot.lanes.iter().map(lane).collect();
    write!(to, "            written by {}", lanes.join(" "))?;
    if slot.more_lanes > 0 {
        write!(to, " and {} more", slot.more_lanes)?;
    }
    writeln!(to)
}

pub(crate) fn lane(lane: &Lane) -> String {
    match lane.step {
        0 => format!("({}, {})", lane.r, lane.c),
        step => format!("({}, {}) of call {step}", lane.r, lane.c),
    }
}

fn text(value: &SlotValue) -> String {
    format!("{} ({})", value.value, value.bits)
}
