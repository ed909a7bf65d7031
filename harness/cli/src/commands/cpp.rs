//! `ptodiff cpp`

mod harness;

use std::io::{BufWriter, Write};

use ptodiff_case::Case;
use ptodiff_isa::Target;
use ptodiff_report::style::{BOLD, CLAUSE, DIM};

use crate::{
    args::Cpp,
    caller,
    exit::{Error, Exit},
    out::stdout,
    select,
};

pub(crate) use harness::Sources;

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
    let mut out = BufWriter::new(stdout());
    for case in &cases {
        if cases.len() > 1 {
            writeln!(out, "{BOLD}// {}{BOLD:#}", case.id)?;
        }
        print(&mut out, args, case)?;
    }
    out.flush()?;
    Ok(Exit::Conforms)
}

/// Prints the call of one case, for each target that is asked for.
fn print(out: &mut impl Write, args: &Cpp, case: &Case) -> Result<(), Error> {
    let targets: &[Target] = args.target.as_slice();
    let targets = if targets.is_empty() {
        &case.targets
    } else {
        targets
    };
    for target in targets {
        match ptodiff_asm::cpp(&case.call, *target) {
            Ok(text) => {
                writeln!(out, "{BOLD}// {target}{BOLD:#}\n{}", text.trim_end())?;
                for line in caller::comments(&case.call, *target) {
                    writeln!(out, "{line}")?;
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
