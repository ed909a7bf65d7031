//! `ptodiff check`

use std::io::{BufWriter, Write};

use ptodiff_report::style::{BAD, BOLD, CLAUSE, DIM};
use ptodiff_runner::{Legality, Options};

use crate::{
    args::Check,
    exit::{Error, Exit},
    out::stdout,
    select,
};

/// Says for every selected case and target whether the call is legal there,
/// and by which clauses it is not. A target whose own checks and the contract
/// disagree is a violation. A mirrored case whose name and content say
/// different things needs a reason.
///
/// # Errors
/// Bad cases, nothing selected, or standard output fails.
pub(crate) fn check(args: &Check) -> Result<Exit, Error> {
    let corpus = select::load(&args.selection)?;
    let options = Options::default();
    let mut out = BufWriter::new(stdout());
    let mut exit = Exit::Conforms;
    for case in &corpus.cases {
        writeln!(
            out,
            "{BOLD}{}{BOLD:#}  {DIM}{}:{}{DIM:#}",
            case.id,
            case.place.file.display(),
            case.place.line
        )?;
        for legality in ptodiff_runner::legality(case, &options) {
            if args.target.is_empty() || args.target.contains(&legality.target) {
                write_target(&mut out, &legality, false)?;
                if !legality.consistent() {
                    exit = Exit::Violation;
                }
            }
        }
    }
    if !corpus.passed_over.is_empty() {
        let names: Vec<String> = corpus
            .passed_over
            .iter()
            .map(|p| p.display().to_string())
            .collect();
        writeln!(
            out,
            "{DIM}not case files by their names: {}{DIM:#}",
            names.join(", ")
        )?;
    }
    out.flush()?;
    let names = ptodiff_case::check_names(&corpus);
    if !names.is_empty() {
        return Err(Error::bad_cases(&names, &corpus));
    }
    Ok(exit)
}

/// Writes where one target stands; with `says`, the clauses' statements too.
pub(crate) fn write_target(
    out: &mut impl Write,
    legality: &Legality,
    says: bool,
) -> std::io::Result<()> {
    let word = match (
        legality.rejected.is_empty(),
        legality.preconditions.is_empty(),
    ) {
        (false, _) => "rejected",
        (true, false) => "undefined",
        (true, true) => "legal",
    };
    writeln!(out, "  {:<5} {word}", legality.target.to_string())?;
    for (clause, why) in legality.rejected.iter().chain(&legality.preconditions) {
        writeln!(out, "        {CLAUSE}{clause}{CLAUSE:#} {why}")?;
        if let Some(entry) = ptodiff_register::find(clause.0).filter(|_| says) {
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
