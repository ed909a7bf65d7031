//! What a hunt says of implementations: grouped and explained as a run does it, for which
//! some of the cases are run again, as a run would.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    iter,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use ptodiff_case::Case;
use ptodiff_hunt::{Asked, Found, Plan, Seen, Smallest, smallest, to_compare};
use ptodiff_impl::Implementation;
use ptodiff_record::Verdict;
use ptodiff_report::{
    likely_lines,
    style::{BAD, BOLD},
};
use ptodiff_runner::Options;

use super::{
    EARLY, Hunt, MOST, is_flaky_by_no_chance,
    shrunk::{self, Kept, Kind},
    times_flaky,
};
use crate::{
    diagnosis::{Failures, GROUPS, parties},
    implementations::{column, say_idle, why_idle},
    screen::Screen,
    text::{counted, grouped},
};

/// How a hunt goes on with what it found.
pub(super) struct How<'a> {
    pub(super) args: &'a Hunt,
    /// Set once the implementations are ended: what is known by then is told.
    pub(super) stop: &'a AtomicBool,
}

impl How<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// A screen that says how many of so many cases are done, and what they are for.
    fn screen(&self, cases: usize, what: &'static str) -> Screen {
        let mut screen = Screen::counting(Some(cases as u64));
        screen.now(what);
        if !self.args.quiet {
            screen.tell();
        }
        screen
    }
}

/// Says what implementations did wrong that is not `known`, with a smallest case of each
/// kind, which it gives back.
pub(super) fn write(
    to: &mut impl Write,
    implementations: &[Implementation],
    plan: &Plan,
    found: &Found,
    known: &BTreeSet<String>,
    how: &How<'_>,
) -> io::Result<Vec<Kept>> {
    for (party, asked) in &found.asked {
        let times = counted(asked.cases, "time");
        write!(to, "{BOLD}{party}{BOLD:#} asked {times}")?;
        if asked.unsupported > 0 {
            write!(to, ", {} of them unsupported", grouped(asked.unsupported))?;
        }
        writeln!(to)?;
        if is_idle(asked) {
            // A longer hunt said why when it began.
            let short = how.args.quiet || found.cases < EARLY;
            let mut own = implementations
                .iter()
                .filter(|i| short && column(i) == *party);
            let why = own.find_map(why_idle).unwrap_or_default();
            say_idle(party, asked.cases, &why);
        }
    }
    if !found.flaky.is_empty() {
        let seen = times_flaky(found);
        let cases = counted(seen, "time");
        let fails = match is_flaky_by_no_chance(found) {
            true => "; so many are no chance, and fail the hunt",
            false => "",
        };
        writeln!(
            to,
            "{BOLD}flaky{BOLD:#} {cases}: wrong once, and not when asked again in a new process{fails}"
        )?;
        let kinds = found.flaky.iter();
        let kinds = kinds.map(|(group, seen)| Kind::alone(group, *seen));
        shrunk::write_kinds(to, kinds.collect(), Vec::new())?;
    }
    if found.implementations.is_empty() {
        // Of a lattice's tiles all lanes are drawn.
        let of = match plan.max_lanes {
            u64::MAX => String::new(),
            most => format!(" in calls of at most {}", counted(most, "lane")),
        };
        writeln!(to, "{BOLD}no violation by an implementation{BOLD:#}{of}")?;
        return Ok(Vec::new());
    }
    let new = found.most_frequent(known);
    let old = found.implementations.len() - new.len();
    if old > 0 {
        let kinds = counted(old as u64, "known kind");
        writeln!(to, "{BOLD}{kinds}{BOLD:#} of violation by implementations")?;
    }
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let new = new.into_iter().map(|(group, seen)| (&**group, *seen));
    let new: Vec<(&str, Seen)> = new.collect();
    let kinds = kinds(implementations, plan, found, &new, how)?;
    let most = if implementations.is_empty() { 0 } else { MOST };
    let first = kinds.iter().take(most);
    let first: Vec<(&str, Seen)> = first.map(|kind| (&*kind.shown, kind.seen)).collect();
    let mut screen = how.screen(first.len(), "a smallest one is looked for of each kind");
    let smallest = {
        let one_more = || screen.advance(1);
        let end = how
            .args
            .time
            .and_then(|time| Instant::now().checked_add(time));
        let stop = || how.is_stopped() || end.is_some_and(|end| Instant::now() >= end);
        let is_of = |n: usize, case: &Case| kinds[n].has(case, plan.seed);
        smallest(implementations, plan, &first, &is_of, &stop, &one_more)
    };
    screen.finish();
    let (mut kinds, smallest) = told_once(kinds, smallest, plan.seed);
    if let [only] = &mut kinds[..]
        && let ([_], true) = (implementations, old == 0 && found.unexplained.is_empty())
        && let Some(all) = found.verdicts.get(&Verdict::Violation)
    {
        // No violation is of anything else.
        (only.seen.count, only.at_least) = (*all, false);
    }
    let count = counted(kinds.len() as u64, "kind");
    writeln!(
        to,
        "{BAD}{count} of violation by implementations{BAD:#}, the most frequent first"
    )?;
    let left = kinds.len() - smallest.iter().flatten().count();
    let kept = shrunk::write_kinds(to, kinds, smallest)?;
    if left > 0 {
        let kinds = counted(left as u64, "kind");
        let how = match implementations.is_empty() {
            true if how.args.partition.is_some() => "merge the parts, then --from makes them",
            true => "give --impl and --as as the hunt had them",
            false => "hunt again with --known FILE of --out",
        };
        writeln!(to, "  {kinds} without a smallest case: {how}")?;
    }
    Ok(kept)
}

/// The `kinds` with their `smallest` cases, each called as its case is, without those whose case
/// shows another one of them.
fn told_once(
    kinds: Vec<Kind>,
    smallest: Vec<Option<Smallest>>,
    seed: u64,
) -> (Vec<Kind>, Vec<Option<Smallest>>) {
    let mut told: Vec<(Kind, Option<Smallest>)> = Vec::new();
    let smallest = smallest.into_iter().chain(iter::repeat(None));
    for (mut kind, smallest) in kinds.into_iter().zip(smallest) {
        let shown = smallest
            .as_ref()
            .filter(|one| !one.stopped && one.schedule.is_some());
        if let Some(one) = shown {
            kind.named_by(&one.case, seed);
            let same = told.iter_mut().find(|(other, of_other)| {
                let of_other = of_other.as_ref();
                other.failure_groups.contains(&kind.shown)
                    && (other.takes(&kind, &one.case, seed)
                        || of_other.is_some_and(|of_other| of_other.is_same_call(one)))
            });
            if let Some((same, _)) = same {
                same.join(kind);
                continue;
            }
        }
        told.push((kind, smallest));
    }
    told.into_iter().unzip()
}

/// Whether an implementation could run nothing of what it was asked.
pub(super) fn is_idle(asked: &Asked) -> bool {
    asked.cases == asked.unsupported
}

/// Groups the failure groups `new`, the most frequent first.
fn kinds(
    implementations: &[Implementation],
    plan: &Plan,
    found: &Found,
    new: &[(&str, Seen)],
    how: &How<'_>,
) -> io::Result<Vec<Kind>> {
    let mut all = Vec::new();
    if !implementations.is_empty() && !how.is_stopped() {
        let compared = compared(implementations, plan, found, new, how);
        // Otherwise they were ended in the middle.
        if !how.is_stopped() {
            all = compared?;
        }
    }
    for (group, seen) in new {
        if !all.iter().any(|kind| kind.failure_groups.contains(*group)) {
            all.push(Kind::alone(group, *seen));
        }
    }
    all.sort_by_key(|kind| std::cmp::Reverse(kind.seen.count));
    Ok(all)
}

/// Those of `new` that show again in a run of some cases.
fn compared(
    implementations: &[Implementation],
    plan: &Plan,
    found: &Found,
    new: &[(&str, Seen)],
    how: &How<'_>,
) -> io::Result<Vec<Kind>> {
    let cases = to_compare(plan, found, new);
    if cases.is_empty() {
        return Ok(Vec::new());
    }
    let options = Options {
        seed: plan.seed,
        // An implementation has an order of its own.
        schedules: 1,
        jobs: rayon::current_num_threads(),
        ..Options::default()
    };
    let header = ptodiff_record::Header {
        implementations: ptodiff_runner::listed(implementations),
        ..options.header(cases.len())
    };
    let mut failures = Failures::of(parties(&header));
    let mut screen = how.screen(cases.len(), "what those that fail have in common");
    let wrong: BTreeSet<String> = found.wrong.values().flatten().map(u64::to_string).collect();
    let seen = |record: &ptodiff_record::CaseRecord, _: &ptodiff_record::Took| {
        screen.advance(1);
        // What went wrong and does not now is neither a failure nor a pass.
        if record.verdict == Verdict::Violation || !wrong.contains(&record.id) {
            failures.add(record, &ptodiff_report::plain::cleaned(record), |_, _| None);
        }
        Ok(())
    };
    ptodiff_runner::run_beside(implementations, &cases, &options, seen)?;
    screen.now("looking for what explains the failures");
    failures.explain(&cases, &options, GROUPS, how.args.diagnosis)?;
    screen.finish();
    let new: BTreeMap<&str, Seen> = new.iter().copied().collect();
    let sorted = failures.sorted();
    let mut often: BTreeMap<&String, usize> = BTreeMap::new();
    for group in sorted.iter().flat_map(|group| &group.failure_groups) {
        *often.entry(group).or_default() += 1;
    }
    let of_new = sorted.iter().filter_map(|group| {
        let own = group.failure_groups.iter();
        let own = own.filter_map(|g| Some((g.clone(), *new.get(&**g)?)));
        let own: BTreeMap<String, Seen> = own.collect();
        let findings = group.first.targets.values().flat_map(|t| &t.findings);
        let shown = findings.map(|finding| &finding.failure_group);
        let shown = shown.filter(|g| own.contains_key(*g)).min()?.clone();
        let shared = own.keys().any(|group| often[group] > 1);
        let own_alone = own.values().filter(|_| !shared);
        let most = own_alone.map(|seen| seen.count).max().unwrap_or(0);
        Some(Kind {
            name: group.failure_group.clone(),
            seen: Seen {
                count: most.max(group.cases as u64),
                // Cases are called after their numbers.
                first: group.first.id.parse().ok()?,
            },
            at_least: shared || own.len() > 1,
            cause: group.cause.clone(),
            failure_groups: own.into_keys().collect(),
            told: likely_lines(group),
            shown,
        })
    });
    Ok(of_new.collect())
}
