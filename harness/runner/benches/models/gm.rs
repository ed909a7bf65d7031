//! MSCATTER and MGATHER between GM and UB.

use std::hint::black_box;

use ptodiff_isa::{
    Call, Coalesce, DType, GatherOob, GlobalTensor, Launch, Memory, Mgather, Mscatter, Role,
    ScatterAtomicOp, ScatterConflict, ScatterOob, Tile,
};

use crate::{
    contest::Contest,
    data::{bytes_of, ramp, region, tensor, tile},
};

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
        match self.mode {
            Coalesce::Row => tensor(DType::Float, self.capacity, self.cols),
            Coalesce::Elem => tensor(DType::Float, 1, self.capacity),
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
        Memory {
            regions: vec![
                region(Role::Table, ramp(self.table_len())),
                region(data, ramp(self.rows * self.cols)),
                region(Role::Index, bytes_of(&self.indices())),
            ],
        }
    }
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

/// One contest for each kind and piece of work.
pub(crate) fn contests() -> impl Iterator<Item = Contest> {
    KINDS
        .iter()
        .flat_map(|(label, kind)| WORK.iter().map(|work| contest(label, *kind, work)))
}

fn contest(label: &str, kind: Kind, work: &'static Work) -> Contest {
    let idx = work.indices();
    let mut table = vec![0f32; work.table_len()];
    let mut tile: Vec<f32> = (0..work.rows * work.cols).map(|k| k as f32).collect();
    let add = kind == Kind::Add;
    let plain = move || match (kind, work.mode) {
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
    let (role, call) = match kind {
        Kind::Gather => (Role::Destination, work.gather()),
        Kind::Last => (
            Role::Source,
            work.scatter(ScatterAtomicOp::None, ScatterConflict::Last),
        ),
        Kind::Default => (
            Role::Source,
            work.scatter(ScatterAtomicOp::None, ScatterConflict::Default),
        ),
        Kind::Add => (
            Role::Source,
            work.scatter(ScatterAtomicOp::Add, ScatterConflict::Last),
        ),
    };
    Contest {
        label: format!("{label} {}", work.name),
        elements: work.rows * work.cols,
        call,
        memory: work.memory(role),
        readings: |_| {},
        plain: Box::new(plain),
    }
}
