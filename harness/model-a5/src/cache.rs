//! What the host reads of a table whose wrapper ends without a cache flush
//! (MSCATTER-CACHE-02).
//!
//! Stores of the kernel stand in cache lines until these are written back.
//! Lines are counted from the table's first byte, into both guard zones alike,
//! so a stray store shares the fate of its line.

use ptodiff_isa::{CacheFlush, Memory, Region, Role, Schedule};

use crate::shuffle::SplitMix;
use crate::transfer::LINE;

/// Keeps the lines' stream apart from that of the lanes under one seed.
const SALT: u64 = 0x6C69_6E65_735F_6163;

/// The table as it stood before the kernel.
pub(crate) struct Stale(Vec<u8>);

impl Stale {
    /// Takes it where the host may read old bytes.
    pub(crate) fn before(memory: &Memory, flush: CacheFlush) -> Option<Self> {
        match flush {
            CacheFlush::Appended => None,
            CacheFlush::Missing => memory
                .get(Role::Table)
                .map(|table| Self(table.bytes().to_vec())),
        }
    }

    /// Gives every line its old bytes that the schedule had not written back:
    /// none was in order, all were in reverse, a shuffle draws line by line.
    pub(crate) fn show(self, table: &mut Region, schedule: Schedule) {
        let mut bits = match schedule {
            Schedule::InOrder => None,
            Schedule::Reversed => return,
            Schedule::Shuffled(seed) => Some(SplitMix(seed ^ SALT)),
        };
        let line = LINE as usize;
        // The first line may begin before the memory does.
        let mut end = table.body_range().start % line;
        let mut start = 0;
        let now = table.bytes_mut();
        while start < now.len() {
            let written_back = bits.as_mut().is_some_and(|bits| bits.next() % 2 == 1);
            if !written_back {
                now[start..end].copy_from_slice(&self.0[start..end]);
            }
            start = end;
            end = (end + line).min(now.len());
        }
    }
}
