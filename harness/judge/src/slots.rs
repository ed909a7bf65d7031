//! Walks over slots.

use std::ops::Range;

/// Bytes that are compared in one go before their slots are.
const PIECE: usize = 256;

/// Calls `f` with the byte offset of every slot of `size` bytes in `range` in which any
/// of the `others` differs from `one`. `range` is whole slots, which all of them have.
pub(crate) fn differing(
    size: usize,
    range: Range<usize>,
    one: &[u8],
    others: &[&[u8]],
    mut f: impl FnMut(usize),
) {
    let mut from = range.start;
    // Most ranges are short: a `step_by` would divide for each of them.
    while from < range.end {
        let piece = from..range.end.min(from + PIECE);
        from = piece.end;
        let differ = |part: Range<usize>| {
            let mut all = others.iter();
            all.any(|other| other[part.clone()] != one[part.clone()])
        };
        if differ(piece.clone()) {
            let slots = piece.step_by(size);
            slots.filter(|at| differ(*at..at + size)).for_each(&mut f);
        }
    }
}

/// Calls `f` with the byte offset of every slot of `size` bytes in which `got`
/// differs from all candidates: images of `got`'s length, one after the other.
pub(crate) fn in_none(size: usize, got: &[u8], candidates: &[u8], f: impl FnMut(usize)) {
    let images = || candidates.chunks_exact(got.len());
    // Mostly one writer won the whole run.
    if images().any(|image| image == got) {
        return;
    }
    let none = |at: &usize| {
        let slot = *at..at + size;
        images().all(|image| image[slot.clone()] != got[slot.clone()])
    };
    (0..got.len()).step_by(size).filter(none).for_each(f);
}
