//! `ptodiff selftest`: whether the tester catches models that are wrong.

mod loose;

use std::{
    io::{self, Write},
    path::PathBuf,
    sync::atomic::Ordering,
};

use clap::Args;
use ptodiff_mutants::{Caught, HUNT, Mutant, caught, mutants};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    args::Format,
    exit::{Error, Exit},
    interrupt::counter,
    out::stdout,
    plain,
    text::counted,
    threads,
};

/// `ptodiff selftest`
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 the cases catch every wrong model and the hunt does, too; 1 one \
    was missed; 2 a bad case; 3 no wrong model has such a name. With --loose: 0 no wrong value is \
    accepted beside the intervals that the contract states; 1 one is."
)]
pub(crate) struct Selftest {
    /// Case files or folders of them
    #[arg(default_value = "cases")]
    paths: Vec<PathBuf>,
    /// Only wrong models whose name contains TEXT; may be repeated
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// How many legal cases of seed 0 are drawn for each
    #[arg(long, value_name = "N", default_value_t = HUNT)]
    hunt_count: u64,
    /// Threads; as many as the machine has cores if not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Hold each against all cases, and count those that catch it, in JSON as `cases`
    #[arg(long)]
    all: bool,
    /// Offer wrong values, near those that some order of the stores reaches, as results
    /// instead, and count those that the contract accepts
    #[arg(long, conflicts_with_all = ["filter", "hunt_count", "all"])]
    loose: bool,
    /// With --loose, how many legal cases of seed 0 are drawn beside the cases
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "loose")]
    count: u64,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Wrong models between two updates of the progress bar.
const BLOCK: usize = 8;

/// Holds wrong models against the cases and hunts them.
///
/// # Errors
/// Bad cases, no model of that name, or standard output fails.
pub(crate) fn selftest(args: &Selftest) -> Result<Exit, Error> {
    if args.loose {
        return loose::loose(args);
    }
    let wanted = |m: &&Mutant| {
        args.filter.is_empty() || args.filter.iter().any(|f| m.name.contains(f.as_str()))
    };
    let all: Vec<&'static Mutant> = mutants().iter().filter(wanted).collect();
    if all.is_empty() {
        return Err(Error::nothing("no wrong model has such a name"));
    }
    let cases = crate::pto::load_all(&args.paths)?.cases;
    let mut out = stdout();
    let mut score = Score::default();
    let done = counter(format!("{} wrong models", all.len()));
    let pool = threads::pool(args.jobs.map(usize::from))?;
    for block in all.chunks(BLOCK) {
        for found in pool.install(|| caught(block, &cases, args.hunt_count, args.all)) {
            score.add(&found);
            match args.format {
                Format::Text => text(&mut out, &found, args)?,
                Format::Json => plain::json(&mut out, &json(&found, args.all))?,
            }
        }
        out.flush()?;
        done.fetch_add(block.len() as u64, Ordering::Relaxed);
    }
    match args.format {
        Format::Text => writeln!(
            out,
            "{}: {} caught by the cases, {} by {} of a hunt, {} missed",
            counted(score.models as u64, "wrong model"),
            score.by_cases,
            score.by_hunt,
            counted(args.hunt_count, "draw"),
            score.missed
        )?,
        Format::Json => plain::json(&mut out, &score)?,
    }
    Ok(Exit::failed(score.missed > 0))
}

/// How many were caught.
#[derive(Default, Serialize)]
struct Score {
    models: usize,
    by_cases: usize,
    by_hunt: usize,
    /// Those that one of the two did not catch.
    missed: usize,
}

impl Score {
    fn add(&mut self, found: &Caught) {
        self.models += 1;
        self.by_cases += usize::from(found.cases.is_some());
        self.by_hunt += usize::from(found.hunt.is_some());
        self.missed += usize::from(!found.by_both());
    }
}

/// One wrong model as JSON; how many cases catch it where that is known.
fn json(found: &Caught, all: bool) -> Value {
    let (mutant, cases) = (found.mutant, found.cases.as_ref());
    let mut line = json!({
        "name": mutant.name,
        "target": mutant.target,
        "clause": mutant.clause.0,
        "mistake": mutant.mistake,
        "case": cases.map(|c| &c.first),
        "draw": found.hunt,
    });
    if all {
        line["cases"] = json!(cases.map_or(0, |c| c.count));
    }
    line
}

fn text(out: &mut impl Write, found: &Caught, args: &Selftest) -> io::Result<()> {
    let (name, mistake) = (found.mutant.name, found.mutant.mistake);
    let verdict = if found.by_both() { "caught" } else { "MISSED" };
    let case = match &found.cases {
        None => "no case".to_owned(),
        Some(c) if args.all => format!(
            "{}, first {}",
            counted(c.count as u64, "case"),
            plain::text(&c.first)
        ),
        Some(c) => plain::text(&c.first),
    };
    let draw = match found.hunt {
        None => "no draw".to_owned(),
        Some(draw) => format!("draw {draw}"),
    };
    // An enum of another crate pads no column.
    let target = found.mutant.target.to_string();
    let clause = found.mutant.clause.to_string();
    writeln!(
        out,
        "{verdict} {name:<40} {target:<4} {clause:<21} {case}; {draw}"
    )?;
    if !found.by_both() {
        writeln!(out, "       it {mistake}")?;
    }
    Ok(())
}
