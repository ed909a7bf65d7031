//! Sparse regions on the wire: the parts that are no zeros, each with its place.

use std::borrow::Cow;

use ptodiff_isa::Region;

/// Bytes that say where a part lies, and how many bytes it has.
const PLACE: usize = 16;

/// How many parts a region goes out in, if it is sparse, and its raw bytes.
pub(crate) fn raw(region: &Region) -> (Option<u64>, Cow<'_, [u8]>) {
    if !region.is_sparse() {
        return (None, Cow::Borrowed(region.bytes()));
    }
    let mut parts: Vec<std::ops::Range<usize>> = Vec::new();
    for part in region.touched() {
        match parts.last_mut() {
            Some(last) if last.end == part.start => last.end = part.end,
            _ => parts.push(part),
        }
    }
    let mut raw = Vec::new();
    for part in &parts {
        raw.extend((part.start as u64).to_le_bytes());
        raw.extend((part.len() as u64).to_le_bytes());
    }
    for part in &parts {
        raw.extend_from_slice(&region.bytes()[part.clone()]);
    }
    (Some(parts.len() as u64), Cow::Owned(raw))
}

/// Takes so many parts of a region of `len` bytes from the front of `left`: where each
/// lies, and its bytes. None where they do not fit, or two have a byte in common.
pub(crate) fn take<'a>(
    parts: u64,
    len: u64,
    left: &mut &'a [u8],
) -> Option<Vec<(usize, &'a [u8])>> {
    let places = usize::try_from(parts).ok()?.checked_mul(PLACE)?;
    let places = left.split_off(..places)?;
    let (places, _) = places.as_chunks::<PLACE>();
    let part = |place: &[u8; PLACE]| {
        let [at, bytes] = [0, 8].map(|from| {
            let mut number = [0; 8];
            number.copy_from_slice(&place[from..from + 8]);
            u64::from_le_bytes(number)
        });
        let inside = at.checked_add(bytes).is_some_and(|end| end <= len);
        let bytes = left.split_off(..usize::try_from(bytes).ok().filter(|_| inside)?)?;
        Some((usize::try_from(at).ok()?, bytes))
    };
    let parts: Vec<(usize, &[u8])> = places.iter().map(part).collect::<Option<_>>()?;
    let mut ordered: Vec<_> = parts.iter().filter(|(_, own)| !own.is_empty()).collect();
    ordered.sort_unstable_by_key(|(at, _)| *at);
    let is_apart = |two: &[&(usize, &[u8])]| two[0].0 + two[0].1.len() <= two[1].0;
    ordered.windows(2).all(is_apart).then_some(parts)
}

/// Puts parts where they belong.
pub(crate) fn put(parts: Vec<(usize, &[u8])>, region: &mut Region) {
    for (at, bytes) in parts {
        if let Some(part) = region.part_mut(at..at + bytes.len()) {
            part.copy_from_slice(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::Role;

    use super::*;

    #[test]
    fn parts_that_make_no_sense_are_not_taken() {
        let mut region = Region::sparse(Role::Table, 1 << 40, 0..1 << 40).expect("room");
        for at in [0, 3 << 20, 1 << 39] {
            region.part_mut(at..at + 3).expect("inside").fill(7);
        }
        let (parts, raw) = raw(&region);
        assert_eq!((parts, raw.len()), (Some(3), 3 * (PLACE + 1024)));
        let taken = |parts: u64, len: u64, raw: &[u8]| {
            let mut left = raw;
            let taken = take(parts, len, &mut left)?;
            Some((
                taken.iter().map(|(at, _)| *at).collect::<Vec<_>>(),
                left.len(),
            ))
        };
        let all = vec![0, 3 << 20, 1 << 39];
        assert_eq!(taken(3, 1 << 40, &raw), Some((all, 0)));
        // Too few bytes, a part that leaves the region, more parts than there can be.
        assert_eq!(taken(3, 1 << 40, &raw[1..]), None);
        assert_eq!(taken(3, 1 << 39, &raw), None);
        assert_eq!(taken(4, 1 << 40, &raw), None);
        assert_eq!(taken(u64::MAX, u64::MAX, &raw), None);
        // In another order, and the first once more.
        let place = |at: u64| [at.to_le_bytes(), 1_u64.to_le_bytes()].concat();
        let both = |second| [place(5), place(second), vec![1, 2]].concat();
        assert_eq!(taken(2, 8, &both(4)), Some((vec![5, 4], 0)));
        assert_eq!(taken(2, 8, &both(5)), None);
        let mut copy = Region::sparse(Role::Table, 1 << 40, 0..1 << 40).expect("room");
        put(take(3, 1 << 40, &mut &raw[..]).expect("parts"), &mut copy);
        assert!(copy == region);
    }
}
