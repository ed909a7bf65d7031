//! Building calls and memories, running them, reading results.

use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, End, Event, Fault, GatherExec, GatherOob, GlobalTensor,
    How, Launch, Layout, Log, Memory, Mgather, MgatherL1, Model, Mscatter, OobAccess, Pipe,
    Readings, Region, Role, SLayout, ScatterAtomicOp, ScatterConflict, ScatterOob, Space, Tile,
    TileType,
};
use ptodiff_model_a2a3::A2a3;

/// Bytes of each guard zone.
pub(crate) const GUARD: usize = 64;

/// What guard zones are filled with.
pub(crate) const GUARD_BYTE: u8 = 0xA5;

/// A copy that is changed in a few places.
pub(crate) trait With: Copy {
    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl<T: Copy> With for T {}

/// A number stored little-endian.
pub(crate) trait Number: Copy + Default + PartialEq + std::fmt::Debug {
    fn put(self, bytes: &mut Vec<u8>);
    fn take(bytes: &[u8]) -> Vec<Self>;
}

macro_rules! number {
    ($($t:ty),*) => {$(
        impl Number for $t {
            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }

            fn take(bytes: &[u8]) -> Vec<Self> {
                bytes
                    .as_chunks()
                    .0
                    .iter()
                    .map(|chunk| <$t>::from_le_bytes(*chunk))
                    .collect()
            }
        }
    )*};
}

number!(i8, u8, i16, u16, i32, u32, f32, u64);

/// The bytes of `values`.
pub(crate) fn bytes<T: Number>(values: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for value in values {
        value.put(&mut bytes);
    }
    bytes
}

/// Which element of a tile is (r, c), by hand from MSCATTER-NZ-10 where it has boxes.
pub(crate) fn at(tile: &Tile, r: u64, c: u64) -> usize {
    let c0 = 32 / tile.dtype.size() as u64;
    let element = match (tile.blayout, tile.slayout) {
        (BLayout::RowMajor, _) => r * tile.cols + c,
        (BLayout::ColMajor, SLayout::NoneBox) => c * tile.rows + r,
        (BLayout::ColMajor, _) => c / c0 * tile.rows * c0 + r * c0 + c % c0,
    };
    element as usize
}

/// All elements of a tile whose valid ones are `values`, row after row, and the
/// others `pad`.
pub(crate) fn image<T: Number>(tile: &Tile, values: &[T], pad: T) -> Vec<T> {
    let mut all = vec![pad; (tile.rows * tile.cols) as usize];
    let (rows, cols) = (tile.valid_row.get(), tile.valid_col.get());
    for (k, value) in (0..rows * cols).zip(values) {
        all[at(tile, k / cols, k % cols)] = *value;
    }
    all
}

/// An ND tile, extents known at compile time.
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

/// An NZ tile, extents known at compile time.
pub(crate) fn nz_tile(dtype: DType, padded: [u64; 2], valid: [u64; 2]) -> Tile {
    tile(dtype, padded, valid)
        .with(|c| (c.blayout, c.slayout) = (BLayout::ColMajor, SLayout::RowMajor))
}

/// The same tile with extents given at run time.
pub(crate) fn dynamic(tile: Tile) -> Tile {
    tile.with(|c| {
        (c.valid_row, c.valid_col) = (
            Dim::Dynamic(tile.valid_row.get()),
            Dim::Dynamic(tile.valid_col.get()),
        )
    })
}

/// A table with static shape and stride.
pub(crate) fn table(
    dtype: DType,
    shape: [u64; 5],
    stride: [u64; 5],
    layout: Layout,
) -> GlobalTensor {
    GlobalTensor {
        dtype,
        shape: shape.map(Dim::Static),
        stride: stride.map(Dim::Static),
        layout,
    }
}

/// `Shape<1,1,1,rows,cols>`, packed, ND.
pub(crate) fn nd(dtype: DType, rows: u64, cols: u64) -> GlobalTensor {
    let all = rows * cols;
    table(
        dtype,
        [1, 1, 1, rows, cols],
        [all, all, all, cols, 1],
        Layout::ND,
    )
}

/// A packed NZ table of `[batches, blocks, block rows]`.
pub(crate) fn nz(dtype: DType, [b, cols, rows]: [u64; 3], c0: u64) -> GlobalTensor {
    let block = 16 * c0;
    let stride = [cols * rows * block, rows * block, block, c0, 1];
    table(dtype, [b, cols, rows, 16, c0], stride, Layout::NZ)
}

/// A scatter with policies None and Undefined.
pub(crate) fn mscatter(mode: Coalesce, table: GlobalTensor, src: Tile, idx: Tile) -> Mscatter {
    Mscatter {
        table,
        src,
        idx,
        mode,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        conflict: ScatterConflict::Last,
        launch: Launch::default(),
    }
}

/// A gather with policy Undefined.
pub(crate) fn mgather(mode: Coalesce, dst: Tile, table: GlobalTensor, idx: Tile) -> Mgather {
    Mgather {
        dst,
        table,
        idx,
        mode,
        oob: GatherOob::Undefined,
        launch: Launch::default(),
    }
}

/// An L1 tile in NZ form, extents known at compile time.
pub(crate) fn mat(dtype: DType, padded: [u64; 2], valid: [u64; 2]) -> Tile {
    nz_tile(dtype, padded, valid).with(|c| c.location = TileType::Mat)
}

/// `Shape<1,1,1,1,count>`, packed, ND.
pub(crate) fn line(dtype: DType, count: u64) -> GlobalTensor {
    nd(dtype, 1, count)
}

/// A gather to L1 with policy Undefined and packed `int32_t` indices; Elem has
/// a scratch of just the size that it needs.
pub(crate) fn mgather_l1(mode: Coalesce, dst: Tile, table: GlobalTensor) -> MgatherL1 {
    let (rows, cols) = (dst.valid_row.get(), dst.valid_col.get());
    let (idx, scratch) = match mode {
        Coalesce::Row => (line(DType::Int32, rows), None),
        Coalesce::Elem => (
            nd(DType::Int32, rows, cols),
            Some(line(dst.dtype, dst.rows * dst.cols)),
        ),
    };
    MgatherL1 {
        dst,
        table,
        idx,
        scratch,
        mode,
        oob: GatherOob::Undefined,
        exec: GatherExec::Scalar,
        launch: Launch::default(),
    }
}

/// An operand between two guard zones.
pub(crate) fn region(role: Role, body: Vec<u8>) -> Region {
    let len = body.len();
    let mut all = vec![GUARD_BYTE; GUARD];
    all.extend(body);
    all.resize(GUARD + len + GUARD, GUARD_BYTE);
    Region::new(role, all, GUARD..GUARD + len)
}

/// One run: memory after it, and its log.
pub(crate) struct Ran {
    pub(crate) memory: Memory,
    pub(crate) log: Log,
    pub(crate) outcome: Result<End, Fault>,
}

impl Ran {
    fn region(&self, role: Role) -> &Region {
        self.memory.get(role).expect("the call has this operand")
    }

    /// The operand's elements.
    pub(crate) fn read<T: Number>(&self, role: Role) -> Vec<T> {
        T::take(self.region(role).body())
    }

    /// The table's elements.
    pub(crate) fn table<T: Number>(&self) -> Vec<T> {
        self.read(Role::Table)
    }

    /// The destination's elements.
    pub(crate) fn dst<T: Number>(&self) -> Vec<T> {
        self.read(Role::Destination)
    }

    /// Guard zone before and after an operand.
    pub(crate) fn guards(&self, role: Role) -> (&[u8], &[u8]) {
        let region = self.region(role);
        let body = region.body_range();
        (&region.bytes()[..body.start], &region.bytes()[body.end..])
    }

    pub(crate) fn oob_accesses(&self) -> &[OobAccess] {
        &self.log.oob_accesses.first
    }

    pub(crate) fn events(&self) -> &[Event] {
        self.log.trace.as_deref().expect("`run` asks for a trace")
    }
}

/// The operands of a call of MSCATTER or MGATHER into UB.
pub(crate) fn in_ub(call: &Call, operands: [Vec<u8>; 3]) -> Memory {
    let data = match call {
        Call::Mscatter(_) => Role::Source,
        _ => Role::Destination,
    };
    let [table, tile, index] = operands;
    memory([(Role::Table, table), (data, tile), (Role::Index, index)])
}

/// Operands, each between two guard zones.
pub(crate) fn memory<const N: usize>(operands: [(Role, Vec<u8>); N]) -> Memory {
    Memory {
        regions: operands.map(|(role, body)| region(role, body)).into(),
    }
}

/// Runs a call that the check may reject, with a trace, on `[table, data, index]`.
pub(crate) fn run(call: Call, readings: Readings, operands: [Vec<u8>; 3]) -> Ran {
    run_on(call, readings, in_ub(&call, operands))
}

/// Runs a call that the check may reject, with a trace.
pub(crate) fn run_on(call: Call, readings: Readings, mut memory: Memory) -> Ran {
    let how = How::default().with(|c| c.readings = readings);
    let mut log = Log {
        trace: Some(Vec::new()),
        ..Log::default()
    };
    let outcome = A2a3.execute(&call, &mut memory, &how, &mut log);

    Ran {
        memory,
        log,
        outcome,
    }
}

/// Runs a call that the check accepts and that must stay inside its operands.
pub(crate) fn legal(call: Call, readings: Readings, operands: [Vec<u8>; 3]) -> Ran {
    legal_on(call, readings, in_ub(&call, operands))
}

/// The default readings, changed.
pub(crate) fn reading(change: impl FnOnce(&mut Readings)) -> Readings {
    Readings::default().with(change)
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

/// Numbers from `first` on.
pub(crate) fn count(first: i32, len: i32) -> Vec<i32> {
    (first..first + len).collect()
}

/// Runs a call that the check accepts and that must stay inside its operands.
pub(crate) fn legal_on(call: Call, readings: Readings, before: Memory) -> Ran {
    assert_eq!(A2a3.check(&call, &readings), []);
    let ran = run_on(call, readings, before);
    assert_eq!(ran.outcome, Ok(End::Finished));
    assert_eq!(ran.oob_accesses(), []);
    ran
}

/// One access of a kernel.
pub(crate) fn load(space: Space, role: Role, offset: i64, len: u64) -> Event {
    Event::Load {
        space,
        role,
        offset,
        len,
    }
}

/// One access of a kernel.
pub(crate) fn store(space: Space, role: Role, offset: i64, len: u64) -> Event {
    Event::Store {
        space,
        role,
        offset,
        len,
    }
}

/// `set_flag` and `wait_flag`.
pub(crate) fn pair(from: Pipe, to: Pipe) -> [Event; 2] {
    [Event::SetFlag { from, to }, Event::WaitFlag { from, to }]
}
