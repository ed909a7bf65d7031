//! Legal calls of MSCATTER, current revision.

use ptodiff_case::Case;
use ptodiff_isa::{
    Call, Coalesce, DType, Mscatter, ScatterAtomicOp, ScatterConflict, ScatterOob, UndefinedLast,
};
use strum::VariantArray as _;

use crate::random::choices::Choices;
use crate::random::context::{COMMON, DrawContext};
use crate::random::data::{Use, chunks, launch, plan};
use crate::random::index::{Ask, pattern};

use super::in_gm::operands;
use super::{counterpart, data_type};

pub(super) fn draft(choices: &mut impl Choices, context: &DrawContext, case: &mut Case) {
    let atomic = atomic(choices, context);
    let mut dtype = data_type(choices, context);
    if !context.has_atomic(atomic, dtype) {
        // One that has it: of all that are rejected few are near another.
        dtype = of_atomic(choices, context, atomic);
    }
    // Under A5's rules types are equal on CPU too (MSCATTER-DTYPE-11).
    let table_type = if context.documented() {
        counterpart(choices, context, dtype)
    } else {
        dtype
    };
    let mut operands = operands(choices, context, [dtype, table_type]);
    operands.fill_ub(choices, context);
    let oob = choices.pick(ScatterOob::VARIANTS);
    let conflict = choices.pick(ScatterConflict::VARIANTS);

    let scalar = operands.mode == Coalesce::Elem && operands.lanes() == 1;
    // Lanes own slots below capacity only (MSCATTER-GAP-10).
    let dropped = context.readings.undefined_last == UndefinedLast::Dropped
        && !context.cpu
        && !context.a2a3
        && atomic == ScatterAtomicOp::None
        && conflict == ScatterConflict::Last
        && !scalar;
    let chunks = chunks(choices);
    let ask = Ask {
        slots: operands.slots,
        unit: context.index_unit(operands.mode, operands.table.dtype),
        in_range: (oob == ScatterOob::Undefined && !dropped) || context.documented(),
        unsigned: context.literal_signs(),
        ..Ask::any(
            operands.indices() * u64::from(chunks),
            operands.idx.dtype,
            operands.capacity,
        )
    };
    let index = pattern(choices, &ask);
    let purpose = match atomic {
        ScatterAtomicOp::None => Use::Moved,
        _ => Use::Combined,
    };
    case.data = plan(choices, purpose, index);
    case.chunks = chunks;
    case.call = Call::Mscatter(Mscatter {
        table: operands.table,
        src: operands.tile,
        idx: operands.idx,
        mode: operands.mode,
        atomic,
        oob,
        conflict,
        launch: launch(choices, context, operands.bytes(), operands.launches()),
    });
}

/// An atomic that some type has on every target (MSCATTER-ATOM-10).
pub(super) fn atomic(choices: &mut impl Choices, context: &DrawContext) -> ScatterAtomicOp {
    use ScatterAtomicOp::{Add, Max, Min, None};
    if context.a2a3 {
        choices.weighted(&[(1, None), (1, Add)])
    } else {
        choices.weighted(&[(3, None), (2, Add), (1, Max), (1, Min)])
    }
}

/// A type that has `atomic` on every target.
pub(super) fn of_atomic(
    choices: &mut impl Choices,
    context: &DrawContext,
    atomic: ScatterAtomicOp,
) -> DType {
    let having = || {
        let types = COMMON.into_iter();
        types.filter(|dtype| context.has_atomic(atomic, *dtype))
    };
    let at = choices.below(having().count() as u64) as usize;
    having().nth(at).unwrap_or(DType::Float)
}
