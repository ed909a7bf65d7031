//! A space of calls that one program covers: types and policies by product,
//! valid extents and table shapes at run time or fixed.

mod calls;
mod file;
mod outer;

use std::collections::BTreeMap;

use ptodiff_case::Form;
use ptodiff_isa::{
    Call, Coalesce, DType, GatherOob, MaskAxis, MaskPattern, ScatterAtomicOp, ScatterConflict,
    ScatterOob, Target,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Dialect;

pub use outer::Outer;

/// Most outer dimensions of tables.
const MOST_OUTER: usize = 64;

/// Most shapes of a lattice.
const MOST_SHAPES: usize = 64;

/// Most rows or columns of a shape.
const MOST_EXTENT: u64 = 65_536;

/// When rows and columns of operands are known, and the strides that follow from them.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Debug,
    Serialize,
    Deserialize,
    strum::EnumString,
    strum::VariantNames,
)]
#[serde(rename_all = "lowercase")]
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
    /// Padded rows and columns of the data tile: the source of a scatter, the
    /// destination of a gather.
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

/// Why there is no such lattice.
#[derive(Debug, Error)]
pub enum LatticeError {
    /// An axis without a value would leave no call.
    #[error("the lattice has no {0}")]
    Empty(&'static str),
    /// An axis that names a value again would make its calls again.
    #[error("the lattice names one of its {0} twice")]
    Twice(&'static str),
    /// More shapes than any program could hold.
    #[error("a lattice has at most {MOST_SHAPES} shapes, not {0}")]
    Shapes(usize),
    /// More outer dimensions than any program could hold.
    #[error("a lattice has at most {MOST_OUTER} outer dimensions, not {0}")]
    Outer(usize),
    /// A shape without elements, or larger than any tile.
    #[error("a shape has from 1 to {MOST_EXTENT} rows and columns, not {0}x{1}")]
    Extent(u64, u64),
    /// A description that is none.
    #[error("this describes no lattice: {0}")]
    Description(#[from] serde_json::Error),
    /// A word in a description that names nothing.
    #[error("a lattice has no {axis} called `{word}`")]
    Word {
        /// The axis.
        axis: &'static str,
        /// The word.
        word: String,
    },
    /// A call is listed that no combination of the axes makes.
    #[error("the axes make no call with the key `{0}`")]
    Key(String),
    /// A description of another version.
    #[error("the description has format {0}, this program reads format 2")]
    Format(u64),
}

/// The calls of a lattice, or its first ones where no program could hold them.
pub(crate) struct Points {
    /// Each with its extents of run time at their largest.
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

    /// Whether the axes make a lattice.
    ///
    /// # Errors
    /// An empty axis or one with a value twice, too many shapes, or one that no
    /// tile could have.
    pub fn check(&self) -> Result<(), LatticeError> {
        let axes = [
            (self.forms.is_empty(), "instructions"),
            (self.shapes.is_empty(), "shapes"),
            (self.dtypes.is_empty(), "dtypes"),
            (self.index_dtypes.is_empty(), "index dtypes"),
            (self.modes.is_empty(), "modes"),
            (self.atomics.is_empty(), "atomics"),
            (
                self.scatter_oob.is_empty() && self.gather_oob.is_empty(),
                "bounds policies",
            ),
            (self.conflicts.is_empty(), "conflict policies"),
            (self.patterns.is_empty(), "patterns"),
            (self.mask_axes.is_empty(), "mask axes"),
            (self.extents.is_empty(), "extents"),
            (self.outer.is_empty(), "outer dimensions"),
        ];
        if let Some((_, axis)) = axes.into_iter().find(|(empty, _)| *empty) {
            return Err(LatticeError::Empty(axis));
        }
        if self.shapes.len() > MOST_SHAPES {
            return Err(LatticeError::Shapes(self.shapes.len()));
        }
        if self.outer.len() > MOST_OUTER {
            return Err(LatticeError::Outer(self.outer.len()));
        }
        let twice = [
            (twice(&self.forms), "instructions"),
            (twice(&self.shapes), "shapes"),
            (twice(&self.dtypes), "dtypes"),
            (twice(&self.index_dtypes), "index dtypes"),
            (twice(&self.modes), "modes"),
            (twice(&self.atomics), "atomics"),
            (twice(&self.scatter_oob), "bounds policies of a scatter"),
            (twice(&self.gather_oob), "bounds policies of a gather"),
            (twice(&self.conflicts), "conflict policies"),
            (twice(&self.patterns), "patterns"),
            (twice(&self.mask_axes), "mask axes"),
            (twice(&self.extents), "extents"),
            (twice(&self.outer), "outer dimensions"),
            (twice(&self.table_dtypes), "table dtypes"),
        ];
        if let Some((_, axis)) = twice.into_iter().find(|(twice, _)| *twice) {
            return Err(LatticeError::Twice(axis));
        }
        let fits = |extent: u64| (1..=MOST_EXTENT).contains(&extent);
        match self.shapes.iter().find(|(r, c)| !fits(*r) || !fits(*c)) {
            Some((rows, cols)) => Err(LatticeError::Extent(*rows, *cols)),
            None => Ok(()),
        }
    }

    /// Every call of the lattice, each with its extents of run time at their
    /// largest: valid rows and columns as padded, a table of 1024 rows, but outer
    /// dimensions of 1.
    ///
    /// # Errors
    /// As [`Lattice::check`].
    pub fn calls(&self) -> Result<Vec<Call>, LatticeError> {
        self.check()?;
        Ok(self.points().calls)
    }
}

/// Ends at the first one: of a million there are not a million different ones.
fn twice<T: PartialEq>(values: &[T]) -> bool {
    let mut all = values.iter().enumerate();
    all.any(|(n, value)| values[..n].contains(value))
}
