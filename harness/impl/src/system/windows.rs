//! A process in a job object of its own. Its pipes cannot be polled: a thread waits
//! at each of them.

use std::{
    collections::{BTreeMap, VecDeque},
    io::{self, ErrorKind, IoSlice, Read, Write},
    os::windows::{io::AsRawHandle, process::CommandExt},
    process::{Child, ChildStdin, Command},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Sender},
    },
    thread,
    time::Duration,
};

use win32job::{ExtendedLimitInfo, Job, utils::get_process_memory_info};

use super::Ready;
use crate::Ended;

/// Ctrl-C in the console is for this program alone.
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// Most chunks of a pipe that wait to be taken.
const FULL: usize = 16;

/// Bytes of a chunk at most.
const CHUNK: usize = 1 << 16;

/// What a thread needs to take what stands in a pipe.
const MOMENT: Duration = Duration::from_millis(50);

/// The jobs of all processes, by their numbers. The system ends what is in a job when
/// its last handle is closed: at the latest with this program.
struct All {
    jobs: BTreeMap<u32, Job>,
    /// Whether none may start any more.
    ended: bool,
}

static ALL: Mutex<All> = Mutex::new(All {
    jobs: BTreeMap::new(),
    ended: false,
});

fn all() -> MutexGuard<'static, All> {
    // Nothing panics while it holds the list.
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the processes of all implementations at once, with their children: for a
/// program that is about to end itself. Whoever waits for an answer sees a crash,
/// and no implementation starts again.
pub fn end_all() {
    let mut all = all();
    all.ended = true;
    all.jobs.clear();
}

/// A running process.
pub(crate) struct Peer {
    child: Child,
    /// Questions for the thread that sends; none after the end.
    questions: Option<Sender<Vec<u8>>>,
    pipes: Arc<Pipes>,
}

/// What the threads have and the one that asks.
#[derive(Default)]
struct Pipes {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    stdout: Pipe,
    stderr: Pipe,
    /// Whether a question is being sent.
    sends: bool,
    /// Bytes of it that somebody took.
    taken: u64,
    /// Whether nobody takes any more.
    deaf: bool,
    /// Whether nobody wants what comes.
    over: bool,
}

/// What came through a pipe and was not taken.
#[derive(Default)]
struct Pipe {
    /// As they were read: what comes later is not taken for a part of what came before.
    chunks: VecDeque<Vec<u8>>,
    ended: bool,
}

impl Pipe {
    fn is_ready(&self) -> bool {
        self.ended || !self.chunks.is_empty()
    }

    fn is_full(&self) -> bool {
        self.chunks.len() >= FULL
    }

    fn take(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let Some(mut chunk) = self.chunks.pop_front() else {
            return match self.ended {
                true => Ok(0),
                false => Err(ErrorKind::WouldBlock.into()),
            };
        };
        let n = chunk.len().min(into.len());
        into[..n].copy_from_slice(&chunk[..n]);
        if n < chunk.len() {
            self.chunks.push_front(chunk.split_off(n));
        }
        Ok(n)
    }
}

/// One of the pipes.
type Which = fn(&mut State) -> &mut Pipe;

impl Pipes {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what comes `from` a pipe, until nobody wants it.
    fn keep(&self, mut from: impl Read, which: Which) {
        let mut chunk = vec![0; CHUNK];
        loop {
            let came = from.read(&mut chunk).unwrap_or(0);
            let mut state = self.lock();
            let pipe = which(&mut state);
            match came {
                0 => pipe.ended = true,
                n => pipe.chunks.push_back(chunk[..n].to_vec()),
            }
            self.changed.notify_all();
            while !state.over && which(&mut state).is_full() {
                state = self.wait(state);
            }
            if state.over || came == 0 {
                return;
            }
        }
    }

    /// Writes `question` to the pipe.
    fn write(&self, question: &[u8], to: &mut ChildStdin) {
        let mut rest = question;
        while !rest.is_empty() {
            match to.write(rest) {
                Ok(n) if n > 0 => {
                    rest = &rest[n..];
                    self.lock().taken += n as u64;
                }
                _ => {
                    self.lock().deaf = true;
                    break;
                }
            }
        }
        self.lock().sends = false;
        self.changed.notify_all();
    }
}

impl Peer {
    /// Starts `command`, whose three streams are pipes.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        let mut limits = ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
        let mut child = {
            // Held until the process is on the list: none is started unseen.
            let mut all = all();
            if all.ended {
                return Err(io::Error::other("the program is about to end"));
            }
            let mut child = command.creation_flags(CREATE_NEW_PROCESS_GROUP).spawn()?;
            // What it starts before this is not in the job; it has hardly begun.
            let joined = job.assign_process(child.as_raw_handle() as isize);
            // One that ended at once joins nothing any more.
            if let Err(why) = joined
                && child.try_wait()?.is_none()
            {
                let _ = child.kill();
                let _ = child.wait();
                return Err(io::Error::other(why));
            }
            all.jobs.insert(child.id(), job);
            child
        };
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (questions, asked) = mpsc::channel::<Vec<u8>>();
        let peer = Self {
            child,
            questions: Some(questions),
            pipes: Arc::default(),
        };
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("a pipe is missing"));
        };
        let begin = |work: Box<dyn FnOnce(&Pipes) + Send>| {
            let pipes = Arc::clone(&peer.pipes);
            thread::Builder::new().spawn(move || work(&pipes))
        };
        begin(Box::new(move |all| all.keep(stdout, |s| &mut s.stdout)))?;
        begin(Box::new(move |all| all.keep(stderr, |s| &mut s.stderr)))?;
        begin(Box::new(move |all| {
            for question in asked {
                all.write(&question, &mut stdin);
            }
        }))?;
        Ok(peer)
    }

    /// Waits until something that is wanted can be done, at most `long`.
    pub(crate) fn wait(&mut self, wanted: Ready, long: Duration) -> Ready {
        let ready = |state: &State| Ready {
            // Whoever sends hears that nobody takes it, even if all was on its way.
            send: state.deaf || wanted.send && !state.sends,
            receive: wanted.receive && state.stdout.is_ready(),
            listen: wanted.listen && state.stderr.is_ready(),
        };
        let waits = |state: &mut State| !ready(state).has_something();
        let state = self.pipes.lock();
        let waited = self.pipes.changed.wait_timeout_while(state, long, waits);
        ready(&waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    /// Hands all of it to the thread that sends.
    pub(crate) fn send(&mut self, bytes: &[IoSlice<'_>]) -> io::Result<usize> {
        let mut state = self.pipes.lock();
        let questions = self.questions.as_ref().filter(|_| !state.deaf);
        let questions = questions.ok_or(ErrorKind::BrokenPipe)?;
        if state.sends {
            return Err(ErrorKind::WouldBlock.into());
        }
        let question: Vec<u8> = bytes.iter().flat_map(|part| part.iter().copied()).collect();
        let long = question.len();
        (state.sends, state.taken) = (true, 0);
        let gone = |_| io::Error::from(ErrorKind::BrokenPipe);
        questions.send(question).map_err(gone)?;
        Ok(long)
    }

    /// Takes what stands in its output.
    pub(crate) fn receive(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.taken_from(|state| &mut state.stdout, into)
    }

    /// Takes what it wrote to standard error.
    pub(crate) fn listen(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.taken_from(|state| &mut state.stderr, into)
    }

    fn taken_from(&self, which: Which, into: &mut [u8]) -> io::Result<usize> {
        let taken = which(&mut self.pipes.lock()).take(into);
        self.pipes.changed.notify_all();
        taken
    }

    /// Whether the pipe took nothing of the question: what is in it and not read is
    /// not known here.
    pub(crate) fn has_read_nothing(&self, _: u64) -> bool {
        self.pipes.lock().taken == 0
    }

    /// Tells it that nothing more will come.
    pub(crate) fn say_end(&mut self) {
        self.questions = None;
    }

    /// How it ended, if it did.
    pub(crate) fn end(&mut self) -> Option<Ended> {
        let status = self.child.try_wait().ok()??;
        self.settle();
        status.code().map(Ended::Code)
    }

    /// Waits for what a process wrote that is no more: the threads have it in a moment,
    /// unless somebody else keeps the pipes open.
    fn settle(&self) {
        let waits = |pipe: &Pipe| !pipe.ended && !pipe.is_full();
        let waits = |state: &mut State| waits(&state.stdout) || waits(&state.stderr);
        let pipes = &self.pipes;
        drop(
            pipes
                .changed
                .wait_timeout_while(pipes.lock(), MOMENT, waits),
        );
    }

    /// Bytes of memory that it holds, without its children, where that exceeds `limit`.
    pub(crate) fn beyond(&self, limit: u64) -> Option<u64> {
        let counted = get_process_memory_info(self.child.as_raw_handle() as isize).ok()?;
        let held = counted.working_set_size as u64;
        (held > limit).then_some(held)
    }

    /// Ends it and its children.
    pub(crate) fn kill(&mut self) {
        all().jobs.remove(&self.child.id());
        // Where it is in no job.
        let _ = self.child.kill();
        self.settle();
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.kill();
        self.pipes.lock().over = true;
        self.pipes.changed.notify_all();
        let _ = self.child.wait();
    }
}

/// Whether an error of the system says that the machine has no more of something,
/// whoever asks for it.
pub(crate) fn is_of_the_machine(error: &io::Error) -> bool {
    // Files, memory, room on the disk, resources, memory that may be promised, quota.
    const SCARCE: [i32; 7] = [4, 8, 14, 112, 1450, 1455, 1816];
    let code = error.raw_os_error();
    code.is_some_and(|code| SCARCE.contains(&code))
}

/// What a crash is called that shows as this: an NTSTATUS is the code.
pub(crate) fn name_of_end(ended: Ended) -> Option<&'static str> {
    let Ended::Code(code) = ended else {
        return None;
    };
    match code.cast_unsigned() {
        0xC000_0005 => Some("access violation"),
        0xC000_001D => Some("illegal instruction"),
        0xC000_0094 => Some("division by zero"),
        0xC000_00FD => Some("stack overflow"),
        0xC000_0135 => Some("a DLL is missing"),
        0xC000_013A => Some("Ctrl-C"),
        0xC000_0374 => Some("heap corruption"),
        0xC000_0409 => Some("abort"),
        _ => None,
    }
}
