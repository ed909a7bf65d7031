//! The values that lanes of a scatter bring.

use std::collections::BTreeSet;

use ptodiff_isa::{Call, Memory, Role};
use ptodiff_judge::{Coordinate, Value, locate};
use ptodiff_record::{CaseRecord, Source};

use crate::context::RunContext;

/// What the source held for each lane that a slot of `record` names; nothing of a
/// gather, whose lanes bring what the index says.
pub(super) fn named(context: &RunContext<'_>, record: &CaseRecord) -> Vec<Source> {
    let call = &context.case.call;
    let scatters = match call {
        Call::Mscatter(_) | Call::MscatterFirst(_) => true,
        Call::TscatterIndex(_) | Call::TscatterMask(_) => true,
        Call::Mgather(_) | Call::MgatherL1(_) | Call::Tgatherb(_) => false,
    };
    let source = call.operand(Role::Source).filter(|_| scatters);
    let (Some(operand), Some(sources)) = (source, Sources::of(call, context.steps)) else {
        return Vec::new();
    };
    let dtype = operand.dtype();
    let findings = record
        .targets
        .values()
        .flat_map(|t| t.findings.iter().chain(&t.flaky));
    let slots = findings.filter_map(|finding| finding.slot.as_ref());
    let slots = slots.chain(record.pairs.iter().flat_map(|pair| &pair.slots));
    let lanes: BTreeSet<(u32, u64, u64)> = slots
        .flat_map(|slot| slot.lanes.iter().map(|lane| (lane.step, lane.r, lane.c)))
        .collect();
    let of = |(step, r, c)| {
        let value = sources.value(usize::try_from(step).ok()?, r, c, dtype.size())?;
        let value = Value::read(dtype, value);
        let text = value.text().unwrap_or_else(|| value.hex());
        Some(Source(step, r, c, text))
    };
    lanes.into_iter().filter_map(of).collect()
}

/// The values that lanes bring.
pub(super) struct Sources<'a> {
    steps: &'a [Memory],
    cols: u64,
    /// By row and column of the source, the number of the element.
    elements: Vec<Option<usize>>,
}

impl<'a> Sources<'a> {
    /// None where the call has no source tile that lanes bring values of.
    pub(super) fn of(call: &Call, steps: &'a [Memory]) -> Option<Self> {
        let tile = call.operand(Role::Source)?.tile()?;
        let (rows, cols) = (tile.rows, tile.cols);
        let mut elements = vec![None; usize::try_from(rows.checked_mul(cols)?).ok()?];
        for n in 0..elements.len() {
            let place = locate(call, Role::Source, n as u64).coordinate;
            if let Some(Coordinate::Tile { r, c }) = place {
                elements[(r * cols + c) as usize] = Some(n);
            }
        }
        Some(Self {
            steps,
            cols,
            elements,
        })
    }

    /// The element of `size` bytes that the lane at (`r`, `c`) brings in a step.
    pub(super) fn value(&self, step: usize, r: u64, c: u64, size: usize) -> Option<&'a [u8]> {
        let at = r.checked_mul(self.cols)?.checked_add(c)?;
        let element = (*self.elements.get(usize::try_from(at).ok()?)?)?;
        let source = self.steps.get(step)?.get(Role::Source)?;
        source.body().get(element * size..(element + 1) * size)
    }
}
