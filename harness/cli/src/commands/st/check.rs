//! `ptodiff st check`

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use ptodiff_case::Case;
use ptodiff_data::{
    file::{self, FileError},
    st::{self, GOLDEN, OUTPUT, Stored},
};
use ptodiff_edge::{
    place::from_here,
    whole::{self, CannotWrite},
};
use ptodiff_isa::{Party, Target};
use ptodiff_record::{
    CaseRecord, Diagnosis, Header, StData, TargetVerdict, Took, Unjudged, Verdict, Writer,
};
use ptodiff_report::style::BOLD;
use ptodiff_runner::{Options, ResultFile, in_order, judge_result_files};

use super::{Check, Loaded};
use crate::{
    args::StatusLevel,
    commands::run::{LARGE, options_of, write_reports},
    diagnosis::GROUPS,
    exit::{Error, Exit},
    files::cannot_read,
    out::stdout,
    plain,
    reports::Reports,
    screen::Screen,
    text::{counted, joined},
    threads,
};

/// Entries that are passed over with a line each before the rest is only counted.
const MOST_LINES: usize = 100;

/// What was found below the folder that was given.
#[derive(Default)]
struct Found<'a> {
    /// Folders of cases, by name.
    known: Vec<(PathBuf, &'a Case)>,
    /// Plain files, which are no data folders.
    files: usize,
    /// What is no case's folder, and why it is passed over. Generators leave such.
    strangers: Vec<(String, String)>,
    /// What is wrong, each with its case's id.
    problems: Vec<(String, String)>,
}

/// Judges every data folder below the one given.
///
/// # Errors
/// Bad cases, nothing selected, or the folder cannot be read or reports not be written.
pub(super) fn check(args: &Check) -> Result<Exit, Error> {
    let own = options_of(&[], args.jobs, &args.read_as.chosen)?;
    let Loaded { mut cases, folders } = args.mirrored.load(args.output_args.quiet)?;
    let suite = args.mirrored.suite;
    let held_to = args.held_to.unwrap_or(suite);
    let all = cases.len();
    cases.retain(|(_, case)| case.targets.contains(&held_to));
    let others = all - cases.len();
    if cases.is_empty() {
        let cases = counted(all as u64, "case");
        return Err(Error::nothing(format!("none of {cases} is for {held_to}")));
    }
    let options = Options {
        schedules: args.schedules,
        details: true,
        ..own
    };
    let selected: BTreeMap<&str, &Case> = cases.iter().map(|(n, c)| (n.as_str(), c)).collect();
    let mut found = look(args, &selected, &folders)?;
    let mut out = stdout();
    if found.known.is_empty() {
        write_passed_over(&mut out, &found)?;
        let hint = match args.data.join(GOLDEN).is_file() {
            true => format!("; {GOLDEN} stands in it: name the folder above"),
            false => String::new(),
        };
        return Err(Error::nothing(format!(
            "there is nothing to check in {}: none of {} of the suite {suite} has a folder there{hint}",
            plain::path(&args.data),
            counted(selected.len() as u64, "case")
        )));
    }
    let records = run(args, &mut found, held_to, &options)?;
    let output = Party::form(held_to, OUTPUT);
    let left = found.known.len() - records.len() - found.problems.len();
    let header = Header {
        st_data: Some(StData {
            folder: from_here(&args.data).to_string_lossy().into_owned(),
            suite,
            held_to,
            unjudged: unjudged(args, &found, &selected, &output, &records),
        }),
        left_out: Some(left).filter(|left| *left > 0),
        ..options.header(records.len())
    };
    let mut reports = Reports::new(&header, &LARGE, vec![output.clone()]);
    for record in &records {
        reports.add(record, &Took::default())?;
    }
    let with_their_data: Vec<Case> = match reports.failures.ids().next() {
        Some(_) => {
            let given =
                |(folder, case): &(PathBuf, &Case)| with_stored_data(folder, case, suite).ok();
            found.known.iter().filter_map(given).collect()
        }
        None => Vec::new(),
    };
    let explained = reports
        .failures
        .explain(&with_their_data, &options, GROUPS, args.diagnosis);
    let diagnoses = explained
        .map_err(|e| Error::fault(format!("cannot look for what is behind failures: {e}")))?;
    let exit = reports.exit();
    write_all(
        &args.out,
        &header,
        (&records, &diagnoses),
        &mut reports,
        exit,
    )?;

    if !args.output_args.quiet {
        writeln!(out, "  data    that of {}", plain::path(&args.data))?;
        write_found(&mut out, held_to, &records)?;
        write_passed_over(&mut out, &found)?;
        if others > 0 {
            let cases = counted(others as u64, "case");
            writeln!(out, "  {cases} left out: not for {held_to}")?;
        }
    }
    out.write_all(&reports.text(&args.output_args)?)?;
    if let Some(left) = reports.left().filter(|_| !args.output_args.quiet) {
        out.write_all(left.as_bytes())?;
    }
    let page = args.out.join("report.html");
    let result = reports.said();
    out.write_all(reports.closing(exit, &result, None, Some(&page)).as_bytes())?;
    Ok(exit)
}

/// Writes the record and what is made of it to the folder `out`.
fn write_all(
    out: &Path,
    header: &Header,
    (records, diagnoses): (&[CaseRecord], &[Diagnosis]),
    reports: &mut Reports,
    exit: Exit,
) -> Result<(), Error> {
    fs::create_dir_all(out).map_err(CannotWrite::of_folder(out))?;
    let path = out.join("run.jsonl");
    whole::write(&path, |to| {
        let mut to = Writer::new(to, header)?;
        records.iter().try_for_each(|record| to.case(record))?;
        diagnoses
            .iter()
            .try_for_each(|diagnosis| to.diagnosis(diagnosis))?;
        to.finish()
    })?;
    write_reports(out, reports, exit)?;
    Ok(())
}

/// The entries of the folder: what each is, by its name. That of a case which is not selected
/// is one of `folders`, too.
fn look<'a>(
    args: &Check,
    cases: &BTreeMap<&str, &'a Case>,
    folders: &BTreeSet<String>,
) -> Result<Found<'a>, Error> {
    let (data, mirrored) = (&args.data, &args.mirrored);
    let cannot_read = |e: io::Error| cannot_read(data, &e);
    let entries = fs::read_dir(data).map_err(cannot_read)?;
    let mut found = Found::default();
    for entry in entries {
        let entry = entry.map_err(cannot_read)?;
        let name = entry.file_name();
        let kind = entry.file_type().map_err(cannot_read)?;
        let known = name.to_str();
        match known.and_then(|name| cases.get(name)) {
            Some(case) => found.known.push((entry.path(), case)),
            None if kind.is_file() => found.files += 1,
            None if known.is_some_and(|name| folders.contains(name)) => {}
            None => {
                let none = |path| fs::read_dir(path).is_ok_and(|mut all| all.next().is_none());
                let why = match kind.is_dir() && none(entry.path()) {
                    true => "an empty folder".to_owned(),
                    false => format!(
                        "no case of the suite {} in {} has this name",
                        mirrored.suite,
                        plain::path(&mirrored.cases)
                    ),
                };
                let name = plain::text(&name.to_string_lossy());
                found.strangers.push((name, why));
            }
        }
    }
    found.known.sort_by(|a, b| a.0.cmp(&b.0));
    found.strangers.sort();
    Ok(found)
}

/// Judges the folders of cases, and shows a line for each.
fn run(
    args: &Check,
    found: &mut Found<'_>,
    held_to: Target,
    options: &Options,
) -> Result<Vec<CaseRecord>, Error> {
    let pool = threads::pool(Some(options.jobs))?;
    let (mut screen, _) = Screen::of_cases(found.known.len(), None);
    let mut records = Vec::with_capacity(found.known.len());
    let suite = args.mirrored.suite;
    let mut failing = 0;
    let work = |(folder, case): &(PathBuf, &Case)| {
        let judged = judged(folder, case, suite, held_to, options);
        judged.map_err(|why| (case.id.clone(), why))
    };
    let enough = in_order(&pool, &found.known, work, |judged| {
        match judged {
            Ok(record) => {
                failing += usize::from(record.verdict == Verdict::Violation);
                screen.case(&record, &args.output_args, Some(StatusLevel::Fail));
                records.push(record);
            }
            Err(problem) => {
                screen.advance(1);
                found.problems.push(problem);
            }
        }
        match args.limit.most() {
            Some(most) if failing >= most => Err(()),
            _ => Ok(()),
        }
    });
    // Where there are enough failures the rest is left.
    let _ = enough;
    screen.finish();
    Ok(records)
}

/// What came of the files.
fn write_found(out: &mut impl Write, held_to: Target, records: &[CaseRecord]) -> io::Result<()> {
    for name in [GOLDEN, OUTPUT] {
        let party = Party::form(held_to, name);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for target in records.iter().filter_map(|r| r.targets.get(&party)) {
            *counts.entry(verb(target.verdict)).or_default() += 1;
        }
        if !counts.is_empty() {
            let counts = joined(counts.iter().map(|(verb, n)| format!("{n} {verb}")), ", ");
            writeln!(out, "  {BOLD}{name}{BOLD:#} under {held_to}: {counts}")?;
        }
    }
    Ok(())
}

/// What was not judged, since it is no case's folder.
fn write_passed_over(out: &mut impl Write, found: &Found<'_>) -> io::Result<()> {
    for (name, why) in found.strangers.iter().take(MOST_LINES) {
        writeln!(out, "  passed over: {name}: {why}")?;
    }
    if let Some(more @ 1..) = found.strangers.len().checked_sub(MOST_LINES) {
        writeln!(out, "  passed over: {more} more like these")?;
    }
    if found.files > 0 {
        writeln!(
            out,
            "  not looked at, since they are no folders: {} of the files there",
            found.files
        )?;
    }
    Ok(())
}

/// What was asked for and is not judged.
fn unjudged(
    args: &Check,
    found: &Found<'_>,
    cases: &BTreeMap<&str, &Case>,
    output: &Party,
    records: &[CaseRecord],
) -> Unjudged {
    let known = found.known.iter();
    let here: BTreeSet<&str> = known.map(|(_, case)| case.id.as_str()).collect();
    let ids = cases.values().map(|case| &case.id);
    let without = records.iter().filter(|r| !r.targets.contains_key(output));
    Unjudged {
        broken: found.problems.clone(),
        no_folder: ids.filter(|id| !here.contains(&id[..])).cloned().collect(),
        no_output: without.map(|record| record.id.clone()).collect(),
        partial: args.partial,
    }
}

const fn verb(verdict: TargetVerdict) -> &'static str {
    match verdict {
        TargetVerdict::Conforms => "conform",
        TargetVerdict::Rejected => "rejected by the target",
        TargetVerdict::Undefined => "undefined",
        TargetVerdict::Hangs => "hang",
        TargetVerdict::Violates => "violate",
        TargetVerdict::Unsupported => "not supported",
    }
}

/// Judges the results in `folder` under the contract of `held_to`.
///
/// # Errors
/// What is wrong with the folder's files, or why nothing is judged, in one line.
fn judged(
    folder: &Path,
    case: &Case,
    suite: Target,
    held_to: Target,
    options: &Options,
) -> Result<CaseRecord, String> {
    let kind = fs::symlink_metadata(folder).map_err(|e| e.to_string())?;
    if !kind.is_dir() {
        return Err("not a plain folder".to_owned());
    }
    let given = with_stored_data(folder, case, suite)?;
    let results = results(folder, suite, case)?;
    let parties: Vec<ResultFile<'_>> = results
        .iter()
        .map(|(file, values)| ResultFile { file, values })
        .collect();
    judge_result_files(&given, held_to, &parties, options)
}

/// The case with the data of its folder.
///
/// # Errors
/// What is wrong with a file, in one line.
fn with_stored_data(folder: &Path, case: &Case, suite: Target) -> Result<Case, String> {
    let mut given = super::hosted(case);
    for input in st::inputs(suite, &case.call, case.chunks) {
        let values = input.unpacked(&bytes(folder, &input)?);
        given.data.set_literal(input.role, values);
    }
    // What a case expects was worked out for data of its own.
    given.expect.clear();
    given.covers.clear();
    given.gap = None;
    given.holes.clear();
    Ok(given)
}

/// The results that the folder has, at least one, in logical order.
fn results<'a>(
    folder: &Path,
    suite: Target,
    case: &'a Case,
) -> Result<Vec<(Stored<'a>, Vec<u8>)>, String> {
    let mut found = Vec::new();
    for name in [GOLDEN, OUTPUT] {
        let file = st::result(suite, &case.call, name).ok_or("the call has no output")?;
        // The suites have no `golden.bin` less, but may have run nothing yet.
        let there = name == GOLDEN || fs::symlink_metadata(folder.join(name)).is_ok();
        if there {
            let values = file.unpacked(&bytes(folder, &file)?);
            found.push((file, values));
        }
    }
    Ok(found)
}

fn bytes(folder: &Path, file: &Stored<'_>) -> Result<Vec<u8>, String> {
    let name = file.name;
    let len = file.len().ok_or_else(|| format!("{name}: too large"))?;
    file::exactly(&folder.join(name), len).map_err(|e| match e {
        FileError::Length { .. } => format!("{name}: {e} for the {}", file.role),
        _ => format!("{name}: {e}"),
    })
}
