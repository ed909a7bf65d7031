//! The one image of memory that a call works on.

use std::collections::BTreeSet;

use ptodiff_isa::{Memory, Role};

use crate::{
    operand::Held,
    orders::{State, after},
    out::{Reachable, Stop, Values},
    store::Rules,
};

/// An operand as it may stand.
pub(crate) struct Image {
    before: Vec<u64>,
    now: Vec<Values>,
    size: usize,
    /// Whether some access went outside its operand.
    pub(crate) outside: bool,
}

impl Image {
    /// The destination after `steps`, of which each has its own, of so many elements at
    /// least, and does to it what `run` does.
    pub(crate) fn after(
        steps: &[&Memory],
        (elements, size): (usize, usize),
        mut run: impl FnMut(&Memory, &mut Self) -> Result<(), Stop>,
    ) -> Result<Self, Stop> {
        let mut outside = false;
        let mut last = None;
        for step in steps {
            let held = Held::of(step, Role::Destination, size)?;
            held.at_least(elements)?;
            let mut image = Self::of(&held, size)?;
            image.outside = outside;
            run(step, &mut image)?;
            outside = image.outside;
            last = Some(image);
        }
        last.ok_or(Stop::NotCovered("there is no step"))
    }

    /// An operand as it is.
    pub(crate) fn of(held: &Held<'_>, size: usize) -> Result<Self, Stop> {
        let before = (0..held.len()).map(|n| held.at(n));
        let before: Vec<_> = before.collect::<Result<_, _>>()?;
        Ok(Self {
            now: vec![Values::Kept; before.len()],
            before,
            size,
            outside: false,
        })
    }

    /// The number of the slot at `place`, if it is one.
    pub(crate) fn slot(&self, place: u64) -> Option<usize> {
        let place = usize::try_from(place).ok()?;
        (place < self.now.len()).then_some(place)
    }

    /// What a slot may hold.
    pub(crate) fn state(&self, slot: usize) -> State {
        self.now[slot].set(self.before[slot])
    }

    /// Leaves `state` in a slot.
    pub(crate) fn set(&mut self, slot: usize, state: State) {
        self.now[slot] = state.map_or(Values::Anything, Values::These);
    }

    /// Leaves one element in a slot.
    pub(crate) fn put(&mut self, slot: usize, bits: u64) {
        self.set(slot, Some([bits].into()));
    }

    /// Leaves anything in a slot.
    pub(crate) fn open(&mut self, slot: usize) {
        self.set(slot, None);
    }

    /// Does `stores` to a slot.
    pub(crate) fn store(
        &mut self,
        slot: usize,
        stores: &[u64],
        rules: &Rules,
        any_order: bool,
    ) -> Result<(), Stop> {
        let state = after(rules, self.state(slot), stores, any_order)?;
        self.set(slot, state);
        Ok(())
    }

    /// Lets each slot that was stored to hold what it held before, too.
    pub(crate) fn or_before(&mut self) {
        for (now, &before) in self.now.iter_mut().zip(&self.before) {
            if let Values::These(all) = now {
                all.insert(before);
            }
        }
    }

    /// Either this image or the other.
    pub(crate) fn or(mut self, other: &Self) -> Self {
        for slot in 0..self.now.len() {
            if self.now[slot] == other.now[slot] {
                continue;
            }
            let both = self.state(slot).zip(other.state(slot));
            self.set(
                slot,
                both.map(|(a, b)| a.union(&b).copied().collect::<BTreeSet<_>>()),
            );
        }
        self.outside |= other.outside;
        self
    }

    /// What the slots may hold.
    pub(crate) fn slots(self) -> Vec<Values> {
        self.now
    }

    /// As the output that plays `role`.
    pub(crate) fn reachable(self, role: Role) -> Reachable {
        Reachable {
            role,
            size: self.size,
            outside: self.outside,
            scratch: None,
            slots: self.now,
        }
    }
}
