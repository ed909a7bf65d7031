//! MSCATTER by element, from elements and indices without gaps.

use ptodiff_isa::Strays;

use crate::bounds::{Below, Bounds, Remap, Total};
use crate::combine::Combine;
use crate::layout::span;
use crate::operand::Output;
use crate::watch::{Quiet, Watch};

/// Elements whose index is their slot, up to the first that leaves the table:
/// how many are left.
pub(super) fn own<const W: usize, C: Combine<W>>(
    table: &mut [u8],
    new: &[u8],
    words: &[[u8; 4]],
) -> usize {
    let slots = table.as_chunks_mut().0;
    words.len() - until_stray::<W, 4, C>(slots, new.as_chunks().0, words, u32::from_le_bytes)
}

/// Elements whose sources and indices are the tiles' own bytes.
pub(super) fn elements<const W: usize, C: Combine<W>>(
    table: &mut Output<'_>,
    new: &[u8],
    words: &[[u8; 4]],
    bounds: Bounds,
    strays: &mut Strays,
) {
    let new = new.as_chunks().0;
    match bounds {
        Bounds::Unchecked(it) => bounded::<W, C>(table, new, words, it, strays),
        Bounds::Below(it) => below::<W, C>(table, new, words, it, strays),
        Bounds::Clamped(it) => bounded::<W, C>(table, new, words, it, strays),
        Bounds::Wrapped(it) => bounded::<W, C>(table, new, words, it, strays),
    }
}

/// One row of elements under bounds that every element passes.
#[inline]
fn bounded<const W: usize, C: Combine<W>>(
    table: &mut Output<'_>,
    src: &[[u8; W]],
    words: &[[u8; 4]],
    remap: impl Total,
    strays: &mut Strays,
) {
    let select = |word| remap.chosen(u32::from_le_bytes(word));
    lanes::<W, 4, C>(table, src, words, select, strays);
}

/// The same under bounds that some elements do not pass.
#[inline(never)]
fn below<const W: usize, C: Combine<W>>(
    table: &mut Output<'_>,
    src: &[[u8; W]],
    words: &[[u8; 4]],
    bounds: Below,
    strays: &mut Strays,
) {
    let lanes = words.iter().map(|word| u32::from_le_bytes(*word)).zip(src);
    let Some(slots) = bounds.among_mut(table.body.as_chunks_mut().0) else {
        for (index, &new) in lanes {
            if let Some(slot) = bounds.slot(index) {
                let at = span(u64::from(slot), W);
                put::<W, C>(table, at, new, &mut Quiet { strays });
            }
        }
        return;
    };
    // Which lanes pass is hard to foretell, so the others store as well, but
    // where nobody looks.
    let mut nowhere = [0; W];
    let mut put = |word, new| {
        let index = u32::from_le_bytes(word) as usize;
        let slot = slots.get_mut(index).unwrap_or(&mut nowhere);
        *slot = C::combine(*slot, new);
    };
    let (eights, rest) = src.as_chunks::<8>();
    let (words, others) = words.as_chunks::<8>();
    for (eight, words) in eights.iter().zip(words) {
        for k in 0..8 {
            put(words[k], eight[k]);
        }
    }
    for (&new, &word) in rest.iter().zip(others) {
        put(word, new);
    }
}

/// One row of elements whose sources and indices are the tiles' own bytes;
/// `select` turns an index of `I` bytes into a slot of `table`.
/// A function of its own: inlined, it runs out of registers.
#[inline(never)]
pub(crate) fn lanes<const W: usize, const I: usize, C: Combine<W>>(
    table: &mut Output<'_>,
    mut src: &[[u8; W]],
    mut indices: &[[u8; I]],
    select: impl Fn([u8; I]) -> u32,
    strays: &mut Strays,
) {
    // A lane that leaves the table is handled here, then the others go on.
    loop {
        let slots = table.body.as_chunks_mut().0;
        let lane = until_stray::<W, I, C>(slots, src, indices, &select);
        let (Some(&new), Some(&index)) = (src.get(lane), indices.get(lane)) else {
            return;
        };
        let at = span(u64::from(select(index)), W);
        put::<W, C>(table, at, new, &mut Quiet { strays });
        (src, indices) = (&src[lane + 1..], &indices[lane + 1..]);
    }
}

/// Lanes up to the first that leaves `slots`: how many.
#[inline]
fn until_stray<const W: usize, const I: usize, C: Combine<W>>(
    slots: &mut [[u8; W]],
    src: &[[u8; W]],
    indices: &[[u8; I]],
    select: impl Fn([u8; I]) -> u32,
) -> usize {
    let lanes = src.len().min(indices.len());
    let (src, indices) = (&src[..lanes], &indices[..lanes]);
    let mut put = |index, new| {
        let Some(old) = slots.get_mut(select(index) as usize) else {
            return false;
        };
        *old = C::combine(*old, new);
        true
    };
    let (eights, rest) = src.as_chunks::<8>();
    let (indices, others) = indices.as_chunks::<8>();
    let mut lane = 0;
    for (eight, indices) in eights.iter().zip(indices) {
        for k in 0..8 {
            if !put(indices[k], eight[k]) {
                return lane + k;
            }
        }
        lane += 8;
    }
    for (&new, &index) in rest.iter().zip(others) {
        if !put(index, new) {
            return lane;
        }
        lane += 1;
    }
    lane
}

/// Combines `new` into the table at byte `at`.
pub(super) fn put<const W: usize, C: Combine<W>>(
    table: &mut Output<'_>,
    at: i64,
    new: [u8; W],
    watch: &mut impl Watch,
) {
    let old = if C::READS { table.load(at, watch) } else { new };
    table.store(at, C::combine(old, new), watch);
}
