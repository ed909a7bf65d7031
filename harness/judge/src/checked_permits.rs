//! Permits that have been checked to fit the memory they speak of.

use ptodiff_contract::{OperandPermits, Permit, Permits, Run};
use ptodiff_isa::{Memory, Region, Role};

use crate::Value;

/// Permits whose every offset lies where it must: what reads them needs no
/// further check.
#[derive(Clone, Copy)]
pub(crate) struct CheckedPermits<'a> {
    permits: &'a Permits,
    /// Slots of the output about which something is said, if only that they are kept.
    pub(crate) promised: u64,
    /// Whether any slot has a choice of candidates.
    pub(crate) choices: bool,
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
        let mut checked = Self {
            permits,
            promised: 0,
            choices: false,
        };
        for (operand, before) in permits.operands.iter().zip(&before.regions) {
            let role = operand.role;
            if role != before.role {
                return Err(format!("permits for {role} where {} stands", before.role));
            }
            let found = check_runs(operand, &permits.pool, before)
                .map_err(|why| format!("{role}: {why}"))?;
            checked.choices |= found.choices;
            if role == output {
                let bytes = before.body().len() - found.open;
                checked.promised += (bytes / operand.dtype.size()) as u64;
            }
        }
        Ok(checked)
    }

    pub(crate) fn permits(&self) -> &'a Permits {
        self.permits
    }

    /// The bytes that a slot run may hold by `Exactly`, or its first candidate.
    pub(crate) fn pool(&self, at: usize, len: usize) -> &'a [u8] {
        &self.permits.pool[at..at + len]
    }
}

/// What the runs of one operand say.
struct Found {
    /// Bytes that may hold anything.
    open: usize,
    /// Whether there are candidates.
    choices: bool,
}

/// Checks the runs of an operand.
fn check_runs(operand: &OperandPermits, pool: &[u8], before: &Region) -> Result<Found, String> {
    let size = operand.dtype.size();
    let body = before.body().len();
    // A power of two: its multiples have none of the lower bits.
    let within = size - 1;
    if !is_whole(operand, before) {
        return Err(format!("{body} bytes are not whole slots of {size}"));
    }
    let (mut open, mut choices, mut end) = (0, false, 0);
    for run in &operand.runs {
        let (from, len) = (run.offset, run.len);
        let to = from.saturating_add(len);
        if len == 0 || (len | from) & within != 0 || from < end || to > body {
            return Err(misplaced(run, size, end, body));
        }
        end = to;
        let pooled = |at: usize, len: Option<usize>| {
            let until = len.and_then(|len| at.checked_add(len));
            until
                .and_then(|until| pool.get(at..until))
                .ok_or_else(|| format!("{}: outside the pool", place(run)))
        };
        match run.permit {
            Permit::Exactly { at } => {
                pooled(at, Some(len))?;
            }
            Permit::OneOf { count: 0, .. } => return Err(format!("{}: no candidate", place(run))),
            Permit::OneOf { at, count } => {
                choices = true;
                pooled(at, len.checked_mul(count))?;
            }
            Permit::Between { .. } if len != size => {
                return Err(format!("{}: an interval over several slots", place(run)));
            }
            Permit::Between {
                low, high, more, ..
            } => {
                let singles = more.checked_add(1).and_then(|n| n.checked_mul(size));
                let read = |bytes| Value::read(operand.dtype, bytes);
                let bounds = [pooled(low, Some(size))?, pooled(high, singles)?].map(read);
                if !ordered(bounds) {
                    let why = "an interval whose bounds are not in order";
                    return Err(format!("{}: {why}", place(run)));
                }
            }
            Permit::Anything => open += len,
        }
    }
    Ok(Found { open, choices })
}

/// Whether the body of an operand is whole slots.
fn is_whole(operand: &OperandPermits, before: &Region) -> bool {
    before.body().len() & (operand.dtype.size() - 1) == 0
}

/// What is wrong with the place of a run, where those before it end at `end`.
#[cold]
fn misplaced(run: &Run, size: usize, end: usize, body: usize) -> String {
    let within = size - 1;
    let why = if run.len == 0 || (run.len | run.offset) & within != 0 {
        format!("not whole slots of {size}")
    } else if run.offset < end {
        "overlaps the one before".to_owned()
    } else {
        format!("ends after {body} bytes")
    };
    format!("{}: {why}", place(run))
}

fn place(run: &Run) -> String {
    format!("run of {} bytes at {}", run.len, run.offset)
}

/// Whether two bounds are in order, or no numbers both.
fn ordered([low, high]: [Value; 2]) -> bool {
    match (low.order(), high.order()) {
        (Some(low), Some(high)) => low <= high,
        _ => low.is_nan() && high.is_nan(),
    }
}
