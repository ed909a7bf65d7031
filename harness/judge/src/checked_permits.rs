//! Permits that have been checked to fit the memory they speak of.

use ptodiff_contract::{OperandPermits, Permit, Permits, Run};
use ptodiff_isa::{DType, Memory, Role};

use crate::{Value, value::between};

/// Permits whose every offset lies where it must: what reads them needs no
/// further check.
#[derive(Clone, Copy)]
pub(crate) struct CheckedPermits<'a> {
    pub(crate) permits: &'a Permits,
    /// Slots of the output about which something is said, if only that they are kept.
    pub(crate) promised: u64,
}

impl<'a> CheckedPermits<'a> {
    /// Checks `permits` against the memory that they speak of, in which
    /// `output` is what the call is for.
    ///
    /// # Errors
    /// Says in one line what does not fit.
    pub(crate) fn new(permits: &'a Permits, before: &Memory, output: Role) -> Result<Self, String> {
        let (told, there) = (permits.operands.len(), before.regions.len());
        if told != there {
            return Err(format!("permits for {told} of {there} operands"));
        }
        let mut promised = 0;
        for (operand, before) in permits.operands.iter().zip(&before.regions) {
            let (role, body) = (operand.role, before.body().len());
            if role != before.role {
                return Err(format!("permits for {role} where {} stands", before.role));
            }
            let open = check_operand(operand, &permits.pool, body)
                .map_err(|why| format!("{role}: {why}"))?;
            if role == output {
                promised += ((body - open) / operand.dtype.size()) as u64;
            }
        }
        Ok(Self { permits, promised })
    }

    pub(crate) fn pool(&self, at: usize, len: usize) -> &'a [u8] {
        &self.permits.pool[at..at + len]
    }
}

/// Checks the runs of an operand of `body` bytes. How many of these may hold anything.
fn check_operand(operand: &OperandPermits, pool: &[u8], body: usize) -> Result<usize, String> {
    let size = operand.dtype.size();
    if !body.is_multiple_of(size) {
        return Err(format!("{body} bytes are not whole slots of {size}"));
    }
    let (mut open, mut end) = (0, 0);
    for run in &operand.runs {
        let place = |why| format!("run of {} bytes at {}: {why}", run.len, run.offset);
        let (from, to) = (run.offset, run.offset.saturating_add(run.len));
        // A size is a power of two: its multiples have none of the lower bits.
        if run.len == 0 || (run.len | from) & (size - 1) != 0 {
            return Err(place(format!("not whole slots of {size}")));
        } else if from < end {
            return Err(place("overlaps the one before".to_owned()));
        } else if to > body {
            return Err(place(format!("ends after {body} bytes")));
        }
        check_permit(run, operand.dtype, pool).map_err(|why| place(why.to_owned()))?;
        end = to;
        if run.permit == Permit::Anything {
            open += run.len;
        }
    }
    Ok(open)
}

fn check_permit(run: &Run, dtype: DType, pool: &[u8]) -> Result<(), &'static str> {
    let size = dtype.size();
    let pooled = |at: usize, len: Option<usize>| {
        let until = len.and_then(|len| at.checked_add(len));
        let bytes = until.and_then(|until| pool.get(at..until));
        bytes.ok_or("outside the pool")
    };
    match run.permit {
        Permit::Anything => {}
        Permit::Exactly { at } => drop(pooled(at, Some(run.len))?),
        Permit::OneOf { count: 0, .. } => return Err("no candidate"),
        Permit::OneOf { at, count } => drop(pooled(at, run.len.checked_mul(count))?),
        Permit::Between { .. } if run.len != size => return Err("an interval over several slots"),
        Permit::Between {
            low, high, more, ..
        } => {
            let singles = more.checked_add(1).and_then(|n| n.checked_mul(size));
            let read = |bytes| Value::read(dtype, bytes);
            let [low, high] = [pooled(low, Some(size))?, pooled(high, singles)?].map(read);
            if !between(low, high, high) {
                return Err("an interval whose bounds are not in order");
            }
        }
    }
    Ok(())
}
