//! How far a command is, to say at an interrupt.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use ptodiff_record::Verdict;

use crate::{
    interrupt::{Then, at_first},
    screen::Screen,
};

/// What was done of how much.
pub(crate) struct Progress {
    of: usize,
    verdicts: Mutex<BTreeMap<Verdict, usize>>,
    written: AtomicBool,
}

impl Progress {
    /// Nothing of so many cases. At an interrupt it is said how many there
    /// were by then, that so `far`, and otherwise that nothing was written.
    pub(crate) fn start(of: usize, screen: &Screen, far: &'static str) -> Arc<Self> {
        let new = Arc::new(Self {
            of,
            verdicts: Mutex::default(),
            written: AtomicBool::new(false),
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
        let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        *verdicts.entry(verdict).or_default() += 1;
    }

    /// That the record is written.
    pub(crate) fn recorded(&self) {
        self.written.store(true, Ordering::Relaxed);
    }

    fn said(&self, far: &str) -> String {
        let verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        let done: usize = verdicts.values().sum();
        let each: Vec<String> = verdicts
            .iter()
            .map(|(verdict, count)| format!("{count} {verdict}"))
            .collect();
        let each = match each.is_empty() {
            true => String::new(),
            false => format!(" ({})", each.join(", ")),
        };
        let written = match self.written.load(Ordering::Relaxed) {
            false => "nothing was written",
            true => far,
        };
        format!(" after {done} of {} cases{each}; {written}", self.of)
    }
}
