//! A wrong model: a right one, and what is wrong with it.

use ptodiff_case::Form;
use ptodiff_isa::{Call, Clause, End, Fault, How, Log, Memory, Model, Readings, Rejection, Target};
use ptodiff_runner::models;

use crate::{
    cells::{self, Cells},
    walk::Walk,
};

/// What is wrong. Where it has nothing to say of a call, the right model runs it.
#[derive(Clone, Copy)]
pub(crate) enum Wrong {
    /// The right model runs another call, or under another answer to a gap than is in force.
    Other(fn(&mut Call, &mut Readings)),
    /// Such calls are rejected that the right model runs.
    Rejects(fn(&Call) -> bool),
    /// What the right model leaves is spoiled.
    Spoil(fn(&mut Memory)),
    /// What the right model leaves in `(r, c)` of the destination is something else.
    Cells(fn(&Cells<'_>, u64, u64) -> u64),
    /// A walk with a wrong step.
    Walk(Walk),
}

/// A model with one mistake.
#[derive(Clone, Copy)]
pub struct Mutant {
    /// Its name, in kebab case.
    pub name: &'static str,
    /// The target it speaks for.
    pub target: Target,
    /// The form of call that it does wrong.
    pub form: Form,
    /// The clause, or the gap whose default answer, it breaks.
    pub clause: Clause,
    /// What it does, in one line.
    pub mistake: &'static str,
    pub(crate) wrong: Wrong,
}

impl Mutant {
    /// The same mistake on another target: its right model, and what is wrong.
    #[must_use]
    pub const fn on(&self, target: Target) -> Self {
        Self { target, ..*self }
    }

    /// The right model of its target.
    #[must_use]
    pub fn right(&self) -> &'static dyn Model {
        let [cpu, a2a3, a5] = models();
        match self.target {
            Target::Cpu => cpu,
            Target::A2a3 => a2a3,
            Target::A5 => a5,
        }
    }

    /// Whether the order of concurrent lanes may decide how it goes wrong:
    /// a walk has an order of its own, and only A5 has concurrent lanes.
    pub(crate) const fn follows_schedule(&self) -> bool {
        matches!((self.target, self.wrong), (Target::A5, Wrong::Other(_)))
    }
}

impl Model for Mutant {
    fn target(&self) -> Target {
        self.target
    }

    fn check(&self, call: &Call, readings: &Readings) -> Vec<Rejection> {
        let mut rejections = self.right().check(call, readings);
        match self.wrong {
            Wrong::Rejects(rejects) if Form::of(call) == self.form && rejects(call) => {
                rejections.push(Rejection {
                    clause: self.clause,
                    why: self.mistake.to_owned(),
                });
            }
            _ => {}
        }
        rejections
    }

    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault> {
        let right = self.right();
        if Form::of(call) != self.form {
            return right.execute(call, memory, how, log);
        }
        match self.wrong {
            Wrong::Other(change) => {
                let (mut other, mut how) = (*call, *how);
                change(&mut other, &mut how.readings);
                right.execute(&other, memory, &how, log)
            }
            Wrong::Spoil(spoil) => {
                let end = right.execute(call, memory, how, log)?;
                if end == End::Finished {
                    spoil(memory);
                }
                Ok(end)
            }
            Wrong::Cells(cell) => cells::run(cell, call, right, memory, how, log),
            Wrong::Walk(walk) if walk.run(call, right, memory, how, log)? => Ok(End::Finished),
            Wrong::Rejects(_) | Wrong::Walk(_) => right.execute(call, memory, how, log),
        }
    }
}

#[cfg(test)]
mod tests;
