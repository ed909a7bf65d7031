//! The bytes a call works on, each operand between two guard zones.

use std::ops::Range;

use crate::word::words;

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

/// One operand's bytes with a guard zone before and after them.
///
/// The body of a tile is its whole padded image in its own layout
/// (`rows * cols` elements); the body of a tensor runs from its first element
/// to the last one that its shape and strides reach. An access that leaves the
/// body is a stray access; guard zones let a write that strays be seen.
#[derive(PartialEq, Eq, Debug)]
pub struct Region {
    /// The part it plays.
    pub role: Role,
    bytes: Vec<u8>,
    body: Range<usize>,
}

impl Clone for Region {
    fn clone(&self) -> Self {
        Self {
            role: self.role,
            bytes: self.bytes.clone(),
            body: self.body.clone(),
        }
    }

    /// In the memory that it has.
    #[inline]
    fn clone_from(&mut self, of: &Self) {
        self.role = of.role;
        self.bytes.clone_from(&of.bytes);
        self.body = of.body.clone();
    }
}

impl Region {
    /// A region over `bytes`, of which `body` is the operand and the rest guard zone.
    ///
    /// # Panics
    /// If `body` does not lie inside `bytes`.
    #[inline]
    #[must_use]
    pub fn new(role: Role, bytes: Vec<u8>, body: Range<usize>) -> Self {
        assert!(
            body.start <= body.end && body.end <= bytes.len(),
            "the operand must lie inside its bytes"
        );
        Self { role, bytes, body }
    }

    /// The operand's own bytes.
    #[inline]
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.bytes[self.body.clone()]
    }

    /// The operand's own bytes, to be written.
    #[inline]
    pub fn body_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.body.clone()]
    }

    /// Guard zone, operand, guard zone in one piece.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Guard zone, operand, guard zone in one piece, to be written.
    #[inline]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// Guard zone, operand, guard zone: memory to make another region of.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Where in [`Region::bytes`] the operand lies.
    #[inline]
    #[must_use]
    pub fn body_range(&self) -> Range<usize> {
        self.body.clone()
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
