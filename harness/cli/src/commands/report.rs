//! `ptodiff report`

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{
    args,
    exit::{Error, Exit},
    files::{Record, is_stream, read_record, write_to},
    out::stdout,
    reports,
};

type Writing = fn(&mut dyn Write, &Record) -> io::Result<()>;

/// A report that goes to a file.
struct Face<'a> {
    option: &'static str,
    /// None where it is not asked for, none within where no path is given.
    to: &'a Option<Option<PathBuf>>,
    /// What it is called beside the record.
    name: &'static str,
    write: Writing,
}

/// Makes the reports that are asked for of a record.
///
/// # Errors
/// If two of them, or one and a text, would go to standard output, the record
/// cannot be read, or a report cannot be written.
pub(crate) fn report(args: &args::Report) -> Result<Exit, Error> {
    let faces = faces(args);
    let mut places = Vec::new();
    for face in &faces {
        if let Some(path) = place(face, &args.from)? {
            places.push((face, path));
        }
    }
    one_to_a_stream(args, &places)?;
    let record = read_record(&args.from)?;
    for (face, path) in &places {
        write_to(path, |to| (face.write)(to, &record))?;
    }
    if args.annotations {
        write_to(Path::new("-"), |to| reports::annotations(to, &record))?;
    }
    if args.text || places.is_empty() && !args.annotations {
        stdout().write_all(&reports::text(&record)?)?;
    }
    Ok(Exit::Conforms)
}

fn faces(args: &args::Report) -> [Face<'_>; 3] {
    let face = |option, to, name, write: Writing| Face {
        option,
        to,
        name,
        write,
    };
    [
        face("--html", &args.html, "report.html", |to, r| {
            reports::html(to, r)
        }),
        face("--junit", &args.junit, "junit.xml", |to, r| {
            reports::junit(to, r)
        }),
        face("--md", &args.md, "summary.md", |to, r| {
            reports::markdown(to, r)
        }),
    ]
}

/// Where `face` goes, if it is asked for.
fn place(face: &Face<'_>, record: &Path) -> Result<Option<PathBuf>, Error> {
    match face.to {
        None => Ok(None),
        Some(Some(path)) => Ok(Some(path.clone())),
        Some(None) if is_stream(record) => Err(Error::usage(format!(
            "a record of standard input has no folder: say where {} goes, as in {} PATH",
            face.name, face.option
        ))),
        Some(None) => Ok(Some(record.with_file_name(face.name))),
    }
}

/// A report in standard output stands there alone: whoever reads it takes all
/// for one page or document.
fn one_to_a_stream(args: &args::Report, places: &[(&Face<'_>, PathBuf)]) -> Result<(), Error> {
    let streams = places.iter().filter(|(_, path)| is_stream(path));
    let mut options = streams.map(|(face, _)| face.option);
    let Some(first) = options.next() else {
        return Ok(());
    };
    let lines = [("--annotations", args.annotations), ("--text", args.text)];
    let lines = lines.into_iter().filter(|(_, asked)| *asked);
    match options.chain(lines.map(|(option, _)| option)).next() {
        None => Ok(()),
        Some(second) => Err(Error::usage(format!(
            "{first} and {second} would both go to standard output: give a PATH to one of them, \
             or call report twice"
        ))),
    }
}
