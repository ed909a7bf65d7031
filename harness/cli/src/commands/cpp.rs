//! `ptodiff cpp`

mod harness;

use std::{io::Write, path::PathBuf};

use clap::Args;
use ptodiff_case::Case;
use ptodiff_isa::Target;
use ptodiff_report::style::{BOLD, CLAUSE, DIM};

use crate::{
    caller,
    exit::{Error, Exit},
    out::stdout,
    pto::PtoArgs,
    select,
    values::target,
};
pub(crate) use harness::Sources;

/// `ptodiff cpp`
#[derive(Args, Debug)]
pub(crate) struct Cpp {
    /// The case's id or name, or a file of cases; with --harness any number of them and of folders,
    /// and all cases if none is given
    #[arg(required_unless_present = "Sources", value_name = "CASE")]
    pub(crate) wanted: Vec<String>,
    /// Where to look for cases
    #[arg(long, default_value = "cases")]
    pub(crate) cases: PathBuf,
    /// The target: cpu, a2a3 or a5; all of the case's if not given, with --harness cpu
    #[arg(long, value_name = "TARGET", value_parser = target)]
    pub(crate) target: Option<Target>,
    /// What --harness writes.
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// What .pto files do not say.
    #[command(flatten)]
    pub(crate) beside: PtoArgs,
}

/// Prints the C++ intrinsic call of a case with its type declarations, or
/// writes a program around many of them.
///
/// # Errors
/// No such case, the one target asked for has no such form, standard output
/// fails, or the program cannot be made.
pub(crate) fn cpp(args: &Cpp) -> Result<Exit, Error> {
    if let Some(folder) = &args.sources.harness {
        return harness::harness(args, folder);
    }
    let [wanted] = args.wanted.as_slice() else {
        return Err(Error::usage(
            "one case at a time is printed; --harness DIR takes several",
        ));
    };
    let cases = select::several(wanted, &args.cases, &args.beside)?;
    let mut out = stdout();
    for case in &cases {
        if cases.len() > 1 {
            writeln!(out, "{BOLD}// {}{BOLD:#}", case.id)?;
        }
        print(&mut out, args, case)?;
    }
    Ok(Exit::Conforms)
}

/// Prints the call of one case, for each target that is asked for.
fn print(out: &mut impl Write, args: &Cpp, case: &Case) -> Result<(), Error> {
    let one = args.target.as_ref().map(std::slice::from_ref);
    for target in one.unwrap_or(&case.targets) {
        match ptodiff_asm::cpp(&case.call, *target) {
            Ok(text) => {
                writeln!(out, "{BOLD}// {target}{BOLD:#}\n{}", text.trim_end())?;
                for line in caller::comments(&case.call, *target) {
                    writeln!(out, "{line}")?;
                }
                if case.chunks > 1 {
                    let calls = case.chunks;
                    writeln!(
                        out,
                        "// one of {calls} calls, each with the next part of the data"
                    )?;
                }
            }
            Err(none) if args.target.is_some() => {
                return Err(Error::usage(format!("{target} has no such form: {none}")));
            }
            Err(none) => writeln!(
                out,
                "{BOLD}// {target}{BOLD:#}  {DIM}no such form: {}{DIM:#} {CLAUSE}{}{CLAUSE:#}",
                none.why, none.clause
            )?,
        }
    }
    Ok(())
}
