//! One outcome against the permits: operands, guard zones, inputs, stray accesses.

use ptodiff_contract::Permit;
use ptodiff_isa::{Clause, Memory, Region};

use crate::compare::{one_nan, wrong_slots};
use crate::sheet::{Sheet, promised_slots};
use crate::side::Ground;
use crate::tally::{Exhibit, Tally};
use crate::{Detail, Finding, Place, Ran};

/// Holds the final state of one outcome, which must be in shape, against the permits.
pub(crate) fn judge_memory<'a>(
    ground: &Ground<'_>,
    sheet: Sheet<'a>,
    ran: &'a Ran,
    tally: &mut Tally<'_>,
) {
    let permits = sheet.permits();
    let regions = ground.before.regions.iter().zip(&ran.memory.regions);
    for (operand, (before, after)) in permits.operands.iter().zip(regions) {
        let nan = one_nan(ground.call, operand.role);
        let shown = Exhibit {
            sheet,
            operand,
            before,
            after,
            schedule: ran.schedule,
        };
        wrong_slots(&sheet, operand, nan, before, after, |offset, run| {
            tally.wrong_slot(&shown, offset, run);
        });
        if operand.guards_free.is_none() {
            tally.guards(&shown);
        }
    }
}

/// Holds what one outcome did beside its final state against the permits.
pub(crate) fn judge_accesses(sheet: Sheet<'_>, ran: &Ran, tally: &mut Tally<'_>) {
    let permits = sheet.permits();
    let kept = |role| permits.operands.iter().find(|o| o.role == role);
    for changed in &ran.inputs_changed {
        tally.push(Finding {
            place: Place::Input,
            clause: kept(changed.role).map(|operand| operand.kept),
            schedule: Some(ran.schedule),
            detail: Detail::Input {
                step: changed.step,
                role: changed.role,
            },
        });
    }
    let strays = &ran.strays;
    if permits.strays.is_none() && (strays.count > 0 || !strays.first.is_empty()) {
        let first = strays.first.first().copied();
        let written = first.filter(|stray| stray.write);
        tally.push(Finding {
            place: Place::Stray,
            clause: written.and_then(|s| kept(s.role)).map(|o| o.kept),
            schedule: Some(ran.schedule),
            detail: Detail::Stray {
                first,
                count: strays.count,
            },
        });
    }
}

/// Slots of the output that something is promised about.
pub(crate) fn compared(ground: &Ground<'_>, sheet: Sheet<'_>) -> u64 {
    let role = ground.call.output();
    let operands = sheet.permits().operands.iter().zip(&ground.before.regions);
    operands
        .filter(|(operand, _)| operand.role == role)
        .map(|(operand, region)| promised_slots(operand, region.body().len()))
        .sum()
}

/// The clauses that leave slots of the output open, in order, each once.
pub(crate) fn open_by(ground: &Ground<'_>, sheet: Sheet<'_>) -> Vec<Clause> {
    let role = ground.call.output();
    let operands = sheet.permits().operands.iter().filter(|o| o.role == role);
    let runs = operands.flat_map(|operand| &operand.runs);
    let open = runs.filter(|run| run.permit == Permit::Anything);
    let mut clauses: Vec<Clause> = open.map(|run| run.clause).collect();
    clauses.sort_unstable();
    clauses.dedup();
    clauses
}

/// How the shape of `after` differs from that of `before`, if it does.
pub(crate) fn misshapen(before: &Memory, after: &Memory) -> Option<String> {
    let (was, is) = (before.regions.len(), after.regions.len());
    if was != is {
        return Some(format!("{is} operands came back of {was}"));
    }
    let differs = |was: &Region, is: &Region| {
        was.role != is.role
            || was.bytes().len() != is.bytes().len()
            || was.body_range() != is.body_range()
    };
    let mut both = before.regions.iter().zip(&after.regions);
    let (was, is) = both.find(|(was, is)| differs(was, is))?;
    let shape = |r: &Region| {
        format!(
            "{} of {} bytes, body {:?}",
            r.role,
            r.bytes().len(),
            r.body_range()
        )
    };
    Some(format!("{} came back as {}", shape(was), shape(is)))
}
