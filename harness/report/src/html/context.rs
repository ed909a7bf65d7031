//! All that the template is filled with.

use std::io;

use ptodiff_isa::Target;
use ptodiff_record::{
    Header, Tally, Verdict,
    reproduce::{command, told},
};
use serde::Serialize;

use super::{
    Page, blocks::BLOCK, columns::Columns, divergence::Divergences, hole::Holes, matrix::Matrix,
    overview::Overview, pack::pack, register::Register,
};
use crate::coverage::Coverage;

/// All that the template is filled with, but for the blocks of cases.
#[derive(Serialize)]
pub(super) struct Context<'a> {
    facts: Facts<'a>,
    /// Cases that are a violation.
    violations: usize,
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
        Self {
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
}

impl<'a> Context<'a> {
    /// The context of `page`.
    ///
    /// # Errors
    /// As [`pack`].
    pub(super) fn of(page: &Page<'a>) -> io::Result<Self> {
        let Page {
            header,
            cases,
            tests,
        } = *page;
        let run = Run {
            block: BLOCK,
            command: &command(header),
            told: &told(header),
        };
        let (list, rest) = rayon::join(
            || pack(&Columns::of(cases)),
            || {
                let coverage = Coverage::of(cases, tests);
                let register = pack(&Register::of(&coverage, cases));
                (Overview::of(cases, &coverage), register)
            },
        );
        let (overview, register) = rest;
        Ok(Self {
            facts: Facts::of(header),
            violations: Tally::of(cases).count(Verdict::Violation),
            overview,
            matrix: Matrix::of(cases),
            divergences: Divergences::of(header, cases),
            holes: Holes::of(cases),
            run: pack(&run)?,
            list: list?,
            register: register?,
        })
    }
}
