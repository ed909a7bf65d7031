//! Building calls and memories, and running them.

use ptodiff_isa::{
    BLayout, Call, Coalesce, CpuForm, DType, Dim, End, Event, GatherExec, GatherOob, GlobalTensor,
    How, Launch, Layout, Log, Memory, Mgather, MgatherL1, Model, Mscatter, OobAccess, Readings,
    Region, Role, SLayout, ScatterAtomicOp, ScatterConflict, ScatterOob, Tile, TileType,
};
use ptodiff_model_cpu::Cpu;

/// Bytes of each guard zone.
pub(crate) const GUARD: usize = 32;
/// What guard zones hold.
pub(crate) const GUARD_BYTE: u8 = 0xA5;
/// A word of a guard zone.
pub(crate) const GUARD_WORD: i32 = i32::from_le_bytes([GUARD_BYTE; 4]);
/// A copy that is changed in a few places.
pub(crate) trait With: Copy {
    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl<T: Copy> With for T {}

/// Little-endian bytes: `bytes(&[1, 2], i32::to_le_bytes)`.
pub(crate) fn bytes<T: Copy, const W: usize>(values: &[T], write: fn(T) -> [u8; W]) -> Vec<u8> {
    values.iter().flat_map(|v| write(*v)).collect()
}

fn values<T, const W: usize>(bytes: &[u8], read: fn([u8; W]) -> T) -> Vec<T> {
    bytes.as_chunks().0.iter().map(|b| read(*b)).collect()
}

/// The bytes of `int32_t` values.
pub(crate) fn i32s(values: &[i32]) -> Vec<u8> {
    bytes(values, i32::to_le_bytes)
}

/// The bytes of `float` values.
pub(crate) fn f32s(values: &[f32]) -> Vec<u8> {
    bytes(values, f32::to_le_bytes)
}

/// The bytes of 16-bit patterns.
pub(crate) fn u16s(values: &[u16]) -> Vec<u8> {
    bytes(values, u16::to_le_bytes)
}

/// The bytes of `int32_t` values counted up from `first`.
pub(crate) fn counted(first: i32, count: usize) -> Vec<u8> {
    (0..count as i32)
        .flat_map(|k| (first + k).to_le_bytes())
        .collect()
}

/// `int32_t` values out of bytes.
pub(crate) fn to_i32s(bytes: &[u8]) -> Vec<i32> {
    values(bytes, i32::from_le_bytes)
}

/// 16-bit patterns out of bytes.
pub(crate) fn to_u16s(bytes: &[u8]) -> Vec<u16> {
    values(bytes, u16::from_le_bytes)
}

/// `float` values out of bytes.
pub(crate) fn to_f32s(bytes: &[u8]) -> Vec<f32> {
    values(bytes, f32::from_le_bytes)
}

/// A static RowMajor tile of padded `[rows, cols]` and the given valid shape.
pub(crate) fn tile(dtype: DType, padded: [u64; 2], valid: [u64; 2]) -> Tile {
    Tile {
        location: TileType::Vec,
        dtype,
        rows: padded[0],
        cols: padded[1],
        valid_row: Dim::Static(valid[0]),
        valid_col: Dim::Static(valid[1]),
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        fractal: 512,
    }
}

/// A static RowMajor tile without padding.
pub(crate) fn full(dtype: DType, shape: [u64; 2]) -> Tile {
    tile(dtype, shape, shape)
}

/// The same tile with run-time valid extents.
pub(crate) fn dynamic(tile: Tile) -> Tile {
    tile.with(|c| {
        (c.valid_row, c.valid_col) = (
            Dim::Dynamic(tile.valid_row.get()),
            Dim::Dynamic(tile.valid_col.get()),
        )
    })
}

/// The same tile with columns contiguous.
pub(crate) fn col_major(tile: Tile) -> Tile {
    tile.with(|c| c.blayout = BLayout::ColMajor)
}

/// A static NZ tile in L1.
pub(crate) fn nz(dtype: DType, padded: [u64; 2], valid: [u64; 2]) -> Tile {
    tile(dtype, padded, valid).with(|c| {
        (c.location, c.blayout, c.slayout) = (TileType::Mat, BLayout::ColMajor, SLayout::RowMajor)
    })
}

/// A static ND table whose strides this target does not read.
pub(crate) fn table(dtype: DType, shape: [u64; 5]) -> GlobalTensor {
    GlobalTensor {
        dtype,
        shape: shape.map(Dim::Static),
        stride: [Dim::Static(1); 5],
        layout: Layout::ND,
    }
}

/// A one-dimensional table.
pub(crate) fn flat(dtype: DType, size: u64) -> GlobalTensor {
    table(dtype, [1, 1, 1, 1, size])
}

/// A table of rows.
pub(crate) fn rows(dtype: DType, rows: u64, width: u64) -> GlobalTensor {
    table(dtype, [1, 1, 1, rows, width])
}

/// A plain Elem scatter.
pub(crate) fn scatter(table: GlobalTensor, src: Tile, idx: Tile) -> Mscatter {
    Mscatter {
        table,
        src,
        idx,
        mode: Coalesce::Elem,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        conflict: ScatterConflict::Last,
        launch: Launch::default(),
    }
}

/// A gather.
pub(crate) fn gather(
    mode: Coalesce,
    oob: GatherOob,
    dst: Tile,
    table: GlobalTensor,
    idx: Tile,
) -> Mgather {
    Mgather {
        dst,
        table,
        idx,
        mode,
        oob,
        launch: Launch::default(),
    }
}

/// A gather to L1 without scratch.
pub(crate) fn gather_l1(
    mode: Coalesce,
    oob: GatherOob,
    dst: Tile,
    table: GlobalTensor,
    idx: GlobalTensor,
) -> MgatherL1 {
    MgatherL1 {
        dst,
        table,
        idx,
        scratch: None,
        mode,
        oob,
        exec: GatherExec::Scalar,
        launch: Launch::default(),
    }
}

/// The default readings, changed.
pub(crate) fn reading(change: impl FnOnce(&mut Readings)) -> Readings {
    Readings::default().with(change)
}

/// MSCATTER with A5's template parameters.
pub(crate) fn templated() -> Readings {
    reading(|r| r.cpu_form = CpuForm::Templated)
}

/// An operand between its guard zones.
fn region(role: Role, body: &[u8]) -> Region {
    let mut bytes = vec![GUARD_BYTE; GUARD];
    bytes.extend_from_slice(body);
    bytes.extend([GUARD_BYTE; GUARD]);
    Region::new(role, bytes, GUARD..GUARD + body.len())
}

/// The memory of a call whose operands, in the order of `Call::operands`, hold these bytes.
pub(crate) fn memory(call: &Call, bodies: &[&[u8]]) -> Memory {
    let operands = call.operands();
    assert_eq!(operands.len(), bodies.len());
    let regions = operands
        .iter()
        .zip(bodies)
        .map(|(&(role, _), body)| region(role, body));
    Memory {
        regions: regions.collect(),
    }
}

/// What a run left behind.
pub(crate) struct Ran {
    pub(crate) memory: Memory,
    pub(crate) log: Log,
}

impl Ran {
    fn region(&self, role: Role) -> &Region {
        self.memory.get(role).expect("the operand is in the memory")
    }

    /// The body of one operand.
    pub(crate) fn body(&self, role: Role) -> &[u8] {
        self.region(role).body()
    }

    /// The first accesses that left their operands.
    pub(crate) fn outside(&self) -> &[OobAccess] {
        &self.log.oob_accesses.first
    }

    /// What was done.
    pub(crate) fn events(&self) -> &[Event] {
        self.log.trace.as_deref().expect("a trace was asked for")
    }
}

/// Runs a call on any memory, with or without a trace.
pub(crate) fn run_under(readings: Readings, call: &Call, mut memory: Memory, trace: bool) -> Ran {
    let how = How::default().with(|c| c.readings = readings);
    let mut log = Log {
        trace: trace.then(Vec::new),
        ..Log::default()
    };
    let end = Cpu
        .execute(call, &mut memory, &how, &mut log)
        .expect("the memory has every operand");
    assert_eq!(end, End::Finished);
    assert_eq!(log.trace.is_some(), trace);
    Ran { memory, log }
}

/// Runs a call with a trace, which must change nothing.
pub(crate) fn ran(readings: Readings, call: Call, bodies: &[&[u8]]) -> Ran {
    let memory = memory(&call, bodies);
    let silent = run_under(readings, &call, memory.clone(), false);
    let traced = run_under(readings, &call, memory, true);
    assert_eq!(silent.memory, traced.memory);
    assert_eq!(silent.log.oob_accesses, traced.log.oob_accesses);
    traced
}

/// Runs a call whose accesses must all stay in their operands. What it wrote;
/// guard zones and other operands must be as they were.
pub(crate) fn made(readings: Readings, call: Call, bodies: &[&[u8]]) -> Vec<u8> {
    let ran = ran(readings, call, bodies);
    assert_eq!(ran.outside(), []);
    for (new, old) in ran.memory.regions.iter().zip(memory(&call, bodies).regions) {
        if new.role == call.output() {
            assert_eq!(*new, region(new.role, new.body()));
        } else {
            assert_eq!(*new, old);
        }
    }
    ran.body(call.output()).to_vec()
}

/// The same under the default readings.
pub(crate) fn by_default(call: Call, bodies: &[&[u8]]) -> Vec<u8> {
    made(Readings::default(), call, bodies)
}

/// An access of four bytes that left its operand.
pub(crate) fn word(role: Role, offset: i64, write: bool) -> OobAccess {
    OobAccess {
        role,
        offset,
        len: 4,
        write,
    }
}
