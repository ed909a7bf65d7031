//! Breaking a rule in a case that keeps to all.

mod forms;
mod table;
mod tiles;
mod types;

use ptodiff_case::{Case, IndexPattern};
use ptodiff_isa::{DType, Dim, GlobalTensor, Target};
use strum::VariantArray as _;

use super::Rule;
use crate::random::choices::Choices;
use crate::random::ground::Ground;

/// Breaks `rule` in `case`, which is legal on `ground` but for rules about
/// other things; whether it could. A case that it could not break is as it was.
pub(super) fn apply(
    rule: Rule,
    choices: &mut impl Choices,
    ground: &Ground,
    case: &mut Case,
) -> bool {
    use Rule as R;
    let bound = Target::VARIANTS
        .iter()
        .any(|target| ground.has(*target) && !rule.clauses(ground.form, *target).is_empty());
    if rule == R::Form {
        return forms::target(choices, ground, case);
    }
    let broken = bound
        && match rule {
            R::WideType => types::wide(ground, case),
            R::SmallFloat => types::small(ground, case),
            R::MixedTypes => types::mixed(case, types::of_same_size),
            R::MixedSizes => types::mixed_sizes(case),
            R::IndexType => types::index(case, DType::Int64),
            R::FloatIndex => types::index(case, DType::Float),
            R::IndexWidth => types::index_width(case),
            R::AddType => types::add(case),
            R::ExtremeType => types::extreme(choices, case),
            R::ExtremeTarget => types::extreme_on_a2a3(choices, ground, case),
            R::TileLayout => tiles::layout(ground, case),
            R::TileBoxes => tiles::boxes(case),
            R::TileLocation => tiles::location(case),
            R::Alignment => tiles::alignment(case),
            R::EmptyTile => tiles::empty(case, Dim::Static(0)),
            R::EmptyAtRunTime => tiles::empty_at_run_time(ground, case),
            R::IndexLayout => tiles::index_layout(ground, case),
            R::IndexBoxes => tiles::index_boxes(case),
            R::IndexLocation => tiles::index_location(case),
            R::IndexShape => tiles::one_too_many(ground, case, true),
            R::IndexShapeAtRunTime => tiles::one_too_many(ground, case, false),
            R::TooFewIndices => tiles::too_few(ground, case),
            R::IndexRows => tiles::index_rows(ground, case),
            R::IndexRange => table::out_of_range(ground, case),
            R::TableLayout => table::layout(case),
            R::TableWidth => table::width(ground, case, true),
            R::TableWidthAtRunTime => table::width(ground, case, false),
            R::NarrowTable => table::narrow(ground, case),
            R::TablePitch => table::pitch(ground, case),
            R::OuterDimensions => table::outer(ground, case),
            R::EmptyTable => table::empty(case),
            R::NzPair => table::nz_pair(case),
            R::NzFractal => tiles::fractal(case),
            R::NzTileRows => tiles::nz_rows(case),
            R::NzTileColumns => tiles::nz_columns(case),
            R::NzBlockRows => table::nz_block(case, 3),
            R::NzBlockColumns => table::nz_block(case, 4),
            R::UbBudget => forms::ub_budget(ground, case),
            R::DynUb => forms::dyn_ub(choices, ground, case),
            R::ScratchOperand => forms::scratch_operand(case),
            R::ScratchSize => forms::scratch_size(case),
            R::ScratchType => forms::scratch_type(case),
            R::Executor => forms::executor(ground, case),
            R::PartialTile => forms::partial(case),
            R::IndexColumns => forms::index_columns(case),
            R::MaskRows => forms::mask(case, false),
            R::MaskColumns => forms::mask(case, true),
            R::Form => false,
        };
    if broken && let IndexPattern::Literal(_) = case.data.index {
        // Of another length or width than the index operand may have now.
        case.data.index = IndexPattern::Seq;
    }
    broken
}

/// Strides without gaps, each known as before.
fn pack(table: &mut GlobalTensor) {
    let mut step = 1;
    for at in (0..5).rev() {
        table.stride[at] = match table.stride[at] {
            Dim::Static(_) => Dim::Static(step),
            Dim::Dynamic(_) => Dim::Dynamic(step),
        };
        step *= table.shape[at].get().max(1);
    }
}
