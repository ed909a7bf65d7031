//! Large regions of which nothing is drawn: they are kept for the next
//! stimulus that has the same one, instead of being made again.

use std::{
    mem::{Discriminant, discriminant},
    ops::Range,
};

use ptodiff_case::Fill;
use ptodiff_isa::{Backdrop, DType, Region, Role};

/// All that the bytes of a region depend on whose operand is dense and of which
/// nothing is drawn.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Recipe {
    role: Role,
    dtype: DType,
    fill: Discriminant<Fill>,
    /// Where the operand lies.
    body: Range<usize>,
    /// Bytes, guard zones included.
    len: usize,
}

impl Recipe {
    /// That of the operand that plays `role`, of elements of `dtype` and filled
    /// with `fill`; none if that draws or has bytes of its own.
    pub(crate) fn new(
        role: Role,
        dtype: DType,
        fill: &Fill,
        (body, len): (Range<usize>, usize),
    ) -> Option<Self> {
        let known = match fill {
            Fill::Zeros
            | Fill::Ramp
            | Fill::RampBits
            | Fill::Eighths
            | Fill::Special
            | Fill::Arange
            | Fill::Poison => true,
            Fill::Distinct
            | Fill::RandomBits
            | Fill::SmallInts
            | Fill::Percent
            | Fill::Literal(_)
            | Fill::Rows(_) => false,
        };
        known.then(|| Self {
            role,
            dtype,
            fill: discriminant(fill),
            body,
            len,
        })
    }
}

/// What was made of which recipe.
#[derive(Default)]
pub(crate) struct RegionCache {
    /// In the stimulus at hand.
    made: Vec<(Backdrop, Recipe)>,
    /// In the one before, and as it was.
    kept: Vec<(Recipe, Region)>,
}

impl RegionCache {
    /// One made of `recipe` before, if it is kept.
    #[inline]
    pub(crate) fn take(&mut self, recipe: impl FnOnce() -> Option<Recipe>) -> Option<Region> {
        if self.kept.is_empty() {
            return None;
        }
        let recipe = recipe()?;
        let at = self.kept.iter().position(|(of, _)| *of == recipe)?;
        Some(self.kept.swap_remove(at).1)
    }

    /// Remembers what the region of `backdrop` was made of.
    pub(crate) fn note(&mut self, backdrop: Backdrop, recipe: Option<Recipe>) {
        self.made.extend(recipe.map(|recipe| (backdrop, recipe)));
    }

    /// Gives up what is kept, to `spare`: memory to make other regions of.
    #[inline]
    pub(crate) fn give_up(&mut self, spare: &mut Vec<Vec<u8>>) {
        while let Some((_, region)) = self.kept.pop() {
            spare.push(region.into_bytes());
        }
    }

    /// Keeps `region` of the stimulus at hand, which is as it was made, for the
    /// next one; gives its memory back where something in it was drawn.
    pub(crate) fn keep(&mut self, backdrop: Backdrop, region: Region) -> Option<Vec<u8>> {
        let Some(at) = self.made.iter().position(|(of, _)| *of == backdrop) else {
            return Some(region.into_bytes());
        };
        self.kept.push((self.made.swap_remove(at).1, region));
        None
    }

    /// Forgets the stimulus at hand, of which all was kept that is to be.
    pub(crate) fn forget(&mut self) {
        self.made.clear();
    }
}
