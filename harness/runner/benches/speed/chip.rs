//! The instructions that end on chip: the gather to L1, TSCATTER, TGATHERB;
//! and the first revision of MSCATTER. Every contest is on 128x64 floats.

use ptodiff_isa::{
    Call, Coalesce, DType, GatherExec, GatherOob, Launch, MaskAxis, MaskPattern, Memory, MgatherL1,
    MscatterFirst, OffsetGranularity, Region, Role, ScatterAtomicOp, ScatterOob, Tgatherb,
    TscatterIndex, TscatterMask,
};

use crate::{
    contest::Contest,
    data::{bytes_of, l1_tile, ramp, region, tensor, tile},
};

const ROWS: usize = 128;
const COLS: usize = 64;
const N: usize = ROWS * COLS;
/// Floats in a block of 32 bytes.
const BLOCK: usize = 8;

/// Every contest of this file.
pub(crate) fn contests() -> impl Iterator<Item = Contest> {
    [
        l1_row(),
        l1_elem(GatherExec::Scalar),
        l1_elem(GatherExec::Simt),
        first_revision(),
        scatter_by_index(),
        scatter_by_mask(),
        gather_bytes(),
        gather_blocks(),
    ]
    .into_iter()
}

/// All below `count`, each once, far apart.
fn permutation(count: usize) -> Vec<u32> {
    (0..count).map(|k| (k * 11 % count) as u32).collect()
}

fn floats(role: Role, count: usize) -> Region {
    region(role, ramp(DType::Float, count))
}

fn contest(label: &str, call: Call, regions: Vec<Region>) -> Contest {
    Contest {
        label: format!("{label} {ROWS}x{COLS}"),
        call,
        memory: Memory { regions },
        readings: |_| {},
    }
}

fn l1(mode: Coalesce, exec: GatherExec) -> Call {
    let indices = match mode {
        Coalesce::Row => tensor(DType::Int32, 1, ROWS),
        Coalesce::Elem => tensor(DType::Int32, ROWS, COLS),
    };
    Call::MgatherL1(MgatherL1 {
        dst: l1_tile(DType::Float, ROWS, COLS),
        table: tensor(DType::Float, ROWS, COLS),
        idx: indices,
        scratch: (mode == Coalesce::Elem).then(|| tensor(DType::Float, 1, N)),
        mode,
        oob: GatherOob::Undefined,
        exec,
        launch: Launch::default(),
    })
}

fn l1_row() -> Contest {
    let regions = vec![
        floats(Role::Table, N),
        floats(Role::Destination, N),
        region(Role::Index, bytes_of(&permutation(ROWS))),
    ];
    let call = l1(Coalesce::Row, GatherExec::Scalar);
    contest("MGATHER L1 Row", call, regions)
}

fn l1_elem(exec: GatherExec) -> Contest {
    let regions = vec![
        floats(Role::Table, N),
        floats(Role::Destination, N),
        region(Role::Index, bytes_of(&permutation(N))),
        floats(Role::Scratch, N),
    ];
    let call = l1(Coalesce::Elem, exec);
    contest(&format!("MGATHER L1 Elem {exec}"), call, regions)
}

fn scattered_into(role: Role) -> Vec<Region> {
    vec![
        floats(role, N),
        floats(Role::Source, N),
        region(Role::Index, bytes_of(&permutation(N))),
    ]
}

fn first_revision() -> Contest {
    let call = Call::MscatterFirst(MscatterFirst {
        table: tensor(DType::Float, ROWS, COLS),
        src: tile(DType::Float, ROWS, COLS),
        idx: tile(DType::Int32, ROWS, COLS),
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        launch: Launch::default(),
    });
    contest("MSCATTER first Elem", call, scattered_into(Role::Table))
}

fn scatter_by_index() -> Contest {
    let call = Call::TscatterIndex(TscatterIndex {
        dst: tile(DType::Float, ROWS, COLS),
        src: tile(DType::Float, ROWS, COLS),
        idx: tile(DType::Int32, ROWS, COLS),
    });
    contest("TSCATTER index", call, scattered_into(Role::Destination))
}

fn scatter_by_mask() -> Contest {
    let call = Call::TscatterMask(TscatterMask {
        dst: tile(DType::Float, ROWS, 2 * COLS),
        src: tile(DType::Float, ROWS, COLS),
        pattern: MaskPattern::P1010,
        axis: MaskAxis::Row,
    });
    let regions = vec![floats(Role::Destination, 2 * N), floats(Role::Source, N)];
    contest("TSCATTER P1010", call, regions)
}

fn byte_gather(label: &str, offsets: &[u32], cols: usize) -> Contest {
    let call = Call::Tgatherb(Tgatherb {
        dst: tile(DType::Float, ROWS, COLS),
        src: tile(DType::Float, ROWS, COLS),
        offset: tile(DType::Uint32, ROWS, cols),
    });
    let regions = vec![
        floats(Role::Destination, N),
        floats(Role::Source, N),
        region(Role::Index, bytes_of(offsets)),
    ];
    contest(label, call, regions)
}

fn gather_bytes() -> Contest {
    let offsets: Vec<u32> = permutation(N).iter().map(|k| 4 * k).collect();
    byte_gather("TGATHERB by element", &offsets, COLS)
}

fn gather_blocks() -> Contest {
    let offsets: Vec<u32> = permutation(N / BLOCK).iter().map(|k| 32 * k).collect();
    Contest {
        readings: |readings| readings.tgatherb_granularity = OffsetGranularity::Block,
        ..byte_gather("TGATHERB by block", &offsets, COLS / BLOCK)
    }
}
