//! One outcome against the permits: operands, guard zones, inputs, out-of-bounds accesses.

use ptodiff_contract::Permits;
use ptodiff_isa::{Memory, Region};

use crate::compare::wrong_slots;
use crate::input::CaseContext;
use crate::tally::{OperandOutcome, Tally};
use crate::{Detail, Finding, Place, Ran};

/// Holds the final state of one outcome, which must be in shape, against the permits.
pub(crate) fn judge_memory<'a>(
    context: &CaseContext<'_>,
    permits: &'a Permits,
    ran: &'a Ran,
    tally: &mut Tally<'_>,
) {
    let regions = context.before.regions.iter().zip(&ran.memory.regions);
    for (operand, (before, after)) in permits.operands.iter().zip(regions) {
        // Most operands are only read, and hold what they held, guard zones and all.
        if operand.runs.is_empty() && before == after {
            continue;
        }
        let shown = OperandOutcome {
            permits,
            operand,
            before,
            after,
            schedule: ran.schedule,
        };
        wrong_slots(permits, operand, before, after, |offset, run| {
            tally.wrong_slot(&shown, offset, run);
        });
        if operand.guards_free.is_none() {
            tally.guards(&shown);
        }
    }
}

/// Holds what one outcome did beside its final state against the permits.
pub(crate) fn judge_accesses(permits: &Permits, ran: &Ran, tally: &mut Tally<'_>) {
    for changed in &ran.inputs_changed {
        tally.push(Finding {
            place: Place::Input,
            clause: permits.of(changed.role).map(|operand| operand.kept),
            schedule: Some(ran.schedule),
            detail: Detail::Input(*changed),
        });
    }
    let oob_accesses = &ran.oob_accesses;
    if permits.oob_accesses.is_none() && oob_accesses.count > 0 {
        let first = oob_accesses.first.first().copied();
        let written = first.filter(|oob_access| oob_access.write);
        tally.push(Finding {
            place: Place::OutOfBounds,
            clause: written.and_then(|access| Some(permits.of(access.role)?.around)),
            schedule: Some(ran.schedule),
            detail: Detail::OutOfBounds {
                first,
                count: oob_accesses.count,
            },
        });
    }
}

/// Whether `after` has the shape of `before`.
pub(crate) fn in_shape(before: &Memory, after: &Memory) -> bool {
    before.regions.len() == after.regions.len()
        && (before.regions.iter().zip(&after.regions)).all(|(was, is)| alike(was, is))
}

fn alike(was: &Region, is: &Region) -> bool {
    was.role == is.role
        && was.bytes().len() == is.bytes().len()
        && was.body_range() == is.body_range()
}

/// How the shape of `after` differs from that of `before`.
pub(crate) fn misshapen(before: &Memory, after: &Memory) -> String {
    let (was, is) = (before.regions.len(), after.regions.len());
    let shape = |r: &Region| {
        format!(
            "{} of {} bytes, body {:?}",
            r.role,
            r.bytes().len(),
            r.body_range()
        )
    };
    let mut both = before.regions.iter().zip(&after.regions);
    match both.find(|(was, is)| !alike(was, is)) {
        Some((was, is)) if before.regions.len() == after.regions.len() => {
            format!("{} came back as {}", shape(was), shape(is))
        }
        _ => format!("{is} operands came back of {was}"),
    }
}
