//! Rules of the documents that a case breaks on purpose.

mod apply;
mod clauses;
mod operands;

use ptodiff_case::Case;
use ptodiff_isa::{Clause, Target};
use strum::VariantArray as _;

use super::Form;
use super::choices::Choices;
use super::context::DrawContext;

/// A rule that can be broken: what the broken case has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, strum::VariantArray)]
pub enum Rule {
    /// An element type of 8 bytes.
    WideType,
    /// An 8-bit float where it does not exist.
    SmallFloat,
    /// Two element types of one size.
    MixedTypes,
    /// Two element types of different sizes.
    MixedSizes,
    /// An index type of 8 bytes.
    IndexType,
    /// An index type that is no integer.
    FloatIndex,
    /// An index type of a width that does not go with that of the data.
    IndexWidth,
    /// Addition of a type that has none.
    AddType,
    /// Maximum or minimum of a type that has none.
    ExtremeType,
    /// Maximum or minimum on A2/A3.
    ExtremeTarget,
    /// A data tile of the other BLayout.
    TileLayout,
    /// A data tile with boxes.
    TileBoxes,
    /// A data tile in another memory.
    TileLocation,
    /// A padded width that is no multiple of 32 bytes.
    Alignment,
    /// A data tile without rows, known at compile time.
    EmptyTile,
    /// A data tile without rows at run time.
    EmptyAtRunTime,
    /// An index tile of the other BLayout.
    IndexLayout,
    /// An index tile with boxes.
    IndexBoxes,
    /// An index tile in another memory.
    IndexLocation,
    /// One index too many, known at compile time.
    IndexShape,
    /// One index too many at run time.
    IndexShapeAtRunTime,
    /// Too few indices.
    TooFewIndices,
    /// Index and data tile with different padded rows.
    IndexRows,
    /// An index out of range without a policy for it.
    IndexRange,
    /// A table by columns.
    TableLayout,
    /// A table of another width than the tile, known at compile time.
    TableWidth,
    /// A table of another width than the tile at run time.
    TableWidthAtRunTime,
    /// A table narrower than the tile.
    NarrowTable,
    /// Table rows that lie apart.
    TablePitch,
    /// Outer dimensions of the table that count.
    OuterDimensions,
    /// A table without rows.
    EmptyTable,
    /// An NZ table with a plain tile.
    NzPair,
    /// A box of another size.
    NzFractal,
    /// An NZ tile whose rows are no multiple of 16.
    NzTileRows,
    /// An NZ tile whose columns are no multiple of 32 bytes.
    NzTileColumns,
    /// Blocks of an NZ table with other than 16 rows.
    NzBlockRows,
    /// Blocks of an NZ table with other than 32 bytes a row.
    NzBlockColumns,
    /// Tiles that do not fit UB.
    UbBudget,
    /// A `dynUBufSize` above the largest.
    DynUb,
    /// Elem without scratch, or Row with one.
    ScratchOperand,
    /// A scratch smaller than the tile.
    ScratchSize,
    /// A scratch of another element type.
    ScratchType,
    /// The SIMT executor where there is none.
    Executor,
    /// A tile of the first revision that is not full.
    PartialTile,
    /// An index tile of the first revision that is neither one column nor as
    /// wide as the source.
    IndexColumns,
    /// A masked scatter whose tiles have different rows.
    MaskRows,
    /// A masked scatter whose tiles do not differ in columns as the pattern has it.
    MaskColumns,
    /// A form on a target that does not have it.
    Form,
}

impl Rule {
    /// All of them.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Clauses that a call of `form` may break on `target` where this rule is
    /// broken: at least one of them, on at least one target of the case. None
    /// where the rule does not bind.
    #[must_use]
    pub fn clauses(self, form: Form, target: Target) -> &'static [Clause] {
        clauses::of(self, form, target)
    }

    /// The forms that have such a rule.
    pub fn forms(self) -> impl Iterator<Item = Form> {
        let all = Form::ALL.iter().copied();
        all.filter(move |form| self.binds(*form, |_| true))
    }

    /// Whether `form` has such a rule on some of `targets`.
    fn binds(self, form: Form, targets: impl Fn(Target) -> bool) -> bool {
        let binds = |target: &Target| targets(*target) && !self.clauses(form, *target).is_empty();
        Target::VARIANTS.iter().any(binds)
    }
}

/// Breaks `count` rules in `case`, as far as it has rules that do not touch
/// the same thing; which ones, it returns.
pub(super) fn break_some(
    choices: &mut impl Choices,
    context: &DrawContext,
    case: &mut Case,
    count: usize,
) -> Vec<Rule> {
    let mut broken = Vec::new();
    let mut touched = 0;
    while broken.len() < count {
        let from = choices.below(Rule::ALL.len() as u64) as usize;
        let in_turn = Rule::ALL[from..].iter().chain(&Rule::ALL[..from]);
        let next = in_turn.copied().find(|rule| {
            rule.binds(context.form, |_| true)
                && touched & operands::touched(*rule) == 0
                && apply::apply(*rule, choices, context, case)
        });
        let Some(rule) = next else { break };
        touched |= operands::touched(rule);
        broken.push(rule);
    }
    broken
}
