//! MGATHER into UB: picks the instantiation that a call's template arguments name.

use ptodiff_isa::{Coalesce, Fault, GatherOob, Layout, Mgather, Readings};

use crate::{
    engine::Engine,
    extent, gather_elem, gather_row,
    handshake::{self, Phase, Protocol},
    remap::{Clamp, Indices, Policy, Undefined, Within, Wrap},
    slots::{NdSlots, NzSlots, Slots},
    strided,
    task::{self, OnEngine},
    walk,
};

/// Runs one MGATHER, GM to UB, on `engine` (001, A2/A3).
/// The first `done` lanes were run before.
///
/// # Errors
/// If the index dtype is none.
pub(crate) fn run<'m, E: Engine<'m>>(
    call: &Mgather,
    readings: &Readings,
    done: usize,
    engine: &mut E,
) -> Result<(), Fault> {
    let capacity = extent::capacity(call.mode, &call.table);
    let task = Task {
        call,
        indices: Indices::new(call.idx.dtype, readings.negative_index, capacity)?,
        readings,
        done,
    };
    select(call, OnEngine::new(&task, engine));
    Ok(())
}

/// What is generic over the template arguments of a call.
pub(crate) trait Instance {
    /// What it comes to.
    type Done;

    /// Runs the instantiation for elements of `W` bytes.
    fn run<const W: usize, P: Policy>(self) -> Self::Done;
}

/// Runs the instantiation that the call names.
#[inline(always)]
pub(crate) fn select<I: Instance>(call: &Mgather, instance: I) -> I::Done {
    match call.dst.dtype.size() {
        1 => by_policy::<1, I>(call.oob, instance),
        2 => by_policy::<2, I>(call.oob, instance),
        4 => by_policy::<4, I>(call.oob, instance),
        _ => by_policy::<8, I>(call.oob, instance),
    }
}

#[inline(always)]
fn by_policy<const W: usize, I: Instance>(oob: GatherOob, instance: I) -> I::Done {
    match oob {
        GatherOob::Undefined => instance.run::<W, Undefined>(),
        GatherOob::Clamp => instance.run::<W, Clamp>(),
        GatherOob::Wrap => instance.run::<W, Wrap>(),
        GatherOob::Zero => instance.run::<W, Within>(),
    }
}

/// One call.
pub(crate) type Task<'t> = task::Task<'t, Mgather>;

impl<'m, E: Engine<'m>> Instance for OnEngine<'_, 'm, Task<'_>, E> {
    type Done = ();

    fn run<const W: usize, P: Policy>(self) {
        let Self { task, engine, .. } = self;
        // A run-time extent of 0 does nothing, whatever MGATHER-GAP-26 is taken to be.
        if extent::nothing_valid(&task.call.dst) {
            return;
        }
        let protocol = handshake::of_gather(task.call.mode);
        let dtype = task.call.table.dtype;
        engine.take(Phase::Before, protocol.before, dtype);
        // An empty table gives no value but Zero's (reading of MGATHER-GAP-03).
        if task.call.oob == GatherOob::Zero || !task.indices.nothing() {
            task.body::<W, P, E>(protocol, engine);
        }
        engine.take(Phase::After, protocol.after, dtype);
    }
}

impl Task<'_> {
    fn body<'m, const W: usize, P, E>(&self, protocol: &Protocol, engine: &mut E)
    where
        P: Policy,
        E: Engine<'m>,
    {
        let table = &self.call.table;
        match (self.call.mode, table.layout == Layout::NZ) {
            (Coalesce::Row, false) => gather_row::nd::<W, P, E>(self, protocol, engine),
            (Coalesce::Row, true) => gather_row::nz::<W, P, E>(self, protocol, engine),
            (Coalesce::Elem, false) => {
                match strided::split_slots::<W>(table, self.readings.padded_elem) {
                    None => self.nd_elems::<W, P, _, E>(&NdSlots, engine),
                    Some(slots) => self.nd_elems::<W, P, _, E>(&slots, engine),
                }
            }
            (Coalesce::Elem, true) => {
                let (slots, indices) = (NzSlots::<W>::new(table), &self.indices);
                walk::nz_blocks::<W>(&self.call.dst, &self.call.idx, |segment| {
                    let core = engine.scalar();
                    gather_elem::segment::<W, P, _, _>(core, indices, &slots, segment, 0);
                });
            }
        }
    }

    fn nd_elems<'m, const W: usize, P, S, E>(&self, slots: &S, engine: &mut E)
    where
        P: Policy,
        S: Slots<W>,
        E: Engine<'m>,
    {
        let (Mgather { dst, idx, .. }, indices) = (self.call, &self.indices);
        walk::nd_rows::<W>(dst, idx, |segment| {
            let core = engine.scalar();
            // Lanes were run before only where there is but one segment.
            gather_elem::segment::<W, P, _, _>(core, indices, slots, segment, self.done);
        });
    }
}
