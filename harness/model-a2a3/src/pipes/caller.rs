//! The program around the call: how the operands got there, and who uses
//! what the call left.
//!
//! It waits once, MTE2->V after its loads, as MSCATTER-SYNC-01 and
//! MGATHER-SYNC-01 ask, unless that pair is what is left out. All else that it has under way, the kernel's own
//! handshakes must keep apart from the kernel. Its operations of different
//! pipes touch different halves of an operand, so they need no order among
//! themselves.

use std::ops::Range;

use ptodiff_isa::{
    Call, Coalesce,
    Pipe::{MTE2, MTE3, S, V},
    Role::{self, Destination, Index, Source, Table},
};
use ptodiff_memory::Bus;

use super::machine::{Machine, body};
use crate::{engine::Core, index::INDEX_BYTES};

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

    /// Issues what comes before the call, with the pair after the loads or without.
    pub(super) fn before(self, core: &mut Core<'_>, pair: bool) {
        let Some((machine, bus)) = core.pipes() else {
            return;
        };
        match self {
            Self::Scatter => {
                let (half, len) = halves(Table, bus);
                // A TSTORE has yet to write the first half of the table.
                let stored = rewind(Table, 0..half, |byte| !byte, bus);
                machine.arrive(MTE3, (Table, 0), stored, bus);
                let (_, src) = halves(Source, bus);
                let loaded = rewind(Source, 0..src, |byte| !byte, bus);
                machine.arrive(MTE2, (Source, 0), loaded, bus);
                bring_index(machine, bus, pair);
                let what = "load of the table's second half before the call";
                machine.look(MTE2, Table, half..len, what, bus);
            }
            Self::Gather(mode) => {
                bring_index(machine, bus, pair);
                let (half, len) = halves(Destination, bus);
                let what = "store of the tile's first half before the call";
                machine.look(MTE3, Destination, 0..half, what, bus);
                // Row has no handshake that would hold back a load of the tile.
                if mode == Coalesce::Elem {
                    let loaded = rewind(Destination, half..len, |byte| !byte, bus);
                    machine.arrive(MTE2, (Destination, half), loaded, bus);
                }
            }
            Self::Nobody => {}
        }
    }

    /// Issues what comes after the call.
    pub(super) fn after(self, core: &mut Core<'_>) {
        let Some((machine, bus)) = core.pipes() else {
            return;
        };
        match self {
            Self::Scatter => {
                let (half, len) = halves(Table, bus);
                // 000 counts V among those that touch GM.
                let what = "vector operation after the call";
                machine.look(V, Table, 0..len, what, bus);
                machine.look(MTE2, Table, 0..len, "load after the call", bus);
                machine.cover(MTE3, Table, "store after the call", bus);
                // The first half may still be under way if no row was moved.
                let what = "scalar load of the table's second half after the call";
                machine.look(S, Table, half..len, what, bus);
            }
            Self::Gather(_) => {
                let (_, len) = halves(Destination, bus);
                let what = "vector operation after the call";
                machine.look(V, Destination, 0..len, what, bus);
                machine.look(MTE3, Destination, 0..len, "store after the call", bus);
                machine.cover(MTE2, Destination, "load after the call", bus);
            }
            Self::Nobody => {}
        }
    }
}

/// A load brings raw indices, each with another lowest bit, and a vector
/// operation makes them what they are. Without the pair between the two the load
/// brings the indices themselves, and nobody waits for it.
fn bring_index(machine: &mut Machine, bus: &mut Bus<'_>, pair: bool) {
    let (_, len) = halves(Index, bus);
    let index = rewind(Index, 0..len, |_| 0, bus);
    if !pair {
        machine.arrive(MTE2, (Index, 0), index, bus);
        return;
    }
    let mut raw = index.clone();
    raw.iter_mut()
        .step_by(INDEX_BYTES)
        .for_each(|byte| *byte ^= 1);
    machine.arrive(MTE2, (Index, 0), raw, bus);
    machine.pair(MTE2, V, bus, None);
    machine.arrive(V, (Index, 0), index, bus);
}

/// Puts what stood in part of a body before it got there: `earlier` of each
/// byte. What stands there now, to arrive later.
fn rewind(
    role: Role,
    range: Range<usize>,
    earlier: impl Fn(u8) -> u8,
    bus: &mut Bus<'_>,
) -> Vec<u8> {
    let now = body(role, range.clone(), bus);
    for (at, &byte) in range.zip(&now) {
        bus.poke(role, at as i64, 1, earlier(byte).into());
    }
    now
}

/// Where the second half of a body begins, and where it ends.
fn halves(role: Role, bus: &Bus<'_>) -> (usize, usize) {
    let len = bus.get(role).map_or(0, |region| region.body().len());
    (len / 2, len)
}
