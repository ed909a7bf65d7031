//! Scalar stores that other pipes have not been told of.
//!
//! The documents have handshakes make scalar writes "visible" to a pipe, so a
//! store need not have reached it before. Stores are counted in rounds: a flag
//! from S tells of all rounds so far, and whoever passes a flag on passes on
//! what it was told.

use ptodiff_isa::{Region, Role};
use ptodiff_memory::Bus;

/// What an operation of another pipe knows of the scalar stores: the last round
/// each.
#[derive(Clone, Copy, Default)]
pub(super) struct Knowledge {
    /// Its pipe had been told of the rounds up to this one.
    pub(super) told: u64,
    /// It was handed over after this one.
    pub(super) issued: u64,
}

/// One byte of the operand.
struct Byte {
    /// What stood there when last looked at.
    now: u8,
    /// What stood there before the scalar pipe stored.
    old: u8,
    /// The last round in which it was stored to; 0 if it was not.
    round: u64,
}

impl Byte {
    fn new(now: u8) -> Self {
        let (old, round) = (now, 0);
        Self { now, old, round }
    }

    /// Whether an operation comes too early for the store: handed over after it,
    /// to a pipe that was told of earlier rounds only.
    fn is_missed(&self, by: Knowledge) -> bool {
        by.told < self.round && self.round <= by.issued
    }
}

/// The scalar stores to the one operand that the kernel's scalar pipe writes. A
/// store of what stood there already makes no difference and is none.
pub(super) struct Unseen {
    role: Role,
    /// Guard zones included.
    bytes: Vec<Byte>,
    round: u64,
}

impl Unseen {
    /// No stores yet to the operand that plays `role`.
    pub(super) fn new(role: Role) -> Self {
        Self {
            role,
            bytes: Vec::new(),
            round: 0,
        }
    }

    /// Rounds so far.
    pub(super) fn round(&self) -> u64 {
        self.round
    }

    /// From now on what changes is a store.
    pub(super) fn watch(&mut self, bus: &Bus<'_>) {
        let bytes = bus.get(self.role).map_or(&[][..], Region::bytes);
        self.bytes = bytes.iter().map(|&now| Byte::new(now)).collect();
    }

    /// Takes what has changed since the last look for a round of stores.
    pub(super) fn collect(&mut self, bus: &Bus<'_>) {
        let bytes = bus.get(self.role).map_or(&[][..], Region::bytes);
        let next = self.round + 1;
        for (byte, &now) in self.bytes.iter_mut().zip(bytes) {
            if byte.now == now {
                continue;
            }
            if byte.round == 0 {
                byte.old = byte.now;
            }
            (byte.now, byte.round) = (now, next);
            self.round = next;
        }
    }

    /// Lets another pipe work. It finds what stood in a byte before a store
    /// that it misses, and what it writes there is lost once the store arrives.
    pub(super) fn around<R>(
        &mut self,
        knowledge: Knowledge,
        bus: &mut Bus<'_>,
        work: impl FnOnce(&mut Bus<'_>) -> R,
    ) -> R {
        let role = self.role;
        let first = -(self.guard(bus) as i64);
        for (at, byte) in (first..).zip(&self.bytes) {
            if byte.is_missed(knowledge) {
                bus.poke(role, at, 1, byte.old.into());
            }
        }
        let result = work(bus);
        for (at, byte) in (first..).zip(&mut self.bytes) {
            let now = bus.peek(role, at, 1) as u8;
            if byte.is_missed(knowledge) {
                bus.poke(role, at, 1, byte.now.into());
            } else if now != byte.now {
                *byte = Byte::new(now);
            }
        }
        result
    }

    /// The operand's body as it would stand if another pipe now wrote `value`
    /// all over it. Nothing is written.
    pub(super) fn covered(&self, knowledge: Knowledge, value: u8, bus: &Bus<'_>) -> Vec<u8> {
        let body = bus.get(self.role).map_or(0, |region| region.body().len());
        let bytes = self.bytes.iter().skip(self.guard(bus)).take(body);
        bytes
            .map(|byte| match byte.is_missed(knowledge) {
                true => byte.now,
                false => value,
            })
            .collect()
    }

    /// Bytes of the guard zone before the body.
    fn guard(&self, bus: &Bus<'_>) -> usize {
        bus.get(self.role)
            .map_or(0, |region| region.body_range().start)
    }
}
