//! `ptodiff holes`

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::PathBuf,
};

use clap::{Args, ValueEnum};
use ptodiff_case::{Case, Form};
use ptodiff_report::style::{BOLD, CLAUSE, DIM};
use regex_lite::Regex;
use serde_json::{Value, json};

use crate::{
    exit::{Error, Exit},
    out::stdout,
    plain,
    text::{counted, joined, paragraph},
};

/// `ptodiff holes`
#[derive(Args, Debug)]
pub(crate) struct Holes {
    /// Case files or folders of them
    #[arg(default_value = "cases/holes")]
    pub(crate) paths: Vec<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// How holes are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON object a line
    Json,
    /// A table for a page
    Markdown,
}

/// Lists the holes that cases say they show.
///
/// # Errors
/// Bad cases, no hole among them, or standard output fails.
pub(crate) fn holes(args: &Holes) -> Result<Exit, Error> {
    let corpus = crate::pto::load_all(&args.paths)?;
    let cases: Vec<&Case> = corpus
        .cases
        .iter()
        .filter(|c| !c.holes.is_empty())
        .collect();
    if cases.is_empty() {
        return Err(Error::nothing("no case there shows a hole"));
    }
    let mut out = stdout();
    if args.format == Format::Markdown {
        writeln!(out, "| form | hole | what goes wrong |")?;
        writeln!(out, "|---|---|---|")?;
    }
    for case in &cases {
        let form = Form::of(&case.call);
        match args.format {
            Format::Markdown => write_row(&mut out, form, case)?,
            Format::Json => {
                let holes = case.holes.iter().map(ToString::to_string);
                let readings: BTreeMap<_, _> = case.readings.chosen().into_iter().collect();
                let line = json!({
                    "id": case.id,
                    "form": form.to_string(),
                    "holes": holes.collect::<Value>(),
                    "about": case.about,
                    "readings": readings,
                    "file": case.place.file.display().to_string(),
                    "line": case.place.span.line,
                });
                plain::json(&mut out, &line)?;
            }
            Format::Text => write(&mut out, form, case)?,
        }
    }
    if args.format == Format::Text {
        let count: usize = cases.iter().map(|c| c.holes.len()).sum();
        let (holes, cases) = (
            counted(count as u64, "hole"),
            counted(cases.len() as u64, "case"),
        );
        writeln!(out, "{BOLD}{holes}{BOLD:#} in {cases}")?;
    }
    Ok(Exit::Conforms)
}

/// The holes of a case differ in targets and places only, which the sentence names.
fn write_row(out: &mut impl Write, form: Form, case: &Case) -> io::Result<()> {
    let mut kinds: Vec<String> = Vec::new();
    for hole in &case.holes {
        let kind = format!("{} {}", hole.kind, joined(&hole.clauses, ", "));
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let about = cell(&about(case));
    writeln!(out, "| {form} | {} | {about} |", kinds.join("; "))
}

/// `text` in a cell of a table: neither its end nor a tag.
fn cell(text: &str) -> String {
    let line = text
        .replace('\\', r"\\")
        .replace('|', r"\|")
        .replace('\n', " ");
    let tag = Regex::new("<([A-Za-z/!?])").expect("a pattern");
    tag.replace_all(&line, "&lt;$1").into_owned()
}

fn write(out: &mut impl Write, form: Form, case: &Case) -> io::Result<()> {
    let place = format!("{}:{}", case.place.file.display(), case.place.span.line);
    for (at, hole) in case.holes.iter().enumerate() {
        let place = if at == 0 { place.as_str() } else { "" };
        writeln!(
            out,
            "{BOLD}{form}{BOLD:#} {CLAUSE}{hole}{CLAUSE:#}  {DIM}{place}{DIM:#}"
        )?;
    }
    paragraph(out, "    ", "    ", &about(case))
}

/// What goes wrong in a case, and how the gaps are read for that.
fn about(case: &Case) -> String {
    let about = case.about.as_deref().unwrap_or("no sentence about it");
    let chosen = case.readings.chosen();
    match &chosen[..] {
        [] => about.to_owned(),
        some => {
            let some = some.iter().map(|(gap, choice)| format!("{gap}={choice}"));
            format!("{about} Read with {}.", joined(some, ", "))
        }
    }
}
