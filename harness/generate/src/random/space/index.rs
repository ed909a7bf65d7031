//! Indices for an instantiation.

use ptodiff_case::IndexPattern;
use ptodiff_isa::{
    BLayout, Call, Coalesce, Dim, GatherOob, GlobalTensor, OffsetGranularity, Operand, Role,
    ScatterAtomicOp, ScatterConflict, ScatterOob, ScatterRange, TscatterIndex, UnalignedOffset,
    UndefinedGather, UndefinedLast,
};

use crate::random::choices::Choices;
use crate::random::ground::Ground;
use crate::random::index::{Ask, of_each, pattern};

/// Bytes that an offset of TGATHERB serves where it serves a block.
const BLOCK: u64 = 32;

/// A pattern that breaks no precondition of `call`, of which `chunks` are issued.
pub(super) fn legal(
    choices: &mut impl Choices,
    ground: &Ground,
    call: &Call,
    chunks: u32,
) -> IndexPattern {
    let Some(operand) = call.operand(Role::Index) else {
        return IndexPattern::Random;
    };
    let values = match operand {
        Operand::Tile(tile) => tile.valid_row.get() * tile.valid_col.get(),
        Operand::Tensor(tensor) => elements(tensor),
    };
    let any = |capacity| Ask {
        unsigned: ground.literal_signs(),
        ..Ask::any(values * u64::from(chunks), operand.dtype(), capacity)
    };
    let slots = |table: &GlobalTensor, mode| match mode {
        Coalesce::Row => table.shape[3].get(),
        Coalesce::Elem => elements(table),
    };
    let ask = match call {
        Call::Mscatter(c) => {
            let one = c.src.valid_row.get() * c.src.valid_col.get() == 1;
            // Lanes own slots below capacity only (MSCATTER-GAP-10).
            let dropped = ground.readings.undefined_last == UndefinedLast::Dropped
                && ground.a5
                && c.atomic == ScatterAtomicOp::None
                && c.conflict == ScatterConflict::Last
                && !(c.mode == Coalesce::Elem && one);
            Ask {
                in_range: (c.oob == ScatterOob::Undefined && !dropped) || ground.documented(),
                ..any(slots(&c.table, c.mode))
            }
        }
        Call::MscatterFirst(c) => {
            let by_row = c.idx.cols == 1 && c.src.cols > 1;
            let mode = if by_row {
                Coalesce::Row
            } else {
                Coalesce::Elem
            };
            Ask {
                in_range: c.oob == ScatterOob::Undefined,
                ..any(slots(&c.table, mode))
            }
        }
        Call::Mgather(c) => {
            // Only the slots that such an index feeds are open then (MGATHER-GAP-69).
            let open = ground.readings.undefined_gather == UndefinedGather::Slots;
            Ask {
                in_range: c.oob == GatherOob::Undefined && !open,
                ..any(slots(&c.table, c.mode))
            }
        }
        Call::MgatherL1(c) => Ask {
            in_range: c.oob == GatherOob::Undefined,
            ..any(slots(&c.table, c.mode))
        },
        Call::TscatterIndex(c) => return into_tile(choices, ground, c, values),
        Call::TscatterMask(_) => any(0),
        Call::Tgatherb(c) => {
            let size = c.src.dtype.size() as u64;
            let unit = match ground.readings.tgatherb_granularity {
                OffsetGranularity::Block => BLOCK,
                OffsetGranularity::Element => size,
            };
            Ask {
                unit,
                between: ground.readings.tgatherb_unaligned != UnalignedOffset::Undefined,
                unsigned: false,
                ..any(c.src.rows * c.src.cols * size / unit)
            }
        }
    };
    pattern(choices, &ask)
}

/// Slots of the destination, of its valid region only where the others are not
/// to be written (TSCATTER-GAP-05).
fn into_tile(
    choices: &mut impl Choices,
    ground: &Ground,
    TscatterIndex { dst, idx, .. }: &TscatterIndex,
    values: u64,
) -> IndexPattern {
    let sign = usize::from(idx.dtype.is_signed_integer());
    let reach = u64::MAX >> (64 - 8 * idx.dtype.size() + sign);
    let storage = dst.rows * dst.cols;
    let ask = Ask {
        in_range: true,
        ..Ask::any(values, idx.dtype, storage.min(reach.saturating_add(1)))
    };
    if ground.readings.tscatter_range != ScatterRange::Valid || values == 0 {
        return pattern(choices, &ask);
    }
    let [rows, cols] = [dst.valid_row, dst.valid_col].map(Dim::get);
    of_each(&ask, || {
        let (row, col) = (choices.below(rows), choices.below(cols));
        let slot = match dst.blayout {
            BLayout::RowMajor => row * dst.cols + col,
            BLayout::ColMajor => col * dst.rows + row,
        };
        if slot > reach { 0 } else { slot }
    })
}

/// A pattern that leaves the slots, whatever the policy.
pub(super) fn oob_access(choices: &mut impl Choices) -> IndexPattern {
    match choices.below(5) {
        0 => IndexPattern::AllOutOfBounds,
        1 => IndexPattern::OutOfBounds,
        2 => IndexPattern::OutOfBoundsNoDup,
        3 => IndexPattern::Edges,
        _ => IndexPattern::Negative,
    }
}

fn elements(tensor: &GlobalTensor) -> u64 {
    tensor.shape.iter().map(|dim| dim.get()).product()
}
