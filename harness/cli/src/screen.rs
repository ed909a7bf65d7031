//! Lines on standard output, with a progress bar under them on a terminal.

use std::io::{IsTerminal, Write, stderr};

use anstream::AutoStream;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Where lines go while a run is under way.
pub(crate) struct Screen {
    bar: ProgressBar,
    reader_left: bool,
}

impl Screen {
    /// A screen that expects `total` steps.
    pub(crate) fn new(total: usize) -> Self {
        let bar = if stderr().is_terminal() {
            ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr())
        } else {
            ProgressBar::hidden()
        };
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} cases, {elapsed}") {
            bar.set_style(style);
        }
        Self {
            bar,
            reader_left: false,
        }
    }

    /// Writes whole lines above the bar. Once the reader has left, a run goes
    /// on without them: its record must still be written.
    pub(crate) fn write(&mut self, text: &[u8]) {
        if text.is_empty() || self.reader_left {
            return;
        }
        let written = self.bar.suspend(|| {
            let mut out = AutoStream::auto(std::io::stdout().lock());
            out.write_all(text).and_then(|()| out.flush())
        });
        self.reader_left = written.is_err();
    }

    /// Moves the bar on.
    pub(crate) fn advance(&self, steps: usize) {
        self.bar.inc(steps as u64);
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
