//! MGATHER into UB: picks the instantiation that a call's template arguments name.

use ptodiff_isa::{Coalesce, Fault, GatherOob, Layout, Mgather, Readings};

use crate::{
    engine::Engine,
    extent, gather_elem, gather_row,
    handshake::{self, Phase, Protocol},
    remap::{Clamp, Indices, Policy, Undefined, Within, Wrap},
    slots::{NdSlots, NzSlots, Slots},
    strided, walk,
};

/// Runs one MGATHER, GM to UB, on `engine` (001, A2/A3).
///
/// # Errors
/// If the index dtype is none.
pub(crate) fn run<'m, E: Engine<'m>>(
    call: &Mgather,
    readings: &Readings,
    engine: &mut E,
) -> Result<(), Fault> {
    let capacity = extent::capacity(call.mode, &call.table);
    let task = Task {
        call,
        indices: Indices::new(call.idx.dtype, readings.negative_index, capacity)?,
        readings,
    };
    match call.dst.dtype.size() {
        1 => task.sized::<1, E>(engine),
        2 => task.sized::<2, E>(engine),
        4 => task.sized::<4, E>(engine),
        _ => task.sized::<8, E>(engine),
    }
    Ok(())
}

/// One call.
pub(crate) struct Task<'t> {
    /// The call.
    pub(crate) call: &'t Mgather,
    /// Its indices.
    pub(crate) indices: Indices,
    /// The readings in force.
    pub(crate) readings: &'t Readings,
}

impl Task<'_> {
    fn sized<'m, const W: usize, E: Engine<'m>>(&self, engine: &mut E) {
        // A run-time extent of 0 does nothing, whatever MGATHER-GAP-26 is taken to be.
        if extent::nothing_valid(&self.call.dst) {
            return;
        }
        let protocol = handshake::of_gather(self.call.mode);
        let dtype = self.call.table.dtype;
        engine.take(Phase::Before, protocol.before, dtype);
        // An empty table gives no value but Zero's (reading of MGATHER-GAP-03).
        match self.call.oob {
            GatherOob::Zero => self.body::<W, Within, E>(protocol, engine),
            _ if self.indices.nothing() => {}
            GatherOob::Undefined => self.body::<W, Undefined, E>(protocol, engine),
            GatherOob::Clamp => self.body::<W, Clamp, E>(protocol, engine),
            GatherOob::Wrap => self.body::<W, Wrap, E>(protocol, engine),
        }
        engine.take(Phase::After, protocol.after, dtype);
    }

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
                    gather_elem::segment::<W, P, _, _>(core, indices, &slots, segment);
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
            gather_elem::segment::<W, P, _, _>(core, indices, slots, segment);
        });
    }
}
