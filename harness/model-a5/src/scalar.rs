//! The scalar path of Elem (1, 1), which launches nothing (000 and 001, Pipe /
//! Synchronisation Model, A5).

use ptodiff_isa::{Event, Pipe};
use ptodiff_memory::Bus;

/// Runs `body` on the scalar pipe of the vector core, between V->S and S->V
/// (MSCATTER-SYNC-11, MGATHER-SYNC-09).
pub(crate) fn on_scalar_pipe(bus: &mut Bus<'_>, body: impl FnOnce(&mut Bus<'_>)) {
    hand_over(bus, Pipe::V, Pipe::S);
    body(bus);
    hand_over(bus, Pipe::S, Pipe::V);
}

fn hand_over(bus: &mut Bus<'_>, from: Pipe, to: Pipe) {
    bus.note(|| Event::SetFlag { from, to });
    bus.note(|| Event::WaitFlag { from, to });
}
