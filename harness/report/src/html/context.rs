//! What the page keeps of each case, and all that the template is filled with.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use flate2::Compression;
use ptodiff_isa::Party;
use ptodiff_record::{
    CaseRecord, Header, Verdict,
    reproduce::{arguments, command},
};
use ptodiff_register::{Entry, find};
use serde_json::{Value, json};
use strum::VariantArray;

use super::{
    ROOM, assets,
    cases::{BLOCK, Cases},
    divergence::{divergences, reference},
    hole::Holes,
    pack::{LEVEL, pack},
};
use crate::{
    coverage::{Coverage, CoveringTest, EntryCoverage, Status},
    group::{Divergence, failure_groups},
    pairs::{Outcome, Pairs},
    plain,
    summary::{REASONS, Summary},
};

/// A page of cases that come one after the other, each [made plain](plain::cleaned).
/// What it keeps of a case is packed, and no more than the page has room for.
#[derive(Default)]
pub struct PageWriter {
    cases: Cases,
    /// Cases that the page has no room for.
    left_out: usize,
    /// Those of them that are a violation.
    left_out_violations: usize,
    /// The first case that is a violation and not waived.
    first: Option<Value>,
    /// Cases of each failure group.
    often: BTreeMap<String, usize>,
    holes: Holes,
}

impl PageWriter {
    /// Adds the next case, of which all that fails may be `waived`; it is counted alone where
    /// the cases have no room left.
    ///
    /// # Errors
    /// None in practice: memory takes everything.
    pub fn add(&mut self, case: &CaseRecord, waived: bool) -> io::Result<()> {
        let room = match case.verdict {
            Verdict::Violation => ROOM,
            Verdict::Permitted => ROOM / 16 * 15,
            _ => ROOM / 8 * 7,
        };
        let violates = case.verdict == Verdict::Violation;
        if self.cases.size() < room {
            self.cases.add(case)?;
        } else {
            self.left_out += 1;
            self.left_out_violations += usize::from(violates);
        }
        if self.first.is_none() && violates && !waived {
            self.first = Some(reference(case, case.line));
        }
        for group in failure_groups(case).into_keys() {
            match self.often.get_mut(group) {
                Some(cases) => *cases += 1,
                None => drop(self.often.insert(group.to_owned(), 1)),
            }
        }
        self.holes.add(case);
        Ok(())
    }

    /// Writes the page of a run with the first header; the commands that run a case again are
    /// made of the second. `summary` and `groups` are those of all cases, made plain as well;
    /// `tests` cover clauses.
    ///
    /// # Errors
    /// What the writer gives.
    pub fn write(
        self,
        mut to: impl Write,
        headers: [&Header; 2],
        summary: &Summary,
        groups: &[Divergence],
        tests: &[CoveringTest],
    ) -> io::Result<()> {
        let [header, again] = &headers.map(plain::cleaned);
        let implementations = header.implementations.iter();
        let named = implementations.clone().map(|i| (&i.party, &i.introduced));
        let implementations: Vec<&Party> = implementations.map(|i| &i.party).collect();
        let failing = groups.iter().filter(|group| group.kind.fails());
        let mut of: BTreeMap<&str, Vec<&Divergence>> = BTreeMap::new();
        for (name, group) in failing.flat_map(|g| g.failure_groups.iter().map(move |n| (n, g))) {
            of.entry(name).or_default().push(group);
        }
        // A case of a failure group that has several causes may be of any of them.
        let diagnoses = of
            .into_iter()
            .filter_map(|(name, groups)| match groups[..] {
                [group] if group.diagnosis.is_some() => Some((name, group.diagnosed())),
                _ => None,
            });
        // What the script needs of the run as a whole.
        let run = json!({
            "block": BLOCK,
            // What the command that runs a case again begins with, up to the case's file,
            // and its further arguments.
            "command": command(again),
            "told": arguments(again),
            "left_out": self.left_out,
            // What may be behind a failure group: each line, and whether it stands out.
            "diagnoses": diagnoses.collect::<BTreeMap<_, _>>(),
            "implementations": implementations,
        });
        let coverage = summary.spoken.coverage(tests);
        let (list, blocks) = self.cases.done()?;
        let register = [&coverage.clauses, &coverage.gaps].map(|all| with_texts(all));
        let page = assets::render(&json!({
            // A header's own form leaves out what is empty, and the template asks for
            // nothing that may be missing.
            "facts": {
                "implementations": named.collect::<Vec<_>>(),
                "targets": header.targets,
                "seed": header.seed,
                // The folder that the data was read from, if it was not drawn.
                "data": header.st_data.as_ref().map(|data| &data.folder),
                "schedules": header.schedules,
                "readings": header.readings,
                "all_readings": header.all_readings,
                "version": header.version,
                "format": header.ptodiff_record,
                // Which part of a larger run it is, and of how many cases.
                "part": header.part.as_ref().map(|part| (part.partition, part.of)),
            },
            "violations": summary.totals.failing,
            "waived": summary.totals.waived,
            "left_out": self.left_out,
            "left_out_violations": self.left_out_violations,
            "first": self.first,
            "fails_by_flag": summary.totals.fails_by_flag(),
            "idle": summary.totals.idle().collect::<Vec<_>>(),
            // Of data folders: what is not judged, and whether it was to be.
            "unjudged": summary.totals.lines(),
            "lacking": header.st_data.is_some() && summary.totals.is_nothing(),
            "not_run": summary.totals.not_run,
            "not_begun": summary.totals.left_out,
            "interrupted": summary.totals.interrupted,
            "overview": overview(summary, &implementations, &coverage),
            "matrix": matrix(summary, &implementations),
            "divergences": divergences(again, groups, &self.often),
            // One that shows in two forms of an instruction is two, as in the summary of a run.
            "holes": {"count": summary.holes, "kinds": self.holes.by_kind()},
            // Packed: what the script needs of the run as a whole, the list of cases, their
            // records, and clauses and gaps.
            "run": pack(&run, LEVEL)?,
            "list": list,
            "blocks": blocks,
            // It is in the page of one case, too, which nobody should wait for.
            "register": pack(&register, Compression::fast())?,
        }))?;
        to.write_all(page.as_bytes())
    }
}

/// Clauses or gaps, each as the register has it and with what `coverage` found.
fn with_texts(coverage: &[EntryCoverage]) -> Vec<(&Entry, &EntryCoverage)> {
    let all = coverage.iter();
    all.filter_map(|of| Some((find(of.id)?, of))).collect()
}

/// Instruction by pair of parties: how often they came to what. Pairs of `implementations`
/// stand first: there are few instructions, and with implementations many pairs.
fn matrix(summary: &Summary, implementations: &[&Party]) -> Value {
    let model = |party: &Party| !implementations.contains(&party);
    let mut pairs: Vec<_> = summary.pairs().into_keys().collect();
    // Then targets, then further forms of a case.
    pairs.sort_by_key(|(a, b)| {
        let forms = a.form.is_some() || b.form.is_some();
        (model(a) && model(b), forms, model(b) && b.form.is_some())
    });
    let row = |pair: (Party, Party)| {
        let cell = |counts: &Pairs| {
            let counts = Outcome::VARIANTS.iter().zip(counts.get(&pair)?);
            let came = counts.filter(|(_, cases)| **cases > 0);
            let came = came.map(|(what, cases)| json!({"outcome": what, "cases": cases}));
            Some(came.collect::<Vec<_>>())
        };
        let (a, b) = &pair;
        let turned = model(a) && !model(b);
        json!({
            "pair": format!("{a}/{b}"),
            // An implementation first.
            "name": match turned {
                true => format!("{b}/{a}"),
                false => format!("{a}/{b}"),
            },
            "cells": summary.instructions.values().map(cell).collect::<Vec<_>>(),
        })
    };
    json!({
        "rows": pairs.into_iter().map(row).collect::<Vec<_>>(),
        "instructions": summary.instructions.keys().collect::<Vec<_>>(),
    })
}

/// Verdicts, parties, reasons and coverage in numbers.
fn overview(summary: &Summary, implementations: &[&Party], coverage: &Coverage) -> Value {
    let areas = match summary.spoken.has_something() {
        true => coverage.areas(),
        false => Vec::new(),
    };
    let mut parties: Vec<_> = summary.targets.iter().collect();
    parties.sort_by_key(|(party, _)| !implementations.contains(party));
    // Which clauses keep parties without a result.
    let reasons = summary.most_frequent();
    let more_reasons = reasons.len().saturating_sub(REASONS);
    let reasons = reasons.into_iter().take(REASONS);
    let reason = |((party, verb, clause), cases): (&(_, _, _), _)| json!({"party": party, "verb": verb, "clause": clause, "cases": cases});
    json!({
        "cases": summary.totals.cases,
        "verdicts": shares(summary),
        "parties": parties,
        "lacking": summary.is_lacking(),
        // Why implementations cannot run cases.
        "lacks": summary.lacks(),
        "reasons": reasons.map(reason).collect::<Vec<_>>(),
        "more_reasons": more_reasons,
        // What deserves a second look: numbers of cases, and names.
        "notes": {
            "readings": summary.readings_mattered,
            "gaps": summary.gaps,
            "deviates_from": summary.deviating,
            "deviates": summary.deviates_from,
            "unseen": summary.unseen,
            "renamed": summary.renamed,
            "flaky": summary.flaky.cases,
            "flaky_first": summary.flaky.first,
            "more_flaky": summary.flaky.more(),
            "unpromised": summary.unpromised.lines(),
        },
        // None where no case covers anything.
        "areas": areas.iter().map(area).collect::<Vec<_>>(),
        "other_targets": coverage.count(Status::OtherTargets),
    })
}

/// The verdicts that people look for first, the worst first.
const WORST_FIRST: [Verdict; 7] = [
    Verdict::Violation,
    Verdict::Permitted,
    Verdict::Hangs,
    Verdict::Undefined,
    Verdict::Rejected,
    Verdict::Single,
    Verdict::Agree,
];
const _: () = assert!(WORST_FIRST.len() == Verdict::VARIANTS.len());

/// How many cases came to each verdict, and where they stand in a bar of 1000.
fn shares(summary: &Summary) -> Vec<Value> {
    let mut before = 0;
    let part = |cases: usize| cases * 1000 / summary.totals.cases.max(1);
    let share = |verdict: &Verdict| {
        let cases = summary.count(*verdict);
        let from = part(before);
        before += cases;
        // One violation in a hundred thousand cases must be seen.
        let width = (part(before) - from).max(usize::from(cases > 0) * 3);
        let from = from.min(1000 - width);
        json!({"verdict": verdict, "cases": cases, "from": from, "width": width})
    };
    WORST_FIRST.iter().map(share).collect()
}

/// What of one document's clauses and gaps is covered.
fn area((name, area): &(&str, Coverage)) -> Value {
    let [clauses, gaps] = area.asked();
    json!({
        "name": name,
        "clauses": clauses,
        "covered": area.count(Status::Covered),
        "under_reading": area.count(Status::UnderReading),
        "not_coverable": area.count(Status::NotCoverable),
        "not_covered": area.count(Status::NotCovered),
        "gaps": gaps,
        "distinguished": area.count(Status::Run) + area.count(Status::Stated),
    })
}
