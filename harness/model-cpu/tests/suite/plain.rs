//! A call written as a loop over its elements, access by access.

use ptodiff_isa::{BLayout, Call, Memory, OobAccess, OobAccesses, Readings, Role, Tile};

use crate::common::{GUARD, run_under};

/// What a read outside everything delivers.
const NOWHERE: u8 = 0xEE;

/// A memory and the accesses that left its operands.
pub(crate) struct Plain {
    memory: Memory,
    oob_accesses: OobAccesses,
}

impl Plain {
    /// Runs `call` on `memory` with and without a trace: both must do what
    /// `by_hand` does, with the same out-of-bounds accesses in the same order.
    pub(crate) fn agrees(
        readings: Readings,
        call: Call,
        memory: &Memory,
        by_hand: impl FnOnce(&mut Self),
    ) {
        let mut plain = Self {
            memory: memory.clone(),
            oob_accesses: OobAccesses::default(),
        };
        by_hand(&mut plain);
        for trace in [false, true] {
            let ran = run_under(readings, &call, memory.clone(), trace);
            assert_eq!(ran.memory, plain.memory, "trace {trace}");
            assert_eq!(ran.log.oob_accesses, plain.oob_accesses, "trace {trace}");
        }
    }

    fn note(&mut self, role: Role, at: usize, len: usize, write: bool) {
        let body = self.memory.get(role).expect("an operand").body().len();
        if at + len > body {
            self.oob_accesses.push(OobAccess {
                role,
                offset: at as i64,
                len: len as u64,
                write,
            });
        }
    }

    /// The `len` bytes at `at` of an operand.
    pub(crate) fn read(&mut self, role: Role, at: usize, len: usize) -> Vec<u8> {
        self.note(role, at, len, false);
        let image = self.memory.get(role).expect("an operand").bytes();
        (GUARD + at..)
            .take(len)
            .map(|at| image.get(at).copied().unwrap_or(NOWHERE))
            .collect()
    }

    /// The unsigned number of `len` bytes at `at` of the index operand.
    pub(crate) fn index(&mut self, at: usize, len: usize) -> usize {
        let bytes = self.read(Role::Index, at, len);
        bytes
            .iter()
            .rev()
            .fold(0, |n, byte| n << 8 | usize::from(*byte))
    }

    /// Sets the bytes at `at` of an operand.
    pub(crate) fn write(&mut self, role: Role, at: usize, bytes: &[u8]) {
        self.note(role, at, bytes.len(), true);
        let image = self.memory.get_mut(role).expect("an operand").bytes_mut();
        for (at, byte) in (GUARD + at..).zip(bytes) {
            if let Some(place) = image.get_mut(at) {
                *place = *byte;
            }
        }
    }

    /// Sets a whole operand to zero.
    pub(crate) fn clear(&mut self, role: Role) {
        let region = self.memory.get_mut(role).expect("an operand");
        region.body_mut().fill(0);
    }
}

/// Where element `(r, c)` of a tile begins, in bytes.
pub(crate) fn at(tile: &Tile, r: usize, c: usize) -> usize {
    let (rows, cols) = (tile.rows as usize, tile.cols as usize);
    let number = match tile.blayout {
        BLayout::RowMajor => r * cols + c,
        BLayout::ColMajor => c * rows + r,
    };
    number * tile.dtype.size()
}

/// Every coordinate of a tile's valid region, row after row.
pub(crate) fn coordinates(tile: &Tile) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (rows, cols) = (tile.valid_row.get(), tile.valid_col.get());
    (0..rows as usize).flat_map(move |r| (0..cols as usize).map(move |c| (r, c)))
}
