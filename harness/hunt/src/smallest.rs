//! Smallest cases of what was done wrong.

use ptodiff_case::Case;
use ptodiff_generate::literal;
use ptodiff_isa::{Call, Schedule};

use crate::{
    Seen,
    plan::{Drawer, Plan},
    shrink::shrink_within,
};

/// A smallest case of one kind of wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct Smallest {
    /// What groups it with others of its kind.
    pub failure_group: String,
    /// Cases of the hunt that showed it.
    pub seen: Seen,
    /// The case, called after who did wrong and the number of the case drawn.
    pub case: Case,
    /// The order of lanes under which it shows; none where it never showed
    /// again, and the case is the one drawn.
    pub schedule: Option<Schedule>,
    /// What was done there, in words, where it is not two that differ.
    pub why: Option<String>,
}

/// A kind of wrong, and how it is looked for.
pub(crate) struct Wrong<'a> {
    /// What groups it with others of its kind.
    pub(crate) failure_group: &'a str,
    /// Cases of the hunt that showed it.
    pub(crate) seen: Seen,
    /// Who did it.
    pub(crate) who: &'a str,
    /// How often a case is tried.
    pub(crate) tries: usize,
    /// Whether a case shows it under an order of lanes.
    pub(crate) shows: &'a dyn Fn(&Case, &Schedule) -> bool,
    /// Whether it seems to, at less cost: what is made smaller so has to show it at the end.
    pub(crate) seems: &'a dyn Fn(&Case, &Schedule) -> bool,
    /// Whether it counts only under the readings of the case drawn.
    pub(crate) readings: bool,
    /// What is found where it shows, in words.
    pub(crate) found: &'a dyn Fn(&Case, &Schedule) -> Option<String>,
}

impl Wrong<'_> {
    /// The first case drawn that shows it, made as small as it may be.
    pub(crate) fn smallest(&self, plan: &Plan, drawer: &Drawer) -> Smallest {
        let seed = plan.seed;
        let draw = drawer.number(self.seen.first);
        // Best where a plain run begins.
        let orders = [Schedule::InOrder, Schedule::Reversed, draw.schedule];
        let schedule = orders.into_iter().find(|s| (self.shows)(&draw.case, s));
        let mut case = match &schedule {
            None => literal(&draw.case, seed),
            Some(schedule) => {
                let same = |case: &Case| !self.readings || case.readings == draw.case.readings;
                // Of no use is a case that an implementation was not built for.
                let holds = |call: &Call| plan.holds(call);
                let shrunk = |shows: &dyn Fn(&Case, &Schedule) -> bool| {
                    let mut keeps = |case: &Case| same(case) && shows(case, schedule);
                    shrink_within(&draw.case, seed, self.tries, &holds, &mut keeps)
                };
                let small = shrunk(self.seems);
                match (self.shows)(&small, schedule) {
                    true => small,
                    false => shrunk(self.shows),
                }
            }
        };
        case.name = format!("{}-{}", self.who, self.seen.first);
        let found = |schedule| (self.found)(&case, schedule);
        Smallest {
            why: schedule.as_ref().and_then(found),
            failure_group: self.failure_group.to_owned(),
            seen: self.seen,
            case,
            schedule,
        }
    }
}
