//! Permits that have been checked to fit the memory they speak of.

use ptodiff_contract::{OperandPermits, Permit, Permits, Run};
use ptodiff_isa::Memory;

use crate::Value;

/// Permits whose every offset lies where it must: what reads them needs no
/// further check.
#[derive(Clone, Copy)]
pub(crate) struct Sheet<'a> {
    permits: &'a Permits,
}

impl<'a> Sheet<'a> {
    /// Checks `permits` against the memory that they speak of.
    ///
    /// # Errors
    /// Says in one line what does not fit.
    pub(crate) fn new(permits: &'a Permits, before: &Memory) -> Result<Self, String> {
        let (told, there) = (permits.operands.len(), before.regions.len());
        if told != there {
            return Err(format!("permits for {told} of {there} operands"));
        }
        for (operand, region) in permits.operands.iter().zip(&before.regions) {
            let role = operand.role;
            if role != region.role {
                return Err(format!("permits for {role} where {} stands", region.role));
            }
            fits(operand, region.body().len(), &permits.pool)
                .map_err(|why| format!("{role}: {why}"))?;
        }
        Ok(Self { permits })
    }

    pub(crate) fn permits(&self) -> &'a Permits {
        self.permits
    }

    /// The bytes that a slot run may hold by `Exactly`, or its first candidate.
    pub(crate) fn pool(&self, at: usize, len: usize) -> &'a [u8] {
        &self.permits.pool[at..at + len]
    }
}

/// How many slots of an operand's body something is said about, if only that
/// they are kept.
pub(crate) fn promised_slots(operand: &OperandPermits, body: usize) -> u64 {
    let anything = operand
        .runs
        .iter()
        .filter(|run| run.permit == Permit::Anything);
    let bytes = body - anything.map(|run| run.len).sum::<usize>();
    (bytes / operand.dtype.size()) as u64
}

fn fits(operand: &OperandPermits, body: usize, pool: &[u8]) -> Result<(), String> {
    let size = operand.dtype.size();
    if !body.is_multiple_of(size) {
        return Err(format!("{body} bytes are not whole slots of {size}"));
    }
    let mut end = 0;
    for run in &operand.runs {
        let place = || format!("run of {} bytes at {}", run.len, run.offset);
        if run.len == 0 || !run.len.is_multiple_of(size) || !run.offset.is_multiple_of(size) {
            return Err(format!("{}: not whole slots of {size}", place()));
        }
        if run.offset < end {
            return Err(format!("{}: overlaps the one before", place()));
        }
        end = run.offset.saturating_add(run.len);
        if end > body {
            return Err(format!("{}: ends after {body} bytes", place()));
        }
        promise(run, operand, pool).map_err(|why| format!("{}: {why}", place()))?;
    }
    Ok(())
}

fn promise(run: &Run, operand: &OperandPermits, pool: &[u8]) -> Result<(), &'static str> {
    let within = |at: usize, len: Option<usize>| {
        len.and_then(|len| at.checked_add(len))
            .is_some_and(|end| end <= pool.len())
    };
    let fits = match run.permit {
        Permit::Exactly { at } => within(at, Some(run.len)),
        Permit::OneOf { count: 0, .. } => return Err("no candidate"),
        Permit::OneOf { at, count } => within(at, run.len.checked_mul(count)),
        Permit::Between { low, high } => {
            let size = operand.dtype.size();
            if run.len != size {
                return Err("an interval over several slots");
            }
            if within(low, Some(size)) && within(high, Some(size)) {
                let low = Value::read(operand.dtype, &pool[low..]);
                let high = Value::read(operand.dtype, &pool[high..]);
                let ordered = match (low.order(), high.order()) {
                    (Some(low), Some(high)) => low <= high,
                    _ => low.is_nan() && high.is_nan(),
                };
                if !ordered {
                    return Err("an interval whose bounds are not in order");
                }
                true
            } else {
                false
            }
        }
        Permit::Anything => true,
    };
    if fits {
        Ok(())
    } else {
        Err("outside the pool")
    }
}
