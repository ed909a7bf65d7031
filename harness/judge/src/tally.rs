//! Collects findings, and describes a few of the slots that are wrong.

use ptodiff_contract::{OperandPermits, Permit, Permits, Run};
use ptodiff_isa::{Region, Role, Schedule};

use crate::input::CaseContext;
use crate::{DESCRIBED, Detail, Finding, Permitted, Place, SlotFinding, Value, locate};

/// Findings about one party.
pub(crate) struct Tally<'a> {
    context: &'a CaseContext<'a>,
    pub(crate) findings: Vec<Finding>,
    /// How many slots were wrong.
    slots: u64,
}

/// One operand of one outcome, for describing what is wrong in it.
pub(crate) struct OperandOutcome<'a> {
    pub(crate) permits: &'a Permits,
    pub(crate) operand: &'a OperandPermits,
    pub(crate) before: &'a Region,
    pub(crate) after: &'a Region,
    pub(crate) schedule: Schedule,
}

impl<'a> Tally<'a> {
    pub(crate) fn new(context: &'a CaseContext<'a>) -> Self {
        Self {
            context,
            findings: Vec::new(),
            slots: 0,
        }
    }

    pub(crate) fn push(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Notes that the slot at byte `offset` of the body, covered by `run`, is wrong.
    pub(crate) fn wrong_slot(
        &mut self,
        shown: &OperandOutcome<'_>,
        offset: usize,
        run: Option<&Run>,
    ) {
        self.slots += 1;
        let (operand, role) = (shown.operand, shown.operand.role);
        let element = offset / operand.dtype.size();
        let spot = locate(self.context.call, role, element as u64);
        let place = match spot.valid {
            _ if role == Role::Scratch => Place::Scratch,
            _ if role != self.context.call.output() => Place::Input,
            true => Place::Valid,
            false => Place::Padding,
        };
        let clause = Some(run.map_or(operand.kept, |run| run.clause));
        let known = |f: &Finding| f.place == place && f.clause == clause;
        if self.slots > self.context.described() && self.findings.iter().any(known) {
            return;
        }
        let read = |bytes: &[u8]| Value::read(operand.dtype, bytes);
        let before = read(&shown.before.body()[offset..]);
        self.push(Finding {
            place,
            clause,
            schedule: Some(shown.schedule),
            detail: Detail::Slot(Box::new(SlotFinding {
                role,
                offset,
                element,
                coordinate: spot.coordinate,
                before,
                got: read(&shown.after.body()[offset..]),
                permitted: permitted(shown, offset, run).unwrap_or(Permitted::Kept(before)),
                freedom: run.and_then(|run| run.freedom),
                or_kept: run.and_then(|run| run.or_kept),
            })),
        });
    }

    /// Notes a change in either guard zone.
    pub(crate) fn guards(&mut self, shown: &OperandOutcome<'_>) {
        let (was, is) = (shown.before.bytes(), shown.after.bytes());
        let body = shown.before.body_range();
        for zone in [0..body.start, body.end..was.len()] {
            // Mostly nothing changed, and slices are compared many bytes at a time.
            if was[zone.clone()] == is[zone.clone()] {
                continue;
            }
            let mut changed = zone.filter(|i| was[*i] != is[*i]);
            let Some(first) = changed.next() else {
                continue;
            };
            self.push(Finding {
                place: Place::Guard,
                clause: Some(shown.operand.around),
                schedule: Some(shown.schedule),
                detail: Detail::Guard {
                    role: shown.operand.role,
                    offset: first as i64 - body.start as i64,
                    before: was[first],
                    got: is[first],
                    bytes: 1 + changed.count() as u64,
                },
            });
        }
    }
}

/// What `run` allows at byte `offset` of the body; none where nothing is said.
fn permitted(shown: &OperandOutcome<'_>, offset: usize, run: Option<&Run>) -> Option<Permitted> {
    let run = run?;
    let (size, inside) = (shown.operand.dtype.size(), offset - run.offset);
    let read = |at: usize| Value::read(shown.operand.dtype, &shown.permits.pool[at..]);
    Some(match run.permit {
        Permit::Exactly { at } => Permitted::Exactly(read(at + inside)),
        Permit::OneOf { at, count } => Permitted::OneOf {
            first: (0..count.min(DESCRIBED))
                .map(|i| read(at + i * run.len + inside))
                .collect(),
            count,
        },
        Permit::Between {
            low, high, more, ..
        } => {
            let singles = (1..=more).map(|n| read(high + n * size));
            let (low, high) = (read(low), read(high));
            if more > 0 && low == high {
                Permitted::OneOf {
                    first: [low].into_iter().chain(singles).take(DESCRIBED).collect(),
                    count: 1 + more,
                }
            } else {
                let more = singles.collect();
                Permitted::Between { low, high, more }
            }
        }
        Permit::Anything => return None,
    })
}
