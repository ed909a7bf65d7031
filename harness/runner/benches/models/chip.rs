//! The instructions that end on chip: the gather to L1, TSCATTER, TGATHERB;
//! and the first revision of MSCATTER.

use std::hint::black_box;

use ptodiff_isa::{
    Call, Coalesce, DType, GatherExec, GatherOob, Launch, MaskAxis, MaskPattern, Memory, MgatherL1,
    MscatterFirst, OffsetGranularity, Role, ScatterAtomicOp, ScatterOob, Tgatherb, TscatterIndex,
    TscatterMask,
};

use crate::{
    contest::Contest,
    data::{bytes_of, l1_tile, ramp, region, tensor, tile},
};

const ROWS: usize = 128;
const COLS: usize = 64;
const N: usize = ROWS * COLS;
/// Floats in a block of 32 bytes.
const C0: usize = 8;

/// Every contest of this file, on 128x64 floats.
pub(crate) fn contests() -> Vec<Contest> {
    vec![
        l1_row(),
        l1_elem(GatherExec::Scalar),
        l1_elem(GatherExec::Simt),
        first_revision(),
        scatter_by_index(),
        scatter_by_mask(),
        gather_bytes(),
        gather_blocks(),
    ]
}

fn floats() -> Vec<f32> {
    (0..N).map(|k| k as f32).collect()
}

/// All of 0..N, each once, far apart.
fn permutation() -> Vec<i32> {
    (0..N)
        .map(|k| i32::try_from(k * 11 % N).expect("fits"))
        .collect()
}

fn contest(label: &str, call: Call, memory: Memory, plain: impl FnMut() + 'static) -> Contest {
    Contest {
        label: format!("{label} {ROWS}x{COLS}"),
        elements: N,
        call,
        memory,
        readings: |_| {},
        plain: Box::new(plain),
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
    let idx: Vec<i32> = permutation()
        .iter()
        .map(|i| i % ROWS as i32)
        .take(ROWS)
        .collect();
    let memory = Memory {
        regions: vec![
            region(Role::Table, ramp(N)),
            region(Role::Destination, ramp(N)),
            region(Role::Index, bytes_of(&idx)),
        ],
    };
    let (table, mut dst) = (floats(), floats());
    let plain = move || {
        let (table, dst, idx) = (black_box(&table), black_box(&mut dst), black_box(&idx));
        for (r, &i) in idx.iter().enumerate() {
            let row = &table[i as usize * COLS..][..COLS];
            for (block, values) in row.chunks_exact(C0).enumerate() {
                dst[block * ROWS * C0 + r * C0..][..C0].copy_from_slice(values);
            }
        }
    };
    let call = l1(Coalesce::Row, GatherExec::Scalar);
    contest("MGATHER L1 Row", call, memory, plain)
}

fn l1_elem(exec: GatherExec) -> Contest {
    let idx = permutation();
    let memory = Memory {
        regions: vec![
            region(Role::Table, ramp(N)),
            region(Role::Destination, ramp(N)),
            region(Role::Index, bytes_of(&idx)),
            region(Role::Scratch, ramp(N)),
        ],
    };
    let (table, mut dst, mut scratch) = (floats(), floats(), floats());
    let plain = move || {
        let (table, idx) = (black_box(&table), black_box(&idx));
        let (scratch, dst) = (black_box(&mut scratch), black_box(&mut dst));
        scratch.fill(0.0);
        for (r, row) in idx.chunks_exact(COLS).enumerate() {
            for (c, &i) in row.iter().enumerate() {
                scratch[c / C0 * ROWS * C0 + r * C0 + c % C0] = table[i as usize];
            }
        }
        dst.copy_from_slice(scratch);
    };
    let call = l1(Coalesce::Elem, exec);
    contest(&format!("MGATHER L1 Elem {exec}"), call, memory, plain)
}

fn three(first: Role) -> Memory {
    Memory {
        regions: vec![
            region(first, ramp(N)),
            region(Role::Source, ramp(N)),
            region(Role::Index, bytes_of(&permutation())),
        ],
    }
}

fn plain_scatter() -> impl FnMut() + 'static {
    let (idx, src, mut dst) = (permutation(), floats(), floats());
    move || {
        let dst = black_box(&mut dst);
        for (value, &i) in black_box(&src).iter().zip(black_box(&idx)) {
            dst[i as usize] = *value;
        }
    }
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
    contest(
        "MSCATTER first Elem",
        call,
        three(Role::Table),
        plain_scatter(),
    )
}

fn scatter_by_index() -> Contest {
    let call = Call::TscatterIndex(TscatterIndex {
        dst: tile(DType::Float, ROWS, COLS),
        src: tile(DType::Float, ROWS, COLS),
        idx: tile(DType::Int32, ROWS, COLS),
    });
    contest(
        "TSCATTER index",
        call,
        three(Role::Destination),
        plain_scatter(),
    )
}

fn scatter_by_mask() -> Contest {
    let memory = Memory {
        regions: vec![
            region(Role::Destination, ramp(2 * N)),
            region(Role::Source, ramp(N)),
        ],
    };
    let (src, mut dst) = (floats(), vec![0f32; 2 * N]);
    let plain = move || {
        let (src, dst) = (black_box(&src), black_box(&mut dst));
        dst.fill(0.0);
        for (pair, value) in dst.chunks_exact_mut(2).zip(src) {
            pair[1] = *value;
        }
    };
    let call = Call::TscatterMask(TscatterMask {
        dst: tile(DType::Float, ROWS, 2 * COLS),
        src: tile(DType::Float, ROWS, COLS),
        pattern: MaskPattern::P1010,
        axis: MaskAxis::Row,
    });
    contest("TSCATTER P1010", call, memory, plain)
}

fn gather_of(offsets: &[i32], cols: usize) -> (Call, Memory) {
    let memory = Memory {
        regions: vec![
            region(Role::Destination, ramp(N)),
            region(Role::Source, ramp(N)),
            region(Role::Index, bytes_of(offsets)),
        ],
    };
    let call = Call::Tgatherb(Tgatherb {
        dst: tile(DType::Float, ROWS, COLS),
        src: tile(DType::Float, ROWS, COLS),
        offset: tile(DType::Uint32, ROWS, cols),
    });
    (call, memory)
}

fn gather_bytes() -> Contest {
    let offsets: Vec<i32> = permutation().iter().map(|i| 4 * i).collect();
    let (call, memory) = gather_of(&offsets, COLS);
    let (src, mut dst) = (floats(), floats());
    let plain = move || {
        let (src, dst) = (black_box(&src), black_box(&mut dst));
        for (to, &offset) in dst.iter_mut().zip(black_box(&offsets)) {
            *to = src[offset as usize / 4];
        }
    };
    contest("TGATHERB by element", call, memory, plain)
}

fn gather_blocks() -> Contest {
    let blocks = i32::try_from(N / C0).expect("fits");
    let offsets: Vec<i32> = (0..blocks).map(|k| k * 11 % blocks * 32).collect();
    let (call, memory) = gather_of(&offsets, COLS / C0);
    let (src, mut dst) = (floats(), floats());
    let plain = move || {
        let (src, dst) = (black_box(&src), black_box(&mut dst));
        for (to, &offset) in dst.chunks_exact_mut(C0).zip(black_box(&offsets)) {
            to.copy_from_slice(&src[offset as usize / 4..][..C0]);
        }
    };
    Contest {
        readings: |readings| readings.tgatherb_granularity = OffsetGranularity::Block,
        ..contest("TGATHERB by block", call, memory, plain)
    }
}
