//! MSCATTER: picks the instantiation that a call's template arguments name.

use ptodiff_isa::{
    Coalesce, DType, Fault, Layout, Memory, Mscatter, NzElemOrder, Readings, Role, ScatterAtomicOp,
    ScatterOob,
};

use crate::{
    combine::{AddBfloat16, AddFloat, AddHalf, AddInt, Combine, Replace},
    extent,
    handshake::{self, Protocol},
    port::Operands,
    remap::{Clamp, Indices, Policy, Undefined, Within, Wrap},
    scatter_elem, scatter_row,
    scribe::Scribe,
    slots::{NdSlots, NzSlots},
    walk,
};

/// Runs one MSCATTER in place on `memory` (000, A2/A3).
///
/// # Errors
/// If the memory lacks an operand or no kernel exists for the template arguments.
pub(crate) fn run<L: Scribe>(
    call: &Mscatter,
    memory: &mut Memory,
    readings: &Readings,
    log: &mut L,
) -> Result<(), Fault> {
    let capacity = extent::capacity(call.mode, &call.table);
    let mut task = Task {
        call,
        indices: Indices::new(call.idx.dtype, readings.negative_index, capacity)?,
        order: readings.nz_elem_order,
        operands: &mut Operands::open(memory, Role::Source)?,
    };
    match (call.atomic, call.src.dtype) {
        (ScatterAtomicOp::None, dtype) => match dtype.size() {
            1 => task.combined::<1, Replace, L>(log),
            2 => task.combined::<2, Replace, L>(log),
            4 => task.combined::<4, Replace, L>(log),
            _ => task.combined::<8, Replace, L>(log),
        },
        (ScatterAtomicOp::Add, DType::Int8) => task.combined::<1, AddInt, L>(log),
        (ScatterAtomicOp::Add, DType::Int16) => task.combined::<2, AddInt, L>(log),
        (ScatterAtomicOp::Add, DType::Int32) => task.combined::<4, AddInt, L>(log),
        (ScatterAtomicOp::Add, DType::Half) => task.combined::<2, AddHalf, L>(log),
        (ScatterAtomicOp::Add, DType::Bfloat16) => task.combined::<2, AddBfloat16, L>(log),
        (ScatterAtomicOp::Add, DType::Float) => task.combined::<4, AddFloat, L>(log),
        (atomic, dtype) => return Err(Fault(format!("no kernel for {atomic} on {dtype}"))),
    }
    Ok(())
}

/// One call with its operands open.
pub(crate) struct Task<'t, 'm> {
    /// The call.
    pub(crate) call: &'t Mscatter,
    /// Its memory.
    pub(crate) operands: &'t mut Operands<'m>,
    /// Its indices.
    pub(crate) indices: Indices,
    order: NzElemOrder,
}

impl Task<'_, '_> {
    /// A run-time extent of 0 does nothing (reading of MSCATTER-GAP-38).
    fn nothing_valid(&self) -> bool {
        self.call.src.valid_row.get() == 0 || self.call.src.valid_col.get() == 0
    }

    fn protocol(&self) -> &'static Protocol {
        match (self.call.mode, self.call.atomic) {
            (Coalesce::Elem, _) => &handshake::MSCATTER_ELEM,
            (Coalesce::Row, ScatterAtomicOp::Add) => &handshake::MSCATTER_ROW_ADD,
            (Coalesce::Row, _) => &handshake::MSCATTER_ROW,
        }
    }

    fn combined<const W: usize, C: Combine<W>, L: Scribe>(&mut self, log: &mut L) {
        if self.nothing_valid() {
            return;
        }
        let protocol = self.protocol();
        let dtype = self.call.table.dtype;
        handshake::issue(protocol.before, dtype, log);
        // An empty table takes no write (reading of MSCATTER-GAP-02).
        if !self.indices.nothing() {
            match self.call.oob {
                ScatterOob::Undefined => self.body::<W, C, Undefined, L>(protocol, log),
                ScatterOob::Skip => self.body::<W, C, Within, L>(protocol, log),
                ScatterOob::Clamp => self.body::<W, C, Clamp, L>(protocol, log),
                ScatterOob::Wrap => self.body::<W, C, Wrap, L>(protocol, log),
            }
        }
        handshake::issue(protocol.after, dtype, log);
    }

    fn body<const W: usize, C: Combine<W>, P: Policy, L: Scribe>(
        &mut self,
        protocol: &Protocol,
        log: &mut L,
    ) {
        let Mscatter {
            table, src, idx, ..
        } = self.call;
        let nz = table.layout == Layout::NZ;
        let order = self.order;
        match (self.call.mode, nz) {
            (Coalesce::Row, false) => scatter_row::nd::<W, C, P, L>(self, protocol, log),
            (Coalesce::Row, true) => scatter_row::nz::<W, C, P, L>(self, protocol, log),
            (Coalesce::Elem, false) => walk::nd_rows::<W>(src, idx, |segment| {
                scatter_elem::segment::<W, C, P, _, L>(self, &NdSlots, segment, log);
            }),
            (Coalesce::Elem, true) => {
                let slots = NzSlots::<W>::new(table);
                let visit = |segment| {
                    scatter_elem::segment::<W, C, P, _, L>(self, &slots, segment, log);
                };
                match order {
                    NzElemOrder::Walk => walk::nz_blocks::<W>(src, idx, visit),
                    NzElemOrder::Coordinate => walk::nz_rows::<W>(src, idx, visit),
                }
            }
        }
    }
}
