//! Which violations waivers hide, and which waivers are not as they should be.

use std::{collections::BTreeSet, fmt};

use ptodiff_case::{
    did_you_mean,
    waiver::{Date, Waiver, Waivers},
};
use ptodiff_edge::consumer;
use ptodiff_record::{counted, flaky_by_no_chance, joined};

use crate::failure::{Failure, Kind};
use crate::judge::Run;
use crate::violation::{Key, Occurrence, Place};

/// What one waiver hides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waived {
    /// The waiver's place in [`Waivers::list`].
    pub waiver: usize,
    /// Cases of which it hides something.
    pub cases: usize,
    /// Those in which all that is flaky.
    pub flaky: usize,
}

/// The cases, those that are flaky apart.
impl fmt::Display for Waived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steady = self.cases - self.flaky;
        let each = [(steady, "case"), (self.flaky, "flaky case")].into_iter();
        let each = each.filter(|(count, _)| *count > 0);
        f.write_str(&joined(each.map(|(n, what)| counted(n, what)), " and "))
    }
}

/// A violation that no waiver hides, or what is flaky of one.
pub(crate) struct Open<'a> {
    pub(crate) key: &'a Key,
    /// Where it shows, never empty.
    pub(crate) shown: Vec<Occurrence>,
}

impl Open<'_> {
    /// What fails the gate by it.
    pub(crate) fn kind(&self) -> Kind {
        let is_expectation = self.key.failure_group.split(' ').nth(2) == Some("expectation");
        match self.shown.iter().any(|one| one.once.is_some()) {
            true => Kind::Flaky,
            false if is_expectation => Kind::ExpectationNotMet,
            false => Kind::Violation,
        }
    }
}

/// What waivers leave of the violations.
pub(crate) struct Left<'a> {
    pub(crate) open: Vec<Open<'a>>,
    pub(crate) waived: Vec<Waived>,
    /// Places of waivers that hide nothing.
    pub(crate) unused: Vec<usize>,
    /// In the order of the file.
    pub(crate) failures: Vec<Failure>,
}

/// What one waiver was found to meet.
#[derive(Clone, Default)]
struct Met<'a> {
    cases: BTreeSet<&'a str>,
    /// Those that showed it each time.
    steady: BTreeSet<&'a str>,
    keys: BTreeSet<&'a Key>,
    /// Where it met a violation first.
    first: Option<&'a Place>,
}

pub(crate) fn apply<'a>(run: &'a Run, waivers: &Waivers, today: Date) -> Left<'a> {
    let violations = &run.violations;
    let mut met = vec![Met::default(); waivers.list.len()];
    let mut open = Vec::new();
    for (key, shown) in &violations.shown {
        let parties = violations.parties(key);
        let mut left = Vec::new();
        for occurrence in shown {
            let id = occurrence.case.id.as_str();
            // What two waivers are about is an error of their file.
            let mut all = waivers.list.iter().zip(&mut met);
            let about = all.find(|(waiver, _)| waiver.is_about(&key.failure_group, parties, id));
            if let Some((_, met)) = about {
                met.cases.insert(id);
                met.keys.insert(key);
                met.first.get_or_insert(&occurrence.case);
                if occurrence.once.is_none() {
                    met.steady.insert(id);
                }
            } else {
                left.push(occurrence.clone());
            }
        }
        let (steady, flaky) = left.into_iter().partition(|one| one.once.is_none());
        let apart: [Vec<_>; 2] = [steady, flaky];
        let apart = apart.into_iter().filter(|shown| !shown.is_empty());
        open.extend(apart.map(|shown| Open { key, shown }));
    }
    let is_flaky = |open: &&Open<'_>| open.kind() == Kind::Flaky;
    let flaky = open.iter().filter(is_flaky).flat_map(|open| &open.shown);
    let flaky: BTreeSet<&str> = flaky.map(|one| &*one.case.id).collect();
    if !run.fail_flaky && !flaky_by_no_chance(flaky.len() as u64, run.answered) {
        open.retain(|open| open.kind() != Kind::Flaky);
    }
    let mut waived = Vec::new();
    let mut unused = Vec::new();
    let mut failures = Vec::new();
    for (at, (waiver, met)) in waivers.list.iter().zip(&met).enumerate() {
        let own = Waived {
            waiver: at,
            cases: met.cases.len(),
            flaky: met.cases.len() - met.steady.len(),
        };
        failures.extend(wrong(waivers, waiver, (met, &own), run, today));
        if met.cases.is_empty() {
            unused.push(at);
        } else if waiver.expires >= today {
            waived.push(own);
        }
    }
    Left {
        open,
        waived,
        unused,
        failures,
    }
}

/// What is wrong with a waiver that met `met`.
fn wrong(
    waivers: &Waivers,
    waiver: &Waiver,
    (met, cases): (&Met<'_>, &Waived),
    run: &Run,
    today: Date,
) -> Vec<Failure> {
    let violations = &run.violations;
    let failure = |kind, what: String, remedy: String| Failure {
        kind,
        about: format!("{}:{}", waivers.file.path.display(), waiver.line),
        what: format!("the waiver of `{}` {what}", waiver.failure_group),
        remedy,
    };
    let Waiver { expires, owner, .. } = waiver;
    if met.cases.is_empty() {
        let past = if *expires < today {
            ", and is past its day"
        } else {
            ""
        };
        // A slip is in one of its words.
        let near = |shown: &&str| {
            let (own, shown) = (waiver.failure_group.split(' '), shown.split(' '));
            let differ = own.clone().zip(shown.clone()).filter(|(a, b)| a != b);
            differ.count() == 1 && own.count() == shown.count()
        };
        let groups = violations.shown.keys().map(|key| &*key.failure_group);
        let own = violations.shown.iter();
        let own = own.filter(|(key, _)| *key.failure_group == *waiver.failure_group);
        let ids = own.flat_map(|(_, all)| all.iter().map(|one| one.case.id.as_str()));
        let mut cases = waiver.cases.iter();
        let meant = cases
            .find_map(|case| did_you_mean(case, ids.clone()))
            .or_else(|| did_you_mean(&waiver.failure_group, groups.filter(near)));
        let meant = meant.map_or_else(String::new, |meant| format!("; {meant}"));
        let what = format!("hides nothing: {}{past}{meant}", nothing_shows(waiver));
        let remedy = "remove it, or let the same command with `--bless` propose that".to_owned();
        return vec![failure(Kind::WaiverUnused, what, remedy)];
    }
    if *expires < today {
        let show = if met.cases.len() == 1 {
            "shows"
        } else {
            "show"
        };
        let mut what = format!("held until {expires}, and {cases} still {show} it");
        let remedy =
            format!("fix it, or have its owner, {owner}, agree to a later day in `expires`");
        if let Some(case) = met.first {
            let parties: BTreeSet<&str> = met.keys.iter().map(|k| violations.parties(k)).collect();
            what += &format!(" on {}, first {case}", joined(parties, ", "));
        }
        return vec![failure(Kind::WaiverExpired, what, remedy)];
    }
    let mut all = Vec::new();
    let listed = waiver.cases.iter().map(String::as_str);
    let idle: Vec<&str> = listed.filter(|id| !met.cases.contains(id)).collect();
    // What was flaky in some may be in others next time.
    if !idle.is_empty() && !met.steady.is_empty() {
        let what = format!(
            "lists {} that {} not show it: {}",
            counted(idle.len(), "case"),
            if idle.len() == 1 { "does" } else { "do" },
            few(&idle)
        );
        let remedy = "take them out of its `cases`".to_owned();
        all.push(failure(Kind::WaiverBroad, what, remedy));
    }
    if waiver.cases.is_empty()
        && !met.steady.is_empty()
        && let Some(only) = met.cases.first().filter(|_| met.cases.len() == 1)
    {
        let what = "is for every case, and a single one shows it".to_owned();
        all.push(failure(
            Kind::WaiverBroad,
            what,
            format!("write `cases: [{}]`", quoted(only)),
        ));
    }
    // All are of its one failure group: they differ in their parties.
    if waiver.pair.is_none()
        && let Some(only) = met.keys.first().filter(|_| met.keys.len() == 1)
    {
        let only = violations.parties(only);
        let what = format!("is for any pair, and all that it hides is of {only}");
        all.push(failure(
            Kind::WaiverBroad,
            what,
            format!("write `pair: {only}`"),
        ));
    }
    all
}

fn nothing_shows(waiver: &Waiver) -> String {
    match (&waiver.cases[..], &waiver.pair) {
        ([], None) => "no case shows it".to_owned(),
        ([], Some(pair)) => format!("no case shows it on {pair}"),
        ([only], _) => format!("{only} does not show it"),
        (several, _) => format!("none of its {} shows it", counted(several.len(), "case")),
    }
}

/// The entry of a file of waivers that hides those of `open`, which are of one violation of
/// `parties`: what people have to say is left to them, and no day is one that is read. One
/// without its cases would hide those that come to show it.
pub(crate) fn entry(open: &[Open<'_>], parties: &str) -> String {
    /// Columns of a line.
    const MOST: usize = 100;
    let group = quoted(&open[0].key.failure_group);
    let mut cases = "    cases: [".to_owned();
    let mut column = 0;
    let shown = open.iter().flat_map(|open| &open.shown);
    for (at, occurrence) in shown.enumerate() {
        let id = quoted(&occurrence.case.id);
        let before = match at {
            0 => "",
            _ if column + id.len() + 3 > MOST => ",\n      ",
            _ => ", ",
        };
        cases += &format!("{before}{id}");
        column = cases.len() - cases.rfind('\n').map_or(0, |end| end + 1);
    }
    format!(
        "  - failure-group: {group}\n    pair: {}\n{cases}]\n    cause: WHY\n    \
         reference: WHERE\n    owner: WHO\n    expires: YYYY-MM-DD\n",
        quoted(parties)
    )
}

/// A name as YAML takes it, also in a list, whatever is in it.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+: ".contains(c);
    let is_key = name.contains(": ") || name.ends_with([':', ' ']);
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if name.chars().all(plain) && begins && !is_key {
        return name.to_owned();
    }
    let mut text = Vec::new();
    // Memory takes all that is written to it.
    let _ = consumer::json(&mut text, &name);
    String::from_utf8_lossy(text.trim_ascii_end()).into_owned()
}

/// The first few of `names`, and how many more there are.
pub(crate) fn few(names: &[&str]) -> String {
    const NAMED: usize = 3;
    let named = joined(names.iter().take(NAMED), ", ");
    match names.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}
