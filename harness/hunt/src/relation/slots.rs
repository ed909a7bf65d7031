//! The slots that the lanes of a call select.

use super::reach::{DROPPED, OPEN};

/// One slot a lane, in the order of the lanes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Slots {
    of: Vec<u64>,
    /// Those of them that are slots, in increasing order.
    sorted: Vec<u64>,
}

impl Slots {
    pub(super) fn new(of: Vec<u64>) -> Self {
        let mut sorted = of.clone();
        sorted.retain(|slot| *slot < OPEN);
        sorted.sort_unstable();
        Self { of, sorted }
    }

    /// Lanes.
    pub(super) fn len(&self) -> usize {
        self.of.len()
    }

    /// That of lane `lane`, or [`DROPPED`], or [`OPEN`].
    pub(super) fn of(&self, lane: usize) -> u64 {
        self.of[lane]
    }

    /// Whether nothing is said of what lane `lane` selects.
    pub(super) fn open(&self, lane: usize) -> bool {
        self.of[lane] == OPEN
    }

    /// Whether nothing is said of any lane.
    pub(super) fn all_open(&self) -> bool {
        self.of.iter().all(|slot| *slot == OPEN)
    }

    /// Whether nothing is said of some lane.
    pub(super) fn any_open(&self) -> bool {
        self.of.contains(&OPEN)
    }

    /// Whether no two lanes select one slot.
    pub(super) fn distinct(&self) -> bool {
        self.sorted.is_sorted_by(|one, next| one < next)
    }

    /// Whether lane `lane` selects a slot and no other lane selects it.
    pub(super) fn sole(&self, lane: usize) -> bool {
        let slot = self.of[lane];
        let from = self.sorted.partition_point(|other| *other < slot);
        slot < OPEN && self.sorted.get(from + 1) != Some(&slot)
    }

    /// Whether some lane selects `slot`.
    pub(super) fn select(&self, slot: u64) -> bool {
        self.sorted.binary_search(&slot).is_ok()
    }

    /// Whether lane `lane` selects nothing, as its policy has it.
    pub(super) fn dropped(&self, lane: usize) -> bool {
        self.of[lane] == DROPPED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sole_and_distinct() {
        let slots = Slots::new(vec![4, 7, DROPPED, 4, OPEN, 0, DROPPED]);
        let sole: Vec<_> = (0..slots.len()).map(|lane| slots.sole(lane)).collect();
        assert_eq!(sole, [false, true, false, false, false, true, false]);
        assert!(!slots.distinct() && slots.any_open() && !slots.all_open());
        assert!(slots.select(7) && !slots.select(5) && !slots.select(DROPPED));
        assert!(slots.open(4) && slots.dropped(2) && !slots.dropped(1));
        assert!(Slots::new(vec![DROPPED, 3, 1, DROPPED]).distinct());
    }
}
