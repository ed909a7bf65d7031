//! Smallest cases on the screen and in a file.

use std::{
    io::{self, Write},
    path::Path,
};

use ptodiff_case::case_yaml;
use ptodiff_edge::text;
use ptodiff_hunt::{Seen, Smallest};
use ptodiff_report::style::{CLAUSE, DIM};

use super::draw::ordered;
use crate::{exit::Error, files::write_to, text::counted};

/// Writes one, and how it shows.
pub(super) fn write(to: &mut impl Write, one: &Smallest) -> io::Result<()> {
    head(to, &one.failure_group, &one.seen)?;
    match one.schedule {
        Some(schedule) => writeln!(to, "; shows with the lanes {}:", ordered(schedule))?,
        None => writeln!(to, "; not seen again:")?,
    }
    if let Some(why) = &one.why {
        writeln!(to, "    {why}")?;
    }
    for line in entry(one).lines() {
        writeln!(to, "  {DIM}|{DIM:#} {line}")?;
    }
    Ok(())
}

/// Begins a line about a failure group: in how many cases it was seen.
pub(super) fn head(to: &mut impl Write, failure_group: &str, seen: &Seen) -> io::Result<()> {
    let (cases, first) = (counted(seen.count, "case"), seen.first);
    write!(
        to,
        "  {CLAUSE}{failure_group}{CLAUSE:#}  {cases}, first {first}"
    )
}

/// The case without the head of its file.
fn entry(one: &Smallest) -> String {
    let text = case_yaml(&one.case);
    let entry = text.split_once("cases:\n").map(|(_, entry)| entry);
    entry.unwrap_or_default().to_owned()
}

/// Writes a case file of all to `path`, each with what it shows; where there
/// are none it says so, too, and nothing older is taken for what was found.
///
/// # Errors
/// If nothing can be written there.
pub(super) fn keep(to: &mut impl Write, path: &Path, all: &[Smallest]) -> Result<(), Error> {
    write_to(path, |to| to.write_all(file(all).as_bytes()))?;
    let cases = counted(all.len() as u64, "case");
    writeln!(to, "  {cases} in {}", text::path(path))?;
    Ok(())
}

fn file(all: &[Smallest]) -> String {
    if all.is_empty() {
        return "cases: []\n".to_owned();
    }
    let mut text = "cases:\n".to_owned();
    for one in all {
        text.push_str(&format!("  # {}\n{}", one.failure_group, entry(one)));
    }
    text
}
