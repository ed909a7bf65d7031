//! Lines on standard output, with a progress bar under them on a terminal.

use std::{
    io::{IsTerminal, Write, stderr},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::out::stdout;

/// Lines are held back this long, so that the bar is not drawn anew for each.
const HOLD: Duration = Duration::from_millis(50);

/// Where lines go while a run is under way.
pub(crate) struct Screen {
    bar: ProgressBar,
    held: Vec<u8>,
    shown: Instant,
}

impl Screen {
    /// A screen that expects `total` steps.
    pub(crate) fn new(total: usize) -> Self {
        Self::counting(Some(total as u64))
    }

    /// A screen that expects so many steps, or does not know how many.
    pub(crate) fn counting(total: Option<u64>) -> Self {
        let bar = if stderr().is_terminal() {
            ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr())
        } else {
            ProgressBar::hidden()
        };
        let shown = match total {
            Some(_) => "{bar:40} {human_pos}/{human_len} cases, {elapsed}",
            None => "{spinner} {human_pos} cases, {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(shown) {
            bar.set_style(style);
        }
        Self {
            bar,
            held: Vec::new(),
            shown: Instant::now(),
        }
    }

    /// Writes whole lines above the bar, soon.
    pub(crate) fn write(&mut self, text: &[u8]) {
        self.held.extend_from_slice(text);
        if self.shown.elapsed() >= HOLD {
            self.flush();
        }
    }

    /// The bar, to remove at an interrupt.
    pub(crate) fn bar(&self) -> ProgressBar {
        self.bar.clone()
    }

    /// Moves the bar on.
    pub(crate) fn advance(&self, steps: usize) {
        self.bar.inc(steps as u64);
    }

    /// Shows what is held back and takes the bar away.
    pub(crate) fn finish(&mut self) {
        self.flush();
        self.bar.finish_and_clear();
    }

    fn flush(&mut self) {
        if !self.held.is_empty() {
            self.bar.suspend(|| {
                let mut out = stdout();
                // Output that has no reader is dropped.
                let _ = out.write_all(&self.held).and_then(|()| out.flush());
            });
        }
        self.held.clear();
        self.shown = Instant::now();
    }
}
