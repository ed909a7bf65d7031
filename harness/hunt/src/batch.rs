//! Cases that are drawn before they are tried, to be tried kind by kind: a case like
//! the last finds its code at hand and its branches foreseen.

use std::ops::Range;

use ptodiff_case::{Case, Form};
use ptodiff_isa::{Call, ScatterAtomicOp};

use crate::plan::{Draw, Drawer};

/// Most elements that the data tiles of a batch have together: whoever stops a
/// hunt waits for its batches.
const ELEMENTS: u64 = 1 << 15;

/// Cases in a batch of small ones. Twice as many are quicker on one core, and gain
/// less from a second.
const MOST: u64 = 512;

/// Cases in a batch of large ones, or where few are shared among threads.
pub(crate) const FEWEST: u64 = 32;

/// How many cases make a batch if each has at most so many elements.
pub(crate) fn size(max_lanes: u64) -> u64 {
    (ELEMENTS / max_lanes.max(1)).clamp(FEWEST, MOST)
}

/// What decides most of the way that a case takes, and its place among those that
/// are drawn: one number, since numbers are sorted quicker than tuples.
type Key = u64;

/// Bits of a key that are the place: the lowest, those that a kind leaves.
const PLACE: u32 = 24;

/// Memory for the cases of a batch.
#[derive(Default)]
pub(crate) struct Batch {
    draws: Vec<Draw>,
    /// The keys of those that are drawn.
    order: Vec<Key>,
}

impl Batch {
    /// The cases of `numbers`, each with its number, kind by kind.
    pub(crate) fn draw(
        &mut self,
        drawer: &Drawer,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = (u64, &Draw)> {
        self.order.clear();
        for (at, number) in numbers.clone().enumerate() {
            match self.draws.get_mut(at) {
                Some(draw) => drawer.number_into(number, draw),
                None => self.draws.push(drawer.number(number)),
            }
            self.order.push(kind(&self.draws[at].case) | at as u64);
        }
        self.order.sort_unstable();
        let (order, draws) = (&self.order, &self.draws);
        let numbered = move |key: &Key| {
            let at = key % (1 << PLACE);
            (numbers.start + at, &draws[at as usize])
        };
        order.iter().map(numbered)
    }
}

/// The key of `case` in the first place.
fn kind(case: &Case) -> Key {
    let call = &case.call;
    let atomic = match call {
        Call::Mscatter(call) => call.atomic,
        Call::MscatterFirst(call) => call.atomic,
        _ => ScatterAtomicOp::None,
    };
    let form = Form::of(call) as u8;
    let first = case.targets.first().map_or(0, |target| *target as u8 + 1);
    let mode = call.mode().map_or(0, |mode| mode as u8 + 1);
    let dtype = call.data_tile().dtype as u8;
    Key::from_be_bytes([0, 0, 0, form, first, mode, atomic as u8, dtype]) << PLACE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;

    #[test]
    fn all_are_tried_with_their_numbers_and_kinds_stay_together() {
        let drawer = Drawer::new(&Plan::default());
        let mut batch = Batch::default();
        // The memory of a larger batch, and more than there is.
        for numbers in [0..300, 300..310, 1_000..1_700] {
            let mut seen = Vec::new();
            let mut kinds = Vec::new();
            for (number, draw) in batch.draw(&drawer, numbers.clone()) {
                assert_eq!(*draw, drawer.number(number), "{number}");
                seen.push(number);
                kinds.push(kind(&draw.case));
            }
            assert!(kinds.is_sorted());
            seen.sort_unstable();
            assert_eq!(seen, numbers.collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_batch_of_large_cases_has_few() {
        assert_eq!([1, 64, 128, 1024, 65536].map(size), [512, 512, 256, 32, 32]);
    }
}
