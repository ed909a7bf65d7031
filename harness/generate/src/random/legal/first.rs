//! Legal calls of MSCATTER, first revision.

use ptodiff_case::Case;
use ptodiff_isa::{
    BLayout, Call, DType, FirstMode, FirstRowCapacity, MscatterFirst, ScatterAtomicOp, ScatterOob,
};
use strum::VariantArray as _;

use crate::random::choices::{Choices, Coins};
use crate::random::context::{DrawContext, unit};
use crate::random::data::{Use, chunks, launch, plan};
use crate::random::extent::{Gaps, area, dim, nd, plain, table_rows};
use crate::random::index::{Ask, pattern};

use super::in_gm::bytes;
use super::scatter::{atomic, of_atomic};
use super::{data_type, index_type};

const LAYOUTS: [BLayout; 2] = [BLayout::RowMajor, BLayout::ColMajor];

pub(super) fn draft(choices: &mut impl Choices, context: &DrawContext, case: &mut Case) {
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
    let layout = choices.pick(&LAYOUTS);
    let idx = plain(index_type(choices), [rows, wide], valid(wide), layout);

    let elements = !by_row || (cols == 1 && context.readings.first_mode == FirstMode::Elem);
    let table_row = if elements && choices.below(2) == 1 {
        choices.pick(&[1, 3, 8, 10])
    } else {
        cols
    };
    let table_rows = table_rows(choices, (8 * context.lanes / table_row).clamp(16, 100));
    let shape = [1, 1, 1, table_rows, table_row];
    let table = nd(choices, dtype, shape, Gaps::default());
    let capacity = if elements {
        table_rows * table_row
    } else {
        table_rows
    };
    let oob = choices.pick(ScatterOob::VARIANTS);
    // A row that the policy lets through may lie past the table (MSCATTER0-GAP-03).
    let beyond = !elements && context.readings.first_row_capacity == FirstRowCapacity::Elements;
    let chunks = chunks(choices);
    let lanes = idx.valid_row.get() * idx.valid_col.get() * u64::from(chunks);
    let ask = Ask {
        in_range: oob == ScatterOob::Undefined || beyond,
        unsigned: context.literal_signs(),
        ..Ask::any(lanes, idx.dtype, capacity)
    };
    let index = pattern(choices, &ask);
    let purpose = match atomic {
        ScatterAtomicOp::None => Use::Moved,
        _ => Use::Combined,
    };
    case.data = plan(choices, purpose, index);
    case.chunks = chunks;
    case.call = Call::MscatterFirst(MscatterFirst {
        table,
        src,
        idx,
        atomic,
        oob,
        launch: launch(choices, context, bytes(&src) + bytes(&idx), true),
    });
}

/// Layout and extents of a tile without padding whose contiguous extent is a
/// multiple of 32 bytes. One unit is the least, whatever lanes are wished.
fn full_tile(choices: &mut impl Choices, dtype: DType, lanes: u64) -> (BLayout, [u64; 2]) {
    let unit = unit(dtype);
    let blayout = choices.pick(&LAYOUTS);
    let [rows, cols] = area(choices, [unit, unit], lanes);
    let whole = |extent: u64| (extent / unit * unit).max(unit);
    let rest = |extent: u64, whole: u64| extent.min(lanes / whole).max(1);
    let extents = match blayout {
        BLayout::RowMajor => [rest(rows, whole(cols)), whole(cols)],
        BLayout::ColMajor => [whole(rows), rest(cols, whole(rows))],
    };
    (blayout, extents)
}
