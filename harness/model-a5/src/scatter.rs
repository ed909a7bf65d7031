//! MSCATTER (000, A5 Form; 003).

use ptodiff_isa::{
    Coalesce, Dispatch, End, Fault, How, Memory, Mscatter, MscatterFirst, Region, Role,
    ScatterConflict, ScatterOob, Space,
};

use crate::access::{Port, Sink, operands};
use crate::bounds::{Clamp, Drop, Pass, Policy, Wrap};
use crate::combine::{Combine, Kernel, choose};
use crate::plan::Plan;
use crate::view::{View, ViewMut};
use crate::{everyone, first, lanes, last, parts, rows, scalar};

/// A call's operands as elements.
pub(crate) struct Operands<'m, const W: usize> {
    pub(crate) table: ViewMut<'m, W>,
    pub(crate) data: View<'m, W>,
    pub(crate) index: View<'m, 4>,
}

impl<'m, const W: usize> Operands<'m, W> {
    #[inline(always)]
    fn new([table, data, index]: &'m mut [&mut Region; 3]) -> Self {
        Self {
            table: ViewMut::new(table, Space::Gm),
            data: View::new(data, Space::Ub),
            index: View::new(index, Space::Ub),
        }
    }
}

/// A scatter whose combination is to be chosen.
struct Job<'j, 'm, 'l, S> {
    plan: &'j Plan,
    regions: &'j mut [&'m mut Region; 3],
    oob: ScatterOob,
    conflict: ScatterConflict,
    port: Port<'l, S>,
}

/// Runs one call of the current revision in place.
///
/// # Errors
/// If an operand is missing or the call has a dtype that the check refuses.
pub(crate) fn run<S: Sink>(
    call: &Mscatter,
    memory: &mut Memory,
    how: &How,
    port: Port<'_, S>,
) -> Result<End, Fault> {
    let mut regions = operands(memory, [Role::Table, Role::Source, Role::Index])?;
    let Mscatter {
        table, src, idx, ..
    } = call;
    let Some(mut plan) = Plan::new(src, idx, table, call.mode, &call.launch, how)? else {
        return Ok(End::Finished);
    };
    last::order(&mut plan, call, how.readings.last_by);
    let mut job = Job {
        plan: &plan,
        regions: &mut regions,
        oob: call.oob,
        conflict: call.conflict,
        port,
    };
    choose(call.atomic, src.dtype, &how.readings, &mut job)
}

/// Runs one call of the first revision in place.
///
/// # Errors
/// If an operand is missing or the call has a dtype or an index shape that the
/// check refuses.
pub(crate) fn run_first<S: Sink>(
    call: &MscatterFirst,
    memory: &mut Memory,
    how: &How,
    port: Port<'_, S>,
) -> Result<End, Fault> {
    let mut regions = operands(memory, [Role::Table, Role::Source, Role::Index])?;
    let Some(plan) = first::plan(call, how)? else {
        return Ok(End::Finished);
    };
    let mut job = Job {
        plan: &plan,
        regions: &mut regions,
        oob: call.oob,
        conflict: first::conflict(how.readings.first_conflict),
        port,
    };
    choose(call.atomic, call.src.dtype, &how.readings, &mut job)
}

impl<S: Sink> Kernel for &mut Job<'_, '_, '_, S> {
    fn run<C: Combine<W>, const W: usize>(self) -> End {
        match self.oob {
            ScatterOob::Undefined => kernel::<S, Pass, C, W>(self),
            ScatterOob::Skip => kernel::<S, Drop, C, W>(self),
            ScatterOob::Clamp => kernel::<S, Clamp, C, W>(self),
            ScatterOob::Wrap => kernel::<S, Wrap, C, W>(self),
        }
    }
}

fn kernel<S: Sink, P: Policy, C: Combine<W>, const W: usize>(job: &mut Job<'_, '_, '_, S>) -> End {
    let Job {
        plan,
        regions,
        conflict,
        port,
        ..
    } = job;
    let (plan, conflict) = (*plan, *conflict);
    let last = C::INTRINSIC.is_none() && conflict == ScatterConflict::Last && !plan.is_scalar();
    if !S::ON && plan.dispatch == Dispatch::Standard {
        if parts::scatter::<P, C, W>(regions, plan, last).is_some() {
            return End::Finished;
        }
        if last && everyone::scatter::<P, W>(regions, plan).is_some() {
            return End::Finished;
        }
    }
    let operands = &mut Operands::new(regions);
    if plan.is_scalar() {
        scalar::scatter::<S, P, C, W>(port, operands, plan);
        End::Finished
    } else if last {
        last::scatter::<S, P, W>(port, operands, plan)
    } else {
        match plan.mode {
            Coalesce::Row => rows::rows::<S, P, C, W>(port, operands, plan),
            Coalesce::Elem => lanes::elements::<S, P, C, W>(port, operands, plan),
        }
    }
}
