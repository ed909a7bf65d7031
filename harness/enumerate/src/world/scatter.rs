//! Scatters to a table.

use ptodiff_isa::{
    Call, Coalesce, CpuForm,
    DType::{self, Int8, Int32},
    FirstConflict, Memory, Mscatter, MscatterFirst, Readings, Role, ScatterAtomicOp,
    ScatterConflict, ScatterOob, Target,
};

use super::{
    Ends, World,
    axes::{Indices, SCATTERS, extents},
    build::{content, first, image, matrix, memory, placed, scatter, tile},
};

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
        let dtype = self.dtype;
        let wide = 32 / dtype.size() as u64;
        for valid in extents() {
            let [rows, cols] = valid;
            let src = tile(dtype, [rows, wide], valid);
            let (lanes, idx) = match self.mode {
                Coalesce::Row => (rows, tile(Int32, [1, 8], [1, rows])),
                Coalesce::Elem => (rows * cols, tile(Int32, [rows, 8], valid)),
            };
            for indices in Indices::all(lanes, most) {
                let table = match self.mode {
                    Coalesce::Row => matrix(dtype, indices.capacity, cols),
                    Coalesce::Elem => matrix(dtype, 1, indices.capacity),
                };
                let memory = memory(&[
                    (Role::Table, &content(&table, 5)),
                    (Role::Source, &image(&src, 0)),
                    (Role::Index, &placed(&indices.vector, &idx)),
                ]);
                let call = Mscatter {
                    atomic: self.atomic,
                    ..scatter(table, src, idx, self.mode)
                };
                self.policies(&call, &memory, &readings, indices.beyond(), see);
            }
        }
    }

    /// One call under every policy.
    fn policies(
        &self,
        call: &Mscatter,
        memory: &Memory,
        readings: &Readings,
        beyond: bool,
        see: &mut impl FnMut(&World<'_>),
    ) {
        // Only stores that do not combine on A5 have a choice.
        let choice = self.target == Target::A5 && self.atomic == ScatterAtomicOp::None;
        let conflicts: &[_] = match choice {
            true => &[ScatterConflict::Last, ScatterConflict::Default],
            false => &[ScatterConflict::Last],
        };
        let unchecked = self.target == Target::Cpu && self.cpu_form == CpuForm::Documented;
        for oob in SCATTERS {
            let broken = beyond && (unchecked || oob == ScatterOob::Undefined);
            for &conflict in conflicts {
                see(&World {
                    call: Call::Mscatter(Mscatter {
                        oob,
                        conflict,
                        ..*call
                    }),
                    memory,
                    target: self.target,
                    readings,
                    ends: Ends::by_precondition(broken),
                });
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
    let both = [Readings::default(), last];
    for [rows, cols] in extents() {
        for by_row in [true, false] {
            let width = if by_row { 1 } else { cols };
            let src = tile(Int8, [rows, cols], [rows, cols]);
            let idx = tile(Int32, [rows, width], [rows, width]);
            for indices in Indices::all(rows * width, most) {
                // One column says row whatever the source has.
                let table = match width {
                    1 => matrix(Int8, indices.capacity, cols),
                    _ => matrix(Int8, 1, indices.capacity),
                };
                let memory = memory(&[
                    (Role::Table, &content(&table, 5)),
                    (Role::Source, &image(&src, 0)),
                    (Role::Index, &placed(&indices.vector, &idx)),
                ]);
                for oob in SCATTERS {
                    let call = MscatterFirst {
                        oob,
                        ..first(table, src, idx)
                    };
                    let broken = indices.beyond() && oob == ScatterOob::Undefined;
                    for readings in &both {
                        see(&World {
                            call: Call::MscatterFirst(call),
                            memory: &memory,
                            target: Target::A5,
                            readings,
                            ends: Ends::by_precondition(broken),
                        });
                    }
                }
            }
        }
    }
}
