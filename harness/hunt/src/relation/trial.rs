//! What a relation is tried on, how a call is run for it, and how two results
//! are compared.

use ptodiff_isa::{Call, End, How, Log, Memory, Model, Readings, Region, Role, Schedule, Target};

use super::blocks::Blocks;
use super::place::{Places, read};
use super::slots::Slots;
use super::view::{Promise, View, demand};

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

/// A call that is seen, the operands of its first step and the slots that it selects.
pub(super) struct Seen<'a> {
    pub(super) view: View<'a>,
    pub(super) memory: &'a Memory,
    pub(super) slots: Slots,
}

impl<'a> ModelCase<'a> {
    /// What `call` is promised on the target; none where the target rejects it.
    pub(super) fn view<'c>(&self, call: &'c Call) -> Option<View<'c>> {
        let view = View::of(call, self.target, self.readings)?;
        self.accepted(call)?;
        Some(view)
    }

    /// Goes on only where the target rejects nothing of `call`.
    pub(super) fn accepted(&self, call: &Call) -> Option<()> {
        demand(self.model.check(call, self.readings).is_empty())
    }

    /// The first call of the case, where the relation `binds` such a one.
    pub(super) fn seen(&self, binds: impl FnOnce(&View<'a>) -> bool) -> Option<Seen<'a>> {
        let view = View::of(self.call, self.target, self.readings)?;
        demand(binds(&view))?;
        self.accepted(self.call)?;
        let memory = self.steps.first()?;
        let slots = view.slots(memory)?;
        Some(Seen {
            view,
            memory,
            slots,
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

/// `memory` with another operand in the part that `region` plays.
pub(super) fn with(memory: &Memory, region: Region) -> Memory {
    let mut memory = memory.clone();
    match memory.get_mut(region.role) {
        Some(old) => *old = region,
        None => memory.regions.push(region),
    }
    memory
}

/// An operand of `elements` elements of `size` bytes that holds nothing yet.
pub(super) fn blank(role: Role, elements: u64, size: usize) -> Option<Region> {
    let body = usize::try_from(elements).ok()?.checked_mul(size)?;
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
        let [one, other] = [self.one.bytes(), self.other.bytes()];
        if one == other {
            return Ok(());
        }
        let pairs = one.iter().zip(other);
        let at = pairs.take_while(|(one, other)| one == other).count();
        let body = self.one.body_range();
        if body.contains(&at) && body == self.other.body_range() {
            let element = (at - body.start) / self.size;
            return self.same(element, element);
        }
        let Self { role, but, .. } = self;
        let byte = |bytes: &[u8]| {
            bytes
                .get(at)
                .map_or("none".to_owned(), |b| format!("{b:#04x}"))
        };
        Err(format!(
            "guard zone of the {role}, byte {} from its first element: {}, but {} {but}",
            at as i64 - body.start as i64,
            byte(one),
            byte(other),
        ))
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
        let body = region.body();
        (at < body.len() / self.size).then(|| read(body, at, self.size))
    }
}

impl Seen<'_> {
    /// As much of the output as is promised is equal in two results of calls
    /// with the same operands but for indices that select the same.
    ///
    /// # Errors
    /// Names the first slot that is not.
    pub(super) fn agree(&self, results: [&Memory; 2], but: &str) -> Result<(), String> {
        let Self { view, slots, .. } = self;
        let two = Two::of(view.output, view.data.dtype.size(), results, but)?;
        match view.promise {
            Promise::All if !slots.any_open() => two.equal(),
            Promise::All | Promise::Valid => {
                self.lanes_agree(&two, &view.places, |lane| view.lane(lane))
            }
            Promise::Columns(blocks) => self.table_agrees(&two, &blocks, |r, c| blocks.at(r, c)),
            Promise::Slots => {
                let addressed = (0..slots.len()).map(|lane| slots.of(lane) as usize);
                addressed
                    .into_iter()
                    .try_for_each(|slot| two.same(slot, slot))
            }
        }
    }

    /// An NZ table equals a second one whose logical elements stand at `to`,
    /// but for what the bursts of a row may write past its last column
    /// (MSCATTER-GAP-22).
    ///
    /// # Errors
    /// Names the first slot that does not.
    pub(super) fn table_agrees(
        &self,
        two: &Two<'_>,
        blocks: &Blocks,
        to: impl Fn(usize, usize) -> usize,
    ) -> Result<(), String> {
        let Self { view, slots, .. } = self;
        let open = matches!(view.promise, Promise::Columns(_));
        for r in 0..blocks.rows() {
            let told = if open && slots.select(r as u64) {
                view.cols
            } else {
                blocks.cols()
            };
            for c in 0..told {
                two.same(blocks.at(r, c), to(r, c))?;
            }
        }
        Ok(())
    }

    /// What lane `lane` gathered stands in the second result where `places`
    /// have the row and the columns that begin at `to(lane)`.
    ///
    /// # Errors
    /// Names the first slot of which it is not so.
    pub(super) fn lanes_agree(
        &self,
        two: &Two<'_>,
        places: &Places,
        to: impl Fn(usize) -> (usize, usize),
    ) -> Result<(), String> {
        let Self { view, slots, .. } = self;
        let told = (0..slots.len()).filter(|lane| !slots.open(*lane));
        for lane in told {
            let ((r, c), (r2, c2)) = (view.lane(lane), to(lane));
            for k in 0..view.width {
                two.same(view.places.at(r, c + k), places.at(r2, c2 + k))?;
            }
        }
        Ok(())
    }
}
