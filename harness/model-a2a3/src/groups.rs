//! Loops over elements that lie side by side, several elements a turn.

/// Elements of one turn.
pub(crate) const GROUP: usize = 8;

/// Bytes of a word.
const WORD: usize = 8;

/// Element `k` of a group, loaded with all others of its word, which `N` divides:
/// for loops that would load more than a core can.
#[inline(always)]
pub(crate) fn nth<const N: usize>(group: &[[u8; N]; GROUP], k: usize) -> [u8; N] {
    let (words, _) = group.as_flattened().as_chunks::<WORD>();
    let at = k * N;
    let word = u64::from_le_bytes(words[at / WORD]) >> (8 * (at % WORD));
    let mut element = [0; N];
    element.copy_from_slice(&word.to_le_bytes()[..N]);
    element
}

/// Hands pairs to `step`, in order, until it declines one, and gives how many
/// it took. A last group that is not full is left to the caller.
#[inline(always)]
pub(crate) fn pairs<A: Copy, B: Copy>(
    left: &[A],
    right: &[B],
    mut step: impl FnMut(A, B) -> Option<()>,
) -> usize {
    let (left, _) = left.as_chunks::<GROUP>();
    let (right, _) = right.as_chunks::<GROUP>();
    let mut done = 0;
    for (left, right) in left.iter().zip(right) {
        for k in 0..GROUP {
            if step(left[k], right[k]).is_none() {
                return done + k;
            }
        }
        done += GROUP;
    }
    done
}

/// [`pairs`], the second of which are to be written.
#[inline(always)]
pub(crate) fn pairs_mut<A: Copy, B>(
    left: &[A],
    right: &mut [B],
    mut step: impl FnMut(A, &mut B) -> Option<()>,
) -> usize {
    let (left, _) = left.as_chunks::<GROUP>();
    let (right, _) = right.as_chunks_mut::<GROUP>();
    let mut done = 0;
    for (left, right) in left.iter().zip(right) {
        for k in 0..GROUP {
            if step(left[k], &mut right[k]).is_none() {
                return done + k;
            }
        }
        done += GROUP;
    }
    done
}

/// Writes what `get` makes of each of `from` to its place in `to`, group by
/// group, until it declines one, and gives how many full groups hold. `N`
/// divides a word; a last group that is not full is left to the caller.
#[inline(always)]
pub(crate) fn fill<A: Copy, const N: usize>(
    from: &[A],
    to: &mut [[u8; N]],
    mut get: impl FnMut(A) -> Option<[u8; N]>,
) -> usize {
    let (from, _) = from.as_chunks::<GROUP>();
    let (to, _) = to.as_chunks_mut::<GROUP>();
    let mut done = 0;
    for (from, to) in from.iter().zip(to) {
        // A core has least room for stores: one serves all elements of a word.
        let (words, _) = to.as_flattened_mut().as_chunks_mut::<WORD>();
        for (word, from) in words.iter_mut().zip(from.chunks_exact(WORD / N)) {
            let mut bits = 0;
            for (k, &from) in from.iter().enumerate() {
                let Some(value) = get(from) else { return done };
                let mut wide = [0; WORD];
                wide[..N].copy_from_slice(&value);
                bits += u64::from_le_bytes(wide) << (8 * N * k);
            }
            *word = bits.to_le_bytes();
        }
        done += GROUP;
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_element_is_itself() {
        fn holds<const N: usize>() {
            let group = std::array::from_fn(|k| std::array::from_fn(|n| (N * k + n) as u8));
            for k in 0..GROUP {
                assert_eq!(nth::<N>(&group, k), group[k]);
            }
        }
        holds::<1>();
        holds::<2>();
        holds::<4>();
        holds::<8>();
    }

    /// Ten elements that count up from 1, taken last one first: the first eight
    /// are a group, the others are left.
    #[test]
    fn elements_of_each_width_keep_their_order() {
        fn filled<const N: usize>() -> (usize, [[u8; N]; 10]) {
            let mut to = [[0; N]; 10];
            let from = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
            let done = fill(&from, &mut to, |first: u8| {
                Some(std::array::from_fn(|k| first + 0x10 * k as u8))
            });
            (done, to)
        }
        assert_eq!(
            filled::<1>(),
            (8, [10, 9, 8, 7, 6, 5, 4, 3, 0, 0].map(|k| [k]))
        );
        let (done, to) = filled::<2>();
        assert_eq!(done, 8);
        let flat = [
            10, 26, 9, 25, 8, 24, 7, 23, 6, 22, 5, 21, 4, 20, 3, 19, 0, 0, 0, 0,
        ];
        assert_eq!(to.as_flattened(), flat);
        let (done, to) = filled::<4>();
        assert_eq!(done, 8);
        assert_eq!(to[0], [10, 26, 42, 58]);
        assert_eq!(to[1], [9, 25, 41, 57]);
        assert_eq!(to[6..], [[4, 20, 36, 52], [3, 19, 35, 51], [0; 4], [0; 4]]);
        let (done, to) = filled::<8>();
        assert_eq!(done, 8);
        assert_eq!(to[0], [10, 26, 42, 58, 74, 90, 106, 122]);
        assert_eq!(to[7..], [[3, 19, 35, 51, 67, 83, 99, 115], [0; 8], [0; 8]]);
    }

    /// A group with an element that is declined does not count as written.
    #[test]
    fn what_is_declined_ends_it() {
        for (declined, groups) in [(0, 0), (7, 0), (8, 8), (13, 8), (16, 16)] {
            let from: [u8; 16] = std::array::from_fn(|k| k as u8);
            let mut to = [[0; 4]; 16];
            let done = fill(&from, &mut to, |k| (k != declined).then_some([k; 4]));
            assert_eq!(done, groups);
            for (k, element) in (0..).zip(&to[..done]) {
                assert_eq!(*element, [k; 4]);
            }
        }
    }
}
