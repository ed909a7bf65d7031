//! Permits that have been checked to fit the memory they speak of.

use ptodiff_contract::{OperandPermits, Permit, Permits, Run};
use ptodiff_isa::{Memory, Region, Role};

use crate::Value;
use crate::quick_check::{Nothing, Piecewise, QuickCheck, Whole};

/// Permits whose every offset lies where it must: what reads them needs no
/// further check.
#[derive(Clone, Copy)]
pub(crate) struct CheckedPermits<'a> {
    permits: &'a Permits,
    /// Slots of the output about which something is said, if only that they are kept.
    pub(crate) promised: u64,
    /// Whether any slot has a choice of candidates.
    pub(crate) choices: bool,
    /// Whether the quick check of a memory showed that it holds what it may, guard
    /// zones included; if not, a closer look is needed.
    pub(crate) kept: bool,
}

impl<'a> CheckedPermits<'a> {
    /// Checks `permits` against the memory that they speak of, in which
    /// `output` is what the call is for, and checks `after` quickly, which is
    /// of the same shape. What stands in `scratch` is of no more use after.
    ///
    /// # Errors
    /// Says in one line what does not fit.
    pub(crate) fn new(
        permits: &'a Permits,
        before: &Memory,
        after: Option<&Memory>,
        output: Role,
        scratch: &mut Vec<u8>,
    ) -> Result<Self, String> {
        let (told, there) = (permits.operands.len(), before.regions.len());
        if told != there {
            return Err(format!("permits for {told} of {there} operands"));
        }
        let mut checked = Self {
            permits,
            promised: 0,
            choices: false,
            kept: after.is_some(),
        };
        for (i, (operand, before)) in permits.operands.iter().zip(&before.regions).enumerate() {
            let role = operand.role;
            if role != before.role {
                return Err(format!("permits for {role} where {} stands", before.role));
            }
            let after = after
                .and_then(|after| after.regions.get(i))
                .filter(|_| checked.kept);
            let found = check_operand(operand, &permits.pool, before, after, scratch)
                .map_err(|why| format!("{role}: {why}"))?;
            checked.kept &= found.kept;
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
    /// Whether a quick check showed that the operand holds what it may.
    kept: bool,
}

/// Bytes of an operand, for each of its runs, that are copied and compared as
/// quickly as it takes to compare run by run.
const DENSE: usize = 64;

/// Checks the runs of an operand, and checks quickly what it holds after.
fn check_operand(
    operand: &OperandPermits,
    pool: &[u8],
    before: &Region,
    after: Option<&Region>,
    scratch: &mut Vec<u8>,
) -> Result<Found, String> {
    let (bytes, runs) = (before.bytes().len(), operand.runs.len());
    match after {
        // An input that is as it was: nearly all are.
        Some(after) if runs == 0 && is_whole(operand, before) && before == after => Ok(Found {
            open: 0,
            choices: false,
            kept: true,
        }),
        None => check_runs(operand, pool, before, Nothing),
        Some(after) if bytes.div_ceil(DENSE) <= runs.saturating_add(1) => {
            check_runs(operand, pool, before, Whole::new(before, after, scratch))
        }
        Some(after) => check_runs(operand, pool, before, Piecewise::new(before, after, pool)),
    }
}

/// Checks the runs of an operand, and goes along with them.
fn check_runs(
    operand: &OperandPermits,
    pool: &[u8],
    before: &Region,
    mut quick_check: impl QuickCheck,
) -> Result<Found, String> {
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
        if from > end {
            quick_check.gap(end..from);
        }
        end = to;
        let pooled = |at: usize, len: Option<usize>| {
            let until = len.and_then(|len| at.checked_add(len));
            until
                .and_then(|until| pool.get(at..until))
                .ok_or_else(|| format!("{}: outside the pool", place(run)))
        };
        match run.permit {
            Permit::Exactly { at } => quick_check.exactly(from, at, pooled(at, Some(len))?),
            Permit::OneOf { count: 0, .. } => return Err(format!("{}: no candidate", place(run))),
            Permit::OneOf { at, count } => {
                choices = true;
                quick_check.one_of(from..to, pooled(at, len.checked_mul(count))?);
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
                quick_check.between(from..to, bounds);
            }
            Permit::Anything => {
                open += len;
                quick_check.open(from..to);
            }
        }
    }
    if end < body {
        quick_check.gap(end..body);
    }
    Ok(Found {
        open,
        choices,
        kept: quick_check.ends_well(operand.guards_free.is_some()),
    })
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
