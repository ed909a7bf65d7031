//! What the host reads of a table whose wrapper ends without a cache flush
//! (MSCATTER-CACHE-02, MSCATTER-GAP-33).
//!
//! Stores of the kernel stand in cache lines until these are written back. The
//! schedule decides which ones were: none in order, all in reverse, and a
//! shuffle draws line by line.

use ptodiff_isa::{CacheFlush, Call, Memory, Role, Schedule};

use crate::schedule::SplitMix;

/// Bytes of a cache line (MSCATTER-GAP-33, MGATHERL1-GAP-34).
pub(crate) const LINE: usize = 64;

/// Keeps the stream of the lines apart from that of the lanes under one seed.
const SALT: u64 = 0x6C69_6E65_735F_6163;

/// The table as it stood before the kernel, guard zones included.
pub(crate) struct Unflushed(Vec<u8>);

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
            CacheFlush::Missing => Some(Self(memory.get(Role::Table)?.bytes().to_vec())),
        }
    }

    /// Gives every line that was not written back its old bytes.
    pub(crate) fn show(self, memory: &mut Memory, schedule: Schedule) {
        let mut stream = match schedule {
            Schedule::InOrder => None,
            Schedule::Reversed => return,
            Schedule::Shuffled(seed) => Some(SplitMix(seed ^ SALT)),
        };
        let Some(table) = memory.get_mut(Role::Table) else {
            return;
        };
        // Lines are counted from the table's first byte, into both guard zones
        // alike: the first one may begin before the memory does.
        let mut start = 0;
        let mut end = table.body_range().start % LINE;
        while start < self.0.len() {
            let written_back = stream.as_mut().is_some_and(|bits| bits.next() % 2 == 1);
            if !written_back && let Some(line) = table.part_mut(start..end) {
                line.copy_from_slice(&self.0[start..end]);
            }
            start = end;
            end = (end + LINE).min(self.0.len());
        }
    }
}
