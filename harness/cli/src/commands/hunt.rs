//! `ptodiff hunt`

mod by_implementation;
mod draw;
mod folder;
mod lattice;
mod record;
mod shrunk;
mod summary;

use std::{
    collections::BTreeSet,
    io::Write,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use clap::{Args, FromArgMatches as _, builder::PossibleValue};
use ptodiff_case::Form;
use ptodiff_generate::random::Rules;
use ptodiff_hunt::{
    Distinct, Found, Limit, Participants, Plan, complete, distil, distinct, hunt_on,
};
use ptodiff_impl::Implementation;
use ptodiff_isa::{Target, TargetReadings};
use ptodiff_record::{Partition, flaky_by_no_chance};
use rayon::ThreadPool;

use crate::{
    exit::{Error, Exit},
    files::try_write,
    implementations::{self, Implementations},
    interrupt::{Then, at_first},
    out::say,
    partition, plain,
    readings::ReadingArgs,
    screen::Screen,
    text::{counted, grouped, joined},
    threads,
    values::{duration, form, target, time_or_none},
};

pub(crate) use draw::typed;

/// `ptodiff hunt`
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 nothing is unexplained, whatever holes there are; 1 something \
    is, or an implementation is wrong, with --fail-flaky also if only once; 3 an \
    implementation could run no case."
)]
pub(crate) struct Hunt {
    /// How many cases; 1,000,000 if not given
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000_000_000),
        conflicts_with = "time"
    )]
    pub(crate) count: Option<u64>,
    /// How long instead, and again to shrink: 90s, 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// Only part K/N, or that of the engine's variables
    #[arg(long, value_name = "K/N|auto", value_parser = partition::share, conflicts_with_all = ["time", "keep", "out"], requires = "record")]
    pub(crate) partition: Option<Partition>,
    /// Root seed of cases and data
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads; as many as cores if not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Only cases of these forms; all if not given
    #[arg(long, value_name = "FORM", value_delimiter = ',', value_parser = form)]
    pub(crate) form: Vec<Form>,
    /// Only these targets: cpu, a2a3, a5
    #[arg(long, value_name = "TARGET", value_delimiter = ',', value_parser = target)]
    pub(crate) target: Vec<Target>,
    /// Rules that they keep to, a mix if not given
    #[arg(long, value_parser = rules())]
    pub(crate) rules: Option<String>,
    /// Most elements of a data tile's valid region: 64 if not given, with --lattice the whole tile
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=65536))]
    pub(crate) max_lanes: Option<u64>,
    /// Run each case once: no open readings, no relations
    #[arg(long)]
    pub(crate) quick: bool,
    /// Write a smallest case of each hole that is new to the files of DIR
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = "cases/holes")]
    pub(crate) keep: Option<PathBuf>,
    /// Keep what the cases of files or folders show, too
    #[arg(long, value_name = "PATH", requires = "keep")]
    pub(crate) also: Vec<PathBuf>,
    /// Known holes: cases/holes if not given, or `none`; those in the DIR of --keep and
    /// what a FILE of --out has, too
    #[arg(long, value_name = "DIR|FILE")]
    pub(crate) known: Option<PathBuf>,
    /// Print case NUMBER as YAML, and hunt for nothing
    #[arg(
        long,
        value_name = "NUMBER",
        conflicts_with_all = [
            "keep", "time", "out", "record", "implementation", "claims", "implementation_time",
            "implementation_memory", "implementation_jobs"
        ]
    )]
    pub(crate) show: Option<u64>,
    /// Draw nothing: tell and keep what RECORD counted
    #[arg(
        long,
        value_name = "RECORD",
        conflicts_with_all = ["count", "time", "seed", "form", "target", "rules", "max_lanes", "quick", "edition", "reading", "show", "partition", "record"]
    )]
    pub(crate) from: Option<PathBuf>,
    /// Write what was counted to FILE, for --from and merge
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Write a smallest case of each kind of failure to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Without a terminal, do not say how far it is
    #[arg(long)]
    pub(crate) quiet: bool,
    /// How long to explain violations
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time_or_none)]
    pub(crate) diagnosis: Duration,
    /// Fail on what is wrong once and not again
    #[arg(long)]
    pub(crate) fail_flaky: bool,
    /// Only calls of the cases in FILE, the lattice.yaml of a program of `cpp --lattice`
    #[arg(long, value_name = "FILE", conflicts_with = "keep")]
    pub(crate) lattice: Option<PathBuf>,
    /// How the gaps of the documents are read.
    #[command(flatten)]
    pub(crate) chosen: ReadingArgs,
    /// Which implementations take part.
    #[command(flatten)]
    pub(crate) implementations: Implementations,
}

/// Which rules the cases of a hunt keep to.
fn rules() -> [PossibleValue; 3] {
    [
        PossibleValue::new("legal").help("All: they are legal"),
        PossibleValue::new("broken").help("All but one"),
        PossibleValue::new("wild").help("None"),
    ]
}

/// Draws cases, tries them, and says which holes they show.
///
/// # Errors
/// Bad cases among those kept, files that cannot be written, or no threads.
pub(crate) fn hunt(args: &Hunt) -> Result<Exit, Error> {
    record::keep_apart(args)?;
    let recorded = args.from.as_deref().map(|path| record::read(path, args));
    let (drawn, found) = recorded.transpose()?.unzip();
    let drawn = drawn.as_ref().unwrap_or(args);
    let plan = plan(drawn)?;
    if let Some(number) = args.show {
        if let Some(count) = args.count.filter(|count| number >= *count) {
            return Err(Error::usage(format!(
                "--show {number}: the cases of a hunt of {count} have the numbers 0 to {}",
                count.saturating_sub(1)
            )));
        }
        return draw::show(&plan, number);
    }
    // What must be in order before anybody hunts for hours.
    let known = folder::known(args)?;
    let known_kinds = folder::known_kinds(args)?;
    let given = match &args.also[..] {
        [] => Vec::new(),
        paths => crate::pto::load_all(paths)?.cases,
    };
    if let Some(folder) = &args.keep {
        folder::try_out(folder)?;
    }
    let pool = threads::pool(args.jobs.map(usize::from))?;
    if let Some(path) = &args.record {
        record::try_out(path)?;
    }
    if let Some(path) = &args.out {
        try_write(path)?;
    }
    let implementations = &args.implementations.start(&targets(&plan))?;
    let (found, broken_off) = match found {
        Some(found) => (found, false),
        None => draw_all(args, &plan, &pool, implementations)?,
    };
    // What breaks a hunt off ends its implementations: nothing can be made smaller with them.
    let stop = Arc::new(AtomicBool::new(broken_off));
    let lacking = || implementations.iter().any(|i| i.fault().is_some());
    let faulty = broken_off && lacking();
    let asked = match faulty || args.partition.is_some() {
        true => &[][..],
        false => implementations,
    };
    if !asked.is_empty() {
        let said = "interrupted: what was found follows, as small as it is by now; once more ends \
                    it at once";
        stops(&stop, Some(said));
    }

    let mut screen = Screen::counting(None);
    let all = distinct(&found);
    let mut text = Vec::new();
    summary::write_found(&mut text, drawn, &found)?;
    if let Some(space) = &plan.space {
        let from = counted(space.instantiations() as u64, "instantiation");
        writeln!(text, "  drawn from {from} on {}", space.target())?;
    }
    summary::write_holes(&mut text, &all, &known, &found)?;
    screen.write(&std::mem::take(&mut text));
    screen.finish();
    let by = draw::again(args, drawn, found.cases);
    let is_new = |d: &Distinct| d.holes.iter().any(|h| !known.has(d.form, h));
    if let Some(folder) = &args.keep {
        let cases = pool.install(|| {
            let drawn = distil(&plan, &all, &known);
            complete(&plan, &given, drawn, &known)
        });
        summary::write_kept(&mut text, folder, &cases, &all, &by)?;
    } else if plan.space.is_none() && args.partition.is_none() && all.iter().any(is_new) {
        writeln!(text, "  --keep writes a smallest case of each new hole")?;
    }
    // The parts of a hunt find the same: one smallest case is made of the whole.
    let most = if args.partition.is_some() { 0 } else { MOST };
    let mut wrong = pool.install(|| {
        let models = ptodiff_runner::models();
        shrunk::write_unexplained(&mut text, &models, drawn, &plan, &found, most)
    })?;
    if !found.asked.is_empty() || !implementations.is_empty() {
        let how = by_implementation::How { args, stop: &stop };
        wrong.extend(pool.install(|| {
            by_implementation::write(&mut text, asked, &plan, &found, &known_kinds, &how)
        })?);
    }
    match &args.out {
        // An older file may hold what an earlier hunt found.
        Some(path) if faulty || broken_off && wrong.is_empty() => {
            writeln!(text, "  {} is not written", plain::path(path))?
        }
        Some(path) => shrunk::keep(&mut text, path, &wrong, &by)?,
        None => {}
    }
    screen.write(&text);
    screen.finish();
    // An interrupt ends them as well.
    if stop.load(Ordering::SeqCst) && !lacking() {
        return Ok(Exit::Interrupted);
    }
    implementations::tell_ends(implementations);
    implementations::all_could_run(implementations)?;
    Ok(
        match !implementations::answered_too_often(implementations).is_empty() {
            true => Exit::Violation,
            false if args.fail_flaky && !found.flaky.is_empty() => Exit::Violation,
            false => exit(&found, &known_kinds),
        },
    )
}

/// Draws the cases and tries them: what was found, and whether the user broke it off.
fn draw_all(
    args: &Hunt,
    plan: &Plan,
    pool: &ThreadPool,
    implementations: &[Implementation],
) -> Result<(Found, bool), Error> {
    let count = args.count.unwrap_or(COUNT);
    let (limit, total) = match args.time {
        Some(time) => (Limit::Time(time), None),
        None => {
            let share = args.partition.map_or(0..count, |part| part.share(count));
            let (from, to) = (share.start, share.end);
            (Limit::Numbers { from, to }, Some(to - from))
        }
    };
    let started = Instant::now();
    let mut screen = Screen::counting(total);
    if !args.quiet {
        screen.tell();
        implementations::tell_first_failure(implementations);
    }
    let mut done = 0;
    let stop = Arc::default();
    stops(&stop, None);
    let participants = Participants {
        models: &ptodiff_runner::models(),
        implementations,
    };
    let found = pool.install(|| {
        hunt_on(participants, plan, limit, &stop, |cases| {
            if !args.quiet && done < EARLY && cases >= EARLY {
                implementations::tell_idle(implementations, cases);
            }
            screen.advance((cases - done) as usize);
            done = cases;
        })
    });
    // From here on there is something to lose.
    at_first(|| Then::End(": nothing more was made of what was found".to_owned()));
    let broken_off = stop.load(Ordering::Relaxed);
    screen.finish();
    if broken_off {
        say("interrupted: what was found by now follows; once more ends it at once");
    }
    let took = started.elapsed();
    say(format!(
        "{} in {:.1} s on {}, {} a second",
        counted(found.cases, "case"),
        took.as_secs_f64(),
        counted(pool.current_num_threads() as u64, "thread"),
        grouped((found.cases as f64 / took.as_secs_f64().max(1e-9)) as u64)
    ));
    match &args.record {
        None => {}
        // A part must be whole to be merged, and implementations leave gaps.
        Some(path) if broken_off && (args.partition.is_some() || !implementations.is_empty()) => {
            say(format!(
                "{} is not written: not all cases were tried",
                plain::path(path)
            ));
        }
        Some(path) => {
            let all = total.filter(|_| !broken_off);
            let count = all.map_or(found.cases, |_| count);
            record::write(path, args, count, implementations, &found)?;
            say(format!("counted in {}", plain::path(path)));
        }
    }
    Ok((found, broken_off))
}

/// Sets `stop` at the first interrupt, and says `said`: what was found by then is not lost.
fn stops(stop: &Arc<AtomicBool>, said: Option<&'static str>) {
    let stop = Arc::clone(stop);
    at_first(move || {
        stop.store(true, Ordering::SeqCst);
        said.into_iter().for_each(say);
        Then::Wait
    });
}

/// How often an implementation was wrong once.
fn times_flaky(found: &Found) -> u64 {
    found.flaky.values().map(|seen| seen.count).sum()
}

/// Whether they were so often that it is no chance.
fn is_flaky_by_no_chance(found: &Found) -> bool {
    let answered = found.asked.values().map(|own| own.cases - own.unsupported);
    flaky_by_no_chance(times_flaky(found), answered.sum())
}

fn exit(found: &Found, known: &BTreeSet<String>) -> Exit {
    let no_chance = is_flaky_by_no_chance(found);
    if no_chance || !found.unexplained.is_empty() || !found.most_frequent(known).is_empty() {
        Exit::Violation
    } else if found.asked.values().any(by_implementation::is_idle) {
        Exit::Nothing
    } else {
        Exit::Conforms
    }
}

/// Kinds of wrong of which a smallest case is made: one may take minutes where an
/// implementation hangs.
const MOST: usize = 16;

/// Cases after which an implementation that ran none of them is told.
const EARLY: u64 = 1000;

/// Cases of a hunt where nothing is said.
const COUNT: u64 = 1_000_000;

/// Most elements of a data tile where nothing is said and any tile may be drawn.
const MAX_LANES: u64 = 64;

fn plan(args: &Hunt) -> Result<Plan, Error> {
    let space = lattice::space(args)?;
    let (targets, most) = match &space {
        // Of a tile that is there already all may be used.
        Some(space) => (vec![space.target()], u64::MAX),
        None => {
            have_something_in_common(args)?;
            (args.target.clone(), MAX_LANES)
        }
    };
    Ok(Plan {
        seed: args.seed,
        rules: args.rules.as_deref().map(|rules| match rules {
            "legal" => Rules::Legal,
            "broken" => Rules::Broken(1),
            _ => Rules::Wild,
        }),
        forms: args.form.clone(),
        targets,
        max_lanes: args.max_lanes.unwrap_or(most),
        readings: readings(args)?,
        further: !args.quick,
        space,
    })
}

/// Those that take part.
fn targets(plan: &Plan) -> Vec<Target> {
    match &plan.targets[..] {
        [] => ptodiff_runner::Options::default().targets,
        some => some.to_vec(),
    }
}

/// Those of all cases, where some are chosen.
fn readings(args: &Hunt) -> Result<Option<TargetReadings>, Error> {
    let chosen = args.chosen.all()?;
    let all =
        TargetReadings::default().with(chosen.iter().map(|(gap, choice)| (&**gap, &**choice)));
    let wanted = args.chosen.edition.is_some() || !chosen.is_empty();
    // Names were checked where they were read.
    Ok(all.ok().filter(|_| wanted))
}

/// That one of the forms is there on one of the targets, where both are named.
fn have_something_in_common(args: &Hunt) -> Result<(), Error> {
    let on_one = |form: &Form| form.targets().iter().any(|t| args.target.contains(t));
    if args.form.is_empty() || args.target.is_empty() || args.form.iter().any(on_one) {
        return Ok(());
    }
    let only = args.form.iter().map(|form| {
        let targets = joined(form.targets(), ", ");
        format!("{form} is of {targets} only")
    });
    let why = "no form of --form is on a target of --target";
    Err(Error::usage(format!("{why}: {}", joined(only, "; "))))
}

/// The hunt that `words` ask for, the first of which is the command.
fn parsed(words: impl IntoIterator<Item = String>) -> Result<Hunt, clap::Error> {
    let command = Hunt::augment_args(clap::Command::new("hunt"));
    Hunt::from_arg_matches(&command.try_get_matches_from(words)?)
}
