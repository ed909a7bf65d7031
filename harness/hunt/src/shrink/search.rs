//! The search itself: what was found so far, and what may still be asked.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use ptodiff_case::Case;
use ptodiff_isa::Call;

use super::bounds::{bytes, is_expressible};
use super::carry::carry;
use super::follow::{Padding, follow};
use super::measure::Measure;

/// How many parts of one thing are tried in vain, one after the other, before
/// it is given up: what has more parts that are needed than this is better cut
/// elsewhere.
const PATIENCE: usize = 64;

/// A change of a case, but not of its data; it gives the entries that it takes away where
/// these are not the last ones.
pub(super) type Edit = Box<dyn Fn(&mut Case) -> Option<Range<u64>>>;

/// A change that takes away what is at the end where something gets smaller.
pub(super) fn edit(change: impl Fn(&mut Case) + 'static) -> Edit {
    Box::new(move |case| {
        change(case);
        None
    })
}

/// The smallest case found so far, and what it takes to find a smaller one.
pub(super) struct Search<'k> {
    pub(super) case: Case,
    measure: Measure,
    /// Bytes that the operands of a candidate may take: what those of the first case did.
    room: u64,
    /// Calls that a candidate may have.
    allows: &'k dyn Fn(&Call) -> bool,
    /// The run's seed, for data that is still drawn.
    pub(super) seed: u64,
    /// How often may still be asked.
    tries: usize,
    /// What was answered with no, by a hash of all that a pass changes.
    rejected: HashSet<u64>,
    keeps: &'k mut dyn FnMut(&Case) -> bool,
}

impl<'k> Search<'k> {
    /// A search from `case`, which keeps what is to be kept.
    pub(super) fn new(
        case: Case,
        (room, allows): (u64, &'k dyn Fn(&Call) -> bool),
        seed: u64,
        tries: usize,
        keeps: &'k mut dyn FnMut(&Case) -> bool,
    ) -> Self {
        Self {
            measure: Measure::of(&case),
            case,
            room,
            allows,
            seed,
            tries,
            rejected: HashSet::new(),
            keeps,
        }
    }

    /// Whether nothing may be asked any more.
    pub(super) const fn is_spent(&self) -> bool {
        self.tries == 0
    }

    /// Takes `candidate` in place of the case so far if it is one that the
    /// format can express, takes no more memory than the first case, is
    /// smaller than the one so far, and keeps what is to be kept.
    pub(super) fn offer(&mut self, candidate: Case) -> bool {
        if self.is_spent() || bytes(&candidate) > self.room || !is_expressible(&candidate) {
            return false;
        }
        let measure = Measure::of(&candidate);
        if measure >= self.measure {
            return false;
        }
        let mark = mark(&candidate);
        if self.rejected.contains(&mark) || !(self.allows)(&candidate.call) {
            return false;
        }
        self.tries -= 1;
        if !(self.keeps)(&candidate) {
            self.rejected.insert(mark);
            return false;
        }
        self.case = candidate;
        self.measure = measure;
        true
    }

    /// Offers what an edit makes of the case: first with what follows from it in other
    /// operands, then alone.
    pub(super) fn offer_edited(&mut self, edit: &Edit) -> bool {
        let paddings = [Padding::Aligned, Padding::Full, Padding::Kept].map(Some);
        paddings.into_iter().chain([None]).any(|padding| {
            let mut candidate = self.case.clone();
            let cut = edit(&mut candidate);
            if candidate == self.case {
                return false;
            }
            if let Some(padding) = padding {
                follow(&self.case, &mut candidate, padding);
            }
            // Only then data is made for it.
            if bytes(&candidate) > self.room {
                return false;
            }
            carry(&self.case, &mut candidate, cut.as_ref(), padding.is_some());
            self.offer(candidate)
        })
    }

    /// Offers what each edit of a list makes of the case, in their order, with a new
    /// list after each that is taken; whether any was.
    pub(super) fn exhaust(&mut self, list: fn(&Case) -> Vec<Edit>) -> bool {
        let mut any = false;
        while !self.is_spent() {
            let edits = list(&self.case);
            if !edits.iter().any(|edit| self.offer_edited(edit)) {
                break;
            }
            any = true;
        }
        any
    }

    /// Offers what there is for each of `parts`, until many of them in a row were
    /// rejected; whether any was taken.
    pub(super) fn patiently<T>(
        &mut self,
        parts: impl Iterator<Item = T>,
        mut offer: impl FnMut(&mut Self, T) -> bool,
    ) -> bool {
        let mut any = false;
        let mut rejected = 0;
        for part in parts {
            if rejected == PATIENCE || self.is_spent() {
                break;
            }
            if offer(self, part) {
                any = true;
                rejected = 0;
            } else {
                rejected += 1;
            }
        }
        any
    }
}

/// A hash of all that tells two candidates apart.
fn mark(case: &Case) -> u64 {
    let expected = (&case.rejected, &case.undefined, &case.hangs);
    let setting = (case.chunks, &case.targets, &case.readings);
    let mut hash = DefaultHasher::new();
    (&case.call, setting, expected, &case.data).hash(&mut hash);
    hash.finish()
}
