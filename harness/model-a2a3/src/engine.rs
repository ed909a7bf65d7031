//! What the kernels run on: a scalar pipe that acts at once, and units that
//! take jobs.

use ptodiff_isa::{DType, Event, Pipe};

use crate::{
    handshake::{Phase, Step},
    operands::Operands,
    scribe::Scribe,
};

/// One instruction for a DMA unit.
pub(crate) trait Job: 'static {
    /// The pipe that executes it.
    const PIPE: Pipe;

    /// What the trace says of it.
    fn event(&self) -> Event;

    /// Executes it in the atomic mode that the kernel has set.
    fn run(&self, operands: &mut Operands<'_>, log: &mut impl Scribe);

    /// Executes it with the atomic mode off.
    fn run_plain(&self, operands: &mut Operands<'_>, log: &mut impl Scribe) {
        self.run(operands, log);
    }
}

/// An engine over operands that live for `'m`.
pub(crate) trait Engine<'m> {
    /// Where events and strays go.
    type Log: Scribe;

    /// The scalar pipe: what it loads and stores happens at once.
    fn scalar(&mut self) -> (&mut Operands<'m>, &mut Self::Log);

    /// Hands a job to its unit.
    fn issue<J: Job>(&mut self, job: J);

    /// Takes the steps of one phase; `dtype` is what an atomic add is set up for.
    fn take(&mut self, phase: Phase, steps: &'static [Step], dtype: DType);
}

/// Executes everything at once, in program order; handshakes have nothing to do.
pub(crate) struct Direct<'m, L> {
    /// The operands of the call.
    pub(crate) operands: Operands<'m>,
    /// Where events and strays go.
    pub(crate) log: L,
}

impl<'m, L: Scribe> Engine<'m> for Direct<'m, L> {
    type Log = L;

    #[inline(always)]
    fn scalar(&mut self) -> (&mut Operands<'m>, &mut L) {
        (&mut self.operands, &mut self.log)
    }

    #[inline(always)]
    fn issue<J: Job>(&mut self, job: J) {
        self.log.note(|| job.event());
        job.run(&mut self.operands, &mut self.log);
    }

    #[inline(always)]
    fn take(&mut self, _phase: Phase, steps: &'static [Step], dtype: DType) {
        for step in steps {
            step.note(dtype, &mut self.log);
        }
    }
}
