//! The outputs of two parties, slot against slot.

use std::{ops::Range, ptr};

use ptodiff_contract::{Permit, Run};
use ptodiff_isa::{Clause, DType, Operand, Party, Region, Role, Schedule};

use crate::compare::{both_nan, one_nan};
use crate::coordinate::{Spot, locate_in, output};
use crate::input::{CaseContext, PartyInput};
use crate::{Answer, DESCRIBED, Differences, PairSlot, Place, Value, slots};

/// The output of one answer.
type Image<'a> = (&'a [u8], Schedule);

/// Which slots of the output may differ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Those that a run of either covers: both keep all others.
    Touched,
    /// All.
    Whole,
}

/// Bytes of an output, for each run, that are compared as quickly as it takes
/// to ask which of them runs cover.
const DENSE: usize = 256;

/// The outputs of two parties, all of the length that the output had before.
pub(crate) struct OutputComparison<'a> {
    context: &'a CaseContext<'a>,
    role: Role,
    operand: Operand<'a>,
    dtype: DType,
    before: &'a [u8],
    /// Where any answer may have another output than there was before, in order;
    /// none where that is not known, or is not worth knowing.
    apart: Option<Vec<Range<usize>>>,
    parties: [&'a Party; 2],
    answers: [&'a [Answer]; 2],
    runs: [&'a [Run]; 2],
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
        let operand = output(context.call);
        let dtype = operand.dtype();
        let region = context.before.get(role)?;
        let before = region.body();
        if before.is_empty() || !before.len().is_multiple_of(dtype.size()) {
            return None;
        }
        let inputs = [a, b];
        let whole = inputs.into_iter().all(|input| {
            let mut bodies = bodies(input.answers, role).peekable();
            bodies.peek().is_some()
                && bodies.all(|(body, _)| body.is_some_and(|body| body.len() == before.len()))
        });
        let apart = || apart(region, [a, b], role, dtype.size());
        whole.then(|| Self {
            context,
            apart: apart(),
            role,
            operand,
            dtype,
            before,
            parties: inputs.map(|input| input.party),
            answers: inputs.map(|input| input.answers),
            runs: inputs.map(|input| runs(input, role)),
        })
    }

    /// Slots of the output.
    pub(crate) const fn slots(&self) -> u64 {
        (self.before.len() / self.dtype.size()) as u64
    }

    /// Slots of the output about which both promise something.
    pub(crate) fn compared(&self) -> u64 {
        let mut runs = self.runs;
        let (mut end, mut bytes) = (0, 0);
        while let Some(run) = next_run(&mut runs) {
            if run.permit == Permit::Anything {
                let last = run.offset.saturating_add(run.len);
                bytes += last.saturating_sub(run.offset.max(end));
                end = end.max(last);
            }
        }
        (self.before.len().saturating_sub(bytes) / self.dtype.size()) as u64
    }

    /// All slots that differ between an answer of one and an answer of the other.
    pub(crate) fn differences(&self, extent: Extent) -> Differences {
        self.scan_differences(extent, |scan, offset| scan.slot(offset))
    }

    /// Calls `f` with the byte offset of every slot that differs, increasing,
    /// and whether a clause permits it.
    pub(crate) fn each_difference(&self, mut f: impl FnMut(usize, bool)) {
        self.scan_differences(Extent::Whole, |scan, offset| {
            if let Some(differing) = scan.look(offset) {
                f(offset, freedom(differing.ruling).1 > 0);
            }
        });
    }

    /// The clauses that permit all that differs in `extent`, in order, each
    /// once, and none where nothing differs. Not at all if something differs
    /// that no clause permits. Describes nothing, which saves 9 of 100
    /// instructions of a small legal case.
    pub(crate) fn permitted_by(&self, extent: Extent) -> Option<Vec<Clause>> {
        let (mut all, mut clauses) = (true, Vec::new());
        let mut last = None;
        self.scan_differences(extent, |scan, offset| {
            let ruling = scan.ruling(offset);
            if last.is_some_and(|last| same_runs(last, ruling)) {
                return;
            }
            let (permitting, count) = freedom(ruling);
            let permitting = &permitting[..count];
            // Once its clauses are known, one more slot says nothing new.
            let known = count > 0 && permitting.iter().all(|clause| clauses.contains(clause));
            if known {
                last = Some(ruling);
            } else if all && scan.look(offset).is_some() {
                all = count > 0;
                clauses.extend_from_slice(permitting);
            }
        });
        clauses.sort_unstable();
        clauses.dedup();
        all.then_some(clauses)
    }

    /// Calls `f` with every slot of which the bytes differ between two answers.
    fn scan_differences<'s>(
        &'s self,
        extent: Extent,
        mut f: impl FnMut(&mut DifferenceScan<'s>, usize),
    ) -> Differences {
        let mut all = self.images(0).chain(self.images(1));
        let Some((first, _)) = all.next() else {
            return Differences::default();
        };
        let runs = self.runs[0].len() + self.runs[1].len();
        let extent = match self.before.len().div_ceil(DENSE) {
            dense if dense <= runs + 1 => Extent::Whole,
            _ => extent,
        };
        let mut alike = true;
        self.each_range(extent, |range| {
            let same = |(other, _): Image<'_>| other[range.clone()] == first[range.clone()];
            alike = alike && all.clone().all(same);
        });
        if alike {
            return Differences::default();
        }
        let mut scan = DifferenceScan {
            comparison: self,
            passed: [0; 2],
            one_nan: one_nan(self.context.call, self.role),
            found: Differences::default(),
            last: None,
        };
        let size = self.dtype.size();
        let mut left = all.clone();
        let (second, third) = (left.next(), left.next());
        if let (Some((second, _)), None) = (second, third) {
            // Mostly either ran once: no list is made for that.
            self.each_range(extent, |range| {
                let (one, other) = (&first[range.clone()], &second[range.clone()]);
                slots::differing(size, one, other, &mut |offset| {
                    f(&mut scan, range.start + offset);
                });
            });
            return scan.found;
        }
        let mut others = Vec::new();
        self.each_range(extent, |range| {
            others.clear();
            others.extend(all.clone().map(|(other, _)| &other[range.clone()]));
            let one = &first[range.clone()];
            slots::differing_from_any(size, one, &others, &mut |offset| {
                f(&mut scan, range.start + offset);
            });
        });
        scan.found
    }

    /// The outputs of every answer of party `i`.
    fn images(&self, i: usize) -> impl Iterator<Item = Image<'a>> + Clone {
        let bodies = bodies(self.answers[i], self.role);
        bodies.filter_map(|(body, schedule)| Some((body?, schedule)))
    }

    /// The ranges of the output that make up `extent`, increasing.
    fn each_range(&self, extent: Extent, mut f: impl FnMut(Range<usize>)) {
        let whole = self.before.len();
        if extent == Extent::Whole {
            return match &self.apart {
                Some(parts) => parts.iter().cloned().for_each(f),
                None => f(0..whole),
            };
        }
        let mut runs = self.runs;
        let mut range = 0..0;
        while let Some(run) = next_run(&mut runs) {
            let end = run.offset.saturating_add(run.len).min(whole);
            if run.offset > range.end {
                f(range);
                range = run.offset.min(whole)..end;
            }
            range.end = range.end.max(end);
        }
        f(range);
    }
}

/// Slots that differ, one by one.
struct DifferenceScan<'a> {
    comparison: &'a OutputComparison<'a>,
    /// Runs of either that end before the slot at hand.
    passed: [usize; 2],
    one_nan: bool,
    found: Differences,
    /// The runs over the slot counted last, and its place: another one like it
    /// needs no description once enough are.
    last: Option<([Option<&'a Run>; 2], Place)>,
}

/// A slot that differs.
struct Differing<'a> {
    /// The run over it, of either.
    ruling: [Option<&'a Run>; 2],
    /// The first two answers, one of either, that differ there.
    images: (Image<'a>, Image<'a>),
    spot: Spot,
    place: Place,
}

impl<'a> DifferenceScan<'a> {
    /// The run of either that covers the slot at byte `offset`; offsets never
    /// become smaller.
    fn ruling(&mut self, offset: usize) -> [Option<&'a Run>; 2] {
        let ([left, right], [a, b]) = (self.comparison.runs, &mut self.passed);
        [covering(left, a, offset), covering(right, b, offset)]
    }

    /// The slot at byte `offset`, if it differs; offsets never become smaller.
    fn look(&mut self, offset: usize) -> Option<Differing<'a>> {
        let OutputComparison { context, dtype, .. } = *self.comparison;
        let ruling = self.ruling(offset);
        let one_nan = self.one_nan && ruling[0].is_some() && ruling[1].is_some();
        let images = self.pair(offset, one_nan)?;
        let element = offset / dtype.size();
        let spot = locate_in(self.comparison.operand, context.call.mode(), element as u64);
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
            ruling,
            images,
            spot,
            place,
        })
    }

    /// Counts and describes the slot at byte `offset`, as [`DifferenceScan::look`].
    fn slot(&mut self, offset: usize) {
        let Some(Differing {
            ruling,
            images: (a, b),
            spot,
            place,
        }) = self.look(offset)
        else {
            return;
        };
        let OutputComparison {
            context,
            role,
            dtype,
            before,
            ..
        } = *self.comparison;
        let element = offset / dtype.size();
        let found = &mut self.found;
        found.slots += 1;
        let enough = found.slots > DESCRIBED as u64;
        if enough
            && self
                .last
                .is_some_and(|(last, at)| at == place && same_runs(last, ruling))
        {
            return;
        }
        self.last = Some((ruling, place));
        let (clauses, count) = freedom(ruling);
        let clauses = &clauses[..count];
        let [left, right] = ruling;
        let ruled = [left.map(|run| run.clause), right.map(|run| run.clause)];
        // Without a clause that permits it, the clauses that clash are the kind.
        let known = |slot: &PairSlot| {
            let alike = !clauses.is_empty() || slot.ruled == ruled;
            slot.place == place && slot.clauses == clauses && alike
        };
        if enough && found.described.iter().any(known) {
            return;
        }
        let read = |bytes: &[u8]| Value::read(dtype, &bytes[offset..]);
        let [left, right] = self.comparison.parties;
        let lanes = |party| (context.lanes)(party, role, element);
        found.described.push(PairSlot {
            role,
            offset,
            element,
            coordinate: spot.coordinate,
            place,
            before: read(before),
            got: [read(a.0), read(b.0)],
            schedules: [a.1, b.1],
            lanes: [lanes(left), lanes(right)],
            ruled,
            clauses: clauses.to_vec(),
        });
    }

    /// The first two answers, one of either, that differ in the slot.
    fn pair(&self, offset: usize, one_nan: bool) -> Option<(Image<'a>, Image<'a>)> {
        let dtype = self.comparison.dtype;
        let slot = offset..offset + dtype.size();
        let same = |a: &[u8], b: &[u8]| a == b || one_nan && both_nan(dtype, a, b);
        self.comparison.images(0).find_map(|a| {
            let mut others = self.comparison.images(1);
            let b = others.find(|b| !same(&a.0[slot.clone()], &b.0[slot.clone()]))?;
            Some((a, b))
        })
    }
}

/// Where any answer of two may have left something else than stood in `before`, a
/// sparse output, in order.
fn apart(
    before: &Region,
    inputs: [&PartyInput<'_>; 2],
    role: Role,
    size: usize,
) -> Option<Vec<Range<usize>>> {
    if !before.is_sparse() {
        return None;
    }
    let mut all = Vec::new();
    for ran in inputs
        .iter()
        .flat_map(|input| input.answers)
        .filter_map(Answer::ran)
    {
        all.extend(before.apart(ran.memory.get(role)?, size));
    }
    all.sort_unstable_by_key(|part| part.start);
    let mut parts: Vec<Range<usize>> = Vec::new();
    for part in all {
        match parts.last_mut() {
            Some(last) if part.start <= last.end => last.end = last.end.max(part.end),
            _ => parts.push(part),
        }
    }
    Some(parts)
}

/// What the operand that plays `role` holds after every answer that ran, if it
/// is there.
fn bodies(
    answers: &[Answer],
    role: Role,
) -> impl Iterator<Item = (Option<&[u8]>, Schedule)> + Clone {
    answers.iter().filter_map(Answer::ran).map(move |ran| {
        let body = ran.memory.get(role).map(|region| region.body());
        (body, ran.schedule)
    })
}

fn runs<'a>(input: &PartyInput<'a>, role: Role) -> &'a [Run] {
    let operands = input.permits.map_or(&[][..], |permits| &permits.operands);
    let operand = operands.iter().find(|operand| operand.role == role);
    operand.map_or(&[], |operand| &operand.runs)
}

fn same_runs(a: [Option<&Run>; 2], b: [Option<&Run>; 2]) -> bool {
    let same = |a: Option<&Run>, b: Option<&Run>| match (a, b) {
        (Some(a), Some(b)) => ptr::eq(a, b),
        (None, None) => true,
        _ => false,
    };
    same(a[0], b[0]) && same(a[1], b[1])
}

/// Takes the run that begins first from the front of either list.
fn next_run<'a>(runs: &mut [&'a [Run]; 2]) -> Option<&'a Run> {
    let [a, b] = *runs;
    let first = match (a.first(), b.first()) {
        (Some(a), Some(b)) => usize::from(b.offset < a.offset),
        (None, _) => 1,
        (_, None) => 0,
    };
    let (run, left) = runs[first].split_first()?;
    runs[first] = left;
    Some(run)
}

/// The run that covers `offset`; `passed` counts runs that end before it, and
/// offsets come in increasing order.
fn covering<'a>(runs: &'a [Run], passed: &mut usize, offset: usize) -> Option<&'a Run> {
    while let Some(run) = runs.get(*passed) {
        if run.offset.saturating_add(run.len) > offset {
            return (run.offset <= offset).then_some(run);
        }
        *passed += 1;
    }
    None
}

/// The clauses that give either side freedom in a slot, in order, and how many
/// they are.
fn freedom(ruling: [Option<&Run>; 2]) -> ([Clause; 4], usize) {
    let (mut clauses, mut count) = ([Clause(""); 4], 0);
    for run in ruling.into_iter().flatten() {
        let fixed = matches!(
            run.permit,
            Permit::Exactly { .. } | Permit::OneOf { count: 1, .. }
        );
        let own = run.freedom.or((!fixed).then_some(run.clause));
        for clause in [own, run.or_kept].into_iter().flatten() {
            if !clauses[..count].contains(&clause) {
                clauses[count] = clause;
                count += 1;
            }
        }
    }
    clauses[..count].sort_unstable();
    (clauses, count)
}

#[cfg(test)]
mod tests;
