//! What is wrong in a hunt, grouped and explained as a run does it: some of the cases are run
//! again for that, as a run would.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    time::Duration,
};

use ptodiff_hunt::{Found, Plan, Seen, to_compare};
use ptodiff_impl::Implementation;
use ptodiff_report::{likely_lines, style::CLAUSE};
use ptodiff_runner::Options;

use crate::{
    diagnosis::{Failures, GROUPS, parties},
    text::counted,
};

/// Failure groups with one cause, or one that stands for itself.
pub(super) struct CauseGroup {
    /// What it is called.
    name: String,
    /// The failure groups, and how often each was seen; at least one.
    pub(super) groups: BTreeMap<String, Seen>,
    /// The failure group by which it is shown, and the number of the case.
    first: (String, u64),
    /// Cases of it among those that were run again, where its failure groups are of others, too.
    part: Option<usize>,
    /// What its calls have in common, and what may be behind it: a line each.
    pub(super) told: Vec<String>,
}

impl CauseGroup {
    fn alone(failure_group: &str, seen: Seen) -> Self {
        Self {
            name: failure_group.to_owned(),
            groups: BTreeMap::from([(failure_group.to_owned(), seen)]),
            first: (failure_group.to_owned(), seen.first),
            part: None,
            told: Vec::new(),
        }
    }

    /// The failure group by which it is shown, with the case.
    pub(super) fn first(&self) -> (&str, Seen) {
        let (group, first) = &self.first;
        let count = self.count();
        (
            group,
            Seen {
                count,
                first: *first,
            },
        )
    }

    /// In how many cases it was seen at least.
    fn count(&self) -> u64 {
        let most = self.groups.values().map(|seen| seen.count).max();
        self.part.map_or(most.unwrap_or(0), |part| part as u64)
    }

    /// Begins a line: what it is and in how many cases it was seen. Where several failure
    /// groups are in it, a case may show more than one of them.
    pub(super) fn head(&self, to: &mut impl Write) -> io::Result<()> {
        let (_, Seen { count, first }) = self.first();
        let least = match (self.part, self.groups.len()) {
            (None, 1) => "",
            _ => "at least ",
        };
        let (name, cases) = (&self.name, counted(count, "case"));
        write!(
            to,
            "  {CLAUSE}{name}{CLAUSE:#}  {least}{cases}, first {first}"
        )
    }
}

/// Groups the failure groups `new`, the most frequent first, within `time` for explanations.
///
/// # Errors
/// Threads that cannot be started.
pub(super) fn kinds(
    implementations: &[Implementation],
    plan: &Plan,
    found: &Found,
    new: &[(&str, Seen)],
    time: Duration,
) -> io::Result<Vec<CauseGroup>> {
    let mut left: BTreeMap<&str, Seen> = new.iter().copied().collect();
    let mut all = match implementations {
        [] => Vec::new(),
        some => compared(some, plan, found, new, time)?,
    };
    for kind in &all {
        kind.groups.keys().for_each(|group| {
            left.remove(&**group);
        });
    }
    all.extend(
        left.into_iter()
            .map(|(group, seen)| CauseGroup::alone(group, seen)),
    );
    all.sort_by_key(|kind| std::cmp::Reverse(kind.count()));
    Ok(all)
}

/// Those of `new` that show again in a run of some cases.
fn compared(
    implementations: &[Implementation],
    plan: &Plan,
    found: &Found,
    new: &[(&str, Seen)],
    time: Duration,
) -> io::Result<Vec<CauseGroup>> {
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
    let seen = |record: &ptodiff_record::CaseRecord, _: &ptodiff_record::Took| {
        failures.add(record, &ptodiff_report::plain::case(record));
        Ok(())
    };
    let none = || Ok(Vec::new());
    ptodiff_runner::run_beside(implementations, &cases, &options, io::sink(), seen, none)?;
    failures.explain(&cases, &options, GROUPS, time)?;
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
        Some(CauseGroup {
            name: group.failure_group.clone(),
            // As the hunt saw it: its smallest case is looked for as it was found.
            first: (shown.clone(), own[&shown].first),
            part: shared.then_some(group.cases),
            groups: own,
            told: likely_lines(group),
        })
    });
    Ok(of_new.collect())
}
