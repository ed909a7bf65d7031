//! What the contract permits is what every order of the stores can leave.

use std::collections::BTreeSet;

use ptodiff_case::Case;
use ptodiff_contract::{OperandPermits, Permit, Permits, Unusable, data_preconditions, legality};
use ptodiff_enumerate::{NAN, Out, Reachable, Values, enumerate};
use ptodiff_generate::stimulus;
use ptodiff_isa::{Call, DType, Memory, Readings, Role, Target};
use ptodiff_judge::Value;

use super::Finding;

/// Says what a target promises of calls.
pub type Promise<'a> =
    &'a dyn Fn(&Call, &[&Memory], Target, &Readings) -> Result<Permits, Unusable>;

/// Holds `promise` to account on each target on which the case is legal.
/// Where the enumeration declines, nothing is said.
///
/// # Errors
/// The first slot of which more or less is promised than can be.
pub fn any_case(case: &Case, promise: Promise<'_>) -> Finding {
    let steps = stimulus(case, 0).steps;
    let steps: Vec<&Memory> = steps.iter().collect();
    case.targets.iter().try_for_each(|target| {
        on_target(case, &steps, *target, promise).map_err(|why| format!("{target}: {why}"))
    })
}

fn on_target(case: &Case, steps: &[&Memory], target: Target, promise: Promise<'_>) -> Finding {
    let (call, readings) = (&case.call, &case.readings[target]);
    if !legality(call, target, readings).is_empty() {
        return Ok(());
    }
    // What becomes of a scratch that CPU has no use for, no document says (MGATHERL1-GAP-14).
    if matches!(call, Call::MgatherL1(c) if target == Target::Cpu && c.scratch.is_some()) {
        return Ok(());
    }
    let out = enumerate(call, steps, target, readings);
    if let Out::TooLarge | Out::NotCovered(_) = out {
        return Ok(());
    }
    let permits = promise(call, steps, target, readings).map_err(|why| format!("{why:?}"))?;
    let preconditions = data_preconditions(call, steps, target, readings);
    let oob_accesses = permits.oob_accesses;
    match out {
        Out::Of(_) if !preconditions.is_empty() => {
            Err(format!("no precondition is broken, but {preconditions:?}"))
        }
        Out::Of(reachable) if oob_accesses.is_some() != reachable.outside => {
            let outside = reachable.outside;
            Err(format!(
                "out-of-bounds accesses: {outside}, permitted: {oob_accesses:?}"
            ))
        }
        Out::Undefined(_) if preconditions.is_empty() => {
            Err("a precondition is broken, but none is".to_owned())
        }
        Out::Of(reachable) => same(&permits, &reachable, steps),
        // Where a precondition is broken nobody asks for permits; the others were answered above.
        Out::Undefined(_) | Out::TooLarge | Out::NotCovered(_) => Ok(()),
    }
}

/// Every slot of every operand permits what is reached there, and no more.
fn same(permits: &Permits, reachable: &Reachable, steps: &[&Memory]) -> Finding {
    permits.operands.iter().try_for_each(|operand| {
        let slots = match &reachable.scratch {
            _ if operand.role == reachable.role => &reachable.slots,
            Some(scratch) if operand.role == Role::Scratch => scratch,
            _ if operand.runs.is_empty() => return Ok(()),
            _ => return Err(format!("{} may change: {:?}", operand.role, operand.runs)),
        };
        let size = reachable.size;
        let before = before(steps, operand.role);
        if operand.dtype.size() != size || before.len() != slots.len() * size {
            let (role, bytes) = (operand.role, before.len());
            return Err(format!(
                "{role}: {bytes} bytes are not {} slots of {size}",
                slots.len()
            ));
        }
        let mut offset = 0;
        slots.iter().try_for_each(|values| {
            let at = offset;
            offset += size;
            slot(permits, operand, at, values, &before[at..offset])
                .map_err(|why| format!("{} byte {at}: {why}", operand.role))
        })
    })
}

/// One slot, which held `before`.
fn slot(
    permits: &Permits,
    operand: &OperandPermits,
    at: usize,
    values: &Values,
    before: &[u8],
) -> Finding {
    let dtype = operand.dtype;
    let read = |bytes| Value::read(dtype, bytes).bits;
    let (size, old) = (before.len(), read(before));
    let mut runs = operand.runs.iter();
    let run = runs.find(|run| (run.offset..run.offset + run.len).contains(&at));
    let wrong = || {
        Err(format!(
            "{values:?} where {run:?} from {old:#x} is permitted"
        ))
    };
    let Some(run) = run else {
        return match values.set(old) {
            Some(all) if all == [old].into() => Ok(()),
            _ => wrong(),
        };
    };
    let Some(reached) = values.set(old) else {
        return match run.permit {
            Permit::Anything => Ok(()),
            _ => wrong(),
        };
    };
    let part = |start: usize| {
        let start = start + at - run.offset;
        read(&permits.pool[start..start + size])
    };
    let mut permitted: BTreeSet<u64> = match run.permit {
        Permit::Exactly { at } => [part(at)].into(),
        Permit::OneOf { at, count } => (0..count).map(|n| part(at + n * run.len)).collect(),
        Permit::Between {
            low,
            high,
            more,
            wide,
        } => {
            // A NaN is every NaN here.
            let single = |start| match part(start) {
                bits if (Value { dtype, bits }).is_nan() => NAN,
                bits => bits,
            };
            let singles = (1..=more).map(|n| single(high + n * size)).collect();
            let interval = Interval {
                ends: [low, high].map(single),
                singles,
                wide,
            };
            let kept = run.or_kept.map(|_| old);
            return if interval.is_of(dtype, &reached, kept) {
                Ok(())
            } else {
                wrong()
            };
        }
        Permit::Anything => return wrong(),
    };
    permitted.extend(run.or_kept.map(|_| old));
    if reached == permitted {
        Ok(())
    } else {
        wrong()
    }
}

/// What a sum may come to.
struct Interval {
    ends: [u64; 2],
    singles: BTreeSet<u64>,
    wide: bool,
}

impl Interval {
    /// Whether it holds all that is `reached`, and unless it is wide its ends and
    /// its single values are reached. A slot that may be `kept` may hold that, too.
    fn is_of(&self, dtype: DType, reached: &BTreeSet<u64>, kept: Option<u64>) -> bool {
        if self.ends[0] == NAN {
            let others = reached.iter().filter(|x| **x != NAN);
            return reached.contains(&NAN) && others.eq(&kept);
        }
        let others = reached.difference(&self.singles);
        let others: Vec<u64> = others.copied().filter(|x| kept != Some(*x)).collect();
        let [low, high] = self.ends.map(|bits| Value { dtype, bits });
        let inside = |bits: &u64| {
            let value = Value { dtype, bits: *bits };
            let counts = [low.values_to(value), value.values_to(high)];
            *bits != NAN && counts.iter().all(|count| *count > Some(0))
        };
        let ends = self.ends.iter().all(|end| reached.contains(end));
        let is_reached = ends && self.singles.is_subset(reached);
        others.iter().all(inside) && (self.wide || kept.is_some() || is_reached)
    }
}

/// What an operand held before: what lasts is that of the first step.
fn before<'a>(steps: &[&'a Memory], role: Role) -> &'a [u8] {
    let step = match role {
        Role::Table | Role::Scratch => steps.first(),
        Role::Source | Role::Destination | Role::Index => steps.last(),
    };
    let region = step.and_then(|step| step.get(role));
    region.map_or(&[], |region| region.body())
}
