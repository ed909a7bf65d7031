//! `ptodiff hunt`

mod against;
mod lattice;

use std::{
    io::Write,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anstream::eprintln;
use ptodiff_case::{Case, Form, Hole};
use ptodiff_edge::text;
use ptodiff_generate::{literal, random::Rules};
use ptodiff_hunt::{Distinct, Drawer, Found, Known, Limit, Plan, complete, distil, distinct, keep};
use ptodiff_report::style::{BAD, BOLD, CLAUSE, DIM};

use crate::{
    args::{self, HuntRules},
    exit::{Error, Exit},
    interrupt::{Then, at_first},
    screen::Screen,
    text::grouped,
};

pub(crate) use lattice::Within;

/// Draws cases, tries them, and says which holes they show.
///
/// # Errors
/// Bad cases among those kept, files that cannot be written, or no threads.
pub(crate) fn hunt(args: &args::Hunt) -> Result<Exit, Error> {
    let plan = plan(args)?;
    if let Some(number) = args.show {
        return show(&plan, number);
    }
    let folder = args.keep.as_deref();
    let known = match (folder, args.known.as_deref()) {
        (None, known) => Known::load(known.unwrap_or(Path::new("cases/holes")))?,
        (Some(kept), None) => Known::load(kept)?,
        (Some(kept), Some(known)) => Known::load(kept)?.and(Known::load(known)?),
    };
    let given = match &args.also[..] {
        [] => Vec::new(),
        paths => ptodiff_case::load(paths)?.cases,
    };
    let limit = match args.time {
        Some(time) => Limit::Time(time),
        None => Limit::Count(args.count),
    };
    let jobs = args.jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    );
    let threads = |e| Error::fault(format!("cannot start {jobs} threads: {e}"));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let pool = pool.map_err(|e| threads(e.to_string()))?;

    let started = Instant::now();
    let total = match limit {
        Limit::Count(count) => Some(count),
        Limit::Time(_) => None,
    };
    let mut screen = Screen::counting(total);
    let mut done = 0;
    let every = ptodiff_runner::Options::default().targets;
    let subjects = args.subjects.start(match &plan.targets[..] {
        [] => &every,
        some => some,
    })?;
    let stop = interrupted();
    let found = pool.install(|| {
        ptodiff_hunt::hunt_beside(&subjects, &plan, limit, &stop, |cases| {
            screen.advance((cases - done) as usize);
            done = cases;
        })
    });
    // From here on there is something to lose.
    at_first(|| Then::End(": nothing more was made of what was found".to_owned()));
    let interrupted = stop.load(Ordering::Relaxed);
    screen.finish()?;
    let took = started.elapsed();
    eprintln!(
        "{} cases in {:.1} s on {jobs} threads, {} a second",
        grouped(found.cases),
        took.as_secs_f64(),
        grouped((found.cases as f64 / took.as_secs_f64().max(1e-9)) as u64)
    );

    let all = distinct(&found);
    let mut text = Vec::new();
    write_found(&mut text, args.seed, &found)?;
    if let Some(space) = &plan.space {
        let count = grouped(space.instantiations() as u64);
        writeln!(
            text,
            "  drawn from {count} instantiations on {}",
            space.target()
        )?;
    }
    write_holes(&mut text, &all, &known)?;
    screen.write(&std::mem::take(&mut text));
    screen.finish()?;
    if let Some(folder) = folder {
        let cases = pool.install(|| {
            let drawn = distil(&plan, &all, &known);
            complete(&plan, &given, drawn, &known)
        });
        write_kept(&mut text, folder, &cases, &all)?;
    } else if plan.space.is_none()
        && all
            .iter()
            .any(|d| d.holes.iter().any(|h| !known.has(d.form, h)))
    {
        writeln!(text, "  --keep writes a smallest case of each new hole")?;
    }
    write_unexplained(&mut text, &found)?;
    if !subjects.is_empty() {
        // An interrupt ends the subjects: nothing can be made smaller with them.
        let some = if interrupted { &[][..] } else { &subjects };
        let out = args.out.as_deref();
        pool.install(|| against::write(&mut text, some, &plan, &found, out))?;
    }
    screen.write(&text);
    screen.finish()?;
    Ok(if interrupted {
        Exit::Interrupted
    } else if found.unexplained.is_empty() {
        against::exit(&found)
    } else {
        Exit::Violation
    })
}

/// Becomes true when the user interrupts: what was found by then is not lost.
fn interrupted() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    at_first(move || {
        flag.store(true, Ordering::Relaxed);
        Then::Wait("what was found by now follows; once more ends it at once")
    });
    stop
}

/// Most elements of a data tile where nothing is said and any tile may be drawn.
const MAX_LANES: u64 = 64;

fn plan(args: &args::Hunt) -> Result<Plan, Error> {
    let space = lattice::space(args)?;
    let targets = match &space {
        Some(space) => vec![space.target()],
        None => args.target.clone(),
    };
    // Of a tile that is there already all may be used.
    let most = if space.is_some() { u64::MAX } else { MAX_LANES };
    Ok(Plan {
        seed: args.seed,
        rules: args.rules.map(|rules| match rules {
            HuntRules::Legal => Rules::Legal,
            HuntRules::Broken => Rules::Broken(1),
            HuntRules::Wild => Rules::Wild,
        }),
        forms: args.form.clone(),
        targets,
        max_lanes: args.max_lanes.unwrap_or(most),
        further: !args.quick,
        space,
    })
}

/// Prints case `number` as YAML.
fn show(plan: &Plan, number: u64) -> Result<Exit, Error> {
    let mut case = literal(&Drawer::new(plan).number(number).case, plan.seed);
    case.name = format!("{}-{number}", plan.seed);
    let mut out = anstream::stdout().lock();
    out.write_all(ptodiff_case::case_yaml(&case).as_bytes())?;
    Ok(Exit::Conforms)
}

type Written = std::io::Result<()>;

fn write_found(to: &mut impl Write, seed: u64, found: &Found) -> Written {
    let cases = grouped(found.cases);
    write!(to, "{BOLD}{cases} cases{BOLD:#} of seed {seed}:")?;
    for (at, (verdict, count)) in found.verdicts.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        write!(to, "{comma} {} {verdict}", grouped(*count))?;
    }
    writeln!(to)?;
    if found.readings > 0 {
        let asked = grouped(found.readings);
        writeln!(to, "  {asked} of them under every reading that may matter")?;
    }
    if !found.relations.is_empty() {
        write!(to, "  relations checked:")?;
        for (at, (name, count)) in found.relations.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(to, "{comma} {name} {}", grouped(*count))?;
        }
        writeln!(to)?;
    }
    Ok(())
}

fn write_holes(to: &mut impl Write, all: &[Distinct], known: &Known) -> Written {
    let holes = || all.iter().flat_map(|d| d.holes.iter().map(move |h| (d, h)));
    let new = holes().filter(|(d, h)| !known.has(d.form, h)).count();
    let count = holes().count();
    writeln!(to, "{BOLD}{count} holes{BOLD:#}, {new} of them new")?;
    for distinct in all {
        for hole in &distinct.holes {
            let word = if known.has(distinct.form, hole) {
                "known"
            } else {
                "new  "
            };
            writeln!(
                to,
                "  {word}  {} {hole}  {DIM}{} cases, first {}{DIM:#}",
                distinct.form,
                grouped(distinct.count),
                distinct.first(hole).unwrap_or_default()
            )?;
        }
    }
    Ok(())
}

fn write_kept(
    to: &mut impl Write,
    folder: &Path,
    cases: &[Case],
    drawn: &[Distinct],
) -> Result<(), Error> {
    let files = keep(folder, cases)?;
    for case in cases {
        let form = Form::of(&case.call);
        let is_drawn = |hole: &Hole| {
            drawn
                .iter()
                .any(|d| d.form == form && d.holes.contains(hole))
        };
        for hole in case.holes.iter().filter(|hole| !is_drawn(hole)) {
            writeln!(to, "  beside {form} {hole}")?;
        }
    }
    writeln!(to, "  {} cases kept", cases.len())?;
    for file in files {
        writeln!(to, "    {}", text::path(&file))?;
    }
    Ok(())
}

fn write_unexplained(to: &mut impl Write, found: &Found) -> Written {
    if found.unexplained.is_empty() {
        return writeln!(to, "{BOLD}no unexplained difference{BOLD:#}");
    }
    let count = found.unexplained.len();
    writeln!(to, "{BAD}{count} unexplained{BAD:#}")?;
    for (signature, seen) in &found.unexplained {
        writeln!(
            to,
            "  {CLAUSE}{signature}{CLAUSE:#}  {} cases; see `ptodiff hunt --show {}`",
            grouped(seen.count),
            seen.first
        )?;
    }
    Ok(())
}

/// `90`, `90s`, `10m`, `2h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let (digits, unit) = match text.find(|c: char| !c.is_ascii_digit()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let factor = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => 0,
    };
    let seconds = digits
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(factor));
    match seconds {
        Some(seconds @ 1..=604_800) => Ok(Duration::from_secs(seconds)),
        _ => Err("expected a time of at most a week: 90s, 10m, 2h".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let seconds = |text| duration(text).map(|d| d.as_secs());
        assert_eq!(seconds("90"), Ok(90));
        assert_eq!(seconds("90s"), Ok(90));
        assert_eq!(seconds("10m"), Ok(600));
        assert_eq!(seconds("2h"), Ok(7200));
        for bad in [
            "",
            "s",
            "0",
            "1d",
            "-5",
            "1.5m",
            "9999999h",
            "99999999999999999999s",
        ] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
