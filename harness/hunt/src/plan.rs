//! What a hunt draws: number by number, the same on any machine.

use std::sync::Arc;

use ptodiff_case::{Case, Form};
use ptodiff_generate::random::{Rules, Series, Space, Wish, draw};
use ptodiff_isa::{Call, Schedule, Target, TargetReadings};

use crate::relation::Relation;

/// What a hunt draws its cases from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Root seed of cases and data.
    pub seed: u64,
    /// Which rules the cases keep to; a mix of all kinds where none is given.
    pub rules: Option<Rules>,
    /// The forms to draw from; all where none is given.
    pub forms: Vec<Form>,
    /// The targets to draw from; all where none is given.
    pub targets: Vec<Target>,
    /// Most elements in the valid region of a data tile.
    pub max_lanes: u64,
    /// The readings of every case; drawn where there are none.
    pub readings: Option<TargetReadings>,
    /// Whether open readings and relations are asked about, too. Both change
    /// the call, so that in a space neither is.
    pub further: bool,
    /// The instantiations to draw from and to shrink within; forms and targets
    /// are then its own. Any call where there is none.
    pub space: Option<Arc<Space>>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            seed: 0,
            rules: None,
            forms: Vec::new(),
            targets: Vec::new(),
            max_lanes: 64,
            readings: None,
            further: true,
            space: None,
        }
    }
}

impl Plan {
    /// Whether `case` is of the forms and on the targets to draw from.
    #[must_use]
    pub fn takes(&self, case: &Case) -> bool {
        let target = |target| self.targets.is_empty() || self.targets.contains(target);
        let form = self.forms.is_empty() || self.forms.contains(&Form::of(&case.call));
        form && case.targets.iter().all(target)
    }

    /// Whether a case may have `call`: one of the space's instantiations.
    pub(crate) fn holds(&self, call: &Call) -> bool {
        self.space.as_ref().is_none_or(|space| space.holds(call))
    }
}

/// What every case is called before it is kept. Its data differs by its seed.
const NAME: &str = "hunt";

/// In a mix, what each case of so many in turn keeps to.
const MIX: [Rules; 8] = [
    Rules::Legal,
    Rules::Broken(1),
    Rules::Legal,
    Rules::Broken(1),
    Rules::Legal,
    Rules::Broken(1),
    Rules::Broken(2),
    Rules::Wild,
];

/// One case of so many legal ones is asked about every open reading.
const READINGS: u64 = 32;

/// A case that is drawn, and what is asked of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Draw {
    /// The case. Its data is that of the plan's seed.
    pub case: Case,
    /// The order that lanes of a concurrent target take effect in.
    pub schedule: Schedule,
    /// Whether it is asked about open readings.
    pub readings: bool,
    /// The relation that is checked on it, if one is.
    pub relation: Option<Relation>,
}

/// Draws the cases of a plan.
#[derive(Clone, Debug)]
pub struct Drawer {
    series: Series,
    wishes: Vec<Wish>,
    further: bool,
    space: Option<Arc<Space>>,
}

impl Drawer {
    /// For `plan`.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let wish = |rules: Rules| Wish {
            rules,
            max_lanes: plan.max_lanes,
            forms: plan.forms.clone(),
            targets: plan.targets.clone(),
            readings: plan.readings,
        };
        let wishes = match plan.rules {
            Some(rules) => vec![wish(rules)],
            None => MIX.into_iter().map(wish).collect(),
        };
        Self {
            series: Series::new(plan.seed),
            wishes,
            further: plan.further && plan.space.is_none(),
            space: plan.space.clone(),
        }
    }

    /// Case `number`, whatever was drawn before.
    #[must_use]
    pub fn number(&self, number: u64) -> Draw {
        let wish = self.wish(number);
        let mut choices = self.series.number(number);
        let mut case = match &self.space {
            Some(space) => space.draw(&mut choices, wish.rules, wish.max_lanes),
            None => draw(&mut choices, wish).case,
        };
        NAME.clone_into(&mut case.name);
        NAME.clone_into(&mut case.id);
        case.data.seed = number;
        let turn = number / self.wishes.len() as u64;
        let legal = wish.rules == Rules::Legal;
        let relations = <Relation as strum::VariantArray>::VARIANTS;
        Draw {
            case,
            // What goes wrong in illegal cases must show in the order of a plain run.
            schedule: match turn % 4 {
                _ if !legal => Schedule::InOrder,
                0 => Schedule::InOrder,
                1 => Schedule::Reversed,
                _ => Schedule::Shuffled(number),
            },
            readings: self.further && legal && turn.is_multiple_of(READINGS),
            relation: (self.further && legal)
                .then(|| relations[(turn % relations.len() as u64) as usize]),
        }
    }

    fn wish(&self, number: u64) -> &Wish {
        let kinds = self.wishes.len() as u64;
        &self.wishes[(number % kinds) as usize]
    }
}
