//! MGATHER into UB: picks the instantiation that a call's template arguments name.

use ptodiff_isa::{Coalesce, Fault, GatherOob, Layout, Memory, Mgather, Readings, Role};

use crate::{
    extent, gather_elem, gather_row,
    handshake::{self, Protocol},
    port::Operands,
    remap::{Clamp, Indices, Policy, Undefined, Within, Wrap},
    scribe::Scribe,
    slots::{NdSlots, NzSlots},
    walk,
};

/// Runs one MGATHER, GM to UB, in place on `memory` (001, A2/A3).
///
/// # Errors
/// If the memory lacks an operand or the index dtype is none.
pub(crate) fn run<L: Scribe>(
    call: &Mgather,
    memory: &mut Memory,
    readings: &Readings,
    log: &mut L,
) -> Result<(), Fault> {
    let capacity = extent::capacity(call.mode, &call.table);
    let mut task = Task {
        call,
        indices: Indices::new(call.idx.dtype, readings.negative_index, capacity)?,
        operands: &mut Operands::open(memory, Role::Destination)?,
    };
    match call.dst.dtype.size() {
        1 => task.sized::<1, L>(log),
        2 => task.sized::<2, L>(log),
        4 => task.sized::<4, L>(log),
        _ => task.sized::<8, L>(log),
    }
    Ok(())
}

/// One call with its operands open.
pub(crate) struct Task<'t, 'm> {
    /// The call.
    pub(crate) call: &'t Mgather,
    /// Its memory.
    pub(crate) operands: &'t mut Operands<'m>,
    /// Its indices.
    pub(crate) indices: Indices,
}

impl Task<'_, '_> {
    /// A run-time extent of 0 does nothing (reading of MGATHER-GAP-26).
    fn nothing_valid(&self) -> bool {
        self.call.dst.valid_row.get() == 0 || self.call.dst.valid_col.get() == 0
    }

    fn sized<const W: usize, L: Scribe>(&mut self, log: &mut L) {
        if self.nothing_valid() {
            return;
        }
        let protocol: &Protocol = match self.call.mode {
            Coalesce::Row => &handshake::MGATHER_ROW,
            Coalesce::Elem => &handshake::MGATHER_ELEM,
        };
        let dtype = self.call.table.dtype;
        handshake::issue(protocol.before, dtype, log);
        // An empty table gives no value but Zero's (reading of MGATHER-GAP-03).
        match self.call.oob {
            GatherOob::Zero => self.body::<W, Within, L>(protocol, log),
            _ if self.indices.nothing() => {}
            GatherOob::Undefined => self.body::<W, Undefined, L>(protocol, log),
            GatherOob::Clamp => self.body::<W, Clamp, L>(protocol, log),
            GatherOob::Wrap => self.body::<W, Wrap, L>(protocol, log),
        }
        handshake::issue(protocol.after, dtype, log);
    }

    fn body<const W: usize, P: Policy, L: Scribe>(&mut self, protocol: &Protocol, log: &mut L) {
        let Mgather {
            table, dst, idx, ..
        } = self.call;
        let nz = table.layout == Layout::NZ;
        match (self.call.mode, nz) {
            (Coalesce::Row, false) => gather_row::nd::<W, P, L>(self, protocol, log),
            (Coalesce::Row, true) => gather_row::nz::<W, P, L>(self, protocol, log),
            (Coalesce::Elem, false) => walk::nd_rows::<W>(dst, idx, |segment| {
                gather_elem::segment::<W, P, _, L>(self, &NdSlots, segment, log);
            }),
            (Coalesce::Elem, true) => {
                let slots = NzSlots::<W>::new(table);
                walk::nz_blocks::<W>(dst, idx, |segment| {
                    gather_elem::segment::<W, P, _, L>(self, &slots, segment, log);
                });
            }
        }
    }
}
