//! The outputs of two parties, slot against slot.

use std::ops::Range;

use ptodiff_contract::{OperandPermits, Permit, Run};
use ptodiff_isa::{Clause, DType, Role, Schedule};

use crate::clauses::sorted;
use crate::compare::{both_nan, one_nan};
use crate::coordinate::{Spot, locate};
use crate::input::{CaseContext, PartyInput};
use crate::{Answer, Differences, PairSlot, Place, Value, slots};

/// The output of one answer.
type Image<'a> = (&'a [u8], Schedule);

/// The outputs of two parties, all of the length that the output had before.
pub(crate) struct OutputComparison<'a> {
    context: &'a CaseContext<'a>,
    role: Role,
    dtype: DType,
    before: &'a [u8],
    /// Where any answer may have another output than there was before, in order.
    apart: Vec<Range<usize>>,
    images: [Vec<Image<'a>>; 2],
    /// What either is promised of the output.
    promised: [Option<&'a OperandPermits>; 2],
}

/// A slot that differs.
struct Differing<'a> {
    /// Byte offset in the output's body.
    offset: usize,
    /// The run over it, of either.
    ruling: [Option<&'a Run>; 2],
    /// The first two answers, one of either, that differ there.
    images: [Image<'a>; 2],
    spot: Spot,
    place: Place,
}

impl<'a> OutputComparison<'a> {
    /// None if one did not run, or if an output is missing, empty, not whole
    /// slots, or of another length.
    pub(crate) fn new(
        context: &'a CaseContext<'a>,
        a: &PartyInput<'a>,
        b: &PartyInput<'a>,
    ) -> Option<Self> {
        let role = context.call.output();
        let dtype = context.call.operand(role)?.dtype();
        let region = context.before.get(role)?;
        let before = region.body();
        if before.is_empty() || !before.len().is_multiple_of(dtype.size()) {
            return None;
        }
        let (mut apart, mut images) = (Vec::new(), [Vec::new(), Vec::new()]);
        for (input, images) in [a, b].into_iter().zip(&mut images) {
            for ran in input.answers.iter().filter_map(Answer::ran) {
                let after = ran.memory.get(role)?;
                if after.body().len() != before.len() {
                    return None;
                }
                apart.extend(region.apart(after, dtype.size()));
                images.push((after.body(), ran.schedule));
            }
            if images.is_empty() {
                return None;
            }
        }
        Some(Self {
            context,
            role,
            dtype,
            before,
            apart: united(apart),
            images,
            promised: [a, b].map(|input| input.permits?.of(role)),
        })
    }

    /// Slots of the output about which both promise something.
    pub(crate) fn compared(&self) -> u64 {
        let both = self.promised.into_iter().flatten();
        let open = both.flat_map(OperandPermits::open);
        let open = united(open.map(|run| run.offset..run.offset + run.len).collect());
        let bytes: usize = open.iter().map(ExactSizeIterator::len).sum();
        ((self.before.len() - bytes) / self.dtype.size()) as u64
    }

    /// All slots that differ between an answer of one and an answer of the other.
    pub(crate) fn differences(&self) -> Differences {
        let mut found = Differences::default();
        self.each(|slot| self.note(&mut found, &slot));
        found
    }

    /// Calls `f` with the byte offset of every slot that differs, increasing,
    /// and whether a clause permits it.
    pub(crate) fn each_difference(&self, mut f: impl FnMut(usize, bool)) {
        self.each(|slot| f(slot.offset, freedom(slot.ruling).next().is_some()));
    }

    fn each(&self, mut f: impl FnMut(Differing<'a>)) {
        let mut all = self.images.iter().flatten().map(|(body, _)| *body);
        let Some(first) = all.next() else { return };
        let others: Vec<&[u8]> = all.collect();
        for part in &self.apart {
            slots::differing(self.dtype.size(), part.clone(), first, &others, |offset| {
                if let Some(slot) = self.look(offset) {
                    f(slot);
                }
            });
        }
    }

    /// The slot at byte `offset`, if it differs between the two.
    fn look(&self, offset: usize) -> Option<Differing<'a>> {
        let ruling = self.promised.map(|promised| promised?.run_at(offset));
        let written = ruling.iter().all(Option::is_some);
        let one_nan = written && one_nan(self.context.call, self.role);
        let slot = offset..offset + self.dtype.size();
        let same = |a: &[u8], b: &[u8]| a == b || one_nan && both_nan(self.dtype, a, b);
        let images = self.images[0].iter().find_map(|a| {
            let mut others = self.images[1].iter();
            let b = others.find(|b| !same(&a.0[slot.clone()], &b.0[slot.clone()]))?;
            Some([*a, *b])
        })?;
        let element = (offset / self.dtype.size()) as u64;
        let spot = locate(self.context.call, self.role, element);
        let place = if spot.valid {
            Place::Valid
        } else {
            Place::Padding
        };
        let free = |run: &Run| run.permit == Permit::Anything;
        if place == Place::Padding && ruling.into_iter().flatten().any(free) {
            return None;
        }
        Some(Differing {
            offset,
            ruling,
            images,
            spot,
            place,
        })
    }

    /// Counts `slot` in `found`, and describes it if few are or if it is the first of its kind.
    fn note(&self, found: &mut Differences, slot: &Differing<'_>) {
        let Differing { offset, place, .. } = *slot;
        found.slots += 1;
        let clauses = || freedom(slot.ruling);
        let ruled = slot.ruling.map(|run| run.map(|run| run.clause));
        let known = |known: &PairSlot| {
            known.place == place
                && clauses().all(|clause| known.clauses.contains(&clause))
                && (known.clauses.iter()).all(|known| clauses().any(|clause| clause == *known))
                // Without a clause that permits it, the clauses that clash are the kind.
                && (!known.clauses.is_empty() || known.ruled == ruled)
        };
        if found.slots > self.context.described() && found.described.iter().any(known) {
            return;
        }
        let element = offset / self.dtype.size();
        let read = |bytes: &[u8]| Value::read(self.dtype, &bytes[offset..]);
        found.described.push(PairSlot {
            role: self.role,
            offset,
            element,
            coordinate: slot.spot.coordinate,
            place,
            before: read(self.before),
            got: slot.images.map(|(body, _)| read(body)),
            schedules: slot.images.map(|(_, schedule)| schedule),
            ruled,
            clauses: sorted(clauses()),
        });
    }
}

/// The same bytes in ranges that are in order and do not touch.
fn united(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut all: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match all.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => all.push(range),
        }
    }
    all
}

/// The clauses that give either side freedom in a slot.
fn freedom(ruling: [Option<&Run>; 2]) -> impl Iterator<Item = Clause> {
    let of_one = |run: &Run| {
        let fixed = matches!(
            run.permit,
            Permit::Exactly { .. } | Permit::OneOf { count: 1, .. }
        );
        let own = run.freedom.or((!fixed).then_some(run.clause));
        [own, run.or_kept].into_iter().flatten()
    };
    ruling.into_iter().flatten().flat_map(of_one)
}
