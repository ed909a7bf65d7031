//! One process of an implementation: asked, watched and ended.

use std::{
    io::{self, ErrorKind, IoSlice},
    path::{PathBuf, is_separator},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{
    BadFrame, Ended, Failure, Trouble,
    frame::{self, Collector},
    message::Question,
    system::{Peer, Ready, is_of_the_machine},
    text::{Tail, one_line},
};

/// How often memory is measured while questions are open, and how soon the end
/// of a process is seen whose output a child of it keeps open.
const TICK: Duration = Duration::from_millis(50);

/// How long a process that closed its output has to end.
const GRACE: Duration = Duration::from_secs(1);

/// Bytes read at once.
const CHUNK: usize = 1 << 16;

/// Characters of an answer too many that are kept.
const SHOWN: usize = 80;

/// Most reads of what stands in a pipe after its writers are gone.
const LAST_READS: usize = 64;

/// What one answer may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// From the first byte of the question, or from the answer before, to its last byte.
    pub(crate) time: Duration,
    /// Bytes of memory that it may hold with its children.
    pub(crate) memory: u64,
}

/// Where its processes run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The folder; none for that of this process. A program whose name has several
    /// parts is looked for from here.
    pub folder: Option<PathBuf>,
    /// Variables that its environment has beside those of this process.
    pub env: Vec<(String, String)>,
}

impl Place {
    /// `program` as it is reached from this process.
    pub(crate) fn reached(&self, program: &str) -> PathBuf {
        match &self.folder {
            Some(folder) if program.contains(is_separator) => folder.join(program),
            _ => program.into(),
        }
    }
}

/// A running process, which ends with this.
pub(crate) struct Running {
    peer: Peer,
    stdout_open: bool,
    stderr_open: bool,
    /// Bytes of the open question that were sent.
    sent: u64,
    answer: Collector,
    /// Most raw bytes that an answer could have of what it was asked last.
    room_before: u64,
    /// What the asker calls the last question that it answered.
    pub(crate) of: String,
    tail: Tail,
    chunk: Box<[u8]>,
    /// When to look after it again.
    look_at: Instant,
}

impl Running {
    /// Starts `words` without a shell, in this process's folder and environment but for `place`.
    pub(crate) fn start(words: &[String], place: &Place) -> io::Result<Self> {
        let (program, arguments) = words.split_first().ok_or(ErrorKind::InvalidInput)?;
        let mut command = Command::new(place.reached(program));
        if let Some(folder) = &place.folder {
            command.current_dir(folder);
        }
        command
            .envs(place.env.iter().map(|(name, value)| (name, value)))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Ok(Self {
            peer: Peer::start(&mut command)?,
            stdout_open: true,
            stderr_open: true,
            sent: 0,
            answer: Collector::default(),
            room_before: 0,
            of: String::new(),
            tail: Tail::default(),
            chunk: vec![0; CHUNK].into(),
            look_at: Instant::now(),
        })
    }

    /// Sends `question` and waits for the frames that answer it: one for each of `rooms`,
    /// with at most so many raw bytes. Each is handed to `got` with its number, and must
    /// come within the time that one may take. After trouble the process is of no use.
    pub(crate) fn ask(
        &mut self,
        mut question: &mut [IoSlice<'_>],
        rooms: &[u64],
        cost: &Cost,
        got: &mut dyn FnMut(usize, &Collector) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        self.sent = 0;
        self.answer.clear();
        let mut answered = 0;
        let mut asked = Instant::now();
        let mut dead = false;
        loop {
            let left = cost.time.saturating_sub(asked.elapsed());
            let long = if dead { Duration::ZERO } else { left.min(TICK) };
            let wanted = Ready {
                send: !question.is_empty(),
                receive: self.stdout_open,
                listen: self.stderr_open,
            };
            let ready = self.peer.wait(wanted, long);
            if ready.send && !self.send(&mut question) {
                return Err(self.gone());
            }
            if ready.listen {
                self.listen();
            }
            if ready.receive {
                let before = answered;
                self.receive(rooms, &mut answered, got)?;
                if answered > before {
                    asked = Instant::now();
                }
            }
            let look = Instant::now() >= self.look_at;
            if look {
                self.look_at = Instant::now() + TICK;
                self.measure(cost.memory)?;
            }
            if answered == rooms.len() && question.is_empty() {
                self.room_before = rooms.iter().copied().max().unwrap_or(0);
                return match self.unasked() {
                    None => Ok(()),
                    Some(_) => Err(flood()),
                };
            }
            if !self.stdout_open || dead && !ready.receive {
                return Err(self.gone());
            }
            // What it wrote before its end is still to be received.
            dead |= look && self.peer.end().is_some();
            if asked.elapsed() >= cost.time {
                return Err(Trouble::Time {
                    limit: cost.time,
                    held: self.answer.held(),
                });
            }
        }
    }

    /// What stands in its output and was not asked for; shown as one line.
    pub(crate) fn unasked(&mut self) -> Option<String> {
        if !self.stdout_open {
            return None;
        }
        match self.peer.receive(&mut self.chunk) {
            Ok(0) => {
                self.stdout_open = false;
                None
            }
            Ok(n) => Some(one_line(&self.chunk[..n], SHOWN)),
            // Nothing is there, or nothing that can be read.
            Err(_) => None,
        }
    }

    /// Measures how much memory it holds.
    fn measure(&self, limit: u64) -> Result<(), Trouble> {
        match self.peer.beyond(limit) {
            Some(held) => Err(Trouble::Memory { held, limit }),
            None => Ok(()),
        }
    }

    /// Whether it read nothing of the question, as far as that is known.
    pub(crate) fn has_read_nothing(&self) -> bool {
        self.peer.has_read_nothing(self.sent)
    }

    /// The last lines of standard error, with what stands there now.
    pub(crate) fn last_words(&mut self) -> Vec<String> {
        self.peer.kill();
        for _ in 0..LAST_READS {
            if !self.listen() {
                break;
            }
        }
        self.tail.lines()
    }

    /// Tells it that nothing more will come.
    pub(crate) fn say_end(&mut self) {
        self.peer.say_end();
    }

    /// Waits for it to end by itself, until `when`.
    pub(crate) fn await_end(&mut self, when: Instant) {
        let mut pause = Duration::from_micros(100);
        while self.peer.end().is_none() {
            let left = when.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            thread::sleep(left.min(pause));
            pause = (2 * pause).min(Duration::from_millis(2));
            // A full pipe would keep it from ending.
            self.listen();
        }
    }

    /// How it failed at the end of its input, if it did and has ended.
    pub(crate) fn bad_end(&mut self) -> Option<Failure> {
        let ended = self.peer.end().filter(|end| *end != Ended::Code(0))?;
        let (trouble, stderr) = (Trouble::Crash(ended), self.last_words());
        Some(Failure { trouble, stderr })
    }

    /// Sends as much as there is room for: whether anybody takes it.
    fn send(&mut self, question: &mut &mut [IoSlice<'_>]) -> bool {
        match self.peer.send(question) {
            Ok(sent) => {
                self.sent += sent as u64;
                IoSlice::advance_slices(question, sent);
                true
            }
            Err(e) => matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
        }
    }

    /// Takes in a piece of the answers, and hands over those that are whole.
    fn receive(
        &mut self,
        rooms: &[u64],
        answered: &mut usize,
        got: &mut dyn FnMut(usize, &Collector) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let mut bytes = match self.peer.receive(&mut self.chunk) {
            Ok(0) => {
                self.stdout_open = false;
                return Ok(());
            }
            Ok(n) => &self.chunk[..n],
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                return Ok(());
            }
            Err(e) if is_of_the_machine(&e) => return Err(Trouble::Machine(e.to_string())),
            Err(e) => return Err(Trouble::Garbage(e.to_string())),
        };
        while !bytes.is_empty() {
            let Some(room) = rooms.get(*answered) else {
                return Err(flood());
            };
            // It may be one to a question before, which is told otherwise.
            let taken = match self.answer.take(bytes, (*room).max(self.room_before)) {
                Ok(taken) => taken,
                Err(bad @ BadFrame::Line { .. }) => return Err(Trouble::Garbage(bad.to_string())),
                Err(bad @ (BadFrame::LongLine | BadFrame::Payload { .. })) => {
                    return Err(Trouble::Flood(bad.to_string()));
                }
            };
            bytes = &bytes[taken..];
            if self.answer.is_complete() {
                got(*answered, &self.answer)?;
                *answered += 1;
                self.answer.clear();
            }
        }
        Ok(())
    }

    /// Takes in a piece of standard error: whether there was any.
    fn listen(&mut self) -> bool {
        match self.peer.listen(&mut self.chunk) {
            Ok(0) => {
                self.stderr_open = false;
                false
            }
            Ok(n) => {
                self.tail.take(&self.chunk[..n]);
                true
            }
            Err(e) => {
                let again = matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted);
                self.stderr_open &= again;
                false
            }
        }
    }

    /// What to say of a process that closed a pipe: most likely it is about to end.
    fn gone(&mut self) -> Trouble {
        self.await_end(Instant::now() + GRACE);
        let ended = self.peer.end().unwrap_or(Ended::Closed);
        match self.answer.held() {
            0 => Trouble::Crash(ended),
            held => Trouble::Half { held, ended },
        }
    }
}

fn flood() -> Trouble {
    Trouble::Flood("bytes after the answer".to_owned())
}

/// The line of a question.
pub(crate) fn line(question: &Question) -> Result<Vec<u8>, Trouble> {
    frame::line(question).map_err(|e| Trouble::Garbage(e.to_string()))
}
