//! The writers of every slot, in the order in which they take effect.

use std::ops::AddAssign;

use crate::few::Few;

/// One write: the slot, and the source position that it comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Write {
    /// Element or row number in the table.
    pub(crate) slot: u32,
    /// Position in the sources.
    pub(crate) from: u32,
}

/// Writes that are few.
const FEW: usize = 64;
/// Slots that few writes are counted in.
const NEAR: usize = 1024;

/// A list with an entry a write or a slot.
pub(crate) type List<T> = Few<T, FEW>;

/// Slots that are written, increasing, each with its writers in order.
#[derive(Debug, Default)]
pub(crate) struct Writers {
    slots: List<u32>,
    ends: List<u32>,
    from: List<u32>,
}

impl Writers {
    /// Groups `writes`, which come in the order of effect, into slots below `span`.
    pub(crate) fn group(writes: &[Write], span: usize) -> Self {
        if writes.len() <= FEW && span <= NEAR {
            Self::counted(writes, &mut [0_u8; NEAR], &mut [0; NEAR / 64])
        } else if span <= writes.len() * 4 + 1024 {
            // Counting needs memory by slots, which must stay linear in the writes.
            Self::counted(writes, &mut vec![0_u32; span], &mut vec![0; span / 64 + 1])
        } else {
            Self::sorted(writes)
        }
    }

    /// By counting in `next`, which has a zero for each slot and counts that
    /// hold the number of writes; `seen` has a bit for each slot.
    fn counted<N>(writes: &[Write], next: &mut [N], seen: &mut [u64]) -> Self
    where
        N: Copy + From<u8> + Into<u32> + AddAssign,
    {
        let one = N::from(1);
        for w in writes {
            let slot = w.slot as usize;
            next[slot] += one;
            seen[slot / 64] |= 1 << (slot % 64);
        }
        let mut all = Self::default();
        for list in [&mut all.slots, &mut all.ends, &mut all.from] {
            list.set_len(writes.len());
        }
        let (slots, ends) = (&mut *all.slots, &mut *all.ends);
        let (mut count, mut end) = (0, N::from(0));
        for (first, bits) in (0_u32..).step_by(64).zip(seen) {
            while *bits != 0 {
                let slot = first + bits.trailing_zeros();
                *bits &= *bits - 1;
                let next = &mut next[slot as usize];
                let start = end;
                end += *next;
                *next = start;
                (slots[count], ends[count]) = (slot, end.into());
                count += 1;
            }
        }
        all.slots.truncate(count);
        all.ends.truncate(count);
        let from = &mut *all.from;
        for w in writes {
            let next = &mut next[w.slot as usize];
            let at: u32 = (*next).into();
            *next += one;
            from[at as usize] = w.from;
        }
        all
    }

    fn sorted(writes: &[Write]) -> Self {
        let mut keys = List::<u64>::default();
        keys.extend(
            (0_u64..)
                .zip(writes)
                .map(|(order, w)| u64::from(w.slot) << 32 | order),
        );
        keys.sort_unstable();
        let mut all = Self::default();
        for (end, key) in (1_u32..).zip(keys.iter()) {
            let write = writes[(key & u64::from(u32::MAX)) as usize];
            all.from.push(write.from);
            match all.ends.last_mut() {
                Some(last) if all.slots.last() == Some(&write.slot) => *last = end,
                _ => {
                    all.slots.push(write.slot);
                    all.ends.push(end);
                }
            }
        }
        all
    }

    /// Slots that are written.
    pub(crate) fn count(&self) -> usize {
        self.slots.len()
    }

    /// Each slot with the positions of its writers; never empty ones.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let mut start = 0;
        self.slots
            .iter()
            .zip(self.ends.iter())
            .map(move |(&slot, &end)| {
                let writers = &self.from[start..end as usize];
                start = end as usize;
                (slot as usize, writers)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(all: &Writers) -> Vec<(usize, Vec<u32>)> {
        all.iter().map(|(s, w)| (s, w.to_vec())).collect()
    }

    #[test]
    fn all_ways_keep_the_order_of_effect() {
        let writes: Vec<Write> = [(5, 9), (2, 8), (5, 7), (2, 1), (0, 3), (5, 0), (64, 2)]
            .map(|(slot, from)| Write { slot, from })
            .to_vec();
        let expected = vec![
            (0, vec![3]),
            (2, vec![8, 1]),
            (5, vec![9, 7, 0]),
            (64, vec![2]),
        ];
        let few = Writers::counted(&writes, &mut [0_u8; 65], &mut [0; 2]);
        assert_eq!(listed(&few), expected);
        let many = Writers::counted(&writes, &mut [0_u32; 65], &mut [0; 2]);
        assert_eq!(listed(&many), expected);
        assert_eq!(listed(&Writers::sorted(&writes)), expected);
    }

    #[test]
    fn any_number_of_writes_is_grouped() {
        // Few and many of them, in slots near and far.
        for (count, span) in [(64, 1024), (64, 1025), (65, 1024), (300, 1 << 20)] {
            let slot = |i: u32| i * 7919 % span;
            let writes: Vec<Write> = (0..2 * count)
                .map(|i| Write {
                    slot: slot(i % (count / 2)),
                    from: i,
                })
                .take(count as usize)
                .collect();
            let mut expected = std::collections::BTreeMap::<usize, Vec<u32>>::new();
            for w in &writes {
                expected.entry(w.slot as usize).or_default().push(w.from);
            }
            let expected: Vec<_> = expected.into_iter().collect();
            let grouped = Writers::group(&writes, span as usize);
            assert_eq!(listed(&grouped), expected);
            assert_eq!(grouped.count(), expected.len());
        }
    }

    #[test]
    fn no_writes_no_slots() {
        assert!(listed(&Writers::group(&[], 8)).is_empty());
    }
}
