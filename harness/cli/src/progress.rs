//! How far a command is, to say at an interrupt.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use ptodiff_record::Verdict;
use strum::VariantArray;

use crate::{
    interrupt::{Then, at_first},
    screen::Screen,
};

/// What was done of how much.
pub(crate) struct Progress {
    of: usize,
    /// By the number of the verdict.
    verdicts: Vec<AtomicUsize>,
    written: AtomicUsize,
}

impl Progress {
    /// Nothing of so many cases. At an interrupt it is said how many there
    /// were by then, that so `far`, and otherwise that nothing was written.
    pub(crate) fn start(of: usize, screen: &Screen, far: &'static str) -> Arc<Self> {
        let new = Arc::new(Self {
            of,
            verdicts: Verdict::VARIANTS
                .iter()
                .map(|_| AtomicUsize::new(0))
                .collect(),
            written: AtomicUsize::new(0),
        });
        let (own, bar) = (Arc::clone(&new), screen.bar());
        at_first(move || {
            bar.finish_and_clear();
            Then::End(own.said(far))
        });
        new
    }

    /// One more, with this verdict.
    pub(crate) fn add(&self, verdict: Verdict) {
        let at = Verdict::VARIANTS.iter().position(|v| *v == verdict);
        if let Some(count) = at.and_then(|at| self.verdicts.get(at)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// That the record is written.
    pub(crate) fn recorded(&self) {
        self.written.store(1, Ordering::Relaxed);
    }

    fn said(&self, far: &str) -> String {
        let counts: Vec<usize> = self
            .verdicts
            .iter()
            .map(|count| count.load(Ordering::Relaxed))
            .collect();
        let done: usize = counts.iter().sum();
        let each: Vec<String> = Verdict::VARIANTS
            .iter()
            .zip(&counts)
            .filter(|(_, count)| **count > 0)
            .map(|(verdict, count)| format!("{count} {verdict}"))
            .collect();
        let each = match each.is_empty() {
            true => String::new(),
            false => format!(" ({})", each.join(", ")),
        };
        let written = match self.written.load(Ordering::Relaxed) {
            0 => "nothing was written",
            _ => far,
        };
        format!(" after {done} of {} cases{each}; {written}", self.of)
    }
}
