//! The outputs of two parties, slot against slot.

use ptodiff_contract::{Permit, Run};
use ptodiff_isa::{Clause, DType, Party, Role, Schedule};

use crate::compare::{both_nan, one_nan};
use crate::side::{Ground, Side};
use crate::{Answer, DESCRIBED, Differences, PairSlot, Place, Value, locate, slots};

/// The output of one answer.
type Image<'a> = (&'a [u8], Schedule);

/// The outputs of two parties, all of the length that the output had before.
pub(crate) struct Contest<'a> {
    ground: &'a Ground<'a>,
    role: Role,
    dtype: DType,
    before: &'a [u8],
    parties: [&'a Party; 2],
    images: [Vec<Image<'a>>; 2],
    runs: [&'a [Run]; 2],
}

impl<'a> Contest<'a> {
    /// None if one did not run, or if an output is missing, empty, not whole
    /// slots, or of another length.
    pub(crate) fn new(ground: &'a Ground<'a>, a: &Side<'a>, b: &Side<'a>) -> Option<Self> {
        let role = ground.call.output();
        let dtype = ground.call.operand(role)?.dtype();
        let before = ground.before.get(role)?.body();
        if before.is_empty() || !before.len().is_multiple_of(dtype.size()) {
            return None;
        }
        Some(Self {
            ground,
            role,
            dtype,
            before,
            parties: [a.party, b.party],
            images: [
                images(a, role, before.len())?,
                images(b, role, before.len())?,
            ],
            runs: [runs(a, role), runs(b, role)],
        })
    }

    /// Slots of the output about which both promise something.
    pub(crate) fn compared(&self) -> u64 {
        let runs = self.runs.into_iter().flatten();
        let free = runs.filter(|run| run.permit == Permit::Anything);
        let mut free: Vec<_> = free.map(|run| (run.offset, run.len)).collect();
        free.sort_unstable();
        let (mut end, mut bytes) = (0, 0);
        for (offset, len) in free {
            let last = offset.saturating_add(len);
            bytes += last.saturating_sub(offset.max(end));
            end = end.max(last);
        }
        (self.before.len().saturating_sub(bytes) / self.dtype.size()) as u64
    }

    /// All slots that differ between an answer of one and an answer of the other.
    pub(crate) fn differences(&self) -> Differences {
        let mut found = Differences::default();
        let (mut passed, one_nan) = ([0; 2], one_nan(self.ground.call, self.role));
        for offset in self.unequal() {
            let ruling = [0, 1].map(|i| covering(self.runs[i], &mut passed[i], offset));
            let one_nan = one_nan && ruling[0].is_some() && ruling[1].is_some();
            let Some((a, b)) = self.clash(offset, one_nan) else {
                continue;
            };
            let element = offset / self.dtype.size();
            let spot = locate(self.ground.call, self.role, element as u64);
            let place = if spot.valid {
                Place::Valid
            } else {
                Place::Padding
            };
            let free = |run: &Run| run.permit == Permit::Anything;
            if place == Place::Padding && ruling.into_iter().flatten().any(free) {
                continue;
            }
            found.slots += 1;
            let clauses = freedom(ruling);
            let ruled = ruling.map(|run| run.map(|run| run.clause));
            // Without a clause that permits it, the clauses that clash are the kind.
            let known = |slot: &PairSlot| {
                let alike = !clauses.is_empty() || slot.ruled == ruled;
                slot.place == place && slot.clauses == clauses && alike
            };
            if found.slots > DESCRIBED as u64 && found.described.iter().any(known) {
                continue;
            }
            let read = |bytes: &[u8]| Value::read(self.dtype, &bytes[offset..]);
            found.described.push(PairSlot {
                role: self.role,
                offset,
                element,
                coordinate: spot.coordinate,
                place,
                before: read(self.before),
                got: [read(a.0), read(b.0)],
                schedules: [a.1, b.1],
                lanes: self
                    .parties
                    .map(|party| (self.ground.lanes)(party, self.role, element)),
                ruled,
                clauses,
            });
        }
        found
    }

    /// Byte offsets of slots in which not all answers of both are the same, increasing.
    fn unequal(&self) -> Vec<usize> {
        let mut all = self.images.iter().flatten();
        let mut offsets = Vec::new();
        if let Some((first, _)) = all.next() {
            for (other, _) in all {
                let note = &mut |offset| offsets.push(offset);
                slots::differing(self.dtype.size(), first, other, note);
            }
        }
        offsets.sort_unstable();
        offsets.dedup();
        offsets
    }

    /// The first two answers, one of either, that differ in the slot.
    fn clash(&self, offset: usize, one_nan: bool) -> Option<(Image<'a>, Image<'a>)> {
        let slot = offset..offset + self.dtype.size();
        let same = |a: &[u8], b: &[u8]| a == b || one_nan && both_nan(self.dtype, a, b);
        self.images[0].iter().find_map(|a| {
            let mut others = self.images[1].iter();
            let b = others.find(|b| !same(&a.0[slot.clone()], &b.0[slot.clone()]))?;
            Some((*a, *b))
        })
    }
}

/// The output of every answer that ran; none if there is none or one is out of shape.
fn images<'a>(side: &Side<'a>, role: Role, len: usize) -> Option<Vec<Image<'a>>> {
    let mut images = Vec::with_capacity(side.answers.len());
    for answer in side.answers {
        if let Answer::Ran(ran) = answer {
            let body = ran.memory.get(role)?.body();
            images.push((body.len() == len).then_some((body, ran.schedule))?);
        }
    }
    (!images.is_empty()).then_some(images)
}

fn runs<'a>(side: &Side<'a>, role: Role) -> &'a [Run] {
    let operands = side.permits.map_or(&[][..], |permits| &permits.operands);
    let operand = operands.iter().find(|operand| operand.role == role);
    operand.map_or(&[], |operand| &operand.runs)
}

/// The run that covers `offset`; `passed` counts runs that end before it, and
/// offsets come in increasing order.
fn covering<'a>(runs: &'a [Run], passed: &mut usize, offset: usize) -> Option<&'a Run> {
    let over = |run: &&Run| run.offset.saturating_add(run.len) <= offset;
    *passed += runs[*passed..].iter().take_while(over).count();
    runs.get(*passed).filter(|run| run.offset <= offset)
}

/// The clauses that give either side freedom in a slot, in order.
fn freedom(ruling: [Option<&Run>; 2]) -> Vec<Clause> {
    let cited = ruling.into_iter().flatten().flat_map(|run| {
        let fixed = matches!(
            run.permit,
            Permit::Exactly { .. } | Permit::OneOf { count: 1, .. }
        );
        let own = run.freedom.or((!fixed).then_some(run.clause));
        own.into_iter().chain(run.or_kept)
    });
    let mut clauses: Vec<_> = cited.collect();
    clauses.sort_unstable();
    clauses.dedup();
    clauses
}
