//! `ptodiff selftest --loose`: whether the contract takes wrong results.

use std::{io::Write, sync::atomic::Ordering};

use ptodiff_hunt::{Count, Kind, Loose};
use serde::Serialize;

use super::Selftest;
use crate::{
    args::Format,
    exit::{Error, Exit},
    interrupt::counter,
    out::stdout,
    plain,
    text::{counted, grouped},
    threads,
};

/// Draws between two updates of the progress bar.
const BLOCK: u64 = 1000;

/// Offers wrong results of the cases and of so many draws.
///
/// # Errors
/// Bad cases, or standard output fails.
pub(super) fn loose(args: &Selftest) -> Result<Exit, Error> {
    let cases = crate::pto::load_all(&args.paths)?.cases;
    let done = counter(counted(args.count, "draw"));
    let pool = threads::pool(args.jobs.map(usize::from))?;
    let mut all = pool.install(|| Loose::of_cases(&cases));
    let mut from = 0;
    while from < args.count {
        let to = args.count.min(from + BLOCK);
        all = all.and(pool.install(|| Loose::of_draws(from, to)));
        done.store(to, Ordering::Relaxed);
        from = to;
    }
    if all.calls == 0 {
        return Err(Error::nothing("no call whose results could be tried"));
    }
    let score = Score::of(&all);
    let mut out = stdout();
    match args.format {
        Format::Text => text(&mut out, &all, &score)?,
        Format::Json => {
            for (kind, count) in &all.kinds {
                plain::json(&mut out, &Line { kind, count })?;
            }
            plain::json(&mut out, &score)?;
        }
    }
    Ok(Exit::failed(score.accepted > 0))
}

/// All kinds together.
#[derive(Serialize)]
struct Score {
    calls: u64,
    /// Calls that brute force does not cover, such as those of too many orders.
    skipped: u64,
    offered: u64,
    /// Wrong values that were taken where the contract states no interval.
    accepted: u64,
    /// Those that lie in an interval that it states.
    in_intervals: u64,
}

impl Score {
    fn of(all: &Loose) -> Self {
        let accepted = |stated: bool| {
            let kinds = all.kinds.iter();
            let those = kinds.filter(|(kind, _)| kind.is_stated() == stated);
            those.map(|(_, count)| count.accepted).sum()
        };
        Self {
            calls: all.calls,
            skipped: all.skipped,
            offered: all.kinds.values().map(|count| count.offered).sum(),
            accepted: accepted(false),
            in_intervals: accepted(true),
        }
    }
}

/// One kind as JSON.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    kind: &'a Kind,
    #[serde(flatten)]
    count: &'a Count,
}

fn text(out: &mut impl Write, all: &Loose, score: &Score) -> Result<(), Error> {
    let row = |out: &mut dyn Write, cells: [&str; 6]| {
        let [form, dtype, permit, slots, offered, accepted] = cells;
        writeln!(
            out,
            "{form:<15} {dtype:<13} {permit:<13} {slots:>12} {offered:>14} {accepted:>9}"
        )
    };
    let head = ["form", "dtype", "permit", "slots", "offered", "accepted"];
    row(out, head)?;
    for (kind, count) in &all.kinds {
        let [slots, offered, accepted] = [count.slots, count.offered, count.accepted].map(grouped);
        let (form, dtype) = (kind.form.to_string(), kind.dtype.to_string());
        row(
            out,
            [&form, &dtype, kind.permit, &slots, &offered, &accepted],
        )?;
        if let Some(example) = &count.example {
            writeln!(out, "    {}", plain::text(example))?;
        }
    }
    writeln!(
        out,
        "{} offered in {}, {} accepted, {} more in intervals that the contract states; \
         {} skipped that brute force does not cover",
        counted(score.offered, "wrong value"),
        counted(score.calls, "call"),
        grouped(score.accepted),
        grouped(score.in_intervals),
        counted(score.skipped, "call"),
    )?;
    Ok(())
}
