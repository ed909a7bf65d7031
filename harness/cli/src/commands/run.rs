//! `ptodiff run`

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::OnceLock,
};

use ptodiff_isa::Target;
use ptodiff_record::{CaseRecord, Header, Tally, TargetVerdict, Verdict};
use ptodiff_report::Coverage;
use ptodiff_runner::Options;
use rayon::prelude::*;

use crate::{
    args::Run,
    exit::{Error, Exit},
    files::{Record, cannot_write, write_whole},
    implementations,
    out::say,
    plain,
    progress::Progress,
    readings, reports,
    screen::Screen,
    select,
    sources::TESTS,
    text::counted,
};

/// Runs the selected cases and writes the reports.
///
/// # Errors
/// Bad cases, nothing selected, or the reports cannot be written.
pub(crate) fn run(args: &Run) -> Result<Exit, Error> {
    let mut options = options(args)?;
    let mut corpus = select::load(&args.selection)?;
    let others = select::leave_out(&mut corpus, &options.targets)?;
    if let Some(partition) = args.partition {
        options.part = Some(select::part(&mut corpus, partition));
    }
    let implementations = args.implementations.start(&options.targets)?;
    let header = Header {
        implementations: ptodiff_runner::listed(&implementations),
        ..options.header(corpus.cases.len())
    };
    fs::create_dir_all(&args.out).map_err(|e| cannot_write(&args.out, e))?;

    let mut screen = Screen::new(corpus.cases.len());
    let progress = Progress::told(
        corpus.cases.len(),
        &screen,
        "run.jsonl is written, the other reports may be those of before",
    );
    let mut line = Vec::new();
    let path = args.out.join("run.jsonl");
    let cases = write_whole(&path, |to| {
        ptodiff_runner::run_beside(&implementations, &corpus.cases, &options, to, |record| {
            line.clear();
            if !args.quiet || record.verdict == Verdict::Violation {
                // A vector takes all that is written to it.
                let _ = ptodiff_report::write_line(&mut line, &ptodiff_report::plain::case(record));
                screen.write(&line);
            }
            progress.add(record.verdict);
            screen.advance(1);
        })
    });
    implementations::all_could_run(&implementations)?;
    let cases = cases?;
    progress.recorded();
    let mut record = Record { header, cases };
    let (mut text, written) = write_reports(&args.out, &record)?;
    if !implementations.is_empty() {
        // The files say what the record does, and that knows no command.
        implementations::tell_commands(&mut record.header, &implementations, &args.implementations);
        text = reports::text(&record)?;
    }
    let written: Vec<String> = written
        .iter()
        .map(|(what, path)| format!("{what} {}", plain::path(path)))
        .collect();
    writeln!(
        text,
        "  record {}, {}",
        plain::path(&path),
        written.join(", ")
    )?;
    if reports::on_github() {
        reports::annotations(&mut text, &record)?;
    }
    if others > 0 {
        let targets: Vec<&str> = options.targets.iter().map(|t| (*t).into()).collect();
        let cases = counted(others as u64, "case");
        writeln!(text, "  {cases} left out: not for {}", targets.join(", "))?;
    }
    screen.write(&text);
    screen.finish();
    implementations::tell_early_ends(&implementations);
    let exit = match implementations::answered_too_often(&implementations) {
        true => Exit::Violation,
        false => exit(&record),
    };
    if exit == Exit::Nothing {
        say_nothing_ran(&record);
    }
    Ok(exit)
}

/// Says why a run that wrote its reports shows nothing.
fn say_nothing_ran(record: &Record) {
    let implementations = record.header.implementations.iter().map(|s| &s.party);
    let idle = implementations::idle(implementations, &record.cases);
    for party in &idle {
        implementations::say_idle(party, record.cases.len() as u64);
    }
    if idle.is_empty() {
        say("nothing is shown: no target promises a result in any case, and none expects that");
    }
}

/// The files that were written: what each is, and where.
pub(crate) type Written = Vec<(&'static str, PathBuf)>;

/// Writes the faces of the record into the folder `out`, on all cores; with
/// them goes what the user is told, which is one of them without its colours.
pub(crate) fn write_reports(out: &Path, record: &Record) -> Result<(Vec<u8>, Written), Error> {
    type Face<'a> = &'a (dyn Fn(&mut dyn Write) -> io::Result<()> + Sync);
    let told = OnceLock::new();
    let summary = |to: &mut dyn Write| {
        let text = reports::text(record)?;
        to.write_all(&reports::without_colours(&text))?;
        // It is written once.
        let _ = told.set(text);
        Ok(())
    };
    let faces: [(&str, &str, Face<'_>); 5] = [
        ("page", "report.html", &|to| reports::html(to, record)),
        ("summary", "summary.txt", &summary),
        ("Markdown", "summary.md", &|to| {
            reports::markdown(to, record)
        }),
        ("JUnit", "junit.xml", &|to| reports::junit(to, record)),
        ("coverage", "coverage.json", &|to| {
            write_coverage(to, record)
        }),
    ];
    let write = |(what, name, face): &(_, _, Face<'_>)| {
        let path = out.join(name);
        write_whole(&path, |to| face(to))?;
        Ok((*what, path))
    };
    let written: Vec<Result<_, Error>> = faces.par_iter().map(write).collect();
    let written = written.into_iter().collect::<Result<Written, Error>>()?;
    Ok((told.into_inner().unwrap_or_default(), written))
}

fn write_coverage(to: &mut dyn Write, record: &Record) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, &Coverage::of(&record.cases, TESTS))?;
    to.write_all(b"\n")
}

fn options(args: &Run) -> Result<Options, Error> {
    let mut options = Options {
        seed: args.seed,
        schedules: args.schedules,
        readings: readings::chosen(&args.reading)?,
        all_readings: args.readings.is_some(),
        details: !args.no_details,
        ..Options::default()
    };
    if let Some(jobs) = args.jobs {
        options.jobs = usize::from(jobs);
    }
    if !args.target.is_empty() {
        let chosen = |t: &Target| args.target.contains(t);
        options.targets.retain(chosen);
    }
    Ok(options)
}

/// A violation fails the run; a run in which nothing was held to anything has
/// shown nothing, nor has one of an implementation that could run no case. A part of a
/// run may be as small as chance makes it.
pub(crate) fn exit(record: &Record) -> Exit {
    let cases: &[CaseRecord] = &record.cases;
    let promised = |case: &CaseRecord| {
        let mut targets = case.targets.values();
        targets.any(|t| t.verdict != TargetVerdict::Undefined)
    };
    let shown = cases.iter().any(|case| case.is_held() || promised(case));
    let implementations = record.header.implementations.iter().map(|s| &s.party);
    let idle = implementations::idle(implementations, cases);
    if Tally::of(cases).count(Verdict::Violation) > 0 {
        Exit::Violation
    } else if shown && idle.is_empty() || record.header.part.is_some() {
        Exit::Conforms
    } else {
        Exit::Nothing
    }
}
