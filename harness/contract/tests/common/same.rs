//! Permits against the enumeration, slot by slot. The fuzz targets use this file too.

use std::collections::BTreeSet;

use ptodiff_contract::{Permit, Permits, Run, data_preconditions, legality};
use ptodiff_enumerate::{NAN, Out, Reachable, Values, enumerate};
use ptodiff_isa::{Call, DType, Memory, Readings, Role, ScatterAtomicOp, Target};

/// How a comparison that found no difference went.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Seen {
    /// Such a call breaks a constraint; nothing was compared.
    Illegal,
    /// Every slot of what is written.
    Settled,
    /// The data breaks a precondition, on both accounts.
    Undefined,
    /// The enumeration declines, and why.
    Silent(&'static str),
}

/// Says what a target promises of calls.
pub(crate) type Promise<'a> = &'a dyn Fn(&Call, &[&Memory], Target, &Readings) -> Option<Permits>;

/// Holds what is promised of a legal call to what its enumeration reaches.
///
/// # Errors
/// The first slot of which more or less is promised than can be.
pub(crate) fn compare(
    call: &Call,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
    promise: Promise<'_>,
) -> Result<Seen, String> {
    if !legality(call, target, readings).is_empty() {
        return Ok(Seen::Illegal);
    }
    let (seen, mut reachable) = match enumerate(call, steps, target, readings) {
        Out::Of(reachable) => (Seen::Settled, Some(reachable)),
        Out::Undefined(left) => (Seen::Undefined, left),
        Out::TooLarge => return Ok(Seen::Silent("too large")),
        Out::NotCovered(why) => return Ok(Seen::Silent(why)),
    };
    let p = promise(call, steps, target, readings).ok_or("the operands do not fit")?;
    let undefined = seen == Seen::Undefined;
    let broken = data_preconditions(call, steps, target, readings);
    ensure(
        undefined != broken.is_empty() && broken.len() <= steps.len(),
        || format!("it is {seen:?}, but the preconditions {broken:?} are broken"),
    )?;
    let outside = undefined || reachable.as_ref().is_some_and(|all| all.outside);
    ensure(outside == p.oob_accesses.is_some(), || {
        let permitted = p.oob_accesses;
        format!("out-of-bounds accesses: {outside}, permitted: {permitted:?}")
    })?;
    match &mut reachable {
        Some(reachable) => {
            // L1 takes whole blocks, which a broken precondition may open.
            if undefined && matches!(call, Call::MgatherL1(_)) {
                open_too(&p, reachable);
            }
            let combines = call.atomic().is_some_and(|op| op != ScatterAtomicOp::None);
            same(&p, reachable, steps, combines)?;
        }
        None => all_open(&p, call.output(), steps)?,
    }
    Ok(seen)
}

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}

/// Every slot of every operand permits what is reached there, and no more.
fn same(
    p: &Permits,
    reachable: &Reachable,
    steps: &[&Memory],
    combines: bool,
) -> Result<(), String> {
    for operand in &p.operands {
        let role = operand.role;
        ensure(operand.guards_free.is_none() || reachable.outside, || {
            format!("{role}: its guard zones are free")
        })?;
        let slots = match &reachable.scratch {
            _ if role == reachable.role => &reachable.slots,
            Some(scratch) if role == Role::Scratch => scratch,
            _ if operand.runs.is_empty() => continue,
            _ => return Err(format!("{role} may change: {:?}", operand.runs)),
        };
        let (size, body) = (reachable.size, body(steps, role));
        ensure(
            operand.dtype.size() == size && slots.len() * size == body.len(),
            || format!("{role}: {} bytes, slots of {size}", body.len()),
        )?;
        let combined = (combines && role == Role::Table).then_some(operand.dtype);
        let mut runs = operand.runs.iter().peekable();
        for (at, values) in slots.iter().enumerate() {
            let byte = at * size;
            let old = number(&body[byte..][..size]);
            while runs.next_if(|run| run.offset + run.len <= byte).is_some() {}
            let run = runs.peek().filter(|run| run.offset <= byte);
            let right = match run {
                None => values.set(old) == Some([old].into()),
                Some(run) => {
                    let part = |from: usize| {
                        let from = from + byte - run.offset;
                        number(&p.pool[from..][..size])
                    };
                    is_right(run, part, values, old, combined)
                }
            };
            ensure(right, || {
                format!("{role} slot {at}, {old:#x} before: {values:?}, permitted: {run:?}")
            })?;
        }
    }
    Ok(())
}

/// Whether a run permits the values of one slot and no others; `part` finds its
/// element in an image of the pool.
fn is_right(
    run: &Run,
    part: impl Fn(usize) -> u64,
    values: &Values,
    old: u64,
    combined: Option<DType>,
) -> bool {
    // A NaN among the bounds and single values of what is combined is every NaN.
    let element = |at| match (part(at), combined) {
        (bits, Some(dtype)) if is_nan(dtype, bits) => NAN,
        (bits, _) => bits,
    };
    let Some(reached) = values.set(old) else {
        return run.permit == Permit::Anything;
    };
    let mut permitted: BTreeSet<u64> = match run.permit {
        Permit::Exactly { at } => [part(at)].into(),
        Permit::OneOf { at, count } => (0..count).map(|n| part(at + n * run.len)).collect(),
        Permit::Between { low, .. } if element(low) == NAN => [NAN].into(),
        Permit::Between {
            low,
            high,
            more,
            wide,
        } => {
            let singles: BTreeSet<u64> = (1..=more).map(|n| element(high + n * run.len)).collect();
            let ends = [low, high].map(element);
            let kept = run.or_kept.map(|_| old);
            return combined
                .is_some_and(|dtype| lie_between(dtype, ends, &singles, wide, &reached, kept));
        }
        Permit::Anything => return false,
    };
    permitted.extend(run.or_kept.map(|_| old));
    reached == permitted
}

/// Whether the ends and the single values are reached, and nothing else but what
/// lies between; of wide ones, they only hold it. A slot that was `kept` may hold
/// that too.
fn lie_between(
    dtype: DType,
    ends: [u64; 2],
    singles: &BTreeSet<u64>,
    wide: bool,
    reached: &BTreeSet<u64>,
    kept: Option<u64>,
) -> bool {
    let summed = reached.difference(singles).filter(|x| kept != Some(**x));
    let places: BTreeSet<i64> = summed.map(|&bits| place(dtype, bits)).collect();
    let [low, high] = ends.map(|bits| place(dtype, bits));
    let nan = !reached.contains(&NAN) || singles.contains(&NAN);
    let inside = places.iter().all(|place| (low..=high).contains(place));
    let found = [places.first(), places.last()] == [Some(&low), Some(&high)];
    nan && inside && (wide || kept.is_some() || (found && singles.is_subset(reached)))
}

/// Whether an element is NaN.
fn is_nan(dtype: DType, bits: u64) -> bool {
    let infinity = match dtype {
        DType::Half => 0x7C00,
        DType::Bfloat16 => 0x7F80,
        DType::Float => 0x7F80_0000,
        _ => return false,
    };
    let sign = 1_u64 << (8 * dtype.size() - 1);
    bits & (sign - 1) > infinity
}

/// Where an element stands among all of its type.
fn place(dtype: DType, bits: u64) -> i64 {
    let sign = 1_u64 << (8 * dtype.size() - 1);
    let magnitude = (bits & (sign - 1)).cast_signed();
    match bits & sign != 0 {
        false => magnitude,
        true if dtype.is_signed_integer() => magnitude - sign.cast_signed(),
        true if dtype.is_integer() => magnitude + sign.cast_signed(),
        true => -magnitude - 1,
    }
}

/// Opens what the permits open.
fn open_too(p: &Permits, reachable: &mut Reachable) {
    let size = reachable.size;
    for operand in &p.operands {
        let slots = match operand.role {
            Role::Destination => &mut reachable.slots,
            Role::Scratch => match &mut reachable.scratch {
                Some(scratch) => scratch,
                None => continue,
            },
            Role::Table | Role::Source | Role::Index => continue,
        };
        for run in operand.runs.iter().filter(|r| r.permit == Permit::Anything) {
            slots[run.offset / size..][..run.len / size].fill(Values::Anything);
        }
    }
}

/// Nothing is promised of any slot of the operand that the call is for.
fn all_open(p: &Permits, role: Role, steps: &[&Memory]) -> Result<(), String> {
    let operand = p.operands.iter().find(|operand| operand.role == role);
    let open = operand.is_some_and(|operand| {
        let mut end = 0;
        let runs = operand.runs.iter().all(|run| {
            let follows = run.offset == end;
            end += run.len;
            follows && run.permit == Permit::Anything
        });
        runs && end == body(steps, role).len() && operand.guards_free.is_some()
    });
    ensure(open, || format!("{role} is not all open: {operand:?}"))
}

/// What an operand held before: what persists is that of the first step.
fn body<'a>(steps: &[&'a Memory], role: Role) -> &'a [u8] {
    let step = match role {
        Role::Table | Role::Scratch => steps.first(),
        Role::Source | Role::Destination | Role::Index => steps.last(),
    };
    let region = step.and_then(|step| step.get(role));
    region.map_or(&[], |region| region.body())
}

/// The element of these bytes.
pub(crate) fn number(bytes: &[u8]) -> u64 {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(wide)
}
