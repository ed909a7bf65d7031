//! A space of calls that one program covers: types and policies by product,
//! valid extents and table shapes at run time or fixed.

mod calls;
mod outer;

use std::collections::BTreeMap;

use ptodiff_case::Form;
use ptodiff_isa::{
    Call, Coalesce, DType, GatherOob, MaskAxis, MaskPattern, ScatterAtomicOp, ScatterConflict,
    ScatterOob, Target,
};

use crate::Dialect;

pub use outer::Outer;

/// When rows and columns of operands are known, and the strides that follow from them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Extents {
    /// At run time: one instantiation serves all.
    Dynamic,
    /// At compile time: tiles are valid as a whole, a table has 32 packed rows.
    Static,
}

/// The axes of a lattice. A program holds every combination of them that
/// makes a call of one of the forms, but for those that [`Harness::add_lattice`]
/// says it left out.
///
/// [`Harness::add_lattice`]: crate::Harness::add_lattice
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lattice {
    /// Whose forms.
    pub dialect: Dialect,
    /// The forms.
    pub forms: Vec<Form>,
    /// Padded rows and columns of the data tile, from 1 to 65,536 of each: the source of a
    /// scatter, the destination of a gather.
    pub shapes: Vec<(u64, u64)>,
    /// Element types of data.
    pub dtypes: Vec<DType>,
    /// Element types of the indices of MSCATTER and MGATHER.
    pub index_dtypes: Vec<DType>,
    /// What one index selects.
    pub modes: Vec<Coalesce>,
    /// How scattered values combine.
    pub atomics: Vec<ScatterAtomicOp>,
    /// What a scatter does out of bounds.
    pub scatter_oob: Vec<ScatterOob>,
    /// What a gather does out of bounds.
    pub gather_oob: Vec<GatherOob>,
    /// Which plain writer survives.
    pub conflicts: Vec<ScatterConflict>,
    /// Patterns of a masked TSCATTER.
    pub patterns: Vec<MaskPattern>,
    /// Along which axis a masked TSCATTER expands.
    pub mask_axes: Vec<MaskAxis>,
    /// When extents are known.
    pub extents: Vec<Extents>,
    /// Outer dimensions of tables.
    pub outer: Vec<Outer>,
    /// Element types of a table and of the destination of TSCATTER, in forms that
    /// let them differ from the data's; the data's own if there is none.
    pub table_dtypes: Vec<DType>,
}

/// The calls of a lattice, or its first ones where no program could hold them.
pub(crate) struct Points {
    /// As [`Lattice::calls`] has them.
    pub(crate) calls: Vec<Call>,
    /// Why combinations were left out, and how many.
    pub(crate) left_out: BTreeMap<String, usize>,
}

impl Lattice {
    /// What is taken where nothing is said: two shapes, four data types, every
    /// form that the target has, plain stores and additions, every bounds policy,
    /// extents of run time, tables without outer dimensions.
    #[must_use]
    pub fn of(dialect: Dialect) -> Self {
        use strum::VariantArray as _;
        let suite = dialect.suite_forms;
        let has = |form: &Form| match (form, dialect.target) {
            (Form::MscatterFirst, target) => target == Target::A5,
            (Form::MgatherL1, Target::Cpu) | (Form::TscatterMask, Target::Cpu | Target::A2a3) => {
                suite
            }
            _ => true,
        };
        Self {
            dialect,
            forms: Form::ALL.iter().copied().filter(has).collect(),
            shapes: vec![(8, 32), (16, 64)],
            dtypes: vec![DType::Float, DType::Half, DType::Int32, DType::Int8],
            index_dtypes: vec![DType::Int32],
            modes: Coalesce::VARIANTS.to_vec(),
            atomics: vec![ScatterAtomicOp::None, ScatterAtomicOp::Add],
            scatter_oob: ScatterOob::VARIANTS.to_vec(),
            gather_oob: GatherOob::VARIANTS.to_vec(),
            conflicts: ScatterConflict::VARIANTS.to_vec(),
            patterns: MaskPattern::VARIANTS.to_vec(),
            // Whole rows are of the cpu suite alone (TSCATTER-GAP-09).
            mask_axes: match (dialect.target, suite) {
                (Target::Cpu, true) => vec![MaskAxis::Row, MaskAxis::Col],
                _ => vec![MaskAxis::Row],
            },
            extents: vec![Extents::Dynamic],
            outer: vec![Outer::NONE],
            table_dtypes: Vec::new(),
        }
    }

    /// Every call of the lattice, its extents of run time as if they were fixed, but for
    /// outer dimensions, which are 1.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.points().calls
    }
}
