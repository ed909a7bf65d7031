//! `ptodiff asm`

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use clap::Args;
use ptodiff_case::{Case, Corpus};
use ptodiff_report::style::{BOLD, CLAUSE, DIM};

use crate::{
    caller,
    exit::{Error, Exit},
    files::read_text,
    mistake::Mistake,
    out::{say, stdout},
    plain,
    pto::{self, PtoArgs},
    select,
    text::{counted, joined},
};

/// `ptodiff asm`
#[derive(Args, Debug)]
pub(crate) struct Asm {
    /// The case's id or name, or a file or folder for all of its cases
    #[arg(required_unless_present = "read")]
    pub(crate) case: Option<String>,
    /// Where to look for cases
    #[arg(long, default_value = "cases")]
    pub(crate) cases: PathBuf,
    /// Print it as a .pto file
    #[arg(long, conflicts_with_all = ["read", "yaml"])]
    pub(crate) pto: bool,
    /// Print it as a case file
    #[arg(long, conflicts_with = "read")]
    pub(crate) yaml: bool,
    /// Read one assembly form from FILE (`-` for standard input) and print it as a case
    #[arg(long, value_name = "FILE", conflicts_with = "case")]
    pub(crate) read: Option<PathBuf>,
    /// What .pto files do not say.
    #[command(flatten)]
    pub(crate) beside: PtoArgs,
}

/// The longest assembly text that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// Prints every assembly form of a case, or reads one and prints it as a case. Of a file all
/// cases that can be read are printed.
///
/// # Errors
/// No such case, text that cannot be read, or standard output fails.
pub(crate) fn asm(args: &Asm) -> Result<Exit, Error> {
    let mut out = stdout();
    match (&args.read, &args.case) {
        (Some(path), _) if ptodiff_pto::is_pto(path) => {
            let path = plain::path(path);
            return Err(Error::usage(format!(
                "--read takes one form of assembly; `ptodiff asm {path}` reads the file"
            )));
        }
        (Some(path), _) => write!(out, "{}", read(path)?)?,
        (None, Some(name)) if !select::names_file(name) && Path::new(name).is_file() => {
            let name = plain::text(name);
            return Err(Error::usage(format!(
                "{name} is no file of cases; --read {name} reads one form of assembly from it"
            )));
        }
        (None, Some(name)) => {
            let mut read = match select::names_file(name) {
                true => pto::load_some(&[name.into()], &args.beside, &[])?,
                false => Corpus::default(),
            };
            // One that is named; of a file without any, what is wrong with it.
            if read.cases.is_empty() {
                read.cases = select::several(name, &args.cases, &args.beside)?;
            }
            let cases = &read.cases;
            if args.yaml {
                write!(out, "{}", ptodiff_case::cases_yaml(cases))?;
            } else if args.pto {
                modules(&mut out, cases)?;
            } else {
                for case in cases {
                    if cases.len() > 1 {
                        writeln!(out, "{BOLD}# {}{BOLD:#}\n", case.id)?;
                    }
                    forms(&mut out, case)?;
                }
            }
            read.whole()?;
        }
        (None, None) => return Err(Error::usage("give a case, or --read FILE".to_owned())),
    }
    Ok(Exit::Conforms)
}

/// Prints every assembly form of a case.
fn forms(out: &mut impl Write, case: &Case) -> Result<(), Error> {
    for form in ptodiff_asm::forms(&case.call) {
        let level = form.level;
        write!(
            out,
            "{BOLD}# {level}{BOLD:#}  {CLAUSE}{}{CLAUSE:#}",
            form.clause
        )?;
        if !level.is_lossless() {
            write!(out, "  {DIM}does not read back{DIM:#}")?;
        }
        writeln!(out, "\n{}\n", form.text)?;
    }
    Ok(())
}

/// A module of each case; where there are several, a comment in the place of one that has none.
fn modules(out: &mut impl Write, cases: &[Case]) -> Result<(), Error> {
    let mut left_out = 0;
    for case in cases {
        let id = plain::text(&case.id);
        match ptodiff_pto::module(case) {
            Ok(text) => {
                write!(out, "{text}")?;
                let on = case.targets.iter();
                for line in on.flat_map(|target| caller::comments(&case.call, *target)) {
                    writeln!(out, "{line}")?;
                }
            }
            Err(why) if cases.len() == 1 => return Err(Error::usage(format!("{id}: {why}"))),
            Err(why) => {
                writeln!(out, "// {id} is not in this text: {why}")?;
                left_out += 1;
            }
        }
    }
    if left_out > 0 {
        let all = counted(cases.len() as u64, "case");
        say(format!(
            "{left_out} of {all} left out; a comment in the text says why"
        ));
    }
    Ok(())
}

/// The case that the form in the file at `path` spells, as YAML.
fn read(path: &Path) -> Result<String, Error> {
    let text = read_text(path, LONGEST)?;
    let call = ptodiff_asm::parse(&text).map_err(|mistake| {
        let message = format!("expected {}, found {}", mistake.expected, mistake.found);
        let help = "what `ptodiff asm CASE` prints is read here, but for what does not read back; \
                    of a .pto file `ptodiff asm FILE --yaml` makes cases";
        let wrong = Mistake::new(mistake.at..mistake.at, message).help(help);
        wrong.error(&plain::path(path), &text)
    })?;
    let case = ptodiff_case::Case::of_call("from-asm", call);
    let yaml = ptodiff_case::case_yaml(&case);
    // What is printed is a case that runs.
    match ptodiff_case::load_str("from-asm.yaml", &yaml) {
        Ok(_) => Ok(yaml),
        Err(why) => {
            let why = joined(why.diagnostics.into_iter().map(|d| d.message), "; ");
            let shown = path.display();
            Err(Error::usage(format!(
                "{shown}: ptodiff runs no such case: {why}"
            )))
        }
    }
}
