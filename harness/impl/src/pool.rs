//! The processes of an implementation that run, and who may use which.

use std::{
    mem,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use crate::process::Running;

/// Which process is asked: no call is to harm another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whom {
    /// One that is asked only calls of which something is promised.
    Kept,
    /// One that is asked the others: whatever they do to it, no call runs there whose
    /// result counts.
    Spare,
    /// A new one, which is asked nothing but the calls that are asked together.
    Alone,
}

/// What a thread gets that wants a process.
pub(crate) enum Granted {
    /// One that waited for such questions.
    Process(Running),
    /// A place for a new one, once this one has ended, which waited for other questions.
    Room(Option<(Whom, Running)>),
}

/// All processes.
#[derive(Default)]
pub(crate) struct Pool {
    /// Most at once.
    pub(crate) most: usize,
    processes: Mutex<Processes>,
    freed: Condvar,
}

#[derive(Default)]
struct Processes {
    /// Those that are idle.
    kept: Vec<Running>,
    spare: Vec<Running>,
    /// How many there are, with those that are asked.
    live: usize,
}

impl Processes {
    fn idle(&mut self, whom: Whom) -> Option<&mut Vec<Running>> {
        match whom {
            Whom::Kept => Some(&mut self.kept),
            Whom::Spare => Some(&mut self.spare),
            Whom::Alone => None,
        }
    }
}

impl Pool {
    /// One process that is idle, of `most`.
    pub(crate) fn with(first: Running, most: usize) -> Self {
        Self {
            most,
            processes: Mutex::new(Processes {
                kept: vec![first],
                spare: Vec::new(),
                live: 1,
            }),
            freed: Condvar::new(),
        }
    }

    /// The two kinds of calls, first the one for which a process waits.
    pub(crate) fn kinds(&self) -> [Whom; 2] {
        let processes = lock(&self.processes);
        match processes.kept.is_empty() && !processes.spare.is_empty() {
            true => [Whom::Spare, Whom::Kept],
            false => [Whom::Kept, Whom::Spare],
        }
    }

    /// Waits for a process or a place for one.
    pub(crate) fn take(&self, whom: Whom) -> Granted {
        let mut processes = lock(&self.processes);
        loop {
            if let Some(process) = processes.idle(whom).and_then(Vec::pop) {
                return Granted::Process(process);
            }
            if processes.live < self.most {
                processes.live += 1;
                return Granted::Room(None);
            }
            for whom in [Whom::Kept, Whom::Spare] {
                if let Some(other) = processes.idle(whom).and_then(Vec::pop) {
                    return Granted::Room(Some((whom, other)));
                }
            }
            processes = self
                .freed
                .wait(processes)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A process waits again; one that is asked nothing more comes back.
    pub(crate) fn release(&self, whom: Whom, process: Running) -> Option<Running> {
        match lock(&self.processes).idle(whom) {
            Some(idle) => idle.push(process),
            None => return Some(process),
        }
        self.freed.notify_one();
        None
    }

    /// Makes room for a process: one has ended.
    pub(crate) fn free(&self) {
        lock(&self.processes).live -= 1;
        self.freed.notify_one();
    }

    /// Gives up all that are idle.
    pub(crate) fn drain(&self) -> [(Whom, Vec<Running>); 2] {
        let mut processes = lock(&self.processes);
        let kept = mem::take(&mut processes.kept);
        let spare = mem::take(&mut processes.spare);
        processes.live -= kept.len() + spare.len();
        [(Whom::Kept, kept), (Whom::Spare, spare)]
    }
}

/// What a thread that died left behind is whole: nothing panics under a lock.
pub(crate) fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
