//! What each element of a result may hold, one after the other: for arrays beside it.

use std::collections::HashMap;

use ptodiff_case::{Case, limits::stored_elements};
use ptodiff_contract::{Feeder, OperandPermits, Permit, Permits, Run, each_feeder};
use ptodiff_data::place;
use ptodiff_isa::{Call, Clause, Memory, ScatterAtomicOp, Target};

use crate::{Options, detail::Sources};

/// What stands behind the values that are listed of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// One of them.
    OneOf,
    /// A number from the first to the second, inclusive, or one of those behind them, of
    /// which a NaN is every NaN.
    Between,
    /// Anything.
    Anything,
}

/// What may stand in an element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    /// What its values mean.
    pub holds: Holds,
    /// Values, each of the bytes of an element, after each other.
    pub values: Vec<u8>,
    /// Whether the contract requires no single value, though those listed may be the same.
    pub open: bool,
    /// The clause that says so.
    pub clause: Clause,
    /// The clause that gives the freedom, if one does.
    pub freedom: Option<Clause>,
    /// The positions of the data tile whose value that may be, or that take part in it.
    pub writers: Vec<Feeder>,
}

/// What may stand in each element of the output by `permits`, in logical order.
#[must_use]
pub fn elements(
    case: &Case,
    target: Target,
    options: &Options,
    permits: &Permits,
) -> Option<Vec<Element>> {
    let (call, role) = (&case.call, case.call.output());
    let operand = permits.of(role)?;
    let steps = ptodiff_generate::stimulus(case, options.seed).steps;
    let before = steps.iter().find_map(|step| step.get(role))?.body();
    let mut feeders: HashMap<usize, Vec<Feeder>> = HashMap::new();
    let readings = &options.readings(case)[target];
    let all: Vec<&Memory> = steps.iter().collect();
    each_feeder(call, &all, target, readings, role, |element, feeder| {
        feeders.entry(element).or_default().push(feeder);
    });
    // What a scatter moves as it is: of its lanes only those stay whose value may stand.
    let moves =
        matches!(call, Call::TscatterIndex(_)) || call.atomic() == Some(ScatterAtomicOp::None);
    let sources = Sources::of(call, &steps).filter(|_| moves);
    let cols = call.data_tile().valid_col.get();
    let size = operand.dtype.size();
    let mut elements = Vec::new();
    place::each(call.operand(role)?, &mut |at| {
        let mut element = element(permits, operand, before, at)?;
        element.writers = feeders.get(&(at / size)).cloned().unwrap_or_default();
        if let Some(sources) = &sources
            && element.holds == Holds::OneOf
        {
            element.writers.retain(|lane| {
                let value = sources.value(lane.step, lane.r, lane.c, size);
                let mut values = element.values.chunks_exact(size);
                // Columns of the padding are no values of the tile.
                lane.c >= cols || value.is_none_or(|value| values.any(|one| one == value))
            });
        }
        elements.push(element);
        Some(())
    })?;
    Some(elements)
}

/// How many slots of the output of `call` it writes by `permits`, in its array and outside of
/// it, as between the rows of a strided table or in the padding of a tile.
#[must_use]
pub fn written_slots(call: &Call, permits: &Permits) -> [usize; 2] {
    let role = call.output();
    let (Some(permits), Some(operand)) = (permits.of(role), call.operand(role)) else {
        return [0, 0];
    };
    let is_written = |run: &&Run| run.permit != Permit::Anything;
    let all = permits.runs.iter().filter(is_written);
    let all = all.map(|run| run.len).sum::<usize>() / permits.dtype.size();
    // Strides may put several elements into one slot.
    let mut is_inside = vec![false; stored_elements(operand) as usize];
    let _ = place::each(operand, &mut |at| {
        let slot = is_inside.get_mut(at / permits.dtype.size())?;
        *slot = permits.run_at(at).as_ref().is_some_and(is_written);
        Some(())
    });
    let inside = is_inside.into_iter().filter(|is| *is).count();
    [inside, all - inside]
}

fn element(
    permits: &Permits,
    operand: &OperandPermits,
    before: &[u8],
    at: usize,
) -> Option<Element> {
    let size = operand.dtype.size();
    let was = before.get(at..at + size)?;
    let mut element = Element {
        holds: Holds::OneOf,
        values: was.to_vec(),
        open: false,
        clause: operand.kept,
        freedom: None,
        writers: Vec::new(),
    };
    if let Some(run) = operand.run_at(at) {
        (element.holds, element.values) = values(run, &permits.pool, was, at, size);
        element.open = !matches!(run.permit, Permit::Exactly { .. }) || run.or_kept.is_some();
        element.clause = run.clause;
        element.freedom = run.freedom.or(run.or_kept);
    }
    Some(element)
}

/// What the element of `size` bytes at byte `at`, which held `was`, may hold under `run`.
fn values(run: &Run, pool: &[u8], was: &[u8], at: usize, size: usize) -> (Holds, Vec<u8>) {
    let here = at - run.offset;
    let pooled = |from: usize| &pool[from..from + size];
    let (holds, mut all): (_, Vec<&[u8]>) = match run.permit {
        Permit::Exactly { at } => (Holds::OneOf, vec![pooled(at + here)]),
        Permit::OneOf { at, count } => (
            Holds::OneOf,
            (0..count)
                .map(|n| pooled(at + n * run.len + here))
                .collect(),
        ),
        Permit::Between {
            low, high, more, ..
        } => {
            let more = (1..=more).map(|n| pooled(high + n * size));
            let bounds = [pooled(low), pooled(high)].into_iter();
            (Holds::Between, bounds.chain(more).collect())
        }
        Permit::Anything => return (Holds::Anything, Vec::new()),
    };
    all.extend(run.or_kept.map(|_| was));
    if holds == Holds::OneOf {
        all.sort_unstable();
        all.dedup();
    }
    (holds, all.concat())
}
