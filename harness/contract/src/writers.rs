//! The writes of a call by the slots that they go to.

use ptodiff_isa::Clause;

/// One write: what it goes to, and the lane of the data tile that it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Write {
    /// Number of the slot or of the row that is written.
    pub(crate) to: u64,
    /// The step.
    pub(crate) step: u32,
    /// Row of the data tile.
    pub(crate) r: u32,
    /// Its column; 0 where whole rows are written.
    pub(crate) c: u32,
    /// What brings it there, where its index does not say so as it stands.
    pub(crate) by: Option<Clause>,
}

/// The writes of a call. Those to one slot come one after the other, in the order in
/// which they take effect.
#[derive(Debug, Default)]
pub(crate) struct Writers(Vec<Write>);

impl Writers {
    /// Of writes in the order in which they take effect.
    pub(crate) fn of(mut writes: Vec<Write>) -> Self {
        writes.sort_by_key(|write| write.to);
        Self(writes)
    }

    /// The writes to each slot that has some, by increasing slot.
    pub(crate) fn by_slot(&self) -> impl Iterator<Item = &[Write]> {
        self.0.chunk_by(|a, b| a.to == b.to)
    }
}
