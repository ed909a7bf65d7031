//! Which readings matter for a case: under which other choice a target
//! answers differently.

use std::collections::BTreeMap;

use ptodiff_case::{Expectation, HolePlace};
use ptodiff_isa::{
    Model, Schedule, Target,
    reading::{GAPS, Gap, OnTarget},
};
use ptodiff_record::{ReadingUse, joined};

use crate::{context::RunContext, model_of, party_run::PartyRun, reading_outcome::difference};

/// Readings that only another edition of the documents has otherwise. They change
/// every call, so that no case is asked about them where all targets read them alike:
/// `diff --editions` tells of it.
const OF_EDITIONS: [&str; 2] = ["index-unit", "tscatter-index"];

/// The parameters that matter for the case of `context` on `models`.
pub(crate) fn that_matter(context: &RunContext<'_>, models: &[&dyn Model]) -> Vec<ReadingUse> {
    let mut asked = Asked::new(context, models);
    GAPS.iter().filter_map(|gap| asked.use_of(gap)).collect()
}

impl RunContext<'_> {
    /// Whether what the case expects of `target` holds here: under its own readings, and
    /// under others by which nothing else comes of it.
    pub(crate) fn is_as_stated(&self, target: Target) -> bool {
        let readings = [&self.case.readings, self.readings].map(|of| of[target]);
        if readings[0] == readings[1] {
            return true;
        }
        let model = model_of(target);
        let runs = readings.map(|readings| self.under(model, readings));
        let [own, here] = &runs;
        let has_trace = |one: &Expectation| one.targets.contains(&target) && !one.trace.is_empty();
        let issued = |readings| {
            let under = RunContext { readings, ..*self };
            let trace = under.issued(model, Schedule::InOrder);
            trace.ok().map(|trace| trace.calls)
        };
        own.promise.legality() == here.promise.legality()
            && own.promise.preconditions() == here.promise.preconditions()
            && difference(&self.case.call, [own, here]).is_none()
            && (!self.case.expect.iter().any(has_trace)
                || issued(&self.case.readings) == issued(self.readings))
    }
}

/// A case whose readings are asked about.
pub(crate) struct Asked<'a> {
    context: &'a RunContext<'a>,
    /// Each model with what it makes of the call under the readings in force, once that is
    /// known.
    models: Vec<(&'a dyn Model, Option<PartyRun>)>,
}

impl<'a> Asked<'a> {
    pub(crate) fn new(context: &'a RunContext<'a>, models: &[&'a dyn Model]) -> Self {
        Self {
            context,
            models: models.iter().map(|model| (*model, None)).collect(),
        }
    }

    /// The choice for `gap`, with their targets where there are several.
    fn in_force(&self, gap: &Gap) -> String {
        let readings = self.context.readings;
        let of = |target: Target| gap.choice(&readings[target]);
        let targets = self.models.iter().map(|(model, _)| model.target());
        let all: Vec<_> = targets.map(|target| (target, of(target))).collect();
        match &all[..] {
            [(_, choice), others @ ..] if others.iter().all(|(_, other)| other == choice) => {
                (*choice).to_owned()
            }
            _ => {
                let each = all.iter().map(|(t, choice)| format!("{choice} on {t}"));
                joined(each, ", ")
            }
        }
    }

    /// Whether not all models read `gap` in the same way.
    fn is_read_apart(&self, gap: &Gap) -> bool {
        let targets = self.models.iter().map(|(model, _)| model.target());
        let mut choices = targets.map(|target| gap.choice(&self.context.readings[target]));
        let first = choices.next();
        choices.any(|other| Some(other) != first)
    }

    fn use_of(&mut self, gap: &Gap) -> Option<ReadingUse> {
        let mut differs_under: BTreeMap<String, Vec<Target>> = BTreeMap::new();
        self.differences(gap, |target, choice, _| {
            let targets = differs_under.entry(choice.to_owned()).or_default();
            targets.push(target);
        });
        (!differs_under.is_empty()).then(|| ReadingUse {
            gap: gap.name.to_owned(),
            clauses: gap.clauses.iter().map(ToString::to_string).collect(),
            choice: self.in_force(gap),
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
        if OF_EDITIONS.contains(&gap.name) && !self.is_read_apart(gap) {
            return;
        }
        let (call, steps) = (&self.context.case.call, self.context.steps);
        let matters = |target| {
            gap.may_matter(&OnTarget {
                call,
                steps,
                target,
            })
        };
        let models = self.models.iter_mut();
        for (model, own) in models.filter(|(m, _)| matters(m.target())) {
            let target = model.target();
            let in_force = &self.context.readings[target];
            for (number, other) in gap.choices.iter().enumerate() {
                let mut changed = *in_force;
                if gap.choice(in_force) == *other {
                    continue;
                }
                gap.put(&mut changed, number);
                let under = |readings| self.context.under(*model, readings);
                let own = own.get_or_insert_with(|| under(*in_force));
                if let Some(place) = difference(call, [own, &under(changed)]) {
                    found(target, other, place);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use ptodiff_isa::Readings;

    use super::*;
    use crate::{Options, context::Prepared, models};

    /// All that the table passes over are changed at once, to their choices of one
    /// number: one by one would take an hour.
    #[test]
    fn a_reading_that_is_passed_over_changes_nothing() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases");
        let cases = ptodiff_case::load(&[root]).expect("the cases read").cases;
        let mut changed = 0;
        let most = GAPS.iter().map(|gap| gap.choices.len()).max().unwrap_or(0);
        for case in &cases {
            let prepared = Prepared::new(case, &Options::default());
            for model in models() {
                let (call, target) = (&case.call, model.target());
                let on = OnTarget {
                    call,
                    steps: &prepared.steps,
                    target,
                };
                let in_force = case.readings[target];
                let of = |readings: &Readings| prepared.context().under(model, *readings);
                let own = of(&in_force);
                let differs = |other: &Readings| {
                    other != &in_force && difference(call, [&own, &of(other)]).is_some()
                };
                let passed_over = || GAPS.iter().filter(|gap| !gap.may_matter(&on));
                for number in 0..most {
                    let mut other = in_force;
                    for gap in passed_over().filter(|gap| number < gap.choices.len()) {
                        gap.put(&mut other, number);
                        changed += 1;
                    }
                    if differs(&other) {
                        let alone = passed_over().filter(|gap| {
                            let mut one = in_force;
                            gap.put(&mut one, number.min(gap.choices.len() - 1));
                            differs(&one)
                        });
                        let alone: Vec<_> = alone.map(|gap| gap.name).collect();
                        panic!("{} on {target}: {alone:?} matter", case.id);
                    }
                }
            }
        }
        assert!(changed > 100_000, "{changed}");
    }
}
