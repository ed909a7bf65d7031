//! Legal calls of MGATHER, GM to UB.

use ptodiff_case::Case;
use ptodiff_isa::{Call, GatherOob, Mgather, UndefinedGather};
use strum::VariantArray as _;

use crate::random::choices::Choices;
use crate::random::context::DrawContext;
use crate::random::data::{Use, chunks, launch, plan};
use crate::random::index::{Ask, pattern};

use super::in_gm::operands;
use super::{counterpart, data_type};

pub(super) fn draft(choices: &mut impl Choices, context: &DrawContext, case: &mut Case) {
    let dtype = data_type(choices, context);
    let table_type = counterpart(choices, context, dtype);
    let mut operands = operands(choices, context, [dtype, table_type]);
    operands.fill_ub(choices, context);
    let oob = choices.pick(GatherOob::VARIANTS);
    // Only the slots that such an index feeds are open then (MGATHER-GAP-69).
    let open = context.readings.undefined_gather == UndefinedGather::Slots;
    let chunks = chunks(choices);
    let ask = Ask {
        slots: operands.slots,
        unit: context.index_unit(operands.mode, operands.table.dtype),
        in_range: oob == GatherOob::Undefined && !open,
        unsigned: context.literal_signs(),
        ..Ask::any(
            operands.indices() * u64::from(chunks),
            operands.idx.dtype,
            operands.capacity,
        )
    };
    let index = pattern(choices, &ask);
    case.data = plan(choices, Use::Moved, index);
    case.chunks = chunks;
    case.call = Call::Mgather(Mgather {
        dst: operands.tile,
        table: operands.table,
        idx: operands.idx,
        mode: operands.mode,
        oob,
        launch: launch(choices, context, operands.bytes(), operands.launches()),
    });
}
