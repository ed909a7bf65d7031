//! A wrong model: a right one, and what is wrong with it.

use std::ops::Range;

use ptodiff_case::Form;
use ptodiff_isa::{
    Call, Clause, End, Fault, How, Log, Memory, Model, Readings, Rejection, Role, Target,
};
use ptodiff_runner::model_of;

use crate::{
    cells::{self, Cells},
    walk::{Apply, Lanes, Moves, Pitch, Remap, Walk},
};

/// What is wrong. Where it has nothing to say of a call, the right model runs it.
#[derive(Clone, Copy)]
pub(crate) enum Wrong {
    /// The right model runs another call, or under another answer to a gap than is in force.
    Other(fn(&mut Call, &mut Readings)),
    /// Such calls are rejected that the right model runs.
    Rejects(fn(&Call) -> bool),
    /// In what the right model leaves one byte in or beside the body of an operand is
    /// another, if there is such a one.
    Spoil(Role, fn(&Range<usize>) -> Option<usize>),
    /// What the right model leaves in `(r, c)` of the destination is something else.
    Cell(fn(&Cells<'_>, u64, u64) -> u64),
    /// A walk that serves other lanes.
    Lanes(Lanes),
    /// A walk whose indices select something else.
    Selects(Remap),
    /// A walk with rows as far apart as this.
    Pitch(Pitch),
    /// A walk of a scatter with other moves.
    Moves(Moves),
    /// A walk of a scatter whose values combine otherwise.
    Combines(Apply),
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
    /// The same mistake on another target, in another form: its right model, and what is wrong.
    #[must_use]
    pub const fn on(&self, target: Target, form: Form) -> Self {
        Self {
            target,
            form,
            ..*self
        }
    }

    /// The right model of its target.
    #[must_use]
    pub fn right(&self) -> &'static dyn Model {
        model_of(self.target)
    }

    /// The walk with its wrong step, where it is one.
    fn walk(&self) -> Option<Walk> {
        let mut walk = Walk::RIGHT;
        match self.wrong {
            Wrong::Lanes(lanes) => walk.lanes = lanes,
            Wrong::Selects(remap) => walk.remap = remap,
            Wrong::Pitch(pitch) => walk.pitch = pitch,
            Wrong::Moves(moves) => walk.moves = moves,
            Wrong::Combines(apply) => walk.apply = apply,
            _ => return None,
        }
        Some(walk)
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
            Wrong::Spoil(role, which) => {
                let end = right.execute(call, memory, how, log)?;
                if end == End::Finished
                    && let Some(region) = memory.get_mut(role)
                    && let Some(at) = which(&region.body_range())
                    && let Some([byte]) = region.part_mut(at..at + 1)
                {
                    *byte ^= 1;
                }
                Ok(end)
            }
            Wrong::Cell(cell) => cells::run(cell, call, right, memory, how, log),
            _ => match self.walk() {
                Some(walk) if walk.run(call, right, memory, how, log)? => Ok(End::Finished),
                _ => right.execute(call, memory, how, log),
            },
        }
    }
}

#[cfg(test)]
mod tests;
