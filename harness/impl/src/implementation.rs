//! An implementation: as many processes of one command as there are askers at a time.

use std::{
    io::IoSlice,
    path::PathBuf,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use ptodiff_isa::{Call, Memory, Readings, Schedule, Target};

use crate::{
    Answered, Failure, StartError, Trouble,
    command::{check_name, split},
    frame::{Collector, line_into},
    message::{Asked, PROTOCOL, Question, Reply, asked_readings, asked_regions},
    process::{Cost, Running},
    reply::{header, said, told},
    starts::Starts,
};

/// What an implementation has after the end of its input, before it is ended.
const LAST_SECOND: Duration = Duration::from_secs(1);

/// What an implementation may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// For a whole question and its answer.
    pub time: Duration,
    /// From the start of a process to its answer to the greeting.
    pub start: Duration,
    /// Bytes of memory that a process may hold together with its children.
    /// Looked at now and then, so what is held for a moment may pass; only
    /// Linux tells.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(10),
            start: Duration::from_secs(60),
            memory: 2048 << 20,
        }
    }
}

/// Where its processes run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The folder; none for that of this process. A program with a `/` in its
    /// name is looked for from here.
    pub folder: Option<PathBuf>,
    /// Variables that its environment has beside those of this process.
    pub env: Vec<(String, String)>,
}

impl Place {
    /// `program` as it is reached from this process.
    pub(crate) fn reached(&self, program: &str) -> PathBuf {
        match &self.folder {
            Some(folder) if program.contains('/') => folder.join(program),
            _ => program.into(),
        }
    }
}

/// An implementation under test. Several threads may ask at the same time,
/// each of them then has a process of its own.
pub struct Implementation {
    name: String,
    introduced: String,
    command: String,
    words: Vec<String>,
    target: Target,
    limits: Limits,
    place: Place,
    idle: Mutex<Vec<Running>>,
    starts: Mutex<Starts>,
    early: Mutex<Option<EarlyEnds>>,
    asked: AtomicU64,
}

/// Processes that ended between two questions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EarlyEnds {
    /// How many.
    pub times: u64,
    /// How the last of them did.
    pub last: Failure,
}

impl Implementation {
    /// Starts `command`, which is split as [`split`] says, to be held to the
    /// contract of `target`.
    ///
    /// # Errors
    /// If the name or the command makes no sense, the program cannot be run or
    /// will not take part, five starts in a row fail, or one does not greet in
    /// time: another would take as long.
    pub fn start(
        name: &str,
        command: &str,
        target: Target,
        limits: Limits,
    ) -> Result<Self, StartError> {
        Self::start_in(name, command, target, limits, Place::default())
    }

    /// As [`Self::start`], in a place of its own.
    ///
    /// # Errors
    /// As there.
    pub fn start_in(
        name: &str,
        command: &str,
        target: Target,
        limits: Limits,
        place: Place,
    ) -> Result<Self, StartError> {
        check_name(name)?;
        let mut implementation = Self {
            name: name.to_owned(),
            introduced: String::new(),
            command: command.to_owned(),
            words: split(command)?,
            target,
            limits,
            place,
            idle: Mutex::default(),
            starts: Mutex::default(),
            early: Mutex::default(),
            asked: AtomicU64::new(0),
        };
        let (first, introduced) = loop {
            match implementation.greeted() {
                Ok(both) => break both,
                Err(StartError::Failed(failure))
                    if !matches!(failure.trouble, Trouble::Time { .. }) =>
                {
                    lock(&implementation.starts).failed(StartError::Failed(failure))?
                }
                Err(other) => return Err(other),
            }
        };
        lock(&implementation.starts).succeeded();
        implementation.introduced = introduced;
        implementation.release(first);
        Ok(implementation)
    }

    /// What the user calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it called itself in its first greeting; may be empty.
    #[must_use]
    pub fn introduced(&self) -> &str {
        &self.introduced
    }

    /// The command that starts it.
    #[must_use]
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The target that it claims to be.
    #[must_use]
    pub const fn target(&self) -> Target {
        self.target
    }

    /// The processes that ended before they read the next question; none if
    /// each went on until the end of its input.
    #[must_use]
    pub fn early_ends(&self) -> Option<EarlyEnds> {
        lock(&self.early).clone()
    }

    /// Asks for one call on `memory`. After [`Answered::Done`] the memory
    /// holds what the implementation left, after anything else what it held before.
    ///
    /// A process that gave no answer is ended with its children, and the next
    /// question has a new one. If it read nothing of the question, that has a
    /// new one, too: once.
    pub fn answer(
        &self,
        call: &Call,
        readings: &Readings,
        schedule: Schedule,
        memory: &mut Memory,
    ) -> Answered {
        let mut process = self.process();
        let mut again = true;
        loop {
            let mut asked = match process {
                Ok(process) => process,
                Err(failure) => return Answered::Failed(failure),
            };
            let trouble = match self.ask(&mut asked, call, readings, schedule, memory) {
                Ok(answered) => {
                    self.release(asked);
                    return answered;
                }
                Err(trouble) => trouble,
            };
            let early = matches!(trouble, Trouble::Crash(_)) && asked.has_read_nothing();
            let stderr = asked.last_words();
            let failure = Failure { trouble, stderr };
            if !early || !again {
                return Answered::Failed(failure);
            }
            self.note_early(failure);
            again = false;
            // One that waits may have ended as well.
            process = self.fresh();
        }
    }

    fn ask(
        &self,
        process: &mut Running,
        call: &Call,
        readings: &Readings,
        schedule: Schedule,
        memory: &mut Memory,
    ) -> Result<Answered, Trouble> {
        let id = self.asked.fetch_add(1, Ordering::Relaxed);
        let regions = asked_regions(memory);
        let bytes = regions.iter().map(|region| region.bytes).sum();
        let question = Question::Call(Box::new(Asked {
            id,
            call: call.into(),
            schedule: schedule.into(),
            readings: asked_readings(readings),
            regions,
            bytes,
        }));
        let pieces = memory.regions.iter().map(|region| region.bytes());
        let answer = self.exchange(process, &question, pieces, self.limits.time, bytes)?;
        told(answer, id, call.output(), memory)
    }

    fn exchange<'p, 'm>(
        &self,
        process: &'p mut Running,
        question: &Question,
        payload: impl Iterator<Item = &'m [u8]>,
        time: Duration,
        room: u64,
    ) -> Result<&'p Collector, Trouble> {
        let mut line = Vec::new();
        line_into(question, &mut line).map_err(|e| Trouble::Garbage(e.to_string()))?;
        let mut pieces = Vec::with_capacity(8);
        pieces.push(IoSlice::new(&line));
        // An empty piece would look as if nobody took it.
        for piece in payload.filter(|piece| !piece.is_empty()) {
            pieces.push(IoSlice::new(piece));
        }
        let cost = Cost {
            time,
            memory: self.limits.memory,
            room,
        };
        process.ask(&mut pieces, &cost)
    }

    /// A new process that has greeted, and what it called itself.
    fn greeted(&self) -> Result<(Running, String), StartError> {
        let mut process =
            Running::start(&self.words, &self.place).map_err(|e| StartError::Program {
                program: self.words[0].clone(),
                why: e.to_string(),
            })?;
        let hello = Question::Hello {
            protocol: PROTOCOL,
            target: self.target,
        };
        let nothing = std::iter::empty();
        let answer = self
            .exchange(&mut process, &hello, nothing, self.limits.start, 0)
            .and_then(header);
        let trouble = match answer {
            Ok(Reply::Hello { protocol, name }) if protocol == PROTOCOL => {
                return Ok((process, said(&name)));
            }
            Ok(Reply::Hello { protocol, .. }) => return Err(StartError::Version(protocol)),
            Ok(Reply::Sorry { why }) => {
                return Err(StartError::Sorry(said(&why)));
            }
            Ok(_) => Trouble::Garbage("no greeting in answer to a greeting".to_owned()),
            Err(trouble) => trouble,
        };
        Err(StartError::Failed(Failure {
            trouble,
            stderr: process.last_words(),
        }))
    }

    /// A process that nobody else is asking.
    fn process(&self) -> Result<Running, Failure> {
        if let Some(process) = lock(&self.idle).pop() {
            return Ok(process);
        }
        self.fresh()
    }

    /// A process that was asked nothing yet.
    fn fresh(&self) -> Result<Running, Failure> {
        loop {
            lock(&self.starts).allow()?;
            match self.greeted() {
                Ok((process, _)) => {
                    lock(&self.starts).succeeded();
                    return Ok(process);
                }
                Err(error) => lock(&self.starts).failed(error)?,
            }
        }
    }

    fn note_early(&self, last: Failure) {
        let mut early = lock(&self.early);
        let times = early.take().map_or(0, |before| before.times) + 1;
        *early = Some(EarlyEnds { times, last });
    }

    fn release(&self, process: Running) {
        lock(&self.idle).push(process);
    }
}

impl Drop for Implementation {
    fn drop(&mut self) {
        let idle = self.idle.get_mut().unwrap_or_else(PoisonError::into_inner);
        idle.iter_mut().for_each(Running::say_end);
        let end = Instant::now() + LAST_SECOND;
        idle.iter_mut().for_each(|process| process.await_end(end));
    }
}

/// What a thread that died left behind is whole: nothing panics under a lock.
fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
