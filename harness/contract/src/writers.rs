//! The writers of every slot, in the order in which they take effect.

/// One write: the slot, and the source position that it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Write {
    /// Element or row number in the table.
    pub(crate) slot: u32,
    /// Position in the sources.
    pub(crate) from: u32,
}

/// Slots that are written, increasing, each with its writers in order.
#[derive(Debug, Default)]
pub(crate) struct Writers {
    slots: Vec<u32>,
    ends: Vec<u32>,
    from: Vec<u32>,
}

impl Writers {
    /// Groups `writes`, which come in the order of effect, into slots below `span`.
    pub(crate) fn group(writes: &[Write], span: usize) -> Self {
        // Counting needs memory by slots, which must stay linear in the writes.
        if span <= writes.len() * 4 + 1024 {
            Self::counted(writes, span)
        } else {
            Self::sorted(writes)
        }
    }

    fn counted(writes: &[Write], span: usize) -> Self {
        let mut next = vec![0_u32; span];
        for w in writes {
            next[w.slot as usize] += 1;
        }
        let mut all = Self::default();
        let mut end = 0;
        for (slot, n) in (0_u32..).zip(next.iter_mut()) {
            let start = end;
            if *n > 0 {
                end += *n;
                all.slots.push(slot);
                all.ends.push(end);
            }
            *n = start;
        }
        all.from = vec![0; writes.len()];
        for w in writes {
            let at = &mut next[w.slot as usize];
            all.from[*at as usize] = w.from;
            *at += 1;
        }
        all
    }

    fn sorted(writes: &[Write]) -> Self {
        let mut keys: Vec<u64> = (0_u64..)
            .zip(writes)
            .map(|(order, w)| u64::from(w.slot) << 32 | order)
            .collect();
        keys.sort_unstable();
        let mut all = Self::default();
        for key in keys {
            let write = writes[(key & u64::from(u32::MAX)) as usize];
            all.from.push(write.from);
            let end = all.from.len() as u32;
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

    /// Each slot with the positions of its writers; never empty ones.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let mut start = 0;
        self.slots.iter().zip(&self.ends).map(move |(&slot, &end)| {
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
    fn both_ways_keep_the_order_of_effect() {
        let writes: Vec<Write> = [(5, 9), (2, 8), (5, 7), (2, 1), (0, 3), (5, 0)]
            .map(|(slot, from)| Write { slot, from })
            .to_vec();
        let expected = vec![(0, vec![3]), (2, vec![8, 1]), (5, vec![9, 7, 0])];
        assert_eq!(listed(&Writers::counted(&writes, 6)), expected);
        assert_eq!(listed(&Writers::sorted(&writes)), expected);
    }

    #[test]
    fn no_writes_no_slots() {
        assert!(listed(&Writers::group(&[], 8)).is_empty());
    }
}
