//! What a hunt says of subjects.

use std::{
    io::{self, Write},
    path::Path,
};

use ptodiff_case::case_yaml;
use ptodiff_edge::text;
use ptodiff_hunt::{Found, Plan, Smallest, smallest};
use ptodiff_report::style::{BAD, BOLD, CLAUSE, DIM};
use ptodiff_subject::Subject;

use crate::{
    exit::{Error, Exit},
    files::write_to,
    text::grouped,
};

/// Kinds of wrong of which a smallest case is made: one may take minutes where
/// a subject hangs.
const MOST: usize = 16;

/// Says what subjects did wrong, with a smallest case of each kind, which goes
/// to the file `out`, too, if one is named.
///
/// # Errors
/// If nothing can be written there.
pub(super) fn write(
    to: &mut impl Write,
    subjects: &[Subject],
    plan: &Plan,
    found: &Found,
    out: Option<&Path>,
) -> Result<(), Error> {
    for (party, asked) in &found.asked {
        write!(
            to,
            "{BOLD}{party}{BOLD:#} asked {} times",
            grouped(asked.cases)
        )?;
        if asked.unsupported > 0 {
            write!(to, ", {} of them unsupported", grouped(asked.unsupported))?;
        }
        writeln!(to)?;
    }
    if found.subjects.is_empty() {
        writeln!(to, "{BOLD}no violation by a subject{BOLD:#}")?;
        return Ok(());
    }
    let kinds = found.subjects.len();
    writeln!(to, "{BAD}{kinds} kinds of violation by subjects{BAD:#}")?;
    let all = smallest(subjects, plan, found, MOST);
    for one in &all {
        write_one(to, one)?;
    }
    // Without its subjects an interrupted hunt has no smallest cases.
    let shown = if subjects.is_empty() { 0 } else { MOST };
    for (signature, seen) in found.subjects.iter().skip(shown) {
        let (count, first) = (grouped(seen.count), seen.first);
        writeln!(
            to,
            "  {CLAUSE}{signature}{CLAUSE:#}  {count} cases, first {first}"
        )?;
    }
    if let Some(path) = out.filter(|_| !subjects.is_empty()) {
        write_to(path, |to| to.write_all(file(&all).as_bytes()))?;
        writeln!(to, "  {} cases in {}", all.len(), text::path(path))?;
    }
    Ok(())
}

fn write_one(to: &mut impl Write, one: &Smallest) -> io::Result<()> {
    let (count, first) = (grouped(one.seen.count), one.seen.first);
    write!(
        to,
        "  {CLAUSE}{}{CLAUSE:#}  {count} cases, first {first}; ",
        one.signature
    )?;
    match one.schedule {
        Some(schedule) => writeln!(to, "shows with the lanes {}:", ordered(schedule))?,
        None => writeln!(to, "not seen again:")?,
    }
    if let Some(why) = &one.why {
        writeln!(to, "    {why}")?;
    }
    for line in entry(one).lines() {
        writeln!(to, "  {DIM}|{DIM:#} {line}")?;
    }
    Ok(())
}

fn ordered(schedule: ptodiff_isa::Schedule) -> String {
    use ptodiff_isa::Schedule::{InOrder, Reversed, Shuffled};
    match schedule {
        InOrder => "in order".to_owned(),
        Reversed => "reversed".to_owned(),
        Shuffled(seed) => format!("shuffled by {seed}"),
    }
}

/// The case without the head of its file.
fn entry(one: &Smallest) -> String {
    let text = case_yaml(&one.case);
    let entry = text.split_once("cases:\n").map(|(_, entry)| entry);
    entry.unwrap_or_default().to_owned()
}

/// One case file of all, each with what it shows.
fn file(all: &[Smallest]) -> String {
    let mut text = "cases:\n".to_owned();
    for one in all {
        text.push_str(&format!("  # {}\n{}", one.signature, entry(one)));
    }
    text
}

/// How a hunt ends by what its subjects did.
pub(super) fn exit(found: &Found) -> Exit {
    let idle = |asked: &ptodiff_hunt::Asked| asked.cases == asked.unsupported;
    if !found.subjects.is_empty() {
        Exit::Violation
    } else if found.asked.values().any(idle) {
        Exit::Nothing
    } else {
        Exit::Conforms
    }
}
