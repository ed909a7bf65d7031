//! `ptodiff run`

use std::{
    cell::RefCell,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use ptodiff_isa::Target;
use ptodiff_record::{CaseRecord, Header, Verdict};
use ptodiff_runner::Options;

use crate::{
    args::Run,
    diagnosis,
    exit::{Error, Exit},
    files::{cannot_write, write_whole},
    implementations,
    out::say,
    plain,
    progress::Progress,
    reports::{self, Came, Face, Faces},
    screen::Screen,
    select,
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
    let faces = RefCell::new(Faces::new(&header, &asked()));
    let evidence = RefCell::new(diagnosis::evidence(&header));
    let ran = write_whole(&path, |to| {
        let seen = |record: &CaseRecord| {
            line.clear();
            if !args.quiet || record.verdict == Verdict::Violation {
                // A vector takes all that is written to it.
                let _ = ptodiff_report::write_line(&mut line, &ptodiff_report::plain::case(record));
                screen.write(&line);
            }
            progress.add(record.verdict);
            screen.advance(1);
            evidence
                .borrow_mut()
                .iter_mut()
                .for_each(|one| one.add(record));
            faces.borrow_mut().add(record)
        };
        let last = || {
            let (evidence, cases) = (evidence.borrow(), &corpus.cases);
            let most = diagnosis::GROUPS;
            let found = diagnosis::of(&evidence, cases, &options, most, args.diagnosis)?;
            faces.borrow_mut().diagnosed(&found);
            Ok(found)
        };
        ptodiff_runner::run_beside(&implementations, &corpus.cases, &options, to, seen, last)
    });
    let mut faces = faces.into_inner();
    implementations::all_could_run(&implementations)?;
    ran?;
    progress.recorded();
    let (mut text, written) = write_reports(&args.out, &mut faces)?;
    if !implementations.is_empty() {
        // The files say what the record does, and that knows no command.
        let header = faces.header_mut();
        implementations::tell_commands(header, &implementations, &args.implementations);
        text = faces.text()?;
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
    faces.write(Face::Annotations, &mut text)?;
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
        false => exit(&header, faces.came()),
    };
    if exit == Exit::Nothing {
        say_nothing_ran(faces.came());
    }
    Ok(exit)
}

/// Says why a run that wrote its reports shows nothing.
fn say_nothing_ran(came: &Came) {
    let idle = came.idle();
    for party in &idle {
        implementations::say_idle(party, came.cases as u64);
    }
    if idle.is_empty() {
        say("nothing is shown: no target promises a result in any case, and none expects that");
    }
}

/// The faces of a run.
pub(crate) fn asked() -> Vec<Face> {
    let github = reports::on_github().then_some(Face::Annotations);
    let files = FILES.iter().map(|(_, _, face)| *face);
    files.chain(github).collect()
}

/// The files of a run beside its record: what each is, its name, its face.
const FILES: [(&str, &str, Face); 5] = [
    ("page", "report.html", Face::Page),
    ("summary", "summary.txt", Face::Text),
    ("Markdown", "summary.md", Face::Markdown),
    ("JUnit", "junit.xml", Face::Junit),
    ("coverage", "coverage.json", Face::Coverage),
];

/// The files that were written: what each is, and where.
pub(crate) type Written = Vec<(&'static str, PathBuf)>;

/// Writes the faces of the record into the folder `out`; with them goes what the
/// user is told, which is one of them without its colours.
pub(crate) fn write_reports(out: &Path, faces: &mut Faces) -> Result<(Vec<u8>, Written), Error> {
    let told = faces.text()?;
    let mut written = Vec::new();
    for (what, name, face) in FILES {
        let path = out.join(name);
        write_whole(&path, |to| match face {
            Face::Text => to.write_all(&reports::without_colours(&told)),
            face => faces.write(face, to),
        })?;
        written.push((what, path));
    }
    Ok((told, written))
}

fn options(args: &Run) -> Result<Options, Error> {
    let mut options = Options {
        seed: args.seed,
        schedules: args.schedules,
        readings: args.chosen.all()?,
        all_readings: args.readings.is_some(),
        details: !args.no_details,
        beside: args.selection.beside.arguments(),
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
pub(crate) fn exit(header: &Header, came: &Came) -> Exit {
    if came.violations > 0 {
        Exit::Violation
    } else if came.shown && came.idle().is_empty() || header.part.is_some() {
        Exit::Conforms
    } else {
        Exit::Nothing
    }
}
