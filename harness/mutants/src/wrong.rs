//! A wrong model: a right one, and what is wrong with it.

use ptodiff_case::Form;
use ptodiff_isa::{Call, Clause, End, Fault, How, Log, Memory, Model, Readings, Rejection, Target};
use ptodiff_runner::models;

use crate::{
    gather::Gather,
    scatter::Scatter,
    tile::{ByteGather, Index, Mask},
};

/// What is wrong. Where it has nothing to say of a call, the right model runs it.
#[derive(Clone, Copy)]
pub(crate) enum Wrong {
    /// The right model runs another call.
    Call(fn(&mut Call)),
    /// The right model runs under another answer to a gap, whatever is in force.
    Reading(fn(&mut Readings)),
    /// Such calls are rejected that the right model runs.
    Rejects(fn(&Call) -> bool),
    /// What the right model leaves is spoiled: the call, before, after.
    Spoil(fn(&Call, &Memory, &mut Memory)),
    /// A scatter to GM with a wrong piece.
    Scatter(Scatter),
    /// A gather from GM with a wrong piece.
    Gather(Gather),
    /// A scatter by index with a wrong piece.
    Index(Index),
    /// A scatter by mask with a wrong piece.
    Mask(Mask),
    /// A gather by byte offsets with a wrong piece.
    ByteGather(ByteGather),
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
    wrong: Wrong,
}

impl Mutant {
    pub(crate) const fn new(
        name: &'static str,
        target: Target,
        form: Form,
        clause: &'static str,
        mistake: &'static str,
        wrong: Wrong,
    ) -> Self {
        Self {
            name,
            target,
            form,
            clause: Clause(clause),
            mistake,
            wrong,
        }
    }

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
    /// pieces have an order of their own, and only A5 has concurrent lanes.
    pub(crate) const fn follows_schedule(&self) -> bool {
        matches!((self.target, self.wrong), (Target::A5, Wrong::Call(_)))
    }

    /// Whether its own pieces ran `call`.
    fn ran(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<bool, Fault> {
        match self.wrong {
            Wrong::Call(_) | Wrong::Reading(_) | Wrong::Rejects(_) | Wrong::Spoil(_) => Ok(false),
            Wrong::Scatter(pieces) => pieces.run(call, self.target, memory, how, log),
            Wrong::Gather(pieces) => pieces.run(call, self.target, memory, how, log),
            Wrong::Index(pieces) => pieces.run(call, memory, how, log),
            Wrong::Mask(pieces) => pieces.run(call, memory, how, log),
            Wrong::ByteGather(pieces) => pieces.run(call, self.target, memory, how, log),
        }
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
            Wrong::Call(change) => {
                let mut other = *call;
                change(&mut other);
                right.execute(&other, memory, how, log)
            }
            Wrong::Reading(change) => {
                let mut other = *how;
                change(&mut other.readings);
                right.execute(call, memory, &other, log)
            }
            Wrong::Spoil(spoil) => {
                let before = memory.clone();
                let end = right.execute(call, memory, how, log)?;
                if end == End::Finished {
                    spoil(call, &before, memory);
                }
                Ok(end)
            }
            _ if self.ran(call, memory, how, log)? => Ok(End::Finished),
            _ => right.execute(call, memory, how, log),
        }
    }
}

#[cfg(test)]
mod tests;
