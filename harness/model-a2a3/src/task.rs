//! One call, and the engine to run it on.

use std::marker::PhantomData;

use ptodiff_isa::Readings;

use crate::{engine::Engine, remap::Indices};

/// One call `C` between GM and UB.
pub(crate) struct Task<'t, C> {
    /// The call.
    pub(crate) call: &'t C,
    /// Its indices.
    pub(crate) indices: Indices,
    /// The readings in force.
    pub(crate) readings: &'t Readings,
    /// Lanes that were run before, first ones first.
    pub(crate) done: usize,
}

/// A task `T` and the engine to run it on.
pub(crate) struct OnEngine<'t, 'm, T, E> {
    /// The task.
    pub(crate) task: &'t T,
    /// The engine.
    pub(crate) engine: &'t mut E,
    operands: PhantomData<&'m ()>,
}

impl<'t, 'm, T, E: Engine<'m>> OnEngine<'t, 'm, T, E> {
    /// `task` on `engine`.
    #[inline(always)]
    pub(crate) fn new(task: &'t T, engine: &'t mut E) -> Self {
        Self {
            task,
            engine,
            operands: PhantomData,
        }
    }
}
