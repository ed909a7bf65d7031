//! Permits that have been checked to fit the memory they speak of.

use ptodiff_contract::{OperandPermits, Permit, Permits};
use ptodiff_isa::{Memory, Region, Role};

use crate::Value;
use crate::glance::{Glance, guards_kept};

/// Permits whose every offset lies where it must: what reads them needs no
/// further check.
#[derive(Clone, Copy)]
pub(crate) struct Sheet<'a> {
    permits: &'a Permits,
    /// Slots of the output about which something is said, if only that they are kept.
    pub(crate) promised: u64,
    /// Whether any slot has a choice of candidates.
    pub(crate) choices: bool,
    /// Whether one glance at a memory showed that it holds what it may, guard
    /// zones included; if not, a closer look is needed.
    pub(crate) kept: bool,
}

impl<'a> Sheet<'a> {
    /// Checks `permits` against the memory that they speak of, in which
    /// `output` is what the call is for, and has a glance at `after`, which is
    /// of the same shape.
    ///
    /// # Errors
    /// Says in one line what does not fit.
    pub(crate) fn new(
        permits: &'a Permits,
        before: &Memory,
        after: Option<&Memory>,
        output: Role,
    ) -> Result<Self, String> {
        let (told, there) = (permits.operands.len(), before.regions.len());
        if told != there {
            return Err(format!("permits for {told} of {there} operands"));
        }
        let mut sheet = Self {
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
                .filter(|_| sheet.kept);
            let found = look(operand, &permits.pool, before, after)
                .map_err(|why| format!("{role}: {why}"))?;
            sheet.kept &= found.kept;
            sheet.choices |= found.choices;
            if role == output {
                let bytes = before.body().len() - found.open;
                sheet.promised += (bytes / operand.dtype.size()) as u64;
            }
        }
        Ok(sheet)
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
    /// Whether a glance showed that the operand holds what it may.
    kept: bool,
}

/// Checks the runs of an operand, and has a glance at what it holds after.
fn look(
    operand: &OperandPermits,
    pool: &[u8],
    before: &Region,
    after: Option<&Region>,
) -> Result<Found, String> {
    let size = operand.dtype.size();
    let body = before.body().len();
    // A power of two: its multiples have none of the lower bits.
    let within = size - 1;
    if body & within != 0 {
        return Err(format!("{body} bytes are not whole slots of {size}"));
    }
    if operand.runs.is_empty()
        && let Some(after) = after
        && before.bytes() == after.bytes()
    {
        return Ok(Found {
            open: 0,
            choices: false,
            kept: true,
        });
    }
    let mut glance = Glance::new(before, after);
    let (mut open, mut choices, mut end) = (0, false, 0);
    for run in &operand.runs {
        let (from, len) = (run.offset, run.len);
        let place = || format!("run of {len} bytes at {from}");
        if len == 0 || (len | from) & within != 0 {
            return Err(format!("{}: not whole slots of {size}", place()));
        }
        if from < end {
            return Err(format!("{}: overlaps the one before", place()));
        }
        let gap = end..from;
        end = from.saturating_add(len);
        if end > body {
            return Err(format!("{}: ends after {body} bytes", place()));
        }
        glance.gap(gap);
        let pooled = |at: usize, len: Option<usize>| {
            let end = len.and_then(|len| at.checked_add(len));
            end.and_then(|end| pool.get(at..end))
                .ok_or_else(|| format!("{}: outside the pool", place()))
        };
        match run.permit {
            Permit::Exactly { at } => {
                pooled(at, Some(len))?;
                glance.exactly(from, pool, at, len);
            }
            Permit::OneOf { count: 0, .. } => return Err(format!("{}: no candidate", place())),
            Permit::OneOf { at, count } => {
                choices = true;
                glance.one_of(from..end, pooled(at, len.checked_mul(count))?);
            }
            Permit::Between { .. } if len != size => {
                return Err(format!("{}: an interval over several slots", place()));
            }
            Permit::Between { low, high } => {
                let read = |bytes| Value::read(operand.dtype, bytes);
                let bounds = [pooled(low, Some(size))?, pooled(high, Some(size))?].map(read);
                if !ordered(bounds) {
                    let why = "an interval whose bounds are not in order";
                    return Err(format!("{}: {why}", place()));
                }
                glance.between(from..end, bounds);
            }
            Permit::Anything => open += len,
        }
    }
    glance.gap(end..body);
    let guards = |after| operand.guards_free.is_some() || guards_kept(before, after);
    Ok(Found {
        open,
        choices,
        kept: glance.ends_well(pool) && after.is_some_and(guards),
    })
}

/// Whether two bounds are in order, or no numbers both.
fn ordered([low, high]: [Value; 2]) -> bool {
    match (low.order(), high.order()) {
        (Some(low), Some(high)) => low <= high,
        _ => low.is_nan() && high.is_nan(),
    }
}
