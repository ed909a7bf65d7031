//! Walks over slots, made once for each element width.

/// Calls `f` with the byte offset of every slot of `size` bytes in which `a`
/// and `b` differ. Both are whole slots of the same length.
pub(crate) fn differing(size: usize, a: &[u8], b: &[u8], f: &mut impl FnMut(usize)) {
    if a == b {
        return;
    }
    match size {
        1 => differing_in::<1>(a, b, f),
        2 => differing_in::<2>(a, b, f),
        4 => differing_in::<4>(a, b, f),
        _ => differing_in::<8>(a, b, f),
    }
}

fn differing_in<const W: usize>(a: &[u8], b: &[u8], f: &mut impl FnMut(usize)) {
    let pairs = a.as_chunks::<W>().0.iter().zip(b.as_chunks::<W>().0);
    for (slot, _) in pairs.enumerate().filter(|(_, (a, b))| a != b) {
        f(slot * W);
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
