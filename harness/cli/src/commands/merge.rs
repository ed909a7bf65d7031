//! `ptodiff merge`

use std::io::{self, Write};

use ptodiff_record::MergeError;

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
    let mut wrong = None;
    let merged = write_whole(&args.out, |to| match ptodiff_record::merge(parts, to) {
        Ok(header) => Ok(header),
        Err(MergeError::Write(error)) => Err(error),
        Err(error) => {
            wrong = Some(error.to_string());
            // What stands there stays.
            Err(io::Error::other("the records are not of one run"))
        }
    });
    if let Some(why) = wrong {
        return Err(Error::usage(plain::text(&why)));
    }
    let header = merged?;
    writeln!(
        stdout(),
        "{} of {}: {}",
        counted(header.cases as u64, "case"),
        counted(args.parts.len() as u64, "record"),
        plain::path(&args.out)
    )?;
    Ok(Exit::Conforms)
}
