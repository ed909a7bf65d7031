//! The difference of two records as Markdown.

use std::io::{self, Write};

use ptodiff_edge::consumer::code;
use ptodiff_record::counted;

use super::{Case, Change, RunDiff};
use crate::markdown::limited;

/// Writes what differs, in less than 1 MiB.
///
/// # Errors
/// What the writer gives.
pub fn write_diff_markdown(mut to: impl Write, diff: &RunDiff<'_>) -> io::Result<()> {
    let mut pieces = Vec::new();
    let [before, after] = diff.names.map(code);
    pieces.push(format!(
        "## ptodiff: {before} to {after}\n\n{}\n\n",
        diff.counts
    ));
    for part in &diff.told {
        let [name, was, is] = [&part.name, &part.before, &part.after].map(|text| code(text));
        pieces.push(format!("- {name}: {was} became {is}\n"));
    }
    if !diff.changed.is_empty() {
        let head = "| | case | was | is | what |\n|---|---|---|---|---|\n";
        pieces.push(format!("\n### Changed\n\n{head}"));
    }
    for (change, more) in diff.alike() {
        pieces.push(row(change, more));
    }
    if let Some(cases) = &diff.by_parties {
        pieces.push(format!("\n{}\n", code(cases)));
    }
    for (title, cases) in [("Gone", &diff.gone), ("New", &diff.new)] {
        if !cases.is_empty() {
            let head = "| case | verdict | place |\n|---|---|---|\n";
            pieces.push(format!("\n### {title}\n\n{head}"));
        }
        for case in cases {
            pieces.push(case_row(case));
        }
    }
    to.write_all(limited(pieces, "The page has all.").as_bytes())
}

fn row(change: &Change, more: usize) -> String {
    let mark = if change.worse { "**worse**" } else { "" };
    let parts = change.parts.iter();
    let parts = parts.map(|p| {
        let [name, was, is] = [&p.name, &p.before, &p.after].map(|text| code(text));
        format!("{name} {was} to {is}")
    });
    let vanished = change.vanished.iter();
    let vanished = vanished.map(|group| format!("no longer {}", code(group)));
    let appeared = change.appeared.iter();
    let appeared = appeared.map(|group| format!("now {}", code(group)));
    let mut what: Vec<String> = parts.chain(vanished).chain(appeared).collect();
    if more > 0 {
        let cases = counted(more as u64, "more case");
        what.push(format!("and {cases} in the same way"));
    }
    format!(
        "| {mark} | {} | {} | {} | {} |\n",
        code(&change.case.id),
        change.before,
        change.case.verdict,
        what.join("<br>")
    )
}

fn case_row(case: &Case) -> String {
    let place = code(&format!("{}:{}", case.file, case.line));
    format!("| {} | {} | {place} |\n", code(&case.id), case.verdict)
}
