//! Indices for an instantiation.

use ptodiff_case::IndexPattern;
use ptodiff_isa::{
    Call, Coalesce, GatherOob, GlobalTensor, OffsetGranularity, Operand, Role, ScatterAtomicOp,
    ScatterConflict, ScatterOob, UnalignedOffset, UndefinedGather, UndefinedLast,
};

use crate::random::choices::Choices;
use crate::random::context::DrawContext;
use crate::random::index::{Ask, pattern};
use crate::random::legal::into_tile;
use crate::slots::BLOCK;

/// A pattern that breaks no precondition of `call`, of which `chunks` are issued.
pub(super) fn legal(
    choices: &mut impl Choices,
    context: &DrawContext,
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
        unsigned: context.literal_signs(),
        ..Ask::any(values * u64::from(chunks), operand.dtype(), capacity)
    };
    let slots = |table: &GlobalTensor, mode| match mode {
        Coalesce::Row => table.shape[3].get(),
        Coalesce::Elem => elements(table),
    };
    // Patterns count the rows of outer dimensions, too.
    let counted = |table: &GlobalTensor, mode| match mode {
        Coalesce::Row => elements(table) / table.shape[4].get().max(1),
        Coalesce::Elem => elements(table),
    };
    let ask = match call {
        Call::Mscatter(c) => {
            let one = c.src.valid_row.get() * c.src.valid_col.get() == 1;
            // Lanes own slots below capacity only (MSCATTER-GAP-10).
            let dropped = context.readings.undefined_last == UndefinedLast::Dropped
                && context.a5
                && c.atomic == ScatterAtomicOp::None
                && c.conflict == ScatterConflict::Last
                && !(c.mode == Coalesce::Elem && one);
            Ask {
                in_range: (c.oob == ScatterOob::Undefined && !dropped) || context.documented(),
                unit: context.index_unit(c.mode, c.table.dtype),
                slots: counted(&c.table, c.mode),
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
            let open = context.readings.undefined_gather == UndefinedGather::Slots;
            Ask {
                in_range: c.oob == GatherOob::Undefined && !open,
                unit: context.index_unit(c.mode, c.table.dtype),
                slots: counted(&c.table, c.mode),
                ..any(slots(&c.table, c.mode))
            }
        }
        Call::MgatherL1(c) => Ask {
            in_range: c.oob == GatherOob::Undefined,
            unit: context.index_unit(c.mode, c.table.dtype),
            slots: counted(&c.table, c.mode),
            ..any(slots(&c.table, c.mode))
        },
        Call::TscatterIndex(c) => return into_tile(choices, context, c),
        Call::TscatterMask(_) => any(0),
        Call::Tgatherb(c) => {
            let size = c.src.dtype.size() as u64;
            let unit = match context.readings.tgatherb_granularity {
                OffsetGranularity::Block => BLOCK,
                OffsetGranularity::Element => size,
            };
            Ask {
                unit,
                between: context.readings.tgatherb_unaligned != UnalignedOffset::Undefined,
                unsigned: false,
                ..any(c.src.rows * c.src.cols * size / unit)
            }
        }
    };
    pattern(choices, &ask)
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
