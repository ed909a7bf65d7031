//! What came of a case in one of two records.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use ptodiff_isa::Party;
use ptodiff_record::{CaseRecord, PairVerdict, TargetVerdict, Verdict};

use crate::group::failure_groups;

/// What came of a case.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct CaseResult {
    pub(super) verdict: Verdict,
    /// What the call is, as its record has it.
    pub(super) call: BTreeMap<String, String>,
    pub(super) parties: BTreeMap<Party, TargetVerdict>,
    /// Those that were flaky: their verdict does not tell.
    pub(super) flaky: BTreeSet<Party>,
    /// Their order says nothing.
    pub(super) pairs: BTreeMap<(Party, Party), PairVerdict>,
    /// Its failure groups, and whether each is of a violation.
    pub(super) failure_groups: BTreeMap<String, bool>,
}

impl CaseResult {
    pub(super) fn of(case: &CaseRecord, renamed: &[[Party; 2]]) -> Self {
        let now = |party: &Party| {
            let mut all = renamed.iter();
            let found = all.find(|[old, _]| old == party);
            found.map_or(party, |[_, new]| new).clone()
        };
        let parties = case.targets.iter();
        let pairs = case.pairs.iter();
        // Implementations stand in the order in which they were named.
        let pairs = pairs.map(|p| {
            let mut two = [&p.targets.0, &p.targets.1].map(now);
            two.sort_unstable();
            (two.into(), p.verdict)
        });
        let groups = failure_groups(case).into_iter();
        let flaky = case.targets.iter().filter(|(_, t)| !t.flaky.is_empty());
        Self {
            verdict: case.verdict,
            call: case.call.clone(),
            parties: parties.map(|(party, t)| (now(party), t.verdict)).collect(),
            flaky: flaky.map(|(party, _)| now(party)).collect(),
            pairs: pairs.collect(),
            failure_groups: groups
                .map(|(group, wrong)| (told_by(group, renamed), wrong))
                .collect(),
        }
    }
}

/// What a failure group is the same by in two records: not by the words in which an
/// implementation rejects a call, nor by the name that it had before.
fn told_by(group: &str, renamed: &[[Party; 2]]) -> String {
    let mut words: Vec<String> = group.split(' ').map(str::to_owned).collect();
    if words.get(2).is_some_and(|kind| kind == "rejection")
        && let Some(said) = words.iter().position(|word| word.ends_with(':'))
    {
        words.truncate(said + 1);
        words[said].pop();
    }
    for [old, new] in renamed {
        let (old, new) = (old.to_string(), new.to_string());
        if let Some(parties) = words.get_mut(1) {
            let all = parties.split_inclusive(['/', '+']);
            *parties = all
                .map(|one| match one.trim_end_matches(['/', '+']) == old {
                    true => one.replace(&old, &new),
                    false => one.to_owned(),
                })
                .collect();
        }
    }
    words.join(" ")
}

/// What the case of a record is told from others by, data and expectations too; none where the
/// record has no text of it.
pub(super) fn text(case: &CaseRecord) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    case.detail.as_ref()?.yaml.hash(&mut hasher);
    Some(hasher.finish())
}

/// What it holds where nothing is promised, and what is wrong there, whoever holds it.
pub(super) fn values(case: &CaseRecord) -> [u64; 2] {
    let [mut open, mut wrong] = [DefaultHasher::new(), DefaultHasher::new()];
    for one in &case.unpromised {
        (&one.clause, one.slots, &one.at).hash(&mut open);
        one.got.values().for_each(|got| got.bits.hash(&mut open));
    }
    let all = case.targets.values().flat_map(|target| &target.wrong);
    all.for_each(|one| one.digest.hash(&mut wrong));
    [open, wrong].map(|hasher| hasher.finish())
}
