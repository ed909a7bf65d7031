//! The values that lanes of a scatter bring.

use std::collections::BTreeSet;

use ptodiff_data::place;
use ptodiff_isa::{Call, Dim, Form, Memory, Operand, Role, Tile};
use ptodiff_judge::Value;
use ptodiff_record::{CaseRecord, Source};

use crate::{context::RunContext, convert};

/// What the source held for each lane that a slot of `record` names; nothing of a
/// gather, whose lanes bring what the index says.
pub(super) fn named(context: &RunContext<'_>, record: &CaseRecord) -> Vec<Source> {
    let call = &context.case.call;
    let scatters = Form::of(call).data() == Role::Source;
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
        let value = convert::value(Value::read(dtype, value)).value;
        Some(Source(step, r, c, value))
    };
    lanes.into_iter().filter_map(of).collect()
}

/// The values that lanes bring.
pub(crate) struct Sources<'a> {
    steps: &'a [Memory],
    cols: u64,
    /// By row and column of the source, the byte that the element begins at.
    places: Vec<usize>,
}

impl<'a> Sources<'a> {
    /// None where the call has no source tile that lanes bring values of.
    pub(crate) fn of(call: &Call, steps: &'a [Memory]) -> Option<Self> {
        let tile = call.operand(Role::Source)?.tile()?;
        // A burst brings columns of the padding, too.
        let all = Tile {
            valid_row: Dim::Static(tile.rows),
            valid_col: Dim::Static(tile.cols),
            ..*tile
        };
        let mut places = Vec::new();
        place::each(Operand::Tile(&all), &mut |at| {
            places.push(at);
            Some(())
        })?;
        Some(Self {
            steps,
            cols: tile.cols,
            places,
        })
    }

    /// The element of `size` bytes that the lane at (`r`, `c`) brings in a step.
    pub(crate) fn value(&self, step: usize, r: u64, c: u64, size: usize) -> Option<&'a [u8]> {
        let lane = r.checked_mul(self.cols)?.checked_add(c)?;
        let at = *self.places.get(usize::try_from(lane).ok()?)?;
        let source = self.steps.get(step)?.get(Role::Source)?;
        source.body().get(at..at + size)
    }
}
