//! MSCATTER and MGATHER between GM and UB.

use ptodiff_isa::{
    Call, Coalesce, DType, GatherOob, GlobalTensor, Launch, Memory, Mgather, Mscatter, Role,
    ScatterAtomicOp, ScatterConflict, ScatterOob, Tile,
};

use crate::{
    contest::Contest,
    data::{bytes_of, ramp, region, tensor, tile},
};

/// How much of what.
#[derive(Clone, Copy)]
struct Size {
    mode: Coalesce,
    rows: usize,
    cols: usize,
    /// Row: table rows. Elem: table elements.
    capacity: usize,
}

const SIZES: &[Size] = &[
    elem(8, 32, 256),
    LARGE,
    row(64, 64, 256),
    row(256, 64, 65536),
];

/// The size at which policies are compared.
const LARGE: Size = elem(1024, 16, 27648);

/// The size at which types are: a row of any of them is whole blocks of 32 bytes.
const WIDE: Size = elem(512, 32, 27648);

const fn elem(rows: usize, cols: usize, capacity: usize) -> Size {
    Size {
        mode: Coalesce::Elem,
        rows,
        cols,
        capacity,
    }
}

const fn row(rows: usize, cols: usize, capacity: usize) -> Size {
    Size {
        mode: Coalesce::Row,
        rows,
        cols,
        capacity,
    }
}

impl Size {
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
    fn distinct(&self) -> Vec<u32> {
        let step = if self.capacity.is_multiple_of(7) {
            11
        } else {
            7
        };
        let index = |k: usize| (k * step % self.capacity) as u32;
        (0..self.lanes()).map(index).collect()
    }

    /// All over four thirds of the capacity, so that a quarter is past it, and
    /// in no order that a machine could guess; a few meet.
    fn past_the_end(&self) -> Vec<u32> {
        let reach = self.capacity as u64 * 4 / 3;
        let index = |k: u64| (k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) % reach;
        (0..self.lanes() as u64).map(|k| index(k) as u32).collect()
    }

    fn index_tile(&self) -> Tile {
        match self.mode {
            Coalesce::Row => tile(DType::Int32, 1, self.rows),
            Coalesce::Elem => tile(DType::Int32, self.rows, self.cols),
        }
    }

    fn table(&self, dtype: DType) -> GlobalTensor {
        match self.mode {
            Coalesce::Row => tensor(dtype, self.capacity, self.cols),
            Coalesce::Elem => tensor(dtype, 1, self.capacity),
        }
    }

    fn scatter(&self, dtype: DType) -> Mscatter {
        Mscatter {
            table: self.table(dtype),
            src: tile(dtype, self.rows, self.cols),
            idx: self.index_tile(),
            mode: self.mode,
            atomic: ScatterAtomicOp::None,
            oob: ScatterOob::Undefined,
            conflict: ScatterConflict::Last,
            launch: Launch::default(),
        }
    }

    fn gather(&self, oob: GatherOob) -> Call {
        let dtype = DType::Float;
        Call::Mgather(Mgather {
            dst: tile(dtype, self.rows, self.cols),
            table: self.table(dtype),
            idx: self.index_tile(),
            mode: self.mode,
            oob,
            launch: Launch::default(),
        })
    }

    fn contest(&self, label: &str, call: Call, indices: &[u32]) -> Contest {
        let dtype = call.data_tile().dtype;
        let data = match call {
            Call::Mgather(_) => Role::Destination,
            _ => Role::Source,
        };
        let Self {
            mode,
            rows,
            cols,
            capacity,
        } = self;
        Contest {
            label: format!("{label} {mode} {rows}x{cols} into {capacity}"),
            call,
            memory: Memory {
                regions: vec![
                    region(Role::Table, ramp(dtype, self.table_len())),
                    region(data, ramp(dtype, rows * cols)),
                    region(Role::Index, bytes_of(indices)),
                ],
            },
            readings: |_| {},
        }
    }
}

/// Every contest of this file.
pub(crate) fn contests() -> impl Iterator<Item = Contest> {
    kinds().chain(policies()).chain(types())
}

/// The operations on floats with distinct indices in range.
fn kinds() -> impl Iterator<Item = Contest> {
    type Kind = (&'static str, fn(&Size) -> Call);
    const KINDS: [Kind; 4] = [
        ("MSCATTER Last", |size| {
            Call::Mscatter(size.scatter(DType::Float))
        }),
        ("MSCATTER Default", |size| {
            Call::Mscatter(Mscatter {
                conflict: ScatterConflict::Default,
                ..size.scatter(DType::Float)
            })
        }),
        ("MSCATTER Add", |size| {
            Call::Mscatter(Mscatter {
                atomic: ScatterAtomicOp::Add,
                ..size.scatter(DType::Float)
            })
        }),
        ("MGATHER", |size| size.gather(GatherOob::Undefined)),
    ];
    KINDS.into_iter().flat_map(|(label, call)| {
        let contest = move |size: &Size| size.contest(label, call(size), &size.distinct());
        SIZES.iter().map(contest)
    })
}

/// Floats with a quarter of the indices past the end.
fn policies() -> impl Iterator<Item = Contest> {
    let indices = LARGE.past_the_end();
    let scatters = [ScatterOob::Skip, ScatterOob::Clamp, ScatterOob::Wrap].map(|oob| {
        let call = Call::Mscatter(Mscatter {
            oob,
            ..LARGE.scatter(DType::Float)
        });
        LARGE.contest(&format!("MSCATTER {oob}"), call, &indices)
    });
    let gathers = [GatherOob::Clamp, GatherOob::Wrap, GatherOob::Zero]
        .map(|oob| LARGE.contest(&format!("MGATHER {oob}"), LARGE.gather(oob), &indices));
    scatters.into_iter().chain(gathers)
}

/// Other types than float, distinct indices in range.
fn types() -> impl Iterator<Item = Contest> {
    const TYPES: [(&str, DType, ScatterAtomicOp); 4] = [
        ("MSCATTER Last int8_t", DType::Int8, ScatterAtomicOp::None),
        ("MSCATTER Add half", DType::Half, ScatterAtomicOp::Add),
        ("MSCATTER Add int32_t", DType::Int32, ScatterAtomicOp::Add),
        ("MSCATTER Max int32_t", DType::Int32, ScatterAtomicOp::Max),
    ];
    TYPES.into_iter().map(|(label, dtype, atomic)| {
        let call = Call::Mscatter(Mscatter {
            atomic,
            ..WIDE.scatter(dtype)
        });
        WIDE.contest(label, call, &WIDE.distinct())
    })
}
