//! A record as Markdown, for the summary of a CI job.

pub(crate) mod sheet;

use std::collections::BTreeMap;
use std::io::{self, Write};

use ptodiff_edge::consumer::{block, code};
use ptodiff_isa::Instruction;
use ptodiff_record::{
    CaseRecord, Diagnosis, Header, Tally, Verdict, counted, reproduce::reproduce,
};

use crate::flaky::Flaky;
use crate::group::{Divergence, Groups, Kind};
use crate::slot::line;
use sheet::{MOST, Sheet};

/// How many groups of divergences are shown.
pub const GROUPS: usize = 20;

/// What cases that come one after the other come to.
#[derive(Debug, Default)]
pub struct Markdown {
    tally: Tally,
    instructions: BTreeMap<Instruction, Tally>,
    groups: Groups,
    flaky: Flaky,
}

impl Markdown {
    /// Adds the next case.
    pub fn add(&mut self, case: &CaseRecord) {
        self.tally.add(case);
        self.instructions
            .entry(case.instruction)
            .or_default()
            .add(case);
        self.groups.add(case);
        self.flaky.add(case);
    }

    /// Adds what may be behind a group, after all cases.
    pub fn diagnosed(&mut self, diagnosis: &Diagnosis) {
        self.groups.diagnosed(diagnosis);
    }

    /// Writes counts, the matrix of instructions and pairs, and the first
    /// [`GROUPS`] groups of divergences, in less than 1 MiB.
    ///
    /// # Errors
    /// What the writer gives.
    pub fn write(self, mut to: impl Write, header: &Header) -> io::Result<()> {
        let mut sheet = Sheet::new(MOST);
        sheet.push(&title(header, &self.tally));
        matrix(&mut sheet, &self.instructions);
        divergences(&mut sheet, header, &self.groups.sorted());
        sheet.push(&told_flaky(&self.flaky));
        let note =
            "*This is cut: a summary holds 1 MiB. The record and the page made from it have all.*";
        to.write_all(sheet.finish(note).as_bytes())
    }
}

/// Writes the Markdown of `cases`, as [`Markdown::write`].
///
/// # Errors
/// What the writer gives.
pub fn write_markdown(to: impl Write, header: &Header, cases: &[CaseRecord]) -> io::Result<()> {
    let mut all = Markdown::default();
    cases.iter().for_each(|case| all.add(case));
    all.write(to, header)
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

fn matrix(sheet: &mut Sheet, instructions: &BTreeMap<Instruction, Tally>) {
    let mut head = "| instruction | pair | agree | permitted | violation | not compared |\n\
                    |---|---|--:|--:|--:|--:|\n";
    for (instruction, tally) in instructions {
        for ((a, b), n) in &tally.pairs {
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

/// What was wrong once, if anything was.
fn told_flaky(flaky: &Flaky) -> String {
    if flaky.cases == 0 {
        return String::new();
    }
    let cases = counted(flaky.cases, "case");
    let mut out =
        format!("### Flaky in {cases}\n\nWrong once, and not when asked again alone.\n\n");
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

fn divergences(sheet: &mut Sheet, header: &Header, all: &[Divergence]) {
    for group in all.iter().take(GROUPS) {
        sheet.push(&divergence(header, group));
    }
    if all.len() > GROUPS {
        let more = all.len() - GROUPS;
        sheet.push(&format!("And {more} more groups of divergences.\n"));
    }
}

fn divergence(header: &Header, group: &Divergence) -> String {
    let word = match group.kind {
        Kind::Violation => "Violation",
        Kind::Permitted => "Permitted",
    };
    let count = counted(group.cases, "case");
    let mut out = format!("### {word} {}, {count}\n\n", code(&group.failure_group));
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
    if let Some(cause) = &group.cause {
        out.push_str(&format!("In common {}.\n", code(&cause.said())));
    }
    if let Some(several) = group.several() {
        /// A group of more has more causes than were found.
        const GROUPS: usize = 20;
        let named: Vec<String> = several.iter().take(GROUPS).map(|g| code(g)).collect();
        out.push_str(&format!("Failure groups {}", named.join(", ")));
        if several.len() > GROUPS {
            out.push_str(&format!(" and {} more", several.len() - GROUPS));
        }
        out.push_str(".\n");
    }
    for line in group.diagnosis.iter().flat_map(Diagnosis::lines) {
        out.push_str(&format!("Diagnosis {}.\n", code(&line)));
    }
    let case = &*group.first;
    let place = format!("{}:{}", case.file, case.line);
    out.push_str(&format!("First {} in {}: ", code(&case.id), code(&place)));
    out.push_str(&format!("{}\n\n", code(&group.said())));
    if let Some(slot) = group.slots.first() {
        out.push_str(&format!("{}\n\n", code(&line(slot))));
    }
    let said = group.last_words();
    if !said.is_empty() {
        out.push_str(&block("text", said));
        out.push('\n');
    }
    out.push_str(&block("sh", &[reproduce(header, case)]));
    out.push('\n');
    out
}
