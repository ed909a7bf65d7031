//! Memory that is used again from operand to operand and from case to case.

use std::fmt;

use ptodiff_isa::Memory;

use crate::region_cache::RegionCache;
use crate::shuffle::Shuffle;

/// Buffers whose contents mean nothing: all are equal, and a copy has none.
#[derive(Default)]
pub(crate) struct Buffers {
    /// What regions were made of.
    pub(crate) spare: Vec<Vec<u8>>,
    /// Regions that need not be made again.
    pub(crate) region_cache: RegionCache,
    /// An operand's values in logical order.
    pub(crate) values: Vec<u8>,
    /// For indices.
    pub(crate) numbers: Numbers,
}

/// What indices are drawn in.
#[derive(Default)]
pub(crate) struct Numbers {
    /// The indices, in slots.
    pub(crate) indices: Vec<u64>,
    /// Numbers that they are made from.
    pub(crate) drawn: Vec<u64>,
    /// For draws without replacement.
    pub(crate) shuffle: Shuffle,
}

impl Buffers {
    /// Makes `steps` so many memories without regions, keeping what those were
    /// made of: that of the first region comes last, where it is taken first.
    pub(crate) fn clear(&mut self, steps: &mut Vec<Memory>, count: usize) {
        let Self {
            spare,
            region_cache,
            ..
        } = self;
        region_cache.give_up(spare);
        for memory in steps.iter_mut().rev() {
            while let Some(region) = memory.regions.pop() {
                match region.backdrop() {
                    None => spare.push(region.into_bytes()),
                    Some(backdrop) => spare.extend(region_cache.keep(backdrop, region)),
                }
            }
        }
        region_cache.forget();
        if steps.len() != count {
            steps.resize_with(count, Memory::default);
        }
    }
}

impl Clone for Buffers {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Buffers {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Buffers {}

impl fmt::Debug for Buffers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Buffers")
    }
}
