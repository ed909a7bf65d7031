//! The closing lines of a run.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
};

use ptodiff_isa::{Instruction, Party};
use ptodiff_record::{CaseRecord, Header, TargetVerdict, Verdict, counted, joined};

use crate::coverage::Spoken;
use crate::flaky::Flaky;
use crate::line::deviations;
use crate::pairs::{Outcome, Pairs};
use crate::style::{self, BAD, BOLD, CLAUSE, DIM};
use crate::totals::RunTotals;
use crate::unpromised::{MOST, Unpromised};

/// What cases that come one after the other come to, in numbers.
#[derive(Debug, Default)]
pub struct Summary {
    /// What the run came to as a whole.
    pub totals: RunTotals,
    pub(crate) verdicts: BTreeMap<Verdict, usize>,
    /// Per party how often it did what, in the order of [`TargetVerdict`].
    pub(crate) targets: BTreeMap<Party, [usize; 6]>,
    /// Cases on which a reading mattered.
    pub(crate) readings_mattered: usize,
    /// How pairs compare, by instruction.
    pub(crate) instructions: BTreeMap<Instruction, Pairs>,
    /// What the cases cover.
    pub spoken: Spoken,
    /// By party, what it did and clause, how often that was the first reason for
    /// having no result.
    pub(crate) reasons: BTreeMap<(Party, &'static str, String), usize>,
    /// Cases with a result only under readings that are not the default, and the
    /// clauses that they deviate from.
    pub(crate) deviating: usize,
    pub(crate) deviates_from: BTreeSet<String>,
    pub(crate) unseen: usize,
    /// Cases with wide bounds, and the most values between two.
    wide: usize,
    widest: u64,
    pub(crate) renamed: usize,
    pub(crate) holes: usize,
    showing: usize,
    pub(crate) flaky: Flaky,
    /// Cases of which something is expected under other readings, and the first of them.
    aside: usize,
    first_aside: String,
    /// By implementation, why it cannot run cases, and how many.
    lacks: BTreeMap<Party, BTreeMap<String, usize>>,
    pub(crate) unpromised: Unpromised,
    /// Gaps of which a reading mattered.
    pub(crate) gaps: BTreeSet<String>,
    /// By gap, choice, other choice, verdict and other verdict: how often.
    changes: BTreeMap<(String, String, String, Verdict, Verdict), usize>,
}

impl Summary {
    /// Nothing yet, of a run with this header.
    #[must_use]
    pub fn new(header: &Header) -> Self {
        Self {
            totals: RunTotals::of(header),
            spoken: Spoken::new(&header.targets),
            ..Self::default()
        }
    }

    /// What `cases` of a run with this header come to.
    #[must_use]
    pub fn of(header: &Header, cases: &[CaseRecord]) -> Self {
        let mut all = Self::new(header);
        cases.iter().for_each(|case| all.add(case));
        all
    }

    /// Adds the next case.
    pub fn add(&mut self, case: &CaseRecord) {
        self.totals.add(case);
        *self.verdicts.entry(case.verdict).or_default() += 1;
        self.readings_mattered += usize::from(!case.readings.is_empty());
        let of_instruction = self.instructions.entry(case.instruction).or_default();
        for pair in &case.pairs {
            let counts = of_instruction.entry(pair.targets.clone()).or_default();
            counts[Outcome::of(case, pair) as usize] += 1;
        }
        self.spoken.add(case);
        if !case.covers.otherwise.is_empty() {
            if self.aside == 0 {
                self.first_aside.clone_from(&case.id);
            }
            self.aside += 1;
        }
        for (party, record) in &case.targets {
            let counts = self.targets.entry(party.clone()).or_default();
            counts[record.verdict as usize] += 1;
            if record.verdict == TargetVerdict::Unsupported {
                self.add_lack(party, record.why.as_deref().unwrap_or("no reason given"));
            }
            let word = match record.verdict {
                TargetVerdict::Conforms | TargetVerdict::Violates => continue,
                without_result => style::did(without_result),
            };
            if let Some(reason) = record.reasons.first() {
                let key = (party.clone(), word, reason.clause.clone());
                *self.reasons.entry(key).or_default() += 1;
            }
        }
        let deviations = deviations(case);
        self.deviating += usize::from(!deviations.is_empty());
        self.deviates_from
            .extend(deviations.into_iter().map(str::to_owned));
        let parties = || case.targets.values();
        self.unseen += usize::from(parties().any(|t| !t.unseen.is_empty()));
        if let Some(widest) = parties().filter_map(|t| Some(t.wide?.values)).max() {
            self.wide += 1;
            self.widest = self.widest.max(widest);
        }
        self.renamed += usize::from(case.name_differs.is_some());
        self.holes += case.holes.len();
        self.showing += usize::from(!case.holes.is_empty());
        self.flaky.add(case);
        self.unpromised.add(case);
        for reading in &case.readings {
            self.gaps.insert(reading.gap.clone());
            for (other, verdict) in &reading.verdict_under {
                let (gap, choice) = (reading.gap.clone(), reading.choice.clone());
                let change = (gap, choice, other.clone(), case.verdict, *verdict);
                *self.changes.entry(change).or_default() += 1;
            }
        }
    }

    /// Counts a case that `party` cannot run.
    fn add_lack(&mut self, party: &Party, why: &str) {
        let whys = self.lacks.entry(party.clone()).or_default();
        // Who tells of each call something else fills no memory with it.
        let told = whys.contains_key(why) || whys.len() < MOST_LACKS;
        let why = if told { why } else { "another reason" };
        *whys.entry(why.to_owned()).or_default() += 1;
    }

    /// What is not looked at: what cases expect under other readings, and what implementations
    /// cannot run, the most frequent reasons of each first.
    pub(crate) fn lacks(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.aside > 0 {
            lines.push(format!(
                "not looked at is what {} expect{} under other readings than those in force, first {}",
                counted(self.aside, "case"),
                if self.aside == 1 { "s" } else { "" },
                self.first_aside
            ));
        }
        for (party, whys) in &self.lacks {
            let mut all: Vec<_> = whys.iter().collect();
            all.sort_by_key(|(_, cases)| Reverse(**cases));
            for (why, cases) in all.iter().take(LACKS) {
                let cases = counted(**cases, "case");
                lines.push(format!("{party} cannot run {cases}: {why}"));
            }
            if let Some(more @ 1..) = all.len().checked_sub(LACKS) {
                let more = counted(more, "less frequent reason");
                lines.push(format!("  and {more}"));
            }
        }
        lines
    }

    /// How pairs compare, of all instructions.
    pub(crate) fn pairs(&self) -> Pairs {
        let mut all = Pairs::new();
        for (pair, counts) in self.instructions.values().flatten() {
            let sums = all.entry(pair.clone()).or_default();
            sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        }
        all
    }

    /// How many cases came to `verdict`.
    pub(crate) fn count(&self, verdict: Verdict) -> usize {
        self.verdicts.get(&verdict).copied().unwrap_or(0)
    }

    /// `1 agree, 2 violation`
    pub(crate) fn by_verdict(&self) -> String {
        let counts = self.verdicts.iter();
        joined(
            counts.map(|(verdict, count)| format!("{count} {verdict}")),
            ", ",
        )
    }

    /// Whether an implementation cannot run some case.
    pub(crate) fn is_lacking(&self) -> bool {
        let unsupported = TargetVerdict::Unsupported as usize;
        self.targets.values().any(|n| n[unsupported] > 0)
    }

    /// The reasons for having no result, the most frequent first.
    pub(crate) fn most_frequent(&self) -> Vec<(&(Party, &'static str, String), usize)> {
        let all = self.reasons.iter().map(|(reason, n)| (reason, *n));
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|(_, count)| Reverse(*count));
        all
    }
}

/// Writes counts per verdict, target and pair, and what deserves a second look.
///
/// # Errors
/// What the writer gives.
pub fn write_summary(mut to: impl Write, summary: &Summary) -> io::Result<()> {
    write_counts(&mut to, summary)?;
    write_unpromised(&mut to, summary, usize::MAX)?;
    write_more(&mut to, summary)?;
    write_readings(&mut to, summary)
}

/// Writes what of data folders is not judged.
///
/// # Errors
/// What the writer gives.
pub fn write_unjudged(mut to: impl Write, totals: &RunTotals) -> io::Result<()> {
    for (word, text) in totals.lines() {
        match word {
            "" => writeln!(to, "  {text}")?,
            _ => writeln!(to, "  {BAD}{word}{BAD:#}: {text}")?,
        }
    }
    Ok(())
}

/// Writes counts per verdict and target, and what was flaky.
///
/// # Errors
/// What the writer gives.
pub fn write_counts(mut to: impl Write, summary: &Summary) -> io::Result<()> {
    let cases = counted(summary.totals.cases, "case");
    write!(to, "\n{BOLD}{cases}{BOLD:#}:")?;
    let mut lead = " ";
    for (verdict, count) in &summary.verdicts {
        let word = style::verdict(*verdict);
        write!(to, "{lead}{count} {word}{verdict}{word:#}")?;
        lead = ", ";
    }
    writeln!(to)?;
    // Only implementations lack anything.
    let lacking = summary.is_lacking();
    let names = summary.targets.keys().map(|party| party.to_string().len());
    let width = names.max().unwrap_or(0).max(11);
    writeln!(
        to,
        "  {DIM}{:<width$}  conforms  rejected  undefined  hangs  violates{}{DIM:#}",
        "target",
        if lacking { "  unsupported" } else { "" }
    )?;
    for (target, [conforms, rejected, undefined, hangs, violates, unsupported]) in &summary.targets
    {
        write!(
            to,
            "  {:<width$}  {conforms:>8}  {rejected:>8}  {undefined:>9}  {hangs:>5}  {violates:>8}",
            target.to_string(),
        )?;
        match lacking {
            true => writeln!(to, "  {unsupported:>11}")?,
            false => writeln!(to)?,
        }
    }
    for line in summary.lacks() {
        writeln!(to, "  {line}")?;
    }
    write_flaky(&mut to, summary)
}

/// Reasons of one implementation that are counted apart.
const MOST_LACKS: usize = 200;

/// Reasons of one implementation that are shown.
const LACKS: usize = 3;

/// Writes where implementations differ and nothing is promised: the first of it, unless all is
/// asked for.
///
/// # Errors
/// What the writer gives.
pub fn write_unpromised(mut to: impl Write, summary: &Summary, most: usize) -> io::Result<()> {
    let lines = summary.unpromised.lines();
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(to, "  {BOLD}differs where nothing is promised{BOLD:#}")?;
    for line in lines.iter().take(most) {
        writeln!(to, "    {line}")?;
    }
    if let Some(more @ 1..) = lines.len().checked_sub(most) {
        writeln!(
            to,
            "    {DIM}and by {}: --show all{DIM:#}",
            counted(more, "clause")
        )?;
    }
    Ok(())
}

/// How many clauses are shown where nothing is promised, unless all are.
pub const UNPROMISED: usize = MOST;

/// Writes counts per pair, why targets have no result, and what deserves a second look.
///
/// # Errors
/// What the writer gives.
pub fn write_more(mut to: impl Write, summary: &Summary) -> io::Result<()> {
    writeln!(
        to,
        "  {DIM}pair             agree  permitted  violation  not compared{DIM:#}"
    )?;
    for ((a, b), [agree, permitted, violation, rejected, no_result]) in summary.pairs() {
        writeln!(
            to,
            "  {:<14}  {agree:>6}  {permitted:>9}  {violation:>9}  {:>12}",
            format!("{a}/{b}"),
            rejected + no_result
        )?;
    }
    write_reasons(&mut to, summary)?;
    write_notes(&mut to, summary)
}

/// How many reasons are shown before they are only counted.
pub(crate) const REASONS: usize = 12;

/// Which clauses keep targets out, and how often: the most frequent first.
fn write_reasons(to: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let counts = summary.most_frequent();
    if counts.is_empty() {
        return Ok(());
    }
    writeln!(to, "  {DIM}why a target has no result to compare{DIM:#}")?;
    let more = counts.len().saturating_sub(REASONS);
    for ((target, word, clause), count) in counts.into_iter().take(REASONS) {
        writeln!(
            to,
            "  {:<10} {:<10} {count:>4}  {CLAUSE}{clause}{CLAUSE:#}",
            target.to_string(),
            word
        )?;
    }
    if more > 0 {
        writeln!(to, "  {DIM}and {more} less frequent reasons{DIM:#}")?;
    }
    Ok(())
}

/// What implementations did wrong once, with what they did then.
fn write_flaky(to: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let Flaky { cases, first } = &summary.flaky;
    if *cases == 0 {
        return Ok(());
    }
    let counted = counted(*cases, "case");
    writeln!(
        to,
        "  {BOLD}flaky{BOLD:#} in {counted}: wrong once, and not when asked again in a new process"
    )?;
    for one in first {
        writeln!(to, "    {}  {}: {}", one.id, one.party, one.answers)?;
    }
    if summary.flaky.more() > 0 {
        let more = summary.flaky.more();
        let fails = match summary.totals.is_flaky_by_no_chance() {
            true => ": so many are no chance, and fail the run",
            false => "; --fail-flaky fails on them",
        };
        writeln!(to, "    {DIM}and {more} more{fails}{DIM:#}")?;
    }
    Ok(())
}

fn write_notes(to: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let cases = |count: usize| counted(count, "case");
    if summary.deviating > 0 {
        writeln!(
            to,
            "  {} with a result only under readings that are not the default; they deviate from {CLAUSE}{}{CLAUSE:#}",
            cases(summary.deviating),
            joined(&summary.deviates_from, ", ")
        )?;
    }
    if summary.unseen > 0 {
        writeln!(
            to,
            "  permitted freedom never seen in {}: the data is too weak to show it",
            cases(summary.unseen)
        )?;
    }
    if summary.wide > 0 {
        writeln!(
            to,
            "  wide bounds in place of sums in {}, up to {}: too many different writers of a slot",
            cases(summary.wide),
            counted(summary.widest, "value"),
        )?;
    }
    if summary.renamed > 0 {
        writeln!(
            to,
            "  {} whose name does not say what is in it; the file gives the reason",
            cases(summary.renamed)
        )?;
    }
    if summary.holes > 0 {
        let (holes, cases) = (summary.holes, cases(summary.showing));
        writeln!(to, "  {holes} known holes shown by {cases}")?;
    }
    Ok(())
}

/// Writes which readings mattered, and, after a run over all of them, what came of it.
///
/// # Errors
/// What the writer gives.
pub fn write_readings(mut to: impl Write, summary: &Summary) -> io::Result<()> {
    let mattered = summary.readings_mattered;
    if mattered == 0 {
        return Ok(());
    }
    writeln!(
        to,
        "  a reading mattered in {}: {}",
        counted(mattered, "case"),
        joined(&summary.gaps, ", ")
    )?;
    for ((gap, choice, other, was, is), count) in &summary.changes {
        let (was, is) = match was == is {
            true => (
                String::new(),
                format!("still {is}, with another result or promise"),
            ),
            false => (format!("{was} becomes "), is.to_string()),
        };
        writeln!(
            to,
            "    {gap}: {choice} -> {other}, {}: {was}{is}",
            counted(*count, "case")
        )?;
    }
    Ok(())
}
