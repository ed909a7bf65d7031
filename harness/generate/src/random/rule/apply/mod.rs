//! Breaking a rule in a case that keeps to all.

mod forms;
mod table;
mod tiles;
mod types;

use ptodiff_case::{Case, IndexPattern};
use ptodiff_isa::{DType, Dim, GlobalTensor};

use super::Rule;
use crate::random::choices::Choices;
use crate::random::context::DrawContext;

/// Breaks `rule` in `case`, which is legal on `context` but for rules about
/// other things; whether it could. A case that it could not break is as it was.
pub(super) fn apply(
    rule: Rule,
    choices: &mut impl Choices,
    context: &DrawContext,
    case: &mut Case,
) -> bool {
    use Rule as R;
    if rule == R::Form {
        return forms::target(choices, context, case).is_some();
    }
    if !rule.binds(context.form, |target| context.has(target)) {
        return false;
    }
    let broken = match rule {
        R::WideType => types::wide(context, case),
        R::SmallFloat => types::small(context, case),
        R::MixedTypes => types::mixed(case, types::of_same_size),
        R::MixedSizes => types::mixed_sizes(case),
        R::IndexType => types::index(case, DType::Int64),
        R::FloatIndex => types::index(case, DType::Float),
        R::IndexWidth => types::index_width(case),
        R::AddType => types::add(case),
        R::ExtremeType => types::extreme(choices, case),
        R::ExtremeTarget => types::extreme_on_a2a3(choices, context, case),
        R::TileLayout => tiles::layout(context, case),
        R::TileBoxes => tiles::boxes(case),
        R::TileLocation => tiles::location(case),
        R::Alignment => tiles::alignment(case),
        R::EmptyTile => tiles::empty(case, Dim::Static(0)),
        R::EmptyAtRunTime => tiles::empty_at_run_time(context, case),
        R::IndexLayout => tiles::index_layout(context, case),
        R::IndexBoxes => tiles::index_boxes(case),
        R::IndexLocation => tiles::index_location(case),
        R::IndexShape => tiles::one_too_many(context, case, true),
        R::IndexShapeAtRunTime => tiles::one_too_many(context, case, false),
        R::TooFewIndices => tiles::too_few(context, case),
        R::IndexRows => tiles::index_rows(context, case),
        R::IndexRange => table::out_of_range(context, case),
        R::TableLayout => table::layout(case),
        R::TableWidth => table::width(context, case, true),
        R::TableWidthAtRunTime => table::width(context, case, false),
        R::NarrowTable => table::narrow(context, case),
        R::TablePitch => table::pitch(context, case),
        R::OuterDimensions => table::outer(context, case),
        R::EmptyTable => table::empty(case),
        R::NzPair => table::nz_pair(case),
        R::NzFractal => tiles::fractal(case),
        R::NzTileRows => tiles::nz_rows(case),
        R::NzTileColumns => tiles::nz_columns(case),
        R::NzBlockRows => table::nz_block(case, 3),
        R::NzBlockColumns => table::nz_block(case, 4),
        R::UbBudget => forms::ub_budget(context, case),
        R::DynUb => forms::dyn_ub(choices, context, case),
        R::ScratchOperand => forms::scratch_operand(case),
        R::ScratchSize => forms::scratch_size(case),
        R::ScratchType => forms::scratch_type(case),
        R::Executor => forms::executor(context, case),
        R::PartialTile => forms::partial(case),
        R::IndexColumns => forms::index_columns(case),
        R::MaskRows => forms::mask(case, false),
        R::MaskColumns => forms::mask(case, true),
        R::Form => None,
    };
    if broken.is_some()
        && let IndexPattern::Literal(_) = case.data.index
    {
        // Of another length or width than the index operand may have now.
        case.data.index = IndexPattern::Seq;
    }
    broken.is_some()
}

/// Goes on only where the rule can be broken.
fn demand(holds: bool) -> Option<()> {
    holds.then_some(())
}

/// An extent that is known at compile time, where a check sees it, or not.
const fn extent(value: u64, seen: bool) -> Dim {
    if seen {
        Dim::Static(value)
    } else {
        Dim::Dynamic(value)
    }
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
