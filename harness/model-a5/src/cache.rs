//! What the host reads of a table whose wrapper ends without a cache flush
//! (MSCATTER-CACHE-02, MSCATTER-GAP-33).
//!
//! Stores of the kernel stand in cache lines until these are written back. The
//! schedule decides which ones were: none in order, all in reverse, and a
//! shuffle draws line by line.

use std::{collections::BTreeSet, ops::Range};

use ptodiff_isa::{CacheFlush, Call, Memory, Region, Role, Schedule};

use crate::schedule::SplitMix;

/// Bytes of a cache line (MSCATTER-GAP-33, MGATHERL1-GAP-34).
pub(crate) const LINE: usize = 64;

/// Keeps the stream of the lines apart from that of the lanes under one seed.
const SALT: u64 = 0x6C69_6E65_735F_6163;

/// The table as it stood before the kernel, guard zones included.
pub(crate) struct Unflushed(Region);

impl Unflushed {
    /// Takes it where the host may read old bytes.
    pub(crate) fn before(call: &Call, memory: &Memory) -> Option<Self> {
        let launch = match call {
            Call::Mscatter(call) => call.launch,
            Call::MscatterFirst(call) => call.launch,
            _ => return None,
        };
        match launch.flush {
            CacheFlush::Appended => None,
            CacheFlush::Missing => Some(Self(memory.get(Role::Table)?.clone())),
        }
    }

    /// Gives every line that was not written back its old bytes.
    pub(crate) fn show(self, memory: &mut Memory, schedule: Schedule) {
        let stream = match schedule {
            Schedule::InOrder => None,
            Schedule::Reversed => return,
            Schedule::Shuffled(seed) => Some(SplitMix(seed ^ SALT)),
        };
        let Some(table) = memory.get_mut(Role::Table) else {
            return;
        };
        // Lines are counted from the table's first byte, into both guard zones
        // alike: the first one may begin before the memory does. Those alone are
        // looked at that the kernel may have stored to.
        let (old, len) = (&self.0, table.bytes().len());
        let first = table.body_range().start % LINE;
        let lines = |part: Range<usize>| {
            let number = |at: usize| (at + LINE - first) / LINE;
            number(part.start)..number(part.end.saturating_sub(1)) + 1
        };
        let stored = match table.may_differ(old) {
            Some(parts) => parts.flat_map(lines).collect(),
            None => lines(0..len).collect::<BTreeSet<usize>>(),
        };
        for line in stored {
            let written_back = stream
                .as_ref()
                .is_some_and(|bits| bits.nth(line as u64) % 2 == 1);
            let end = (first + line * LINE).min(len);
            let start = (first + line * LINE).saturating_sub(LINE);
            if !written_back && let Some(bytes) = table.part_mut(start..end) {
                bytes.copy_from_slice(&old.bytes()[start..end]);
            }
        }
    }
}
