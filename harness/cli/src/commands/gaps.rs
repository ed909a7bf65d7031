//! `ptodiff gaps`

use std::{
    collections::BTreeSet,
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;
use ptodiff_case::{Case, did_you_mean};
use ptodiff_isa::{
    Instruction, Target,
    reading::{self, GAPS},
};
use ptodiff_record::{AnswerRecord, CaseRecord, Verdict};
use ptodiff_register::{Entry, Gap, Reading};
use ptodiff_report::style::{BAD, BOLD, CLAUSE, DIM};
use ptodiff_runner::Options;
use serde_json::{Value, json};
use strum::VariantNames as _;

use crate::{
    args::Format,
    corpus,
    exit::{Error, Exit},
    out::stdout,
    plain,
    pto::{self, PtoArgs},
    text::{counted, joined, paragraph},
    values::target,
};

/// `ptodiff gaps`
#[derive(Args, Debug)]
pub(crate) struct Gaps {
    /// Case files or folders of them
    #[arg(default_value = "cases")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only gaps whose number or reading contains TEXT, as GAP-10, or, where none has it, those
    /// that speak of it; may be repeated
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Vec<String>,
    /// Only gaps of these targets: cpu, a2a3, a5
    #[arg(long, value_name = "TARGET", value_delimiter = ',', value_parser = target)]
    pub(crate) target: Vec<Target>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// The instructions and the gaps.
fn words() -> impl Iterator<Item = &'static str> + Clone {
    let gaps = ptodiff_register::entries().iter();
    let gaps = gaps.filter(|e| e.gap.is_some()).map(|e| e.id);
    Instruction::VARIANTS.iter().copied().chain(gaps)
}

/// The names of readings, and the words in them.
fn readings() -> BTreeSet<&'static str> {
    let each = |gap: &'static reading::Gap| [gap.name].into_iter().chain(gap.name.split('-'));
    GAPS.iter().flat_map(each).collect()
}

/// Which of them may be meant by `word`.
fn near(word: &str) -> Option<String> {
    did_you_mean(word, words().chain(readings()))
}

/// Whether the number of the gap or the name of its reading contains `text`.
fn is_named(e: &Entry, text: &str) -> bool {
    let text = text.to_uppercase();
    let name = parameter(e).map(|gap| gap.name.to_uppercase());
    e.id.contains(&text) || name.is_some_and(|name| name.contains(&text))
}

/// The parameter that says how the gap is read, if one does.
fn parameter(e: &Entry) -> Option<&'static reading::Gap> {
    let is_own = |gap: &&reading::Gap| gap.clauses.iter().any(|clause| clause.0 == e.id);
    GAPS.iter().find(is_own)
}

/// Whether what is unclear, or a reading of it, contains `text`.
fn speaks_of(e: &Entry, text: &str) -> bool {
    let text = text.to_lowercase();
    let readings = e.gap.iter().flat_map(|gap| gap.readings).map(|r| r.says);
    let mut all = readings.chain([e.says]);
    all.any(|says| says.to_lowercase().contains(&text))
}

/// Lists what the documents leave open: how it may be read, which reading is
/// in use, and what each target does under each in a smallest case.
///
/// # Errors
/// Bad cases, no such gap, or standard output fails.
pub(crate) fn gaps(args: &Gaps) -> Result<Exit, Error> {
    let gaps = ptodiff_register::entries().iter();
    let gaps = gaps.filter(|e| e.gap.is_some());
    let named = |text: &String| gaps.clone().any(|e| is_named(e, text));
    let wanted = |e: &&Entry| {
        // What is open for others may be read on this target, too.
        let read_on = parameter(e).map_or(&[][..], |gap| gap.targets);
        let mut targets = args.target.iter();
        let takes = |text: &String| is_named(e, text) || (!named(text) && speaks_of(e, text));
        (args.filter.is_empty() || args.filter.iter().any(takes))
            && (args.target.is_empty()
                || targets.any(|target| e.targets.contains(target) || read_on.contains(target)))
    };
    let entries: Vec<&Entry> = gaps.clone().filter(wanted).collect();
    if entries.is_empty() {
        if !args.target.is_empty() {
            return Err(Error::nothing(
                "no gap is selected by --filter and --target",
            ));
        }
        let first = args.filter.first().map_or("", String::as_str);
        let near = near(first).map_or_else(String::new, |meant| format!(": {meant}"));
        return Err(Error::nothing(format!(
            "no gap is selected by --filter{near}"
        )));
    }
    let absent = |path: &&PathBuf| !corpus::is_there(path) && path.extension().is_none();
    if let Some(absent) = args.paths.iter().find(absent) {
        let name = plain::path(absent);
        let filter = match near(&name) {
            _ if named(&name.to_string()) => name.to_string(),
            Some(meant) => format!("TEXT; {meant}"),
            None => "TEXT".to_owned(),
        };
        return Err(Error::usage(format!(
            "there is no file or folder `{name}`: some of the gaps are named with --filter {filter}"
        )));
    }
    // What the documents say does not depend on a case with a mistake.
    let corpus = pto::load_some(&args.paths, &PtoArgs::default(), &[])?;
    let distinguishing = run_distinguishing(&corpus.cases)?;
    let mut out = stdout();
    for entry in &entries {
        let Some(gap) = &entry.gap else { continue };
        match args.format {
            Format::Text => {
                write_gap(&mut out, entry, gap, &distinguishing)?;
                writeln!(out)?;
            }
            Format::Json => {
                plain::json(&mut out, &line(entry, gap, &distinguishing))?;
            }
        }
    }
    if args.format == Format::Text {
        let settable = |e: &&&Entry| {
            e.gap
                .iter()
                .flat_map(|g| g.readings)
                .any(|r| r.choice.is_some())
        };
        writeln!(
            out,
            "{BOLD}{}{BOLD:#}: {} distinguished by a case, {} can be set with --reading",
            counted(entries.len() as u64, "gap"),
            entries
                .iter()
                .filter(|e| distinguishing.iter().any(|t| t.of(e.id)))
                .count(),
            entries.iter().filter(settable).count(),
        )?;
    }
    corpus.whole()?;
    Ok(Exit::Conforms)
}

/// A case that distinguishes the readings of a gap, and what came of it.
pub(crate) struct DistinguishingCase {
    case: Case,
    record: CaseRecord,
}

impl DistinguishingCase {
    fn of(&self, gap: &str) -> bool {
        self.record.covers.gap.as_deref() == Some(gap)
    }
}

/// Runs those of `cases` that distinguish readings.
pub(crate) fn run_distinguishing(cases: &[Case]) -> Result<Vec<DistinguishingCase>, Error> {
    let cases: Vec<Case> = cases.iter().filter(|c| c.gap.is_some()).cloned().collect();
    let records = ptodiff_runner::run(&cases, &Options::default())
        .map_err(|e| Error::fault(format!("cannot run the cases: {e}")))?;
    let both = cases.into_iter().zip(records);
    Ok(both
        .map(|(case, record)| DistinguishingCase { case, record })
        .collect())
}

/// Writes a gap with its readings, and what targets do under them.
pub(crate) fn write_gap(
    out: &mut impl Write,
    entry: &Entry,
    gap: &Gap,
    distinguishing: &[DistinguishingCase],
) -> io::Result<()> {
    writeln!(
        out,
        "{BOLD}{}{BOLD:#}  {DIM}{}; {}{DIM:#}",
        entry.id,
        joined(entry.targets, ", "),
        entry.source
    )?;
    paragraph(out, "  ", "  ", entry.says)?;
    for reading in gap.readings {
        write_reading(out, gap, reading)?;
    }
    if let Some(how) = gap.how {
        paragraph(out, "  in use  ", "          ", how)?;
    }
    let mut shown = false;
    for case in distinguishing.iter().filter(|t| t.of(entry.id)) {
        write_case(out, gap, case)?;
        shown = true;
    }
    if let Some(why) = entry.no_case.filter(|_| !shown) {
        paragraph(out, "  no case ", "          ", why)?;
    }
    Ok(())
}

/// How a line about a reading begins; the one in use is marked.
fn lead(gap: &Gap, letter: char) -> String {
    let mark = if letter == gap.in_use { '*' } else { ' ' };
    format!("  {mark} {letter}     ")
}

fn write_reading(out: &mut impl Write, gap: &Gap, reading: &Reading) -> io::Result<()> {
    let lead = lead(gap, reading.letter);
    paragraph(out, &lead, "          ", reading.says)?;
    if let Some((parameter, choice)) = reading.choice {
        writeln!(out, "          {DIM}--reading {parameter}={choice}{DIM:#}")?;
    }
    Ok(())
}

fn write_case(
    out: &mut impl Write,
    gap: &Gap,
    distinguishing: &DistinguishingCase,
) -> io::Result<()> {
    let record = &distinguishing.record;
    writeln!(
        out,
        "  case    {}  {DIM}{}:{}{DIM:#}",
        record.id, record.file, record.line
    )?;
    // Without the line that tells editors the schema.
    for line in yaml(&distinguishing.case)
        .lines()
        .filter(|l| !l.starts_with('#'))
    {
        writeln!(out, "          {DIM}{line}{DIM:#}")?;
    }
    if record.verdict == Verdict::Violation {
        writeln!(
            out,
            "          {BAD}violation{BAD:#}: `ptodiff run` shows what is wrong"
        )?;
    }
    for answer in &record.covers.answers {
        let way = match answer.verdict {
            Some(_) => "",
            None => "  (stated: no model follows it)",
        };
        let lead = lead(gap, answer.letter);
        writeln!(out, "{lead}{CLAUSE}under it{CLAUSE:#}{DIM}{way}{DIM:#}")?;
        for (target, line) in expected(answer) {
            paragraph(
                out,
                &format!("            {target}  "),
                "              ",
                &line,
            )?;
        }
    }
    Ok(())
}

/// What is expected of the targets, those of which the same is in one line.
fn expected(answer: &AnswerRecord) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for (target, line) in &answer.expects {
        match all.iter_mut().find(|(_, other)| other == line) {
            Some((targets, _)) => targets.push_str(&format!(", {target}")),
            None => all.push((target.to_string(), line.clone())),
        }
    }
    all
}

/// The case without what it expects.
fn yaml(case: &Case) -> String {
    let bare = Case {
        expect: Vec::new(),
        gap: None,
        covers: Vec::new(),
        ..case.clone()
    };
    ptodiff_case::case_yaml(&bare)
}

/// A gap as an object of JSON.
fn line(entry: &Entry, gap: &Gap, distinguishing: &[DistinguishingCase]) -> Value {
    let reading = |r: &Reading| {
        let choice = r.choice;
        let choice = choice.map(|(parameter, choice)| format!("{parameter}={choice}"));
        json!({"letter": r.letter, "says": r.says, "reading": choice})
    };
    let case = |t: &DistinguishingCase| {
        json!({
            "id": t.record.id,
            "file": t.record.file,
            "line": t.record.line,
            "yaml": yaml(&t.case),
            "answers": t.record.covers.answers,
        })
    };
    let own = distinguishing.iter().filter(|t| t.of(entry.id));
    json!({
        "gap": entry.id,
        "targets": entry.targets,
        "unclear": entry.says,
        "source": entry.source,
        "readings": gap.readings.iter().map(reading).collect::<Value>(),
        "in_use": gap.in_use,
        "how": gap.how,
        "cases": own.map(case).collect::<Value>(),
        "no_case": entry.no_case,
    })
}
