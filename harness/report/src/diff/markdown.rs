//! The difference of two records as Markdown.

use std::io::{self, Write};

use ptodiff_edge::consumer::code;

use super::{Case, Change, RunDiff, counts};
use crate::markdown::limited::{LimitedMarkdown, MOST};

/// Writes what differs, in less than 1 MiB.
///
/// # Errors
/// What the writer gives.
pub fn write_diff_markdown(mut to: impl Write, diff: &RunDiff<'_>) -> io::Result<()> {
    let mut markdown = LimitedMarkdown::new(MOST);
    let [before, after] = diff.names.map(code);
    markdown.push(&format!(
        "## ptodiff: {before} to {after}\n\n{}\n\n",
        counts(diff)
    ));
    for part in &diff.told {
        let [was, is] = part.words().map(code);
        markdown.push(&format!("- {}: {was} became {is}\n", code(&part.name)));
    }
    if !diff.changed.is_empty() {
        markdown.push("\n### Changed\n\n| | case | was | is | what |\n|---|---|---|---|---|\n");
    }
    for change in &diff.changed {
        markdown.push(&row(change));
    }
    for (title, cases) in [("Gone", &diff.gone), ("New", &diff.new)] {
        if !cases.is_empty() {
            let head = "| case | verdict | place |\n|---|---|---|\n";
            markdown.push(&format!("\n### {title}\n\n{head}"));
        }
        for case in cases {
            markdown.push(&case_row(case));
        }
    }
    let note = "*This is cut: a summary holds 1 MiB. The text and the page have all.*";
    to.write_all(markdown.finish(note).as_bytes())
}

fn row(change: &Change) -> String {
    let mark = if change.worse { "**worse**" } else { "" };
    let mut what: Vec<String> = Vec::new();
    for part in &change.parts {
        let [was, is] = part.words();
        what.push(format!("{} {was} to {is}", code(&part.name)));
    }
    what.extend(
        change
            .vanished
            .iter()
            .map(|s| format!("no longer {}", code(s))),
    );
    what.extend(change.appeared.iter().map(|s| format!("now {}", code(s))));
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
