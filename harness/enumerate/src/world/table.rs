//! Scatters to a table and gathers from one.

use Coalesce::{Elem, Row};
use DType::{Int8, Int16, Int32, Uint32};
use ptodiff_isa::{
    Call, Coalesce, CpuForm, DType, FirstConflict, GatherOob, GlobalTensor, IndexUnit, Layout,
    Mgather, MgatherL1, Mscatter, MscatterFirst, NegativeIndex, Readings, ScatterAtomicOp,
    ScatterConflict, ScatterOob, Target, Tile,
};

use super::{
    Ends, World,
    axes::{GATHERS, Indices, SCATTERS, TARGETS, extents},
    build::{first, gather, l1, l1_tile, matrix, nz_tile, operands, packed, scatter, suite, tile},
    show,
};

/// A vector of indices for the rows, or for the elements, of a valid extent.
struct Lanes {
    valid: [u64; 2],
    mode: Coalesce,
    indices: Indices,
}

impl Lanes {
    /// All of every valid extent in these modes.
    fn all(modes: &[Coalesce], most: u64) -> impl Iterator<Item = Self> {
        let shapes = extents().flat_map(move |valid| modes.iter().map(move |&mode| (valid, mode)));
        shapes.flat_map(move |(valid, mode)| {
            let [rows, cols] = valid;
            let count = match mode {
                Row => rows,
                Elem => rows * cols,
            };
            Indices::all(count, most).map(move |indices| Self {
                valid,
                mode,
                indices,
            })
        })
    }

    /// What is moved, in UB.
    fn data(&self, dtype: DType) -> Tile {
        tile(dtype, [self.valid[0], 32 / dtype.size() as u64], self.valid)
    }

    fn table(&self, dtype: DType) -> GlobalTensor {
        match self.mode {
            Row => matrix(dtype, self.indices.capacity, self.valid[1]),
            Elem => matrix(dtype, 1, self.indices.capacity),
        }
    }

    fn index(&self) -> Tile {
        let [rows, _] = self.valid;
        match self.mode {
            Row => tile(Int32, [1, 8], [1, rows]),
            Elem => tile(Int32, [rows, 8], self.valid),
        }
    }

    /// How a call ends whose indices are `unchecked` by any policy.
    fn ends(&self, unchecked: bool) -> Ends {
        Ends::by_precondition(unchecked && self.indices.beyond())
    }
}

/// MSCATTER of one mode and atomic on one target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scatters {
    /// The target.
    pub target: Target,
    /// What an index selects.
    pub mode: Coalesce,
    /// Of source and table.
    pub dtype: DType,
    /// How values combine.
    pub atomic: ScatterAtomicOp,
    /// The form that the CPU simulator has; the documented one knows Elem only,
    /// no atomic and no policy (MSCATTER-GAP-41).
    pub cpu_form: CpuForm,
}

impl Scatters {
    /// Plain stores of 8-bit data by the documented form.
    #[must_use]
    pub const fn plain(target: Target, mode: Coalesce) -> Self {
        Self {
            target,
            mode,
            dtype: Int8,
            atomic: ScatterAtomicOp::None,
            cpu_form: CpuForm::Documented,
        }
    }

    /// Shows every one of them under every policy.
    pub fn each(&self, most: u64, see: &mut impl FnMut(&World<'_>)) {
        let readings = Readings {
            cpu_form: self.cpu_form,
            ..Readings::default()
        };
        // Only stores that do not combine on A5 have a choice.
        let choice = self.target == Target::A5 && self.atomic == ScatterAtomicOp::None;
        let conflicts: &[_] = match choice {
            true => &[ScatterConflict::Last, ScatterConflict::Default],
            false => &[ScatterConflict::Last],
        };
        let unchecked = self.target == Target::Cpu && self.cpu_form == CpuForm::Documented;
        for lanes in Lanes::all(&[self.mode], most) {
            let (src, table) = (lanes.data(self.dtype), lanes.table(self.dtype));
            let call = Mscatter {
                atomic: self.atomic,
                ..scatter(table, src, lanes.index(), self.mode)
            };
            let memory = operands(&Call::Mscatter(call), &lanes.indices.vector);
            for oob in SCATTERS {
                let ends = lanes.ends(unchecked || oob == ScatterOob::Undefined);
                for &conflict in conflicts {
                    let call = Call::Mscatter(Mscatter {
                        oob,
                        conflict,
                        ..call
                    });
                    show(call, (&memory, &readings), &[self.target], ends, see);
                }
            }
        }
    }
}

/// Shows every plain MSCATTER of the first revision, which A5 alone has, under
/// every policy and either account of conflicts (MSCATTER0-GAP-02).
pub fn scattered_first(most: u64, see: &mut impl FnMut(&World<'_>)) {
    let last = Readings {
        first_conflict: FirstConflict::Last,
        ..Readings::default()
    };
    for mut lanes in Lanes::all(&[Row, Elem], most) {
        let [rows, cols] = lanes.valid;
        let width = if lanes.mode == Row { 1 } else { cols };
        if width == 1 {
            // One column says row whatever the source has.
            lanes.mode = Row;
        }
        let src = tile(Int8, lanes.valid, lanes.valid);
        let idx = tile(Int32, [rows, width], [rows, width]);
        let call = first(lanes.table(Int8), src, idx);
        let memory = operands(&Call::MscatterFirst(call), &lanes.indices.vector);
        for oob in SCATTERS {
            let call = Call::MscatterFirst(MscatterFirst { oob, ..call });
            let ends = lanes.ends(oob == ScatterOob::Undefined);
            for readings in [&Readings::default(), &last] {
                show(call, (&memory, readings), &[Target::A5], ends, see);
            }
        }
    }
}

/// Shows every MGATHER to UB of 8-bit data under every policy on every target.
pub fn gathers(most: u64, see: &mut impl FnMut(&World<'_>)) {
    let readings = Readings::default();
    for lanes in Lanes::all(&[Row, Elem], most) {
        let (dst, table) = (lanes.data(Int8), lanes.table(Int8));
        let call = gather(dst, table, lanes.index(), lanes.mode);
        let memory = operands(&Call::Mgather(call), &lanes.indices.vector);
        for oob in GATHERS {
            let call = Call::Mgather(Mgather { oob, ..call });
            let ends = lanes.ends(oob == GatherOob::Undefined);
            show(call, (&memory, &readings), &TARGETS, ends, see);
        }
    }
}

/// Shows every MSCATTER and MGATHER between an NZ table of 16 rows and an NZ
/// tile, which A2/A3 alone has, under every policy. Indices are counted from
/// the end of the table: the last of a vector's slots is its last one.
pub fn blocks(most: u64, see: &mut impl FnMut(&World<'_>)) {
    let readings = Readings::default();
    let table = packed(Int8, [1, 1, 1, 16, 32], Layout::NZ);
    for lanes in Lanes::all(&[Row, Elem], most) {
        let in_ub = nz_tile(Int8, [16, 32], lanes.valid);
        let count = if lanes.mode == Row { 16 } else { 512 };
        let shift = |&i: &i64| match i {
            ..0 => i,
            _ => i + count - lanes.indices.capacity as i64,
        };
        let vector: Vec<_> = lanes.indices.vector.iter().map(shift).collect();
        for (oob, back) in SCATTERS.into_iter().zip(GATHERS) {
            let there = scatter(table, in_ub, lanes.index(), lanes.mode);
            let to_ub = gather(in_ub, table, lanes.index(), lanes.mode);
            for call in [
                Call::Mscatter(Mscatter { oob, ..there }),
                Call::Mgather(Mgather { oob: back, ..to_ub }),
            ] {
                let memory = operands(&call, &vector);
                let ends = lanes.ends(oob == ScatterOob::Undefined);
                show(call, (&memory, &readings), &[Target::A2a3], ends, see);
            }
        }
    }
}

/// Shows every MGATHER to L1 of 8-bit data under every policy on every target;
/// on CPU in the suites' scope (MGATHERL1-GAP-14).
pub fn gathers_to_l1(most: u64, see: &mut impl FnMut(&World<'_>)) {
    let (npus, default) = ([Target::A2a3, Target::A5], Readings::default());
    for lanes in Lanes::all(&[Row, Elem], most) {
        let [rows, cols] = lanes.valid;
        let idx = match lanes.mode {
            Row => matrix(Int32, 1, rows),
            Elem => matrix(Int32, rows, cols),
        };
        let dst = l1_tile(Int8, [16, 32], lanes.valid);
        let call = l1(dst, lanes.table(Int8), idx, lanes.mode);
        let memory = operands(&Call::MgatherL1(call), &lanes.indices.vector);
        for oob in GATHERS {
            let call = Call::MgatherL1(MgatherL1 { oob, ..call });
            let ends = lanes.ends(oob == GatherOob::Undefined);
            show(call, (&memory, &suite()), &[Target::Cpu], ends, see);
            show(call, (&memory, &default), &npus, ends, see);
        }
    }
}

/// Types of displacements, and what a negative index is.
const WAYS: [(DType, NegativeIndex); 3] = [
    (Int32, NegativeIndex::Unsigned),
    (Int32, NegativeIndex::Intended),
    (Uint32, NegativeIndex::Intended),
];

/// Shows every MSCATTER and every MGATHER, to UB and to L1, of 16-bit elements
/// by displacement (`index-unit=byte`) under every policy on every target. A
/// vector of slots comes a second time with its last displacement a byte further.
/// CPU has all three forms, with policies (MSCATTER-GAP-41, MGATHERL1-GAP-14).
pub fn displaced(most: u64, see: &mut impl FnMut(&World<'_>)) {
    for lanes in Lanes::all(&[Elem], most) {
        let mut vector: Vec<_> = lanes.indices.vector.iter().map(|i| 2 * i).collect();
        by_displacements(&lanes, &vector, false, see);
        if !lanes.indices.beyond() {
            if let Some(last) = vector.last_mut() {
                *last += 1;
            }
            by_displacements(&lanes, &vector, true, see);
        }
    }
}

/// One vector, of which some displacement is `torn` or none.
fn by_displacements(lanes: &Lanes, vector: &[i64], torn: bool, see: &mut impl FnMut(&World<'_>)) {
    let [rows, cols] = lanes.valid;
    let (in_ub, table) = (lanes.data(Int16), lanes.table(Int16));
    let in_l1 = l1_tile(Int16, [16, 16], lanes.valid);
    for (dtype, negative_index) in WAYS {
        let readings = Readings {
            index_unit: IndexUnit::Byte,
            negative_index,
            cpu_form: CpuForm::Templated,
            ..suite()
        };
        let idx = Tile {
            dtype,
            ..lanes.index()
        };
        let there = scatter(table, in_ub, idx, Elem);
        let to_ub = gather(in_ub, table, idx, Elem);
        let to_l1 = l1(in_l1, table, matrix(dtype, rows, cols), Elem);
        for (oob, back) in SCATTERS.into_iter().zip(GATHERS) {
            let ends = if torn {
                Ends::Undefined
            } else {
                lanes.ends(oob == ScatterOob::Undefined)
            };
            for call in [
                Call::Mscatter(Mscatter { oob, ..there }),
                Call::Mgather(Mgather { oob: back, ..to_ub }),
                Call::MgatherL1(MgatherL1 { oob: back, ..to_l1 }),
            ] {
                let memory = operands(&call, vector);
                show(call, (&memory, &readings), &TARGETS, ends, see);
            }
        }
    }
}
