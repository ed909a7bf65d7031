//! Four pipes, three of them queues.

use std::{collections::VecDeque, ops::Range};

use ptodiff_isa::{DType, Pipe};

use super::{Seen, Surroundings, stores::Stores};
use crate::{
    engine::{Engine, Job},
    handshake::{Handshake, Phase, Step},
    operands::{Operands, Place},
    scribe::{Quiet, Scribe, Tracing},
};

const PIPES: usize = 4;

/// What the caller's store after the call writes over an operand.
const COVER: u8 = 0x77;

/// An instruction of a kernel's, given the atomic mode that its unit is in.
type Boxed = Box<dyn FnOnce(&mut Operands<'_>, bool, &mut Quiet<'_>)>;

/// One entry of a queue.
enum Work {
    Job(Boxed),
    /// Bytes are written to an operand's body from `at` on.
    Arrive {
        place: Place,
        at: usize,
        bytes: Vec<u8>,
    },
    /// Part of an operand's body is read.
    Look {
        place: Place,
        part: Range<usize>,
        finding: usize,
    },
    /// The kernel's output operand is written over.
    Cover {
        finding: usize,
    },
    /// `set_flag` to this pipe.
    Set(Pipe),
    /// `wait_flag` from this pipe.
    Wait(Pipe),
}

/// Work, and how many rounds of scalar stores came before it in the program.
struct Item {
    work: Work,
    issued: u64,
}

/// The pipes of one core, in the middle of a program.
pub(super) struct Machine<'m, 'l> {
    operands: Operands<'m>,
    log: Tracing<'l>,
    queues: [VecDeque<Item>; PIPES],
    /// Flags set and not waited for, `[from][to]`: the round they tell of.
    flags: [[VecDeque<u64>; PIPES]; PIPES],
    /// Up to which round each pipe has been told of scalar stores.
    told: [u64; PIPES],
    stores: Stores,
    /// Whether the scalar pipe has set atomic-add mode.
    adding: bool,
    /// Whether the MTE3 unit is in it.
    unit_adds: bool,
    without: Option<Handshake>,
    seen: Vec<Seen>,
}

impl<'m, 'l> Machine<'m, 'l> {
    /// Idle pipes. The kernel's scalar pipe writes no operand but the one at
    /// `output`; the handshake `without` is left out.
    pub(super) fn new(
        mut operands: Operands<'m>,
        output: Place,
        without: Option<Handshake>,
        log: Tracing<'l>,
    ) -> Self {
        Self {
            stores: Stores::new(output, &mut operands),
            operands,
            log,
            queues: Default::default(),
            flags: Default::default(),
            told: [0; PIPES],
            adding: false,
            unit_adds: false,
            without,
            seen: Vec::new(),
        }
    }

    /// Bytes of the body of the operand at `place`.
    pub(super) fn len(&mut self, place: Place) -> usize {
        self.operands.at(place).body().len()
    }

    /// Replaces part of a body by what stood there earlier, before the program
    /// begins, and gives what was there.
    pub(super) fn rewind(
        &mut self,
        place: Place,
        part: Range<usize>,
        earlier: impl Fn(u8) -> u8,
    ) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.stores.around(&mut self.operands, (0, 0), |operands| {
            let body = &mut operands.at(place).body()[part];
            bytes.extend_from_slice(body);
            body.iter_mut().for_each(|byte| *byte = earlier(*byte));
        });
        bytes
    }

    /// Has `pipe` write `bytes` to a body.
    pub(super) fn arrive(&mut self, pipe: Pipe, place: Place, at: usize, bytes: Vec<u8>) {
        self.hand_over(pipe, Work::Arrive { place, at, bytes });
    }

    /// Has `pipe` read part of a body.
    pub(super) fn look(
        &mut self,
        pipe: Pipe,
        place: Place,
        part: Range<usize>,
        what: &'static str,
    ) {
        let finding = self.announce(pipe, place, what);
        let work = Work::Look {
            place,
            part,
            finding,
        };
        self.hand_over(pipe, work);
        if pipe == Pipe::S {
            self.drain(pipe);
        }
    }

    /// Has `pipe` write over the output. What that comes to is noted, and the
    /// output keeps what the call left in it.
    pub(super) fn cover(&mut self, pipe: Pipe, output: Place, what: &'static str) {
        let finding = self.announce(pipe, output, what);
        self.hand_over(pipe, Work::Cover { finding });
    }

    /// Issues `set_flag` and `wait_flag`.
    pub(super) fn pair(&mut self, from: Pipe, to: Pipe) {
        if from == Pipe::S {
            self.stores.collect(&mut self.operands);
            self.flags[from as usize][to as usize].push_back(self.stores.round());
        } else {
            self.hand_over(from, Work::Set(to));
        }
        if to == Pipe::S {
            self.wait(from, to);
        } else {
            self.hand_over(to, Work::Wait(from));
        }
    }

    /// Empties the queues, those in `order` first, and gives what was seen.
    pub(super) fn finish(mut self, order: &[Pipe]) -> Surroundings {
        self.stores.collect(&mut self.operands);
        for &pipe in order.iter().chain(&[Pipe::V, Pipe::MTE2, Pipe::MTE3]) {
            self.drain(pipe);
        }
        Surroundings { seen: self.seen }
    }

    fn announce(&mut self, pipe: Pipe, place: Place, what: &'static str) -> usize {
        self.seen.push(Seen {
            what,
            pipe,
            role: self.operands.at(place).role(),
            bytes: Vec::new(),
        });
        self.seen.len() - 1
    }

    fn hand_over(&mut self, pipe: Pipe, work: Work) {
        self.stores.collect(&mut self.operands);
        let issued = self.stores.round();
        self.queues[pipe as usize].push_back(Item { work, issued });
    }

    fn drain(&mut self, pipe: Pipe) {
        while self.advance(pipe) {}
    }

    /// Runs `from` until it has set a flag for `to`, and takes the flag. Flags
    /// are set ahead of their waits in the program, so one comes.
    fn wait(&mut self, from: Pipe, to: Pipe) {
        while self.flags[from as usize][to as usize].is_empty() && self.advance(from) {}
        if let Some(round) = self.flags[from as usize][to as usize].pop_front() {
            let told = &mut self.told[to as usize];
            *told = round.max(*told);
        }
    }

    /// Executes what stands first in a queue, if anything does.
    fn advance(&mut self, pipe: Pipe) -> bool {
        let Some(Item { work, issued }) = self.queues[pipe as usize].pop_front() else {
            return false;
        };
        // Its own stores are no news to the scalar pipe.
        let told = match pipe {
            Pipe::S => issued,
            _ => self.told[pipe as usize],
        };
        let Self {
            operands, stores, ..
        } = self;
        match work {
            Work::Set(to) => self.flags[pipe as usize][to as usize].push_back(told),
            Work::Wait(from) => {
                self.wait(from, pipe);
                if (from, pipe) == (Pipe::S, Pipe::MTE3) {
                    self.unit_adds = self.adding;
                }
            }
            Work::Job(job) => {
                let mut quiet = Quiet {
                    strays: self.log.strays,
                };
                let adds = self.unit_adds;
                stores.around(operands, (told, issued), |operands| {
                    job(operands, adds, &mut quiet);
                });
                // A mode that no flag has announced arrives by itself. Late for
                // the first transfer is as late as it gets.
                if pipe == Pipe::MTE3 {
                    self.unit_adds = self.adding;
                }
            }
            Work::Arrive { place, at, bytes } => {
                stores.around(operands, (told, issued), |operands| {
                    operands.at(place).body()[at..at + bytes.len()].copy_from_slice(&bytes);
                });
            }
            Work::Look {
                place,
                part,
                finding,
            } => {
                self.seen[finding].bytes = stores.around(operands, (told, issued), |operands| {
                    operands.at(place).body()[part].to_vec()
                });
            }
            Work::Cover { finding } => {
                self.seen[finding].bytes = stores.covered(operands, (told, issued), COVER);
            }
        }
        true
    }
}

impl<'m, 'l> Engine<'m> for Machine<'m, 'l> {
    type Log = Tracing<'l>;

    fn scalar(&mut self) -> (&mut Operands<'m>, &mut Tracing<'l>) {
        (&mut self.operands, &mut self.log)
    }

    fn issue<J: Job>(&mut self, job: J) {
        self.log.note(|| job.event());
        let boxed: Boxed = Box::new(move |operands, adds, log| match adds {
            true => job.run(operands, log),
            false => job.run_plain(operands, log),
        });
        self.hand_over(J::PIPE, Work::Job(boxed));
    }

    fn take(&mut self, phase: Phase, steps: &'static [Step], dtype: DType) {
        for &step in steps {
            match step {
                Step::Pair(from, to) => {
                    if self.without == Some(Handshake { phase, from, to }) {
                        continue;
                    }
                    self.pair(from, to);
                }
                Step::AtomicAdd => self.adding = true,
                // Off for all that the unit has not executed yet: a queue that
                // was not waited for stores instead of adding, and nothing
                // later adds (reading (a) of MSCATTER-GAP-79).
                Step::AtomicNone => {
                    self.adding = false;
                    self.unit_adds = false;
                }
            }
            step.note(dtype, &mut self.log);
        }
    }
}
