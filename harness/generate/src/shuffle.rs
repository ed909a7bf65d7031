//! Draws without replacement.

use std::collections::HashMap;

use crate::stream::Stream;

/// A range of more than so many times the numbers drawn from it is not written out.
const SPARSE: u64 = 8;

/// `count` values out of `[0, bound)`, drawn without replacement until the range
/// is used up, then from the whole range again; zeros for an empty range.
pub(crate) fn permutation(count: usize, bound: u64, stream: &mut Stream) -> Vec<u64> {
    if bound == 0 {
        return vec![0; count];
    }
    let mut out = Vec::with_capacity(count);
    while out.len() < count {
        let take = bound.min((count - out.len()) as u64);
        if bound / SPARSE > take {
            sparse(take, bound, stream, &mut out);
        } else {
            dense(take, bound, stream, &mut out);
        }
    }
    out
}

/// The first `take` steps of Fisher and Yates, with the whole range written out.
fn dense(take: u64, bound: u64, stream: &mut Stream, out: &mut Vec<u64>) {
    let base = out.len();
    out.extend(0..bound);
    let pool = &mut out[base..];
    for i in 0..take {
        let j = i + stream.below(bound - i);
        pool.swap(i as usize, j as usize);
    }
    out.truncate(base + take as usize);
}

/// The same, with only the numbers written out that are at another place than their own.
fn sparse(take: u64, bound: u64, stream: &mut Stream, out: &mut Vec<u64>) {
    let mut moved = HashMap::new();
    for i in 0..take {
        let j = i + stream.below(bound - i);
        let here = moved.remove(&i).unwrap_or(i);
        out.push(match j {
            _ if i == j => here,
            _ => moved.insert(j, here).unwrap_or(j),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_used_up_before_it_repeats() {
        let permutation = |count, bound| permutation(count, bound, &mut Stream::seeded(3));
        let values = permutation(25, 10);
        for whole in values[..20].chunks(10) {
            let mut sorted = whole.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..10).collect::<Vec<u64>>());
        }
        assert_eq!(permutation(3, 0), [0, 0, 0]);
        assert!(permutation(0, 4).is_empty());
        // No machine has the memory to write this range out.
        let big = permutation(4, u64::MAX);
        assert!(big.windows(2).all(|w| w[0] != w[1]));
    }

    #[test]
    fn both_ways_agree() {
        for bound in [1, 2, 9, 300, 5000] {
            for take in [0, 1, bound / 9, bound / 2, bound] {
                let [mut written, mut kept] = [Vec::new(), Vec::new()];
                dense(take, bound, &mut Stream::seeded(bound), &mut written);
                sparse(take, bound, &mut Stream::seeded(bound), &mut kept);
                assert_eq!(written, kept, "{take} of {bound}");
            }
        }
    }
}
