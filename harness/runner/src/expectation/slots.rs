//! Operands after the call against what the case says they hold.

use std::ops::Range;

use ptodiff_case::{ExpectedSlot, ExpectedSlots, Form};
use ptodiff_isa::Clause;
use ptodiff_judge::{
    Answer, Detail, Finding, Permitted, Place, Ran, SlotFinding, Value, finding, locate,
};

use crate::context::RunContext;

/// How many slots of one operand are named.
const NAMED: usize = 4;

/// The slots that hold something else, in the first schedule in which any do.
pub(super) fn unmet(
    context: &RunContext<'_>,
    expected: &ExpectedSlots,
    answers: &[Answer],
    clause: Option<Clause>,
) -> Vec<Finding> {
    let ran = answers.iter().filter_map(Answer::ran);
    let mut found = ran.map(|ran| in_one(context, expected, ran, clause));
    found.find(|f| !f.is_empty()).unwrap_or_default()
}

fn in_one(
    context: &RunContext<'_>,
    expected: &ExpectedSlots,
    ran: &Ran,
    clause: Option<Clause>,
) -> Vec<Finding> {
    let (call, role) = (&context.case.call, expected.role);
    let key = Form::of(call).key(role);
    let before = context.steps.first().and_then(|m| m.get(role));
    let (Some(operand), Some(before), Some(after)) =
        (call.operand(role), before, ran.memory.get(role))
    else {
        let why = format!("there is no {key} to look at");
        return vec![finding(Place::Expectation, clause, why)];
    };
    let dtype = operand.dtype();
    let size = dtype.size();
    let (was, is) = (before.body(), after.body());
    let elements = (is.len() / size) as u64;
    if elements != expected.elements() || was.len() != is.len() {
        let why = format!(
            "the {key} has {elements} elements, the case expects {}",
            expected.elements()
        );
        return vec![finding(Place::Expectation, clause, why)];
    }
    let apart = before.apart(after, size);
    each(expected, &apart, size)
        .filter_map(|(element, expected)| {
            let value = |bytes: &[u8]| Value::read(dtype, &bytes[element * size..]);
            let (was, is) = (value(was), value(is));
            let permitted = differs(expected, was, is)?;
            let or_kept = matches!(expected, ExpectedSlot::OneOf { or_kept: true, .. });
            Some(Finding {
                place: Place::Expectation,
                clause,
                schedule: Some(ran.schedule),
                detail: Detail::Slot(Box::new(SlotFinding {
                    role,
                    offset: element * size,
                    element,
                    coordinate: locate(call, role, element as u64).coordinate,
                    before: was,
                    got: is,
                    permitted,
                    freedom: None,
                    or_kept: clause.filter(|_| or_kept),
                })),
            })
        })
        .take(NAMED)
        .collect()
}

/// Every element that may hold something else than is expected of it: where it is to
/// be kept, those of these parts, in bytes.
fn each<'e>(
    expected: &'e ExpectedSlots,
    apart: &'e [Range<usize>],
    size: usize,
) -> impl Iterator<Item = (usize, &'e ExpectedSlot)> {
    expected.runs().flat_map(move |(run, slot)| {
        let run = run.start as usize..run.end as usize;
        let whole = run.start * size..run.end * size;
        let parts = match slot {
            ExpectedSlot::Kept => apart,
            ExpectedSlot::Any => &[],
            ExpectedSlot::OneOf { .. } => std::slice::from_ref(&whole),
        };
        let first = parts.partition_point(|part| part.end / size <= run.start);
        let parts = parts[first..].iter().cloned();
        let parts: Vec<_> = parts
            .take_while(|part| part.start / size < run.end)
            .collect();
        let cut = move |part: Range<usize>| {
            (part.start / size).max(run.start)..(part.end / size).min(run.end)
        };
        let elements = parts.into_iter().flat_map(cut);
        elements.map(move |element| (element, slot))
    })
}

/// What was expected, where `is` is something else.
fn differs(expected: &ExpectedSlot, was: Value, is: Value) -> Option<Permitted> {
    match expected {
        ExpectedSlot::Any => None,
        ExpectedSlot::Kept => (was != is).then_some(Permitted::Kept(was)),
        ExpectedSlot::OneOf { bits, or_kept } => {
            if bits.contains(&is.bits) || (*or_kept && was == is) {
                return None;
            }
            let values = bits.iter().map(|bits| Value {
                dtype: is.dtype,
                bits: *bits,
            });
            let first: Vec<Value> = values.collect();
            Some(match first.as_slice() {
                [one] => Permitted::Exactly(*one),
                _ => Permitted::OneOf {
                    count: first.len(),
                    first,
                },
            })
        }
    }
}
