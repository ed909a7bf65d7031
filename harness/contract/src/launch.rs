//! What the launch of a kernel changes: calls that never return, and tables
//! that the host may read too early.

use std::collections::HashMap;

use ptodiff_isa::{
    CacheFlush, Call, Clause, Coalesce, Dim, Dispatch, EmptyExtent, GatherExec, Launch, Memory,
    Readings, Role, Target, Tile,
};

use crate::{
    lanes::each_feeder,
    permit::{Permit, Run},
};

/// The clause by which `call` never returns on `target`, if it does not: a
/// kernel entered by a direct call has no SIMT context, so the first SIMT
/// launch waits forever (MSCATTER-LAUNCH-10, MGATHER-LAUNCH-11,
/// MGATHERL1-GAP-22). What launches no SIMT kernel returns all the same; so
/// does a call that an empty extent leaves nothing to do.
#[must_use]
pub fn hangs(call: &Call, target: Target, readings: &Readings) -> Option<Clause> {
    let (simt, clause) = match call {
        Call::Mscatter(c) => (launches(c.mode, &c.src, readings), "MSCATTER-LAUNCH-10"),
        // Whatever its shape it is a SIMT kernel (MSCATTER0-LAUNCH-01).
        Call::MscatterFirst(_) => (true, "MSCATTER-LAUNCH-10"),
        Call::Mgather(c) => (launches(c.mode, &c.dst, readings), "MGATHER-LAUNCH-11"),
        Call::MgatherL1(c) => {
            let simt = c.mode == Coalesce::Elem && c.exec == GatherExec::Simt;
            (simt, "MGATHERL1-GAP-22")
        }
        Call::TscatterIndex(_) | Call::TscatterMask(_) | Call::Tgatherb(_) => return None,
    };
    let direct = call.launch()?.dispatch == Dispatch::Direct;
    (target == Target::A5 && direct && simt).then_some(Clause(clause))
}

/// Whether a call between GM and UB launches a SIMT kernel for this `data`
/// tile: one that has nothing to do launches nothing.
fn launches(mode: Coalesce, data: &Tile, readings: &Readings) -> bool {
    !idle(data, readings) && !scalar(mode, data)
}

/// Whether a call between GM and UB on an NPU, of the current revision, does
/// nothing at all since an extent of its `data` tile is 0 at run time
/// (MSCATTER-GAP-38, MGATHER-GAP-26). A static 0 is rejected.
pub(crate) fn idle(data: &Tile, readings: &Readings) -> bool {
    let none = |dim: Dim| dim.known().is_none() && dim.get() == 0;
    readings.empty_extent == EmptyExtent::NoOp && (none(data.valid_row) || none(data.valid_col))
}

/// Whether the call takes the scalar path (MSCATTER-LAUNCH-03,
/// MGATHER-LAUNCH-07), by its run-time extents (MSCATTER-GAP-35).
pub(crate) fn scalar(mode: Coalesce, data: &Tile) -> bool {
    mode == Coalesce::Elem && data.valid_row.get() == 1 && data.valid_col.get() == 1
}

/// Lets the host read old bytes of the table where the wrapper of a scatter
/// on A5 does not flush (MSCATTER-CACHE-02, MSCATTER0-GAP-11).
pub(crate) fn unflushed(
    call: &Call,
    target: Target,
    steps: &[&Memory],
    readings: &Readings,
    runs: &mut Vec<Run>,
) {
    let clause = Clause("MSCATTER-CACHE-02");
    let missing = |launch: &Launch| launch.flush == CacheFlush::Missing;
    let scattered = call.output() == Role::Table && call.launch().is_some_and(missing);
    let open = runs.iter().all(|run| run.permit == Permit::Anything);
    if target != Target::A5 || !scattered || open {
        return;
    }
    let size = call.data_tile().dtype.size();
    // The one step that writes a slot; none where several do.
    let mut writers: HashMap<usize, Option<usize>> = HashMap::new();
    if steps.len() > 1 {
        each_feeder(call, steps, target, readings, Role::Table, |slot, by| {
            let writer = writers.entry(slot).or_insert(Some(by.step));
            *writer = writer.filter(|step| *step == by.step);
        });
        *runs = runs.iter().flat_map(|run| slots(run, size)).collect();
    }
    for run in runs {
        run.or_kept = Some(clause);
        // What one call leaves unwritten the next one may build on.
        let mut own = (run.offset / size)..(run.offset + run.len).div_ceil(size);
        if steps.len() > 1 && own.any(|slot| writers.get(&slot).is_none_or(Option::is_none)) {
            run.permit = Permit::Anything;
            (run.clause, run.freedom) = (clause, Some(clause));
        }
    }
}

/// A run slot by slot, where its bytes are known.
fn slots(run: &Run, size: usize) -> Vec<Run> {
    let Permit::Exactly { at } = run.permit else {
        return vec![run.clone()];
    };
    let slot = |n| Run {
        offset: run.offset + n,
        len: size,
        permit: Permit::Exactly { at: at + n },
        ..run.clone()
    };
    (0..run.len).step_by(size).map(slot).collect()
}
