//! `ptodiff merge`

use std::{
    fs,
    io::{self, BufRead, Read as _, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use ptodiff_edge::whole;
use ptodiff_hunt::{merge_records, read_header};
use ptodiff_record::{HUNT, ImplementationRecord, MergeError, Partition, Reader, reproduce::word};

use crate::{
    commands::hunt::typed,
    exit::{Error, Exit},
    files::{cannot_read, is_stream, open_record},
    out::stdout,
    plain,
    text::{counted, joined},
};

/// `ptodiff merge`
#[derive(Args, Debug)]
pub(crate) struct Merge {
    /// The records of all parts of a run or of a hunt, in any order
    #[arg(required = true)]
    pub(crate) parts: Vec<PathBuf>,
    /// Where the record of the whole goes
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

type Part = (String, Box<dyn BufRead>);

/// Puts the records of the parts of a run, or of a hunt, together: to the byte what one
/// process would have written.
///
/// # Errors
/// If a record cannot be read, a part is missing or there twice, parts are of
/// different runs, or the whole cannot be written.
pub(crate) fn merge(args: &Merge) -> Result<Exit, Error> {
    let mut parts = Vec::with_capacity(args.parts.len());
    // The first of each kind.
    let (mut hunt, mut run) = (None, None);
    for path in &args.parts {
        let (name, from) = open_record(path)?;
        let (is_hunt, from) = kind(from).map_err(|e| cannot_read(path, &e))?;
        if let Some(is_hunt) = is_hunt {
            let first = if is_hunt { &mut hunt } else { &mut run };
            first.get_or_insert_with(|| name.clone());
        }
        parts.push((name, from));
    }
    let is_hunt = hunt.is_some();
    if let (Some(hunt), Some(run)) = (hunt, run) {
        let (hunt, run) = (plain::text(&hunt), plain::text(&run));
        return Err(Error::usage(format!(
            "{hunt} is the record of a hunt, and {run} is not: merge each kind alone"
        )));
    }
    if is_stream(&args.out) {
        return Err(Error::usage(
            "--out - names no file: a record is written whole or not at all",
        ));
    }
    let out = fs::canonicalize(&args.out).ok();
    let is_out = |part: &&PathBuf| out.is_some() && fs::canonicalize(part).ok() == out;
    if let Some(part) = args.parts.iter().find(is_out) {
        return Err(Error::usage(format!(
            "--out {} is one of the parts: it would be lost",
            plain::path(part)
        )));
    }
    let mut wrong = None;
    let merged = whole::write(&args.out, |to| {
        match put_together(is_hunt, parts, to) {
            Ok(both) => Ok(both),
            Err(MergeError::Write(error)) => Err(error),
            Err(error) => {
                wrong = Some(error);
                // What stands there stays.
                Err(io::Error::other("the records do not belong together"))
            }
        }
    });
    if let Some(error) = wrong {
        return Err(Error::usage(format!(
            "{}{}",
            plain::text(&error.to_string()),
            commands(&error, &args.parts)
        )));
    }
    let (cases, has_implementations) = merged?;
    let mut out = stdout();
    writeln!(
        out,
        "{} of {}: {}",
        counted(cases, "case"),
        counted(args.parts.len() as u64, "record"),
        plain::path(&args.out)
    )?;
    let path = word(&plain::path(&args.out));
    if is_hunt {
        writeln!(out, "  ptodiff hunt --from {path} says what was found")?;
    } else if has_implementations {
        // One process puts that into its record; it takes the cases.
        writeln!(
            out,
            "  ptodiff diagnose {path} says what may be behind failures, if it has any"
        )?;
    }
    Ok(Exit::Conforms)
}

/// How many cases the whole has, and whether implementations took part.
fn put_together(
    is_hunt: bool,
    parts: Vec<Part>,
    to: impl Write,
) -> Result<(u64, bool), MergeError> {
    let (cases, implementations) = if is_hunt {
        let header = merge_records(parts, to)?;
        (header.count, header.implementations)
    } else {
        let header = ptodiff_record::merge(parts, to)?;
        (header.cases as u64, header.implementations)
    };
    Ok((cases, !implementations.is_empty()))
}

/// Whether it is the record of a hunt, where so much of it is there, and the whole of it.
fn kind(mut from: Box<dyn BufRead>) -> io::Result<(Option<bool>, Box<dyn BufRead>)> {
    let mut first = Vec::new();
    // A pipe may give less at a time.
    from.by_ref()
        .take(HUNT.len() as u64)
        .read_to_end(&mut first)?;
    let is_hunt = first == HUNT.as_bytes();
    let is_hunt = (is_hunt || !HUNT.as_bytes().starts_with(&first)).then_some(is_hunt);
    Ok((is_hunt, Box::new(io::Cursor::new(first).chain(from))))
}

/// The commands that make what is missing or damaged, each in a line of its own.
fn commands(error: &MergeError, given: &[PathBuf]) -> String {
    /// As many as a terminal shows.
    const MOST: usize = 8;
    let (parts, path) = match error {
        MergeError::Gap { parts, .. } => (parts.clone(), given.first()),
        // The header of one that ends early may be whole.
        MergeError::Read { name, .. } => {
            let own = given.iter().find(|path| path.to_string_lossy() == *name);
            (Vec::new(), own)
        }
        _ => return String::new(),
    };
    let Some((own, begins, [option, ends])) = path.and_then(|path| command(path)) else {
        return String::new();
    };
    let parts = match parts.is_empty() {
        true => own.into_iter().collect(),
        false => parts,
    };
    let one = |part: &Partition| {
        let (number, fraction) = (part.part(), part.fraction());
        let line = format!("{begins} --partition {fraction} {option} part-{number}{ends}");
        format!("\n  {}", plain::text(&line))
    };
    let commands: String = parts.iter().take(MOST).map(one).collect();
    let left = match parts.len() {
        0 => return String::new(),
        n if n > MOST => format!("\n  and so on for {} more", n - MOST),
        _ => String::new(),
    };
    let what = match parts.len() {
        1 => "this command makes it",
        _ => "these commands make them",
    };
    format!("\n{what}:{commands}{left}")
}

/// The part that the record at `path` is of, how a command begins that makes a part of the
/// same, the option for its record, and how that is called behind its number.
fn command(path: &Path) -> Option<(Option<Partition>, String, [&'static str; 2])> {
    let open = || open_record(path).ok().map(|(_, from)| from);
    if let Ok(reader) = Reader::new(open()?) {
        let part = reader.header().part.as_ref();
        let again = part.into_iter().flat_map(|part| &part.again);
        let again: String = again.map(|text| format!(" {}", word(text))).collect();
        let own = part.map(|part| part.partition);
        return Some((own, format!("ptodiff run{again}"), ["--out", ""]));
    }
    let header = read_header(open()?).ok()?;
    let implementation = |one: &ImplementationRecord| {
        let name = word(one.party.form.as_deref().unwrap_or_default());
        format!(" --impl {name}=... --as {}", one.party.target)
    };
    let begins = format!(
        "ptodiff hunt --count {} --seed {}{}{}{}",
        header.count,
        header.seed,
        typed(&header.options),
        header.lattice.as_ref().map_or("", |_| " --lattice ..."),
        joined(header.implementations.iter().map(implementation), "")
    );
    Some((header.part, begins, ["--record", ".jsonl"]))
}
