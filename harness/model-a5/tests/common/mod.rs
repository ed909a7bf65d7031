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

pub(crate) fn col_major(tile: Tile) -> Tile {
    Tile {
        blayout: BLayout::ColMajor,
        ..tile
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
    finished(call, memory, how, Some(Vec::new()))
}

/// The same without a trace.
pub(crate) fn execute_silently(call: Call, memory: &mut Memory, how: How) -> Log {
    finished(call, memory, how, None)
}

fn finished(call: Call, memory: &mut Memory, how: How, trace: Option<Vec<Event>>) -> Log {
    let mut log = Log {
        trace,
        ..Log::default()
    };
    let end = A5.execute(&call, memory, &how, &mut log);
    assert_eq!(end, Ok(End::Finished));
    log
}

/// Runs an accepted scatter without out-of-bounds accesses; the table afterwards.
pub(crate) fn scatter_how<T: Item, I: Item>(
    call: &Mscatter,
    how: How,
    table: &[T],
    src: &[T],
    idx: &[I],
) -> Vec<T> {
    let operands = [
        (Role::Source, bytes(src)),
        (Role::Index, bytes(idx)),
        (Role::Table, bytes(table)),
    ];
    items(&clean(Call::Mscatter(*call), how, &operands))
}

pub(crate) fn scatter<T: Item, I: Item>(
    call: &Mscatter,
    table: &[T],
    src: &[T],
    idx: &[I],
) -> Vec<T> {
    scatter_how(call, How::default(), table, src, idx)
}

/// Runs an accepted gather without out-of-bounds accesses; the destination afterwards.
pub(crate) fn gather_how<T: Item, I: Item>(
    call: &Mgather,
    how: How,
    dst: &[T],
    table: &[T],
    idx: &[I],
) -> Vec<T> {
    let operands = [
        (Role::Table, bytes(table)),
        (Role::Index, bytes(idx)),
        (Role::Destination, bytes(dst)),
    ];
    items(&clean(Call::Mgather(*call), how, &operands))
}

pub(crate) fn gather<T: Item, I: Item>(
    call: &Mgather,
    dst: &[T],
    table: &[T],
    idx: &[I],
) -> Vec<T> {
    gather_how(call, How::default(), dst, table, idx)
}

/// Runs a call with and without a trace; the last operand, the only one that may change.
fn clean(call: Call, how: How, operands: &[(Role, Vec<u8>)]) -> Vec<u8> {
    let (written, _) = operands.last().expect("an operand");
    clean_but(call, how, operands, &[*written]).swap_remove(0)
}

/// Runs an accepted call with and without a trace and without out-of-bounds accesses; the
/// bodies of `written`, the only ones that may change.
pub(crate) fn clean_but(
    call: Call,
    how: How,
    operands: &[(Role, Vec<u8>)],
    written: &[Role],
) -> Vec<Vec<u8>> {
    assert_eq!(A5.check(&call, &how.readings), []);
    let mut silent = memory(operands);
    let log = execute_silently(call, &mut silent, how);
    assert_eq!(log, Log::default(), "strays");
    let mut traced = memory(operands);
    execute(call, &mut traced, how);
    assert!(silent == traced, "a trace changed the result");
    for (role, before) in operands {
        let after = silent.get(*role).expect("an operand");
        let body = if written.contains(role) {
            after.body()
        } else {
            before
        };
        assert!(*after == region(*role, body), "{role} changed");
    }
    let body = |role: &Role| silent.get(*role).expect("an operand").body().to_vec();
    written.iter().map(body).collect()
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

/// Every element type.
pub(crate) const DTYPES: [DType; 14] = [
    Int8, Uint8, Int16, Uint16, Int32, Uint32, Int64, Uint64, Half, Bfloat16, Float, Float8E4M3,
    Float8E5M2, Hifloat8,
];

/// The clauses of all rejections of a call.
pub(crate) fn clauses(call: Call, readings: &Readings) -> Vec<&'static str> {
    let rejections = A5.check(&call, readings);
    assert!(rejections.iter().all(|rejection| !rejection.why.is_empty()));
    rejections
        .iter()
        .map(|rejection| rejection.clause.0)
        .collect()
}

/// The clauses of all rejections of a scatter and of a gather of the same operands.
pub(crate) fn said(
    readings: Readings,
    mode: Coalesce,
    table: GlobalTensor,
    data: Tile,
    idx: Tile,
) -> [Vec<&'static str>; 2] {
    let scatter = mscatter(mode, table, data, idx);
    let gather = mgather(mode, table, data, idx);
    [Call::Mscatter(scatter), Call::Mgather(gather)].map(|call| clauses(call, &readings))
}
