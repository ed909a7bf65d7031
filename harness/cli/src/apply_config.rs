//! What a `ptodiff.toml` adds to a command line: `run` takes all of it, `hunt` and `gate` all
//! but where reports go.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, parser::ValueSource};
use ptodiff_case::did_you_mean;
use ptodiff_isa::Target;
use ptodiff_register::Edition;
use strum::VariantArray as _;

use crate::{
    command::{Action, Args},
    commands::check::Check,
    config::{Config, Implementation, NAME, find},
    corpus,
    exit::Error,
    implementations::Implementations,
    out::say,
    plain,
    readings::ReadingArgs,
    text::joined,
};

/// The parts of a command that a file may speak of.
struct Parts<'a> {
    places: Vec<PathBuf>,
    implementations: &'a mut Implementations,
    targets: Option<&'a mut Vec<Target>>,
    jobs: &'a mut Option<u16>,
    readings: &'a mut ReadingArgs,
    /// Where the user did not say where reports go.
    out: Option<&'a mut PathBuf>,
    quiet: bool,
}

/// Finds the file that counts, and adds to `args` what they leave open.
///
/// # Errors
/// If the file cannot be read or has a mistake, `--impl` names what it does
/// not have, or what it says does not go together.
pub(crate) fn apply(args: &mut Args, matches: &ArgMatches) -> Result<(), Error> {
    if let Action::Check(check) = &mut args.command {
        return rules(check);
    }
    let own = matches.subcommand().map(|(_, own)| own);
    let given = |id: &str| own.and_then(|m| m.value_source(id)) == Some(ValueSource::CommandLine);
    let here = || vec![PathBuf::from(".")];
    let parts = match &mut args.command {
        Action::Run(run) => Parts {
            places: corpus::places(&run.selection.paths),
            implementations: &mut run.implementations,
            targets: Some(&mut run.target),
            jobs: &mut run.jobs,
            readings: &mut run.chosen,
            out: Some(&mut run.out).filter(|_| !given("out")),
            quiet: run.output_args.quiet,
        },
        Action::Hunt(hunt) if hunt.show.is_none() => {
            let lattice = hunt.lattice.is_some();
            Parts {
                places: here(),
                implementations: &mut hunt.implementations,
                // A lattice is of one target, and its file says which.
                targets: Some(&mut hunt.target).filter(|_| !lattice),
                jobs: &mut hunt.jobs,
                readings: &mut hunt.chosen,
                out: None,
                quiet: false,
            }
        }
        Action::Gate(gate) if gate.from.is_none() => Parts {
            places: corpus::places(std::slice::from_ref(&gate.cases)),
            implementations: &mut gate.implementations,
            targets: Some(&mut gate.target),
            jobs: &mut gate.jobs,
            readings: &mut gate.chosen,
            out: None,
            quiet: gate.output_args.quiet,
        },
        _ => return Ok(()),
    };
    let found = match parts.implementations.no_config {
        true => None,
        false => find(&parts.places)?,
    };
    match found {
        Some((path, config)) => add(&path, config, parts),
        None => named_nowhere(parts.implementations),
    }
}

/// What a file says of checks.
fn rules(check: &mut Check) -> Result<(), Error> {
    // Who asks about a target has a module of another checked for it, too; what a project
    // is for is no such question.
    check.selection.beside.any_arch = !check.target.is_empty();
    if check.no_config {
        return Ok(());
    }
    let Some((path, config)) = find(&corpus::places(&check.selection.paths))? else {
        return Ok(());
    };
    let own = config.check;
    let mut told = Vec::new();
    choose_targets(&mut check.target, &own.targets, &mut told);
    let chosen = ReadingArgs {
        edition: own.edition,
        reading: own.readings,
    };
    read_so(&mut check.chosen, chosen, &mut told);
    // A rule that the command line speaks of is as it says.
    let given = [&check.deny, &check.warn, &check.allow]
        .map(Vec::clone)
        .concat();
    for (name, own, rules) in [
        ("deny", own.deny, &mut check.deny),
        ("warn", own.warn, &mut check.warn),
        ("allow", own.allow, &mut check.allow),
    ] {
        let free = own.into_iter().filter(|rule| !given.contains(rule));
        let before = rules.len();
        rules.extend(free);
        told.extend(rules[before..].iter().map(|rule| format!("{name} {rule}")));
    }
    if !told.is_empty() {
        say(format!("using {}: {}", plain::path(&path), told.join(", ")));
    }
    Ok(())
}

/// Takes the targets that a file names, where the user names none.
fn choose_targets(own: &mut Vec<Target>, named: &[Target], told: &mut Vec<String>) {
    if own.is_empty() && !named.is_empty() {
        told.push(format!("targets {}", joined(named, ",")));
        own.extend(named);
    }
}

/// Takes the readings and the edition of a file, where `own` has no others.
fn read_so(own: &mut ReadingArgs, file: ReadingArgs, told: &mut Vec<String>) {
    for (gap, choice) in file.reading {
        if !own.reading.iter().any(|(known, _)| *known == gap) {
            told.push(format!("reading {gap}={choice}"));
            own.reading.push((gap, choice));
        }
    }
    if let (None, Some(edition)) = (own.edition, file.edition) {
        told.push(format!("edition {}", edition.name));
        own.edition = Some(edition);
    }
}

/// That no implementation is named without its command, where no file has it.
fn named_nowhere(implementations: &Implementations) -> Result<(), Error> {
    let mut named = implementations.implementation.iter();
    match named.find(|(_, command)| command.is_empty()) {
        None => Ok(()),
        Some((name, _)) => Err(Error::usage(format!(
            "no {} names the implementation `{name}`: give its command, as in --impl \
             '{name}=COMMAND', or let `ptodiff init` write the file",
            NAME
        ))),
    }
}

fn add(path: &Path, config: Config, parts: Parts<'_>) -> Result<(), Error> {
    let mut told = Vec::new();
    let mut targets = Target::VARIANTS.to_vec();
    if let Some(own) = parts.targets {
        choose_targets(own, &config.run.targets, &mut told);
        if !own.is_empty() {
            targets.clone_from(own);
        }
    }
    let named = &mut parts.implementations.implementation;
    let chosen = choose(path, &config, named, &targets)?;
    for each in &chosen {
        told.push(format!("implementation {}", each.name));
    }
    if parts.jobs.is_none() {
        *parts.jobs = config.run.jobs;
        told.extend(config.run.jobs.map(|n| format!("jobs {n}")));
    }
    let reading = readings(path, &chosen)?;
    let own = parts.readings;
    let edition = match own.edition {
        None => edition(path, &chosen)?,
        Some(_) => None,
    };
    read_so(own, ReadingArgs { edition, reading }, &mut told);
    let of_all = ReadingArgs {
        edition: config.run.edition,
        reading: config.run.readings,
    };
    read_so(own, of_all, &mut told);
    if let (Some(out), Some(own)) = (parts.out, config.run.out) {
        told.push(format!("out {}", plain::path(&own)));
        *out = own;
    }
    parts.implementations.configured = chosen;
    if !parts.quiet && !told.is_empty() {
        say(format!("using {}: {}", plain::path(path), told.join(", ")));
    }
    Ok(())
}

/// The implementations that take part: those `named`, or all that the file has.
fn choose(
    path: &Path,
    config: &Config,
    named: &mut Vec<(String, String)>,
    targets: &[Target],
) -> Result<Vec<Implementation>, Error> {
    if named.is_empty() {
        for each in &config.implementations {
            let takes_part = |target: &Target| targets.contains(target);
            if each.targets.is_empty() || each.targets.iter().any(takes_part) {
                named.push((each.name.clone(), String::new()));
            } else {
                say(format!(
                    "the implementation {} of {} takes no part: it is {}",
                    each.name,
                    plain::path(path),
                    joined(&each.targets, ",")
                ));
            }
        }
    }
    let mut chosen: Vec<Implementation> = Vec::new();
    for (name, _) in named.iter().filter(|(_, command)| command.is_empty()) {
        let Some(own) = config.implementations.iter().find(|own| own.name == *name) else {
            let known = config.implementations.iter().map(|own| own.name.as_str());
            let near = did_you_mean(name, known.clone()).unwrap_or_else(|| {
                match known.clone().collect::<Vec<_>>().join(", ") {
                    none if none.is_empty() => "it has no implementation".to_owned(),
                    all => format!("it has {all}"),
                }
            });
            return Err(Error::usage(format!(
                "{} has no [impl.{name}]: {near}",
                plain::path(path)
            )));
        };
        if !chosen.iter().any(|known| known.name == own.name) {
            chosen.push(own.clone());
        }
    }
    Ok(chosen)
}

/// The edition of all of `chosen`.
fn edition(path: &Path, chosen: &[Implementation]) -> Result<Option<&'static Edition>, Error> {
    let all = chosen.iter();
    let mut all = all.filter_map(|each| Some((each, each.edition?)));
    let Some((first, edition)) = all.next() else {
        return Ok(None);
    };
    match all.find(|(_, other)| *other != edition) {
        None => Ok(Some(edition)),
        Some((other, its)) => Err(Error::usage(format!(
            "{}: {} follows edition {} and {} edition {}; a run has one: choose an \
             implementation with --impl NAME",
            plain::path(path),
            first.name,
            edition.name,
            other.name,
            its.name
        ))),
    }
}

/// The readings of all of `chosen`.
fn readings(path: &Path, chosen: &[Implementation]) -> Result<Vec<(String, String)>, Error> {
    let mut all: Vec<(&str, &(String, String))> = Vec::new();
    for each in chosen {
        for own in &each.readings {
            match all.iter().find(|(_, known)| known.0 == own.0) {
                Some((other, known)) if known.1 != own.1 => {
                    return Err(Error::usage(format!(
                        "{}: {other} reads {}={} and {} reads {}={}; a run has one reading: \
                         choose an implementation with --impl NAME",
                        plain::path(path),
                        own.0,
                        known.1,
                        each.name,
                        own.0,
                        own.1
                    )));
                }
                Some(_) => {}
                None => all.push((&each.name, own)),
            }
        }
    }
    Ok(all.into_iter().map(|(_, own)| own.clone()).collect())
}
