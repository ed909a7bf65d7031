//! What a relation is tried on, how a call is run for it, and how two results
//! are compared.

use std::slice::from_ref;

use ptodiff_case::limits::stored_elements;
use ptodiff_contract::{Permit, Promise, Question, Verbosity, each_feeder, hangs, legality};
use ptodiff_isa::{
    Call, End, How, Layout, Log, Memory, Model, Readings, Region, Role, Schedule, Target,
};

use super::lanes::{Lanes, demand};
use super::reach::Slots;
use crate::words::words;

/// Guard zone of an operand made here, bytes.
const GUARD: usize = 64;

/// What an operand made here holds before it has values.
const BLANK: u8 = 0xEE;

/// A case on a model.
pub(super) struct ModelCase<'a> {
    pub(super) model: &'a dyn Model,
    pub(super) target: Target,
    pub(super) call: &'a Call,
    pub(super) steps: &'a [Memory],
    pub(super) readings: &'a Readings,
}

/// A call that is looked at, the operands of its first step, the slots that it selects,
/// and what the contract promises of it.
pub(super) struct Seen<'a> {
    pub(super) lanes: Lanes,
    pub(super) memory: &'a Memory,
    pub(super) slots: Slots,
    pub(super) promised: Promised,
}

/// What the contract promises of the output of a call.
pub(super) struct Promised {
    output: Role,
    size: usize,
    /// Of which elements it does not say what they hold.
    open: Vec<bool>,
    /// Whether it does of every element that a lane of a scatter writes.
    pub(super) settled: bool,
}

impl<'a> ModelCase<'a> {
    /// The lanes of `call`; none where it breaks a rule, or never returns.
    pub(super) fn lanes(&self, call: &Call) -> Option<Lanes> {
        demand(legality(call, self.target, self.readings).is_empty())?;
        demand(hangs(call, self.target, self.readings).is_none())?;
        self.accepted(call)?;
        Lanes::of(call, self.target, self.readings)
    }

    /// Goes on only where the target rejects nothing of `call`.
    fn accepted(&self, call: &Call) -> Option<()> {
        demand(self.model.check(call, self.readings).is_empty())
    }

    /// The first call of the case, where the relation `binds` such a one.
    pub(super) fn seen(&self, binds: impl FnOnce(&Lanes) -> bool) -> Option<Seen<'a>> {
        let lanes = Lanes::of(self.call, self.target, self.readings)?;
        demand(binds(&lanes))?;
        self.seen_as(self.call, lanes, self.steps.first()?)
    }

    /// As [`ModelCase::seen`], of `call` on `memory`.
    pub(super) fn seen_as<'m>(
        &self,
        call: &Call,
        lanes: Lanes,
        memory: &'m Memory,
    ) -> Option<Seen<'m>> {
        let promised = self.promised(call, memory)?;
        let slots = lanes.slots(memory)?;
        Some(Seen {
            lanes,
            memory,
            slots,
            promised,
        })
    }

    /// What the contract promises of `call` on `memory`; none where it breaks a rule
    /// or a precondition, or never returns. A counterpart may, where the call itself does not:
    /// a single element has no last writer, which `undefined-last=dropped` asks for.
    pub(super) fn promised(&self, call: &Call, memory: &Memory) -> Option<Promised> {
        let (target, readings) = (self.target, self.readings);
        let question = Question {
            call,
            target,
            readings,
            verbosity: Verbosity::Brief,
        };
        let promise = Promise::of(&question, from_ref(memory));
        demand(promise.hangs().is_none())?;
        self.accepted(call)?;
        let output = call.output();
        let mut operands = promise.permits()?.operands.iter();
        let operand = operands.find(|operand| operand.role == output)?;
        let size = operand.dtype.size();
        let mut open = vec![false; memory.get(output)?.body().len() / size];
        for run in &operand.runs {
            if !matches!(run.permit, Permit::Exactly { .. }) || run.or_kept.is_some() {
                open[run.offset / size..][..run.len / size].fill(true);
            }
        }
        let mut settled = true;
        let scatters = matches!(
            call,
            Call::Mscatter(_) | Call::MscatterFirst(_) | Call::TscatterIndex(_)
        );
        let nz = call.table().is_some_and(|table| table.layout == Layout::NZ);
        if scatters && (nz || open.contains(&true)) {
            let cols = call.data_tile().valid_col.get();
            each_feeder(call, &[memory], target, readings, output, |at, feeder| {
                match open.get_mut(at) {
                    // A burst brings padding: what a counterpart leaves there is its own.
                    Some(open) if feeder.c >= cols => *open = true,
                    Some(open) => settled &= !*open,
                    None => {}
                }
            });
        }
        Some(Promised {
            output,
            size,
            open,
            settled,
        })
    }

    /// The operands after `call` was run on `memory`.
    ///
    /// # Errors
    /// That it hung, though nothing keeps it from its end, or that the model gave up.
    pub(super) fn run(&self, call: &Call, memory: Memory) -> Result<Memory, String> {
        self.run_as(call, memory, Schedule::InOrder)
    }

    /// As [`ModelCase::run`], under `schedule`.
    pub(super) fn run_as(
        &self,
        call: &Call,
        mut memory: Memory,
        schedule: Schedule,
    ) -> Result<Memory, String> {
        let how = How {
            schedule,
            readings: *self.readings,
        };
        match self
            .model
            .execute(call, &mut memory, &how, &mut Log::default())
        {
            Ok(End::Finished) => Ok(memory),
            Ok(End::Hung) => Err("the call did not return".to_owned()),
            Err(fault) => Err(format!("the model gave up: {}", fault.0)),
        }
    }
}

/// Puts an operand in the place of the one that plays its part.
pub(super) fn replace(memory: &mut Memory, region: Region) {
    match memory.get_mut(region.role) {
        Some(old) => *old = region,
        None => memory.regions.push(region),
    }
}

/// An operand of `call` that holds nothing yet.
pub(super) fn blank(call: &Call, role: Role) -> Option<Region> {
    let operand = call.operand(role)?;
    let elements = usize::try_from(stored_elements(operand)).ok()?;
    let body = elements.checked_mul(operand.dtype().size())?;
    let bytes = vec![BLANK; body.checked_add(2 * GUARD)?];
    Some(Region::new(role, bytes, GUARD..GUARD + body))
}

/// One operand of two results that ought to agree.
#[derive(Clone, Copy)]
pub(super) struct Two<'a> {
    role: Role,
    one: &'a Region,
    other: &'a Region,
    size: usize,
    /// What sets the second result apart, for a message.
    but: &'a str,
}

impl<'a> Two<'a> {
    /// The operand `role` with elements of `size` bytes.
    ///
    /// # Errors
    /// That a result lacks it.
    pub(super) fn of(
        role: Role,
        size: usize,
        [one, other]: [&'a Memory; 2],
        but: &'a str,
    ) -> Result<Self, String> {
        let region =
            |memory: &'a Memory| memory.get(role).ok_or_else(|| format!("no {role} is left"));
        Ok(Self {
            role,
            one: region(one)?,
            other: region(other)?,
            size,
            but,
        })
    }

    /// All bytes are equal, guard zones too.
    ///
    /// # Errors
    /// Names the first slot that is not.
    pub(super) fn equal(&self) -> Result<(), String> {
        if self.one.bytes() == self.other.bytes() {
            return Ok(());
        }
        let mut elements = 0..self.one.body().len() / self.size;
        elements.try_for_each(|at| self.same(at, at))?;
        Err(format!("guard zone of the {}, {}", self.role, self.but))
    }

    /// Element `one` of the first result equals element `other` of the second.
    ///
    /// # Errors
    /// Names the slot if it does not.
    pub(super) fn same(&self, one: usize, other: usize) -> Result<(), String> {
        match self.element(self.other, other) {
            Some(found) => self.holds(one, found, self.but),
            None => Err(format!(
                "{} element {one} has no counterpart {}",
                self.role, self.but
            )),
        }
    }

    /// Element `at` of the first result is `wanted`.
    ///
    /// # Errors
    /// Names the slot if it is not; `but` says where `wanted` comes from.
    pub(super) fn holds(&self, at: usize, wanted: u64, but: &str) -> Result<(), String> {
        let digits = 2 + 2 * self.size;
        let role = self.role;
        match self.element(self.one, at) {
            Some(found) if found == wanted => Ok(()),
            Some(found) => Err(format!(
                "{role} element {at}: {found:#0digits$x}, but {wanted:#0digits$x} {but}"
            )),
            None => Err(format!(
                "{role} element {at} is gone, but {wanted:#0digits$x} {but}"
            )),
        }
    }

    /// Element `at`; none where the model has cut the operand short.
    fn element(&self, region: &Region, at: usize) -> Option<u64> {
        let start = at.checked_mul(self.size)?;
        let element = region.body().get(start..start.checked_add(self.size)?)?;
        words(element, self.size).next()
    }
}

impl Promised {
    /// What is promised of the output is equal in two results.
    ///
    /// # Errors
    /// Names the first slot that is not.
    pub(super) fn agree(&self, results: [&Memory; 2], but: &str) -> Result<(), String> {
        let two = Two::of(self.output, self.size, results, but)?;
        if !self.open.contains(&true) {
            return two.equal();
        }
        let mut all = (0..self.open.len()).map(|at| (at, at));
        self.moved(&two, &mut all)
    }

    /// What is promised of the output stands in a second result elsewhere: `pairs` are
    /// of its elements in the first and in the second.
    ///
    /// # Errors
    /// Names the first slot of which it is not so.
    fn moved(
        &self,
        two: &Two<'_>,
        pairs: &mut dyn Iterator<Item = (usize, usize)>,
    ) -> Result<(), String> {
        let mut told = pairs.filter(|(one, _)| self.open.get(*one) != Some(&true));
        told.try_for_each(|(one, other)| two.same(one, other))
    }
}

impl Seen<'_> {
    /// What is promised after the call that is looked at holds after its counterpart,
    /// `call` on `memory`; of elements that stand elsewhere there `to` has the places, in
    /// logical order.
    ///
    /// # Errors
    /// Names the first slot of which it is not so.
    pub(super) fn holds_of(
        &self,
        base: &ModelCase<'_>,
        call: &Call,
        memory: Memory,
        to: Option<Vec<usize>>,
        but: &str,
    ) -> Result<(), String> {
        let one = base.run(base.call, self.memory.clone())?;
        let other = base.run(call, memory)?;
        match to {
            None => self.promised.agree([&one, &other], but),
            Some(to) => self.moved([&one, &other], to, but),
        }
    }

    /// What is promised of the output stands in the second result at the places of `to`,
    /// in logical order.
    ///
    /// # Errors
    /// Names the first slot of which it is not so.
    pub(super) fn moved(
        &self,
        results: [&Memory; 2],
        to: Vec<usize>,
        but: &str,
    ) -> Result<(), String> {
        let Promised { output, size, .. } = self.promised;
        let two = Two::of(output, size, results, but)?;
        let from = self.lanes.places(output).unwrap_or_default();
        self.promised.moved(&two, &mut from.into_iter().zip(to))
    }
}
