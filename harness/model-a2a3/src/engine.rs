//! The core that a kernel runs on: the scalar pipe, and what it hands to others.

use ptodiff_isa::{DType, Event, Pipe, Role, Space};
use ptodiff_memory::Bus;

use crate::{
    dma::{AddMode, Dma},
    handshake::{Handshake, Phase, Step},
    pipes::{Machine, Surroundings},
};

/// The core of one call. What the scalar pipe loads and stores happens at once.
/// A transfer happens at once too, or, where the other pipes are simulated,
/// when its pipe comes to it.
pub(crate) struct Core<'m> {
    bus: Bus<'m>,
    /// What `set_atomic_add` would switch on: the table's dtype and its sum.
    add_setup: Option<(DType, AddMode)>,
    /// The mode of the MTE3 unit; none for plain stores.
    mode: Option<AddMode>,
    machine: Option<Machine>,
}

impl<'m> Core<'m> {
    /// A core on which everything happens in program order.
    pub(crate) fn new(bus: Bus<'m>) -> Self {
        Self {
            bus,
            add_setup: None,
            mode: None,
            machine: None,
        }
    }

    /// A core whose other pipes lag behind as far as `machine` lets them.
    pub(crate) fn with_pipes(bus: Bus<'m>, machine: Machine) -> Self {
        Self {
            machine: Some(machine),
            ..Self::new(bus)
        }
    }

    /// The operands.
    pub(crate) fn bus(&mut self) -> &mut Bus<'m> {
        &mut self.bus
    }

    /// The simulated pipes, if there are any, and the operands.
    pub(crate) fn pipes(&mut self) -> Option<(&mut Machine, &mut Bus<'m>)> {
        self.machine
            .as_mut()
            .map(|machine| (machine, &mut self.bus))
    }

    /// `MScatterAtomicAddSet<T>`: what the atomic-add mode is, and for which dtype.
    pub(crate) fn set_up_add(&mut self, dtype: DType, mode: AddMode) {
        self.add_setup = Some((dtype, mode));
    }

    /// Takes the steps of one phase of a kernel's protocol.
    pub(crate) fn take(&mut self, phase: Phase, steps: &[Step]) {
        for step in steps {
            match *step {
                Step::Pair(from, to) => self.pair(Handshake { phase, from, to }),
                Step::AtomicAdd => {
                    if let Some((dtype, mode)) = self.add_setup {
                        self.bus.note(|| Event::SetAtomicAdd(dtype));
                        self.mode = Some(mode);
                    }
                    if let Some(machine) = &mut self.machine {
                        machine.mode_set();
                    }
                }
                Step::AtomicNone => {
                    self.bus.note(|| Event::SetAtomicNone);
                    self.mode = None;
                }
            }
        }
    }

    /// `set_flag` and `wait_flag`, unless the simulation leaves this pair out.
    fn pair(&mut self, handshake: Handshake) {
        let Handshake { from, to, .. } = handshake;
        if let Some(machine) = &mut self.machine {
            if machine.leaves_out(handshake) {
                return;
            }
            machine.pair(from, to, &mut self.bus, self.mode);
        }
        self.bus.note(|| Event::SetFlag { from, to });
        self.bus.note(|| Event::WaitFlag { from, to });
    }

    /// A load by the scalar pipe.
    pub(crate) fn load(&mut self, space: Space, role: Role, at: i64, size: usize) -> u64 {
        self.bus.load(space, role, at, size)
    }

    /// A store by the scalar pipe.
    pub(crate) fn store(&mut self, space: Space, role: Role, at: i64, size: usize, value: u64) {
        self.bus.store(space, role, at, size, value);
    }

    /// Zeroes that the scalar pipe stores from an operand's first byte on.
    pub(crate) fn fill(&mut self, space: Space, role: Role, len: u64) {
        self.bus.fill(None, space, role, 0, len);
    }

    /// Hands a transfer to its pipe. Its out-of-bounds accesses are counted here,
    /// in program order, whenever it moves its bytes.
    pub(crate) fn issue(&mut self, dma: Dma) {
        self.bus.note(|| dma.event());
        dma.count(&mut self.bus);
        match &mut self.machine {
            None => dma.carry_out(&mut self.bus, self.mode),
            Some(machine) => machine.hand_over(dma, &self.bus),
        }
    }

    /// Lets the simulated pipes finish, those of `order` first; what the program
    /// around the call found.
    pub(crate) fn finish(mut self, order: &[Pipe]) -> Surroundings {
        match self.machine.take() {
            None => Surroundings::default(),
            Some(machine) => machine.finish(order, &mut self.bus, self.mode),
        }
    }
}
