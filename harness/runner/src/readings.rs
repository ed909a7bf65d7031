//! Which readings matter for a case: under which other choice a target
//! answers differently.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use ptodiff_case::HolePlace;
use ptodiff_contract::{Broken, Enforced, Permit, Permits, Promise, Question, Telling};
use ptodiff_isa::{
    Call, How, Memory, Model, Readings, Schedule, Target,
    reading::{GAPS, Gap},
};
use ptodiff_judge::Answer;
use ptodiff_record::ReadingUse;

use crate::{Room, concern::may_matter, execute};

/// The parameters that matter for `call` on `models`, with `readings` in force.
pub(crate) fn that_matter(
    call: &Call,
    steps: &[Memory],
    readings: &Readings,
    models: &[&dyn Model],
) -> Vec<ReadingUse> {
    let mut asked = Asked::new(call, steps, readings, models);
    GAPS.iter().filter_map(|gap| asked.use_of(gap)).collect()
}

/// A call whose readings are asked about.
pub(crate) struct Asked<'a> {
    call: &'a Call,
    steps: &'a [Memory],
    readings: &'a Readings,
    /// Each model with what it makes of the call under the readings in force.
    models: Vec<(&'a dyn Model, Option<Account>)>,
    desk: Desk,
}

/// Memory that is used from one answer to the next.
#[derive(Default)]
struct Desk {
    room: Room,
    promise: Promise,
}

impl<'a> Asked<'a> {
    /// About `call` on `models`, with `readings` in force.
    pub(crate) fn new(
        call: &'a Call,
        steps: &'a [Memory],
        readings: &'a Readings,
        models: &[&'a dyn Model],
    ) -> Self {
        Self {
            call,
            steps,
            readings,
            models: models.iter().map(|m| (*m, None)).collect(),
            desk: Desk::default(),
        }
    }

    fn use_of(&mut self, gap: &Gap) -> Option<ReadingUse> {
        let choice = self.readings.choice(gap.name)?;
        let mut differs_under: BTreeMap<String, Vec<Target>> = BTreeMap::new();
        self.differences(gap, |target, choice, _| {
            let targets = differs_under.entry(choice.to_owned()).or_default();
            targets.push(target);
        });
        (!differs_under.is_empty()).then(|| ReadingUse {
            gap: gap.name.to_owned(),
            clauses: gap.clauses.iter().map(ToString::to_string).collect(),
            choice: choice.to_owned(),
            differs_under,
            verdict_under: BTreeMap::new(),
        })
    }

    /// Calls `found` with each target and other choice for `gap` under which
    /// something else comes of the call, and what is different.
    pub(crate) fn differences(
        &mut self,
        gap: &Gap,
        mut found: impl FnMut(Target, &str, HolePlace),
    ) {
        let (call, steps, readings, desk) = (self.call, self.steps, self.readings, &mut self.desk);
        let matters = |target| may_matter(gap, call, steps, target);
        let models = self.models.iter_mut();
        let mut concerned: Vec<_> = models.filter(|(m, _)| matters(m.target())).collect();
        let Some(choice) = readings.choice(gap.name) else {
            return;
        };
        for other in gap.choices.iter().filter(|c| **c != choice) {
            let mut changed = *readings;
            if changed.set(gap.name, other).is_err() {
                continue;
            }
            for (model, own) in &mut concerned {
                let own = own.get_or_insert_with(|| account(desk, *model, call, steps, readings));
                let theirs = account(desk, *model, call, steps, &changed);
                if let Some(place) = own.difference(&theirs) {
                    found(model.target(), other, place);
                }
            }
        }
    }
}

/// What a target makes of a call, as far as a reading can change it.
#[derive(PartialEq)]
enum Account {
    Refused,
    Undefined,
    /// Holds these bytes; what it may hold, as a digest.
    Ran(Vec<u8>, Option<u64>),
    Hung,
    Fault,
}

impl Account {
    /// In what two accounts of one call differ, if they do.
    fn difference(&self, other: &Self) -> Option<HolePlace> {
        match (self, other) {
            _ if self == other => None,
            (Self::Ran(own, _), Self::Ran(theirs, _)) if own != theirs => Some(HolePlace::Result),
            (Self::Refused, _) | (_, Self::Refused) => Some(HolePlace::Refusal),
            (Self::Hung, _) | (_, Self::Hung) => Some(HolePlace::Hang),
            _ => Some(HolePlace::Promise),
        }
    }
}

fn account(
    desk: &mut Desk,
    model: &dyn Model,
    call: &Call,
    steps: &[Memory],
    readings: &Readings,
) -> Account {
    let Desk { room, promise } = desk;
    match execute::check(model, call, readings) {
        Err(_) => return Account::Fault,
        Ok(refusals) if !refusals.is_empty() => return Account::Refused,
        Ok(_) => {}
    }
    let question = Question {
        call,
        target: model.target(),
        readings,
        telling: Telling::Brief,
    };
    promise.of_call(&question);
    let by_caller = |b: &Broken| b.enforced == Enforced::ByCaller;
    if promise.legality().iter().any(by_caller) {
        return Account::Undefined;
    }
    promise.of_data(&question, steps);
    if !promise.duties().is_empty() {
        return Account::Undefined;
    }
    let how = How {
        schedule: Schedule::InOrder,
        readings: *readings,
    };
    match execute::execute(room, model, call, steps, &how) {
        Answer::Ran(ran) => {
            let output = ran.memory.get(call.output());
            let bytes = output.map(|r| r.bytes().to_vec()).unwrap_or_default();
            room.take_memory(ran.memory);
            Account::Ran(bytes, promise.permits().map(digest))
        }
        Answer::Hung(_) => Account::Hung,
        // A model has no other answer that is none.
        _ => Account::Fault,
    }
}

/// What `permits` lets each slot hold, whatever the clauses.
fn digest(permits: &Permits) -> u64 {
    let mut hasher = DefaultHasher::new();
    let pool = |at: usize, len: usize| &permits.pool[at..at + len];
    for operand in &permits.operands {
        (operand.role, operand.guards_free.is_some()).hash(&mut hasher);
        let size = operand.dtype.size();
        // Runs that differ in their clauses only are one.
        let mut exact_until = None;
        for run in &operand.runs {
            let exactly = matches!(run.permit, Permit::Exactly { .. }) && run.or_kept.is_none();
            if !exactly || exact_until != Some(run.offset) {
                (run.offset, run.or_kept.is_some()).hash(&mut hasher);
            }
            exact_until = exactly.then_some(run.offset + run.len);
            match run.permit {
                Permit::Exactly { at } => hasher.write(pool(at, run.len)),
                Permit::OneOf { at, count } => {
                    (run.len, count, pool(at, run.len * count)).hash(&mut hasher);
                }
                Permit::Between { low, high } => {
                    ("from", pool(low, size), pool(high, size)).hash(&mut hasher);
                }
                Permit::Anything => ("anything", run.len).hash(&mut hasher),
            }
        }
    }
    permits.strays.is_some().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// Every so many cases of the corpus: all of them would take minutes.
    const STEP: usize = 7;

    #[test]
    fn a_gap_that_is_passed_over_changes_nothing() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases");
        let cases = ptodiff_case::load(&[root]).expect("the cases read").cases;
        let (mut asked, mut desk) = (0, Desk::default());
        for case in cases.iter().step_by(STEP) {
            let steps = ptodiff_generate::stimulus(case, 0).steps;
            for model in crate::models() {
                let mut of =
                    |readings: &Readings| account(&mut desk, model, &case.call, &steps, readings);
                let own = of(&case.readings);
                for gap in GAPS {
                    if may_matter(gap, &case.call, &steps, model.target()) {
                        continue;
                    }
                    for choice in gap.choices {
                        let mut other = case.readings;
                        other.set(gap.name, choice).expect("a choice of the gap");
                        let same = other == case.readings || of(&other) == own;
                        assert!(same, "{} {} {}", case.id, model.target(), gap.name);
                        asked += 1;
                    }
                }
            }
        }
        assert!(asked > 10_000, "{asked}");
    }
}
