//! Two records side by side: cases that are new, gone, or came to something else.

mod case_result;
mod html;
mod markdown;
mod text;

use std::collections::BTreeMap;

use indexmap::IndexMap;
use ptodiff_isa::{Party, Target, reading::GAPS};
use ptodiff_record::{
    CaseRecord, Header, ImplementationRecord, PairVerdict, TargetVerdict, Verdict, counted, joined,
};
use serde::Serialize;
use strum::VariantArray as _;

use case_result::{CaseResult, text, values};
pub use html::write_diff_html;
pub use markdown::write_diff_markdown;
pub use text::write_diff;

/// How two records differ.
#[derive(Clone, Debug, Serialize)]
pub struct RunDiff<'a> {
    /// Names of the two, the earlier first.
    pub names: [&'a str; 2],
    /// What the two runs were told differently.
    pub told: Vec<Part>,
    /// Cases of the second alone, in its order.
    pub new: Vec<Case>,
    /// Cases of the first alone, in its order.
    pub gone: Vec<Case>,
    /// Cases that came to something else: those that are worse first, then in
    /// the order of the second.
    pub changed: Vec<Change>,
    /// Further ones that are gone or came to something else only because a party took part in
    /// one of the two runs, in a sentence. None of them is worse.
    pub by_parties: Option<String>,
    /// Whether one that changed is worse.
    pub worse: bool,
    /// `2 new, 1 gone, 3 changed of which 1 is worse, 40 the same, 1 of them with another text`.
    pub counts: String,
}

/// A case that is in one of two records.
#[derive(Clone, Debug, Serialize)]
pub struct Case {
    /// Its id.
    pub id: String,
    /// Its file.
    pub file: String,
    /// Its line there.
    pub line: u32,
    /// What came of it.
    pub verdict: Verdict,
}

impl Case {
    fn of(case: &CaseRecord) -> Self {
        Self {
            id: case.id.clone(),
            file: case.file.clone(),
            line: case.line,
            verdict: case.verdict,
        }
    }
}

/// A case that came to something else.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// In the second record.
    pub case: Case,
    /// What came of it in the first record.
    pub before: Verdict,
    /// Parties (`a5`) and pairs (`cpu/a5`) whose verdicts differ, and parameters of the call
    /// that do.
    pub parts: Vec<Part>,
    /// Failure groups that were not there before.
    pub appeared: Vec<String>,
    /// Failure groups that are not there any more.
    pub vanished: Vec<String>,
    /// Whether it is a violation and was none, shows one by a failure group that it
    /// did not show, or shows less than it did: it or two parties of it compare nothing any
    /// more, or it or a party of it has no result any more.
    pub worse: bool,
    /// Whether it shows a violation by a failure group that it did not show.
    #[serde(skip)]
    newly_wrong: bool,
}

impl Change {
    /// Whether another case changed in the same way.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let what = |change: &Self| (change.worse, change.before, change.case.verdict);
        what(self) == what(other)
            && self.parts == other.parts
            && self.appeared == other.appeared
            && self.vanished == other.vanished
    }
}

/// Something that has a word in each record, or in one: `none` in the other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Part {
    /// What.
    pub name: String,
    /// In the first record.
    pub before: String,
    /// In the second.
    pub after: String,
}

impl RunDiff<'_> {
    /// Of the cases that changed in the same way the first, and how many more there are.
    pub(crate) fn alike(&self) -> Vec<(&Change, usize)> {
        let mut told: Vec<(&Change, usize)> = Vec::new();
        for change in &self.changed {
            match told.iter_mut().find(|(first, _)| first.is_like(change)) {
                Some((_, more)) => *more += 1,
                None => told.push((change, 0)),
            }
        }
        told
    }

    /// Whether no case is new, gone or changed. What the runs were told may
    /// differ all the same.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.new.is_empty()
            && self.gone.is_empty()
            && self.changed.is_empty()
            && self.by_parties.is_none()
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
            || self.worse
    }
}

/// Compares two records, the earlier first, each with the name that it is shown under.
#[must_use]
pub fn compare<'a>(
    names: [&'a str; 2],
    headers: [&Header; 2],
    [before, after]: [&[CaseRecord]; 2],
) -> RunDiff<'a> {
    let mut all = Comparison::of(headers);
    before.iter().for_each(|case| all.before(case, true));
    after.iter().for_each(|case| all.after(case, true));
    all.done(names, headers)
}

/// Two records as they are read: all cases of the earlier, then all of the later.
#[derive(Debug, Default)]
pub struct Comparison {
    /// By id, in the order of the record.
    old: IndexMap<String, Old>,
    new: Vec<Case>,
    changed: Vec<Change>,
    same: usize,
    /// Of the same those whose texts differ.
    rewritten: usize,
    /// Of the same those that hold something else where nothing is promised, and those in which
    /// other values are wrong.
    others: [usize; 2],
    /// Implementations that have another name in the later record.
    renamed: Vec<[Party; 2]>,
}

/// A case of the earlier record.
#[derive(Debug)]
struct Old {
    case: Case,
    result: CaseResult,
    text: Option<u64>,
    values: [u64; 2],
    taken: bool,
    /// Whether the later record has it, too.
    seen: bool,
}

/// The implementations of a target that have one name in the one run and another in the other,
/// where there is one of each: they are taken for the same.
fn renamed([before, after]: [&Header; 2]) -> Vec<[Party; 2]> {
    let only = |own: &Header, other: &Header, target| {
        let known = |party: &Party| other.implementations.iter().any(|i| i.party == *party);
        let parties = own.implementations.iter().map(|i| &i.party);
        let mut own = parties.filter(|p| p.target == target && !known(p));
        own.next().filter(|_| own.next().is_none()).cloned()
    };
    let of = |target: &Target| Some([only(before, after, *target)?, only(after, before, *target)?]);
    Target::VARIANTS.iter().filter_map(of).collect()
}

impl Comparison {
    /// Of two records with these headers, the earlier first.
    #[must_use]
    pub fn of(headers: [&Header; 2]) -> Self {
        Self {
            renamed: renamed(headers),
            ..Self::default()
        }
    }

    /// Adds the next case of the earlier record. Of cases that are `taken` in
    /// neither record nothing is said.
    pub fn before(&mut self, case: &CaseRecord, taken: bool) {
        let old = Old {
            case: Case::of(case),
            result: CaseResult::of(case, &self.renamed),
            text: text(case),
            values: values(case),
            taken,
            seen: false,
        };
        self.old.insert(case.id.clone(), old);
    }

    /// Adds the next case of the later record.
    pub fn after(&mut self, case: &CaseRecord, taken: bool) {
        let Some(old) = self.old.get_mut(&case.id) else {
            if taken {
                self.new.push(Case::of(case));
            }
            return;
        };
        old.seen = true;
        if !taken && !old.taken {
            return;
        }
        let result = CaseResult::of(case, &[]);
        match old.result == result {
            true => {
                let differ = |was| text(case).is_some_and(|is| is != was);
                self.rewritten += usize::from(old.text.is_some_and(differ));
                for (n, (was, is)) in old.values.iter().zip(values(case)).enumerate() {
                    self.others[n] += usize::from(*was != is);
                }
                self.same += 1;
            }
            false => self
                .changed
                .push(change(&old.result, &result, Case::of(case))),
        }
    }

    /// How they differ.
    #[must_use]
    pub fn done<'a>(self, names: [&'a str; 2], headers: [&Header; 2]) -> RunDiff<'a> {
        let mut in_one = in_one(headers);
        let renamed: Vec<String> = self
            .renamed
            .iter()
            .flatten()
            .map(ToString::to_string)
            .collect();
        in_one.retain(|party| !renamed.contains(party));
        let (by_parties, mut changed): (Vec<_>, Vec<_>) = self
            .changed
            .into_iter()
            .partition(|change| change.is_of(&in_one));
        changed.sort_by_key(|change| !change.worse);
        let worse = of_which_worse(&changed);
        let gone = self.old.into_values();
        let gone = gone.filter(|old| !old.seen && old.taken);
        // Nothing that took part in both was asked for them.
        let (not_run, gone): (Vec<_>, Vec<_>) = gone.partition(|old| {
            let mut parties = old.result.parties.keys();
            !in_one.is_empty() && parties.all(|party| is_one_of(&in_one, &party.to_string()))
        });
        let gone: Vec<Case> = gone.into_iter().map(|old| old.case).collect();
        let [before, after] = headers;
        // Another version may write the same case in other words.
        let rewritten = match self.rewritten {
            n if n > 0 && before.version == after.version => {
                format!(", {n} of them with another text")
            }
            _ => String::new(),
        };
        let others = self.others.iter().zip([
            "with other values where nothing is promised",
            "with other values that are wrong",
        ]);
        let others = others.filter(|(n, _)| **n > 0);
        let others: String = others
            .map(|(n, how)| format!(", {n} of them {how}"))
            .collect();
        let counts = format!(
            "{} new, {} gone, {} changed{worse}, {} the same{rewritten}{others}",
            self.new.len(),
            gone.len() + not_run.len(),
            changed.len() + by_parties.len(),
            self.same
        );
        let of_these = [(by_parties.len(), "changed"), (not_run.len(), "gone")];
        let of_these = of_these.into_iter().filter(|(n, _)| *n > 0);
        let of_these = of_these.map(|(n, word)| format!("{} {word}", counted(n as u64, "case")));
        let cases = joined(of_these, ", ");
        let by_parties = (!cases.is_empty()).then(|| {
            let of = in_one.join(", ");
            format!("{cases}: {of} took part in one run alone")
        });
        RunDiff {
            names,
            told: parts(told(before, after), told(after, before)),
            counts,
            new: self.new,
            gone,
            changed,
            by_parties,
            worse: !worse.is_empty(),
        }
    }
}

fn of_which_worse(changed: &[Change]) -> String {
    match changed.iter().filter(|change| change.worse).count() {
        0 => String::new(),
        1 => " of which 1 is worse".to_owned(),
        n => format!(" of which {n} are worse"),
    }
}

/// The targets and implementations that took part in one of two runs.
fn in_one([before, after]: [&Header; 2]) -> Vec<String> {
    let parties = |header: &Header| -> Vec<String> {
        let targets = header.targets.iter().map(ToString::to_string);
        let implementations = header.implementations.iter();
        targets
            .chain(implementations.map(|i| i.party.to_string()))
            .collect()
    };
    let [mut before, mut after] = [before, after].map(parties);
    let both: Vec<String> = before
        .extract_if(.., |party| after.contains(party))
        .collect();
    after.retain(|party| !both.contains(party));
    before.extend(after);
    before
}

impl Change {
    /// Whether it comes of nothing but who took part: of `parties`, and of no violation that is
    /// new.
    fn is_of(&self, parties: &[String]) -> bool {
        let of = |name: &str| name.split('/').any(|one| is_one_of(parties, one));
        // The second word of a failure group is a party or a pair.
        let group = |group: &String| group.split(' ').nth(1).is_some_and(of);
        !self.parts.is_empty()
            && !self.newly_wrong
            && self.appeared.iter().all(group)
            && self.parts.iter().all(|part| of(&part.name))
    }
}

/// Whether the party `name` is one of `parties`; a further form of a target goes with it.
fn is_one_of(parties: &[String], name: &str) -> bool {
    let target = name.split(':').next().unwrap_or_default();
    parties.iter().any(|party| party == name || party == target)
}

/// How what came of a case is another.
fn change(before: &CaseResult, after: &CaseResult, case: Case) -> Change {
    let (old, new) = (&before.failure_groups, &after.failure_groups);
    let only = |in_one: &BTreeMap<String, bool>, other: &BTreeMap<String, bool>| {
        let only = in_one.keys().filter(|s| !other.contains_key(*s));
        only.cloned().collect()
    };
    let newly_wrong = new
        .iter()
        .any(|(s, wrong)| *wrong && old.get(s) != Some(&true));
    let violates = |result: &CaseResult| result.verdict == Verdict::Violation;
    Change {
        case,
        before: before.verdict,
        parts: parts(words(before), words(after)),
        appeared: only(new, old),
        vanished: only(old, new),
        newly_wrong,
        worse: newly_wrong || violates(after) && !violates(before) || shows_less(before, after),
    }
}

/// Whether a result is gone that nobody found wrong, or is not asked for any more. A run in
/// which nothing is compared is as green as one in which all agree: whoever compares two runs
/// must hear of it, as of a case that is gone.
fn shows_less(before: &CaseResult, after: &CaseResult) -> bool {
    use TargetVerdict::{Conforms, Undefined, Unsupported, Violates};
    // A party that takes no part was not asked: an implementation has another name, say.
    let is = |party: &Party| after.parties.get(party).copied();
    let lost = |(party, was): (&Party, &TargetVerdict)| match is(party) {
        None | Some(Conforms | Violates) => false,
        Some(Unsupported) => !matches!(was, Undefined | Unsupported),
        Some(_) => *was == Conforms,
    };
    let ran = |party: &Party| matches!(is(party), Some(Conforms | Violates));
    let apart = |(pair, was): (&(Party, Party), &PairVerdict)| {
        matches!(was, PairVerdict::Agree | PairVerdict::Permitted)
            && after.pairs.get(pair) == Some(&PairVerdict::NotCompared)
            && ran(&pair.0)
            && ran(&pair.1)
    };
    worth(after.verdict) < worth(before.verdict)
        || before.parties.iter().any(lost)
        || before.pairs.iter().any(apart)
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

type Words = Vec<(String, String)>;

/// The verdicts of the parties and pairs of a case, and its call.
fn words(result: &CaseResult) -> Words {
    let call = result.call.iter();
    let call = call.map(|(name, own)| (format!("the call's {name}"), own.clone()));
    let parties = result.parties.iter();
    let parties = parties.map(|(party, verdict)| {
        let flaky = if result.flaky.contains(party) {
            ", flaky"
        } else {
            ""
        };
        (party.to_string(), format!("{verdict}{flaky}"))
    });
    let pairs = result.pairs.iter();
    let pairs = pairs.map(|((a, b), verdict)| (format!("{a}/{b}"), verdict.to_string()));
    call.chain(parties).chain(pairs).collect()
}

/// What a run was told, and of readings that the other was told those that were in force.
fn told(header: &Header, other: &Header) -> Words {
    let mut all = vec![
        ("version".to_owned(), header.version.clone()),
        ("seed".to_owned(), header.seed.to_string()),
        ("schedules".to_owned(), header.schedules.to_string()),
        ("targets".to_owned(), joined(&header.targets, " ")),
        ("all readings".to_owned(), header.all_readings.to_string()),
    ];
    let data = header.st_data.iter();
    all.extend(data.map(|data| ("data".to_owned(), data.folder.clone())));
    let implementations = joined(header.implementations.iter().map(|i| &i.party), " ");
    if !implementations.is_empty() {
        all.push(("implementations".to_owned(), implementations));
    }
    let in_both =
        |i: &&ImplementationRecord| other.implementations.iter().any(|o| o.party == i.party);
    let introduced = header.implementations.iter().filter(in_both);
    all.extend(introduced.map(|i| (i.party.to_string(), i.introduced.clone())));
    let told = |gap: &str| header.readings.iter().any(|(told, _)| told == gap);
    let default = |(gap, _): &(String, String)| {
        // It may be that of one target: `cpu:scope`.
        let name = gap.rsplit(':').next()?;
        let known = GAPS.iter().find(|known| known.name == name)?;
        let choice = format!("{} (or a case's own)", known.choices.first()?);
        Some((gap.clone(), choice))
    };
    let others = other.readings.iter().filter(|(gap, _)| !told(gap));
    let readings = header
        .readings
        .iter()
        .cloned()
        .chain(others.filter_map(default));
    all.extend(readings.map(|(gap, choice)| (format!("reading {gap}"), choice)));
    let left_out = header.left_out.iter();
    all.extend(left_out.map(|n| ("cases not begun".to_owned(), n.to_string())));
    let unjudged = header.st_data.iter().flat_map(|data| {
        let own = &data.unjudged;
        [
            ("folders with an error", own.broken.len()),
            ("cases without a folder", own.no_folder.len()),
            ("cases without an output.bin", own.no_output.len()),
        ]
    });
    let unjudged = unjudged.filter(|(_, count)| *count > 0);
    all.extend(unjudged.map(|(what, count)| (what.to_owned(), count.to_string())));
    let part = header.part.iter();
    all.extend(part.map(|part| ("part".to_owned(), part.partition.to_string())));
    all
}

/// What differs between two lists of words.
fn parts(before: Words, after: Words) -> Vec<Part> {
    let none = || "none".to_owned();
    let mut old: BTreeMap<String, String> = before.into_iter().collect();
    let mut all = Vec::new();
    for (name, after) in after {
        let before = old.remove(&name);
        if before.as_ref() != Some(&after) {
            let before = before.unwrap_or_else(none);
            all.push(Part {
                name,
                before,
                after,
            });
        }
    }
    all.extend(old.into_iter().map(|(name, before)| Part {
        name,
        before,
        after: none(),
    }));
    all
}
