//! A run as one page: a file that opens from disk and asks for nothing else.
//!
//! The page is a template (`reports/page/`), filled with what the record and
//! the register say. Verdicts, matrix and divergences are markup, there before
//! any script runs. The cases follow as data: rows for the list, and their records in
//! blocks of [`BLOCK`], each deflated and in base64, inflated when one of its cases is
//! opened. Where there are too many for a page ([`ROOM`]) violations come first. It says
//! so where something is left out; the record has it.
//!
//! What a record holds is data throughout: the template escapes it, the script
//! only ever makes text of it, and the page's own policy
//! (`Content-Security-Policy`) lets no other script run and no request leave.

mod assets;
mod cases;
mod context;
mod divergence;
mod hole;
mod pack;
mod place;
mod register;

use std::io::{self, Write};

use ptodiff_record::{CaseRecord, Diagnosis, Header, Verdict};

use crate::{
    coverage::CoveringTest,
    group::{Divergence, Groups},
    plain,
    summary::Summary,
    totals::RunTotals,
};

pub(crate) use assets::environment;
pub use cases::BLOCK;

/// Bytes of the page that cases may take, the list of them included: a browser opens a
/// page of ten megabytes at once. What is kept of it for violations no other case takes.
pub const ROOM: usize = 9_300_000;

/// A page of cases that come one after the other, each [made plain](plain::cleaned).
/// What it keeps of a case is packed, and no more than the page has room for.
pub struct PageWriter {
    header: Header,
    /// What the commands say that run a case again.
    again: Header,
    parts: context::Parts,
    totals: RunTotals,
}

impl PageWriter {
    /// The page of a run with this header.
    #[must_use]
    pub fn new(header: &Header) -> Self {
        let header = plain::cleaned(header).into_owned();
        Self {
            again: header.clone(),
            totals: RunTotals::of(&header),
            header,
            parts: context::Parts::default(),
        }
    }

    /// Adds the next case.
    ///
    /// # Errors
    /// None in practice: memory takes everything.
    pub fn add(&mut self, case: &CaseRecord) -> io::Result<()> {
        let room = match case.verdict {
            Verdict::Violation => ROOM,
            Verdict::Permitted => ROOM / 16 * 15,
            _ => ROOM / 8 * 7,
        };
        self.totals.add(case);
        self.parts.add(case, room)
    }

    /// Says how the run was called, where that is known: the commands that run a case again
    /// are then whole.
    pub fn called(&mut self, header: &Header) {
        self.again = plain::cleaned(header).into_owned();
    }

    /// Says that the run was interrupted before the last of so many cases.
    pub const fn interrupted(&mut self, of: usize) {
        self.totals.interrupted = Some(of);
    }

    /// Writes the page. `summary` and `groups` are those of all cases, made plain as well;
    /// `tests` cover clauses.
    ///
    /// # Errors
    /// What the writer gives.
    pub fn write(
        self,
        mut to: impl Write,
        summary: &Summary,
        groups: &[Divergence],
        tests: &[CoveringTest],
    ) -> io::Result<()> {
        let headers = [&self.header, &self.again];
        let mut context = self.parts.context(headers, summary, groups, tests)?;
        context["not_run"] = self.totals.not_run.into();
        context["interrupted"] = self.totals.interrupted.into();
        let page = assets::render(&context)?;
        to.write_all(page.as_bytes())
    }
}

/// Writes the page of these cases, in whose run this was diagnosed.
///
/// # Errors
/// What the writer gives.
pub fn write_html(
    to: impl Write,
    header: &Header,
    cases: &[CaseRecord],
    diagnoses: &[Diagnosis],
) -> io::Result<()> {
    let mut page = PageWriter::new(header);
    let (mut summary, mut groups) = (Summary::default(), Groups::default());
    for case in cases {
        let case = plain::cleaned(case);
        page.add(&case)?;
        summary.add(&case);
        groups.add(&case);
    }
    for diagnosis in diagnoses {
        groups.diagnosed(&plain::cleaned(diagnosis));
    }
    page.write(to, &summary, &groups.sorted(), &[])
}
