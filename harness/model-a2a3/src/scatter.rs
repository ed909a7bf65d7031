//! MSCATTER: picks the instantiation that a call's template arguments name.

use ptodiff_isa::{
    AddOverflow, Coalesce, DType, Fault, Layout, Mscatter, NzElemOrder, Readings, RowAddOrder,
    ScatterAtomicOp, ScatterOob, Subnormals,
};

use crate::{
    combine::{AddBfloat16, AddFloat, AddHalf, AddSaturating, AddWrapping, Combine, Replace},
    engine::Engine,
    extent,
    flush::{Float, Flushed},
    handshake::{self, Phase, Protocol},
    parts,
    remap::{Clamp, Indices, Policy, Undefined, Within, Wrap},
    scatter_elem, scatter_row,
    slots::{NdSlots, NzSlots, Slots},
    strided, walk,
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
        readings,
    };
    match (call.atomic, call.src.dtype) {
        (ScatterAtomicOp::None, dtype) => match dtype.size() {
            1 => task.combined::<1, Replace, _>(engine),
            2 => task.combined::<2, Replace, _>(engine),
            4 => task.combined::<4, Replace, _>(engine),
            _ => task.combined::<8, Replace, _>(engine),
        },
        (ScatterAtomicOp::Add, DType::Int8) => task.add_int::<1, _>(engine),
        (ScatterAtomicOp::Add, DType::Int16) => task.add_int::<2, _>(engine),
        (ScatterAtomicOp::Add, DType::Int32) => task.add_int::<4, _>(engine),
        (ScatterAtomicOp::Add, DType::Half) => task.add_float::<2, AddHalf, _>(engine),
        (ScatterAtomicOp::Add, DType::Bfloat16) => task.add_float::<2, AddBfloat16, _>(engine),
        (ScatterAtomicOp::Add, DType::Float) => task.add_float::<4, AddFloat, _>(engine),
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
    /// The readings in force.
    pub(crate) readings: &'t Readings,
}

impl Task<'_> {
    /// Whether the rows of a Row Add come last one first: where the order shows
    /// and is free, the model takes the one that nobody expects (MSCATTER-GAP-07).
    pub(crate) fn last_row_first(&self) -> bool {
        let wraps = match self.call.src.dtype {
            DType::Int8 | DType::Int16 | DType::Int32 => !self.saturates(),
            _ => false,
        };
        self.call.atomic == ScatterAtomicOp::Add
            && self.readings.row_add_order == RowAddOrder::Any
            && !wraps
    }

    /// Whether integer sums saturate on the path of this call (MSCATTER-GAP-05).
    fn saturates(&self) -> bool {
        match self.readings.add_overflow {
            AddOverflow::Wrap => false,
            AddOverflow::Saturate => true,
            AddOverflow::Mte3Saturates => self.call.mode == Coalesce::Row,
        }
    }

    fn add_int<'m, const W: usize, E>(&self, engine: &mut E)
    where
        AddWrapping: Combine<W>,
        AddSaturating: Combine<W>,
        E: Engine<'m>,
    {
        if self.saturates() {
            self.combined::<W, AddSaturating, E>(engine);
        } else {
            self.combined::<W, AddWrapping, E>(engine);
        }
    }

    fn add_float<'m, const W: usize, C, E>(&self, engine: &mut E)
    where
        C: Float<W>,
        E: Engine<'m>,
    {
        match self.readings.subnormals {
            Subnormals::Kept => self.combined::<W, C, E>(engine),
            Subnormals::Flushed => self.combined::<W, Flushed<C>, E>(engine),
        }
    }

    fn combined<'m, const W: usize, C, E>(&self, engine: &mut E)
    where
        C: Combine<W>,
        E: Engine<'m>,
    {
        // A run-time extent of 0 does nothing, whatever MSCATTER-GAP-38 is taken to be.
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
        // Only a table that notes what is written of it is still closed.
        if let Some(operands) = engine.unwatched()
            && let Some(closed) = operands.closed.take()
            && parts::scatter::<W, C>(self, operands, closed, P::pick)
        {
            return;
        }
        let Mscatter {
            table, src, idx, ..
        } = self.call;
        let (nz, indices) = (table.layout == Layout::NZ, &self.indices);
        match (self.call.mode, nz) {
            (Coalesce::Row, false) => scatter_row::nd::<W, C, P, E>(self, protocol, engine),
            (Coalesce::Row, true) => scatter_row::nz::<W, C, P, E>(self, protocol, engine),
            (Coalesce::Elem, false) => {
                match strided::split_slots::<W>(table, self.readings.padded_elem) {
                    None => self.nd_elems::<W, C, P, _, E>(&NdSlots, engine),
                    Some(slots) => self.nd_elems::<W, C, P, _, E>(&slots, engine),
                }
            }
            (Coalesce::Elem, true) => {
                let slots = NzSlots::<W>::new(table);
                let visit = |segment| {
                    let core = engine.scalar();
                    scatter_elem::segment::<W, C, P, _, _>(core, indices, &slots, segment);
                };
                match self.readings.nz_elem_order {
                    NzElemOrder::Walk => walk::nz_blocks::<W>(src, idx, visit),
                    NzElemOrder::Coordinate => walk::nz_rows::<W>(src, idx, visit),
                }
            }
        }
    }

    fn nd_elems<'m, const W: usize, C, P, S, E>(&self, slots: &S, engine: &mut E)
    where
        C: Combine<W>,
        P: Policy,
        S: Slots<W>,
        E: Engine<'m>,
    {
        let (Mscatter { src, idx, .. }, indices) = (self.call, &self.indices);
        walk::nd_rows::<W>(src, idx, |segment| {
            let core = engine.scalar();
            scatter_elem::segment::<W, C, P, _, _>(core, indices, slots, segment);
        });
    }
}
