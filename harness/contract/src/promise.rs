//! From a call and its operands to permits.

use std::mem;

use ptodiff_isa::{Call, Clause, DType, MaskPattern, Memory, Readings, Role, Target};

use crate::{
    byte_gather, gather, l1,
    launch::{hangs, unflushed},
    legality::legality,
    mask,
    meaning::Meaning,
    operands::Steps,
    permit::{OperandPermits, Permits, Run},
    runs::{Runs, Why},
    scatter, tile_scatter,
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

/// What is said of the written operands beside the runs of the output.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written {
    /// The output's guard zones may hold anything.
    pub(crate) guards_free: Option<Clause>,
    /// Accesses outside operands are excused.
    pub(crate) strays: Option<Clause>,
    /// The staging area.
    pub(crate) scratch: Scratch,
}

/// What the staging area of a gather to L1 may hold.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Scratch {
    /// What it held before.
    #[default]
    Kept,
    /// What the output holds, from its first byte on.
    Image,
    /// Anything in its body.
    Open(Clause),
}

impl Written {
    /// All `len` bytes of the output are open, what surrounds it, and the staging area.
    pub(crate) fn nothing_promised(runs: &mut Runs, len: usize, clause: Clause) -> Self {
        runs.clear();
        runs.anything(0, len, Why::open(clause));
        Self {
            guards_free: Some(clause),
            strays: Some(clause),
            scratch: Scratch::Open(clause),
        }
    }
}

/// What may stand in every slot after running the call once for each of
/// `steps`, in order.
///
/// Table and staging area persist from step to step: their content before is
/// that of the first step, in later ones they may be absent. All else is loaded
/// anew for each step; permits speak of what the last one has. The operands answered
/// for are those of the first step, in its order.
///
/// Nothing is promised of a call that breaks a constraint of [`legality`], that
/// [`hangs`], or that scatters by an index above capacity under Undefined or to
/// a row past the table's end: the written operands and their guard zones are then open by the clause concerned.
///
/// # Errors
/// If an operand of the call is missing, too short or too large.
pub fn permits(
    call: &Call,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> Result<Permits, Unusable> {
    let mut permits = Permits::default();
    permits_into(&mut permits, call, steps, target, readings)?;
    Ok(permits)
}

/// As [`permits`], written over those in `into`, whose memory is used again: for
/// many calls one after the other.
///
/// # Errors
/// The same; `into` holds none then.
pub fn permits_into(
    into: &mut Permits,
    call: &Call,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> Result<(), Unusable> {
    let mut used = mem::take(into);
    let mut lists = used.operands.iter_mut().map(|o| mem::take(&mut o.runs));
    let mut list = || lists.find(|list| list.capacity() > 0).unwrap_or_default();
    let (mut runs, mut spare) = (Runs::over(list(), used.pool), list());
    let steps = Steps::of(steps)?;
    let output = call.output();
    let before = match output {
        Role::Table => steps.lasting(output, 0)?,
        _ => steps.loaded(output, 0)?,
    };
    let len = before.len() - before.len() % dtype(call, output).size();
    let impediment = legality(call, target, readings)
        .first()
        .map(|broken| broken.clause)
        .or_else(|| hangs(call, target, readings));
    let written = match impediment {
        Some(clause) => Written::nothing_promised(&mut runs, len, clause),
        None => answer(call, &steps, target, readings, &mut runs)?,
    };
    let (mut runs, pool) = runs.finish();
    unflushed(call, target, steps.count(), &mut runs);
    let mut operands = used.operands;
    operands.clear();
    let regions = &steps.first().regions;
    operands.reserve_exact(regions.len());
    for region in regions {
        let role = region.role;
        let written_to = role == output || role == Role::Scratch;
        operands.push(OperandPermits {
            role,
            dtype: dtype(call, role),
            runs: if role == Role::Scratch {
                let body = region.body().len();
                scratch(call, written.scratch, &runs, body, mem::take(&mut spare))
            } else {
                Vec::new()
            },
            kept: kept(call, role),
            guards_free: written.guards_free.filter(|_| written_to),
        });
    }
    if let Some(answered) = operands.iter_mut().find(|o| o.role == output) {
        answered.runs = runs;
    }
    *into = Permits {
        operands,
        pool,
        strays: written.strays,
    };
    Ok(())
}

/// The promises of a call that keeps every constraint.
fn answer(
    call: &Call,
    steps: &Steps<'_>,
    target: Target,
    readings: &Readings,
    runs: &mut Runs,
) -> Result<Written, Unusable> {
    match call {
        Call::Mscatter(c) => scatter::permits(&Meaning::current(c, target, readings), steps, runs),
        Call::MscatterFirst(c) => scatter::permits(&Meaning::first(c, readings), steps, runs),
        Call::Mgather(c) => gathered(steps, runs, |steps, runs| {
            gather::permits(c, steps, target, readings, runs)
        }),
        Call::MgatherL1(c) => gathered(steps, runs, |steps, runs| {
            l1::permits(c, steps, target, readings, runs)
        }),
        Call::TscatterIndex(c) => tile_scatter::permits(c, steps, target, readings, runs),
        Call::TscatterMask(c) => mask::permits(c, steps, readings, runs),
        Call::Tgatherb(c) => byte_gather::permits(c, steps, target, readings, runs),
    }
}

/// What the last of several gathers promises. Accesses outside operands count
/// over all of them, though what earlier ones delivered is gone.
fn gathered(
    steps: &Steps<'_>,
    runs: &mut Runs,
    of: impl Fn(&Steps<'_>, &mut Runs) -> Result<Written, Unusable>,
) -> Result<Written, Unusable> {
    let mut written = of(steps, runs)?;
    let mut gone = Runs::default();
    for step in steps.earlier() {
        gone.clear();
        let excused = of(&step, &mut gone)?.strays;
        written.strays = written.strays.or(excused);
    }
    Ok(written)
}

/// The runs of a staging area of `len` bytes, in a list that was used before.
fn scratch(
    call: &Call,
    scratch: Scratch,
    output: &[Run],
    len: usize,
    mut list: Vec<Run>,
) -> Vec<Run> {
    list.clear();
    match scratch {
        Scratch::Kept => {}
        Scratch::Image => list.extend_from_slice(output),
        Scratch::Open(clause) => {
            let mut runs = Runs::over(list, Vec::new());
            let whole = len - len % dtype(call, Role::Scratch).size();
            runs.anything(0, whole, Why::open(clause));
            return runs.finish().0;
        }
    }
    list
}

/// The element type of the operand that plays `role`; for a region of no
/// operand any type will do.
fn dtype(call: &Call, role: Role) -> DType {
    let data = call.data_tile().dtype;
    match role {
        Role::Table => call.table().map_or(data, |table| table.dtype),
        Role::Index => match call {
            Call::Mscatter(c) => c.idx.dtype,
            Call::MscatterFirst(c) => c.idx.dtype,
            Call::Mgather(c) => c.idx.dtype,
            Call::MgatherL1(c) => c.idx.dtype,
            Call::TscatterIndex(c) => c.idx.dtype,
            Call::TscatterMask(_) => data,
            Call::Tgatherb(c) => c.offset.dtype,
        },
        Role::Source => match call {
            Call::Tgatherb(c) => c.src.dtype,
            _ => data,
        },
        Role::Destination => match call {
            Call::TscatterIndex(c) => c.dst.dtype,
            Call::TscatterMask(c) => c.dst.dtype,
            _ => data,
        },
        Role::Scratch => match call {
            Call::MgatherL1(c) => c.scratch.map_or(data, |scratch| scratch.dtype),
            _ => data,
        },
    }
}

/// Why what no run covers is kept.
fn kept(call: &Call, role: Role) -> Clause {
    Clause(match (call, role) {
        (Call::Mscatter(_) | Call::MscatterFirst(_), Role::Table) => "MSCATTER-SEM-04",
        (Call::Mscatter(_) | Call::MscatterFirst(_), _) => "MSCATTER-GAP-61",
        (Call::Mgather(_), Role::Destination) => "MGATHER-GAP-18",
        (Call::MgatherL1(_), Role::Destination) => "MGATHERL1-GAP-01",
        (Call::MgatherL1(_), Role::Scratch) => "MGATHERL1-GAP-09",
        (Call::Mgather(_) | Call::MgatherL1(_), _) => "MGATHER-GAP-50",
        (Call::TscatterIndex(_), Role::Destination) => "TSCATTER-GAP-02",
        (Call::TscatterMask(c), Role::Destination) if c.pattern == MaskPattern::P1111 => {
            "TSCATTER-GAP-13"
        }
        (Call::TscatterMask(_), Role::Destination) => "TSCATTER-MASK-11",
        (Call::TscatterIndex(_) | Call::TscatterMask(_), _) => "TSCATTER-SEM-05",
        (Call::Tgatherb(_), Role::Destination) => "TGATHERB-GAP-07",
        (Call::Tgatherb(_), _) => "TGATHERB-SEM-04",
    })
}
