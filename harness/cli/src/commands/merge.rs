//! `ptodiff merge`

use std::io::Write;

use crate::{
    args,
    exit::{Error, Exit},
    files::{open_record, write_whole},
    out::stdout,
    plain,
    text::counted,
};

/// Puts the records of the parts of a run together: to the byte what one run
/// of all cases would have written.
///
/// # Errors
/// If a record cannot be read, a part is missing or there twice, parts are of
/// different runs, or the whole cannot be written.
pub(crate) fn merge(args: &args::Merge) -> Result<Exit, Error> {
    let mut parts = Vec::with_capacity(args.parts.len());
    for path in &args.parts {
        parts.push(open_record(path)?);
    }
    let whole =
        ptodiff_record::merge(parts).map_err(|e| Error::usage(plain::text(&e.to_string())))?;
    write_whole(&args.out, |to| whole.write(to))?;
    writeln!(
        stdout(),
        "{} of {}: {}",
        counted(whole.header.cases as u64, "case"),
        counted(args.parts.len() as u64, "record"),
        plain::path(&args.out)
    )?;
    Ok(Exit::Conforms)
}
