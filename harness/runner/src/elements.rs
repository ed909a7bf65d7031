//! What each element of a result may hold, one after the other: for arrays beside it.

use std::collections::HashMap;

use ptodiff_case::Case;
use ptodiff_contract::{Feeder, OperandPermits, Permit, Permits, Run, each_feeder};
use ptodiff_data::place;
use ptodiff_isa::{Call, Clause, Memory, Role, ScatterAtomicOp, Target};

use crate::Options;

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
    let operand = permits.operands.iter().find(|o| o.role == role)?;
    let steps = ptodiff_generate::stimulus(case, options.seed).steps;
    let steps: Vec<&Memory> = steps.iter().collect();
    let before = steps.iter().find_map(|step| step.get(role))?.body();
    let mut feeders: HashMap<usize, Vec<Feeder>> = HashMap::new();
    let readings = &options.readings(case)[target];
    each_feeder(call, &steps, target, readings, role, |element, feeder| {
        feeders.entry(element).or_default().push(feeder);
    });
    let source = Source::of(call, &steps);
    let size = operand.dtype.size();
    let mut elements = Vec::new();
    place::each(call.operand(role)?, &mut |at| {
        let mut element = element(permits, operand, before, at)?;
        element.writers = feeders.get(&(at / size)).cloned().unwrap_or_default();
        if let Some(source) = &source
            && element.holds == Holds::OneOf
        {
            let values = &element.values;
            element
                .writers
                .retain(|feeder| source.may_be_one_of(feeder, values));
        }
        elements.push(element);
        Some(())
    })?;
    Some(elements)
}

fn element(
    permits: &Permits,
    operand: &OperandPermits,
    before: &[u8],
    at: usize,
) -> Option<Element> {
    let size = operand.dtype.size();
    let was = before.get(at..at + size)?;
    let behind = operand.runs.partition_point(|run| run.offset <= at);
    let run = operand.runs[..behind].last();
    let Some(run) = run.filter(|run| at < run.offset + run.len) else {
        return Some(Element {
            holds: Holds::OneOf,
            values: was.to_vec(),
            clause: operand.kept,
            freedom: None,
            writers: Vec::new(),
        });
    };
    let (holds, values) = values(run, &permits.pool, was, at, size);
    Some(Element {
        holds,
        values,
        clause: run.clause,
        freedom: run.freedom.or(run.or_kept),
        writers: Vec::new(),
    })
}

/// What the element of `size` bytes at byte `at`, which held `was`, may hold under `run`.
pub(crate) fn values(
    run: &Run,
    pool: &[u8],
    was: &[u8],
    at: usize,
    size: usize,
) -> (Holds, Vec<u8>) {
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

/// What a scatter moves as it is: of its lanes only those stay whose value may stand.
struct Source<'a> {
    cols: u64,
    size: usize,
    places: Vec<usize>,
    steps: &'a [&'a Memory],
}

impl<'a> Source<'a> {
    fn of(call: &Call, steps: &'a [&'a Memory]) -> Option<Self> {
        let moves = match call {
            Call::Mscatter(c) => c.atomic == ScatterAtomicOp::None,
            Call::MscatterFirst(c) => c.atomic == ScatterAtomicOp::None,
            Call::TscatterIndex(_) => true,
            _ => false,
        };
        let tile = moves.then_some(call.data_tile())?;
        let mut places = Vec::new();
        place::each(call.operand(Role::Source)?, &mut |at| {
            places.push(at);
            Some(())
        })?;
        Some(Self {
            cols: tile.valid_col.get(),
            size: tile.dtype.size(),
            places,
            steps,
        })
    }

    fn may_be_one_of(&self, feeder: &Feeder, values: &[u8]) -> bool {
        // A burst brings columns of the padding, too: these are no values of the tile.
        if feeder.c >= self.cols {
            return true;
        }
        let value = || {
            let at = *self
                .places
                .get(usize::try_from(feeder.r * self.cols + feeder.c).ok()?)?;
            let body = self.steps.get(feeder.step)?.get(Role::Source)?.body();
            body.get(at..at + self.size)
        };
        value().is_none_or(|value| values.chunks_exact(self.size).any(|one| one == value))
    }
}
