//! `ptodiff cpp`

use std::io::{BufWriter, Write};

use anstream::stdout;
use ptodiff_isa::Target;
use ptodiff_report::style::{BOLD, CLAUSE, DIM};

use crate::{
    args::Cpp,
    exit::{Error, Exit},
    select,
};

/// Prints the C++ intrinsic call of a case with its type declarations.
///
/// # Errors
/// No such case, the one target asked for has no such form, or standard output fails.
pub(crate) fn cpp(args: &Cpp) -> Result<Exit, Error> {
    let case = select::one(&args.case.case, &args.case.cases)?;
    let targets: &[Target] = args.target.as_slice();
    let targets = if targets.is_empty() {
        &case.targets
    } else {
        targets
    };
    let mut out = BufWriter::new(stdout().lock());
    for target in targets {
        match ptodiff_asm::cpp(&case.call, *target) {
            Ok(text) => {
                writeln!(out, "{BOLD}// {target}{BOLD:#}\n{}", text.trim_end())?;
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
    out.flush()?;
    Ok(Exit::Conforms)
}
