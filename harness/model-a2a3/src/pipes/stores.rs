//! Scalar stores that other pipes have not been told of.
//!
//! The documents have handshakes make scalar writes "visible" to a pipe, so a
//! store need not have reached it before. It is counted in rounds: a flag from
//! S tells of all rounds so far, and whoever passes a flag on passes on what
//! it was told.

use crate::operands::{Operands, Place};

/// One byte that the scalar pipe stored last; round 0 means it did not.
#[derive(Clone, Copy, Default)]
struct Stored {
    /// What stood there before.
    old: u8,
    /// When.
    round: u64,
}

impl Stored {
    /// Whether an operation comes too early for this store: handed over after
    /// it, to a pipe that was told of rounds up to `told` only.
    fn is_missed(self, told: u64, issued: u64) -> bool {
        told < self.round && self.round <= issued
    }
}

/// The scalar stores to the one operand that the kernel's scalar pipe writes.
pub(super) struct Stores {
    place: Place,
    /// The operand's bytes, guard zones included, when last looked at.
    bytes: Vec<u8>,
    stored: Vec<Stored>,
    round: u64,
}

impl Stores {
    /// No stores yet to the operand at `place`.
    pub(super) fn new(place: Place, operands: &mut Operands<'_>) -> Self {
        let bytes: Vec<u8> = operands.at(place).cells().map(|cell| *cell).collect();
        Self {
            place,
            stored: vec![Stored::default(); bytes.len()],
            bytes,
            round: 0,
        }
    }

    /// Rounds so far.
    pub(super) fn round(&self) -> u64 {
        self.round
    }

    /// Takes what has changed since the last look for a round of scalar stores.
    pub(super) fn collect(&mut self, operands: &mut Operands<'_>) {
        let next = self.round + 1;
        let known = self.bytes.iter_mut().zip(&mut self.stored);
        for (cell, (byte, stored)) in operands.at(self.place).cells().zip(known) {
            if *cell == *byte {
                continue;
            }
            if stored.round == 0 {
                stored.old = *byte;
            }
            stored.round = next;
            *byte = *cell;
            self.round = next;
        }
    }

    /// Lets another pipe work. It finds what stood in a byte before a store
    /// that it misses, and what it writes there is lost once the store arrives.
    pub(super) fn around<R>(
        &mut self,
        operands: &mut Operands<'_>,
        (told, issued): (u64, u64),
        work: impl FnOnce(&mut Operands<'_>) -> R,
    ) -> R {
        for (cell, stored) in operands.at(self.place).cells().zip(&self.stored) {
            if stored.is_missed(told, issued) {
                *cell = stored.old;
            }
        }
        let result = work(operands);
        let known = self.bytes.iter_mut().zip(&mut self.stored);
        for (cell, (byte, stored)) in operands.at(self.place).cells().zip(known) {
            if stored.is_missed(told, issued) {
                *cell = *byte;
            } else if *cell != *byte {
                *byte = *cell;
                *stored = Stored::default();
            }
        }
        result
    }

    /// The operand's body as it would stand if another pipe now wrote `value`
    /// all over it. Nothing is written.
    pub(super) fn covered(
        &self,
        operands: &mut Operands<'_>,
        (told, issued): (u64, u64),
        value: u8,
    ) -> Vec<u8> {
        let port = operands.at(self.place);
        let body = port.guard()..port.guard() + port.body().len();
        self.bytes[body.clone()]
            .iter()
            .zip(&self.stored[body])
            .map(|(&byte, stored)| match stored.is_missed(told, issued) {
                true => byte,
                false => value,
            })
            .collect()
    }
}
