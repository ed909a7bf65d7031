//! `ptodiff explain`

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    slice,
};

use clap::{Args, builder::NonEmptyStringValueParser};
use ptodiff_case::{Case, Code};
use ptodiff_isa::{
    Form, Instruction,
    reading::{self, GAPS},
};
use ptodiff_register::{EDITIONS, Edition, Entry, Kind};
use ptodiff_report::style::{BAD, BOLD, CLAUSE, DIM};
use ptodiff_runner::{Legality, Options, decided};

use crate::{
    caller,
    commands::{gaps, guide, hunt::typed},
    corpus,
    exit::{Error, Exit},
    out::stdout,
    pto::PtoArgs,
    rules, select,
    sources::{RULES, TESTS},
    text::{joined, paragraph},
};

/// `ptodiff explain`
#[derive(Args, Debug)]
#[command(
    after_help = "Of a case it says what its call and its data break. `ptodiff check` looks at more: \
    at where operands of a .pto file lie, and at a flush that is left out."
)]
pub(crate) struct Explain {
    /// A case's id or name, a file of cases, a clause (MSCATTER-OOB-04), a gap, an instruction, a
    /// form (mgather-l1), a rule of `check`, or a code (PTO-C003)
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub(crate) what: String,
    /// Where to look for cases
    #[arg(long, default_value = "cases")]
    pub(crate) cases: PathBuf,
    /// What .pto files do not say.
    #[command(flatten)]
    pub(crate) beside: PtoArgs,
}

/// Explains a code, a clause or gap, an instruction, a rule of `check`, or a case.
///
/// # Errors
/// Nothing of that name, bad cases, or standard output fails.
pub(crate) fn explain(args: &Explain) -> Result<Exit, Error> {
    let mut out = stdout();
    let what = args.what.as_str();
    let rule = rules::RULES.iter().find(|(name, ..)| *name == what);
    if let Some(text) = ptodiff_case::explain(what) {
        writeln!(out, "{}", text.trim_end())?;
        write_chapter(
            &mut out,
            Code::from_id(what).map_or("messages", chapter_of_code),
        )?;
    } else if let Some(edition) = EDITIONS.iter().find(|edition| edition.name == what) {
        write_edition(&mut out, edition)?;
        write_chapter(&mut out, "readings-and-editions")?;
    } else if let Some(entries) = entries(what) {
        // A remark of check may be about a reading, and be called so.
        if let Some(rule) = rule {
            write_rule(&mut out, rule)?;
        }
        let ids: Vec<&str> = entries.iter().map(|entry| entry.id).collect();
        // What the documents say does not depend on a case with a mistake.
        let corpus = crate::pto::load_some(slice::from_ref(&args.cases), &args.beside, &ids)?;
        for entry in entries {
            write_entry(&mut out, entry, &corpus.cases)?;
            write_chapter(&mut out, chapter(entry.kind))?;
        }
        corpus.whole()?;
    } else if let Ok(instruction) = what.to_uppercase().parse::<Instruction>() {
        write_clauses(&mut out, instruction.into(), "instruction")?;
    } else if let Ok(form) = what.to_lowercase().parse::<Form>() {
        write_clauses(&mut out, form.area(), "form")?;
    } else if let Some(rule) = rule {
        write_rule(&mut out, rule)?;
        write_chapter(&mut out, "legality")?;
    } else {
        let cases = match select::names_file(what) {
            true => select::several(what, Path::new(corpus::USUAL), &args.beside)?,
            false => select::explained(what, &args.cases, &args.beside)?,
        };
        let beside = typed(&args.beside.arguments());
        for case in &cases {
            write_case(&mut out, case, &beside)?;
        }
    }
    Ok(Exit::Conforms)
}

fn write_rule(
    out: &mut impl Write,
    (name, severity, finds): &(&str, rules::Severity, &str),
) -> Result<(), Error> {
    let severity: &str = severity.into();
    writeln!(out, "{BOLD}{name}{BOLD:#}  {DIM}{severity} of check{DIM:#}")?;
    paragraph(out, "  ", "  ", &format!("{finds}."))?;
    writeln!(out, "  allow   {DIM}ptodiff check --allow {name}{DIM:#}")?;
    Ok(())
}

fn write_edition(out: &mut impl Write, edition: &Edition) -> Result<(), Error> {
    writeln!(out, "{BOLD}{}{BOLD:#}  edition", edition.name)?;
    paragraph(out, "  ", "  ", edition.says)?;
    writeln!(out, "  from    {}", edition.source)?;
    for (gap, choice) in crate::readings::of(edition) {
        writeln!(out, "  reads   {gap}={choice}")?;
    }
    Ok(())
}

/// The clauses and gaps of an instruction or a form, each with its first sentence.
fn write_clauses(out: &mut impl Write, area: &str, kind: &str) -> Result<(), Error> {
    writeln!(out, "{BOLD}{area}{BOLD:#}  {DIM}{kind}{DIM:#}")?;
    let mut entries = ptodiff_register::entries().iter();
    while let Some(entry) = entries.find(|entry| entry.id.starts_with(area)) {
        let lead = format!("  {}  ", entry.id);
        paragraph(out, &lead, "          ", entry.first_sentence())?;
    }
    Ok(())
}

/// The entry of the number `what`, in capitals or not, or those of the reading of that name.
fn entries(what: &str) -> Option<Vec<&'static Entry>> {
    if let Some(entry) = rules::numbered(what) {
        return Some(vec![entry]);
    }
    let name = what.split('=').next().unwrap_or(what);
    let gap = GAPS
        .iter()
        .find(|gap| gap.name.eq_ignore_ascii_case(name))?;
    let found = gap
        .clauses
        .iter()
        .filter_map(|c| ptodiff_register::find(c.0));
    Some(found.collect())
}

/// The chapter of the guide about clauses of this kind.
const fn chapter(kind: Kind) -> &'static str {
    match kind {
        Kind::Legality | Kind::Caller => "legality",
        Kind::Gap => "readings-and-editions",
        Kind::Syntax => "assembly-and-cpp",
        Kind::Value | Kind::Freedom | Kind::Undefined | Kind::Trace => "reading-a-report",
    }
}

/// The chapter of the guide about the files in which this mistake is made.
fn chapter_of_code(code: Code) -> &'static str {
    match code {
        _ if code.id().starts_with("PTO-W") => "gate-in-ci",
        Code::NotMlir
        | Code::NotFollowed
        | Code::BadOperation
        | Code::NotHere
        | Code::NoElementType
        | Code::UnusedName => "assembly-and-cpp",
        _ => "first-case",
    }
}

/// Names the chapter of the guide to read, if it is there.
fn write_chapter(out: &mut impl Write, topic: &str) -> Result<(), Error> {
    if guide::topics().any(|known| known == topic) {
        writeln!(out, "  guide   {DIM}ptodiff guide {topic}{DIM:#}")?;
    }
    Ok(())
}

fn write_entry(out: &mut impl Write, entry: &Entry, cases: &[Case]) -> Result<(), Error> {
    if let Some(gap) = &entry.gap {
        let speak_of_it = |c: &&Case| c.gap.is_some_and(|gap| gap.0 == entry.id);
        let own: Vec<Case> = cases.iter().filter(speak_of_it).cloned().collect();
        gaps::write_gap(out, entry, gap, &gaps::run_distinguishing(&own)?)?;
        paragraph(out, "  to see  ", "          ", entry.experiment)?;
    } else {
        write_clause(out, entry)?;
        write_gaps(out, entry)?;
    }
    write_covering(out, entry, cases)?;
    write_rules(out, entry)?;
    Ok(())
}

fn write_clause(out: &mut impl Write, entry: &Entry) -> Result<(), Error> {
    let kind = match entry.kind {
        Kind::Value => "fixes a value",
        Kind::Freedom => "leaves several outcomes open",
        Kind::Undefined => "undefined",
        Kind::Legality => "a static check, or what checks let through",
        Kind::Caller => "a precondition of the caller that no check sees",
        Kind::Trace => "what is issued",
        Kind::Syntax => "how it is written",
        Kind::Gap => "left open",
    };
    writeln!(
        out,
        "{BOLD}{}{BOLD:#}  {DIM}{}; {}; {kind}{DIM:#}",
        entry.id,
        joined(entry.targets, ", "),
        entry.source
    )?;
    paragraph(out, "  ", "  ", entry.says)?;
    paragraph(out, "  to see  ", "          ", entry.experiment)?;
    Ok(())
}

/// The gaps that bear on a clause: those that name it, and those whose reading decides how
/// it is taken in a case that distinguishes their readings.
fn write_gaps(out: &mut impl Write, entry: &Entry) -> Result<(), Error> {
    let area = |id: &'static str| id.split('-').next();
    let cases = corpus::own(Path::new("cases/gaps"), &[])?.cases;
    for of in ptodiff_register::entries() {
        let Some(gap) = &of.gap else { continue };
        let readings = gap.readings.iter().map(|reading| reading.says);
        let texts = [of.says, of.experiment].into_iter().chain(gap.how);
        let names_it = |text: &str| {
            let mut numbers = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            numbers.any(|number| number == entry.id)
        };
        let choice = gap.reading(gap.in_use).and_then(|reading| reading.choice);
        let parameter = choice.and_then(|(name, _)| GAPS.iter().find(|gap| gap.name == name));
        let decides = |parameter: &reading::Gap| {
            let own = cases
                .iter()
                .filter(|case| case.gap.is_some_and(|gap| gap.0 == of.id));
            area(of.id) == area(entry.id)
                && own
                    .flat_map(|case| decided(case, parameter))
                    .any(|clause| clause.0 == entry.id)
        };
        if !readings.chain(texts).any(names_it) && !parameter.is_some_and(decides) {
            continue;
        }
        let unclear = of.first_sentence().trim_end_matches('.');
        let read = choice.map_or_else(String::new, |(name, choice)| {
            format!("; in use: {name}={choice}")
        });
        paragraph(
            out,
            "  gap     ",
            "          ",
            &format!("{}: {unclear}{read}", of.id),
        )?;
    }
    Ok(())
}

fn write_covering(out: &mut impl Write, entry: &Entry, cases: &[Case]) -> Result<(), Error> {
    let covers = |c: &&Case| c.covers.iter().any(|w| w.0 == entry.id);
    for case in cases.iter().filter(covers) {
        writeln!(
            out,
            "  case    {}  {DIM}{}:{}{DIM:#}",
            case.id,
            case.place.file.display(),
            case.place.span.line
        )?;
    }
    for test in TESTS.iter().filter(|t| t.clause == entry.id) {
        writeln!(out, "  case    {}  {DIM}{}{DIM:#}", test.name, test.place)?;
    }
    if let Some(why) = entry.no_case.filter(|_| entry.gap.is_none()) {
        paragraph(out, "  without ", "          ", why)?;
    }
    Ok(())
}

/// What in the harness cites the clause.
fn write_rules(out: &mut impl Write, entry: &Entry) -> Result<(), Error> {
    let mut last = None;
    for rule in RULES.iter().filter(|r| r.clause == entry.id) {
        // One place may cite a clause more than once.
        let file = rule
            .place
            .rsplit_once(':')
            .map_or(rule.place, |(file, _)| file);
        if last != Some((file, rule.name)) {
            writeln!(out, "  rule    {}  {DIM}{}{DIM:#}", rule.name, rule.place)?;
        }
        last = Some((file, rule.name));
    }
    Ok(())
}

/// Explains a case, which `beside` other arguments of a command says.
fn write_case(out: &mut impl Write, case: &Case, beside: &str) -> Result<(), Error> {
    writeln!(
        out,
        "{BOLD}{}{BOLD:#}  {DIM}{}:{}{DIM:#}",
        case.id,
        case.place.file.display(),
        case.place.span.line
    )?;
    if let Some(about) = &case.about {
        writeln!(out, "{about}")?;
    }
    writeln!(out)?;
    for line in ptodiff_case::case_yaml(case).lines() {
        writeln!(out, "  {line}")?;
    }
    if let Some(reason) = &case.name_differs {
        writeln!(out, "\nits name does not say what is in it: {reason}")?;
    }
    writeln!(out)?;
    for legality in ptodiff_runner::legality(case, &Options::default()) {
        write_target(out, case, &legality)?;
        for (duty, by) in caller::owed(&case.call, legality.target) {
            writeln!(
                out,
                "        {DIM}caller{DIM:#}  {duty}  {CLAUSE}{by}{CLAUSE:#}"
            )?;
        }
    }
    writeln!(
        out,
        "\nrun it  ptodiff run {} --filter '={}'{beside}",
        case.place.file.display(),
        case.id
    )?;
    Ok(())
}

/// Writes where one target stands, with the clauses' statements.
fn write_target(out: &mut impl Write, case: &Case, legality: &Legality) -> io::Result<()> {
    let open = legality.undefined;
    let hangs = ptodiff_runner::hangs(case, legality.target);
    let word = match (&legality.rejected[..], &legality.preconditions[..]) {
        ([_, ..], _) => "rejected",
        ([], [_, ..]) => "undefined",
        _ if open.is_some_and(|open| open.elements.is_none()) => "undefined",
        _ if hangs.is_some() => "hangs",
        _ => "legal",
    };
    writeln!(out, "  {:<5} {word}", legality.target.to_string())?;
    // Of a call that never runs no precondition is broken.
    let broken = match &legality.rejected[..] {
        [] => &legality.preconditions,
        rejected => rejected,
    };
    let open = open.map(|open| (open.clause, open.said(case)));
    let hangs = hangs.filter(|_| word == "hangs");
    let hangs = hangs.map(|clause| (clause, "it never returns".to_owned()));
    for (clause, why) in broken.iter().chain(&open).chain(&hangs) {
        writeln!(out, "        {CLAUSE}{clause}{CLAUSE:#} {why}")?;
        if let Some(entry) = ptodiff_register::find(clause.0) {
            writeln!(out, "          {DIM}{}{DIM:#}", entry.says)?;
        }
    }
    if !legality.consistent() {
        writeln!(
            out,
            "        {BAD}its checks and the contract disagree{BAD:#}: the contract finds"
        )?;
        for (clause, why) in &legality.by_check {
            writeln!(out, "        {CLAUSE}{clause}{CLAUSE:#} {why}")?;
        }
    }
    Ok(())
}
