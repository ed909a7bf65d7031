//! `ptodiff gate`

mod judged;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use clap::Args;
use ptodiff_edge::whole::{self, CannotWrite};
use ptodiff_gate::{
    Baseline, CannotBless, Change, Date, Kind, Run, Waiver, Waivers, bless, judge, waiver,
};
use ptodiff_isa::Target;
use ptodiff_record::{CaseRecord, Header, Took, counted, reproduce::word};
use ptodiff_report::style::{BAD, BOLD};
use ptodiff_runner::listed;

use self::judged::{write_entries, write_failing, write_failures, write_judged, write_nothing};
use crate::{
    args::{OutputArgs, Show},
    commands::run,
    config, corpus,
    exit::{Error, Exit},
    files::{Record, is_absent, read_text},
    implementations::{self, Implementations},
    out::{say, stdout},
    plain,
    readings::ReadingArgs,
    reports::{OUT, Reports},
    screen::Screen,
    select,
    sources::TESTS,
    text::joined,
    values::target,
};

/// `ptodiff gate`
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 the gate passed, 1 it failed, 2 a file that cannot be read \
    or has a mistake, 3 nothing was tested, or not all that was asked for, 70 a fault of the \
    harness. --dry-run ends with 0 even where the gate failed; --bless with 1 where it would \
    still fail."
)]
pub(crate) struct Gate {
    /// The record of a run; without it all cases are run now
    #[arg(
        long,
        value_name = "FILE",
        // What says how cases are run would be passed over in silence.
        conflicts_with_all = [
            "cases", "target", "edition", "reading",
            "implementation", "claims", "implementation_time", "implementation_memory",
            "implementation_jobs", "retries"
        ]
    )]
    pub(crate) from: Option<PathBuf>,
    /// Where the cases are, when they are run now
    #[arg(long, default_value = crate::corpus::USUAL)]
    pub(crate) cases: PathBuf,
    /// The file of waivers, or the folder of waivers.yaml; baseline.json, what a run is known
    /// to show, stands beside it
    #[arg(long, value_name = "FILE", default_value = Self::WAIVERS)]
    pub(crate) baseline: PathBuf,
    /// Show as a diff how baseline and waivers would have to change for the gate to pass
    #[arg(long)]
    pub(crate) bless: bool,
    /// Make that change
    #[arg(long, requires = "bless")]
    pub(crate) write: bool,
    /// Fail on what is wrong once and not again
    #[arg(long)]
    pub(crate) fail_flaky: bool,
    /// Say what makes the gate fail, and end with 0
    #[arg(long, conflicts_with = "bless")]
    pub(crate) dry_run: bool,
    /// What is printed.
    #[command(flatten)]
    pub(crate) output_args: OutputArgs,
    /// The day that waivers are compared with, instead of today in UTC
    #[arg(long, value_name = "DATE", hide = true, value_parser = waiver::day)]
    pub(crate) today: Option<Date>,
    /// Only these targets: cpu, a2a3, a5
    #[arg(long, value_name = "TARGET", value_delimiter = ',', value_parser = target)]
    pub(crate) target: Vec<Target>,
    /// Threads, as the `ptodiff.toml` has them.
    #[arg(skip)]
    pub(crate) jobs: Option<u16>,
    /// How the gaps of the documents are read.
    #[command(flatten)]
    pub(crate) chosen: ReadingArgs,
    /// The arguments that look at the same files and run the same implementations.
    #[arg(skip)]
    pub(crate) again: Vec<String>,
    /// Which implementations take part.
    #[command(flatten)]
    pub(crate) implementations: Implementations,
}

impl Gate {
    /// Where waivers are unless told.
    pub(crate) const WAIVERS: &str = "reports/waivers.yaml";

    /// The command to call again; whether it judges or blesses is the caller's to add.
    fn command(&self) -> String {
        let again: String = self
            .again
            .iter()
            .map(|own| format!(" {}", word(own)))
            .collect();
        plain::text(&format!("ptodiff gate{again}"))
    }
}

/// Holds a run against baseline and waivers, or proposes how they change.
///
/// # Errors
/// If cases, record, baseline or waivers cannot be read, or a file cannot be written.
pub(crate) fn gate(args: &Gate) -> Result<Exit, Error> {
    if args.output_args.shown.iter().any(|what| *what != Show::All) {
        return Err(Error::usage(
            "a gate has only failures to show, with --show all every one; `ptodiff report` shows \
             what else the record has",
        ));
    }
    let own_waivers = own(args, &args.baseline);
    let in_folder = args.baseline.is_dir();
    let listed = match in_folder {
        true => args.baseline.join("waivers.yaml"),
        false => args.baseline.clone(),
    };
    // One that was named and is not there is a mistake.
    let usual = in_folder || args.baseline == Path::new(Gate::WAIVERS);
    let nothing_waived = own_waivers.is_none() && usual && is_absent(&listed);
    let waivers = match own_waivers {
        Some(text) => waiver::load_str(Gate::WAIVERS, text)?,
        None if nothing_waived => waiver::load_str(&listed.to_string_lossy(), "waivers: []\n")?,
        None => crate::old_words::load_waivers(&listed)?,
    };
    let path = listed.with_file_name("baseline.json");
    // What is blessed for the first time begins with nothing.
    let in_command = (!args.bless).then(|| own(args, &path)).flatten();
    let known = match in_command {
        Some(text) => Some(text.to_owned()),
        None => match fs::exists(&path) {
            Ok(false) => None,
            _ => Some(read_text(&path, MOST_BASELINE)?),
        },
    };
    // What can be said before a long run is.
    let baseline = match (args.bless, &known) {
        (true, _) => None,
        (false, Some(text)) => Some(baseline(&path, text)?),
        (false, None) => {
            let from = args.from.as_deref();
            // One that cannot be read is told where it is needed.
            let read = from.and_then(|from| read(from, Vec::new(), args).ok());
            let totals = read.map(|(_, reports)| reports.summary.totals);
            if let Some(totals) = totals.filter(|totals| totals.failing > 0) {
                let (path, cases) = (plain::path(&path), counted(totals.cases, "case"));
                return Err(Error::usage(format!(
                    "there is no {path}, and {} of {cases} in this record fail; this shows what to \
                     mend or to waive, and the baseline once all is waived:\n  {} --bless",
                    totals.failing,
                    args.command()
                )));
            }
            let elsewhere = match nothing_waived {
                true => {
                    "; --baseline FILE names waivers elsewhere, with a baseline.json beside them"
                }
                false => "",
            };
            // On a line of its own the command is whole: what is quoted is cut.
            return Err(Error::usage(format!(
                "there is no {}{elsewhere}; this makes one of a run that passes:\n  {} --bless --write",
                plain::path(&path),
                args.command()
            )));
        }
    };
    if nothing_waived && !args.bless && !args.output_args.quiet {
        let path = plain::path(&listed);
        say(format!("there is no {path}: nothing is waived"));
    }
    let today = args.today.unwrap_or_else(waiver::today);
    let in_force = waivers.list.iter().filter(|own| own.expires >= today);
    let in_force = in_force.cloned().collect();
    let (mut run, mut reports, twice) = match &args.from {
        Some(path) => {
            let (run, reports) = read(path, in_force, args)?;
            (run, reports, false)
        }
        None => run_all(in_force, args)?,
    };
    run.fail_flaky = args.fail_flaky;
    match baseline {
        Some(baseline) => {
            let judged = judge(&baseline, &waivers, &run, today);
            let failures = judged.failures.len() + usize::from(twice);
            let exit = match failures {
                0 if reports.summary.totals.is_nothing() => Exit::Nothing,
                0 => Exit::Conforms,
                _ => Exit::Violation,
            };
            write_judged(&judged, &mut reports, &waivers, (failures, exit), args)?;
            if args.from.is_none() && !args.output_args.quiet {
                tell_last_run(&run, args)?;
            }
            let gone = judged.failures.iter().any(|f| f.kind == Kind::CaseGone);
            if gone && in_command.is_some() {
                say(format!(
                    "the baseline in ptodiff knows all its own cases and no others; this makes \
                     one of your own, of a run that passes:\n  {} --bless --write",
                    args.command()
                ));
            }
            Ok(if args.dry_run { Exit::Conforms } else { exit })
        }
        // What broke the protocol is nothing to be known.
        None if twice => Ok(Exit::Violation),
        None => propose(
            args,
            (&path, known.as_deref()),
            &waivers,
            (&run, reports),
            today,
        ),
    }
}

/// Says that a run of implementations is there which this gate, of the models, does not look at.
fn tell_last_run(run: &Run, args: &Gate) -> Result<(), Error> {
    let out = match args.implementations.no_config {
        true => OUT.into(),
        false => config::out()?,
    };
    let last = Record::open(&out);
    let tested = last.map(|last| last.header().implementations.clone());
    let tested = tested.unwrap_or_default();
    if !tested.is_empty() && run.shown().implementations.is_empty() {
        let tested = joined(tested.iter().map(|own| &own.party), ", ");
        let (tested, out) = (plain::text(&tested), plain::path(&out));
        say(format!(
            "the last run, of {tested}, is in {out}: `ptodiff gate --from {out}` looks at it"
        ));
    }
    Ok(())
}

/// What comes with the command in place of `path`, which was not named and is not
/// here, as the cases are not: then it is said.
fn own(args: &Gate, path: &Path) -> Option<&'static str> {
    let cases = match args.from {
        Some(_) => Path::new(corpus::USUAL),
        None => &args.cases,
    };
    let usual = args.baseline == Path::new(Gate::WAIVERS);
    if !usual || !is_absent(path) || !corpus::is_own(cases) {
        return None;
    }
    let text = corpus::text(path)?;
    let version = env!("CARGO_PKG_VERSION");
    say(format!("using {} in ptodiff {version}", path.display()));
    Some(text)
}

/// Bytes of a baseline.
const MOST_BASELINE: u64 = 64 << 20;

/// The baseline that the file at `path` has.
pub(super) fn baseline(path: &Path, text: &str) -> Result<Baseline, Error> {
    Baseline::read(text).map_err(|e| Error::usage(plain::text(&format!("{}: {e}", path.display()))))
}

/// Of a run with this header.
fn run_of(header: &Header) -> Run {
    let tests: Vec<&str> = TESTS.iter().map(|test| test.clause).collect();
    Run::new(header, &tests)
}

/// Of a run with this header, under `waivers`.
fn reports_of(header: &Header, waivers: Vec<Waiver>) -> Reports {
    let mut reports = Reports::new(header, &[], Vec::new());
    reports.waivers = waivers;
    reports
}

/// The run that the record in the file `path` is of, and what its cases came to.
fn read(path: &Path, waivers: Vec<Waiver>, args: &Gate) -> Result<(Run, Reports), Error> {
    let record = Record::open(path)?;
    let mut header = record.header().clone();
    if let Some(left) = header.left_out {
        let (left, path) = (counted(left, "case"), plain::path(path));
        return Err(Error::nothing(format!(
            "not all was tested: {left} of {path} not begun, as enough had failed"
        )));
    }
    if !args.implementations.no_config {
        config::name_commands(&mut header);
    }
    let mut run = run_of(&header);
    let mut reports = reports_of(&header, waivers);
    let mut out = stdout();
    let diagnoses = record.each(|case| {
        run.add(case);
        reports.add(case, &Took::default())?;
        // What makes a gate fail is told at its end.
        Ok(args.output_args.write_line(&mut out, case, None)?)
    })?;
    reports.failures.diagnosed(&diagnoses);
    Ok((run, reports))
}

/// Runs all cases: the run, what they came to, and whether an implementation answered too
/// often.
fn run_all(waivers: Vec<Waiver>, args: &Gate) -> Result<(Run, Reports, bool), Error> {
    let mut corpus = crate::pto::load_all(std::slice::from_ref(&args.cases))?;
    let options = run::options_of(&args.target, args.jobs, &args.chosen)?;
    if !args.target.is_empty() {
        select::leave_out(&mut corpus, &options.targets)?;
    }
    let implementations = args.implementations.start(&options.targets)?;
    let (mut screen, _) = Screen::of_cases(corpus.cases.len(), None);
    // The models alone are done in seconds.
    if !args.output_args.quiet && !implementations.is_empty() {
        screen.tell();
        implementations::tell_first_failure(&implementations);
    }
    let mut header = Header {
        implementations: listed(&implementations),
        ..options.header(corpus.cases.len())
    };
    implementations::tell_commands(&mut header, &implementations, &args.implementations);
    let mut run = run_of(&header);
    let mut reports = reports_of(&header, waivers);
    let seen = |record: &CaseRecord, took: &Took| {
        screen.case(record, &args.output_args, None);
        run.add(record);
        reports.add(record, took)
    };
    let ran = ptodiff_runner::run_beside(&implementations, &corpus.cases, &options, seen);
    implementations::all_could_run(&implementations)?;
    ran.map_err(|e| Error::fault(format!("cannot run the cases: {e}")))?;
    screen.finish();
    implementations::tell_ends(&implementations);
    let twice = !implementations::answered_too_often(&implementations).is_empty();
    Ok((run, reports, twice))
}

/// Shows the change as a diff, and makes it where that is asked for.
fn propose(
    args: &Gate,
    (path, known): (&Path, Option<&str>),
    waivers: &Waivers,
    (run, mut reports): (&Run, Reports),
    today: Date,
) -> Result<Exit, Error> {
    let mut out = stdout();
    let blessing = match bless(run, path, known, waivers, today) {
        Ok(blessing) => blessing,
        Err(error) => {
            let why = error.to_string();
            let CannotBless::Violations {
                violations,
                entries,
            } = error
            else {
                return Err(Error::usage(plain::text(&why)));
            };
            let all = args.output_args.shows(Show::All);
            write_failing(&mut out, &mut reports, &violations, all)?;
            write_entries(&mut out, &entries, waivers, all)?;
            writeln!(out, "{BAD}nothing is proposed{BAD:#}: {why}")?;
            return Ok(Exit::Violation);
        }
    };
    // What could not run shows neither that a waiver hides nothing nor that a result is gone.
    let totals = &reports.summary.totals;
    if totals.is_nothing() {
        write_nothing(&mut out, totals)?;
        writeln!(
            out,
            "{BAD}nothing is proposed{BAD:#}: the baseline is of a run that tests something"
        )?;
        return Ok(Exit::Nothing);
    }
    for line in blessing.diff().lines() {
        writeln!(out, "{}", plain::text(line))?;
    }
    write_failures(&mut out, &blessing.remaining)?;
    let changes = &blessing.changes;
    let paths: Vec<String> = changes.iter().map(|c| plain::path(&c.path)).collect();
    if changes.is_empty() {
        writeln!(out, "{BOLD}nothing to change{BOLD:#}")?;
    } else if args.write {
        changes.iter().try_for_each(write_change)?;
        writeln!(out, "{BOLD}written{BOLD:#} {}", paths.join(", "))?;
    } else {
        writeln!(
            out,
            "{BOLD}proposed{BOLD:#} for {}; --write makes the change",
            paths.join(", ")
        )?;
    }
    Ok(Exit::failed(!blessing.remaining.is_empty()))
}

fn write_change(change: &Change) -> Result<(), Error> {
    if change.after.len() as u64 > MOST_BASELINE {
        let path = plain::path(&change.path);
        let most = MOST_BASELINE >> 20;
        return Err(Error::usage(format!(
            "{path} would have more than {most} MiB, which the gate does not read: \
             choose fewer cases"
        )));
    }
    if let Some(folder) = change.path.parent().filter(|f| *f != Path::new("")) {
        fs::create_dir_all(folder).map_err(CannotWrite::of(folder))?;
    }
    Ok(whole::write_bytes(&change.path, change.after.as_bytes())?)
}
