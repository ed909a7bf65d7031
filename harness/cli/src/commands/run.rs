//! `ptodiff run`

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, BufReader, Write},
    path::{Path, PathBuf},
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use clap::{Args, builder::PossibleValue};
use ptodiff_case::Corpus;
use ptodiff_edge::whole::{self, CannotWrite};
use ptodiff_impl::Extra;
use ptodiff_isa::{Party, Target};
use ptodiff_record::{
    CaseRecord, Header, ImplementationRecord, Part, Partition, ReadError, Reader, Took, Writer,
};
use ptodiff_runner::Options;

use crate::{
    args::{Limit, OutputArgs, Selection, Show, StatusLevel},
    corpus, diagnosis,
    exit::{Error, Exit},
    implementations::{self, Implementations},
    out::say,
    partition, plain,
    readings::ReadingArgs,
    reports::{self, ReportFormat, Reports},
    screen::Screen,
    select,
    text::{counted, joined},
    values::{target, time_or_none},
};

/// `ptodiff run`
#[derive(Args, Debug)]
pub(crate) struct Run {
    /// Which cases.
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// Only these targets: cpu, a2a3, a5
    #[arg(long, value_name = "TARGET", value_delimiter = ',', value_parser = target)]
    pub(crate) target: Vec<Target>,
    /// Root seed of all data
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads; as many as cores if not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Schedules of each case on A5
    #[arg(long, default_value_t = ptodiff_record::DEFAULT_SCHEDULES, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) schedules: u32,
    /// How long to explain failures
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time_or_none)]
    pub(crate) diagnosis: std::time::Duration,
    /// How the gaps of the documents are read.
    #[command(flatten)]
    pub(crate) chosen: ReadingArgs,
    /// Judge each case under all readings
    #[arg(long, value_name = "WHICH", value_parser = [all_readings()])]
    pub(crate) readings: Option<String>,
    /// Only part K of N of the cases, or that of the engine's variables
    #[arg(long, value_name = "K/N|auto", value_parser = partition::partition)]
    pub(crate) partition: Option<Partition>,
    /// Only cases that fail in RECORD, run as it was
    #[arg(long, value_name = "RECORD")]
    pub(crate) rerun_failed: Option<PathBuf>,
    /// Those, by their ids, with their files.
    #[arg(skip)]
    pub(crate) failed: BTreeMap<String, String>,
    /// The implementations that fail there.
    #[arg(skip)]
    pub(crate) failing: BTreeSet<Party>,
    /// Where the reports go
    #[arg(long, value_name = "DIR", default_value = crate::reports::OUT)]
    pub(crate) out: PathBuf,
    /// Keep traces, slots and texts out of the record
    #[arg(long)]
    pub(crate) no_details: bool,
    /// What is printed.
    #[command(flatten)]
    pub(crate) output_args: OutputArgs,
    /// Fail on differences where nothing is promised
    #[arg(long)]
    pub(crate) fail_unpromised: bool,
    /// Fail on what is wrong once and not again
    #[arg(long)]
    pub(crate) fail_flaky: bool,
    /// When it stops.
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// The arguments that the other parts of the run have, too.
    #[arg(skip)]
    pub(crate) again: Vec<String>,
    /// The arguments that say how implementations run, and on which targets.
    #[arg(skip)]
    pub(crate) typed: Vec<String>,
    /// Which implementations take part.
    #[command(flatten)]
    pub(crate) implementations: Implementations,
}

/// What `--readings` takes.
fn all_readings() -> PossibleValue {
    PossibleValue::new("all").help("Every choice of every gap that matters for a case")
}

/// Runs the selected cases and writes the reports.
///
/// # Errors
/// Bad cases, nothing selected, or the reports cannot be written.
pub(crate) fn run(args: &Run) -> Result<Exit, Error> {
    let begun = Instant::now();
    let mut options = options(args)?;
    let (selection, quiet) = (&args.selection, args.output_args.quiet);
    let (mut corpus, gone) = match &args.rerun_failed {
        Some(record) => failed_in(record, &args.failed, select::read(selection, &[], quiet)?)?,
        None => (select::read(selection, &selection.ids(), quiet)?, None),
    };
    select::keep(&mut corpus, selection)?;
    let others = select::leave_out(&mut corpus, &options.targets)?;
    if let Some(partition) = args.partition {
        options.part = Some(Part {
            again: args.again.clone(),
            ..select::part(&mut corpus, partition)
        });
    }
    let implementations = args.implementations.start(&options.targets)?;
    let listed = ptodiff_runner::listed(&implementations);
    are_tested_again(&args.failing, &listed)?;
    let header = Header {
        implementations: listed,
        ..options.header(corpus.cases.len())
    };
    fs::create_dir_all(&args.out).map_err(CannotWrite::of_folder(&args.out))?;

    let far = "run.jsonl is written, the other reports may be those of before";
    let (mut screen, stop) = Screen::of_cases(corpus.cases.len(), Some(far));
    // The models alone are done in seconds.
    if !args.output_args.quiet && !implementations.is_empty() {
        screen.tell();
        implementations::tell_first_failure(&implementations);
    }
    let path = args.out.join("run.jsonl");
    let parties = diagnosis::parties(&header);
    let reports = RefCell::new(Reports::new(&header, &LARGE, parties));
    let ran = whole::write(&path, |to| {
        let seen = |record: &CaseRecord, took: &Took| {
            screen.case(record, &args.output_args, Some(StatusLevel::Fail));
            reports.borrow_mut().add(record, took)
        };
        let last = || {
            screen.then("looking for what explains the failures");
            let failures = &mut reports.borrow_mut().failures;
            failures.explain(&corpus.cases, &options, diagnosis::GROUPS, args.diagnosis)
        };
        let (all, cases) = (&implementations, &corpus.cases);
        ptodiff_runner::record_beside(all, cases, &options, &stop, to, seen, last)
    });
    let mut reports = reports.into_inner();
    let interrupted = stop.load(Ordering::SeqCst);
    // An interrupt ends them as well.
    if !interrupted {
        implementations::all_could_run(&implementations)?;
    }
    let stopped = ran?;
    if !interrupted {
        let twice = implementations::answered_too_often(&implementations);
        reports = match twice.is_empty() {
            true => reports,
            false => with_answered_twice(&path, twice)?,
        };
    }
    if stopped {
        reports.summary.totals.interrupted = Some(corpus.cases.len());
    } else {
        let totals = &mut reports.summary.totals;
        totals.left_out = corpus.cases.len() - totals.cases;
    }
    reports.summary.totals.fail_flaky = args.fail_flaky;
    reports.summary.totals.fail_unpromised = args.fail_unpromised;
    screen.recorded();
    let exit = reports.exit();
    let exit = match reports.summary.totals.fails_by_flag() {
        Some(_) => Exit::Violation,
        None if gone.is_some() && exit == Exit::Conforms => Exit::Nothing,
        None => exit,
    };
    reports.took = Some(begun.elapsed());
    let called = &mut reports.called;
    if !implementations.is_empty() {
        implementations::tell_commands(called, &implementations, &args.implementations);
        called.typed.clone_from(&args.typed);
        // The edition stands for its readings.
        called.readings.clone_from(&args.chosen.reading);
    }
    let (written, unwritten) = match write_reports(&args.out, &mut reports, exit) {
        Ok(written) => (written, None),
        // What the run came to is told all the same.
        Err(error) => (Vec::new(), Some(error)),
    };
    // The other files say what the record does, and that knows no command.
    reports.header.clone_from(&reports.called);
    let shown = &args.output_args;
    let mut text = Vec::new();
    if reports::on_github() {
        reports.write(ReportFormat::Annotations, &mut text)?;
    }
    if others > 0 {
        let targets = joined(&options.targets, ", ");
        let cases = counted(others as u64, "case");
        writeln!(text, "  {cases} left out: not for {targets}")?;
    }
    text.extend(reports.text(shown)?);
    if shown.shows(Show::All) {
        let written = written.iter();
        let written = written.map(|(what, path)| format!("{what} {}", plain::path(path)));
        let (record, written) = (plain::path(&path), joined(written, ", "));
        writeln!(text, "\n  record {record}, {written}")?;
    }
    let on_a5 = implementations.iter().any(|one| one.target() == Target::A5);
    let hint = one_schedule(begun.elapsed(), options.schedules, on_a5);
    if let Some(hint) = hint.filter(|_| !shown.quiet) {
        writeln!(text, "  {hint}")?;
    }
    if let Some(left) = reports.left().filter(|_| !shown.quiet) {
        text.extend(left.bytes());
    }
    let result = reports.said();
    let page = args.out.join("report.html");
    let page = Some(&*page).filter(|_| unwritten.is_none());
    let closing = reports.closing(exit, &result, Some(begun.elapsed()), page);
    // Below nothing it needs no empty line.
    let closing = match text.is_empty() {
        true => closing.trim_start(),
        false => &closing,
    };
    text.extend(closing.bytes());
    screen.write(&text);
    screen.finish();
    if let Some(error) = unwritten {
        return Err(error);
    }
    if interrupted {
        return Ok(Exit::Interrupted);
    }
    implementations::tell_ends(&implementations);
    if let Some(gone) = gone {
        say(gone);
    } else if exit == Exit::Nothing {
        let totals = &reports.summary.totals;
        for party in totals.idle() {
            implementations::say_idle(party, totals.cases as u64, "");
        }
        if totals.idle().next().is_none() {
            say("nothing is shown: no target promises a result in any case, and none expects that");
        }
    }
    Ok(exit)
}

/// How a run that took long takes less.
fn one_schedule(took: Duration, schedules: u32, on_a5: bool) -> Option<String> {
    const LONG: Duration = Duration::from_secs(30);
    (on_a5 && schedules > 1 && took >= LONG).then(|| {
        format!(
            "the implementation was asked for each case on a5 under {schedules} schedules: \
             `--schedules 1` takes less time and looks at one order of lanes"
        )
    })
}

/// The cases of `corpus` that `failed` in the file `record`, and what is said of those that are
/// gone: their file is read or no longer there.
fn failed_in(
    record: &Path,
    failed: &BTreeMap<String, String>,
    mut corpus: Corpus,
) -> Result<(Corpus, Option<String>), Error> {
    let (record, all) = (plain::path(record), counted(failed.len() as u64, "case"));
    let is_gone = |(id, file): &(&String, &String)| {
        let file = Path::new(file);
        let is_read = corpus.files.iter().any(|own| own.path == file);
        (is_read || !corpus::is_there(file)) && !corpus.cases.iter().any(|case| case.id == **id)
    };
    let gone: Vec<_> = failed.iter().filter(is_gone).collect();
    let said = gone.first().map(|(id, _)| {
        let (n, id) = (gone.len(), plain::text(id));
        format!("{n} of {all} that failed in {record} are not here any more, first {id}")
    });
    corpus.cases.retain(|case| failed.contains_key(&case.id));
    match (corpus.cases.is_empty(), failed.is_empty()) {
        (false, _) => Ok((corpus, said)),
        (true, true) => Err(Error::nothing(format!("no case fails in {record}"))),
        (true, false) => Err(Error::nothing(format!(
            "none of the {all} that fail in {record} is here"
        ))),
    }
}

/// The reports of the record at `path`, in which now each case fails that was answered `twice`:
/// that may be known after the last case only.
fn with_answered_twice(
    path: &Path,
    mut twice: Vec<(Party, Extra)>,
) -> Result<Reports, CannotWrite> {
    let damaged = |why: ReadError| io::Error::other(why.to_string());
    whole::write(path, |to| {
        let mut reader = Reader::new(BufReader::new(File::open(path)?)).map_err(damaged)?;
        let mut writer = Writer::new(to, reader.header())?;
        let mut reports = Reports::new(reader.header(), &LARGE, Vec::new());
        for case in reader.by_ref() {
            let mut case = case.map_err(damaged)?;
            twice.retain(|(party, Extra { of, said })| {
                // What came behind a greeting is of no case: the first has it.
                let is_it = *of == case.id || of.is_empty() && case.targets.contains_key(party);
                if is_it {
                    ptodiff_runner::answered_twice(&mut case, party, said);
                }
                !is_it
            });
            writer.case(&case)?;
            reports.add(&case, &Took::default())?;
        }
        let mut diagnoses = reader.diagnoses().iter();
        diagnoses.try_for_each(|one| writer.diagnosis(one))?;
        reports.failures.diagnosed(reader.diagnoses());
        writer.finish()?;
        Ok(reports)
    })
}

/// What an implementation failed shows nothing where it takes no part.
fn are_tested_again(failing: &BTreeSet<Party>, here: &[ImplementationRecord]) -> Result<(), Error> {
    let is_here = |party: &&Party| here.iter().any(|own| own.party == **party);
    match failing.iter().find(|party| !is_here(party)) {
        Some(party) => Err(Error::usage(format!(
            "{} fails in the record, and takes no part here: name it with --impl",
            plain::text(&party.to_string())
        ))),
        None => Ok(()),
    }
}

/// The large reports of a run.
pub(crate) const LARGE: [ReportFormat; 2] = [ReportFormat::Page, ReportFormat::Junit];

/// The files of a run beside its record: what each is, its name, its report.
const FILES: [(&str, &str, ReportFormat); 5] = [
    ("page", "report.html", ReportFormat::Page),
    ("summary", "summary.txt", ReportFormat::Text),
    ("Markdown", "summary.md", ReportFormat::Markdown),
    ("JUnit", "junit.xml", ReportFormat::Junit),
    ("coverage", "coverage.json", ReportFormat::Coverage),
];

/// The files that were written: what each is, and where.
pub(crate) type Written = Vec<(&'static str, PathBuf)>;

/// Writes the reports of the record into the folder `out`.
pub(crate) fn write_reports(
    out: &Path,
    reports: &mut Reports,
    exit: Exit,
) -> Result<Written, Error> {
    let told = reports.whole(exit)?;
    let mut written = Vec::new();
    for (what, name, format) in FILES {
        let path = out.join(name);
        whole::write(&path, |to| match format {
            ReportFormat::Text => to.write_all(&reports::without_colours(&told)),
            format => reports.write(format, to),
        })?;
        written.push((what, path));
    }
    Ok(written)
}

fn options(args: &Run) -> Result<Options, Error> {
    Ok(Options {
        seed: args.seed,
        schedules: args.schedules,
        all_readings: args.readings.is_some(),
        details: !args.no_details,
        beside: args.selection.beside.arguments(),
        max_fails: args.limit.most(),
        fail_flaky: args.fail_flaky,
        fail_unpromised: args.fail_unpromised,
        ..options_of(&args.target, args.jobs, &args.chosen)?
    })
}

/// What a `ptodiff.toml` may say of a run; no target stands for all.
pub(crate) fn options_of(
    targets: &[Target],
    jobs: Option<u16>,
    chosen: &ReadingArgs,
) -> Result<Options, Error> {
    let mut options = Options {
        readings: chosen.all()?,
        ..Options::default()
    };
    if let Some(jobs) = jobs {
        options.jobs = usize::from(jobs);
    }
    if !targets.is_empty() {
        options.targets.retain(|target| targets.contains(target));
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_long_run_under_several_schedules_is_told_of_fewer() {
        let told = |secs, schedules, on_a5| {
            one_schedule(Duration::from_secs(secs), schedules, on_a5).is_some()
        };
        assert!(told(30, 4, true));
        assert!(!told(29, 4, true) && !told(30, 1, true) && !told(30, 4, false));
    }
}
