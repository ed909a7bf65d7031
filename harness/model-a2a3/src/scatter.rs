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
    strided,
    task::{self, OnEngine},
    walk,
};

/// Runs one MSCATTER on `engine` (000, A2/A3).
/// The first `done` lanes were run before.
///
/// # Errors
/// If no kernel exists for the template arguments.
pub(crate) fn run<'m, E: Engine<'m>>(
    call: &Mscatter,
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
    select(call, readings, OnEngine::new(&task, engine)).ok_or_else(|| {
        let (atomic, dtype) = (call.atomic, call.src.dtype);
        Fault(format!("no kernel for {atomic} on {dtype}"))
    })
}

/// What is generic over the template arguments of a call.
pub(crate) trait Instance {
    /// What it comes to.
    type Done;

    /// Runs the instantiation for elements of `W` bytes.
    fn run<const W: usize, C: Combine<W>, P: Policy>(self) -> Self::Done;
}

/// Runs the instantiation that the call names, if it exists.
#[inline(always)]
pub(crate) fn select<I: Instance>(
    call: &Mscatter,
    readings: &Readings,
    instance: I,
) -> Option<I::Done> {
    use ScatterAtomicOp::{Add, None as Plain};
    Some(match (call.atomic, call.src.dtype) {
        (Plain, dtype) => match dtype.size() {
            1 => by_policy::<1, Replace, I>(call.oob, instance),
            2 => by_policy::<2, Replace, I>(call.oob, instance),
            4 => by_policy::<4, Replace, I>(call.oob, instance),
            _ => by_policy::<8, Replace, I>(call.oob, instance),
        },
        (Add, DType::Int8) => add_int::<1, I>(call, readings, instance),
        (Add, DType::Int16) => add_int::<2, I>(call, readings, instance),
        (Add, DType::Int32) => add_int::<4, I>(call, readings, instance),
        (Add, DType::Half) => add_float::<2, AddHalf, I>(call, readings, instance),
        (Add, DType::Bfloat16) => add_float::<2, AddBfloat16, I>(call, readings, instance),
        (Add, DType::Float) => add_float::<4, AddFloat, I>(call, readings, instance),
        _ => return None,
    })
}

// Inlined as all of it is: instances would go over the stack.
#[inline(always)]
fn add_int<const W: usize, I: Instance>(
    call: &Mscatter,
    readings: &Readings,
    instance: I,
) -> I::Done
where
    AddWrapping: Combine<W>,
    AddSaturating: Combine<W>,
{
    if saturates(call, readings) {
        by_policy::<W, AddSaturating, I>(call.oob, instance)
    } else {
        by_policy::<W, AddWrapping, I>(call.oob, instance)
    }
}

#[inline(always)]
fn add_float<const W: usize, C: Float<W>, I: Instance>(
    call: &Mscatter,
    readings: &Readings,
    instance: I,
) -> I::Done {
    match readings.subnormals {
        Subnormals::Kept => by_policy::<W, C, I>(call.oob, instance),
        Subnormals::Flushed => by_policy::<W, Flushed<C>, I>(call.oob, instance),
    }
}

#[inline(always)]
fn by_policy<const W: usize, C: Combine<W>, I: Instance>(oob: ScatterOob, instance: I) -> I::Done {
    match oob {
        ScatterOob::Undefined => instance.run::<W, C, Undefined>(),
        ScatterOob::Skip => instance.run::<W, C, Within>(),
        ScatterOob::Clamp => instance.run::<W, C, Clamp>(),
        ScatterOob::Wrap => instance.run::<W, C, Wrap>(),
    }
}

/// Whether the rows of a Row Add come last one first: where the order shows
/// and is free, the model takes the one that nobody expects (MSCATTER-GAP-07).
pub(crate) fn last_row_first(call: &Mscatter, readings: &Readings) -> bool {
    let wraps = match call.src.dtype {
        DType::Int8 | DType::Int16 | DType::Int32 => !saturates(call, readings),
        _ => false,
    };
    call.atomic == ScatterAtomicOp::Add && readings.row_add_order == RowAddOrder::Any && !wraps
}

/// Whether integer sums saturate on the path of this call (MSCATTER-GAP-05).
fn saturates(call: &Mscatter, readings: &Readings) -> bool {
    match readings.add_overflow {
        AddOverflow::Wrap => false,
        AddOverflow::Saturate => true,
        AddOverflow::Mte3Saturates => call.mode == Coalesce::Row,
    }
}

/// One call.
pub(crate) type Task<'t> = task::Task<'t, Mscatter>;

impl<'m, E: Engine<'m>> Instance for OnEngine<'_, 'm, Task<'_>, E> {
    type Done = ();

    fn run<const W: usize, C: Combine<W>, P: Policy>(self) {
        let Self { task, engine, .. } = self;
        // A run-time extent of 0 does nothing, whatever MSCATTER-GAP-38 is taken to be.
        if extent::nothing_valid(&task.call.src) {
            return;
        }
        let protocol = handshake::of_scatter(task.call.mode, task.call.atomic);
        let dtype = task.call.table.dtype;
        engine.take(Phase::Before, protocol.before, dtype);
        // An empty table takes no write (reading of MSCATTER-GAP-02).
        if !task.indices.nothing() {
            task.body::<W, C, P, E>(protocol, engine);
        }
        engine.take(Phase::Reset, protocol.reset, dtype);
        engine.take(Phase::After, protocol.after, dtype);
    }
}

impl Task<'_> {
    fn body<'m, const W: usize, C, P, E>(&self, protocol: &Protocol, engine: &mut E)
    where
        C: Combine<W>,
        P: Policy,
        E: Engine<'m>,
    {
        // Only a table that notes what is written of it is still closed.
        let (operands, _) = engine.scalar();
        if let Some(closed) = operands.closed.take()
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
                    scatter_elem::segment::<W, C, P, _, _>(core, indices, &slots, segment, 0);
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
            // Lanes were run before only where there is but one segment.
            scatter_elem::segment::<W, C, P, _, _>(core, indices, slots, segment, self.done);
        });
    }
}
