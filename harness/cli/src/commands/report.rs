//! `ptodiff report`

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use anstream::stdout;

use crate::{
    args,
    exit::{Error, Exit},
    files::{Record, read_record, write_to},
    reports,
};

type Face = fn(&mut dyn Write, &Record) -> io::Result<()>;

/// Makes the reports that are asked for of a record.
///
/// # Errors
/// If the record cannot be read, or a report cannot be written.
pub(crate) fn report(args: &args::Report) -> Result<Exit, Error> {
    let record = read_record(&args.from)?;
    let faces: [(&Option<Option<PathBuf>>, &str, Face); 3] = [
        (&args.html, "report.html", |to, r| reports::html(to, r)),
        (&args.junit, "junit.xml", |to, r| reports::junit(to, r)),
        (&args.md, "summary.md", |to, r| reports::markdown(to, r)),
    ];
    let mut asked = args.annotations;
    for (path, name, face) in faces {
        let Some(path) = path else { continue };
        asked = true;
        let beside = || args.from.with_file_name(name);
        let path = path.clone().unwrap_or_else(beside);
        write_to(&path, |to| face(to, &record))?;
    }
    if args.annotations {
        write_to(Path::new("-"), |to| reports::annotations(to, &record))?;
    }
    if args.text || !asked {
        stdout().lock().write_all(&reports::text(&record)?)?;
    }
    Ok(Exit::Conforms)
}
