//! The program around the call: how the operands got there, and who uses
//! what the call left.
//!
//! It waits once, MTE2->V after its loads, as MSCATTER-SYNC-01 and
//! MGATHER-SYNC-01 ask. All else that it has under way, the kernel's own
//! handshakes must keep apart from the kernel. Its operations of different
//! pipes touch different halves of an operand, so they need no order among
//! themselves.

use ptodiff_isa::{
    Call, Coalesce,
    Pipe::{MTE2, MTE3, S, V},
};

use super::machine::Machine;
use crate::{operands::Place, remap::INDEX_BYTES};

/// Which program runs around the call.
#[derive(Clone, Copy)]
pub(super) enum Caller {
    Scatter,
    Gather(Coalesce),
    /// Nothing: the documents do not say who may be under way.
    Nobody,
}

impl Caller {
    /// The program around `call`.
    pub(super) fn of(call: &Call) -> Self {
        match call {
            Call::Mscatter(_) => Self::Scatter,
            Call::Mgather(call) => Self::Gather(call.mode),
            // MGATHERL1-GAP-11, -12.
            Call::MgatherL1(_)
            | Call::MscatterFirst(_)
            | Call::TscatterIndex(_)
            | Call::TscatterMask(_)
            | Call::Tgatherb(_) => Self::Nobody,
        }
    }

    /// Issues what comes before the call.
    pub(super) fn before(self, machine: &mut Machine<'_, '_>) {
        match self {
            Self::Scatter => {
                let (half, len) = halves(machine, Place::Gm);
                // A TSTORE has yet to write the first half of the table.
                let stored = machine.rewind(Place::Gm, 0..half, other);
                machine.arrive(MTE3, Place::Gm, 0, stored);
                let (_, src) = halves(machine, Place::Data);
                let loaded = machine.rewind(Place::Data, 0..src, other);
                machine.arrive(MTE2, Place::Data, 0, loaded);
                bring_index(machine);
                let what = "load of the table's second half before the call";
                machine.look(MTE2, Place::Gm, half..len, what);
            }
            Self::Gather(mode) => {
                bring_index(machine);
                let (half, len) = halves(machine, Place::Data);
                let what = "store of the tile's first half before the call";
                machine.look(MTE3, Place::Data, 0..half, what);
                // Row has no handshake that would hold back a load of the tile.
                if mode == Coalesce::Elem {
                    let loaded = machine.rewind(Place::Data, half..len, other);
                    machine.arrive(MTE2, Place::Data, half, loaded);
                }
            }
            Self::Nobody => {}
        }
    }

    /// Issues what comes after the call.
    pub(super) fn after(self, machine: &mut Machine<'_, '_>) {
        match self {
            Self::Scatter => {
                let (half, len) = halves(machine, Place::Gm);
                // 000 counts V among those that touch GM.
                machine.look(V, Place::Gm, 0..len, "vector operation after the call");
                machine.look(MTE2, Place::Gm, 0..len, "load after the call");
                machine.cover(MTE3, Place::Gm, "store after the call");
                // The first half may still be under way if no row was moved.
                let what = "scalar load of the table's second half after the call";
                machine.look(S, Place::Gm, half..len, what);
            }
            Self::Gather(_) => {
                let (_, len) = halves(machine, Place::Data);
                machine.look(V, Place::Data, 0..len, "vector operation after the call");
                machine.look(MTE3, Place::Data, 0..len, "store after the call");
                machine.cover(MTE2, Place::Data, "load after the call");
            }
            Self::Nobody => {}
        }
    }
}

/// A load brings raw indices, and a vector operation makes them what they are.
fn bring_index(machine: &mut Machine<'_, '_>) {
    let (_, len) = halves(machine, Place::Index);
    let index = machine.rewind(Place::Index, 0..len, |_| 0);
    let mut raw = index.clone();
    raw.iter_mut()
        .step_by(INDEX_BYTES)
        .for_each(|byte| *byte ^= 1);
    machine.arrive(MTE2, Place::Index, 0, raw);
    machine.pair(MTE2, V);
    machine.arrive(V, Place::Index, 0, index);
}

/// What stood in a byte before: anything but what stands there.
fn other(byte: u8) -> u8 {
    !byte
}

/// Where the second half of a body begins, and where it ends.
fn halves(machine: &mut Machine<'_, '_>, place: Place) -> (usize, usize) {
    let len = machine.len(place);
    (len / 2, len)
}
