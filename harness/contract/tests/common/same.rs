//! Permits against the enumeration, slot by slot.

use std::collections::BTreeSet;

use ptodiff_contract::{Permit, Permits, Run, data_preconditions, legality, permits};
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

/// Holds the permits of a legal call to what its enumeration reaches.
pub(crate) fn compare(call: &Call, steps: &[&Memory], target: Target, readings: &Readings) -> Seen {
    let about = || {
        let index = |m: &&Memory| m.get(Role::Index).map(|r| r.body().to_vec());
        let indices: Vec<_> = steps.iter().filter_map(index).collect();
        format!("{target} {call:?} {readings:?} {indices:?}")
    };
    if !legality(call, target, readings).is_empty() {
        return Seen::Illegal;
    }
    let p = permits(call, steps, target, readings).unwrap();
    let preconditions = data_preconditions(call, steps, target, readings);
    match enumerate(call, steps, target, readings) {
        Out::Of(reachable) => {
            assert!(preconditions.is_empty(), "{preconditions:?} {}", about());
            let oob_accesses = p.oob_accesses.is_some();
            assert_eq!(
                oob_accesses,
                reachable.outside,
                "{:?} {}",
                p.oob_accesses,
                about()
            );
            same(&p, &reachable, steps, adds(call), &about);
            Seen::Settled
        }
        Out::Undefined(left) => {
            let told = 1..=steps.len();
            assert!(
                told.contains(&preconditions.len()),
                "{preconditions:?} {}",
                about()
            );
            assert!(p.oob_accesses.is_some(), "no strays: {}", about());
            match left {
                Some(mut reachable) => {
                    // L1 takes whole blocks, which a broken precondition may open.
                    if matches!(call, Call::MgatherL1(_)) {
                        open_too(&p, &mut reachable);
                    }
                    same(&p, &reachable, steps, adds(call), &about);
                }
                None => all_open(&p, call.output(), steps, &about),
            }
            Seen::Undefined
        }
        Out::TooLarge => Seen::Silent("too large"),
        Out::NotCovered(why) => Seen::Silent(why),
    }
}

/// Every slot of every operand permits what is reached there, and no more.
/// Intervals, of calls that add, permit what lies between the least and the
/// greatest.
pub(crate) fn same(
    p: &Permits,
    reachable: &Reachable,
    steps: &[&Memory],
    adds: bool,
    about: &dyn Fn() -> String,
) {
    for operand in &p.operands {
        let sums = adds && operand.role == Role::Table;
        let add = sums.then_some(operand.dtype);
        let free = operand.guards_free.is_some();
        assert!(!free || reachable.outside, "{}: {}", operand.role, about());
        let body = body(steps, operand.role);
        let slots = match &reachable.scratch {
            _ if operand.role == reachable.role => &reachable.slots,
            Some(scratch) if operand.role == Role::Scratch => scratch,
            _ => {
                assert!(operand.runs.is_empty(), "{}: {}", operand.role, about());
                continue;
            }
        };
        let size = reachable.size;
        assert_eq!(operand.dtype.size(), size, "{}", about());
        assert_eq!(slots.len(), body.len() / size, "{}", about());
        let mut runs = operand.runs.iter().peekable();
        for (at, values) in slots.iter().enumerate() {
            let byte = at * size;
            let old = number(&body[byte..][..size]);
            while runs.next_if(|run| run.offset + run.len <= byte).is_some() {}
            let run = runs.peek().filter(|run| run.offset <= byte);
            let slot = || format!("{} slot {at}: {values:?} {run:?} {}", operand.role, about());
            match run {
                None if *values == Values::Kept => {}
                None => assert_eq!(values.set(old), Some([old].into()), "{}", slot()),
                Some(run) => {
                    let part = |from: usize| {
                        let from = from + byte - run.offset;
                        number(&p.pool[from..][..size])
                    };
                    check(run, part, values, old, add, &slot);
                }
            }
        }
    }
}

/// One slot of a run; `part` finds its element in an image of the pool.
fn check(
    run: &Run,
    part: impl Fn(usize) -> u64,
    values: &Values,
    old: u64,
    add: Option<DType>,
    slot: &dyn Fn() -> String,
) {
    // A NaN among the bounds and single values of a sum is every NaN.
    let element = |at| match (part(at), add) {
        (bits, Some(dtype)) if is_nan(dtype, bits) => NAN,
        (bits, _) => bits,
    };
    let Some(reached) = values.set(old) else {
        assert_eq!(run.permit, Permit::Anything, "{}", slot());
        return;
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
            let dtype = add.expect("only sums lie between");
            let kept = run.or_kept.map(|_| old);
            return lie_between(dtype, ends, &singles, wide, &reached, kept, slot);
        }
        Permit::Anything => panic!("{}", slot()),
    };
    permitted.extend(run.or_kept.map(|_| old));
    assert_eq!(reached, permitted, "{}", slot());
}

/// The ends and the single values are reached, and nothing else but what lies
/// between; of wide ones, they only hold it. A slot that was `kept` may hold
/// that too.
fn lie_between(
    dtype: DType,
    ends: [u64; 2],
    singles: &BTreeSet<u64>,
    wide: bool,
    reached: &BTreeSet<u64>,
    kept: Option<u64>,
    slot: &dyn Fn() -> String,
) {
    let summed = reached.difference(singles).filter(|x| kept != Some(**x));
    let places: BTreeSet<i64> = summed.map(|&bits| place(dtype, bits)).collect();
    let [low, high] = ends.map(|bits| place(dtype, bits));
    assert!(
        !reached.contains(&NAN) || singles.contains(&NAN),
        "{}",
        slot()
    );
    let inside = places.iter().all(|place| (low..=high).contains(place));
    assert!(inside, "{}", slot());
    if !wide && kept.is_none() {
        let found = [places.first(), places.last()];
        assert_eq!(found, [Some(&low), Some(&high)], "{}", slot());
        assert!(singles.is_subset(reached), "{}", slot());
    }
}

/// Whether a call adds what it stores.
pub(crate) fn adds(call: &Call) -> bool {
    let atomic = match call {
        Call::Mscatter(call) => call.atomic,
        Call::MscatterFirst(call) => call.atomic,
        _ => ScatterAtomicOp::None,
    };
    atomic == ScatterAtomicOp::Add
}

/// Whether an element is NaN.
pub(crate) fn is_nan(dtype: DType, bits: u64) -> bool {
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
fn all_open(p: &Permits, role: Role, steps: &[&Memory], about: &dyn Fn() -> String) {
    let operand = p.operands.iter().find(|o| o.role == role).unwrap();
    let mut end = 0;
    for run in &operand.runs {
        assert_eq!(run.offset, end, "{}", about());
        assert_eq!(run.permit, Permit::Anything, "{}", about());
        end += run.len;
    }
    assert_eq!(end, body(steps, role).len(), "{}", about());
    assert!(operand.guards_free.is_some(), "{}", about());
}

/// What an operand held before: what persists is that of the first step.
fn body<'a>(steps: &[&'a Memory], role: Role) -> &'a [u8] {
    let step = match role {
        Role::Table | Role::Scratch => steps.first(),
        Role::Source | Role::Destination | Role::Index => steps.last(),
    };
    step.unwrap().get(role).unwrap().body()
}

/// The element of these bytes.
pub(crate) fn number(bytes: &[u8]) -> u64 {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(wide)
}
