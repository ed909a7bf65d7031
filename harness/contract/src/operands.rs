//! The bytes of operands, step by step.

use ptodiff_isa::{GlobalTensor, Memory, Readings, Role, Target};

use crate::strides::reach;

/// Why no permits can be given: the operands do not fit the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unusable {
    /// Not one step was given.
    #[error("no step to run")]
    NoSteps,
    /// A step lacks an operand.
    #[error("step {step} has no {role}")]
    Missing {
        /// Number of the step.
        step: usize,
        /// The operand.
        role: Role,
    },
    /// An operand is shorter than its descriptor says.
    #[error("step {step}: the {role} has {found} bytes of {needed}")]
    Short {
        /// Number of the step.
        step: usize,
        /// The operand.
        role: Role,
        /// Bytes that the descriptor asks for.
        needed: usize,
        /// Bytes of its body.
        found: usize,
    },
    /// Tiles have more than 2^32 - 1 elements over all steps, or an operand more
    /// bytes than there are addresses.
    #[error("operands too large to count")]
    TooLarge,
}

/// A call on a target, run once for each step; at least one.
#[derive(Clone, Copy)]
pub(crate) struct Steps<'a> {
    all: &'a [&'a Memory],
    pub(crate) target: Target,
    pub(crate) readings: &'a Readings,
}

impl<'a> Steps<'a> {
    /// Over `all`, if there are any.
    pub(crate) const fn of(
        all: &'a [&'a Memory],
        target: Target,
        readings: &'a Readings,
    ) -> Result<Self, Unusable> {
        match all {
            [] => Err(Unusable::NoSteps),
            _ => Ok(Self {
                all,
                target,
                readings,
            }),
        }
    }

    /// The number of steps.
    pub(crate) const fn count(&self) -> usize {
        self.all.len()
    }

    /// Each step but the last as if it were the last one.
    pub(crate) fn earlier(&self) -> impl Iterator<Item = Self> {
        (1..self.count()).map(|count| Self {
            all: &self.all[..count],
            ..*self
        })
    }

    /// The body of an operand of a step, of at least `needed` bytes.
    pub(crate) fn body(
        &self,
        step: usize,
        role: Role,
        needed: usize,
    ) -> Result<&'a [u8], Unusable> {
        let region = self.all[step].get(role);
        let body = region.ok_or(Unusable::Missing { step, role })?.body();
        let found = body.len();
        match found < needed {
            true => Err(Unusable::Short {
                step,
                role,
                needed,
                found,
            }),
            false => Ok(body),
        }
    }

    /// At least `needed` bytes of an operand that lasts from step to step.
    pub(crate) fn lasting(&self, role: Role, needed: usize) -> Result<&'a [u8], Unusable> {
        self.body(0, role, needed)
    }

    /// At least `needed` bytes of an operand of the last step, loaded for it alone.
    pub(crate) fn loaded(&self, role: Role, needed: usize) -> Result<&'a [u8], Unusable> {
        self.body(self.count() - 1, role, needed)
    }

    /// The table before the first step, at least as far as shape and strides reach.
    pub(crate) fn table(&self, table: &GlobalTensor) -> Result<&'a [u8], Unusable> {
        let needed = reach(table)
            .and_then(|n| usize::try_from(n).ok())
            .and_then(|n| n.checked_mul(table.dtype.size()))
            .ok_or(Unusable::TooLarge)?;
        self.lasting(Role::Table, needed)
    }
}

/// Bytes of `elems` elements of `size` bytes.
pub(crate) fn bytes(elems: usize, size: usize) -> Result<usize, Unusable> {
    elems.checked_mul(size).ok_or(Unusable::TooLarge)
}

/// The unsigned number that an element of at most 8 bytes is.
pub(crate) fn number(element: &[u8]) -> u64 {
    let mut wide = [0; 8];
    wide[..element.len()].copy_from_slice(element);
    u64::from_le_bytes(wide)
}
