//! `ptodiff st export`

use std::{fs, io::Write, path::Path};

use ptodiff_case::{Case, Form};
use ptodiff_data::{
    file, place,
    st::{self, GOLDEN, OUTPUT, Stored},
};
use ptodiff_edge::whole::{self, CannotWrite};
use ptodiff_isa::{Clause, Memory, Target};
use ptodiff_runner::{self as runner, Holds, Options, Required, required};
use serde::Serialize;

use super::Export;
use crate::{
    exit::{Error, Exit},
    out::{say, stdout},
    plain,
    text::counted,
};

/// What else `golden.bin` may hold.
const PERMITS: &str = "golden.permits.json";

/// A file: name and bytes.
type File = (&'static str, Vec<u8>);

/// What is permitted beside the bytes of `golden.bin`.
#[derive(Serialize)]
struct Permits {
    target: Target,
    /// The clauses by which nothing is promised.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    undefined: Vec<Clause>,
    /// What single elements may hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elements: Vec<Element>,
}

/// One element of `golden.bin`.
#[derive(Serialize)]
struct Element {
    /// Its number in the file, from 0.
    element: usize,
    may_hold: MayHold,
    clause: Clause,
}

/// What an element may hold, as bits in hexadecimal.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum MayHold {
    /// One of these.
    OneOf(Vec<String>),
    /// A number from the first to the second, inclusive, or one of these.
    Between([String; 2], Vec<String>),
    /// Anything.
    Anything,
}

impl MayHold {
    /// As `element`, of `size` bytes, has it.
    fn of(element: &runner::Element, size: usize) -> Self {
        // Its bits: `0x3F800000`.
        let bits = |value: &[u8]| {
            let digits = value.iter().rev().map(|b| format!("{b:02X}"));
            format!("0x{}", digits.collect::<String>())
        };
        let mut all: Vec<String> = element.values.chunks(size).map(bits).collect();
        match (element.holds, &all[..]) {
            (Holds::OneOf, _) => {
                all.sort_unstable();
                Self::OneOf(all)
            }
            (Holds::Between, [low, high, more @ ..]) => {
                Self::Between([low.clone(), high.clone()], more.to_vec())
            }
            _ => Self::Anything,
        }
    }
}

/// Writes the data folder of every selected case.
///
/// # Errors
/// Bad cases, nothing selected, results of other inputs in the way, or a folder
/// cannot be written.
pub(super) fn export(args: &Export) -> Result<Exit, Error> {
    let cases = args.mirrored.load(false)?.cases;
    let options = Options {
        seed: args.seed,
        ..Options::default()
    };
    keep_results(args, &cases, &options)?;
    fs::create_dir_all(&args.out).map_err(CannotWrite::of_folder(&args.out))?;
    let (mut written, mut permitting, mut undefined) = (0_u64, 0, 0);
    for (name, case) in &cases {
        let folder = args.out.join(name);
        let required = match required(case, args.mirrored.suite, &options) {
            Ok(required) => required,
            Err(why) => {
                say(format!(
                    "passed over: {}: no result: {why}",
                    plain::text(&case.id)
                ));
                continue;
            }
        };
        let files = files(args.mirrored.suite, case, &options, &required)
            .and_then(|files| rests_on_files(args.mirrored.suite, case, &options, files))
            .map_err(|why| Error::usage(format!("{}: {why}", plain::text(&case.id))))?;
        permitting += usize::from(files.len() > 1 && files.iter().any(|f| f.0 == PERMITS));
        undefined += usize::from(!required.undefined.is_empty());
        write(&folder, &files)?;
        written += 1;
    }
    if written == 0 {
        return Err(Error::nothing("no case has a result"));
    }
    let mut out = stdout();
    writeln!(
        out,
        "{} written to {}; {permitting} permit more than {GOLDEN} holds, as their {PERMITS} says, \
         {undefined} of them anything",
        counted(written, "folder"),
        plain::path(&args.out)
    )?;
    Ok(Exit::Conforms)
}

/// That no result stands beside inputs that it was not made from, once these
/// are written: it would be judged against them. It is another's work, so that
/// it is not removed either.
fn keep_results(args: &Export, cases: &[(String, Case)], options: &Options) -> Result<(), Error> {
    let mut old = Vec::new();
    for (name, case) in cases {
        let folder = args.out.join(name);
        let result = folder.join(OUTPUT);
        if fs::symlink_metadata(&result).is_err() {
            continue;
        }
        let inputs = inputs(args.mirrored.suite, case, options)
            .map_err(|why| Error::usage(format!("{}: {why}", plain::text(&case.id))))?;
        let same = |(name, bytes): &File| {
            file::exactly(&folder.join(name), bytes.len() as u64).is_ok_and(|old| old == *bytes)
        };
        if !inputs.iter().all(same) {
            old.push(result);
        }
    }
    let (which, them) = match &old[..] {
        [] => return Ok(()),
        [one] => (format!("{} was", plain::path(one)), "it"),
        [first, more @ ..] => {
            let first = plain::path(first);
            (format!("{first} and {} more were", more.len()), "them")
        }
    };
    Err(Error::usage(format!(
        "{which} made from other inputs than these: remove {them}, or export to another folder"
    )))
}

/// Passes the `files` of a case on whose result does not rest on what stands in its output
/// before the call: no file gives that, and the suites' hosts have zeros there.
fn rests_on_files(
    suite: Target,
    case: &Case,
    options: &Options,
    own: Vec<File>,
) -> Result<Vec<File>, String> {
    let hosted = super::hosted(case);
    if hosted.data == case.data
        || files(suite, &hosted, options, &required(&hosted, suite, options)?)? == own
    {
        return Ok(own);
    }
    let key = Form::of(&case.call).key(case.call.output());
    Err(format!(
        "{GOLDEN} would hold what stands in {key} before the call, which is no file of a folder: \
         the suites' hosts have zeros there. Give {key} `data: zeros`"
    ))
}

/// The files of a folder.
fn files(
    suite: Target,
    case: &Case,
    options: &Options,
    required: &Required,
) -> Result<Vec<File>, String> {
    let mut files = inputs(suite, case, options)?;
    let golden = st::result(suite, &case.call, GOLDEN).ok_or("the call has no output")?;
    let values = taken(&required.memory, &golden)?;
    files.push((GOLDEN, golden.packed(&values)));
    let permits = Permits {
        target: suite,
        undefined: required.undefined.clone(),
        elements: elements(suite, case, options, &golden, required)?,
    };
    if !permits.undefined.is_empty() || !permits.elements.is_empty() {
        let mut text = serde_json::to_vec_pretty(&permits).map_err(|e| e.to_string())?;
        text.push(b'\n');
        files.push((PERMITS, text));
    }
    Ok(files)
}

/// The input files of a folder.
fn inputs(suite: Target, case: &Case, options: &Options) -> Result<Vec<File>, String> {
    let steps = ptodiff_generate::stimulus(case, options.seed).steps;
    let mut files = Vec::new();
    for input in st::inputs(suite, &case.call, case.chunks) {
        let mut values = Vec::new();
        for step in steps.iter().take(input.parts as usize) {
            values.extend(taken(step, &input)?);
        }
        files.push((input.name, input.packed(&values)));
    }
    Ok(files)
}

/// The values of one file's operand.
fn taken(memory: &Memory, file: &Stored<'_>) -> Result<Vec<u8>, String> {
    let region = memory.get(file.role);
    let values = region.and_then(|region| place::take(file.operand, region.body()));
    values.ok_or_else(|| no_place(file))
}

/// Boxes that do not divide the padded extents of a tile reach beyond its body.
fn no_place(file: &Stored<'_>) -> String {
    format!("{} has values without a place", file.name)
}

/// The elements of the file that may hold something else.
fn elements(
    suite: Target,
    case: &Case,
    options: &Options,
    file: &Stored<'_>,
    required: &Required,
) -> Result<Vec<Element>, String> {
    let Some(permits) = &required.permits else {
        return Ok(Vec::new());
    };
    let all = runner::elements(case, suite, options, permits).ok_or_else(|| no_place(file))?;
    let size = file.dtype().size();
    let places = file.places(all.len() * size).into_iter().enumerate();
    let open = places.map(|(number, at)| (number, &all[at]));
    let open = open.filter(|(_, element)| element.open);
    Ok(open
        .map(|(number, element)| Element {
            element: number,
            may_hold: MayHold::of(element, size),
            clause: element.freedom.unwrap_or(element.clause),
        })
        .collect())
}

/// Writes one folder: nothing outside of it, whatever stands there.
fn write(folder: &Path, files: &[File]) -> Result<(), Error> {
    file::folder(folder).map_err(CannotWrite::of(folder))?;
    for (name, bytes) in files {
        let path = folder.join(name);
        whole::write_bytes(&path, bytes)?;
    }
    // Of an older export nothing may stay that this one does not have; until
    // all of this one is there, nothing of that one goes.
    let stale = folder.join(PERMITS);
    let permits = files.iter().any(|(name, _)| *name == PERMITS);
    if !permits && fs::symlink_metadata(&stale).is_ok() {
        fs::remove_file(&stale).map_err(CannotWrite::of(&stale))?;
    }
    Ok(())
}
