//! A record as Markdown, for the summary of a CI job.

use std::collections::BTreeMap;
use std::io::{self, Write};

use ptodiff_edge::consumer::{block, code};
use ptodiff_isa::Instruction;
use ptodiff_record::{CaseRecord, Header, counted, joined};

use crate::failure_text::{lines_of, text};
use crate::flaky::Flaky;
use crate::group::{Divergence, groups};
use crate::pairs::Pairs;
use crate::summary::Summary;
use crate::unpromised::{MOST as MOST_CLAUSES, Unpromised};

/// A step's summary of GitHub holds 1 MiB; the rest is for what is said at the end.
const MOST: usize = (1 << 20) - 4096;

/// How many groups of divergences are shown.
pub const GROUPS: usize = 20;

/// Writes what the run came to, the matrix of instructions and pairs, and the first
/// [`GROUPS`] of `groups`, in less than 1 MiB.
///
/// # Errors
/// What the writer gives.
pub fn write(
    mut to: impl Write,
    header: &Header,
    summary: &Summary,
    groups: &[Divergence],
) -> io::Result<()> {
    let mut pieces = vec![title(header, summary, groups), told_unjudged(summary)];
    pieces.extend(matrix(&summary.instructions));
    pieces.extend(divergences(header, groups));
    pieces.push(told_flaky(&summary.flaky));
    pieces.push(told_unpromised(&summary.unpromised));
    to.write_all(limited(pieces, "The record and the page made from it have all.").as_bytes())
}

/// As many of `pieces` as a CI job shows, each whole; where that is not all it is said, and
/// `where_all` is.
pub(crate) fn limited(pieces: Vec<String>, where_all: &str) -> String {
    let mut out = String::new();
    for piece in pieces {
        if out.len() + piece.len() > MOST {
            out.push_str(&format!(
                "\n*This is cut: a summary holds 1 MiB. {where_all}*\n"
            ));
            break;
        }
        out.push_str(&piece);
    }
    out
}

/// Writes the Markdown of `cases`, as [`write()`].
///
/// # Errors
/// What the writer gives.
pub fn write_markdown(to: impl Write, header: &Header, cases: &[CaseRecord]) -> io::Result<()> {
    write(to, header, &Summary::of(header, cases), &groups(cases))
}

fn title(header: &Header, summary: &Summary, groups: &[Divergence]) -> String {
    let totals = &summary.totals;
    let said = totals.said(groups);
    let mut out = format!("## ptodiff: {} {said}\n\n", totals.word());
    for party in totals.idle() {
        out.push_str(&format!("{} ran no case.\n\n", code(&party.to_string())));
    }
    if totals.cases > 0 {
        out.push_str(&format!("{}\n\n", summary.by_verdict()));
    }
    let data = match &header.st_data {
        Some(data) => format!("Data of {}", code(&data.folder)),
        None => format!("Seed {}", header.seed),
    };
    out.push_str(&format!(
        "{data}, {} schedules, ptodiff {}",
        header.schedules,
        code(&header.version)
    ));
    for (gap, choice) in &header.readings {
        out.push_str(&format!(", {}", code(&format!("{gap}={choice}"))));
    }
    for implementation in &header.implementations {
        out.push_str(&format!(
            ", implementation {}",
            code(&implementation.party.to_string())
        ));
    }
    if let Some(part) = &header.part {
        let whole = counted(part.of, "case");
        out.push_str(&format!(
            ", part {} of {whole}",
            code(&part.partition.to_string())
        ));
    }
    out.push_str("\n\n");
    out
}

/// What of data folders is not judged, and why implementations cannot run cases.
fn told_unjudged(summary: &Summary) -> String {
    let mut out = String::new();
    let lacks = summary.lacks().into_iter().map(|line| ("", line));
    for (word, text) in summary.totals.lines().into_iter().chain(lacks) {
        let colon = if word.is_empty() { "" } else { ": " };
        out.push_str(&format!("- {word}{colon}{}\n", code(&text)));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn matrix(instructions: &BTreeMap<Instruction, Pairs>) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut head = "| instruction | pair | agree | permitted | violation | not compared |\n\
                    |---|---|--:|--:|--:|--:|\n";
    for (instruction, pairs) in instructions {
        for ((a, b), [agree, permitted, violation, rejected, no_result]) in pairs {
            pieces.push(format!(
                "{head}| {instruction} | {} | {agree} | {permitted} | {violation} | {} |\n",
                code(&format!("{a}/{b}")),
                rejected + no_result
            ));
            head = "";
        }
    }
    if head.is_empty() {
        pieces.push("\n".to_owned());
    }
    pieces
}

/// What was wrong once, if anything was.
fn told_flaky(flaky: &Flaky) -> String {
    if flaky.cases == 0 {
        return String::new();
    }
    let cases = counted(flaky.cases, "case");
    let mut out = format!(
        "### Flaky in {cases}\n\nWrong once, and not when asked again in a new process.\n\n"
    );
    for one in &flaky.first {
        let place = format!("{}:{}", one.file, one.line);
        let answers = format!("{}: {}", one.party, one.answers);
        let (id, place, answers) = (code(&one.id), code(&place), code(&answers));
        out.push_str(&format!("- {id} in {place}: {answers}\n"));
    }
    if flaky.more() > 0 {
        out.push_str(&format!("- and {} more\n", flaky.more()));
    }
    out.push('\n');
    out
}

/// Where implementations differ and nothing is promised.
fn told_unpromised(all: &Unpromised) -> String {
    let lines = all.lines();
    if lines.is_empty() {
        return String::new();
    }
    let mut out = "### Differs where nothing is promised\n\n".to_owned();
    for line in lines.iter().take(MOST_CLAUSES) {
        out.push_str(&format!("- {}\n", code(line)));
    }
    if let Some(more @ 1..) = lines.len().checked_sub(MOST_CLAUSES) {
        out.push_str(&format!("- and by {}\n", counted(more, "clause")));
    }
    out.push('\n');
    out
}

fn divergences(header: &Header, all: &[Divergence]) -> impl Iterator<Item = String> {
    let shown = all.iter().take(GROUPS);
    let more = all.get(GROUPS..).filter(|more| !more.is_empty());
    let more = more.map(|more| {
        let failing = more.iter().filter(|group| group.kind.fails()).count();
        let more = counted(more.len(), "more group");
        format!("And {more}, {failing} of which fail: `ptodiff report` of the record shows all.\n")
    });
    shown.map(|group| divergence(header, group)).chain(more)
}

fn divergence(header: &Header, group: &Divergence) -> String {
    let mut word = group.kind.word().to_owned();
    word[..1].make_ascii_uppercase();
    let count = counted(group.cases, "case");
    let mut out = format!("### {word} {}, {count}\n\n", code(&group.failure_group));
    if let Some(several) = group.several() {
        /// A group of more has more causes than were found.
        const GROUPS: usize = 20;
        let named = several.iter().take(GROUPS).map(|g| code(g));
        out.push_str(&format!("Failure groups {}", joined(named, ", ")));
        if several.len() > GROUPS {
            out.push_str(&format!(" and {} more", several.len() - GROUPS));
        }
        out.push_str(".\n\n");
    }
    let mut lines = lines_of(header, group);
    // It can be copied from a block of its own.
    let command = lines.pop().map(|(_, command)| command);
    out.push_str(&block("text", &text(&lines)));
    out.push('\n');
    out.push_str(&block("sh", command.as_slice()));
    out.push('\n');
    out
}
