//! Legal calls of MSCATTER, first revision.

use ptodiff_isa::{BLayout, Call, DType, FirstMode, Launch, MscatterFirst, ScatterOob};
use strum::VariantArray as _;

use crate::random::choices::{Choices, Coins};
use crate::random::context::{DrawContext, unit};
use crate::random::extent::{Gaps, area, dim, layout, nd, plain, table_rows};

use super::{atomic, data_type, index_type, of_atomic};

pub(super) fn draft(choices: &mut impl Choices, context: &DrawContext) -> Call {
    let atomic = atomic(choices, context);
    let mut dtype = data_type(choices, context);
    if dtype == DType::Hifloat8 {
        // Not in its list (MSCATTER0-DTYPE-01).
        dtype = DType::Float8E5M2;
    }
    if !context.has_atomic(atomic, dtype) {
        dtype = of_atomic(choices, context, atomic);
    }
    let (blayout, [rows, cols]) = full_tile(choices, dtype, context.lanes);
    let mut coins = Coins::draw(choices, 4);
    // Full tiles (MSCATTER0-GAP-06).
    let mut valid = |cols| [dim(&mut coins, rows), dim(&mut coins, cols)];
    let src = plain(dtype, [rows, cols], valid(cols), blayout);
    let by_row = choices.below(2) == 0 || cols == 1;
    let wide = if by_row { 1 } else { cols };
    let blayout = layout(choices, false);
    let idx = plain(index_type(choices), [rows, wide], valid(wide), blayout);

    let elements = !by_row || (cols == 1 && context.readings.first_mode == FirstMode::Elem);
    let table_row = if elements && choices.below(2) == 1 {
        choices.pick(&[1, 3, 8, 10])
    } else {
        cols
    };
    let table_rows = table_rows(choices, (8 * context.lanes / table_row).clamp(16, 100));
    let shape = [1, 1, 1, table_rows, table_row];
    let table = nd(choices, dtype, shape, Gaps::default());
    Call::MscatterFirst(MscatterFirst {
        table,
        src,
        idx,
        atomic,
        oob: choices.pick(ScatterOob::VARIANTS),
        launch: Launch::default(),
    })
}

/// Layout and extents of a tile without padding whose contiguous extent is a
/// multiple of 32 bytes. One unit is the least, whatever lanes are wished.
fn full_tile(choices: &mut impl Choices, dtype: DType, lanes: u64) -> (BLayout, [u64; 2]) {
    let unit = unit(dtype);
    let blayout = layout(choices, false);
    let [rows, cols] = area(choices, [unit, unit], lanes);
    let whole = |extent: u64| (extent / unit * unit).max(unit);
    let rest = |extent: u64, whole: u64| extent.min(lanes / whole).max(1);
    let extents = match blayout {
        BLayout::RowMajor => [rest(rows, whole(cols)), whole(cols)],
        BLayout::ColMajor => [whole(rows), rest(cols, whole(rows))],
    };
    (blayout, extents)
}
