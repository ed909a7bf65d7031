//! Elem with a valid shape of (1, 1): the scalar path, with its V and S handshakes.

use ptodiff_isa::{Event, Pipe};

use crate::access::{Port, Sink};
use crate::bounds::Policy;
use crate::combine::Combine;
use crate::plan::Plan;
use crate::{gather, scatter};

/// `MScatterScalarImpl` (MSCATTER-SEM-07, MSCATTER-SYNC-11); an atomic is a
/// scalar read and write, for no lane issues it.
pub(crate) fn scatter<S: Sink, P: Policy, C: Combine<W>, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &mut scatter::Operands<'_, W>,
    plan: &Plan,
) {
    handshake(port, Pipe::V, Pipe::S);
    let bits = port.load(&operands.index, 0);
    if plan.bounds.capacity > 0
        && let Some(slot) = plan.bounds.slot::<P>(bits)
    {
        let mut cell = port.load(&operands.data, 0);
        if C::INTRINSIC.is_some() {
            cell = C::combine(port.load(&operands.table.as_view(), slot), cell);
        }
        port.store(&mut operands.table, slot, cell);
    }
    handshake(port, Pipe::S, Pipe::V);
}

/// `MGatherScalarImpl` (MGATHER-SEM-05, MGATHER-SYNC-09).
pub(crate) fn gather<S: Sink, P: Policy, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &mut gather::Operands<'_, W>,
    plan: &Plan,
) {
    handshake(port, Pipe::V, Pipe::S);
    let bits = port.load(&operands.index, 0);
    if !plan.bounds.gives_nothing::<P>() {
        let cell = match plan.bounds.slot::<P>(bits) {
            Some(slot) => port.load(&operands.table, slot),
            None => [0; W],
        };
        port.store(&mut operands.data, 0, cell);
    }
    handshake(port, Pipe::S, Pipe::V);
}

fn handshake<S: Sink>(port: &mut Port<'_, S>, from: Pipe, to: Pipe) {
    port.note(|| Event::SetFlag { from, to });
    port.note(|| Event::WaitFlag { from, to });
}
