//! Elements a second of each model, beside a plain loop of the same operation
//! on the same data in the same run; then the mirrored suites, file reading to
//! record, on one core.

use std::{fs, hint::black_box, path::PathBuf, time::Instant};

use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherOob, GlobalTensor, How, Launch, Layout, Log, Memory,
    Mgather, Model, Mscatter, Region, Role, SLayout, ScatterAtomicOp, ScatterConflict, ScatterOob,
    Tile, TileType,
};
use ptodiff_runner::{Options, models};

/// One operation on float data with distinct indices in range.
struct Work {
    name: &'static str,
    mode: Coalesce,
    rows: usize,
    cols: usize,
    /// Row: table rows. Elem: table elements.
    capacity: usize,
}

const WORK: &[Work] = &[
    Work {
        name: "Elem 8x32 into 256",
        mode: Coalesce::Elem,
        rows: 8,
        cols: 32,
        capacity: 256,
    },
    Work {
        name: "Elem 1024x16 into 27648",
        mode: Coalesce::Elem,
        rows: 1024,
        cols: 16,
        capacity: 27648,
    },
    Work {
        name: "Row 256x64 into 65536",
        mode: Coalesce::Row,
        rows: 256,
        cols: 64,
        capacity: 65536,
    },
];

impl Work {
    fn lanes(&self) -> usize {
        match self.mode {
            Coalesce::Row => self.rows,
            Coalesce::Elem => self.rows * self.cols,
        }
    }

    fn table_len(&self) -> usize {
        match self.mode {
            Coalesce::Row => self.capacity * self.cols,
            Coalesce::Elem => self.capacity,
        }
    }

    /// Distinct, in range, far apart: an odd step below the capacity.
    fn indices(&self) -> Vec<i32> {
        let step = if self.capacity.is_multiple_of(7) {
            11
        } else {
            7
        };
        (0..self.lanes())
            .map(|k| i32::try_from(k * step % self.capacity).expect("fits"))
            .collect()
    }

    fn index_tile(&self) -> Tile {
        match self.mode {
            Coalesce::Row => tile(DType::Int32, 1, self.rows),
            Coalesce::Elem => tile(DType::Int32, self.rows, self.cols),
        }
    }

    fn table(&self) -> GlobalTensor {
        let (r, c) = match self.mode {
            Coalesce::Row => (self.capacity, self.cols),
            Coalesce::Elem => (1, self.capacity),
        };
        let (r, c) = (r as u64, c as u64);
        GlobalTensor {
            dtype: DType::Float,
            shape: [1, 1, 1, r, c].map(Dim::Static),
            stride: [r * c, r * c, r * c, c, 1].map(Dim::Static),
            layout: Layout::ND,
        }
    }

    fn scatter(&self, atomic: ScatterAtomicOp, conflict: ScatterConflict) -> Call {
        Call::Mscatter(Mscatter {
            table: self.table(),
            src: tile(DType::Float, self.rows, self.cols),
            idx: self.index_tile(),
            mode: self.mode,
            atomic,
            oob: ScatterOob::Undefined,
            conflict,
            launch: Launch::default(),
        })
    }

    fn gather(&self) -> Call {
        Call::Mgather(Mgather {
            dst: tile(DType::Float, self.rows, self.cols),
            table: self.table(),
            idx: self.index_tile(),
            mode: self.mode,
            oob: GatherOob::Undefined,
            launch: Launch::default(),
        })
    }

    fn memory(&self, data: Role) -> Memory {
        let ramp = |n: usize| {
            (0..n)
                .flat_map(|k| (k as f32).to_le_bytes())
                .collect::<Vec<u8>>()
        };
        let index = self
            .indices()
            .iter()
            .flat_map(|i| i.to_le_bytes())
            .collect();
        Memory {
            regions: vec![
                region(Role::Table, ramp(self.table_len())),
                region(data, ramp(self.rows * self.cols)),
                region(Role::Index, index),
            ],
        }
    }
}

fn tile(dtype: DType, rows: usize, cols: usize) -> Tile {
    let (rows, cols) = (rows as u64, cols as u64);
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

fn region(role: Role, body: Vec<u8>) -> Region {
    const GUARD: usize = 64;
    let mut bytes = vec![0xA5; body.len() + 2 * GUARD];
    bytes[GUARD..GUARD + body.len()].copy_from_slice(&body);
    Region::new(role, bytes, GUARD..GUARD + body.len())
}

/// What a programmer would write: typed slices, bounds checked by the language.
fn plain_scatter(work: &Work, table: &mut [f32], src: &[f32], idx: &[i32], add: bool) {
    let width = if work.mode == Coalesce::Row {
        work.cols
    } else {
        1
    };
    for (chunk, &i) in src.chunks_exact(width).zip(idx) {
        let at = i as usize * width;
        if add {
            for (t, s) in table[at..at + width].iter_mut().zip(chunk) {
                *t += s;
            }
        } else {
            table[at..at + width].copy_from_slice(chunk);
        }
    }
}

fn plain_scatter_elem(table: &mut [f32], src: &[f32], idx: &[i32], add: bool) {
    for (s, &i) in src.iter().zip(idx) {
        let slot = &mut table[i as usize];
        *slot = if add { *slot + s } else { *s };
    }
}

fn plain_gather(work: &Work, dst: &mut [f32], table: &[f32], idx: &[i32]) {
    match work.mode {
        Coalesce::Row => {
            for (chunk, &i) in dst.chunks_exact_mut(work.cols).zip(idx) {
                let at = i as usize * work.cols;
                chunk.copy_from_slice(&table[at..at + work.cols]);
            }
        }
        Coalesce::Elem => {
            for (d, &i) in dst.iter_mut().zip(idx) {
                *d = table[i as usize];
            }
        }
    }
}

/// Times of one operation: plain first, then the models in the order of [`models`].
fn bench_group(work: &Work, kind: Kind) -> Vec<f64> {
    let idx = work.indices();
    let mut table = vec![0f32; work.table_len()];
    let mut tile: Vec<f32> = (0..work.rows * work.cols).map(|k| k as f32).collect();
    let add = kind == Kind::Add;
    let mut plain = || match (kind, work.mode) {
        (Kind::Gather, _) => plain_gather(
            work,
            black_box(&mut tile),
            black_box(&table),
            black_box(&idx),
        ),
        (_, Coalesce::Row) => plain_scatter(
            work,
            black_box(&mut table),
            black_box(&tile),
            black_box(&idx),
            add,
        ),
        (_, Coalesce::Elem) => plain_scatter_elem(
            black_box(&mut table),
            black_box(&tile),
            black_box(&idx),
            add,
        ),
    };
    let role = if kind == Kind::Gather {
        Role::Destination
    } else {
        Role::Source
    };
    let call = match kind {
        Kind::Gather => work.gather(),
        Kind::Last => work.scatter(ScatterAtomicOp::None, ScatterConflict::Last),
        Kind::Default => work.scatter(ScatterAtomicOp::None, ScatterConflict::Default),
        Kind::Add => work.scatter(ScatterAtomicOp::Add, ScatterConflict::Last),
    };
    let mut how = How::default();
    how.readings.cpu_form = ptodiff_isa::CpuForm::Templated;
    let mut subjects: Vec<(&dyn Model, Memory, Log)> = Vec::new();
    for model in models() {
        assert_eq!(
            model.check(&call, &how.readings),
            [],
            "{} refuses",
            model.target()
        );
        let (mut memory, mut log) = (work.memory(role), Log::default());
        run(model, &call, &mut memory, &how, &mut log);
        assert_eq!(log.strays.count, 0, "{} strays", model.target());
        subjects.push((model, memory, log));
    }
    let batch = (200_000 / (work.rows * work.cols)).max(1);
    let mut best = vec![f64::INFINITY; 1 + subjects.len()];
    for _ in 0..ROUNDS {
        best[0] = best[0].min(time(batch, &mut plain));
        for ((model, memory, log), best) in subjects.iter_mut().zip(&mut best[1..]) {
            *best = best.min(time(batch, || {
                run(*model, black_box(&call), black_box(memory), &how, log)
            }));
        }
    }
    best
}

/// Rounds in which everything that is compared takes its turn, so that a
/// slow moment of the machine hits all alike; the best round counts.
const ROUNDS: usize = 300;

/// Nanoseconds of one of `batch` calls.
fn time(batch: usize, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..batch {
        work();
    }
    start.elapsed().as_nanos() as f64 / batch as f64
}

fn run(model: &dyn Model, call: &Call, memory: &mut Memory, how: &How, log: &mut Log) {
    model
        .execute(call, memory, how, log)
        .expect("the model runs the call");
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Last,
    Default,
    Add,
    Gather,
}

const KINDS: &[(&str, Kind)] = &[
    ("MSCATTER Last", Kind::Last),
    ("MSCATTER Default", Kind::Default),
    ("MSCATTER Add", Kind::Add),
    ("MGATHER", Kind::Gather),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Milliseconds from reading the files to the written record, on one core.
fn bench_suites() -> f64 {
    let cases = root().join("cases/st");
    let out = std::env::temp_dir().join(format!("ptodiff-bench-{}.jsonl", std::process::id()));
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let whole = || {
            let corpus =
                ptodiff_case::load(std::slice::from_ref(&cases)).expect("the corpus loads");
            let options = Options {
                jobs: 1,
                ..Options::default()
            };
            let mut file =
                std::io::BufWriter::new(fs::File::create(&out).expect("a temporary file"));
            ptodiff_runner::run(&corpus.cases, &options, &mut file, |_| {}).expect("the run ends");
        };
        // Reading uses the pool it is called from: one thread here, as the run.
        best = best.min(time(1, || one_core().install(whole)));
    }
    let _ = fs::remove_file(out);
    best / 1e6
}

fn one_core() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a thread starts")
}

fn main() {
    println!(
        "million elements/s, best of {ROUNDS} interleaved rounds (times slower than the plain loop)"
    );
    println!(
        "{:<40} {:>8} {:>16} {:>16} {:>16}",
        "", "plain", "cpu", "a2a3", "a5"
    );
    for (label, kind) in KINDS {
        for work in WORK {
            let best = bench_group(work, *kind);
            let rate = |ns: f64| (work.rows * work.cols) as f64 * 1e3 / ns;
            print!(
                "{:<40} {:>8.0}",
                format!("{label} {}", work.name),
                rate(best[0])
            );
            for ns in &best[1..] {
                print!(" {:>8.0} ({:>5.2})", rate(*ns), ns / best[0]);
            }
            println!();
        }
    }
    println!(
        "mirrored suites, file reading to run.jsonl, one core: {:.1} ms",
        bench_suites()
    );
}
