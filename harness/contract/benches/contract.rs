//! What one call costs the contract, from its legality to its permits: small
//! calls, where what is done once a call counts, and large ones of the same
//! kind, where what is done once an element does. The best of several rounds.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use ptodiff_contract::{Promise, Question, Telling};
use ptodiff_isa::*;

/// Rounds of each row.
const ROUNDS: usize = 9;

/// Extents of a small data tile and of a large one.
const SIZES: [[u64; 2]; 2] = [[4, 8], [32, 512]];

/// Bytes of a guard zone.
const GUARD: usize = 64;

/// A call on a target, with its operands.
struct Row {
    label: &'static str,
    call: Call,
    target: Target,
    memory: Memory,
}

fn tile(dtype: DType, [rows, cols]: [u64; 2]) -> Tile {
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

fn matrix(dtype: DType, [rows, cols]: [u64; 2]) -> GlobalTensor {
    let all = rows * cols;
    GlobalTensor {
        dtype,
        shape: [1, 1, 1, rows, cols].map(Dim::Static),
        stride: [all, all, all, cols, 1].map(Dim::Static),
        layout: Layout::ND,
    }
}

fn region(role: Role, body: &[u8]) -> Region {
    let guard = [0xA5; GUARD];
    Region::new(
        role,
        [&guard, body, &guard].concat(),
        GUARD..GUARD + body.len(),
    )
}

/// Small positive floats: their sums round now and then.
fn values(elements: u64) -> Vec<u8> {
    let value = |i: u64| (i * 37 % 101) as f32 / 3.0;
    (0..elements).flat_map(|i| value(i).to_le_bytes()).collect()
}

/// Indices all over `capacity`, some of them several times, times `unit`.
fn indices(count: u64, capacity: u64, unit: u64) -> Vec<u8> {
    let reached = capacity - capacity / 4;
    let index = |i: u64| (i * 7919 % reached * unit) as u32;
    (0..count).flat_map(|i| index(i).to_le_bytes()).collect()
}

/// MSCATTER with `change`d parameters.
fn scatter(label: &'static str, size: [u64; 2], change: impl Fn(&mut Mscatter)) -> Row {
    let [rows, cols] = size;
    let mut call = Mscatter {
        table: matrix(DType::Float, size),
        src: tile(DType::Float, size),
        idx: tile(DType::Int32, size),
        mode: Coalesce::Elem,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Skip,
        conflict: ScatterConflict::Last,
        launch: Launch::default(),
    };
    change(&mut call);
    let (count, capacity) = match call.mode {
        Coalesce::Elem => (rows * cols, rows * cols),
        Coalesce::Row => (call.idx.cols, rows),
    };
    Row {
        label,
        call: Call::Mscatter(call),
        target: Target::A5,
        memory: Memory {
            regions: vec![
                region(Role::Table, &values(rows * cols)),
                region(Role::Source, &values(rows * cols)),
                region(Role::Index, &indices(count, capacity, 1)),
            ],
        },
    }
}

/// Makes a call one by rows.
fn by_rows(call: &mut Mscatter) {
    let rows = call.src.rows;
    call.mode = Coalesce::Row;
    call.idx = Tile {
        valid_col: Dim::Static(rows),
        ..tile(DType::Int32, [1, rows.next_multiple_of(8)])
    };
}

/// A gather into `dst`, which has `elements` in its image.
fn gathered(label: &'static str, call: Call, dst: Tile, table: [u64; 2], index: &[u8]) -> Row {
    let image = vec![7; (dst.rows * dst.cols) as usize * dst.dtype.size()];
    let mut regions = vec![
        region(Role::Destination, &image),
        region(Role::Table, &values(table[0] * table[1])),
        region(Role::Index, index),
    ];
    if matches!(
        call,
        Call::MgatherL1(MgatherL1 {
            scratch: Some(_),
            ..
        })
    ) {
        regions.push(region(Role::Scratch, &image));
    }
    Row {
        label,
        call,
        target: Target::A5,
        memory: Memory { regions },
    }
}

fn gathers(size: [u64; 2]) -> Vec<Row> {
    let ([rows, cols], dst) = (size, tile(DType::Float, size));
    let l1 = Tile {
        location: TileType::Mat,
        blayout: BLayout::ColMajor,
        slayout: SLayout::RowMajor,
        valid_row: Dim::Static(rows),
        ..tile(DType::Float, [rows.next_multiple_of(16), cols])
    };
    let elements = indices(rows * cols, rows * cols, 1);
    let mut across = tile(DType::Int32, [1, rows.next_multiple_of(8)]);
    across.valid_col = Dim::Static(rows);
    let by_row = indices(across.cols, rows, 1);
    let gather = |mode, idx| {
        Call::Mgather(Mgather {
            dst,
            table: matrix(DType::Float, size),
            idx,
            mode,
            oob: GatherOob::Zero,
            launch: Launch::default(),
        })
    };
    let to_l1 = |mode, idx, scratch| {
        Call::MgatherL1(MgatherL1 {
            dst: l1,
            table: matrix(DType::Float, size),
            idx,
            scratch,
            mode,
            oob: GatherOob::Clamp,
            exec: GatherExec::Scalar,
            launch: Launch::default(),
        })
    };
    let staging = matrix(DType::Float, [l1.rows, l1.cols]);
    let elem = gather(Coalesce::Elem, tile(DType::Int32, size));
    let row = gather(Coalesce::Row, across);
    let elem_l1 = to_l1(Coalesce::Elem, matrix(DType::Int32, size), Some(staging));
    let row_l1 = to_l1(Coalesce::Row, matrix(DType::Int32, [1, rows]), None);
    vec![
        gathered("gather elem", elem, dst, size, &elements),
        gathered("gather row", row, dst, size, &by_row),
        gathered("gather to L1 elem", elem_l1, l1, size, &elements),
        gathered("gather to L1 row", row_l1, l1, size, &by_row),
    ]
}

fn on_chip(size: [u64; 2]) -> Vec<Row> {
    let [rows, cols] = size;
    let (data, count) = (tile(DType::Float, size), rows * cols);
    let wide = tile(DType::Float, [rows, 2 * cols]);
    let index = tile(DType::Int32, size);
    let bytes = values(2 * count);
    let row = |label, call, dst: u64, index: &[u8]| Row {
        label,
        call,
        target: Target::A5,
        memory: Memory {
            regions: vec![
                region(Role::Destination, &bytes[..dst as usize * 4]),
                region(Role::Source, &bytes[..count as usize * 4]),
                region(Role::Index, index),
            ],
        },
    };
    let by_index = Call::TscatterIndex(TscatterIndex {
        dst: data,
        src: data,
        idx: index,
    });
    let by_mask = Call::TscatterMask(TscatterMask {
        dst: wide,
        src: data,
        pattern: MaskPattern::P0101,
        axis: MaskAxis::Row,
    });
    let by_offset = Call::Tgatherb(Tgatherb {
        dst: data,
        src: data,
        offset: tile(DType::Uint32, size),
    });
    let mut by_mask = row("tscatter mask", by_mask, 2 * count, &[]);
    by_mask.memory.regions.truncate(2);
    vec![
        row("tscatter index", by_index, count, &indices(count, count, 1)),
        by_mask,
        row("tgatherb", by_offset, count, &indices(count, count, 4)),
    ]
}

fn rows(size: [u64; 2]) -> Vec<Row> {
    let mut all = vec![
        scatter("scatter Last elem", size, |_| {}),
        scatter("scatter Default elem", size, |c| {
            c.conflict = ScatterConflict::Default;
        }),
        scatter("scatter Add elem", size, |c| {
            c.atomic = ScatterAtomicOp::Add
        }),
        scatter("scatter Last row", size, by_rows),
        scatter("scatter Add row", size, |c| {
            by_rows(c);
            c.atomic = ScatterAtomicOp::Add;
        }),
    ];
    all.extend(gathers(size));
    all.extend(on_chip(size));
    all.push(scatter("refused: Add of int8_t", size, |c| {
        c.atomic = ScatterAtomicOp::Add;
        c.src.dtype = DType::Int8;
        c.table.dtype = DType::Int8;
    }));
    all.push(scatter("owed: a boxed tile", size, |c| {
        c.src.slayout = SLayout::RowMajor;
    }));
    all
}

/// How long one answer takes.
fn time(row: &Row, promise: &mut Promise, rounds: usize) -> Duration {
    let readings = Readings::default();
    let question = Question {
        call: &row.call,
        target: row.target,
        readings: &readings,
        telling: Telling::Brief,
    };
    let steps = std::slice::from_ref(&row.memory);
    let calls = (200_000 / row.memory.regions[1].body().len()).max(5) as u32;
    let mut best = Duration::MAX;
    for _ in 0..rounds {
        let started = Instant::now();
        for _ in 0..calls {
            promise.of_call(black_box(&question));
            promise.of_data(&question, black_box(steps));
            black_box(&mut *promise);
        }
        best = best.min(started.elapsed() / calls);
    }
    best
}

fn main() {
    // cargo passes flags of its own; any other word selects by label.
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"))
        .collect();
    let mut promise = Promise::default();
    println!("ns a call of 32 lanes, and ns a lane of 16384; best of {ROUNDS} rounds");
    for (small, large) in rows(SIZES[0]).iter().zip(&rows(SIZES[1])) {
        if !wanted.is_empty() && !wanted.iter().any(|word| small.label.contains(word)) {
            continue;
        }
        let [few, many] = [small, large].map(|row| time(row, &mut promise, ROUNDS).as_nanos());
        let lanes = (SIZES[1][0] * SIZES[1][1]) as f64;
        println!(
            "{:<26} {few:>7} {:>9.2}   {}",
            small.label,
            many as f64 / lanes,
            outcome(&promise)
        );
    }
}

/// What came of the call asked about last.
fn outcome(promise: &Promise) -> String {
    match (promise.permits(), promise.legality().first()) {
        (Some(permits), _) => {
            let runs: usize = permits.operands.iter().map(|o| o.runs.len()).sum();
            format!("{runs} runs")
        }
        (None, Some(broken)) => broken.clause.to_string(),
        (None, None) => "no permits".to_owned(),
    }
}
