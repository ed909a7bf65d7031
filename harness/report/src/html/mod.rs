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

use std::io::{self, Write};

use ptodiff_record::{CaseRecord, Diagnosis, Header};

use crate::{group::Groups, plain, summary::Summary};

pub(crate) use assets::environment;
pub use cases::BLOCK;
pub use context::PageWriter;

/// Bytes of the page that cases may take, the list of them included: a browser opens a
/// page of ten megabytes at once. What is kept of it for violations no other case takes.
pub const ROOM: usize = 9_300_000;

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
    let (mut page, mut groups) = (PageWriter::default(), Groups::default());
    let mut summary = Summary::new(&plain::cleaned(header));
    for case in cases {
        let case = plain::cleaned(case);
        page.add(&case, false)?;
        summary.add(&case);
        groups.add(&case);
    }
    for diagnosis in diagnoses {
        groups.diagnosed(&plain::cleaned(diagnosis));
    }
    let groups = groups.sorted();
    page.write(to, [header; 2], &summary, &groups, &[])
}
