//! One look at an operand after a call: whether it holds what it may. Where it
//! does there is nothing to describe.

use std::ops::Range;

use ptodiff_isa::Region;

use crate::Value;
use crate::compare::between;

/// A look that goes along with the runs of an operand, in their order.
pub(crate) struct Glance<'a> {
    /// The bodies before and after; the same where there is nothing to look at.
    was: &'a [u8],
    is: &'a [u8],
    /// Whether all that was looked at was well.
    well: bool,
    /// Slots that must hold what stands in the pool from `at` on, not yet
    /// looked at: adjacent runs have mostly adjacent bytes there.
    exact: Range<usize>,
    at: usize,
}

impl<'a> Glance<'a> {
    /// At `after`, of the shape of `before`; not well without it.
    #[inline]
    pub(crate) fn new(before: &'a Region, after: Option<&'a Region>) -> Self {
        let was = before.body();
        Self {
            was,
            is: after.map_or(was, Region::body),
            well: after.is_some(),
            exact: 0..0,
            at: 0,
        }
    }

    /// Slots that no run covers.
    #[inline]
    pub(crate) fn gap(&mut self, slots: Range<usize>) {
        if self.well && !slots.is_empty() {
            self.well = same(&self.was[slots.clone()], &self.is[slots]);
        }
    }

    /// `len` bytes from `from` on that must be those at `at` in the pool.
    #[inline]
    pub(crate) fn exactly(&mut self, from: usize, pool: &[u8], at: usize, len: usize) {
        let follows = self.exact.end == from && self.at + self.exact.len() == at;
        if !follows {
            self.look_back(pool);
            (self.exact, self.at) = (from..from, at);
        }
        self.exact.end += len;
    }

    /// Slots that may hold one of several images.
    #[inline]
    pub(crate) fn one_of(&mut self, slots: Range<usize>, images: &[u8]) {
        if self.well {
            let got = &self.is[slots];
            let mut images = images.chunks_exact(got.len());
            self.well = images.any(|image| same(image, got));
        }
    }

    /// A slot that may hold what lies between two bounds.
    #[inline]
    pub(crate) fn between(&mut self, slot: Range<usize>, [low, high]: [Value; 2]) {
        let got = Value::read(low.dtype, &self.is[slot]);
        self.well = self.well && between(low, high, got);
    }

    /// Whether all was well, now that the last run was seen.
    #[inline]
    pub(crate) fn ends_well(mut self, pool: &[u8]) -> bool {
        self.look_back(pool);
        self.well
    }

    /// Looks at the slots that wait for it.
    #[inline]
    fn look_back(&mut self, pool: &[u8]) {
        if self.well && !self.exact.is_empty() {
            let got = &self.is[self.exact.clone()];
            self.well = same(got, &pool[self.at..self.at + got.len()]);
        }
    }
}

/// Whether the guard zones of an operand are as they were.
pub(crate) fn guards_kept(before: &Region, after: &Region) -> bool {
    let (was, is, body) = (before.bytes(), after.bytes(), before.body_range());
    same(&was[..body.start], &is[..body.start]) && same(&was[body.end..], &is[body.end..])
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
