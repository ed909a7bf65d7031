//! What a record shows of an implementation: which cases it failed and what it left.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_isa::{Party, Role, Schedule};
use ptodiff_record::{CaseRecord, Finding, TargetRecord, TargetVerdict};

/// What one case shows of a party that failed it: values in slots, guard zones that
/// changed, and what its checks did.
pub(crate) type Shown = BTreeSet<Wrong>;

/// One thing that is wrong.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Wrong {
    /// An operand, the byte of it where an element begins, and the bits found there.
    Slot(Role, i64, String),
    /// So many slots of the output, and a digest of them; a record shows a few.
    Slots(u64, u32),
    /// A call that is run or rejected and should not be, in words.
    Checked(String),
    /// Anything else, in words.
    Said(String),
}

/// What the cases of a run show of one implementation.
#[derive(Clone, Debug)]
pub struct Evidence {
    party: Party,
    /// By the number of a failure group: cases by id, with what each shows. Those that fail
    /// under another schedule only show nothing.
    failed: BTreeMap<usize, BTreeMap<String, Shown>>,
    /// Ids of the cases that conform, or that it rejects as it should.
    pub(crate) passed: BTreeSet<String>,
}

impl Evidence {
    /// Nothing yet of `party`.
    #[must_use]
    pub const fn of(party: Party) -> Self {
        Self {
            party,
            failed: BTreeMap::new(),
            passed: BTreeSet::new(),
        }
    }

    /// The implementation.
    #[must_use]
    pub const fn party(&self) -> &Party {
        &self.party
    }

    /// Whether it failed a case in a way that another model could repeat.
    #[must_use]
    pub fn has_failures(&self) -> bool {
        self.failures().next().is_some()
    }

    /// Ids of the cases that it failed so.
    pub fn failures(&self) -> impl Iterator<Item = &str> {
        let all = self.failed.values().flatten();
        let seen = all.filter(|(_, shown)| !shown.is_empty());
        seen.map(|(id, _)| id.as_str())
    }

    /// The cases of the failure groups with these numbers, and what each shows.
    pub(crate) fn of_groups(&self, numbers: &[usize]) -> BTreeMap<String, Shown> {
        let each = numbers.iter().filter_map(|number| self.failed.get(number));
        each.flatten()
            .map(|(id, shown)| (id.clone(), shown.clone()))
            .collect()
    }

    /// Takes in what came of a case, which shows the failure groups with these numbers.
    pub fn add(&mut self, case: &CaseRecord, numbers: impl IntoIterator<Item = usize>) {
        let Some(record) = case.targets.get(&self.party) else {
            return;
        };
        match record.verdict {
            TargetVerdict::Conforms | TargetVerdict::Rejected => {
                self.passed.insert(case.id.clone());
            }
            TargetVerdict::Violates => {
                let Some(shown) = shown(&self.party, record) else {
                    return;
                };
                for number in numbers {
                    let group = self.failed.entry(number).or_default();
                    group.insert(case.id.clone(), shown.clone());
                }
            }
            _ => {}
        }
    }
}

/// What `record` shows of `party` under the first schedule, the one that explanations are run
/// under; none where it ended without a result.
pub(crate) fn shown(party: &Party, record: &TargetRecord) -> Option<Shown> {
    let first = Schedule::InOrder.to_string();
    let is_first = |finding: &&Finding| finding.schedule.as_ref().is_none_or(|of| *of == first);
    let seen = record.findings.iter().filter(|finding| is_seen(finding));
    let seen = seen.filter(is_first);
    let mut all: Shown = seen.clone().map(|f| one(party, f)).collect::<Option<_>>()?;
    let mut slots = seen.filter(|f| f.slot.is_some() && !f.is_of_scratch());
    // Under another schedule there may be more.
    let wrong = record.wrong.filter(|_| slots.next().is_some());
    all.extend(wrong.and_then(|wrong| Some(Wrong::Slots(wrong.slots, wrong.digest?))));
    Some(all)
}

/// Whether `left` is what is `wanted`, of an older record as far as it shows.
pub(crate) fn is_same(left: &Shown, wanted: &Shown) -> bool {
    left == wanted || all_slots(wanted).is_none() && left.iter().filter(is_one).eq(wanted)
}

/// How many values `left` and `wanted` have in common, of how many, and how many others `left`
/// has. Those that are not shown count, too; where one has more than twice as many as the other,
/// the same ones are so by chance.
pub(crate) fn in_common(left: &Shown, wanted: &Shown) -> (usize, usize, usize) {
    let count = |shown: &Shown| {
        let values = shown.iter().filter(is_one).count();
        (values, all_slots(shown).unwrap_or(values).max(values))
    };
    let same = left.intersection(wanted).filter(is_one).count();
    let ((values, all), (shown, of)) = (count(left), count(wanted));
    match same == values && same == shown {
        _ if all > 2 * of || of > 2 * all => (0, of, all),
        true => (same, of, all.saturating_sub(of)),
        false => (same, shown, all.saturating_sub(of).max(values - same)),
    }
}

/// Whether it is one thing, not all of them.
pub(crate) const fn is_one(wrong: &&Wrong) -> bool {
    !matches!(wrong, Wrong::Slots(..))
}

fn all_slots(shown: &Shown) -> Option<usize> {
    shown.iter().find_map(|wrong| match wrong {
        Wrong::Slots(slots, _) => Some(*slots as usize),
        _ => None,
    })
}

/// Whether it shows in what a process answers, which does not tell where it read.
pub(crate) fn is_seen(finding: &Finding) -> bool {
    place(finding) != "out-of-bounds"
}

/// The kind of place: the third word of the failure group.
fn place(finding: &Finding) -> &str {
    finding.failure_group.split(' ').nth(2).unwrap_or_default()
}

fn one(party: &Party, finding: &Finding) -> Option<Wrong> {
    if let Some(slot) = &finding.slot {
        let got = slot.got.get(party)?;
        return Some(Wrong::Slot(slot.role, slot.offset, got.bits.clone()));
    }
    let said = finding.what.clone();
    match place(finding) {
        "guard" | "input" => Some(Wrong::Said(said)),
        "rejection" => Some(Wrong::Checked(said)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_slots_among_many_more_are_near_to_nothing() {
        let shown = |own: &[i64], slots| -> Shown {
            let own = own.iter().map(|n| Wrong::Slot(Role::Table, *n, "0".into()));
            own.chain([Wrong::Slots(slots, 0)]).collect()
        };
        let wanted = shown(&[0, 4], 100);
        assert_eq!(in_common(&shown(&[0, 4], 120), &wanted), (2, 100, 20));
        assert_eq!(in_common(&shown(&[0, 4, 8], 120), &wanted), (2, 2, 20));
        assert_eq!(in_common(&shown(&[0, 4], 201), &wanted).0, 0);
        assert_eq!(in_common(&shown(&[0, 4, 8], 49), &wanted).0, 0);
    }
}
