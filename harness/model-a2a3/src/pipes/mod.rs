//! The kernels on pipes that nothing but their handshakes keeps in step.
//!
//! The scalar pipe runs the program: what it loads and stores happens at once,
//! what it hands to V, MTE2 and MTE3 waits in a queue each, in program order.
//! A queue moves only when somebody waits for a flag behind it, or at the very
//! end, so an operation that nobody waits for comes as late as it can. Around
//! the call runs a caller that keeps the one precondition which MSCATTER-SYNC-01 and
//! MGATHER-SYNC-01 leave it.

mod caller;
mod machine;
mod unseen;

use ptodiff_isa::{Call, Fault, Log, Memory, Pipe, Readings, Role};
use ptodiff_memory::Bus;

use crate::{
    engine::Core,
    handshake::{Handshake, handshakes, owed_by_caller},
    nothing_valid,
};
use caller::Caller;

pub(crate) use machine::Machine;

/// What one operation of the caller's found, before the call or after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The operation, in a few words.
    pub what: &'static str,
    /// The pipe that executed it.
    pub pipe: Pipe,
    /// The operand that it read, or wrote over.
    pub role: Role,
    /// The bytes that it read, or that stood in the operand's body once it had
    /// written over it.
    pub bytes: Vec<u8>,
}

/// What the program around the call found, in program order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Surroundings {
    /// Each operation's finding.
    pub seen: Vec<Seen>,
}

/// Runs `call` on queues, without one of its handshakes or its caller's if
/// `without` names one, and drains them in the end in the order that is worst without it: the pipe
/// that should have waited first, the one it should have waited for last.
///
/// With all handshakes in place `memory` and the out-of-bounds accesses come out as
/// [`Model::execute`](ptodiff_isa::Model::execute) leaves them, and so does
/// the trace; without one, the trace lacks its events. The caller's operations
/// are in no trace and leave nothing in `memory`. Calls whose handshakes the
/// documents do not list (TSCATTER-GAP-19, TGATHERB-GAP-15), and calls without
/// a valid element, run alone.
///
/// # Errors
/// Where `execute` errs, and if the kernel does not issue `without`. What the
/// memory holds then is of no use.
pub fn run_pipes(
    call: &Call,
    memory: &mut Memory,
    readings: &Readings,
    without: Option<Handshake>,
    log: &mut Log,
) -> Result<Surroundings, Fault> {
    let mut order = [Pipe::V, Pipe::MTE2, Pipe::MTE3];
    order.sort_by_key(|&pipe| match without {
        Some(handshake) if handshake.to == pipe => 0,
        Some(handshake) if handshake.from == pipe => 2,
        _ => 1,
    });
    run_pipes_draining(call, memory, readings, without, &order, log)
}

/// [`run_pipes`] with an order of one's own choice for the end; pipes that
/// `order` leaves out come last.
///
/// # Errors
/// As [`run_pipes`].
pub fn run_pipes_draining(
    call: &Call,
    memory: &mut Memory,
    readings: &Readings,
    without: Option<Handshake>,
    order: &[Pipe],
    log: &mut Log,
) -> Result<Surroundings, Fault> {
    let owed = owed_by_caller(call);
    if let Some(handshake) = without
        && Some(handshake) != owed
        && !handshakes(call).contains(&handshake)
    {
        return Err(Fault(format!("this kernel issues no `{handshake}`")));
    }
    let bus = Bus::new(memory, log);
    // What the scalar pipe of each kernel stores to.
    let stores_to = match call {
        _ if nothing_valid(call.data_tile()) => None,
        Call::Mscatter(_) => Some(Role::Table),
        Call::Mgather(_) => Some(Role::Destination),
        Call::MgatherL1(_) => Some(Role::Scratch),
        Call::MscatterFirst(_)
        | Call::TscatterIndex(_)
        | Call::TscatterMask(_)
        | Call::Tgatherb(_) => None,
    };
    let mut core = match stores_to {
        Some(role) => Core::with_pipes(bus, Machine::new(role, without)),
        None => Core::new(bus),
    };
    let caller = Caller::of(call);
    caller.before(&mut core, without.is_none() || without != owed);
    if let Some((machine, bus)) = core.pipes() {
        machine.watch_stores(bus);
    }
    crate::run(call, readings, &mut core)?;
    caller.after(&mut core);
    Ok(core.finish(order))
}
