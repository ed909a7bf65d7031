//! All that the template is filled with.

use std::{
    collections::{BTreeMap, HashMap},
    io,
};

use flate2::Compression;
use ptodiff_isa::{Party, Target};
use ptodiff_record::{
    CaseRecord, Diagnosis, Header, Tally, Verdict,
    reproduce::{arguments, command},
};
use serde::Serialize;

use super::{
    blocks::BLOCK,
    columns::{List, failure_groups_of},
    divergence::{Divergences, Reference},
    hole::{Holes, Shown},
    matrix::{Matrix, Meetings},
    overview::Overview,
    pack::{LEVEL, pack},
    register::Register,
};
use crate::coverage::{CoveringTest, Spoken};
use crate::group::Groups;
use crate::summary::Summary;

/// All that the template is filled with, but for the blocks of cases.
#[derive(Serialize)]
pub(super) struct Context<'a> {
    facts: Facts<'a>,
    /// Cases that are a violation.
    violations: usize,
    /// Cases that the page has no room for.
    left_out: usize,
    /// Those of them that are a violation.
    left_out_violations: usize,
    /// The first case that is a violation.
    first: Option<Reference>,
    /// Implementations that ran no case: nothing was found out about them.
    idle: Vec<String>,
    overview: Overview,
    matrix: Matrix,
    divergences: Divergences,
    holes: Holes,
    /// Packed: what the script needs of the run as a whole.
    run: String,
    /// Packed: the list of cases.
    list: String,
    /// Packed: clauses and gaps.
    register: String,
}

/// What the run was. A header's own form leaves out what is empty, and the
/// template asks for nothing that may be missing.
#[derive(Serialize)]
struct Facts<'a> {
    /// Each implementation, and what it called itself.
    implementations: Vec<(String, &'a str)>,
    targets: &'a [Target],
    seed: u64,
    /// The folder that the data was read from, if it was not drawn.
    data: Option<&'a str>,
    schedules: u32,
    readings: &'a [(String, String)],
    all_readings: bool,
    version: &'a str,
    format: u32,
    /// Which part of a larger run it is, and of how many cases.
    part: Option<(String, usize)>,
}

impl<'a> Facts<'a> {
    fn of(header: &'a Header) -> Self {
        let implementations = header.implementations.iter();
        let named = implementations.map(|i| (i.party.to_string(), i.introduced.as_str()));
        Self {
            implementations: named.collect(),
            targets: &header.targets,
            seed: header.seed,
            data: header.st_data.as_ref().map(|data| data.folder.as_str()),
            schedules: header.schedules,
            readings: &header.readings,
            all_readings: header.all_readings,
            version: &header.version,
            format: header.ptodiff_record,
            part: header
                .part
                .as_ref()
                .map(|part| (part.partition.to_string(), part.of)),
        }
    }
}

/// What the script needs of the run as a whole.
#[derive(Serialize)]
struct Run<'a> {
    /// Cases in a block.
    block: usize,
    /// What the command that runs a case again begins with, up to the case's file.
    command: &'a str,
    /// Its further arguments.
    told: &'a str,
    /// Cases that the page has no room for.
    left_out: usize,
    /// Implementations: they come first.
    implementations: Vec<&'a Party>,
    /// What may be behind a failure group, line by line.
    diagnoses: BTreeMap<&'a str, Vec<String>>,
}

/// All that the context is made of.
#[derive(Default)]
pub(super) struct Parts {
    list: List,
    left_out: usize,
    left_out_violations: usize,
    first: Option<Reference>,
    summary: Summary,
    spoken: Spoken,
    /// Numbers of the cases that cover something, by id.
    numbers: HashMap<String, usize>,
    meetings: Meetings,
    groups: Groups,
    /// Cases of each failure group.
    often: BTreeMap<String, usize>,
    holes: Shown,
}

impl Parts {
    /// How many bytes of the page the list of cases takes, about.
    pub(super) fn size(&self) -> usize {
        self.list.size()
    }

    /// Adds the next case; it is counted alone where it is not `listed`.
    pub(super) fn add(&mut self, case: &CaseRecord, listed: bool) {
        let violates = case.verdict == Verdict::Violation;
        if listed {
            if case.covers.has_something() {
                self.numbers.insert(case.id.clone(), self.list.len());
            }
            self.list.add(case);
        } else {
            self.left_out += 1;
            self.left_out_violations += usize::from(violates);
        }
        if self.first.is_none() && violates {
            self.first = Some(Reference::to(case));
        }
        self.summary.add(case);
        self.spoken.add(case);
        self.meetings.add(case);
        self.groups.add(case);
        for group in failure_groups_of(case) {
            match self.often.get_mut(group) {
                Some(cases) => *cases += 1,
                None => drop(self.often.insert(group.to_owned(), 1)),
            }
        }
        self.holes.add(case);
    }

    /// Adds what may be behind a group.
    pub(super) fn diagnosed(&mut self, diagnosis: &Diagnosis) {
        self.groups.diagnosed(diagnosis);
    }
}

impl<'a> Context<'a> {
    /// The context of these parts.
    ///
    /// # Errors
    /// As [`pack`].
    pub(super) fn of(header: &'a Header, parts: Parts, tests: &[CoveringTest]) -> io::Result<Self> {
        let Parts {
            list,
            left_out,
            left_out_violations,
            first,
            summary,
            spoken,
            numbers,
            meetings,
            groups,
            often,
            holes,
        } = parts;
        let groups = groups.sorted();
        let implementations: Vec<&Party> =
            header.implementations.iter().map(|i| &i.party).collect();
        let diagnosed = groups.iter().flat_map(|group| {
            let lines: Vec<String> = group.diagnosis.iter().flat_map(Diagnosis::lines).collect();
            let names = group
                .failure_groups
                .iter()
                .filter(|_| group.diagnosis.is_some());
            names.map(move |name| (name.as_str(), lines.clone()))
        });
        let run = Run {
            block: BLOCK,
            command: &command(header),
            told: &arguments(header),
            left_out,
            diagnoses: diagnosed.collect(),
            implementations: implementations.clone(),
        };
        let (list, rest) = rayon::join(
            || pack(&list.done(), LEVEL),
            || {
                let coverage = spoken.coverage(tests);
                // It is in the page of one case, too, which nobody should wait for.
                let register = pack(&Register::of(&coverage, &numbers), Compression::fast());
                let covers = spoken.has_something().then_some(&coverage);
                (Overview::of(&summary, covers, &implementations), register)
            },
        );
        let (overview, register) = rest;
        Ok(Self {
            facts: Facts::of(header),
            violations: summary.tally.count(Verdict::Violation),
            left_out,
            left_out_violations,
            first,
            idle: idle(&summary.tally, &implementations),
            overview,
            matrix: meetings.matrix(&implementations),
            divergences: Divergences::of(header, &groups, &often),
            holes: Holes::of(holes),
            run: pack(&run, LEVEL)?,
            list: list?,
            register: register?,
        })
    }
}

/// Those of `implementations` that answered in no case.
fn idle(tally: &Tally, implementations: &[&Party]) -> Vec<String> {
    let ran = |party: &&Party| {
        tally
            .targets
            .get(*party)
            .is_some_and(|n| n.conforms + n.rejected + n.undefined + n.hangs + n.violates > 0)
    };
    let idle = implementations.iter().copied().filter(|party| !ran(party));
    idle.map(ToString::to_string).collect()
}
