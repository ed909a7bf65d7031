//! Lines on standard output, with a progress bar under them on a terminal, and how far a
//! command is, to say at an interrupt.

use std::{
    collections::BTreeMap,
    io::{IsTerminal, Write, stderr},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ptodiff_record::{CaseRecord, Verdict};

use crate::{
    args::{OutputArgs, StatusLevel},
    interrupt::{Then, at_first, was_heard},
    out::{say, stdout},
    text::{counted, grouped, joined},
};

/// How often the bar is drawn where nothing else has it drawn.
const TICK: Duration = Duration::from_millis(500);

/// When the first line says how far it is. Each next one comes when twice as long has passed,
/// or after [`MOST`].
const FIRST: Duration = Duration::from_secs(5);

/// Nobody waits longer for the next line.
const MOST: Duration = Duration::from_secs(60);

/// Where lines go while a run is under way.
pub(crate) struct Screen {
    bar: ProgressBar,
    /// Ends the lines that say how far it is, where there are any.
    lines: Option<Sender<()>>,
    done: Arc<Done>,
}

/// What was done of the cases.
#[derive(Default)]
struct Done {
    verdicts: Mutex<BTreeMap<Verdict, usize>>,
    recorded: AtomicBool,
}

impl Screen {
    /// A screen that expects so many cases. At an interrupt it is said how many there were by
    /// then. A run whose record is written by then has come so `far`; before that it comes to
    /// an end by itself, once what comes back is true, and says what was judged.
    pub(crate) fn of_cases(total: usize, far: Option<&'static str>) -> (Self, Arc<AtomicBool>) {
        let new = Self::counting(Some(total as u64));
        let (done, bar) = (Arc::clone(&new.done), new.bar.clone());
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        at_first(move || {
            bar.finish_and_clear();
            let count: usize = done.verdicts().values().sum();
            let recorded = done.recorded.load(Ordering::Relaxed);
            if far.is_none() || count == 0 || recorded {
                return Then::End(done.said(total, far.filter(|_| recorded)));
            }
            stopped.store(true, Ordering::SeqCst);
            let (count, total) = (grouped(count as u64), counted(total as u64, "case"));
            say(format!(
                "interrupted after {count} of {total}: the reports of what was judged by now \
                 follow; once more ends it at once"
            ));
            Then::Wait
        });
        (new, stop)
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
        style(&bar, shown);
        if !bar.is_hidden() {
            // Seen at once, and seen to go on where a case takes long.
            bar.enable_steady_tick(TICK);
        }
        Self {
            bar,
            lines: None,
            done: Arc::default(),
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
                // What is left out from then on counts as done.
                if was_heard() {
                    return;
                }
                let (done, took) = (bar.position(), begun.elapsed());
                let done = match bar.length() {
                    Some(all) => format!("{} of {}", grouped(done), counted(all, "case")),
                    None => counted(done, "case"),
                };
                let now = match bar.message() {
                    none if none.is_empty() => none,
                    now => format!("; {now}"),
                };
                say(format!("{done} in {} s{now}", took.as_secs()));
                pause = took.min(MOST);
            }
        };
        // Without a thread for it nothing is lost but the lines.
        let started = thread::Builder::new().spawn(tells);
        self.lines = started.ok().map(|_| lines);
    }

    /// Says that all cases are done, and `what` is done now.
    pub(crate) fn then(&self, what: &'static str) {
        style(&self.bar, "{spinner} {msg}, {elapsed}");
        self.now(what);
    }

    /// Says what the cases are for.
    pub(crate) fn now(&self, what: &'static str) {
        self.bar.set_message(what);
    }

    /// Writes whole lines above the bar.
    pub(crate) fn write(&self, text: &[u8]) {
        if !text.is_empty() {
            self.bar.suspend(|| {
                let mut out = stdout();
                // Output that has no reader is dropped.
                let _ = out.write_all(text).and_then(|()| out.flush());
            });
        }
    }

    /// One more case is done: its line is written if `output` has one, by default if those of
    /// `usual` do.
    pub(crate) fn case(&self, case: &CaseRecord, output: &OutputArgs, usual: Option<StatusLevel>) {
        *self.done.verdicts().entry(case.verdict).or_default() += 1;
        let mut line = Vec::new();
        // A vector takes all that is written to it.
        let _ = output.write_line(&mut line, case, usual);
        self.write(&line);
        self.advance(1);
    }

    /// That the record is written.
    pub(crate) fn recorded(&self) {
        self.done.recorded.store(true, Ordering::Relaxed);
    }

    /// Moves the bar on.
    pub(crate) fn advance(&self, steps: usize) {
        self.bar.inc(steps as u64);
    }

    /// Takes the bar away.
    pub(crate) fn finish(&mut self) {
        self.lines = None;
        self.bar.finish_and_clear();
    }
}

fn style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
}

impl Done {
    fn verdicts(&self) -> MutexGuard<'_, BTreeMap<Verdict, usize>> {
        self.verdicts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn said(&self, of: usize, far: Option<&str>) -> String {
        let verdicts = self.verdicts();
        let done: usize = verdicts.values().sum();
        let each = verdicts.iter().map(|(verdict, n)| format!("{n} {verdict}"));
        let each = match joined(each, ", ") {
            none if none.is_empty() => none,
            each => format!(" ({each})"),
        };
        let written = far.unwrap_or("nothing was written");
        format!(" after {done} of {of} cases{each}; {written}")
    }
}
