//! Two records side by side: cases that are new, gone, or came to something else.

mod html;
mod markdown;
mod text;

use std::collections::{BTreeMap, HashMap};

use ptodiff_isa::Party;
use ptodiff_record::{CaseRecord, Header, PairVerdict, TargetRecord, TargetVerdict, Verdict};

pub use html::write_diff_html;
pub use markdown::write_diff_markdown;
pub use text::write_diff;

/// A record with the name that it is shown under.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// As the reader knows it: a path.
    pub name: &'a str,
    /// Its header.
    pub header: &'a Header,
    /// Its cases.
    pub cases: &'a [CaseRecord],
}

/// How two records differ.
#[derive(Clone, Debug)]
pub struct RunDiff<'a> {
    /// Names of the two, the earlier first.
    pub names: [&'a str; 2],
    /// What the two runs were told differently.
    pub told: Vec<Part>,
    /// Cases of the second alone, in its order.
    pub new: Vec<&'a CaseRecord>,
    /// Cases of the first alone, in its order.
    pub gone: Vec<&'a CaseRecord>,
    /// Cases that came to something else: those that are worse first, then in
    /// the order of the second.
    pub changed: Vec<Change<'a>>,
    /// How many came to the same.
    pub same: usize,
}

/// A case that came to something else.
#[derive(Clone, Debug)]
pub struct Change<'a> {
    /// In the first record.
    pub before: &'a CaseRecord,
    /// In the second.
    pub after: &'a CaseRecord,
    /// Parties (`a5`) and pairs (`cpu/a5`) whose verdicts differ.
    pub parts: Vec<Part>,
    /// Failure groups that were not there before.
    pub appeared: Vec<&'a str>,
    /// Failure groups that are not there any more.
    pub vanished: Vec<&'a str>,
    /// Whether it is a violation and was none, shows one by a failure group that it
    /// did not show, or shows less than it did: it compares nothing any more,
    /// or it or a party of it has no result any more.
    pub worse: bool,
}

/// Something that has a word in each record, or in one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// What.
    pub name: String,
    /// In the first record.
    pub before: Option<String>,
    /// In the second.
    pub after: Option<String>,
}

impl RunDiff<'_> {
    /// Whether no case is new, gone or changed. What the runs were told may
    /// differ all the same.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.new.is_empty() && self.gone.is_empty() && self.changed.is_empty()
    }

    /// Whether the second is worse: a case is gone, a new one is a violation,
    /// or one is a violation that it was not or shows less than it did.
    #[must_use]
    pub fn regressed(&self) -> bool {
        !self.gone.is_empty()
            || self
                .new
                .iter()
                .any(|case| case.verdict == Verdict::Violation)
            || self.changed.iter().any(|change| change.worse)
    }
}

/// Compares two records, the earlier first.
#[must_use]
pub fn compare<'a>(before: Named<'a>, after: Named<'a>) -> RunDiff<'a> {
    let old: HashMap<&str, &CaseRecord> = by_id(before.cases);
    let new: HashMap<&str, &CaseRecord> = by_id(after.cases);
    let mut changed = Vec::new();
    let mut same = 0;
    for case in after.cases {
        let Some(earlier) = old.get(case.id.as_str()) else {
            continue;
        };
        match change(earlier, case) {
            Some(change) => changed.push(change),
            None => same += 1,
        }
    }
    changed.sort_by_key(|change| !change.worse);
    let not_in =
        |cases: &'a [CaseRecord], other: &HashMap<&str, &CaseRecord>| -> Vec<&'a CaseRecord> {
            cases
                .iter()
                .filter(|case| !other.contains_key(case.id.as_str()))
                .collect()
        };
    RunDiff {
        names: [before.name, after.name],
        told: parts(told(before.header), told(after.header)),
        new: not_in(after.cases, &old),
        gone: not_in(before.cases, &new),
        changed,
        same,
    }
}

fn by_id(cases: &[CaseRecord]) -> HashMap<&str, &CaseRecord> {
    cases.iter().map(|case| (case.id.as_str(), case)).collect()
}

fn change<'a>(before: &'a CaseRecord, after: &'a CaseRecord) -> Option<Change<'a>> {
    let (old, new) = (failure_groups(before), failure_groups(after));
    let only = |in_one: &BTreeMap<&'a str, bool>, other: &BTreeMap<&str, bool>| -> Vec<&'a str> {
        in_one
            .keys()
            .filter(|s| !other.contains_key(*s))
            .copied()
            .collect()
    };
    let (appeared, vanished) = (only(&new, &old), only(&old, &new));
    let parts = parts(words(before), words(after));
    if before.verdict == after.verdict
        && parts.is_empty()
        && appeared.is_empty()
        && vanished.is_empty()
    {
        return None;
    }
    let newly_wrong = new
        .iter()
        .any(|(s, wrong)| *wrong && old.get(s) != Some(&true));
    let violates = |case: &CaseRecord| case.verdict == Verdict::Violation;
    Some(Change {
        before,
        after,
        parts,
        appeared,
        vanished,
        worse: newly_wrong || violates(after) && !violates(before) || shows_less(before, after),
    })
}

/// Whether a result is gone that nobody found wrong. A run in which nothing is
/// compared is as green as one in which all agree: whoever compares two runs
/// must hear of it, as of a case that is gone.
fn shows_less(before: &CaseRecord, after: &CaseRecord) -> bool {
    let lost = |(party, was): (&Party, &TargetRecord)| {
        // A party that takes no part was not asked: an implementation has another name, say.
        let is = after.targets.get(party).map(|t| t.verdict);
        was.verdict == TargetVerdict::Conforms && is.is_some_and(without_result)
    };
    worth(after.verdict) < worth(before.verdict) || before.targets.iter().any(lost)
}

/// How much a verdict shows that a change can lose.
const fn worth(verdict: Verdict) -> u8 {
    match verdict {
        // What was wrong loses nothing, and what becomes wrong is worse anyway.
        Verdict::Violation | Verdict::Rejected | Verdict::Undefined | Verdict::Hangs => 0,
        Verdict::Single => 1,
        Verdict::Agree | Verdict::Permitted => 2,
    }
}

const fn without_result(verdict: TargetVerdict) -> bool {
    match verdict {
        TargetVerdict::Rejected
        | TargetVerdict::Undefined
        | TargetVerdict::Hangs
        | TargetVerdict::Unsupported => true,
        TargetVerdict::Conforms | TargetVerdict::Violates => false,
    }
}

/// The failure groups of a case, and whether each is of a violation.
fn failure_groups(case: &CaseRecord) -> BTreeMap<&str, bool> {
    let findings = case.targets.values().flat_map(|target| &target.findings);
    let mut all: BTreeMap<&str, bool> = findings
        .map(|finding| (finding.failure_group.as_str(), true))
        .collect();
    for pair in &case.pairs {
        for failure_group in &pair.failure_groups {
            *all.entry(failure_group).or_default() |= pair.verdict == PairVerdict::Violation;
        }
    }
    all
}

type Words = Vec<(String, String)>;

/// The verdicts of the parties and pairs of a case.
fn words(case: &CaseRecord) -> Words {
    let parties = case
        .targets
        .iter()
        .map(|(party, t)| (party.to_string(), t.verdict.to_string()));
    let pairs = case.pairs.iter();
    let pairs = pairs.map(|p| {
        (
            format!("{}/{}", p.targets.0, p.targets.1),
            p.verdict.to_string(),
        )
    });
    parties.chain(pairs).collect()
}

fn told(header: &Header) -> Words {
    let targets: Vec<String> = header.targets.iter().map(ToString::to_string).collect();
    let mut all = vec![
        ("version".to_owned(), header.version.clone()),
        ("seed".to_owned(), header.seed.to_string()),
        ("schedules".to_owned(), header.schedules.to_string()),
        ("targets".to_owned(), targets.join(" ")),
        ("all readings".to_owned(), header.all_readings.to_string()),
    ];
    let data = header.st_data.iter();
    all.extend(data.map(|data| ("data".to_owned(), data.folder.clone())));
    let readings = header.readings.iter();
    all.extend(readings.map(|(gap, choice)| (format!("reading {gap}"), choice.clone())));
    let part = header.part.iter();
    all.extend(part.map(|part| ("part".to_owned(), part.partition.to_string())));
    all
}

/// What differs between two lists of words.
fn parts(before: Words, after: Words) -> Vec<Part> {
    let mut old: BTreeMap<String, String> = before.into_iter().collect();
    let mut all = Vec::new();
    for (name, after) in after {
        let before = old.remove(&name);
        if before.as_ref() != Some(&after) {
            let after = Some(after);
            all.push(Part {
                name,
                before,
                after,
            });
        }
    }
    all.extend(old.into_iter().map(|(name, before)| Part {
        name,
        before: Some(before),
        after: None,
    }));
    all
}

impl Part {
    /// The two words; `none` where there is none.
    fn words(&self) -> [&str; 2] {
        [&self.before, &self.after].map(|word| word.as_deref().unwrap_or("none"))
    }
}

/// `2 new, 1 gone, 3 changed of which 1 is worse, 40 the same`.
fn counts(diff: &RunDiff<'_>) -> String {
    let worse = diff.changed.iter().filter(|change| change.worse).count();
    let worse = match worse {
        0 => String::new(),
        1 => " of which 1 is worse".to_owned(),
        n => format!(" of which {n} are worse"),
    };
    format!(
        "{} new, {} gone, {} changed{worse}, {} the same",
        diff.new.len(),
        diff.gone.len(),
        diff.changed.len(),
        diff.same
    )
}
