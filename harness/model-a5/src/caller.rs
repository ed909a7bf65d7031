//! What the program around a call owes A5's kernels, and what is seen without it.
//!
//! The SIMT launch is a producer and consumer of the vector pipe (MGATHER-SYNC-12):
//! a load of an operand must reach it before (MGATHER-SYNC-11, MSCATTER-SYNC-12), a
//! store of the destination must wait for it. And a table that the host reads needs
//! a flush (MSCATTER-CACHE-02).

use std::{fmt, str::FromStr};

use ptodiff_isa::{
    CacheFlush, Call, End, Fault, How, Launch, Log, Memory, Model,
    Role::{self, Destination, Index, Source},
};

use crate::A5;

/// One thing that the caller does around a call. Prints and parses as
/// `caller MTE2->V`, `caller V->MTE3`, `caller flush`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CallerStep {
    /// The pair after the loads of the operands.
    Load,
    /// The pair before a store of the destination.
    Store,
    /// `dcci` and `dsb` after the call.
    Flush,
}

impl CallerStep {
    const ALL: [Self; 3] = [Self::Load, Self::Store, Self::Flush];

    const fn name(self) -> &'static str {
        match self {
            Self::Load => "caller MTE2->V",
            Self::Store => "caller V->MTE3",
            Self::Flush => "caller flush",
        }
    }
}

impl fmt::Display for CallerStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no step of a caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownStep;

impl FromStr for CallerStep {
    type Err = UnknownStep;

    fn from_str(text: &str) -> Result<Self, UnknownStep> {
        let mut all = Self::ALL.into_iter();
        all.find(|step| step.name() == text).ok_or(UnknownStep)
    }
}

/// What the caller owes, in order. Empty where no document says it (TSCATTER-GAP-19,
/// TGATHERB-GAP-15, MGATHERL1-GAP-12).
#[must_use]
pub fn owed_by_caller(call: &Call) -> Vec<CallerStep> {
    match call {
        // MSCATTER0-GAP-11: the first revision is as the current one.
        Call::Mscatter(_) | Call::MscatterFirst(_) => vec![CallerStep::Load, CallerStep::Flush],
        Call::Mgather(_) => vec![CallerStep::Load, CallerStep::Store],
        Call::MgatherL1(_) | Call::TscatterIndex(_) | Call::TscatterMask(_) | Call::Tgatherb(_) => {
            Vec::new()
        }
    }
}

/// Runs `call` with all that its caller owes but `without`, everything that was to wait as
/// late as it can be. Gives what a store of the destination takes behind the call: the
/// bytes of its body, nothing where the call has no destination.
///
/// # Errors
/// Where [`Model::execute`] errs, and if the caller does not owe `without`.
pub fn run_without(
    call: &Call,
    memory: &mut Memory,
    how: &How,
    without: Option<CallerStep>,
    log: &mut Log,
) -> Result<(End, Vec<u8>), Fault> {
    if let Some(step) = without.filter(|step| !owed_by_caller(call).contains(step)) {
        return Err(Fault(format!("the caller does not owe `{step}`")));
    }
    let stored_early = body(memory, Destination);
    let mut call = *call;
    let mut loads = Vec::new();
    match without {
        Some(CallerStep::Load) => loads = delay_loads(memory),
        Some(CallerStep::Flush) => {
            if let Some(launch) = launch_of(&mut call) {
                launch.flush = CacheFlush::Missing;
            }
        }
        Some(CallerStep::Store) | None => {}
    }
    let end = A5.execute(&call, memory, how, log)?;
    for (role, bytes) in loads {
        put(memory, role, &bytes);
    }
    let stored = match without {
        Some(CallerStep::Store) => stored_early,
        _ => body(memory, Destination),
    };
    Ok((end, stored))
}

/// Gives the tiles that a load brings what stood there before, of each byte another
/// value, and an index 0. What the loads bring.
fn delay_loads(memory: &mut Memory) -> Vec<(Role, Vec<u8>)> {
    let loads = [Index, Source].map(|role| (role, body(memory, role)));
    let [(_, index), (_, source)] = &loads;
    put(memory, Index, &vec![0; index.len()]);
    let before: Vec<u8> = source.iter().map(|byte| !byte).collect();
    put(memory, Source, &before);
    loads.into()
}

fn body(memory: &Memory, role: Role) -> Vec<u8> {
    memory
        .get(role)
        .map_or(Vec::new(), |region| region.body().to_vec())
}

fn put(memory: &mut Memory, role: Role, bytes: &[u8]) {
    if let Some(region) = memory.get_mut(role) {
        region.body_mut().copy_from_slice(bytes);
    }
}

fn launch_of(call: &mut Call) -> Option<&mut Launch> {
    match call {
        Call::Mscatter(call) => Some(&mut call.launch),
        Call::MscatterFirst(call) => Some(&mut call.launch),
        _ => None,
    }
}
