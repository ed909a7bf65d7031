//! From a call and its operands to permits.

use std::mem;

use ptodiff_isa::{Call, Clause, DType, MaskPattern, Memory, Readings, Role, Target};

use crate::{
    byte_gather,
    desk::Desk,
    first::restated,
    gather, l1,
    launch::{hangs, unflushed},
    legality::{Telling, legality_into},
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
    pub(crate) oob_accesses: Option<Clause>,
    /// The staging area.
    pub(crate) scratch: Scratch,
    /// No precondition of the data is broken: every index was looked at, and leads
    /// somewhere, or where it leads is no precondition.
    pub(crate) placed: bool,
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
            oob_accesses: Some(clause),
            scratch: Scratch::Open(clause),
            placed: false,
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
/// Nothing is promised of a call that breaks a constraint of [`crate::legality()`], that
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
/// many calls one after the other. [`crate::Promise`] does so with the rest of
/// what is said of a call.
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
    let mut broken = Vec::new();
    legality_into(&mut broken, call, target, readings, Telling::Brief);
    let impediment = match broken.first() {
        Some(broken) => Some(broken.clause),
        None => hangs(call, target, readings),
    };
    write(into, call, steps, target, readings, impediment)?;
    Ok(())
}

/// As [`permits_into`], of a call whose promises `impediment` takes away, if
/// there is one. Whether it was seen that no precondition of the data is broken.
pub(crate) fn write(
    into: &mut Permits,
    call: &Call,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
    impediment: Option<Clause>,
) -> Result<bool, Unusable> {
    let asked = Asked {
        call,
        target,
        readings,
        impediment,
    };
    Desk::lend(|desk| asked.write(into, desk, steps))
}

impl Asked<'_> {
    fn write(
        &self,
        into: &mut Permits,
        desk: &mut Desk,
        steps: &[&Memory],
    ) -> Result<bool, Unusable> {
        let call = self.call;
        let Permits {
            operands,
            pool,
            oob_accesses,
        } = into;
        *oob_accesses = None;
        let output = call.output();
        let regions = steps.first().map_or(&[][..], |first| &first.regions);
        let at = regions.iter().position(|region| region.role == output);
        make_entries(operands, regions.len(), desk);
        let answered = at.and_then(|at| operands.get_mut(at));
        let list = answered.map_or_else(Vec::new, |operand| mem::take(&mut operand.runs));
        let mut runs = Runs::over(list, mem::take(pool));
        let written = promised(self, steps, desk, &mut runs);
        let mut runs = runs.finish(pool);
        let written = match written {
            Ok(written) => written,
            Err(why) => {
                operands.clear();
                pool.clear();
                return Err(why);
            }
        };
        unflushed(call, self.target, steps.len(), &mut runs);
        let (dtype, beside) = (dtypes(call), kept(call, None));
        for (operand, region) in operands.iter_mut().zip(regions) {
            let role = region.role;
            operand.role = role;
            operand.dtype = dtype(role);
            operand.runs.clear();
            if role != output && role != Role::Scratch {
                (operand.kept, operand.guards_free) = (beside, None);
                continue;
            }
            operand.kept = kept(call, Some(role));
            operand.guards_free = written.guards_free;
            if role == Role::Scratch {
                let list = &mut operand.runs;
                if list.capacity() == 0 {
                    mem::swap(list, &mut desk.spare);
                }
                scratch(call, written.scratch, &runs, region.body().len(), list);
            }
        }
        if let Some(answered) = at.and_then(|at| operands.get_mut(at)) {
            answered.runs = runs;
        }
        *oob_accesses = written.oob_accesses;
        Ok(written.placed)
    }
}

/// Makes `operands` have so many entries, to be filled in. Of those that go, `desk`
/// keeps the memory.
fn make_entries(operands: &mut Vec<OperandPermits>, entries: usize, desk: &mut Desk) {
    if operands.len() == entries {
        return;
    }
    for gone in operands.drain(entries.min(operands.len())..) {
        if gone.runs.capacity() > 0 {
            desk.spare = gone.runs;
            desk.spare.clear();
        }
    }
    operands.resize_with(entries, || OperandPermits {
        role: Role::Table,
        dtype: DType::Int8,
        runs: Vec::new(),
        kept: Clause(""),
        guards_free: None,
    });
}

/// A call, and what stands in its way.
struct Asked<'a> {
    call: &'a Call,
    target: Target,
    readings: &'a Readings,
    impediment: Option<Clause>,
}

/// Fills `runs` for the output, and says the rest.
fn promised(
    asked: &Asked<'_>,
    steps: &[&Memory],
    desk: &mut Desk,
    runs: &mut Runs,
) -> Result<Written, Unusable> {
    let steps = Steps::of(steps)?;
    let output = asked.call.output();
    let before = match output {
        Role::Table => steps.lasting(output, 0)?,
        _ => steps.loaded(output, 0)?,
    };
    match asked.impediment {
        Some(clause) => {
            let len = before.len() - before.len() % dtypes(asked.call)(output).size();
            Ok(Written::nothing_promised(runs, len, clause))
        }
        None => answer(asked, &steps, desk, runs),
    }
}

/// The promises of a call that keeps every constraint.
fn answer(
    asked: &Asked<'_>,
    steps: &Steps<'_>,
    desk: &mut Desk,
    runs: &mut Runs,
) -> Result<Written, Unusable> {
    let Asked {
        target, readings, ..
    } = *asked;
    match asked.call {
        Call::Mscatter(c) => {
            let meaning = Meaning::current(c, target, readings);
            scatter::permits(&meaning, steps, desk, runs)
        }
        Call::MscatterFirst(c) => {
            let restated = restated(c, readings);
            scatter::permits(&Meaning::first(&restated, readings), steps, desk, runs)
        }
        Call::Mgather(c) => gathered(steps, desk, runs, |steps, runs, last| {
            gather::permits(c, steps, target, readings, runs, last)
        }),
        Call::MgatherL1(c) => gathered(steps, desk, runs, |steps, runs, last| {
            l1::permits(c, steps, target, readings, runs, last)
        }),
        Call::TscatterIndex(c) => tile_scatter::permits(c, steps, target, readings, desk, runs),
        Call::TscatterMask(c) => mask::permits(c, steps, readings, runs),
        Call::Tgatherb(c) => byte_gather::permits(c, steps, target, readings, runs),
    }
}

/// What the last of several gathers promises. Accesses outside operands count
/// over all of them, though what earlier ones delivered is gone.
fn gathered(
    steps: &Steps<'_>,
    desk: &mut Desk,
    runs: &mut Runs,
    of: impl Fn(&Steps<'_>, &mut Runs, bool) -> Result<Written, Unusable>,
) -> Result<Written, Unusable> {
    let mut written = of(steps, runs, true)?;
    for step in steps.earlier() {
        desk.gone.clear();
        let gone = of(&step, &mut desk.gone, false)?;
        written.oob_accesses = written.oob_accesses.or(gone.oob_accesses);
        written.placed &= gone.placed;
    }
    Ok(written)
}

/// The runs of a staging area of `len` bytes, in an empty list.
fn scratch(call: &Call, scratch: Scratch, output: &[Run], len: usize, list: &mut Vec<Run>) {
    match scratch {
        Scratch::Kept => {}
        Scratch::Image => list.extend_from_slice(output),
        Scratch::Open(clause) => {
            let mut runs = Runs::over(mem::take(list), Vec::new());
            let whole = len - len % dtypes(call)(Role::Scratch).size();
            runs.anything(0, whole, Why::open(clause));
            *list = runs.finish(&mut Vec::new());
        }
    }
}

/// The element type of each operand by its role; for a region of no operand any
/// type will do.
#[inline]
fn dtypes(call: &Call) -> impl Fn(Role) -> DType {
    let data = call.data_tile().dtype;
    let [table, index, source, destination, scratch] = match call {
        Call::Mscatter(c) => [c.table.dtype, c.idx.dtype, data, data, data],
        Call::MscatterFirst(c) => [c.table.dtype, c.idx.dtype, data, data, data],
        Call::Mgather(c) => [c.table.dtype, c.idx.dtype, data, data, data],
        Call::MgatherL1(c) => {
            let scratch = c.scratch.as_ref().map_or(data, |scratch| scratch.dtype);
            [c.table.dtype, c.idx.dtype, data, data, scratch]
        }
        Call::TscatterIndex(c) => [data, c.idx.dtype, data, c.dst.dtype, data],
        Call::TscatterMask(c) => [data, data, data, c.dst.dtype, data],
        Call::Tgatherb(c) => [data, c.offset.dtype, c.src.dtype, data, data],
    };
    move |role| match role {
        Role::Table => table,
        Role::Source => source,
        Role::Destination => destination,
        Role::Index => index,
        Role::Scratch => scratch,
    }
}

/// Why what no run covers is kept, in an operand that may be written or in others.
fn kept(call: &Call, written: Option<Role>) -> Clause {
    Clause(match (call, written) {
        (Call::Mscatter(_) | Call::MscatterFirst(_), Some(Role::Table)) => "MSCATTER-SEM-04",
        (Call::Mscatter(_) | Call::MscatterFirst(_), _) => "MSCATTER-GAP-61",
        (Call::Mgather(_), Some(Role::Destination)) => "MGATHER-GAP-18",
        (Call::MgatherL1(_), Some(Role::Destination)) => "MGATHERL1-GAP-01",
        (Call::MgatherL1(_), Some(Role::Scratch)) => "MGATHERL1-GAP-09",
        (Call::Mgather(_) | Call::MgatherL1(_), _) => "MGATHER-GAP-50",
        (Call::TscatterIndex(_), Some(Role::Destination)) => "TSCATTER-GAP-02",
        (Call::TscatterMask(c), Some(Role::Destination)) if c.pattern == MaskPattern::P1111 => {
            "TSCATTER-GAP-13"
        }
        (Call::TscatterMask(_), Some(Role::Destination)) => "TSCATTER-MASK-11",
        (Call::TscatterIndex(_) | Call::TscatterMask(_), _) => "TSCATTER-SEM-05",
        (Call::Tgatherb(_), Some(Role::Destination)) => "TGATHERB-GAP-07",
        (Call::Tgatherb(_), _) => "TGATHERB-SEM-04",
    })
}
