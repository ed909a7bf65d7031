//! The bytes a call works on, each operand between two guard zones.

mod region;
mod written;

pub use region::Region;

use crate::words;

words! {
    /// The part an operand plays in a call.
    #[serde(rename_all = "lowercase")]
    #[strum(serialize_all = "lowercase")]
    pub enum Role {
        /// The table in GM: written by MSCATTER, read by MGATHER.
        Table,
        /// The tile that is read.
        Source,
        /// The tile that is written.
        Destination,
        /// The index operand: element or row numbers, or TGATHERB's byte offsets.
        Index,
        /// The staging area in GM of an Elem gather to L1.
        Scratch,
    }
}

/// All operands of one call, at most one a role.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// The operands.
    pub regions: Vec<Region>,
}

impl Memory {
    /// The operand that plays `role`, if the call has one.
    #[inline]
    #[must_use]
    pub fn get(&self, role: Role) -> Option<&Region> {
        self.regions.iter().find(|r| r.role == role)
    }

    /// The operand that plays `role`, to be written.
    #[inline]
    pub fn get_mut(&mut self, role: Role) -> Option<&mut Region> {
        self.regions.iter_mut().find(|r| r.role == role)
    }
}
