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
    let new = new.as_chunks().0;
    let put = into::<W, 4, C>(table.as_chunks_mut().0, u32::from_le_bytes);
    let took = if C::BRIEF {
        by_words(new, words, put)
    } else {
        one_by_one(new, words, put)
    };
    words.len() - took
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
    one_by_one(src, words, |word, new| {
        let index = u32::from_le_bytes(word) as usize;
        let slot = slots.get_mut(index).unwrap_or(&mut nowhere);
        *slot = C::combine(*slot, new);
        true
    });
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
        let lane = one_by_one(src, indices, into::<W, I, C>(slots, &select));
        let (Some(&new), Some(&index)) = (src.get(lane), indices.get(lane)) else {
            return;
        };
        let at = span(u64::from(select(index)), W);
        put::<W, C>(table, at, new, &mut Quiet { strays });
        (src, indices) = (&src[lane + 1..], &indices[lane + 1..]);
    }
}

/// What puts the element of a lane into the one of `slots` that `select` makes of its
/// index, and refuses a lane that leaves them.
#[inline]
fn into<const W: usize, const I: usize, C: Combine<W>>(
    slots: &mut [[u8; W]],
    select: impl Fn([u8; I]) -> u32,
) -> impl FnMut([u8; I], [u8; W]) -> bool {
    move |index, new| {
        let Some(old) = slots.get_mut(select(index) as usize) else {
            return false;
        };
        *old = C::combine(*old, new);
        true
    }
}

/// Hands index and element of each lane to `put`, up to the first that it refuses: how
/// many it took.
#[inline]
fn one_by_one<const W: usize, const I: usize>(
    src: &[[u8; W]],
    indices: &[[u8; I]],
    mut put: impl FnMut([u8; I], [u8; W]) -> bool,
) -> usize {
    let lanes = src.len().min(indices.len());
    let (eights, rest) = src[..lanes].as_chunks::<8>();
    let (indices, others) = indices[..lanes].as_chunks::<8>();
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

/// The same by eight bytes of elements at once, of which `W` is a part: if little else
/// is done, loads are what takes the time.
#[inline]
fn by_words<const W: usize, const I: usize>(
    src: &[[u8; W]],
    indices: &[[u8; I]],
    mut put: impl FnMut([u8; I], [u8; W]) -> bool,
) -> usize {
    let lanes = src.len().min(indices.len());
    let (many, rest) = src[..lanes].as_chunks::<16>();
    let (indices, others) = indices[..lanes].as_chunks::<16>();
    let mut lane = 0;
    for (new, indices) in many.iter().zip(indices) {
        let mut k = 0;
        for &word in new.as_flattened().as_chunks().0 {
            // Taken from its bytes, each element would be loaded by itself again.
            let word = u64::from_le_bytes(word);
            for part in 0..8 / W {
                let bytes = (word >> (8 * W * part)).to_le_bytes();
                if !put(indices[k], bytes.as_chunks().0[0]) {
                    return lane + k;
                }
                k += 1;
            }
        }
        lane += k;
    }
    lane + one_by_one(rest, others, put)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that differ from one to the next.
    fn counted<const N: usize>(count: usize, first: usize) -> Vec<[u8; N]> {
        let element = |k| std::array::from_fn(|byte| (first + k * N + byte) as u8);
        (0..count).map(element).collect()
    }

    /// Whichever lane is refused, or none, both ways hand on those up to it; what one of
    /// the two has more of is no lane.
    fn all_are_handed_on<const W: usize>(count: usize, [elements, more]: [usize; 2]) {
        let src = counted::<W>(count + elements, 1);
        let indices = counted::<4>(count + more, 7);
        let lanes = indices.iter().copied().zip(src.iter().copied());
        for refused in 0..=count {
            let lanes: Vec<_> = lanes.clone().take(refused + 1).collect();
            let [mut one, mut words] = [Vec::new(), Vec::new()];
            let note = |lanes: &mut Vec<_>, lane| {
                lanes.push(lane);
                lanes.len() <= refused
            };
            let took = [
                one_by_one(&src, &indices, |index, new| note(&mut one, (index, new))),
                by_words(&src, &indices, |index, new| note(&mut words, (index, new))),
            ];
            assert_eq!(took, [refused; 2], "of {count}");
            assert_eq!([one, words], [lanes.clone(), lanes], "{refused} of {count}");
        }
    }

    #[test]
    fn lanes_are_handed_on_up_to_one_refused() {
        for count in 0..40 {
            for more in [[0, 0], [3, 0], [0, 3]] {
                all_are_handed_on::<1>(count, more);
                all_are_handed_on::<2>(count, more);
                all_are_handed_on::<4>(count, more);
                all_are_handed_on::<8>(count, more);
            }
        }
    }
}
