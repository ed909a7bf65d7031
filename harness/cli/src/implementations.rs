//! Implementations under test, as the user names them.

use std::{
    collections::BTreeSet,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use clap::Args;
use ptodiff_impl::{Ends, Extra, Implementation, Limits, StartError, check_name};
use ptodiff_isa::{Party, Target};
use ptodiff_record::Header;

use crate::{
    config,
    exit::Error,
    interrupt::was_heard,
    out::say,
    plain,
    text::{counted, joined},
    values::{duration, target},
};

/// Names of columns that are there without an implementation.
const TAKEN: [&str; 5] = ["Simt", "Scalar", "current", "golden.bin", "output.bin"];

/// How long an implementation may take to greet before the user is told.
const PATIENCE: Duration = Duration::from_secs(3);

/// Which implementations take part.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Implementations")]
pub(crate) struct Implementations {
    /// Judge what COMMAND starts, too, as a column of its own; NAME alone is one
    /// of ptodiff.toml
    #[arg(long = "impl", value_name = "NAME[=COMMAND]", value_parser = named)]
    pub(crate) implementation: Vec<config::Implementation>,
    /// The target that it is, for all or for each
    #[arg(long = "as", value_name = "TARGET", value_parser = target)]
    pub(crate) claims: Vec<Target>,
    /// How long one answer may take: 10s if not given
    #[arg(long = "impl-time", value_name = "TIME", value_parser = duration)]
    pub(crate) implementation_time: Option<Duration>,
    /// Most MiB that a process holds: 2048 if not given
    #[arg(long = "impl-memory", value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub(crate) implementation_memory: Option<u64>,
    /// Most processes of one: as many as it says, or 1
    #[arg(long = "impl-jobs", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) implementation_jobs: Option<u16>,
    /// How often to ask again what goes wrong: if not seen again it is flaky
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(..=100))]
    pub(crate) retries: u32,
    /// Read no ptodiff.toml
    #[arg(long)]
    pub(crate) no_config: bool,
}

impl Implementations {
    /// Starts all of them, for a run on `targets`.
    ///
    /// # Errors
    /// If two make one column, one claims a target that takes no part, or one
    /// does not start.
    pub(crate) fn start(&self, targets: &[Target]) -> Result<Vec<Implementation>, Error> {
        let wanted = self.columns(targets)?;
        let default = Limits::default();
        let start = |(party, own): (Party, &config::Implementation)| {
            // What the command line says wins.
            let time = self.implementation_time.or(own.time);
            let mib = self.implementation_memory.or(own.memory);
            let jobs = self.implementation_jobs.or(own.jobs);
            let limits = Limits {
                time: time.unwrap_or(default.time),
                memory: mib.map_or(default.memory, |mib| mib << 20),
                jobs: jobs.map(usize::from),
                retries: self.retries,
                ..default
            };
            let waited = || {
                say(format!(
                    "the implementation {party} has not greeted yet: it has {:?} for that",
                    limits.start
                ))
            };
            say_if_slow(waited, || {
                let place = own.place.clone();
                Implementation::start(&own.name, &own.command, party.target, limits, place)
            })
            .map_err(|e| {
                if let StartError::Machine(why) = &e {
                    return blameless(&party, why);
                }
                // Others say themselves what is wrong.
                let said = match &e {
                    StartError::Failed(failure) => shown(&failure.stderr),
                    _ => String::new(),
                };
                let of_all = match &e {
                    StartError::Sorry(_) => self.asked_for_all(own, targets),
                    _ => String::new(),
                };
                Error::usage(format!(
                    "the implementation {party} cannot be used: {e}{of_all}{said}"
                ))
            })
        };
        wanted.into_iter().map(start).collect()
    }

    /// That nobody said which of `targets` an implementation is, and how to say it; nothing where
    /// somebody did.
    fn asked_for_all(&self, own: &config::Implementation, targets: &[Target]) -> String {
        if !self.claims.is_empty() || !own.targets.is_empty() || targets.len() == 1 {
            return String::new();
        }
        let how = match own.is_in_file {
            true => format!("`target` under [impl.{}]", own.name),
            false => "--as TARGET".to_owned(),
        };
        let targets = joined(targets, ", ");
        format!("; it is asked for {targets}: {how} says which of them it is")
    }

    /// Each column with its implementation.
    ///
    /// # Errors
    /// Two make one, or one claims a target that is none of these.
    pub(crate) fn columns(
        &self,
        targets: &[Target],
    ) -> Result<Vec<(Party, &config::Implementation)>, Error> {
        let (implementations, claims) = (self.implementation.len(), self.claims.len());
        let limits = self.implementation_time.is_some() || self.implementation_memory.is_some();
        if implementations == 0 && (limits || self.implementation_jobs.is_some() || claims > 0) {
            return Err(Error::usage(
                "--as, --impl-time, --impl-memory and --impl-jobs are of implementations, and none \
                 takes part: name one with --impl",
            ));
        }
        if claims > 1 && claims != implementations {
            let text = format!(
                "--as stands {claims} times for {implementations} implementations: give it once for all, or once for each"
            );
            return Err(Error::usage(text));
        }
        let mut columns = Vec::new();
        let mut known = BTreeSet::new();
        for (n, own) in self.implementation.iter().enumerate() {
            let is: Vec<Target> = match &self.claims[..] {
                [] if own.targets.is_empty() => targets.to_vec(),
                [] => own.targets.clone(),
                [all] => vec![*all],
                each => vec![each[n]],
            };
            for target in is {
                let party = Party::form(target, &own.name);
                if !targets.contains(&target) {
                    let text =
                        format!("{party} is judged as {target}, which takes no part: see --target");
                    return Err(Error::usage(text));
                }
                if !known.insert(party.clone()) {
                    return Err(Error::usage(format!(
                        "two implementations are called {party}"
                    )));
                }
                columns.push((party, own));
            }
        }
        Ok(columns)
    }
}

/// Lines of standard error, for below a message.
fn shown(stderr: &[String]) -> String {
    stderr.iter().map(|line| format!("\n  | {line}")).collect()
}

/// Says of which implementations processes ended between two questions or failed at the end of
/// their input, and with which last words.
pub(crate) fn tell_ends(implementations: &[Implementation]) {
    for implementation in implementations {
        implementation.finish();
        let party = column(implementation);
        let (ends, what, then) = match implementation.early_ends() {
            None => (
                implementation.bad_ends(),
                "answered all, and failed at the end of its input",
                "",
            ),
            early => (
                early,
                "ended before the next question",
                ", and a new process was asked",
            ),
        };
        let Some(Ends { times, last }) = ends else {
            continue;
        };
        let times = counted(times, "time");
        say(format!(
            "the implementation {party} {what} {times}{then}; the last time: {last}{}",
            shown(&last.stderr)
        ));
    }
}

/// Says of each once, as soon as that is so, that it gives no answer: a case may be long in coming.
pub(crate) fn tell_first_failure(implementations: &[Implementation]) {
    for implementation in implementations {
        let party = column(implementation);
        implementation.at_first_failure(move |of, failure| {
            if was_heard() {
                return;
            }
            let last = failure
                .stderr
                .iter()
                .rfind(|line| !line.trim().is_empty())
                .map_or_else(String::new, |last| format!(": {}", plain::text(last)));
            // A case that was drawn has no file.
            let of = match of.contains('/') {
                true => plain::text(of),
                false => "a call".to_owned(),
            };
            say(format!(
                "{party} gives no answer to {of}: {failure}{last}; it is started again, and the others go on"
            ));
        });
    }
}

/// That the machine could run all of them to the end.
///
/// # Errors
/// It had no more files, processes or memory: no implementation is to blame.
pub(crate) fn all_could_run(implementations: &[Implementation]) -> Result<(), Error> {
    for implementation in implementations {
        if let Some(why) = implementation.fault() {
            return Err(blameless(&column(implementation), why));
        }
    }
    Ok(())
}

fn blameless(party: &Party, why: &str) -> Error {
    let why = format!("the machine cannot run the implementation {party} any more: {why}");
    Error::fault(format!("{why}; nothing is said of it"))
}

pub(crate) fn column(implementation: &Implementation) -> Party {
    Party::form(implementation.target(), implementation.name())
}

/// Ends all of them, and says which cases were answered more often than they were asked: by
/// whom, and what came.
pub(crate) fn answered_too_often(implementations: &[Implementation]) -> Vec<(Party, Extra)> {
    let mut all = Vec::new();
    for implementation in implementations {
        implementation.finish();
        for extra in implementation.extras() {
            let (party, said) = (column(implementation), &extra.said);
            let of = match &extra.of[..] {
                "" => "the greeting".to_owned(),
                id => plain::text(id),
            };
            say(format!(
                "the implementation {party} answers twice, against the protocol: behind its answer \
                 to {of} came `{said}`"
            ));
            all.push((party, extra));
        }
    }
    all
}

/// Says in `header` what started `implementations`, which it lists: for who started them.
pub(crate) fn tell_commands(
    header: &mut Header,
    implementations: &[Implementation],
    args: &Implementations,
) {
    for (listed, implementation) in header.implementations.iter_mut().zip(implementations) {
        let name = implementation.name();
        let mut all = args.implementation.iter();
        listed.command = Some(match all.any(|own| own.is_in_file && own.name == name) {
            // Its name says it all.
            true => String::new(),
            false => plain::text(implementation.command()),
        });
    }
}

/// Does `work`, and `tell`s of it when it takes long.
fn say_if_slow<T>(tell: impl FnOnce() + Send, work: impl FnOnce() -> T) -> T {
    let (done, ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                tell();
            }
        });
        let worked = work();
        drop(done);
        worked
    })
}

/// Says of an implementation that it could run none of its cases, and so shows nothing.
pub(crate) fn say_idle(party: &Party, cases: u64, why: &str) {
    let cases = counted(cases, "case");
    say(format!(
        "nothing is shown of the implementation {party}: of {cases} it ran none of which something is promised{why}"
    ));
}

/// Why one that ran nothing of what a hunt drew could not, for behind a message.
pub(crate) fn why_idle(implementation: &Implementation) -> Option<String> {
    let why = implementation.idle_because()?;
    // So the program of `cpp --harness` says it.
    let advice = match why.starts_with("not instantiated") {
        true => {
            "\n  it has only the calls that it was compiled for: hunt in a program of \
                 `cpp --harness --lattice`"
        }
        false => "",
    };
    Some(format!(": {}{advice}", plain::text(why)))
}

/// Says which have run nothing of the first cases that a hunt drew: it may go on for hours.
pub(crate) fn tell_idle(implementations: &[Implementation], cases: u64) {
    for implementation in implementations {
        if let Some(why) = why_idle(implementation) {
            let (party, cases) = (column(implementation), counted(cases, "case"));
            say(format!("{party} ran none of the first {cases}{why}"));
        }
    }
}

fn named(text: &str) -> Result<config::Implementation, String> {
    // A name alone is one of ptodiff.toml.
    let (name, command) = text.split_once('=').unwrap_or((text, ""));
    usable(name).map_err(|why| match text == name && name.contains([' ', '/']) {
        true => format!("{why}\n\n  tip: write a name of your own before a command: NAME='{name}'"),
        false => why,
    })?;
    if text.len() > name.len() && command.trim().is_empty() {
        return Err("there is no command behind the `=`".to_owned());
    }
    // So it stands where a record is told of.
    if command == "..." {
        return Err(
            "`...` stands for the implementation's command: write that in its place".to_owned(),
        );
    }
    Ok(config::Implementation {
        name: name.to_owned(),
        command: command.to_owned(),
        ..Default::default()
    })
}

/// That an implementation may be called `name`.
///
/// # Errors
/// Why it may not.
pub(crate) fn usable(name: &str) -> Result<(), String> {
    check_name(name).map_err(|e| e.to_string())?;
    if name.to_lowercase().parse::<Target>().is_ok() {
        return Err(format!(
            "`{name}` is a target, whose model is called so in every report: call it otherwise"
        ));
    }
    if TAKEN.iter().any(|taken| taken.eq_ignore_ascii_case(name)) {
        return Err(format!(
            "`{name}` names a column already: call it otherwise"
        ));
    }
    Ok(())
}
