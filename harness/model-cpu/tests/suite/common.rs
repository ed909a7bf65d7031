//! Building calls and memories, and running them.

use ptodiff_isa::{
    BLayout, Call, Coalesce, CpuForm, DType, Dim, End, Event, GatherOob, GlobalTensor, How, Launch,
    Layout, Log, Memory, Mgather, Model, Mscatter, OobAccess, Readings, Region, Role, SLayout,
    ScatterAtomicOp, ScatterConflict, ScatterOob, Tile, TileType,
};
use ptodiff_model_cpu::Cpu;

/// Bytes of each guard zone.
const GUARD: usize = 32;
/// What guard zones hold.
const GUARD_BYTE: u8 = 0xA5;
/// A word of a guard zone.
pub(crate) const GUARD_WORD: i32 = i32::from_le_bytes([GUARD_BYTE; 4]);

/// The bytes of `int32_t` values.
pub(crate) fn i32s(values: &[i32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

/// The bytes of `int32_t` values counted up from `first`.
pub(crate) fn counted(first: i32, count: i32) -> Vec<u8> {
    i32s(&Vec::from_iter(first..first + count))
}

/// A static RowMajor tile without padding.
pub(crate) fn full(dtype: DType, [rows, cols]: [u64; 2]) -> Tile {
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

/// A static ND table of rows, whose strides this target does not read.
pub(crate) fn table(dtype: DType, rows: u64, width: u64) -> GlobalTensor {
    GlobalTensor {
        dtype,
        shape: [1, 1, 1, rows, width].map(Dim::Static),
        stride: [Dim::Static(1); 5],
        layout: Layout::ND,
    }
}

/// A plain scatter.
pub(crate) fn scatter(mode: Coalesce, table: GlobalTensor, src: Tile, idx: Tile) -> Mscatter {
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

/// A plain gather.
pub(crate) fn gather(mode: Coalesce, dst: Tile, table: GlobalTensor, idx: Tile) -> Mgather {
    Mgather {
        dst,
        table,
        idx,
        mode,
        oob: GatherOob::Undefined,
        launch: Launch::default(),
    }
}

/// MSCATTER with A5's template parameters.
pub(crate) fn templated() -> Readings {
    Readings {
        cpu_form: CpuForm::Templated,
        ..Readings::default()
    }
}

/// What a run left behind.
pub(crate) struct Ran {
    memory: Memory,
    log: Log,
}

impl Ran {
    /// The body of one operand.
    pub(crate) fn body(&self, role: Role) -> &[u8] {
        let region = self.memory.get(role).expect("the operand is in the memory");
        region.body()
    }

    /// Its words.
    pub(crate) fn words(&self, role: Role) -> Vec<i32> {
        let (words, _) = self.body(role).as_chunks();
        words.iter().map(|word| i32::from_le_bytes(*word)).collect()
    }

    /// How many accesses left their operands, and the first of them.
    pub(crate) fn outside(&self) -> (u64, &[OobAccess]) {
        (self.log.oob_accesses.count, &self.log.oob_accesses.first)
    }

    /// What was done.
    pub(crate) fn events(&self) -> &[Event] {
        self.log.trace.as_deref().expect("a trace was asked for")
    }
}

/// Runs a call whose operands, in the order of `Call::operands`, hold these bytes between
/// guard zones.
pub(crate) fn ran(readings: Readings, call: Call, bodies: &[&[u8]]) -> Ran {
    let region = |(&(role, _), body): (&(Role, _), &&[u8])| {
        let bytes = [&[GUARD_BYTE; GUARD], *body, &[GUARD_BYTE; GUARD]].concat();
        Region::new(role, bytes, GUARD..GUARD + body.len())
    };
    let mut memory = Memory {
        regions: call.operands().iter().zip(bodies).map(region).collect(),
    };
    let how = How {
        readings,
        ..How::default()
    };
    let mut log = Log {
        trace: Some(Vec::new()),
        ..Log::default()
    };
    let end = Cpu.execute(&call, &mut memory, &how, &mut log);
    assert_eq!(end, Ok(End::Finished));
    Ran { memory, log }
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
