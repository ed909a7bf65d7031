//! Walks over slots, made once for each element width.

use std::iter::zip;

/// Calls `f` with the byte offset of every slot of `size` bytes in which `a`
/// and `b` differ. Both are whole slots of the same length.
pub(crate) fn differing(size: usize, a: &[u8], b: &[u8], f: &mut impl FnMut(usize)) {
    differing_from_any(size, a, &[b], f);
}

/// Calls `f` with the byte offset of every slot of `size` bytes in which any of
/// the `others` differs from `one`. All are whole slots of the same length.
pub(crate) fn differing_from_any(
    size: usize,
    one: &[u8],
    others: &[&[u8]],
    f: &mut impl FnMut(usize),
) {
    match size {
        1 => differing_in::<1>(one, others, f),
        2 => differing_in::<2>(one, others, f),
        4 => differing_in::<4>(one, others, f),
        _ => differing_in::<8>(one, others, f),
    }
}

/// Bytes that are looked at in one go before their slots are.
const PIECE: usize = 256;

fn differing_in<const W: usize>(one: &[u8], others: &[&[u8]], f: &mut impl FnMut(usize)) {
    for from in (0..one.len()).step_by(PIECE) {
        let piece = from..one.len().min(from + PIECE);
        if others
            .iter()
            .all(|other| other[piece.clone()] == one[piece.clone()])
        {
            continue;
        }
        let slots = one[piece.clone()].as_chunks::<W>().0;
        // Mostly there is one.
        if let [other] = others {
            let other = other[piece].as_chunks::<W>().0;
            for (slot, (bits, other)) in zip(slots, other).enumerate() {
                if bits != other {
                    f(from + slot * W);
                }
            }
            continue;
        }
        for (slot, bits) in slots.iter().enumerate() {
            let at = from + slot * W;
            if others
                .iter()
                .any(|other| other[at..].first_chunk() != Some(bits))
            {
                f(at);
            }
        }
    }
}

/// Calls `f` with the byte offset of every slot of `size` bytes in which `got`
/// differs from all candidates: images of `got`'s length, one after the other.
pub(crate) fn in_none(size: usize, got: &[u8], candidates: &[u8], f: &mut impl FnMut(usize)) {
    // Mostly one writer won the whole run.
    if candidates.chunks_exact(got.len()).any(|image| image == got) {
        return;
    }
    match size {
        1 => in_none_of::<1>(got, candidates, f),
        2 => in_none_of::<2>(got, candidates, f),
        4 => in_none_of::<4>(got, candidates, f),
        _ => in_none_of::<8>(got, candidates, f),
    }
}

fn in_none_of<const W: usize>(got: &[u8], candidates: &[u8], f: &mut impl FnMut(usize)) {
    let (candidates, step) = (candidates.as_chunks::<W>().0, got.len() / W);
    for (slot, bits) in got.as_chunks::<W>().0.iter().enumerate() {
        let mut images = candidates[slot..].iter().step_by(step);
        if !images.any(|image| image == bits) {
            f(slot * W);
        }
    }
}
