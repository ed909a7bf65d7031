//! Readings: named answers to gaps that change values.
//!
//! The first choice of each enum is the default. A gap without an entry here
//! has one fixed answer; `harness/register/gaps` lists them all.

use std::ops::Index;

use serde::{Deserialize, Serialize};

use crate::{Clause, Form, Target};

pub mod choices;
mod matters;
mod table;

pub use matters::OnTarget;
pub use table::{GAPS, Readings};

/// A gap that is a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// The parameter's name on the command line and in case files.
    pub name: &'static str,
    /// What it is about, in a few words for people.
    pub about: &'static str,
    /// The gaps it answers.
    pub clauses: &'static [Clause],
    /// Its choices, the default first.
    pub choices: &'static [&'static str],
    /// The forms whose calls it may change.
    pub forms: &'static [Form],
    /// The targets on which it may change them.
    pub targets: &'static [Target],
    matters: fn(&OnTarget<'_>) -> bool,
    put: fn(&mut Readings, usize),
    get: fn(&Readings) -> &'static str,
}

impl Gap {
    /// Whether it is about calls of `form` on `target`.
    #[must_use]
    pub fn is_about(&self, form: Form, target: Target) -> bool {
        self.forms.contains(&form) && self.targets.contains(&target)
    }

    /// Whether another choice may change anything of a call, its promise included.
    #[must_use]
    pub fn may_matter(&self, on: &OnTarget<'_>) -> bool {
        self.is_about(on.form(), on.target) && (self.matters)(on)
    }

    /// The choice in force in `readings`.
    #[must_use]
    pub fn choice(&self, readings: &Readings) -> &'static str {
        (self.get)(readings)
    }

    /// Takes the choice at `number` of [`Gap::choices`] in `readings`.
    ///
    /// # Panics
    /// If it has not so many.
    pub fn put(&self, readings: &mut Readings, number: usize) {
        (self.put)(readings, number);
    }
}

// There is one of each name, and functions do not compare.
impl PartialEq for Gap {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Gap {}

/// The readings in force on each target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct TargetReadings([Readings; 3]);

impl From<Readings> for TargetReadings {
    fn from(on_all: Readings) -> Self {
        Self([on_all; 3])
    }
}

impl Index<Target> for TargetReadings {
    type Output = Readings;

    fn index(&self, target: Target) -> &Readings {
        &self.0[target as usize]
    }
}

impl TargetReadings {
    /// Sets the gap called `name` to `choice`: on all targets, or on one where
    /// the name begins with it, as in `cpu:tscatter-unaddressed`.
    ///
    /// # Errors
    /// As those of [`Readings::set`]; a target that does not exist is an unknown gap, and one that
    /// the gap is not about is told.
    pub fn set(&mut self, name: &str, choice: &str) -> Result<(), UnknownReading> {
        match name.split_once(':') {
            None => self.0.iter_mut().try_for_each(|one| one.set(name, choice)),
            Some((target, name)) => {
                let target: Target = target.parse().map_err(|_| UnknownReading::Gap)?;
                self.0[target as usize].set(name, choice)?;
                match GAPS.iter().find(|gap| gap.name == name) {
                    Some(gap) if !gap.targets.contains(&target) => {
                        Err(UnknownReading::Target(gap, target))
                    }
                    _ => Ok(()),
                }
            }
        }
    }

    /// These with each of `choices`, as (gap, choice): those of one target count
    /// more than those of all, wherever they stand.
    ///
    /// # Errors
    /// As those of [`Self::set`], for the first that is unknown.
    pub fn with<'c>(
        mut self,
        choices: impl Iterator<Item = (&'c str, &'c str)> + Clone,
    ) -> Result<Self, UnknownReading> {
        let of_all = |(name, _): &(&str, &str)| !name.contains(':');
        for (name, choice) in choices.clone().filter(of_all) {
            self.set(name, choice)?;
        }
        for (name, choice) in choices.filter(|one| !of_all(one)) {
            self.set(name, choice)?;
        }
        Ok(self)
    }

    /// The choices that are not the default, as (gap, choice), with the target in
    /// front where the targets that the gap is about differ.
    #[must_use]
    pub fn chosen(&self) -> Vec<(String, &'static str)> {
        let mut all = Vec::new();
        for gap in GAPS {
            let default = gap.choice(&Readings::default());
            let chosen = gap.targets.iter().map(|t| (t, gap.choice(&self[*t])));
            let chosen: Vec<_> = chosen.collect();
            if chosen.iter().all(|(_, choice)| *choice == chosen[0].1) {
                let same = chosen.into_iter().take(1);
                let same = same.filter(|(_, choice)| *choice != default);
                all.extend(same.map(|(_, choice)| (gap.name.to_owned(), choice)));
            } else {
                let others = chosen.into_iter().filter(|(_, c)| *c != default);
                all.extend(others.map(|(t, choice)| (format!("{t}:{}", gap.name), choice)));
            }
        }
        all
    }
}

/// Why a reading could not be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownReading {
    /// There is no such gap parameter.
    Gap,
    /// The gap has no such choice.
    Choice(&'static Gap),
    /// The gap is not about that target.
    Target(&'static Gap, Target),
}
