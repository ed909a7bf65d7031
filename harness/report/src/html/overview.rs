//! Verdicts, parties, reasons and coverage in numbers.

use ptodiff_record::{Tally, Verdict};
use serde::Serialize;
use strum::VariantArray;

use crate::{
    coverage::{Coverage, GapStatus, Status},
    flaky,
    summary::Summary,
};

/// Reasons that are listed.
const REASONS: usize = 12;

/// What a run came to, for the template.
#[derive(Serialize)]
pub(super) struct Overview {
    cases: usize,
    verdicts: Vec<Share>,
    parties: Vec<Party>,
    /// Whether an implementation cannot run some case.
    lacking: bool,
    reasons: Vec<Reason>,
    more_reasons: usize,
    notes: Notes,
    /// Empty where no case covers anything.
    areas: Vec<Area>,
}

/// How many cases came to a verdict, and where they stand in a bar of 1000.
#[derive(Serialize)]
struct Share {
    verdict: Verdict,
    cases: usize,
    from: usize,
    width: usize,
}

#[derive(Serialize)]
struct Party {
    name: String,
    conforms: usize,
    rejected: usize,
    undefined: usize,
    hangs: usize,
    violates: usize,
    unsupported: usize,
}

#[derive(Serialize)]
struct Reason {
    party: String,
    verb: &'static str,
    clause: String,
    cases: usize,
}

/// What deserves a second look: numbers of cases, and names.
#[derive(Serialize)]
struct Notes {
    readings: usize,
    gaps: Vec<String>,
    deviates_from: usize,
    deviates: Vec<String>,
    unseen: usize,
    renamed: usize,
    flaky: usize,
    /// The first of them.
    flaky_first: Vec<Once>,
    more_flaky: usize,
}

/// A case that was flaky.
#[derive(Serialize)]
struct Once {
    id: String,
    said: String,
}

/// What of one document's clauses and gaps is covered.
#[derive(Serialize)]
struct Area {
    name: String,
    clauses: usize,
    covered: usize,
    under_reading: usize,
    not_coverable: usize,
    not_covered: usize,
    gaps: usize,
    told_apart: usize,
    not_told_apart: usize,
}

impl Overview {
    /// The numbers of a run; no coverage of one that covers nothing.
    pub(super) fn of(
        summary: &Summary,
        coverage: Option<&Coverage>,
        implementations: &[&ptodiff_isa::Party],
    ) -> Self {
        let tally = &summary.tally;
        let (reasons, more_reasons) = reasons(summary);
        Self {
            cases: tally.cases,
            verdicts: shares(tally),
            parties: parties(tally, implementations),
            lacking: tally.targets.values().any(|n| n.unsupported > 0),
            reasons,
            more_reasons,
            notes: notes(summary),
            areas: coverage.map_or_else(Vec::new, areas),
        }
    }
}

/// The verdicts that people look for first, the worst first.
pub(super) const WORST_FIRST: [Verdict; 7] = [
    Verdict::Violation,
    Verdict::Permitted,
    Verdict::Hangs,
    Verdict::Undefined,
    Verdict::Rejected,
    Verdict::Single,
    Verdict::Agree,
];
const _: () = assert!(WORST_FIRST.len() == Verdict::VARIANTS.len());

fn shares(tally: &Tally) -> Vec<Share> {
    let mut before = 0;
    let part = |cases: usize| cases * 1000 / tally.cases.max(1);
    let share = |verdict: &Verdict| {
        let cases = tally.count(*verdict);
        let from = part(before);
        before += cases;
        // One violation in a hundred thousand cases must be seen.
        let width = (part(before) - from).max(usize::from(cases > 0) * 3);
        Share {
            verdict: *verdict,
            cases,
            from: from.min(1000 - width),
            width,
        }
    };
    WORST_FIRST.iter().map(share).collect()
}

/// Implementations first.
fn parties(tally: &Tally, implementations: &[&ptodiff_isa::Party]) -> Vec<Party> {
    let mut parties: Vec<_> = tally.targets.iter().collect();
    parties.sort_by_key(|(party, _)| !implementations.contains(party));
    parties
        .into_iter()
        .map(|(party, n)| Party {
            name: party.to_string(),
            conforms: n.conforms,
            rejected: n.rejected,
            undefined: n.undefined,
            hangs: n.hangs,
            violates: n.violates,
            unsupported: n.unsupported,
        })
        .collect()
}

/// Which clauses keep parties without a result, the most frequent first, and
/// how many are left out.
fn reasons(summary: &Summary) -> (Vec<Reason>, usize) {
    let counts = summary.most_frequent();
    let more = counts.len().saturating_sub(REASONS);
    let first = counts.into_iter().take(REASONS);
    let first = first.map(|((party, verb, clause), cases)| Reason {
        party: party.to_string(),
        verb,
        clause: clause.clone(),
        cases,
    });
    (first.collect(), more)
}

fn notes(summary: &Summary) -> Notes {
    Notes {
        readings: summary.tally.readings_mattered,
        gaps: summary.gaps.iter().cloned().collect(),
        deviates_from: summary.deviating,
        deviates: summary.deviates_from.iter().cloned().collect(),
        unseen: summary.unseen,
        renamed: summary.renamed,
        flaky: summary.flaky.cases,
        flaky_first: summary.flaky.first.iter().map(once).collect(),
        more_flaky: summary.flaky.more(),
    }
}

fn once(one: &flaky::Once) -> Once {
    Once {
        id: one.id.clone(),
        said: format!("{}: {}", one.party, one.answers),
    }
}

/// `MSCATTER` of `MSCATTER-OOB-03`.
fn area(id: &str) -> &str {
    id.split_once('-').map_or(id, |(document, _)| document)
}

fn areas(coverage: &Coverage) -> Vec<Area> {
    let mut names: Vec<&str> = coverage.clauses.iter().map(|c| area(c.id)).collect();
    names.dedup();
    let of = |name: &str| {
        let clauses: Vec<_> = coverage
            .clauses
            .iter()
            .filter(|c| area(c.id) == name)
            .collect();
        let gaps: Vec<_> = coverage
            .gaps
            .iter()
            .filter(|g| area(g.id) == name)
            .collect();
        let count = |s: Status| clauses.iter().filter(|c| c.status == s).count();
        let told = |s: GapStatus| gaps.iter().filter(|g| g.status == s).count();
        Area {
            name: name.to_owned(),
            clauses: clauses.len(),
            covered: count(Status::Covered),
            under_reading: count(Status::UnderReading),
            not_coverable: count(Status::NotCoverable),
            not_covered: count(Status::NotCovered),
            gaps: gaps.len(),
            told_apart: told(GapStatus::Run) + told(GapStatus::Stated),
            not_told_apart: told(GapStatus::NotToldApart),
        }
    };
    names.into_iter().map(of).collect()
}
