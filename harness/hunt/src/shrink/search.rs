//! The search itself: what was found so far, and what may still be asked.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use ptodiff_case::Case;
use ptodiff_isa::{Call, GlobalTensor, Role};

use super::bounds::{bytes, is_expressible};
use super::fit::fitted;
use super::measure::Measure;

/// How many parts of one thing are tried in vain, one after the other, before
/// it is given up: what has more parts that are needed than this is better cut
/// elsewhere.
pub(super) const PATIENCE: usize = 64;

/// A change of a case whose operands may take so many bytes; none where it cannot be made.
pub(super) type Edit = Box<dyn FnOnce(&mut Case, u64) -> Option<()>>;

/// A change that can always be made.
pub(super) fn edit(change: impl FnOnce(&mut Case) + 'static) -> Edit {
    Box::new(|case, _| {
        change(case);
        Some(())
    })
}

/// A change of the tensor that plays a part.
pub(super) fn of_tensor(role: Role, change: impl FnOnce(&mut GlobalTensor) + 'static) -> Edit {
    Box::new(move |case, _| {
        change(case.call.tensor_mut(role)?);
        Some(())
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

    /// Offers a candidate whose operands have other extents: first with what
    /// follows from them made to fit, then as it is.
    pub(super) fn offer_fitted(&mut self, candidate: Case) -> bool {
        let fits = fitted(&self.case, &candidate);
        fits.is_some_and(|fits| self.offer(fits)) || self.offer(candidate)
    }

    /// Offers what each edit of a list makes of the case, in their order, with a new
    /// list after each that is taken; whether any was.
    pub(super) fn exhaust(&mut self, list: fn(&Case) -> Vec<Edit>) -> bool {
        let mut any = false;
        while !self.is_spent() {
            let mut edits = list(&self.case).into_iter();
            if !edits.any(|edit| self.offer_edited(edit)) {
                break;
            }
            any = true;
        }
        any
    }

    fn offer_edited(&mut self, edit: Edit) -> bool {
        let mut candidate = self.case.clone();
        edit(&mut candidate, self.room).is_some() && self.offer_fitted(candidate)
    }

    /// Offers what there is for each of `parts`, until `most` of them in a row were
    /// rejected; whether any was taken.
    pub(super) fn patiently<T>(
        &mut self,
        parts: impl Iterator<Item = T>,
        most: usize,
        mut offer: impl FnMut(&mut Self, T) -> bool,
    ) -> bool {
        let mut any = false;
        let mut rejected = 0;
        for part in parts {
            if rejected == most || self.is_spent() {
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
