//! A record as Markdown, for the summary of a CI job.

pub(crate) mod sheet;

use std::collections::BTreeSet;
use std::io::{self, Write};

use ptodiff_edge::consumer::{block, code};
use ptodiff_isa::Instruction;
use ptodiff_record::{CaseRecord, Header, Tally, Verdict, counted, reproduce::reproduce};

use crate::group::{Divergence, Kind, groups, last_words};
use crate::slot::line;
use sheet::{MOST, Sheet};

/// How many groups of divergences are shown.
pub const GROUPS: usize = 20;

/// Writes counts, the matrix of instructions and pairs, and the first
/// [`GROUPS`] groups of divergences, in less than 1 MiB.
///
/// # Errors
/// What the writer gives.
pub fn write_markdown(mut to: impl Write, header: &Header, cases: &[CaseRecord]) -> io::Result<()> {
    let mut sheet = Sheet::new(MOST);
    let tally = Tally::of(cases);
    sheet.push(&title(header, &tally));
    matrix(&mut sheet, cases);
    divergences(&mut sheet, header, &groups(cases));
    let note =
        "*This is cut: a summary holds 1 MiB. The record and the page made from it have all.*";
    to.write_all(sheet.finish(note).as_bytes())
}

fn title(header: &Header, tally: &Tally) -> String {
    let violations = tally.count(Verdict::Violation);
    let came = match violations {
        0 => "no violation".to_owned(),
        1 => "1 violation".to_owned(),
        n => format!("{n} violations"),
    };
    let mut out = format!("## ptodiff: {came} in {}\n\n", counted(tally.cases, "case"));
    let counts: Vec<String> = tally
        .verdicts
        .iter()
        .map(|(verdict, count)| format!("{count} {verdict}"))
        .collect();
    if !counts.is_empty() {
        out.push_str(&format!("{}\n\n", counts.join(", ")));
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

fn matrix(sheet: &mut Sheet, cases: &[CaseRecord]) {
    let instructions: BTreeSet<Instruction> = cases.iter().map(|case| case.instruction).collect();
    let mut head = "| instruction | pair | agree | permitted | violation | not compared |\n\
                    |---|---|--:|--:|--:|--:|\n";
    for instruction in instructions {
        let own = cases.iter().filter(|case| case.instruction == instruction);
        for ((a, b), n) in Tally::of(own).pairs {
            let row = format!(
                "{head}| {instruction} | {} | {} | {} | {} | {} |\n",
                code(&format!("{a}/{b}")),
                n.agree,
                n.permitted,
                n.violation,
                n.not_compared
            );
            sheet.push(&row);
            head = "";
        }
    }
    if head.is_empty() {
        sheet.push("\n");
    }
}

fn divergences(sheet: &mut Sheet, header: &Header, all: &[Divergence<'_>]) {
    for group in all.iter().take(GROUPS) {
        sheet.push(&divergence(header, group));
    }
    if all.len() > GROUPS {
        let more = all.len() - GROUPS;
        sheet.push(&format!("And {more} more groups of divergences.\n"));
    }
}

fn divergence(header: &Header, group: &Divergence<'_>) -> String {
    let word = match group.kind {
        Kind::Violation => "Violation",
        Kind::Permitted => "Permitted",
    };
    let count = counted(group.cases.len(), "case");
    let mut out = format!("### {word} {}, {count}\n\n", code(group.failure_group));
    if !group.clauses.is_empty() {
        /// A group of more cites something out of hand.
        const CLAUSES: usize = 20;
        let by: Vec<String> = group
            .clauses
            .iter()
            .take(CLAUSES)
            .map(|c| code(c))
            .collect();
        out.push_str(&format!("Rule {}", by.join(", ")));
        if group.clauses.len() > CLAUSES {
            out.push_str(&format!(" and {} more", group.clauses.len() - CLAUSES));
        }
        out.push_str(".\n");
    }
    if let Some(case) = group.cases.first() {
        let place = format!("{}:{}", case.file, case.line);
        out.push_str(&format!("First {} in {}: ", code(&case.id), code(&place)));
        out.push_str(&format!("{}\n\n", code(&group.said())));
        if let Some(slot) = group.slots.first() {
            out.push_str(&format!("{}\n\n", code(&line(slot))));
        }
        let said = last_words(case, group.failure_group);
        if !said.is_empty() {
            out.push_str(&block("text", said));
            out.push('\n');
        }
        out.push_str(&block("sh", &[reproduce(header, case)]));
        out.push('\n');
    }
    out
}
