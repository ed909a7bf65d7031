//! Memory and log of a loop written plainly, one access after the other, to
//! hold the kernels against.

use proptest::{prelude::*, sample::select};
use ptodiff_isa::{
    BLayout, Call, DType, Event, Log, Memory, OobAccess, OobAccesses, Readings, Role, Space, Tile,
};

use crate::common::{memory, run_on};

/// What a plain loop has done so far.
pub(crate) struct Plain {
    memory: Memory,
    log: Log,
}

impl Plain {
    fn new(memory: Memory) -> Self {
        let log = Log {
            trace: Some(Vec::new()),
            oob_accesses: OobAccesses::default(),
        };
        Self { memory, log }
    }

    /// Notes what was issued.
    pub(crate) fn note(&mut self, event: Event) {
        self.log.trace.as_mut().expect("asked for").push(event);
    }

    /// Where `len` bytes at `at` of an operand lie in its region; notes a
    /// out-of-bounds access if they leave the body.
    fn access(
        &mut self,
        role: Role,
        at: i64,
        len: usize,
        write: bool,
    ) -> impl Iterator<Item = usize> + use<> {
        let region = self.memory.get(role).expect("the call has this operand");
        let body = region.body_range();
        if at < 0 || at + len as i64 > body.len() as i64 {
            self.log.oob_accesses.push(OobAccess {
                role,
                offset: at,
                len: len as u64,
                write,
            });
        }
        let start = body.start as i64 + at;
        (start..start + len as i64).map(|byte| usize::try_from(byte).unwrap_or(usize::MAX))
    }

    /// Reads in one access.
    pub(crate) fn read(&mut self, role: Role, at: i64, len: usize) -> Vec<u8> {
        let cells = self.access(role, at, len, false);
        let bytes = self.memory.get(role).expect("found before").bytes();
        cells
            .map(|cell| bytes.get(cell).copied().unwrap_or(0xEE))
            .collect()
    }

    /// Writes in one access.
    pub(crate) fn write(&mut self, role: Role, at: i64, values: &[u8]) {
        let cells = self.access(role, at, values.len(), true);
        let region = self.memory.get_mut(role).expect("found before");
        for (cell, value) in cells.zip(values) {
            if let Some(byte) = region.bytes_mut().get_mut(cell) {
                *byte = *value;
            }
        }
    }

    /// A scalar load.
    pub(crate) fn load(&mut self, space: Space, role: Role, at: i64, len: usize) -> Vec<u8> {
        self.note(Event::Load {
            space,
            role,
            offset: at,
            len: len as u64,
        });
        self.read(role, at, len)
    }

    /// A scalar load of an index that is never negative.
    pub(crate) fn index(&mut self, space: Space, at: i64, len: usize) -> i64 {
        let bytes = self.load(space, Role::Index, at, len);
        let number = |sum: i64, byte: &u8| 256 * sum + i64::from(*byte);
        bytes.iter().rev().fold(0, number)
    }

    /// A scalar store.
    pub(crate) fn store(&mut self, space: Space, role: Role, at: i64, values: &[u8]) {
        self.note(Event::Store {
            space,
            role,
            offset: at,
            len: values.len() as u64,
        });
        self.write(role, at, values);
    }

    /// Zeroes an operand's first bytes.
    pub(crate) fn clear(&mut self, name: Option<&str>, space: Space, role: Role, len: usize) {
        self.note(Event::Fill {
            name: name.map(str::to_owned),
            space,
            role,
            offset: 0,
            len: len as u64,
        });
        self.write(role, 0, &vec![0; len]);
    }
}

/// Runs `call`, and `plain` on the same memory.
///
/// # Errors
/// If they leave different bytes, out-of-bounds accesses or events.
pub(crate) fn compare<const N: usize>(
    call: Call,
    readings: Readings,
    operands: [(Role, Vec<u8>); N],
    plain: impl FnOnce(&mut Plain),
) -> Result<(), TestCaseError> {
    let before = memory(operands);
    let mut want = Plain::new(before.clone());
    plain(&mut want);
    let ran = run_on(call, readings, before);
    prop_assert!(ran.outcome.is_ok());
    prop_assert_eq!(ran.memory, want.memory);
    prop_assert_eq!(ran.log, want.log);
    Ok(())
}

/// Byte offset of an element of `width` bytes in a plain tile.
pub(crate) fn offset(tile: &Tile, row: u64, col: u64, width: usize) -> i64 {
    let element = match tile.blayout {
        BLayout::RowMajor => row * tile.cols + col,
        BLayout::ColMajor => col * tile.rows + row,
    };
    element as i64 * width as i64
}

/// Dtypes of 1, 2, 4 and 8 bytes.
pub(crate) fn dtypes() -> impl Strategy<Value = DType> {
    select(vec![DType::Int8, DType::Half, DType::Float, DType::Int64])
}

/// Bytes that an operand lacks at its end: mostly none.
pub(crate) fn cut() -> impl Strategy<Value = usize> {
    prop_oneof![3 => Just(0), 1 => select(vec![1, 4, 32, 100])]
}

/// Bytes of an operand that should have `len` of them.
pub(crate) fn body(len: usize, cut: usize) -> Vec<u8> {
    let byte = |k: usize| (k * 37 % 251) as u8;
    (0..len.saturating_sub(cut)).map(byte).collect()
}

/// Indices of `width` bytes: small ones, few of them past `capacity`.
pub(crate) fn indices(count: usize, width: usize, capacity: u64, seed: u32, cut: usize) -> Vec<u8> {
    let index = |k: usize| {
        let random = (k as u32 ^ seed).wrapping_mul(0x9E37_79B1) >> 3;
        match random % 64 {
            0 => u64::from(random) << 3,
            _ => u64::from(random) % capacity.max(1),
        }
    };
    let mut bytes: Vec<u8> = (0..count)
        .flat_map(|k| index(k).to_le_bytes().into_iter().take(width))
        .collect();
    bytes.truncate(bytes.len().saturating_sub(cut));
    bytes
}
