//! Where nothing is promised an implementation may differ from the others: worth knowing,
//! and never a violation.

use std::collections::BTreeMap;

use ptodiff_contract::OperandPermits;
use ptodiff_isa::{Call, Clause, DType, Party};
use ptodiff_judge::{TargetVerdict, Value, locate};
use ptodiff_record::{CaseRecord, Unpromised};

use crate::{Trial, convert, party_run::PartyRun};

/// Slots that are looked at: of a larger output the rest is left out.
const MOST: usize = 1 << 20;

/// What a party left, and where nothing is promised of it.
struct PartyResult<'a> {
    party: &'a Party,
    implementation: bool,
    bytes: &'a [u8],
    /// By which clause each slot is open, by its number; all of them by one where a
    /// precondition is broken.
    open: Vec<Option<Clause>>,
}

impl PartyResult<'_> {
    fn value(&self, slot: usize, size: usize) -> &[u8] {
        &self.bytes[slot * size..(slot + 1) * size]
    }
}

/// Notes in `record` where implementations, which `is_implementation` knows, differ from others
/// in slots of which nothing is promised of them.
pub(crate) fn note(
    trial: &Trial<'_>,
    is_implementation: impl Fn(&Party) -> bool,
    record: &mut CaseRecord,
) {
    let party_runs = &trial.party_runs;
    if !party_runs.iter().any(|a| is_implementation(&a.party)) {
        return;
    }
    let call = &trial.context.case.call;
    let role = call.output();
    let Some(dtype) = call.operand(role).map(|operand| operand.dtype()) else {
        return;
    };
    let size = dtype.size();
    let mut found: BTreeMap<Clause, Unpromised> = BTreeMap::new();
    let schedules = party_runs.iter().map(|a| a.answers.len()).max();
    for schedule in 0..schedules.unwrap_or(0) {
        let left = |a| left(trial, a, size, schedule, &is_implementation);
        let all: Vec<PartyResult<'_>> = party_runs.iter().filter_map(left).collect();
        // Under the first one there is more to hold it against than the model of its target.
        for (clause, one) in differing(call, dtype, &all, schedule > 0) {
            found.entry(clause).or_insert(one);
        }
    }
    record.unpromised = found.into_values().collect();
}

/// The slots of which nothing is promised in which implementations of `all` differ from others,
/// by clause: from those `of_target` alone.
fn differing(
    call: &Call,
    dtype: DType,
    all: &[PartyResult<'_>],
    of_target: bool,
) -> BTreeMap<Clause, Unpromised> {
    let (role, size) = (call.output(), dtype.size());
    let slots = all.iter().map(|one| one.open.len()).min().unwrap_or(0);
    let mut found: BTreeMap<Clause, Unpromised> = BTreeMap::new();
    for slot in 0..slots {
        let mut by = None;
        for own in all.iter().filter(|one| one.implementation) {
            let differs = |one: &PartyResult| {
                one.value(slot, size) != own.value(slot, size)
                    && (!of_target || one.party.target == own.party.target)
            };
            by = by.or(own.open[slot].filter(|_| all.iter().any(differs)));
        }
        let Some(clause) = by else { continue };
        let spot = locate(call, role, slot as u64);
        // What lies around the elements is nobody's result.
        if !spot.valid {
            continue;
        }
        let first = || {
            let values = all.iter().map(|one| {
                let value = Value::read(dtype, one.value(slot, size));
                (one.party.clone(), convert::value(value))
            });
            Unpromised {
                clause: clause.to_string(),
                slots: 0,
                at: spot
                    .coordinate
                    .map_or_else(String::new, |at| at.to_string()),
                role,
                got: values.collect(),
            }
        };
        found.entry(clause).or_insert_with(first).slots += 1;
    }
    found
}

/// What a party left under this schedule, or under the first where it was not asked for more.
fn left<'a>(
    trial: &Trial<'_>,
    party_run: &'a PartyRun,
    size: usize,
    schedule: usize,
    is_implementation: impl Fn(&Party) -> bool,
) -> Option<PartyResult<'a>> {
    let party = &party_run.party;
    let implementation = is_implementation(party);
    // A further form of the case is another question.
    if party.form.is_some() && !implementation {
        return None;
    }
    let input = party_run.input();
    let ran = input
        .answers
        .get(schedule)
        .or(input.answers.first())?
        .ran()?;
    let role = trial.context.case.call.output();
    let bytes = ran.memory.get(role)?.body();
    let slots = (bytes.len() / size).min(MOST);
    let mut open = vec![None; slots];
    let judged = trial.verdict.parties.iter().find(|(own, _)| own == party);
    match judged.map(|(_, judged)| judged) {
        Some(TargetVerdict::Undefined(clauses)) => open.fill(clauses.first().copied()),
        Some(_) => {
            let operand = input.permits.and_then(|permits| permits.of(role));
            for run in operand.into_iter().flat_map(OperandPermits::open) {
                let (begins, ends) = (run.offset / size, (run.offset + run.len) / size);
                let end = ends.min(slots);
                if let Some(open) = open.get_mut(begins..end) {
                    open.fill(Some(run.clause));
                }
            }
        }
        None => return None,
    }
    Some(PartyResult {
        party,
        implementation,
        bytes,
        open,
    })
}
