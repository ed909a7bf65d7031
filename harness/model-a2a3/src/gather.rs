//! MGATHER into UB: picks the instantiation that a call's template arguments name.

use ptodiff_isa::{Coalesce, Fault, GatherOob, Layout, Mgather, Readings};

use crate::{
    engine::Engine,
    extent, gather_elem, gather_row,
    handshake::{self, Phase, Protocol},
    remap::{Clamp, Indices, Policy, Undefined, Within, Wrap},
    slots::{NdSlots, NzSlots},
    walk,
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
}

impl Task<'_> {
    fn sized<'m, const W: usize, E: Engine<'m>>(&self, engine: &mut E) {
        // A run-time extent of 0 does nothing (reading of MGATHER-GAP-26).
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
        let Mgather {
            table, dst, idx, ..
        } = self.call;
        let (nz, indices) = (table.layout == Layout::NZ, self.indices);
        match (self.call.mode, nz) {
            (Coalesce::Row, false) => gather_row::nd::<W, P, E>(self, protocol, engine),
            (Coalesce::Row, true) => gather_row::nz::<W, P, E>(self, protocol, engine),
            (Coalesce::Elem, false) => walk::nd_rows::<W>(dst, idx, |segment| {
                let core = engine.scalar();
                gather_elem::segment::<W, P, _, _>(core, indices, &NdSlots, segment);
            }),
            (Coalesce::Elem, true) => {
                let slots = NzSlots::<W>::new(table);
                walk::nz_blocks::<W>(dst, idx, |segment| {
                    let core = engine.scalar();
                    gather_elem::segment::<W, P, _, _>(core, indices, &slots, segment);
                });
            }
        }
    }
}
