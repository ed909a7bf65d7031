//! Of a wrong slot: whose value stands there, and how many others are wrong.

use std::ops::Range;

use ptodiff_case::Form;
use ptodiff_isa::{Call, GatherOob, Memory, Region, Role, ScatterAtomicOp};
use ptodiff_judge::{Answer, CaseContext, PartyInput, each_wrong_slot, locate};
use ptodiff_record::{CaseRecord, Slot, TargetRecord, Verdict, Wrong};
use xxhash_rust::xxh3::Xxh3;

use crate::Trial;

/// Elements that are looked at for a value: whoever reads a larger operand has so many
/// equal ones that none says anything.
const MOST: usize = 1 << 20;

/// Notes in `record` whose values stand where a party left a wrong one, and how many slots of
/// its result are wrong.
pub(crate) fn note(trial: &Trial<'_>, record: &mut CaseRecord) {
    count(trial, record);
    if record.verdict != Verdict::Violation {
        return;
    }
    let context = &trial.context;
    for party_run in &trial.party_runs {
        let Some(target) = record.targets.get_mut(&party_run.party) else {
            continue;
        };
        let read = Read::of(party_run.call(context.case), context.steps);
        slots(target).for_each(|slot| read.note(slot));
    }
}

/// Notes in `record` how many slots of a party's result are wrong.
pub(crate) fn count(trial: &Trial<'_>, record: &mut CaseRecord) {
    if record.verdict != Verdict::Violation {
        return;
    }
    let context = &trial.context;
    let before = context.before();
    for party_run in &trial.party_runs {
        if let Some(target) = record.targets.get_mut(&party_run.party) {
            let call = party_run.call(context.case);
            target.wrong = wrong(&context.judged(call, &before), &party_run.input());
        }
    }
}

fn slots(target: &mut TargetRecord) -> impl Iterator<Item = &mut Slot> {
    let findings = target.findings.iter_mut();
    findings.filter_map(|finding| finding.slot.as_mut())
}

/// How many slots of the output are wrong, in the first answer that has any.
fn wrong(case_context: &CaseContext<'_>, input: &PartyInput<'_>) -> Option<Wrong> {
    let role = case_context.call.output();
    let size = case_context.call.operand(role)?.dtype().size();
    let of = case_context.before.get(role)?.body().len() / size;
    let of = of as u64;
    let count = |answer: &Answer| {
        let one = PartyInput {
            answers: std::slice::from_ref(answer),
            ..*input
        };
        let left = answer.ran()?.memory.get(role)?.body();
        let (mut slots, mut all) = (0, Xxh3::new());
        each_wrong_slot(case_context, &one, |offset| {
            slots += 1;
            all.update(&(offset as u64).to_le_bytes());
            all.update(left.get(offset..offset + size).unwrap_or_default());
        });
        let digest = Some(all.digest() as u32);
        (slots > 0).then_some(Wrong { slots, of, digest })
    };
    input.answers.iter().find_map(count)
}

/// The operand whose values a call moves, and what it held.
struct Read<'a> {
    call: &'a Call,
    role: Role,
    steps: &'a [Memory],
}

impl<'a> Read<'a> {
    fn of(call: &'a Call, steps: &'a [Memory]) -> Self {
        let role = match call.operand(Role::Source) {
            Some(_) => Role::Source,
            None => Role::Table,
        };
        Self { call, role, steps }
    }

    fn note(&self, slot: &mut Slot) {
        let got = slot.got.values().next().map(|value| value.bits.as_str());
        // What stood there before the call came from nowhere.
        let got = got.filter(|bits| *bits != slot.initial.bits);
        slot.whose = got.map(|bits| self.places(bits)).unwrap_or_default();
        if let Some(bits) = got.filter(|_| slot.whose.is_empty())
            && self.is_around(bits)
        {
            let key = Form::of(self.call).key(self.role);
            slot.whose = vec![format!("what lies around the elements of {key}")];
        }
        // A sum is the value of no element, wherever the same bits stand, and so is what comes to
        // a slot that no lane has.
        if self.call.atomic() == Some(ScatterAtomicOp::Add) || slot.lanes.is_empty() {
            return;
        }
        let oob = match self.call {
            Call::Mgather(call) => Some(call.oob),
            Call::MgatherL1(call) => Some(call.oob),
            _ => None,
        };
        // A zero of the policy is read nowhere.
        let is_read = |bits: &&str| {
            oob != Some(GatherOob::Zero) || bytes(bits).is_some_and(|v| v.iter().any(|b| *b != 0))
        };
        slot.due = slot
            .due_bits()
            .filter(|bits| *bits != slot.initial.bits)
            .filter(is_read)
            .map(|bits| self.places(bits))
            .unwrap_or_default();
    }

    /// Whether the value with these bits stands in no element, but in a guard zone: whoever
    /// left it read outside.
    fn is_around(&self, bits: &str) -> bool {
        let region = self.steps.first().and_then(|step| step.get(self.role));
        // A byte of one may be any value.
        let value = bytes(bits).filter(|value| value.len() > 1);
        let (Some(region), Some(value)) = (region.filter(|r| !r.is_sparse()), value) else {
            return false;
        };
        let (all, body) = (region.bytes(), region.body_range());
        let has = |part: &[u8]| part.windows(value.len()).any(|bytes| bytes == value);
        has(&all[..body.start]) || has(&all[body.end..])
    }

    /// Where the value with these bits, as [`ptodiff_record::SlotValue::bits`], stands;
    /// nothing where that says nothing.
    fn places(&self, bits: &str) -> Vec<String> {
        let mut places = Vec::new();
        let Some(value) = bytes(bits) else {
            return places;
        };
        let key = Form::of(self.call).key(self.role);
        for (n, step) in self.steps.iter().enumerate() {
            let body = step.get(self.role).map_or(&[][..], |region| region.body());
            let part = |part: Range<usize>| {
                let first = part.start / value.len();
                let elements = body.get(part).unwrap_or_default().chunks_exact(value.len());
                (first as u64..).zip(elements)
            };
            let parts = step.get(self.role).map(|region| parts(region, value.len()));
            let elements = parts.into_iter().flatten().flat_map(part);
            let elements = elements.take(MOST);
            let same = elements.filter(|(_, element)| *element == value);
            for (element, _) in same {
                let Some(at) = locate(self.call, self.role, element).coordinate else {
                    continue;
                };
                if places.len() == Slot::PLACES {
                    return Vec::new();
                }
                places.push(match n {
                    0 => format!("{key} {at}"),
                    n => format!("{key} {at} of call {n}"),
                });
            }
        }
        places
    }
}

/// The parts of a body in which elements are looked at: of a sparse one what is not zero.
fn parts(region: &Region, size: usize) -> Vec<Range<usize>> {
    let body = region.body_range();
    let in_body = |part: Range<usize>| {
        let [start, end] = [part.start, part.end].map(|at| at.saturating_sub(body.start));
        start.next_multiple_of(size)..end.next_multiple_of(size).min(body.len())
    };
    region
        .touched()
        .map(in_body)
        .filter(|part| !part.is_empty())
        .collect()
}

/// The bytes of `0x3f800000` in memory.
fn bytes(bits: &str) -> Option<Vec<u8>> {
    let digits = bits.strip_prefix("0x")?;
    let value = u64::from_str_radix(digits, 16).ok()?;
    let size = digits.len() / 2;
    Some(value.to_le_bytes().get(..size)?.to_vec())
}
