//! Memory that one answer leaves to the next.

use std::cell::RefCell;

use crate::{combine::Cell, permit::Run, runs::Runs, writers::Writers};

/// Lists that are made for an answer and not part of it.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    /// The writes of a scatter.
    pub(crate) writers: Writers,
    /// The sources of several steps in one.
    pub(crate) sources: Vec<u8>,
    /// The slot that is being settled.
    pub(crate) cell: Cell,
    /// What calls deliver that later ones write over.
    pub(crate) gone: Runs,
    /// Runs of an operand that the call at hand has not.
    pub(crate) spare: Vec<Run>,
}

/// Bytes from which on memory is not kept for the next answer.
const LARGE: usize = 1 << 20;

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

impl Desk {
    /// Gives the desk of this thread to `work`. Small calls one after the other,
    /// whoever asks about them, so allocate once in all.
    pub(crate) fn lend<T>(work: impl FnOnce(&mut Self) -> T) -> T {
        DESK.with_borrow_mut(|desk| {
            let done = work(desk);
            if desk.held() > LARGE {
                *desk = Self::default();
            }
            done
        })
    }

    /// Bytes of the lists that grow with a call.
    fn held(&self) -> usize {
        let spare = self.spare.capacity() * size_of::<Run>();
        self.writers.held() + self.sources.capacity() + self.gone.held() + spare
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_memory_is_kept_and_large_memory_is_not() {
        let room = |wanted: usize| {
            Desk::lend(|desk| desk.sources.reserve(wanted));
            Desk::lend(|desk| desk.sources.capacity())
        };
        assert!(room(100) >= 100);
        assert_eq!(room(2 * LARGE), 0);
    }
}
