//! From a call and its operands to permits.

use ptodiff_isa::{Call, Clause, GlobalTensor, Memory, Readings, Role, Target};

use crate::{
    coord::reach,
    gather,
    legality::legality,
    permit::{OperandPermits, Permits},
    runs::{Runs, Why},
    scatter,
};

/// Why no permits can be given: the operands do not fit the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unusable {
    /// Not one step was given.
    #[error("no step to run")]
    NoSteps,
    /// A step lacks an operand.
    #[error("step {step} has no {role}")]
    Missing {
        /// Number of the step.
        step: usize,
        /// The operand.
        role: Role,
    },
    /// An operand is shorter than its descriptor says.
    #[error("step {step}: the {role} has {found} bytes of {needed}")]
    Short {
        /// Number of the step.
        step: usize,
        /// The operand.
        role: Role,
        /// Bytes that the descriptor asks for.
        needed: usize,
        /// Bytes of its body.
        found: usize,
    },
    /// An operand or the sequence has more than 2^32 - 1 bytes or elements.
    #[error("operands too large to count")]
    TooLarge,
}

/// The body of an operand of at least `needed` bytes.
pub(crate) fn body(
    memory: &Memory,
    step: usize,
    role: Role,
    needed: usize,
) -> Result<&[u8], Unusable> {
    let found = memory
        .get(role)
        .ok_or(Unusable::Missing { step, role })?
        .body();
    if found.len() < needed {
        return Err(Unusable::Short {
            step,
            role,
            needed,
            found: found.len(),
        });
    }
    Ok(found)
}

/// The table before the first step, at least as far as shape and strides reach.
pub(crate) fn table_body<'a>(
    memory: &'a Memory,
    table: &GlobalTensor,
) -> Result<&'a [u8], Unusable> {
    let needed = reach(table)
        .and_then(|n| usize::try_from(n).ok())
        .and_then(|n| n.checked_mul(table.dtype.size()))
        .ok_or(Unusable::TooLarge)?;
    body(memory, 0, Role::Table, needed)
}

/// What is said of the written operand beside its runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written {
    /// Its guard zones may hold anything.
    pub(crate) guards_free: Option<Clause>,
    /// Accesses outside operands are excused.
    pub(crate) strays: Option<Clause>,
}

impl Written {
    /// All `len` bytes of the written operand are open, and what surrounds it.
    pub(crate) fn nothing_promised(runs: &mut Runs, len: usize, clause: Clause) -> Self {
        runs.clear();
        runs.anything(0, len, Why::open(clause));
        Self {
            guards_free: Some(clause),
            strays: Some(clause),
        }
    }
}

/// What may stand in every slot after running the call once for each of
/// `steps`, in order.
///
/// The table persists from step to step: its content before is that of the
/// first step, in later ones it may be absent. Tiles are loaded anew for each
/// step; permits speak of those of the last one. The operands answered for are
/// those of the first step, in its order.
///
/// Nothing is promised of a call that breaks a constraint of [`legality`], or,
/// for a scatter, that has an index above capacity under Undefined: the written
/// operand and its guard zones are then open by the clause concerned.
///
/// # Errors
/// If an operand of the call is missing, too short or too large.
pub fn permits(
    call: &Call,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> Result<Permits, Unusable> {
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
        return Err(Unusable::NoSteps);
    };
    let last_step = steps.len() - 1;
    let mut runs = Runs::default();
    let (output, dtype, written) = match call {
        Call::Mscatter(c) => (Role::Table, c.table.dtype, body(first, 0, Role::Table, 0)?),
        Call::Mgather(c) => {
            let dst = body(last, last_step, Role::Destination, 0)?;
            (Role::Destination, c.dst.dtype, dst)
        }
    };
    let len = written.len() - written.len() % dtype.size();
    let written = match (legality(call, target, readings).first(), call) {
        (Some(broken), _) => Written::nothing_promised(&mut runs, len, broken.clause),
        (None, Call::Mscatter(c)) => scatter::permits(c, steps, target, readings, &mut runs)?,
        (None, Call::Mgather(c)) => {
            let operands = gather::Operands::new(c, first, last, last_step)?;
            gather::permits(c, &operands, target, readings, &mut runs)
        }
    };
    let (runs, pool) = runs.finish();
    let kept = |role| match (call, role) {
        (Call::Mscatter(_), Role::Table) => Clause("MSCATTER-SEM-04"),
        (Call::Mscatter(_), _) => Clause("MSCATTER-GAP-61"),
        (Call::Mgather(_), Role::Destination) => Clause("MGATHER-GAP-18"),
        (Call::Mgather(_), _) => Clause("MGATHER-GAP-50"),
    };
    let mut operands: Vec<OperandPermits> = first
        .regions
        .iter()
        .map(|region| OperandPermits {
            role: region.role,
            dtype: match region.role {
                Role::Table => call.table().dtype,
                Role::Source | Role::Destination => call.data_tile().dtype,
                Role::Index => call.index_tile().dtype,
            },
            runs: Vec::new(),
            kept: kept(region.role),
            guards_free: None,
        })
        .collect();
    // Found above in the first step of a scatter; a gather has it in each.
    if let Some(out) = operands.iter_mut().find(|o| o.role == output) {
        out.runs = runs;
        out.guards_free = written.guards_free;
    }
    Ok(Permits {
        operands,
        pool,
        strays: written.strays,
    })
}
