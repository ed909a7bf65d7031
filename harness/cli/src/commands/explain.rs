//! `ptodiff explain`

use std::io::{BufWriter, Write};

use anstream::stdout;
use ptodiff_case::Case;
use ptodiff_isa::reading;
use ptodiff_register::{Entry, Kind};
use ptodiff_report::style::{BOLD, DIM};
use ptodiff_runner::Options;

use crate::{
    args::Explain,
    commands::check,
    exit::{Error, Exit},
    select,
};

/// Explains a code, a clause or gap, or a case.
///
/// # Errors
/// Nothing of that name, bad cases, or standard output fails.
pub(crate) fn explain(args: &Explain) -> Result<Exit, Error> {
    let mut out = BufWriter::new(stdout().lock());
    let what = args.what.as_str();
    if let Some(text) = ptodiff_case::explain(what) {
        writeln!(out, "{}", text.trim_end())?;
    } else if let Some(entry) = ptodiff_register::find(what) {
        write_entry(&mut out, entry)?;
    } else {
        let cases = select::named(what, &args.cases)?;
        for case in &cases {
            write_case(&mut out, case)?;
        }
    }
    out.flush()?;
    Ok(Exit::Conforms)
}

fn write_entry(out: &mut impl Write, entry: &Entry) -> Result<(), Error> {
    let kind = match entry.kind {
        Kind::Value => "fixes a value",
        Kind::Freedom => "leaves several outcomes open",
        Kind::Undefined => "promises nothing",
        Kind::Legality => "a static check, or what checks let through",
        Kind::Caller => "a duty of the caller that no check sees",
        Kind::Trace => "what is issued",
        Kind::Syntax => "how it is written",
        Kind::Gap => "a gap: the documents leave it open",
    };
    let targets: Vec<String> = entry.targets.iter().map(ToString::to_string).collect();
    writeln!(
        out,
        "{BOLD}{}{BOLD:#}  {DIM}{} ({kind}){DIM:#}\n",
        entry.id,
        targets.join(", ")
    )?;
    writeln!(out, "{}\n", entry.says)?;
    if !entry.witness.is_empty() {
        writeln!(out, "{DIM}witness{DIM:#}  {}", entry.witness)?;
    }
    writeln!(out, "{DIM}stands in{DIM:#}  {}", entry.source)?;
    let parameter = reading::GAPS
        .iter()
        .find(|g| g.clauses.iter().any(|c| c.0 == entry.id));
    if let Some(gap) = parameter {
        writeln!(
            out,
            "{DIM}settable{DIM:#}  --reading {}=CHOICE, one of {}",
            gap.name,
            gap.choices.join(", ")
        )?;
    }
    Ok(())
}

fn write_case(out: &mut impl Write, case: &Case) -> Result<(), Error> {
    writeln!(
        out,
        "{BOLD}{}{BOLD:#}  {DIM}{}:{}{DIM:#}",
        case.id,
        case.place.file.display(),
        case.place.line
    )?;
    if let Some(about) = &case.about {
        writeln!(out, "{about}")?;
    }
    writeln!(out)?;
    for line in ptodiff_case::case_yaml(case).lines() {
        writeln!(out, "  {line}")?;
    }
    if let Some(reason) = &case.name_differs {
        writeln!(out, "\nnamed otherwise than it is: {reason}")?;
    }
    writeln!(out)?;
    for legality in ptodiff_runner::legality(case, &Options::default()) {
        check::write_target(out, &legality, true)?;
    }
    writeln!(
        out,
        "\nrun it  ptodiff run {} --filter '={}'",
        case.place.file.display(),
        case.id
    )?;
    Ok(())
}
