//! Building calls and memories, and running them.

use ptodiff_isa::{
    BLayout, Call, Coalesce, CpuForm, DType, Dim, End, GatherOob, GlobalTensor, How, Launch,
    Layout, Log, Memory, Mgather, Model, Mscatter, Readings, Region, Role, SLayout,
    ScatterAtomicOp, ScatterConflict, ScatterOob, Tile, TileType,
};
use ptodiff_model_cpu::Cpu;

/// Bytes of each guard zone.
pub(crate) const GUARD: usize = 32;
/// What guard zones hold.
pub(crate) const GUARD_BYTE: u8 = 0xA5;

/// Little-endian bytes: `bytes(&[1, 2], i32::to_le_bytes)`.
pub(crate) fn bytes<T: Copy, const W: usize>(values: &[T], write: fn(T) -> [u8; W]) -> Vec<u8> {
    values.iter().flat_map(|v| write(*v)).collect()
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
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|b| i32::from_le_bytes(*b))
        .collect()
}

/// 16-bit patterns out of bytes.
pub(crate) fn to_u16s(bytes: &[u8]) -> Vec<u16> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|b| u16::from_le_bytes(*b))
        .collect()
}

/// `float` values out of bytes.
pub(crate) fn to_f32s(bytes: &[u8]) -> Vec<f32> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|b| f32::from_le_bytes(*b))
        .collect()
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
    Tile {
        valid_row: Dim::Dynamic(tile.valid_row.get()),
        valid_col: Dim::Dynamic(tile.valid_col.get()),
        ..tile
    }
}

/// The same tile with columns contiguous.
pub(crate) fn col_major(tile: Tile) -> Tile {
    Tile {
        blayout: BLayout::ColMajor,
        ..tile
    }
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

/// An operand between its guard zones.
pub(crate) fn region(role: Role, body: &[u8]) -> Region {
    let mut bytes = vec![GUARD_BYTE; GUARD];
    bytes.extend_from_slice(body);
    bytes.extend([GUARD_BYTE; GUARD]);
    Region::new(role, bytes, GUARD..GUARD + body.len())
}

/// The memory of a scatter.
pub(crate) fn scatter_memory(table: &[u8], src: &[u8], idx: &[u8]) -> Memory {
    Memory {
        regions: vec![
            region(Role::Table, table),
            region(Role::Source, src),
            region(Role::Index, idx),
        ],
    }
}

/// The memory of a gather.
pub(crate) fn gather_memory(dst: &[u8], table: &[u8], idx: &[u8]) -> Memory {
    Memory {
        regions: vec![
            region(Role::Destination, dst),
            region(Role::Table, table),
            region(Role::Index, idx),
        ],
    }
}

/// A memory of these operands.
pub(crate) fn memory_of(operands: &[(Role, &[u8])]) -> Memory {
    let regions = operands.iter().map(|(role, body)| region(*role, body));
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

    /// Guard zone, body, guard zone of one operand.
    pub(crate) fn image(&self, role: Role) -> &[u8] {
        self.region(role).bytes()
    }
}

/// Runs a call under one form of MSCATTER, with or without a trace.
pub(crate) fn run(call: &Call, memory: Memory, form: CpuForm, trace: bool) -> Ran {
    let readings = Readings {
        cpu_form: form,
        ..Readings::default()
    };
    run_under(readings, call, memory, trace)
}

/// Runs a call under any readings, with or without a trace.
pub(crate) fn run_under(readings: Readings, call: &Call, mut memory: Memory, trace: bool) -> Ran {
    let how = How {
        readings,
        ..How::default()
    };
    let mut log = Log {
        trace: trace.then(Vec::new),
        ..Log::default()
    };
    let end = Cpu
        .execute(call, &mut memory, &how, &mut log)
        .expect("the memory has every operand");
    assert_eq!(end, End::Finished);
    Ran { memory, log }
}

/// Runs a call that must not out-of-bounds access, traced and not: the destination's image,
/// whose guard zones and fellow operands must have stayed as they were.
pub(crate) fn made(readings: Readings, call: &Call, memory: &Memory) -> Vec<u8> {
    let ran = run_under(readings, call, memory.clone(), false);
    assert_eq!(
        ran.log.oob_accesses.count, 0,
        "{:?}",
        ran.log.oob_accesses.first
    );
    let traced = run_under(readings, call, memory.clone(), true);
    assert_eq!(traced.memory, ran.memory);
    for old in &memory.regions {
        if old.role != Role::Destination {
            assert_eq!(ran.region(old.role), old);
        }
    }
    let image = ran.image(Role::Destination);
    assert_eq!(image[..GUARD], [GUARD_BYTE; GUARD]);
    assert_eq!(image[image.len() - GUARD..], [GUARD_BYTE; GUARD]);
    ran.body(Role::Destination).to_vec()
}

/// Runs a scatter that must not out-of-bounds access; the table's body afterwards.
pub(crate) fn scattered(call: &Mscatter, form: CpuForm, memory: Memory) -> Vec<u8> {
    let ran = run(&Call::Mscatter(*call), memory, form, false);
    assert_eq!(
        ran.log.oob_accesses.count, 0,
        "{:?}",
        ran.log.oob_accesses.first
    );
    ran.body(Role::Table).to_vec()
}

/// Runs a gather that must not out-of-bounds access; the destination's body afterwards.
pub(crate) fn gathered(call: &Mgather, memory: Memory) -> Vec<u8> {
    let ran = run(&Call::Mgather(*call), memory, CpuForm::Documented, false);
    assert_eq!(
        ran.log.oob_accesses.count, 0,
        "{:?}",
        ran.log.oob_accesses.first
    );
    ran.body(Role::Destination).to_vec()
}
