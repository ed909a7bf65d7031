//! Building calls and memories, and running them.

mod calls;
mod events;

pub(crate) use calls::*;
pub(crate) use events::*;

pub(crate) use ptodiff_isa::Coalesce::{Elem, Row};
pub(crate) use ptodiff_isa::DType::*;
pub(crate) use ptodiff_isa::*;
use ptodiff_model_a5::A5;

/// Bytes of each guard zone.
pub(crate) const GUARD: usize = 64;
/// What guard zones hold.
pub(crate) const FENCE: u8 = 0xA5;

/// A copy that is changed in a few places.
pub(crate) trait With: Copy {
    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl<T: Copy> With for T {}

/// An element that tests write down.
pub(crate) trait Item: Copy + PartialEq + std::fmt::Debug {
    /// Bytes of one.
    const SIZE: usize;
    /// Appends its bytes.
    fn put(self, bytes: &mut Vec<u8>);
    /// Reads one back.
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! items {
    ($($t:ty),*) => {$(
        impl Item for $t {
            const SIZE: usize = size_of::<$t>();
            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
            fn get(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("one element"))
            }
        }
    )*};
}
items!(u8, i8, u16, i16, u32, i32, f32);

pub(crate) fn bytes<T: Item>(items: &[T]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for item in items {
        item.put(&mut bytes);
    }
    bytes
}

pub(crate) fn items<T: Item>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks(T::SIZE).map(T::get).collect()
}

/// A RowMajor tile that is valid all over.
pub(crate) fn tile(dtype: DType, rows: u64, cols: u64) -> Tile {
    Tile {
        location: TileType::Vec,
        dtype,
        rows,
        cols,
        valid_row: Dim::Static(rows),
        valid_col: Dim::Static(cols),
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        fractal: 512,
    }
}

/// A part of a RowMajor tile.
pub(crate) fn valid(dtype: DType, rows: u64, cols: u64, valid_row: u64, valid_col: u64) -> Tile {
    Tile {
        valid_row: Dim::Static(valid_row),
        valid_col: Dim::Static(valid_col),
        ..tile(dtype, rows, cols)
    }
}

/// The same tile with extents that are known at run time only.
pub(crate) fn dynamic(tile: Tile) -> Tile {
    Tile {
        valid_row: Dim::Dynamic(tile.valid_row.get()),
        valid_col: Dim::Dynamic(tile.valid_col.get()),
        ..tile
    }
}

/// A packed ND table.
pub(crate) fn packed(dtype: DType, shape: [u64; 5]) -> GlobalTensor {
    let [_, b, c, d, e] = shape;
    GlobalTensor {
        dtype,
        shape: shape.map(Dim::Static),
        stride: [b * c * d * e, c * d * e, d * e, e, 1].map(Dim::Static),
        layout: Layout::ND,
    }
}

pub(crate) fn rows(dtype: DType, rows: u64, cols: u64) -> GlobalTensor {
    packed(dtype, [1, 1, 1, rows, cols])
}

pub(crate) fn flat(dtype: DType, len: u64) -> GlobalTensor {
    packed(dtype, [1, 1, 1, 1, len])
}

pub(crate) fn region(role: Role, body: &[u8]) -> Region {
    let mut all = vec![FENCE; GUARD];
    all.extend(body);
    all.extend([FENCE; GUARD]);
    Region::new(role, all, GUARD..GUARD + body.len())
}

pub(crate) fn memory(regions: &[(Role, Vec<u8>)]) -> Memory {
    Memory {
        regions: regions
            .iter()
            .map(|(role, body)| region(*role, body))
            .collect(),
    }
}

/// Bytes of a tile.
pub(crate) fn area(tile: &Tile) -> usize {
    (tile.rows * tile.cols) as usize * tile.dtype.size()
}

/// Numbers from `from` on.
pub(crate) fn count_from(from: i32, len: i32) -> Vec<i32> {
    (from..from + len).collect()
}

/// An access that left its operand.
pub(crate) fn outside(role: Role, offset: i64, len: u64, write: bool) -> OobAccess {
    OobAccess {
        role,
        offset,
        len,
        write,
    }
}

pub(crate) fn how(schedule: Schedule) -> How {
    How {
        schedule,
        readings: Readings::default(),
    }
}

/// Runs any call; the trace is kept.
pub(crate) fn execute(call: Call, memory: &mut Memory, how: How) -> Log {
    let mut log = Log {
        trace: Some(Vec::new()),
        ..Log::default()
    };
    let end = A5.execute(&call, memory, &how, &mut log);
    assert_eq!(end, Ok(End::Finished));
    log
}

/// What `role` holds after an accepted call without out-of-bounds accesses.
pub(crate) fn left(call: Call, how: How, operands: &[(Role, Vec<u8>)], role: Role) -> Vec<u8> {
    assert_eq!(A5.check(&call, &how.readings), []);
    let mut memory = memory(operands);
    let log = execute(call, &mut memory, how);
    assert_eq!(log.oob_accesses, OobAccesses::default());
    memory.get(role).expect("an operand").body().to_vec()
}

pub(crate) const SCHEDULES: [Schedule; 4] = [
    Schedule::InOrder,
    Schedule::Reversed,
    Schedule::Shuffled(1),
    Schedule::Shuffled(2),
];

/// In order, under changed readings.
pub(crate) fn reading(change: impl FnOnce(&mut Readings)) -> How {
    How::default().with(|how| change(&mut how.readings))
}

/// The same tile in L1.
pub(crate) fn mat(tile: Tile) -> Tile {
    Tile {
        location: TileType::Mat,
        ..tile
    }
}

/// TGATHERB by blocks of 32 bytes.
pub(crate) fn blocks() -> How {
    reading(|readings| readings.tgatherb_granularity = OffsetGranularity::Block)
}
