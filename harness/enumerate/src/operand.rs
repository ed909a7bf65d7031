//! The elements of an operand.

use ptodiff_isa::{Memory, Role};

use crate::{ELEMENTS, out::Stop};

const MISSING: Stop = Stop::NotCovered("an operand is missing");
const SHORT: Stop = Stop::NotCovered("an operand is too short");

/// An operand's body in elements of `size` bytes.
pub(crate) struct Held<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl<'a> Held<'a> {
    pub(crate) fn of(memory: &'a Memory, role: Role, size: usize) -> Result<Self, Stop> {
        let bytes = memory.get(role).ok_or(MISSING)?.body();
        if bytes.len() / size > ELEMENTS {
            return Err(Stop::TooLarge);
        }
        Ok(Self { bytes, size })
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / self.size
    }

    /// The element that begins at this byte, if all of it is there.
    pub(crate) fn at_byte(&self, byte: usize) -> Option<u64> {
        let element = self.bytes.get(byte..)?.get(..self.size)?;
        let mut wide = [0; 8];
        wide[..self.size].copy_from_slice(element);
        Some(u64::from_le_bytes(wide))
    }

    /// The element with this number, if it is there.
    pub(crate) fn find(&self, number: u64) -> Option<u64> {
        let number = usize::try_from(number).ok()?;
        self.at_byte(number.checked_mul(self.size)?)
    }

    /// The element with this number, which the descriptor says is there.
    pub(crate) fn at(&self, number: usize) -> Result<u64, Stop> {
        self.find(number as u64).ok_or(SHORT)
    }

    /// Fails if there are fewer elements.
    pub(crate) fn at_least(&self, elements: usize) -> Result<(), Stop> {
        if self.len() < elements {
            Err(SHORT)
        } else {
            Ok(())
        }
    }
}

/// The first step.
pub(crate) fn first<'a>(steps: &[&'a Memory]) -> Result<&'a Memory, Stop> {
    let first = steps.first().ok_or(Stop::NotCovered("there is no step"))?;
    Ok(first)
}
