//! The bytes of operands, step by step.

use ptodiff_isa::{GlobalTensor, Memory, Readings, Role, Target};

use crate::strides::reach;

/// A call on a target, run once for each step; at least one.
#[derive(Clone, Copy)]
pub(crate) struct Steps<'a> {
    all: &'a [&'a Memory],
    pub(crate) target: Target,
    pub(crate) readings: &'a Readings,
}

impl<'a> Steps<'a> {
    /// Over `all`, if there are any.
    pub(crate) fn of(
        all: &'a [&'a Memory],
        target: Target,
        readings: &'a Readings,
    ) -> Option<Self> {
        (!all.is_empty()).then_some(Self {
            all,
            target,
            readings,
        })
    }

    /// The number of steps.
    pub(crate) const fn count(&self) -> usize {
        self.all.len()
    }

    /// The body of an operand of a step, if that has one of at least `needed` bytes.
    pub(crate) fn body(&self, step: usize, role: Role, needed: usize) -> Option<&'a [u8]> {
        let body = self.all[step].get(role)?.body();
        (body.len() >= needed).then_some(body)
    }

    /// At least `needed` bytes of an operand that lasts from step to step.
    pub(crate) fn lasting(&self, role: Role, needed: usize) -> Option<&'a [u8]> {
        self.body(0, role, needed)
    }

    /// At least `needed` bytes of an operand of the last step, loaded for it alone.
    pub(crate) fn loaded(&self, role: Role, needed: usize) -> Option<&'a [u8]> {
        self.body(self.count() - 1, role, needed)
    }

    /// The table before the first step, at least as far as shape and strides reach.
    pub(crate) fn table(&self, table: &GlobalTensor) -> Option<&'a [u8]> {
        let elements = usize::try_from(reach(table)?).ok()?;
        let needed = elements.checked_mul(table.dtype.size())?;
        self.lasting(Role::Table, needed)
    }
}

/// The unsigned number that an element of at most 8 bytes is.
pub(crate) fn number(element: &[u8]) -> u64 {
    let mut wide = [0; 8];
    wide[..element.len()].copy_from_slice(element);
    u64::from_le_bytes(wide)
}
