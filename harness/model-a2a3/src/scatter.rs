//! MSCATTER: picks the instantiation that a call's template arguments name.

use ptodiff_isa::{
    Coalesce, DType, Fault, Layout, Mscatter, NzElemOrder, Readings, ScatterAtomicOp, ScatterOob,
};

use crate::{
    combine::{AddBfloat16, AddFloat, AddHalf, AddInt, Combine, Replace},
    engine::Engine,
    extent,
    handshake::{self, Phase, Protocol},
    remap::{Clamp, Indices, Policy, Undefined, Within, Wrap},
    scatter_elem, scatter_row,
    slots::{NdSlots, NzSlots},
    walk,
};

/// Runs one MSCATTER on `engine` (000, A2/A3).
///
/// # Errors
/// If no kernel exists for the template arguments.
pub(crate) fn run<'m>(
    call: &Mscatter,
    readings: &Readings,
    engine: &mut impl Engine<'m>,
) -> Result<(), Fault> {
    let capacity = extent::capacity(call.mode, &call.table);
    let task = Task {
        call,
        indices: Indices::new(call.idx.dtype, readings.negative_index, capacity)?,
        order: readings.nz_elem_order,
    };
    match (call.atomic, call.src.dtype) {
        (ScatterAtomicOp::None, dtype) => match dtype.size() {
            1 => task.combined::<1, Replace, _>(engine),
            2 => task.combined::<2, Replace, _>(engine),
            4 => task.combined::<4, Replace, _>(engine),
            _ => task.combined::<8, Replace, _>(engine),
        },
        (ScatterAtomicOp::Add, DType::Int8) => task.combined::<1, AddInt, _>(engine),
        (ScatterAtomicOp::Add, DType::Int16) => task.combined::<2, AddInt, _>(engine),
        (ScatterAtomicOp::Add, DType::Int32) => task.combined::<4, AddInt, _>(engine),
        (ScatterAtomicOp::Add, DType::Half) => task.combined::<2, AddHalf, _>(engine),
        (ScatterAtomicOp::Add, DType::Bfloat16) => task.combined::<2, AddBfloat16, _>(engine),
        (ScatterAtomicOp::Add, DType::Float) => task.combined::<4, AddFloat, _>(engine),
        (atomic, dtype) => return Err(Fault(format!("no kernel for {atomic} on {dtype}"))),
    }
    Ok(())
}

/// One call.
pub(crate) struct Task<'t> {
    /// The call.
    pub(crate) call: &'t Mscatter,
    /// Its indices.
    pub(crate) indices: Indices,
    order: NzElemOrder,
}

impl Task<'_> {
    fn combined<'m, const W: usize, C, E>(&self, engine: &mut E)
    where
        C: Combine<W>,
        E: Engine<'m>,
    {
        // A run-time extent of 0 does nothing (reading of MSCATTER-GAP-38).
        if extent::nothing_valid(&self.call.src) {
            return;
        }
        let protocol = handshake::of_scatter(self.call.mode, self.call.atomic);
        let dtype = self.call.table.dtype;
        engine.take(Phase::Before, protocol.before, dtype);
        // An empty table takes no write (reading of MSCATTER-GAP-02).
        if !self.indices.nothing() {
            match self.call.oob {
                ScatterOob::Undefined => self.body::<W, C, Undefined, E>(protocol, engine),
                ScatterOob::Skip => self.body::<W, C, Within, E>(protocol, engine),
                ScatterOob::Clamp => self.body::<W, C, Clamp, E>(protocol, engine),
                ScatterOob::Wrap => self.body::<W, C, Wrap, E>(protocol, engine),
            }
        }
        engine.take(Phase::Reset, protocol.reset, dtype);
        engine.take(Phase::After, protocol.after, dtype);
    }

    fn body<'m, const W: usize, C, P, E>(&self, protocol: &Protocol, engine: &mut E)
    where
        C: Combine<W>,
        P: Policy,
        E: Engine<'m>,
    {
        let Mscatter {
            table, src, idx, ..
        } = self.call;
        let (nz, indices) = (table.layout == Layout::NZ, self.indices);
        match (self.call.mode, nz) {
            (Coalesce::Row, false) => scatter_row::nd::<W, C, P, E>(self, protocol, engine),
            (Coalesce::Row, true) => scatter_row::nz::<W, C, P, E>(self, protocol, engine),
            (Coalesce::Elem, false) => walk::nd_rows::<W>(src, idx, |segment| {
                let core = engine.scalar();
                scatter_elem::segment::<W, C, P, _, _>(core, indices, &NdSlots, segment);
            }),
            (Coalesce::Elem, true) => {
                let slots = NzSlots::<W>::new(table);
                let visit = |segment| {
                    let core = engine.scalar();
                    scatter_elem::segment::<W, C, P, _, _>(core, indices, &slots, segment);
                };
                match self.order {
                    NzElemOrder::Walk => walk::nz_blocks::<W>(src, idx, visit),
                    NzElemOrder::Coordinate => walk::nz_rows::<W>(src, idx, visit),
                }
            }
        }
    }
}
