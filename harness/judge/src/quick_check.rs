//! One look at an operand after a call: whether it holds what it may. Where it
//! does there is nothing to describe.

use std::ops::Range;

use ptodiff_isa::Region;

use crate::Value;
use crate::value::between;

/// A look that goes along with the runs of an operand, in their order. All
/// slots lie in its body.
pub(crate) trait QuickCheck {
    /// Slots that no run covers; at least one.
    fn gap(&mut self, slots: Range<usize>);

    /// Slots from `from` on that must hold `bytes`, which stand at `at` in the pool.
    fn exactly(&mut self, from: usize, at: usize, bytes: &[u8]);

    /// Slots that may hold one of several images.
    fn one_of(&mut self, slots: Range<usize>, images: &[u8]);

    /// A slot that may hold what lies between two bounds.
    fn between(&mut self, slot: Range<usize>, bounds: [Value; 2]);

    /// Slots that may hold anything.
    fn open(&mut self, slots: Range<usize>);

    /// Whether all was well, guard zones but for free ones included, now that
    /// the last slot of the body was seen.
    fn ends_well(self, guards_free: bool) -> bool;
}

/// There is nothing to look at, and so nothing is well.
pub(crate) struct Nothing;

impl QuickCheck for Nothing {
    fn gap(&mut self, _: Range<usize>) {}

    fn exactly(&mut self, _: usize, _: usize, _: &[u8]) {}

    fn one_of(&mut self, _: Range<usize>, _: &[u8]) {}

    fn between(&mut self, _: Range<usize>, _: [Value; 2]) {}

    fn open(&mut self, _: Range<usize>) {}

    fn ends_well(self, _: bool) -> bool {
        false
    }
}

/// Makes what must be there and compares it in one piece: many runs over few bytes.
pub(crate) struct Whole<'a> {
    after: &'a Region,
    /// Guard zone, body, guard zone as they must be.
    image: &'a mut [u8],
    well: bool,
}

impl<'a> Whole<'a> {
    /// At `after`, of the shape of `before`. What must be there is made in `scratch`.
    #[inline]
    pub(crate) fn new(before: &Region, after: &'a Region, scratch: &'a mut Vec<u8>) -> Self {
        scratch.clear();
        scratch.extend_from_slice(before.bytes());
        Self {
            after,
            image: scratch,
            well: true,
        }
    }

    /// Takes what stands there for what must stand there.
    #[inline]
    fn take(&mut self, slots: Range<usize>) {
        let got = &self.after.body()[slots.clone()];
        put(&mut self.image[self.after.body_range()][slots], got);
    }
}

impl QuickCheck for Whole<'_> {
    #[inline]
    fn gap(&mut self, _: Range<usize>) {}

    #[inline]
    fn exactly(&mut self, from: usize, _: usize, bytes: &[u8]) {
        let from = self.after.body_range().start + from;
        put(&mut self.image[from..from + bytes.len()], bytes);
    }

    #[inline]
    fn one_of(&mut self, slots: Range<usize>, images: &[u8]) {
        self.well = self.well && is_one_of(&self.after.body()[slots.clone()], images);
        self.take(slots);
    }

    #[inline]
    fn between(&mut self, slot: Range<usize>, bounds: [Value; 2]) {
        self.well = self.well && lies(&self.after.body()[slot.clone()], bounds);
        self.take(slot);
    }

    #[inline]
    fn open(&mut self, slots: Range<usize>) {
        self.take(slots);
    }

    #[inline]
    fn ends_well(self, guards_free: bool) -> bool {
        let Self { after, image, well } = self;
        well && match guards_free {
            true => image[after.body_range()] == *after.body(),
            false => *image == *after.bytes(),
        }
    }
}

/// Compares run by run: few runs over many bytes.
pub(crate) struct Piecewise<'a> {
    before: &'a Region,
    after: &'a Region,
    pool: &'a [u8],
    /// Their bodies.
    was: &'a [u8],
    is: &'a [u8],
    /// The parts of large regions that may differ, in order; none where that is not known.
    apart: Option<Vec<Range<usize>>>,
    /// Whether all that was looked at was well.
    well: bool,
    /// Slots that must hold what stands in the pool from `at` on, not yet
    /// looked at: adjacent runs have mostly adjacent bytes there.
    exact: Range<usize>,
    at: usize,
}

impl<'a> Piecewise<'a> {
    /// At `after`, of the shape of `before`, with this pool.
    #[inline]
    pub(crate) fn new(before: &'a Region, after: &'a Region, pool: &'a [u8]) -> Self {
        Self {
            before,
            after,
            pool,
            was: before.body(),
            is: after.body(),
            apart: before.may_differ(after).map(in_order),
            well: true,
            exact: 0..0,
            at: 0,
        }
    }
}

impl QuickCheck for Piecewise<'_> {
    #[inline]
    fn gap(&mut self, slots: Range<usize>) {
        if self.well {
            self.well = match &self.apart {
                None => same(&self.was[slots.clone()], &self.is[slots]),
                Some(parts) => self.same_beside(parts, slots),
            };
        }
    }

    #[inline]
    fn exactly(&mut self, from: usize, at: usize, bytes: &[u8]) {
        let follows = self.exact.end == from && self.at + self.exact.len() == at;
        if !follows {
            self.look_back();
            (self.exact, self.at) = (from..from, at);
        }
        self.exact.end += bytes.len();
    }

    #[inline]
    fn one_of(&mut self, slots: Range<usize>, images: &[u8]) {
        self.well = self.well && is_one_of(&self.is[slots], images);
    }

    #[inline]
    fn between(&mut self, slot: Range<usize>, bounds: [Value; 2]) {
        self.well = self.well && lies(&self.is[slot], bounds);
    }

    #[inline]
    fn open(&mut self, _: Range<usize>) {}

    #[inline]
    fn ends_well(mut self, guards_free: bool) -> bool {
        self.look_back();
        self.well && (guards_free || guards_kept(self.before, self.after))
    }
}

impl Piecewise<'_> {
    /// Whether slots are as they were of regions that differ at most in `parts`.
    fn same_beside(&self, parts: &[Range<usize>], slots: Range<usize>) -> bool {
        let body = self.before.body_range();
        let (start, end) = (body.start + slots.start, body.start + slots.end);
        let first = parts.partition_point(|part| part.end <= start);
        let parts = parts[first..].iter().take_while(|part| part.start < end);
        let (was, is) = (self.before.bytes(), self.after.bytes());
        parts
            .map(|part| part.start.max(start)..part.end.min(end))
            .all(|part| was[part.clone()] == is[part])
    }

    /// Looks at the slots that wait for it.
    #[inline]
    fn look_back(&mut self) {
        if self.well && !self.exact.is_empty() {
            let got = &self.is[self.exact.clone()];
            self.well = same(got, &self.pool[self.at..self.at + got.len()]);
        }
    }
}

fn in_order(parts: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut parts: Vec<_> = parts.collect();
    parts.sort_unstable_by_key(|part| part.start);
    parts
}

/// Whether the guard zones of an operand are as they were.
fn guards_kept(before: &Region, after: &Region) -> bool {
    let (was, is, body) = (before.bytes(), after.bytes(), before.body_range());
    same(&was[..body.start], &is[..body.start]) && same(&was[body.end..], &is[body.end..])
}

fn is_one_of(got: &[u8], images: &[u8]) -> bool {
    let mut images = images.chunks_exact(got.len());
    images.any(|image| same(image, got))
}

fn lies(got: &[u8], [low, high]: [Value; 2]) -> bool {
    between(low, high, Value::read(low.dtype, got))
}

/// Whether two slices of one length are the same: most are short, and quicker
/// to compare here than elsewhere.
#[inline]
fn same(a: &[u8], b: &[u8]) -> bool {
    match a.len() {
        4 => a.first_chunk::<4>() == b.first_chunk(),
        8..=16 => a.first_chunk::<8>() == b.first_chunk() && a.last_chunk::<8>() == b.last_chunk(),
        _ => a == b,
    }
}

/// Copies between slices of one length: most are short, and quicker to copy
/// here than elsewhere.
#[inline]
fn put(to: &mut [u8], bytes: &[u8]) {
    match bytes.len() {
        4 => to[..4].copy_from_slice(&bytes[..4]),
        len @ 8..=16 => {
            to[..8].copy_from_slice(&bytes[..8]);
            to[len - 8..].copy_from_slice(&bytes[len - 8..]);
        }
        _ => to.copy_from_slice(bytes),
    }
}

#[cfg(test)]
mod tests;
