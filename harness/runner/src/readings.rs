//! Which readings matter for a case: under which other choice a target
//! answers differently.

use std::collections::BTreeMap;

use ptodiff_case::HolePlace;
use ptodiff_isa::{
    Call, Memory, Model, Party, Target, TargetReadings,
    reading::{GAPS, Gap},
};
use ptodiff_record::ReadingUse;

use crate::{
    Room,
    account::{Account, Scene},
    came::{Own, came_of, told},
    concern::may_matter,
};

/// The parameters that matter for the case of `scene` on `models`, which did
/// what `accounts` tell.
pub(crate) fn that_matter(
    scene: &Scene<'_>,
    models: &[&dyn Model],
    accounts: &[Account],
    room: &mut Room,
) -> Vec<ReadingUse> {
    let mut asked = Asked::new(scene, models, accounts, room);
    GAPS.iter().filter_map(|gap| asked.use_of(gap)).collect()
}

/// A call whose readings are asked about.
pub(crate) struct Asked<'a> {
    call: &'a Call,
    steps: &'a [Memory],
    readings: &'a TargetReadings,
    /// Each model with what it makes of the call under the readings in force.
    models: Vec<(&'a dyn Model, Option<Own<'a>>)>,
    room: &'a mut Room,
}

impl<'a> Asked<'a> {
    /// About `call` on `models`, with `readings` in force, of which `accounts`
    /// tell.
    pub(crate) fn new(
        scene: &Scene<'a>,
        models: &[&'a dyn Model],
        accounts: &'a [Account],
        room: &'a mut Room,
    ) -> Self {
        let own = |model: &&'a dyn Model| {
            let itself = Party::of(model.target());
            let account = accounts.iter().find(|a| a.party == itself);
            let told = account.and_then(|a| told(&scene.case.call, a));
            (*model, told.map(Own::Told))
        };
        Self {
            call: &scene.case.call,
            steps: scene.steps,
            readings: scene.readings,
            models: models.iter().map(own).collect(),
            room,
        }
    }

    /// The choice for `gap`, with their targets where there are several.
    fn in_force(&self, gap: &Gap) -> String {
        let models = self.models.iter().map(|(model, _)| model.target());
        let of = |target: Target| self.readings[target].choice(gap.name).unwrap_or_default();
        let mut all: Vec<_> = models.map(|target| (target, of(target))).collect();
        all.dedup_by_key(|(_, choice)| *choice);
        match &all[..] {
            [(_, choice)] => (*choice).to_owned(),
            _ => {
                let models = self.models.iter().map(|(model, _)| model.target());
                let each: Vec<_> = models.map(|t| format!("{} on {t}", of(t))).collect();
                each.join(", ")
            }
        }
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
        let (call, steps, readings, room) = (self.call, self.steps, self.readings, &mut *self.room);
        let matters = |target| may_matter(gap, call, steps, target);
        let models = self.models.iter_mut();
        let concerned = models.filter(|(m, _)| matters(m.target()));
        for (model, own) in concerned {
            let target = model.target();
            let in_force = &readings[target];
            for other in gap.choices {
                let mut changed = *in_force;
                if in_force.choice(gap.name) == Some(other) || changed.set(gap.name, other).is_err()
                {
                    continue;
                }
                let own = own
                    .get_or_insert_with(|| Own::Made(came_of(room, *model, call, steps, in_force)));
                let theirs = came_of(room, *model, call, steps, &changed);
                let difference = own.view(call).difference(&theirs.view(call));
                theirs.give_back(room);
                if let Some(place) = difference {
                    found(target, other, place);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use ptodiff_contract::Telling;
    use ptodiff_isa::{Readings, Schedule};
    use ptodiff_judge::Answer;

    use super::*;
    use crate::{
        came::{Came, Left},
        concern::OF_EDITIONS,
        models,
    };

    /// Every so many cases of the corpus: all of them would take minutes.
    const STEP: usize = 7;

    #[test]
    fn a_gap_that_is_passed_over_changes_nothing() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases");
        let cases = ptodiff_case::load(&[root]).expect("the cases read").cases;
        let (mut asked, mut room) = (0, Room::default());
        for case in cases.iter().step_by(STEP) {
            let steps = ptodiff_generate::stimulus(case, 0).steps;
            for model in models() {
                let call = &case.call;
                let mut of =
                    |readings: &Readings| came_of(&mut room, model, call, &steps, readings);
                let readings = case.readings[model.target()];
                let own = of(&readings);
                let differs = |other: &Came<Left>| own.view(call).difference(&other.view(call));
                for gap in GAPS {
                    let asked_about = may_matter(gap, &case.call, &steps, model.target());
                    if asked_about || OF_EDITIONS.contains(&gap.name) {
                        continue;
                    }
                    for choice in gap.choices {
                        let mut other = readings;
                        other.set(gap.name, choice).expect("a choice of the gap");
                        let same = other == readings || differs(&of(&other)).is_none();
                        assert!(same, "{} {} {}", case.id, model.target(), gap.name);
                        asked += 1;
                    }
                }
            }
        }
        assert!(asked > 10_000, "{asked}");
    }

    /// An account is asked only about what it knows, and then it knows the same.
    #[test]
    fn what_an_account_tells_is_what_asking_again_gives() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases");
        let cases = ptodiff_case::load(&[root]).expect("the cases read").cases;
        let mut room = Room::default();
        let mut seen = [0_usize; 4];
        for case in cases.iter().step_by(2 * STEP) {
            let steps = ptodiff_generate::stimulus(case, 0).steps;
            let scene = |schedules| Scene {
                case,
                steps: &steps,
                readings: &case.readings,
                schedules,
                telling: Telling::Full,
            };
            let ordered = [Schedule::InOrder, Schedule::Reversed];
            for account in scene(&ordered).bare(&mut Room::default(), &models()) {
                let mut all = models().into_iter();
                let model = all.find(|m| m.target() == account.party.target);
                let model = model.expect("a model");
                let known = told(&case.call, &account).expect("it ran in order");
                let asked = came_of(
                    &mut room,
                    model,
                    &case.call,
                    &steps,
                    &case.readings[model.target()],
                );
                let differs = known.difference(&asked.view(&case.call));
                assert_eq!(differs, None, "{} {}", case.id, account.party);
                seen[match known {
                    Came::Rejected => 0,
                    Came::Undefined => 1,
                    Came::Ran(_) => 2,
                    Came::Hung | Came::Fault => 3,
                }] += 1;
            }
            let reversed = [Schedule::Reversed];
            for account in scene(&reversed).bare(&mut Room::default(), &[models()[2]]) {
                let rejects = matches!(account.answer(), Some(Answer::Rejected(_)));
                assert_eq!(told(&case.call, &account).is_some(), rejects, "{}", case.id);
            }
        }
        assert!(seen[..3].iter().all(|n| *n > 3), "{seen:?}");
    }
}
