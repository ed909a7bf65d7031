//! Lines on standard output, with a progress bar under them on a terminal.

use std::{
    io::{IsTerminal, Write, stderr},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{
    out::{say, stdout},
    text::{counted, grouped},
};

/// Lines are held back this long, so that the bar is not drawn anew for each.
const HOLD: Duration = Duration::from_millis(50);

/// When the first line says how far it is. Each next one comes when twice as long has passed,
/// or after [`MOST`].
const FIRST: Duration = Duration::from_secs(5);

/// Nobody waits longer for the next line.
const MOST: Duration = Duration::from_secs(60);

/// Where lines go while a run is under way.
pub(crate) struct Screen {
    bar: ProgressBar,
    held: Vec<u8>,
    shown: Instant,
    /// Ends the lines that say how far it is, where there are any.
    lines: Option<Sender<()>>,
}

impl Screen {
    /// A screen that expects `total` steps.
    pub(crate) fn new(total: usize) -> Self {
        Self::counting(Some(total as u64))
    }

    /// A screen that expects so many steps, or does not know how many.
    pub(crate) fn counting(total: Option<u64>) -> Self {
        let target = match stderr().is_terminal() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(total, target);
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
            lines: None,
        }
    }

    /// Says from now on how far it is, where no terminal shows the bar.
    pub(crate) fn tell(&mut self) {
        if !self.bar.is_hidden() {
            return;
        }
        let (lines, ended) = mpsc::channel();
        let bar = self.bar.clone();
        let begun = Instant::now();
        let tells = move || {
            let mut pause = FIRST;
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let (done, took) = (bar.position(), begun.elapsed());
                let done = match bar.length() {
                    Some(all) => format!("{} of {}", grouped(done), counted(all, "case")),
                    None => counted(done, "case"),
                };
                say(format!("{done} in {} s", took.as_secs()));
                pause = took.min(MOST);
            }
        };
        // Without a thread for it nothing is lost but the lines.
        let started = thread::Builder::new().spawn(tells);
        self.lines = started.ok().map(|_| lines);
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
        self.lines = None;
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
