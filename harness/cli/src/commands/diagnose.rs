//! `ptodiff diagnose`

use std::{
    collections::{BTreeSet, HashSet},
    io::Write,
    path::PathBuf,
    time::Duration,
};

use clap::Args;
use ptodiff_record::{Header, reproduce::command};
use ptodiff_report::Divergence;
use ptodiff_runner::Options;

use crate::{
    corpus,
    diagnosis::{Failures, parties},
    exit::{Error, Exit},
    files::Record,
    out::stdout,
    plain,
    text::counted,
    values::duration,
};

/// `ptodiff diagnose`
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 every failure group that shows values is explained, or there is none; \
    1 one is not; 2 a record or a case that cannot be read; 3 no implementation took part."
)]
pub(crate) struct Diagnose {
    /// The record of a run, or the folder that it stands in
    record: PathBuf,
    /// Case files or folders of them; those that the record names if not given
    #[arg(long, value_name = "PATH")]
    cases: Vec<PathBuf>,
    /// How long to look for each implementation
    // What a run says of more time holds here, too.
    #[arg(long, alias = "diagnosis", value_name = "TIME", default_value = "60s", value_parser = duration)]
    time: Duration,
}

/// Says what may be behind the failures of the implementations of a record.
///
/// # Errors
/// If the record or its cases cannot be read.
pub(crate) fn diagnose(args: &Diagnose) -> Result<Exit, Error> {
    let record = Record::open(&args.record)?.or_interrupted();
    let header = record.header().clone();
    if header.st_data.is_some() {
        let check = command(&header);
        let check = check.trim_end_matches(" --cases");
        return Err(Error::nothing(plain::text(&format!(
            "the record is of `st check`, which has the inputs: `{check} --diagnosis 60s` looks \
             for what is behind its failures"
        ))));
    }
    if header.implementations.is_empty() {
        return Err(Error::nothing("no implementation took part in that run"));
    }
    let mut failures = Failures::of(parties(&header));
    let mut files = BTreeSet::new();
    record.each(|case| {
        files.insert(case.file.clone());
        failures.add(case, &ptodiff_report::plain::cleaned(case), |_, _| None);
        Ok(())
    })?;
    let paths = match args.cases.is_empty() {
        true => files.into_iter().map(PathBuf::from).collect(),
        false => args.cases.clone(),
    };
    if let Some(path) = paths.iter().find(|path| !corpus::is_there(path)) {
        return Err(Error::usage(format!(
            "{} is not here: stand where the run was made, or say where its cases are, as in --cases PATH",
            plain::path(path)
        )));
    }
    let corpus = crate::pto::load_all(&paths)?;
    let ids: HashSet<&str> = corpus.cases.iter().map(|case| case.id.as_str()).collect();
    if let Some(missing) = failures.ids().find(|id| !ids.contains(id)) {
        let missing = plain::text(missing);
        return Err(Error::usage(format!(
            "the case {missing} of the record is not among these cases"
        )));
    }
    failures.explain(&corpus.cases, &options(&header), usize::MAX, args.time)?;
    let mut groups = failures.sorted();
    let is_left = |group: &&Divergence| group.diagnosis.is_none() && group.shows_values();
    let left = groups.iter().filter(is_left).count();
    groups.retain(|group| group.diagnosis.is_some());
    let mut out = stdout();
    ptodiff_report::write_groups(&mut out, &ptodiff_report::plain::cleaned(&header), &groups)?;
    let found: Vec<_> = groups.iter().filter_map(|g| g.diagnosis.as_ref()).collect();
    let explained = found.iter().filter(|one| one.is_explained()).count();
    let groups = counted(found.len() as u64, "failure group");
    let cut = found.iter().filter(|one| one.unfinished).count();
    let cut = match cut {
        0 => String::new(),
        n => format!("; the time was up before {n} of them were looked at to the end: --time TIME"),
    };
    let orders = match left {
        0 => String::new(),
        n => format!("; {n} more: nothing is known of what only another order of lanes shows"),
    };
    writeln!(
        out,
        "\n{groups} with values to look at, {explained} explained{cut}{orders}"
    )?;
    Ok(Exit::failed(explained < found.len() || left > 0))
}

/// As the run had them.
fn options(header: &Header) -> Options {
    Options {
        seed: header.seed,
        schedules: header.schedules,
        targets: header.targets.clone(),
        readings: header.readings.clone(),
        ..Options::default()
    }
}
