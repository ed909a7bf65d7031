//! Operands after the call against what the case says they hold.

use std::{collections::BTreeSet, ops::Range};

use ptodiff_case::{ExpectedSlot, ExpectedSlots, Form};
use ptodiff_contract::{OperandPermits, Permit, Permits, Run};
use ptodiff_isa::Clause;
use ptodiff_judge::{
    Answer, Detail, Finding, Permitted, Place, Ran, SlotFinding, Value, finding, locate,
};
use ptodiff_record::joined;

use crate::context::RunContext;

/// How many slots of one operand are named.
const NAMED: usize = 4;

/// How many of the values that one slot may hold are named.
const MOST: usize = 8;

/// The slots that hold something else, in the first schedule in which any do, and the first of
/// which `permits` promise less than is expected.
pub(super) fn unmet(
    context: &RunContext<'_>,
    expected: &ExpectedSlots,
    answers: &[Answer],
    permits: Option<&Permits>,
    clause: Option<Clause>,
) -> Vec<Finding> {
    let operand = permits.and_then(|permits| permits.of(expected.role));
    let ran = answers.iter().filter_map(Answer::ran);
    let mut found = ran.map(|ran| in_one(context, expected, ran, operand, clause));
    let mut found = found.find(|f| !f.is_empty()).unwrap_or_default();
    let both = operand.zip(permits);
    found.extend(both.and_then(|both| unpromised(context, expected, both)));
    found
}

fn in_one(
    context: &RunContext<'_>,
    expected: &ExpectedSlots,
    ran: &Ran,
    permits: Option<&OperandPermits>,
    clause: Option<Clause>,
) -> Vec<Finding> {
    let (call, role) = (&context.case.call, expected.role);
    let key = Form::of(call).key(role);
    // An input holds what was loaded for the last step.
    let step = match role == call.output() {
        true => context.steps.first(),
        false => context.steps.last(),
    };
    let before = step.and_then(|memory| memory.get(role));
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
            let run = permits.and_then(|permits| permits.run_at(element * size));
            // What stands there by chance says nothing; what may stand there does.
            if run.is_some_and(is_open) {
                return None;
            }
            let one_nan = run.is_some_and(is_one_nan);
            let permitted = differs(expected, was, is, one_nan)?;
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

/// The first element that may hold more than is expected of it, and by which clause.
fn unpromised(
    context: &RunContext<'_>,
    expected: &ExpectedSlots,
    (operand, permits): (&OperandPermits, &Permits),
) -> Option<Finding> {
    let (dtype, size) = (operand.dtype, operand.dtype.size());
    let before = context.steps.first()?.get(expected.role)?.body();
    let left_out = |run: &Run, at: usize, slot: &ExpectedSlot| {
        let was = Value::read(dtype, &before[at..]);
        let left = left_out(run, at - run.offset, slot, (was, &permits.pool));
        (!left.is_empty()).then_some(left)
    };
    let mut said = expected
        .runs()
        .filter(|(_, slot)| **slot != ExpectedSlot::Any);
    let (element, run, left) = said.find_map(|(elements, slot)| {
        let [begins, ends] = [elements.start, elements.end].map(|e| e as usize * size);
        let first = operand
            .runs
            .partition_point(|run| run.offset + run.len <= begins);
        let runs = operand.runs[first..]
            .iter()
            .take_while(|run| run.offset < ends);
        runs.filter(|run| is_open(run)).find_map(|run| {
            let part = run.offset.max(begins)..ends.min(run.offset + run.len);
            let mut slots = part.step_by(size);
            slots.find_map(|at| Some((at / size, run, left_out(run, at, slot)?)))
        })
    })?;
    let key = Form::of(&context.case.call).key(expected.role);
    let by = run.freedom.or(run.or_kept).unwrap_or(run.clause);
    let more = if left.len() > MOST { "|..." } else { "" };
    let left = joined(left.iter().take(MOST), "|");
    let why = format!(
        "the case leaves out what element {element} of the {key} may hold: {left}{more} ({by})"
    );
    Some(finding(Place::Expectation, Some(by), why))
}

/// What the slot `within` bytes behind the start of `run` may hold beside what is expected of
/// it, as a case says it; `was` is what it held before.
fn left_out(
    run: &Run,
    within: usize,
    slot: &ExpectedSlot,
    (was, pool): (Value, &[u8]),
) -> Vec<String> {
    let size = was.dtype.size();
    let value = |start: usize| Value::read(was.dtype, &pool[start..]);
    let one_nan = is_one_nan(run);
    let text = |own: &Value| match own.text() {
        Some(text) if one_nan || !own.is_nan() => text,
        _ => own.hex(),
    };
    let mut left = Vec::new();
    let mut all: Vec<Value> = match run.permit {
        Permit::Anything => return vec!["anything".to_owned()],
        Permit::Exactly { at } => vec![value(at + within)],
        Permit::OneOf { at, count } => {
            let of = |n| value(at + n * run.len + within);
            (0..count).map(of).collect()
        }
        Permit::Between {
            low, high, more, ..
        } => {
            let (least, most) = (value(low), value(high));
            let between = least.values_to(most).filter(|count| *count > 1);
            if between.is_some_and(|count| count > said_between(slot, was, [least, most])) {
                left.push(format!("{} to {}", text(&least), text(&most)));
            }
            let bound = between.is_none().then_some(least);
            let singles = (0..more).map(|n| value(high + (n + 1) * size));
            bound.into_iter().chain(singles).collect()
        }
    };
    all.retain(|other| differs(slot, was, *other, one_nan).is_some());
    left.extend(all.iter().map(text));
    if run.or_kept.is_some() && differs(slot, was, was, one_nan).is_some() {
        left.push("_".to_owned());
    }
    left.dedup();
    left
}

/// How many values from `least` to `most` are expected.
fn said_between(slot: &ExpectedSlot, was: Value, [least, most]: [Value; 2]) -> u64 {
    let (bits, kept) = match slot {
        ExpectedSlot::OneOf { bits, or_kept } => (&bits[..], or_kept.then_some(was)),
        _ => (&[][..], Some(was)),
    };
    let own = bits.iter().map(|bits| Value { bits: *bits, ..was });
    let from = |one: Value, to: Value| one.values_to(to).filter(|count| *count > 0);
    let within = |value: Value| from(value, most).and(from(least, value));
    let all: BTreeSet<u64> = own.chain(kept).filter_map(within).collect();
    all.len() as u64
}

/// Whether more than one value may stand there.
const fn is_open(run: &Run) -> bool {
    !matches!(run.permit, Permit::Exactly { .. }) || run.or_kept.is_some()
}

/// Whether all NaNs are one value there: no document says which one a sum leaves.
const fn is_one_nan(run: &Run) -> bool {
    matches!(run.permit, Permit::Between { .. })
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

/// What was expected, where `is` is something else; all NaNs may be `one_nan`.
fn differs(expected: &ExpectedSlot, was: Value, is: Value, one_nan: bool) -> Option<Permitted> {
    match expected {
        ExpectedSlot::Any => None,
        ExpectedSlot::Kept => (was != is).then_some(Permitted::Kept(was)),
        ExpectedSlot::OneOf { bits, or_kept } => {
            let values = bits.iter().map(|bits| Value {
                dtype: is.dtype,
                bits: *bits,
            });
            let same = |own: Value| own == is || one_nan && own.is_nan() && is.is_nan();
            if values.clone().any(same) || (*or_kept && was == is) {
                return None;
            }
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
