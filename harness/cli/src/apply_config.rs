//! What a `ptodiff.toml` adds to a command line: `run` takes all of it, `hunt` and `gate` all
//! but where reports go, `judge`, `export` and `st check` the readings.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use clap::{ArgMatches, Args as _, Command, FromArgMatches as _, parser::ValueSource};
use ptodiff_case::did_you_mean;
use ptodiff_isa::{Party, Target};
use ptodiff_record::{CaseRecord, ImplementationRecord, TargetVerdict, flaky_by_no_chance};
use ptodiff_register::Edition;
use strum::VariantArray as _;

use crate::{
    command::{Action, Args},
    commands::{check::Check, run::Run},
    config::{Config, Implementation, NAME, find},
    corpus,
    exit::Error,
    files::Record,
    implementations::Implementations,
    out::say,
    plain,
    pto::PtoArgs,
    readings::{self, ReadAs, ReadingArgs},
    text::joined,
    values::reading_choice,
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
    if let Some((place, read_as, quiet)) = match &mut args.command {
        Action::Judge(own) => Some((own.case.place(), &mut own.read_as, false)),
        Action::Export(own) => Some((own.case.place(), &mut own.read_as, false)),
        Action::St(own) => own.reads(),
        _ => None,
    } {
        return readings(&place, read_as, quiet);
    }
    let own = matches.subcommand().map(|(_, own)| own);
    let given = |id: &str| own.and_then(|m| m.value_source(id)) == Some(ValueSource::CommandLine);
    if let Action::Run(run) = &mut args.command {
        as_recorded(run, given)?;
    }
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
                places: vec![PathBuf::from(".")],
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

/// What a run takes from the record of `--rerun-failed`: the cases that fail there, and what they
/// came to it by, but for what the command line says.
fn as_recorded(run: &mut Run, given: impl Fn(&str) -> bool) -> Result<(), Error> {
    let Some(path) = &run.rerun_failed else {
        return Ok(());
    };
    let record = Record::open(path)?.or_interrupted();
    let header = record.header().clone();
    if let Some(data) = &header.st_data {
        return Err(Error::usage(format!(
            "{} is of data folders, which a run does not read: ask `ptodiff st check` for {}",
            plain::path(path),
            plain::text(&data.folder)
        )));
    }
    let (mut answered, mut flaky) = (0, (BTreeMap::new(), BTreeSet::new()));
    record.each(|case| {
        answered += u64::from(header.has_answer(case));
        let place = (case.id.clone(), case.file.clone());
        let own = header.implementations.iter().map(|own| &own.party);
        let own = own.filter(|own| failed(case, own, run.fail_unpromised));
        if case.fails(run.fail_flaky, run.fail_unpromised) {
            run.failed.extend([place]);
            run.failing.extend(own.cloned());
        } else if case.fails(true, false) {
            flaky.0.extend([place]);
            flaky.1.extend(own.cloned());
        }
        Ok(())
    })?;
    if flaky_by_no_chance(flaky.0.len() as u64, answered) {
        run.failed.append(&mut flaky.0);
        run.failing.append(&mut flaky.1);
    }
    let files: BTreeSet<PathBuf> = run.failed.values().map(PathBuf::from).collect();
    if let Some(gone) = files.first().filter(|_| !given("paths")) {
        let there = files.iter().filter(|file| corpus::is_there(file));
        run.selection.paths = there.cloned().collect();
        // A case of the same id elsewhere is another.
        if run.selection.paths.is_empty() {
            return Err(Error::usage(format!(
                "{} is not here, of which {} is: stand where that run was made, or name its files",
                plain::path(gone),
                plain::path(path)
            )));
        }
    }
    if !given("claims") {
        run.implementations.claims = as_tested(&run.implementations, &header.implementations);
    }
    if !given("seed") {
        run.seed = header.seed;
    }
    if !given("schedules") {
        run.schedules = header.schedules;
    }
    let mut told = vec![format!("seed {}, schedules {}", run.seed, run.schedules)];
    if header.all_readings && run.readings.is_none() {
        told.push("readings all".to_owned());
        run.readings = Some("all".to_owned());
    }
    choose_targets(&mut run.target, &header.targets, &mut told);
    // A record holds what its writer wrote.
    let known = |(gap, choice): &(String, String)| reading_choice(&format!("{gap}={choice}"));
    let known: Result<_, _> = header.readings.iter().map(known).collect();
    let of_record = ReadingArgs {
        reading: known.map_err(Error::usage)?,
        ..Default::default()
    };
    if !given("edition") {
        read_so(&mut run.chosen, None, of_record, &mut told);
    }
    let (beside, recorded) = (&mut run.selection.beside, header.beside);
    if beside.arguments().is_empty() {
        let words = recorded.iter().flat_map(|(option, value)| [option, value]);
        let read = PtoArgs::augment_args(Command::new(NAME).no_binary_name(true));
        let read = read.try_get_matches_from(words).map_err(Error::usage)?;
        *beside = PtoArgs::from_arg_matches(&read).map_err(Error::usage)?;
        let said = |(option, value)| plain::text(&format!("{option} {value}"));
        told.extend(recorded.into_iter().map(said));
    }
    tell_use(path, &told, run.output_args.quiet);
    Ok(())
}

/// Whether `party` did in `case` what may fail a run.
fn failed(case: &CaseRecord, party: &Party, on_unpromised: bool) -> bool {
    let own = case.targets.get(party);
    let differs = || {
        case.unpromised
            .iter()
            .any(|one| one.got.contains_key(party))
    };
    own.is_some_and(|own| own.verdict == TargetVerdict::Violates || !own.flaky.is_empty())
        || on_unpromised && differs()
}

/// The target of each implementation that is named with its command, where each was of one in the
/// record.
fn as_tested(named: &Implementations, tested: &[ImplementationRecord]) -> Vec<Target> {
    let one = |own: &Implementation| {
        let is_own = |party: &&Party| party.form.as_deref() == Some(&*own.name);
        let mut all = tested.iter().map(|one| &one.party).filter(is_own);
        let target = all.next().filter(|_| !own.command.is_empty())?.target;
        all.next().is_none().then_some(target)
    };
    let all: Option<Vec<Target>> = named.implementation.iter().map(one).collect();
    all.unwrap_or_default()
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
    let typed = check.chosen.edition;
    read_so(&mut check.chosen, typed, chosen, &mut told);
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
    tell_use(&path, &told, false);
    Ok(())
}

/// What a file says of the readings of a run.
fn readings(place: &Path, own: &mut ReadAs, quiet: bool) -> Result<(), Error> {
    let found = match own.no_config {
        true => None,
        false => find(&corpus::places(&[place.to_owned()]))?,
    };
    if let Some((path, config)) = found {
        let mut told = Vec::new();
        let of_all = ReadingArgs {
            edition: config.run.edition,
            reading: config.run.readings,
        };
        let typed = own.chosen.edition;
        read_so(&mut own.chosen, typed, of_all, &mut told);
        tell_use(&path, &told, quiet);
    }
    Ok(())
}

/// Tells what is taken from the file at `path`.
fn tell_use(path: &Path, told: &[String], quiet: bool) {
    if !quiet && !told.is_empty() {
        say(format!("using {}: {}", plain::path(path), told.join(", ")));
    }
}

/// Takes the targets that a file names, where the user names none.
fn choose_targets(own: &mut Vec<Target>, named: &[Target], told: &mut Vec<String>) {
    if own.is_empty() && !named.is_empty() {
        told.push(format!("targets {}", joined(named, ",")));
        own.extend(named);
    }
}

/// Takes the readings and the edition of a file, where `own` has no others. What was typed for
/// all targets counts more than what the file says of one, and so does the edition that was
/// `typed`, of the gaps that it speaks of.
fn read_so(
    own: &mut ReadingArgs,
    typed: Option<&'static Edition>,
    file: ReadingArgs,
    told: &mut Vec<String>,
) {
    let by_edition = typed.map_or_else(Vec::new, readings::of);
    let typed = own.reading.iter().chain(&by_edition);
    let typed: Vec<String> = typed.map(|(gap, _)| gap.clone()).collect();
    for (gap, choice) in file.reading {
        let of_all = gap.split_once(':').map_or(&*gap, |(_, of_all)| of_all);
        if !typed.iter().any(|known| *known == gap || known == of_all) {
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
    let or = match implementations.no_config {
        true => "leave --no-config out",
        false => "let `ptodiff init` write the file",
    };
    match named.find(|own| own.command.is_empty()) {
        None => Ok(()),
        Some(Implementation { name, .. }) => Err(Error::usage(format!(
            "no {NAME} that is read names the implementation `{name}`: give its command, as in --impl \
             '{name}=COMMAND', or {or}"
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
    let all = &mut parts.implementations.implementation;
    choose(path, config.implementations, all, &targets)?;
    let chosen = all.iter().filter(|own| own.is_in_file);
    told.extend(chosen.map(|own| format!("implementation {}", own.name)));
    if parts.jobs.is_none() {
        *parts.jobs = config.run.jobs;
        told.extend(config.run.jobs.map(|n| format!("jobs {n}")));
    }
    let own = parts.readings;
    let typed = own.edition;
    let agreed = agreed(path, all, typed.is_some())?;
    read_so(own, typed, agreed, &mut told);
    let of_all = ReadingArgs {
        edition: config.run.edition,
        reading: config.run.readings,
    };
    read_so(own, typed, of_all, &mut told);
    if let (Some(out), Some(own)) = (parts.out, config.run.out) {
        told.push(format!("out {}", plain::path(&own)));
        *out = own;
    }
    tell_use(path, &told, parts.quiet);
    Ok(())
}

/// Lets the implementations take part that are `named`, or all that the file `has`.
fn choose(
    path: &Path,
    has: Vec<Implementation>,
    named: &mut Vec<Implementation>,
    targets: &[Target],
) -> Result<(), Error> {
    if named.is_empty() {
        let takes_part = |own: &Implementation| {
            own.targets.is_empty() || own.targets.iter().any(|target| targets.contains(target))
        };
        let (own, others): (_, Vec<_>) = has.into_iter().partition(takes_part);
        *named = own;
        for other in others {
            say(format!(
                "the implementation {} of {} takes no part: it is {}",
                other.name,
                plain::path(path),
                joined(&other.targets, ",")
            ));
        }
        return Ok(());
    }
    for each in named.iter_mut().filter(|each| each.command.is_empty()) {
        let Some(own) = has.iter().find(|own| own.name == each.name) else {
            let name = &each.name;
            let known = has.iter().map(|own| own.name.as_str());
            let near =
                did_you_mean(name, known.clone()).unwrap_or_else(|| match joined(known, ", ") {
                    none if none.is_empty() => "it has no implementation".to_owned(),
                    all => format!("it has {all}"),
                });
            let path = plain::path(path);
            return Err(Error::usage(format!("{path} has no [impl.{name}]: {near}")));
        };
        *each = own.clone();
    }
    Ok(())
}

/// How all implementations read the gaps, but for the edition where that is `given`.
fn agreed(path: &Path, all: &[Implementation], given: bool) -> Result<ReadingArgs, Error> {
    let mut said: Vec<(&str, &str, String)> = Vec::new();
    let mut agreed = ReadingArgs::default();
    for each in all {
        let edition = each.edition.filter(|_| !given);
        let follows = edition.map(|own| ("", format!("follows edition {}", own.name)));
        let readings = each.readings.iter();
        let reads = readings.map(|(gap, choice)| (&**gap, format!("reads {gap}={choice}")));
        for (of, own) in follows.into_iter().chain(reads) {
            match said.iter().find(|(_, known, _)| *known == of) {
                Some((other, _, its)) if *its != own => {
                    let (path, name) = (plain::path(path), &each.name);
                    return Err(Error::usage(format!(
                        "{path}: {other} {its} and {name} {own}; a run has one: choose an \
                         implementation with --impl NAME"
                    )));
                }
                Some(_) => {}
                None => said.push((&each.name, of, own)),
            }
        }
        agreed.edition = agreed.edition.or(edition);
        agreed.reading.extend(each.readings.iter().cloned());
    }
    Ok(agreed)
}
