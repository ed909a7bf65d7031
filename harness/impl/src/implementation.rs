//! An implementation: at most as many processes of one command as it takes.

mod in_turn;

use std::{
    io::IoSlice,
    mem,
    sync::{
        Mutex, MutexGuard, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use ptodiff_isa::{Call, Memory, Readings, Schedule, Target};

use crate::{
    Answered, Ends, Extra, Failure, Limits, StartError, Trouble,
    call::CallWords,
    command::{check_name, split},
    greeting::{self, Greeted},
    message::{Asked, Question, asked_readings, asked_regions},
    pool::{Granted, Pool, Whom, lock},
    process::{Cost, Place, Running, line},
    reply::told,
    starts::Starts,
};

pub use in_turn::InTurn;

/// What an implementation has after the end of its input, before it is ended.
const LAST_SECOND: Duration = Duration::from_secs(1);

/// Most bytes of a sparse region that come back beside those that were sent.
const MOST_SPARSE: u64 = 512 << 20;

/// A question: a call, and under which circumstances it is to run.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// What the asker calls it: told of an answer too many.
    pub of: &'a str,
    /// The call.
    pub call: &'a Call,
    /// The readings in force.
    pub readings: &'a Readings,
    /// The order of lanes that is wished for.
    pub schedule: Schedule,
}

/// An implementation under test. Several threads may ask at the same time,
/// each of them then has a process of its own, or waits for one.
pub struct Implementation {
    name: String,
    introduced: String,
    command: String,
    words: Vec<String>,
    target: Target,
    limits: Limits,
    place: Place,
    batch: usize,
    sparse: bool,
    pool: Pool,
    turn: Mutex<()>,
    starts: Mutex<Starts>,
    early: Mutex<Option<Ends>>,
    bad: Mutex<Option<Ends>>,
    extras: Mutex<Vec<Extra>>,
    tell: Mutex<Option<TellFailure>>,
    fault: OnceLock<String>,
    asked: AtomicU64,
    ran: AtomicBool,
    unsupported: OnceLock<String>,
}

/// Takes the question that had no answer, and why.
type TellFailure = Box<dyn FnOnce(&str, &Failure) + Send>;

impl Implementation {
    /// Starts `command`, which is split as [`split`] says, in its place, to be held to the
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
            batch: 1,
            sparse: false,
            pool: Pool::default(),
            turn: Mutex::default(),
            starts: Mutex::default(),
            early: Mutex::default(),
            bad: Mutex::default(),
            extras: Mutex::default(),
            tell: Mutex::default(),
            fault: OnceLock::new(),
            asked: AtomicU64::new(0),
            ran: AtomicBool::new(false),
            unsupported: OnceLock::new(),
        };
        let (first, greeted) = loop {
            match implementation.greeted() {
                Ok(both) => break both,
                Err(StartError::Failed(failure))
                    if !matches!(failure.trouble, Trouble::Time { .. }) =>
                {
                    lock(&implementation.starts).failed(StartError::Failed(failure))?;
                }
                Err(other) => return Err(other),
            }
        };
        lock(&implementation.starts).succeeded();
        implementation.introduced = greeted.name;
        implementation.batch = greeted.batch;
        implementation.sparse = greeted.sparse;
        let jobs = limits.jobs.or(greeted.jobs).unwrap_or(1).max(1);
        implementation.pool = Pool::with(first, jobs);
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

    /// How often what fails is to be asked again.
    #[must_use]
    pub const fn retries(&self) -> u32 {
        self.limits.retries
    }

    /// Most processes that it has at once.
    #[must_use]
    pub const fn jobs(&self) -> usize {
        self.pool.most
    }

    /// Most calls that it takes at once.
    #[must_use]
    pub const fn batch(&self) -> usize {
        self.batch
    }

    /// Whether it takes operands of which only the parts that are no zeros are sent.
    #[must_use]
    pub const fn takes_sparse(&self) -> bool {
        self.sparse
    }

    /// To ask calls of both kinds: waits until no other thread does, if there
    /// is one process at a time, which is started anew for each change of kind.
    pub fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        (self.pool.most == 1).then(|| lock(&self.turn))
    }

    /// Does this once, when a call of which something is promised has no answer.
    pub fn at_first_failure(&self, tell: impl FnOnce(&str, &Failure) + Send + 'static) {
        *lock(&self.tell) = Some(Box::new(tell));
    }

    /// The two kinds of calls, first the one for which a process waits.
    #[must_use]
    pub fn kinds(&self) -> [Whom; 2] {
        self.pool.kinds()
    }

    /// The processes that ended before they read the next question; none if
    /// each went on until the end of its input.
    #[must_use]
    pub fn early_ends(&self) -> Option<Ends> {
        lock(&self.early).clone()
    }

    /// The processes that failed at the end of their input, after calls of which something is
    /// promised: what a sanitizer says then is of these. All are known after [`Self::finish`].
    #[must_use]
    pub fn bad_ends(&self) -> Option<Ends> {
        lock(&self.bad).clone()
    }

    /// Answers that came though nobody waited for one any more. Those after the
    /// last question of a process are known once [`Self::finish`] was called.
    #[must_use]
    pub fn extras(&self) -> Vec<Extra> {
        lock(&self.extras).clone()
    }

    /// What the machine has no more of, if that keeps processes from being run:
    /// from then on every question fails, and none of these failures says anything
    /// of the implementation.
    #[must_use]
    pub fn fault(&self) -> Option<&str> {
        self.fault.get().map(String::as_str)
    }

    /// Why it could not run the first call that it was asked for, as long as it has run none.
    #[must_use]
    pub fn idle_because(&self) -> Option<&str> {
        let idle = !self.ran.load(Ordering::Relaxed);
        self.unsupported.get().map(String::as_str).filter(|_| idle)
    }

    /// Asks for one call on `memory`. After [`Answered::Done`] the memory
    /// holds what the implementation left, after anything else what it held before.
    ///
    /// A process that gave no answer is ended with its children, and the next
    /// question has a new one. If it read nothing of the question, that has a
    /// new one, too: once.
    pub fn answer(&self, whom: Whom, ask: &Ask<'_>, memory: &mut Memory) -> Answered {
        self.in_turn(whom).answer(ask, memory)
    }

    /// To ask for calls one after another, those that are asked [`Whom::Alone`] of one process.
    #[must_use]
    pub const fn in_turn(&self, whom: Whom) -> InTurn<'_> {
        InTurn {
            of: self,
            whom,
            own: None,
        }
    }

    /// As [`Self::answer`], for many: as many at once as the implementation takes. What
    /// fails among others of one batch is asked again alone; where no call of the batch fails
    /// so, the failure stands, if no call before may have done it. With each answer comes how
    /// long it was waited for, from the one before it, and whether it was asked twice.
    pub fn answer_all(
        &self,
        whom: Whom,
        asks: &mut [(Ask<'_>, Memory)],
    ) -> Vec<(Answered, Duration, bool)> {
        let mut all = Vec::with_capacity(asks.len());
        let mut since = Instant::now();
        let mut left = asks;
        let mut own = None;
        // Calls of a batch that failed at another than the first without an answer: one by one,
        // and the failure of that first one, until one of them fails alone.
        let (mut singly, mut failed_once) = (0, None);
        let by_others = |f: &Failure| whom == Whom::Spare && matches!(f.trouble, Trouble::Crash(_));
        while !left.is_empty() {
            let many = match singly {
                0 => self.batch.min(left.len()),
                _ => 1,
            };
            let mut part: Vec<(&Ask<'_>, &mut Memory)> = Vec::with_capacity(many);
            part.extend(left[..many].iter_mut().map(|(ask, memory)| (&*ask, memory)));
            let before = all.len();
            self.answer_part(whom, &mut own, &mut part, &mut |_, answered, at| {
                all.push((answered, at.duration_since(since), false));
                since = at;
            });
            let is_to_ask =
                |failure: &Failure| many > 1 || singly > 0 || self.batch > 1 && by_others(failure);
            if let Some((Answered::Failed(first), ..)) = all.pop_if(
                |(last, ..)| matches!(last, Answered::Failed(failure) if is_to_ask(failure)),
            ) {
                let at = all.len() - before;
                let (ask, memory) = &mut left[at];
                since = Instant::now();
                let answered = self.answer(Whom::Alone, ask, memory);
                if matches!(answered, Answered::Failed(_)) {
                    failed_once = None;
                } else if many > 1 {
                    singly = many - at;
                    // What answered the question before twice did nothing to this one.
                    let is_own =
                        !(matches!(first.trouble, Trouble::Late { .. }) || by_others(&first));
                    failed_once = is_own.then_some((all.len(), first));
                }
                all.push((answered, since.elapsed(), true));
            }
            singly = singly.saturating_sub(1);
            if let Some((n, first)) = failed_once.take_if(|_| singly == 0) {
                // Who asks once more learns whether it was chance.
                (all[n].0, all[n].2) = (Answered::Failed(first), false);
            }
            since = Instant::now();
            left = mem::take(&mut left).split_at_mut(all.len() - before).1;
        }
        self.end(own);
        all
    }

    /// Asks `part` at once, and hands over the answers in order with when each came, up to the
    /// first that fails. `own` is the process that is asked nothing else, once there is one.
    fn answer_part(
        &self,
        whom: Whom,
        own: &mut Option<Running>,
        part: &mut [(&Ask<'_>, &mut Memory)],
        got: &mut dyn FnMut(usize, Answered, Instant),
    ) {
        let failed = |trouble| {
            Answered::Failed(Failure {
                trouble,
                stderr: Vec::new(),
            })
        };
        if let Some(why) = self.fault() {
            return got(0, failed(Trouble::Machine(why.to_owned())), Instant::now());
        }
        let process = own.take().map_or_else(|| self.process(whom), Ok);
        let mut process = match process {
            Ok(process) => process,
            Err(failure) => return got(0, Answered::Failed(failure), Instant::now()),
        };
        let mut again = true;
        loop {
            // It answered what it was asked before once more.
            if let Some(said) = process.unasked() {
                self.note_extra(&process, said);
                drop(process);
                process = match self.fresh_or_free() {
                    Ok(process) => process,
                    Err(failure) => return got(0, Answered::Failed(failure), Instant::now()),
                };
            }
            let before = mem::take(&mut process.of);
            let mut answered = 0;
            let asked = self.ask(&mut process, part, &mut |n, a, at| {
                answered += 1;
                got(n, a, at);
            });
            let Err(trouble) = asked else {
                *own = self.pool.release(whom, process);
                return;
            };
            if let Trouble::Machine(why) = &trouble {
                self.note_fault(why);
            }
            if let (Trouble::Flood(said), true) = (&trouble, answered == part.len()) {
                // What came behind the last answer is of its question.
                self.note_extra(&process, said.clone());
                drop(process);
                return self.pool.free();
            }
            let early = matches!(trouble, Trouble::Crash(_)) && process.has_read_nothing();
            // An answer to the question before: this one has none yet.
            let is_extra = matches!(trouble, Trouble::Late { .. });
            if let Trouble::Late { said } = &trouble {
                if answered == 0 {
                    process.of = before;
                }
                self.note_extra(&process, said.clone());
            }
            let stderr = process.last_words();
            let failure = Failure { trouble, stderr };
            drop(process);
            if !(early || is_extra) || !again || answered > 0 {
                self.pool.free();
                // Of a batch nobody knows yet which call it was.
                let is_it = whom != Whom::Spare && part.len() == 1;
                let tell = lock(&self.tell).take_if(|_| is_it);
                if let (Some(tell), Some((ask, _))) = (tell, part.get(answered)) {
                    tell(ask.of, &failure);
                }
                return got(answered, Answered::Failed(failure), Instant::now());
            }
            if early {
                Ends::note(&self.early, failure);
            }
            again = false;
            // One that waits may have ended as well.
            process = match self.fresh_or_free() {
                Ok(process) => process,
                Err(failure) => return got(0, Answered::Failed(failure), Instant::now()),
            };
        }
    }

    /// Ends a process that was asked nothing else.
    fn end(&self, own: Option<Running>) {
        if let Some(process) = own {
            self.retire(Whom::Alone, vec![process]);
            self.pool.free();
        }
    }

    fn ask(
        &self,
        process: &mut Running,
        part: &mut [(&Ask<'_>, &mut Memory)],
        got: &mut dyn FnMut(usize, Answered, Instant),
    ) -> Result<(), Trouble> {
        let first = self.asked.fetch_add(part.len() as u64, Ordering::Relaxed);
        let mut lines = Vec::with_capacity(part.len() + 1);
        if part.len() > 1 {
            lines.push(line(&Question::Batch { calls: part.len() })?);
        }
        let mut rooms = Vec::with_capacity(part.len());
        let mut raws = Vec::with_capacity(part.len());
        for (id, (ask, memory)) in (first..).zip(&*part) {
            let (regions, raw): (Vec<_>, Vec<_>) = asked_regions(memory).into_iter().unzip();
            let bytes = raw.iter().map(|raw| raw.len() as u64).sum();
            // More of it may come back than was there.
            let sparse = regions.iter().any(|region| region.parts.is_some());
            rooms.push(if sparse { bytes + MOST_SPARSE } else { bytes });
            raws.push(raw);
            lines.push(line(&Question::Call(Box::new(Asked {
                id,
                call: CallWords(*ask.call),
                schedule: ask.schedule.into(),
                readings: asked_readings(ask, memory, self.target),
                regions,
                bytes,
            })))?);
        }
        let mut pieces = Vec::with_capacity(6 * lines.len());
        let calls = lines.len() - part.len();
        pieces.extend(lines[..calls].iter().map(|line| IoSlice::new(line)));
        for (line, raw) in lines[calls..].iter().zip(&raws) {
            pieces.push(IoSlice::new(line));
            let bytes = raw.iter().map(|raw| &raw[..]);
            // An empty piece would look as if it was not taken.
            pieces.extend(bytes.filter(|bytes| !bytes.is_empty()).map(IoSlice::new));
        }
        // What was sent must not change while it may be sent.
        let mut answers = Vec::with_capacity(part.len());
        let asked = process.ask(
            &mut pieces,
            &rooms,
            &self.cost(self.limits.time),
            &mut |n, answer| {
                let (ask, memory) = &part[n];
                let told = told(answer, first + n as u64, ask.call.output(), memory)?;
                answers.push((told, Instant::now()));
                Ok(())
            },
        );
        // Who answers all and takes no more of the last question has not answered that one.
        if matches!(&asked, Err(trouble) if !matches!(trouble, Trouble::Flood(_))) {
            answers.truncate(part.len() - 1);
        }
        drop(pieces);
        drop(raws);
        for (n, ((answered, left), at)) in answers.into_iter().enumerate() {
            let (ask, memory) = &mut part[n];
            match &answered {
                // The first is told.
                Answered::Unsupported { why } => drop(self.unsupported.set(why.clone())),
                _ => self.ran.store(true, Ordering::Relaxed),
            }
            left.put_into(memory);
            ask.of.clone_into(&mut process.of);
            got(n, answered, at);
        }
        asked
    }

    fn greeted(&self) -> Result<(Running, Greeted), StartError> {
        let cost = self.cost(self.limits.start);
        greeting::greeted(&self.words, &self.place, self.target, &cost)
    }

    const fn cost(&self, time: Duration) -> Cost {
        Cost {
            time,
            memory: self.limits.memory,
        }
    }

    /// A process that no other thread uses.
    fn process(&self, whom: Whom) -> Result<Running, Failure> {
        match self.pool.take(whom) {
            Granted::Process(process) => return Ok(process),
            Granted::Room(None) => {}
            Granted::Room(Some((whom, other))) => self.retire(whom, vec![other]),
        }
        self.fresh_or_free()
    }

    /// A process that was asked nothing yet, in a place that was taken for it.
    fn fresh_or_free(&self) -> Result<Running, Failure> {
        self.fresh().inspect_err(|_| self.pool.free())
    }

    fn fresh(&self) -> Result<Running, Failure> {
        loop {
            lock(&self.starts).allow()?;
            match self.greeted() {
                Ok((process, _)) => {
                    lock(&self.starts).succeeded();
                    return Ok(process);
                }
                Err(StartError::Machine(why)) => {
                    self.note_fault(&why);
                    let trouble = Trouble::Machine(why);
                    return Err(Failure {
                        trouble,
                        stderr: Vec::new(),
                    });
                }
                Err(error) => {
                    let pause = lock(&self.starts).failed(error)?;
                    std::thread::sleep(pause);
                }
            }
        }
    }

    fn note_extra(&self, process: &Running, said: String) {
        let of = process.of.clone();
        lock(&self.extras).push(Extra { of, said });
    }

    fn note_fault(&self, why: &str) {
        // The first says enough.
        let _ = self.fault.set(why.to_owned());
    }

    /// Ends idle processes that were asked such calls, and reads what they still write.
    fn retire(&self, whom: Whom, mut all: Vec<Running>) {
        all.iter_mut().for_each(Running::say_end);
        let end = Instant::now() + LAST_SECOND;
        for process in &mut all {
            process.await_end(end);
            if let Some(said) = process.unasked() {
                self.note_extra(process, said);
            }
            // What nothing is promised of may have spoiled the others.
            if let (Whom::Kept, Some(failure)) = (whom, process.bad_end()) {
                Ends::note(&self.bad, failure);
            }
        }
    }

    /// Ends all processes: no question follows. Then it is known whether the last ones
    /// were answered once each.
    pub fn finish(&self) {
        for (whom, all) in self.pool.drain() {
            self.retire(whom, all);
        }
    }
}

impl Drop for Implementation {
    fn drop(&mut self) {
        self.finish();
    }
}
