//! The writers of every slot, in the order in which they take effect.

use std::{mem, slice};

/// One write: the slot, and the source position that it comes from.
#[derive(Clone, Copy, Debug, Default)]
struct Write {
    slot: u32,
    from: u32,
}

/// Most writes whose slots are chained: they are told apart by a byte.
const FEW: usize = NONE as usize;
/// No write before.
const NONE: u8 = u8::MAX;
/// Slots that such writes may go to.
const NEAR: usize = 4096;

/// Takes the writes of a call in the order of effect.
pub(crate) trait Sink {
    /// Source position `from` is written to `slot`.
    fn push(&mut self, slot: u32, from: u32);
}

/// Slots that are written, increasing, each with its writers in order.
///
/// Few writes to near slots are chained as they come: each slot knows its last
/// one, and each write the one before. Others are grouped once all are there.
/// The memory serves one call after the other.
#[derive(Debug, Default)]
pub(crate) struct Writers {
    chain: Option<Box<Chain>>,
    chained: bool,
    groups: Groups,
}

/// Chained writes. Lists are as long as their indices reach.
#[derive(Debug)]
pub(crate) struct Chain {
    /// A bit for each slot with a writer.
    seen: [u64; NEAR / 64],
    /// Slots that may have one.
    span: usize,
    /// The last write to each of those that do; what others have means nothing.
    last: [u8; NEAR],
    /// Of each write, the one before to the same slot.
    before: [u8; 256],
    /// Of each write, where it comes from.
    from: [u32; 256],
    /// Number of writes.
    count: usize,
    /// The writers of a slot with several, the last ones of the list.
    several: [u32; 256],
}

/// Grouped writes.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    writes: Vec<Write>,
    slots: Vec<u32>,
    /// Where the writers of each slot end.
    ends: Vec<u32>,
    /// Where the writes come from, slot by slot.
    from: Vec<u32>,
    /// By slots.
    seen: Vec<u64>,
    next: Vec<u32>,
    /// By writes.
    keys: Vec<u64>,
}

impl Writers {
    /// Lets `write` give a sink all writes, at most `most` of them, to slots
    /// below `span`. It may be called again, to do the same with another sink.
    pub(crate) fn gather<T>(&mut self, most: usize, span: usize, write: impl Filler<T>) -> T {
        if most <= FEW && span <= NEAR {
            let chain = self.chain.get_or_insert_default();
            let mut near = Near::over(chain, span);
            let done = write.fill(&mut near);
            let Near { chain, count, end } = near;
            if count <= FEW && end <= chain.span {
                chain.count = count;
                self.chained = true;
                return done;
            }
            // Anything may have come anywhere: all is cleared before the next.
            chain.span = NEAR;
        }
        self.chained = false;
        self.groups.writes.clear();
        let done = write.fill(&mut Far(&mut self.groups.writes));
        self.groups.group();
        done
    }

    /// Bytes that lists of writes have room for, about.
    pub(crate) fn held(&self) -> usize {
        let writes = self.groups.writes.capacity();
        writes * 4 * size_of::<Write>()
    }

    /// Writes in all.
    pub(crate) fn total(&self) -> usize {
        self.chain()
            .map_or(self.groups.from.len(), |chain| chain.count)
    }

    /// No more slots are written.
    pub(crate) fn most(&self) -> usize {
        self.chain()
            .map_or(self.groups.slots.len(), |chain| chain.count)
    }

    fn chain(&self) -> Option<&Chain> {
        self.chain.as_deref().filter(|_| self.chained)
    }

    /// Goes through the slots.
    pub(crate) fn walk(&mut self) -> Walk<'_> {
        match &mut self.chain {
            Some(chain) if self.chained => Walk::Chain {
                at: 0,
                bits: chain.seen[0],
                chain,
            },
            _ => Walk::Groups {
                groups: &self.groups,
                at: 0,
                start: 0,
            },
        }
    }
}

/// Gives all writes of a call to any sink.
pub(crate) trait Filler<T> {
    /// Does so.
    fn fill(&self, sink: &mut impl Sink) -> T;
}

/// Chains writes.
struct Near<'c> {
    chain: &'c mut Chain,
    count: usize,
    /// Slots from there on have no write.
    end: usize,
}

impl<'c> Near<'c> {
    fn over(chain: &'c mut Chain, span: usize) -> Self {
        chain.seen[..chain.span.div_ceil(64)].fill(0);
        chain.span = span.min(NEAR);
        chain.last[..chain.span].fill(NONE);
        Self {
            chain,
            count: 0,
            end: 0,
        }
    }
}

impl Sink for Near<'_> {
    #[inline(always)]
    fn push(&mut self, slot: u32, from: u32) {
        let slot = slot as usize;
        self.end = self.end.max(slot + 1);
        // Too many of them, or too far ones, are given up, wherever they go.
        let (slot, write) = (slot % NEAR, self.count % 256);
        let chain = &mut *self.chain;
        chain.seen[slot / 64] |= 1 << (slot % 64);
        chain.before[write] = mem::replace(&mut chain.last[slot], write as u8);
        chain.from[write] = from;
        self.count += 1;
    }
}

/// Lists writes.
struct Far<'w>(&'w mut Vec<Write>);

impl Sink for Far<'_> {
    #[inline]
    fn push(&mut self, slot: u32, from: u32) {
        self.0.push(Write { slot, from });
    }
}

/// Goes through the slots that are written.
pub(crate) enum Walk<'w> {
    Chain {
        chain: &'w mut Chain,
        /// The word of slots at hand.
        at: usize,
        /// What is left of it.
        bits: u64,
    },
    Groups {
        groups: &'w Groups,
        /// The group that comes next, and where it begins.
        at: usize,
        start: usize,
    },
}

impl Walk<'_> {
    /// The next slot and the positions of its writers; never empty ones.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<(usize, &[u32])> {
        match self {
            Self::Chain { chain, at, bits } => {
                let (slot, last) = chain.next(at, bits)?;
                Some((slot, chain.writers(last)))
            }
            Self::Groups { groups, at, start } => groups.next(at, start),
        }
    }

    /// The next slot, the position of its last writer, and whether it has others.
    #[inline]
    pub(crate) fn next_last(&mut self) -> Option<(usize, u32, bool)> {
        match self {
            Self::Chain { chain, at, bits } => {
                let (slot, last) = chain.next(at, bits)?;
                let [from, before] = [
                    chain.from[last as usize],
                    chain.before[last as usize].into(),
                ];
                Some((slot, from, before != u32::from(NONE)))
            }
            Self::Groups { groups, at, start } => {
                let (slot, writers) = groups.next(at, start)?;
                Some((slot, *writers.last()?, writers.len() > 1))
            }
        }
    }
}

impl Default for Chain {
    fn default() -> Self {
        Self {
            seen: [0; NEAR / 64],
            span: 0,
            last: [NONE; NEAR],
            before: [NONE; 256],
            from: [0; 256],
            count: 0,
            several: [0; 256],
        }
    }
}

impl Chain {
    /// The next slot, and its last write.
    #[inline]
    fn next(&self, at: &mut usize, bits: &mut u64) -> Option<(usize, u8)> {
        while *bits == 0 {
            *at += 1;
            if *at * 64 >= self.span {
                return None;
            }
            *bits = self.seen[*at % self.seen.len()];
        }
        let slot = *at * 64 + bits.trailing_zeros() as usize;
        *bits &= *bits - 1;
        Some((slot, self.last[slot % NEAR]))
    }

    /// The writers of a slot with this last write.
    #[inline]
    fn writers(&mut self, last: u8) -> &[u32] {
        let last = usize::from(last);
        if self.before[last] == NONE {
            return slice::from_ref(&self.from[last]);
        }
        self.unroll(last)
    }

    #[inline(never)]
    fn unroll(&mut self, last: usize) -> &[u32] {
        let (mut at, mut first) = (last, self.several.len());
        for writer in self.several.iter_mut().rev() {
            *writer = self.from[at];
            first -= 1;
            match self.before[at] {
                NONE => break,
                before => at = before.into(),
            }
        }
        &self.several[first..]
    }
}

impl Groups {
    /// The next slot and its writers.
    #[inline]
    fn next(&self, at: &mut usize, start: &mut usize) -> Option<(usize, &[u32])> {
        let (&slot, &end) = self.slots.get(*at).zip(self.ends.get(*at))?;
        let writers = &self.from[*start..end as usize];
        *at += 1;
        *start = end as usize;
        Some((slot as usize, writers))
    }

    fn group(&mut self) {
        self.slots.clear();
        self.ends.clear();
        self.from.clear();
        let span = self.writes.iter().map(|w| w.slot as usize + 1).max();
        let span = span.unwrap_or(0);
        // Counting needs memory by slots, which must stay linear in the writes.
        if span <= self.writes.len() * 4 + 1024 {
            self.count(span);
        } else {
            self.sort();
        }
    }

    fn count(&mut self, span: usize) {
        let Self {
            writes,
            slots,
            ends,
            from,
            seen,
            next,
            ..
        } = self;
        seen.clear();
        seen.resize(span.div_ceil(64), 0);
        next.clear();
        next.resize(span, 0);
        for w in &*writes {
            let slot = w.slot as usize;
            next[slot] += 1;
            seen[slot / 64] |= 1 << (slot % 64);
        }
        slots.resize(writes.len(), 0);
        ends.resize(writes.len(), 0);
        from.resize(writes.len(), 0);
        let (mut count, mut end) = (0, 0);
        for (first, bits) in (0_u32..).step_by(64).zip(seen) {
            while *bits != 0 {
                let slot = first + bits.trailing_zeros();
                *bits &= *bits - 1;
                let next = &mut next[slot as usize];
                let start = end;
                end += *next;
                *next = start;
                (slots[count], ends[count]) = (slot, end);
                count += 1;
            }
        }
        slots.truncate(count);
        ends.truncate(count);
        for w in &*writes {
            let next = &mut next[w.slot as usize];
            from[*next as usize] = w.from;
            *next += 1;
        }
    }

    fn sort(&mut self) {
        let Self {
            writes,
            slots,
            ends,
            from,
            keys,
            ..
        } = self;
        keys.clear();
        keys.extend(
            (0_u64..)
                .zip(&*writes)
                .map(|(order, w)| u64::from(w.slot) << 32 | order),
        );
        keys.sort_unstable();
        for (end, key) in (1_u32..).zip(&*keys) {
            let write = writes[(key & u64::from(u32::MAX)) as usize];
            from.push(write.from);
            match ends.last_mut() {
                Some(last) if slots.last() == Some(&write.slot) => *last = end,
                _ => {
                    slots.push(write.slot);
                    ends.push(end);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    struct Given<'w>(&'w [(u32, u32)]);

    impl Filler<()> for Given<'_> {
        fn fill(&self, sink: &mut impl Sink) {
            for &(slot, from) in self.0 {
                sink.push(slot, from);
            }
        }
    }

    type Listed = Vec<(usize, Vec<u32>)>;

    fn listed(all: &mut Writers) -> Listed {
        let mut found = Vec::new();
        let mut walk = all.walk();
        while let Some((slot, writers)) = walk.next() {
            found.push((slot, writers.to_vec()));
        }
        let mut walk = all.walk();
        for (slot, writers) in &found {
            let last = writers.last().map(|&last| (*slot, last, writers.len() > 1));
            assert_eq!(walk.next_last(), last);
        }
        assert_eq!(walk.next_last(), None);
        found
    }

    fn expected(writes: &[(u32, u32)]) -> Listed {
        let mut by_slot = BTreeMap::<usize, Vec<u32>>::new();
        for &(slot, from) in writes {
            by_slot.entry(slot as usize).or_default().push(from);
        }
        by_slot.into_iter().collect()
    }

    /// So many writes, some of them to one slot, to slots below `span`.
    fn writes(count: u32, span: u32) -> Vec<(u32, u32)> {
        let slot = |i: u32| i % count.div_ceil(2).max(1) * 7919 % span;
        (0..count).map(|i| (slot(i), 1000 + i)).collect()
    }

    #[test]
    fn any_number_of_writes_is_grouped_in_order_of_effect() {
        let mut all = Writers::default();
        let mut chained = [0, 0];
        // Few and many of them, in slots near and far, one after the other.
        for (count, span) in [
            (7, 70),
            (FEW as u32, NEAR as u32),
            (64, NEAR as u32 + 1),
            (FEW as u32 + 1, NEAR as u32),
            (9, 10),
            (1000, 1 << 20),
            (1000, 300),
            (0, 8),
            (3, 1 << 30),
            (40, 200),
            (5, 0x10),
        ] {
            let writes = writes(count, span);
            all.gather(count as usize, span as usize, Given(&writes));
            chained[usize::from(all.chained)] += 1;
            let expected = expected(&writes);
            assert_eq!(listed(&mut all), expected, "{count} below {span}");
            // A second time the same.
            assert_eq!(listed(&mut all), expected);
            assert!(all.most() >= expected.len());
            assert_eq!(all.total(), writes.len());
        }
        assert_eq!(chained, [5, 6]);
    }

    #[test]
    fn a_slot_that_was_not_to_come_is_grouped_too() {
        let mut all = Writers::default();
        let many: Vec<_> = (0..300).map(|i| (i % 9, i)).collect();
        for writes in [
            &[(3, 7), (900, 8), (3, 9), (64, 1)][..],
            &[(3, 7), (9000, 8), (3, 9)],
            &[(3, 7), (64, 8)],
            &many,
        ] {
            for span in [10, 64] {
                all.gather(4, span, Given(writes));
                assert_eq!(listed(&mut all), expected(writes));
            }
            // Nothing of it is left when there is room for more.
            let next = [(2, 5), (2, 6)];
            all.gather(2, NEAR, Given(&next));
            assert_eq!(listed(&mut all), expected(&next));
        }
    }

    #[test]
    fn counting_and_sorting_group_alike() {
        let writes = writes(500, 900);
        let grouped = |way: fn(&mut Groups)| {
            let mut groups = Groups {
                writes: writes
                    .iter()
                    .map(|&(slot, from)| Write { slot, from })
                    .collect(),
                ..Groups::default()
            };
            way(&mut groups);
            (groups.slots, groups.ends, groups.from)
        };
        assert_eq!(grouped(|g| g.count(900)), grouped(Groups::sort));
    }
}
