//! The queues of the pipes.

use std::{collections::VecDeque, ops::Range};

use ptodiff_isa::{Pipe, Role};
use ptodiff_memory::Bus;

use super::{
    Seen, Surroundings,
    unseen::{Knowledge, Unseen},
};
use crate::{
    dma::{AddMode, Dma},
    handshake::Handshake,
};

/// What a store of the caller's writes all over an operand.
const COVER: u8 = 0x77;

/// The pipes beside the scalar one, and what they have yet to do.
pub(crate) struct Machine {
    queues: [Queue; 3],
    unseen: Unseen,
    without: Option<Handshake>,
    /// Whether the atomic-add mode is on but MTE3 has not been told of it.
    mode_is_late: bool,
    seen: Vec<Seen>,
}

/// One pipe's operations.
#[derive(Default)]
struct Queue {
    waiting: VecDeque<Operation>,
    /// How many were handed over, the flags it waits for among them.
    issued: usize,
    /// How many of them it is done with.
    done: usize,
    /// The last round of scalar stores that it has been told of.
    told: u64,
}

/// Something that a pipe has yet to do.
struct Operation {
    knowledge: Knowledge,
    task: Task,
}

enum Task {
    /// `wait_flag`: another pipe must be done with so many operations.
    Wait(Pipe, usize),
    /// A transfer of the kernel's; whether the atomic-add mode comes too late for it.
    Kernel(Dma, bool),
    /// A load or store of the caller's arrives: these bytes.
    Arrive((Role, usize), Vec<u8>),
    /// An operation of the caller's reads; its place among the findings.
    Look(Role, Range<usize>, usize),
    /// A store of the caller's over that whole operand; its place among the findings.
    Cover(usize),
}

impl Machine {
    /// Empty queues, for a kernel whose scalar pipe stores to `role`, without the
    /// handshake `without`.
    pub(crate) fn new(role: Role, without: Option<Handshake>) -> Self {
        Self {
            queues: Default::default(),
            unseen: Unseen::new(role),
            without,
            mode_is_late: false,
            seen: Vec::new(),
        }
    }

    /// From now on what changes between two operations, the scalar pipe has stored.
    pub(super) fn watch_stores(&mut self, bus: &Bus<'_>) {
        self.unseen.watch(bus);
    }

    /// Whether the kernel runs without this handshake.
    pub(crate) fn leaves_out(&self, handshake: Handshake) -> bool {
        self.without == Some(handshake)
    }

    /// `set_flag` of one pipe and `wait_flag` of another. The scalar pipe waits
    /// now, the others when they come to it.
    pub(crate) fn pair(&mut self, from: Pipe, to: Pipe, bus: &mut Bus<'_>, mode: Option<AddMode>) {
        self.unseen.collect(bus);
        match (queue(from), queue(to)) {
            (Some(from_queue), Some(_)) => {
                let Queue { issued, told, .. } = self.queues[from_queue];
                self.push(to, Task::Wait(from, issued), bus);
                self.tell(to, told);
            }
            (None, Some(_)) => {
                self.tell(to, self.unseen.round());
                if to == Pipe::MTE3 {
                    self.mode_is_late = false;
                }
            }
            (Some(from_queue), None) => self.drain(from, self.queues[from_queue].issued, bus, mode),
            (None, None) => {}
        }
    }

    /// The scalar pipe has switched the atomic-add mode on. Until a flag tells
    /// MTE3, the mode reaches it one burst late; leaving the mode needs no flag
    /// (MSCATTER-GAP-79).
    pub(crate) fn mode_set(&mut self) {
        self.mode_is_late = true;
    }

    /// Queues a transfer of the kernel's.
    pub(crate) fn hand_over(&mut self, dma: Dma, bus: &Bus<'_>) {
        let pipe = dma.pipe();
        let late = pipe == Pipe::MTE3 && std::mem::take(&mut self.mode_is_late);
        self.push(pipe, Task::Kernel(dma, late), bus);
    }

    /// A load or store of the caller's is under way on `pipe`.
    pub(super) fn arrive(&mut self, pipe: Pipe, to: (Role, usize), bytes: Vec<u8>, bus: &Bus<'_>) {
        self.push(pipe, Task::Arrive(to, bytes), bus);
    }

    /// An operation of the caller's reads part of a body.
    pub(super) fn look(
        &mut self,
        pipe: Pipe,
        role: Role,
        range: Range<usize>,
        what: &'static str,
        bus: &Bus<'_>,
    ) {
        let place = self.will_see(pipe, role, what);
        match queue(pipe) {
            Some(_) => self.push(pipe, Task::Look(role, range, place), bus),
            // The scalar pipe knows its own stores.
            None => self.seen[place].bytes = body(role, range, bus),
        }
    }

    /// A store of the caller's writes all over the body that the kernel's scalar
    /// pipe stores to; it only shows in what it finds.
    pub(super) fn cover(&mut self, pipe: Pipe, role: Role, what: &'static str, bus: &Bus<'_>) {
        let place = self.will_see(pipe, role, what);
        self.push(pipe, Task::Cover(place), bus);
    }

    /// Lets all pipes finish, those of `order` first.
    pub(crate) fn finish(
        mut self,
        order: &[Pipe],
        bus: &mut Bus<'_>,
        mode: Option<AddMode>,
    ) -> Surroundings {
        self.unseen.collect(bus);
        let all = [Pipe::V, Pipe::MTE2, Pipe::MTE3];
        for &pipe in order.iter().chain(&all) {
            self.drain(pipe, usize::MAX, bus, mode);
        }
        Surroundings { seen: self.seen }
    }

    /// A place among the findings, in program order.
    fn will_see(&mut self, pipe: Pipe, role: Role, what: &'static str) -> usize {
        self.seen.push(Seen {
            what,
            pipe,
            role,
            bytes: Vec::new(),
        });
        self.seen.len() - 1
    }

    fn push(&mut self, pipe: Pipe, task: Task, bus: &Bus<'_>) {
        self.unseen.collect(bus);
        let issued = self.unseen.round();
        if let Some(queue) = queue(pipe) {
            let queue = &mut self.queues[queue];
            let told = queue.told;
            let knowledge = Knowledge { told, issued };
            queue.waiting.push_back(Operation { knowledge, task });
            queue.issued += 1;
        }
    }

    fn tell(&mut self, pipe: Pipe, round: u64) {
        if let Some(queue) = queue(pipe) {
            let told = &mut self.queues[queue].told;
            *told = round.max(*told);
        }
    }

    /// Carries out a pipe's operations until `until` of them are done, or all.
    fn drain(&mut self, pipe: Pipe, until: usize, bus: &mut Bus<'_>, mode: Option<AddMode>) {
        let Some(at) = queue(pipe) else { return };
        while self.queues[at].done < until {
            let Some(operation) = self.queues[at].waiting.pop_front() else {
                return;
            };
            self.queues[at].done += 1;
            self.carry_out(operation, bus, mode);
        }
    }

    fn carry_out(&mut self, operation: Operation, bus: &mut Bus<'_>, mode: Option<AddMode>) {
        let Operation { knowledge, task } = operation;
        let unseen = &mut self.unseen;
        match task {
            Task::Wait(pipe, until) => self.drain(pipe, until, bus, mode),
            Task::Kernel(dma, late) => {
                let mode = if late { None } else { mode };
                unseen.around(knowledge, bus, |bus| dma.carry_out(bus, mode));
            }
            Task::Arrive((role, at), bytes) => unseen.around(knowledge, bus, |bus| {
                for (at, byte) in (at as i64..).zip(bytes) {
                    bus.poke(role, at, 1, byte.into());
                }
            }),
            Task::Look(role, range, place) => {
                self.seen[place].bytes =
                    unseen.around(knowledge, bus, |bus| body(role, range, bus));
            }
            Task::Cover(place) => {
                self.seen[place].bytes = unseen.covered(knowledge, COVER, bus);
            }
        }
    }
}

/// The queue of a pipe; the scalar pipe has none.
fn queue(pipe: Pipe) -> Option<usize> {
    match pipe {
        Pipe::S => None,
        Pipe::V => Some(0),
        Pipe::MTE2 => Some(1),
        Pipe::MTE3 => Some(2),
    }
}

/// Bytes of an operand's body.
pub(super) fn body(role: Role, range: Range<usize>, bus: &Bus<'_>) -> Vec<u8> {
    let body = bus.get(role).map_or(&[][..], |region| region.body());
    body.get(range).unwrap_or_default().to_vec()
}
