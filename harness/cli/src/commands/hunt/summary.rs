//! What a hunt says of what it found on the models.

use std::{io::Write, path::Path};

use ptodiff_case::{Case, Form, Hole};
use ptodiff_edge::text;
use ptodiff_hunt::{Distinct, Found, Known, MOST_CLAUSES, keep};
use ptodiff_report::style::{BOLD, DIM};

use super::Hunt;
use crate::{
    exit::Error,
    text::{counted, grouped, joined},
};

type Written = std::io::Result<()>;

/// How many cases came to what.
pub(super) fn write_found(to: &mut impl Write, drawn: &Hunt, found: &Found) -> Written {
    let (cases, seed) = (counted(found.cases, "case"), drawn.seed);
    let part = drawn
        .partition
        .map_or_else(String::new, |part| format!(", part {}", part.fraction()));
    let verdicts = found.verdicts.iter();
    let verdicts = verdicts.map(|(verdict, count)| format!(" {} {verdict}", grouped(*count)));
    let verdicts = joined(verdicts, ",");
    writeln!(to, "{BOLD}{cases}{BOLD:#} of seed {seed}{part}:{verdicts}")?;
    if found.readings > 0 {
        let asked = grouped(found.readings);
        writeln!(to, "  {asked} of them under every reading that may matter")?;
    }
    if !found.relations.is_empty() {
        let relations = found.relations.iter();
        let relations = relations.map(|(name, count)| format!("{name} {}", grouped(*count)));
        writeln!(to, "  relations checked: {}", joined(relations, ", "))?;
    }
    Ok(())
}

/// The holes, and how many cases have one that is not among them.
pub(super) fn write_holes(
    to: &mut impl Write,
    all: &[Distinct],
    known: &Known,
    found: &Found,
) -> Written {
    let holes = || all.iter().flat_map(|d| d.holes.iter().map(move |h| (d, h)));
    let new = holes().filter(|(d, h)| !known.has(d.form, h)).count();
    let count = counted(holes().count() as u64, "hole");
    writeln!(to, "{BOLD}{count}{BOLD:#}, {new} of them new")?;
    for distinct in all {
        for hole in &distinct.holes {
            let word = match known.has(distinct.form, hole) {
                // Who tests an implementation wants to hear of that.
                true if !found.asked.is_empty() => continue,
                true => "known",
                false => "new  ",
            };
            let seen = distinct.seen(hole);
            let (cases, first) = seen.map_or((0, 0), |seen| (seen.count, seen.first));
            let cases = counted(cases, "case");
            let form = distinct.form;
            writeln!(
                to,
                "  {word}  {form} {hole}  {DIM}{cases}, first {first}{DIM:#}"
            )?;
        }
    }
    if found.several > 0 {
        let cases = counted(found.several, "case");
        writeln!(
            to,
            "  {cases} with a hole of more than {MOST_CLAUSES} clauses at once: it is not named"
        )?;
    }
    Ok(())
}

/// Writes `cases` to `folder`, and says which holes none of `drawn` is, and where they are.
pub(super) fn write_kept(
    to: &mut impl Write,
    folder: &Path,
    cases: &[Case],
    drawn: &[Distinct],
    by: &str,
) -> Result<(), Error> {
    let files = keep(folder, cases, by)?;
    for case in cases {
        let form = Form::of(&case.call);
        let is_drawn = |hole: &Hole| {
            drawn
                .iter()
                .any(|d| d.form == form && d.holes.contains(hole))
        };
        for hole in case.holes.iter().filter(|hole| !is_drawn(hole)) {
            writeln!(to, "  beside {form} {hole}")?;
        }
    }
    writeln!(to, "  {} kept", counted(cases.len() as u64, "case"))?;
    for file in files {
        writeln!(to, "    {}", text::path(&file))?;
    }
    Ok(())
}
