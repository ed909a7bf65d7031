//! Patterns of indices.

use ptodiff_case::IndexPattern;
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, FirstMode, FirstRowCapacity, GatherOob, Operand, Role,
    ScatterAtomicOp, ScatterConflict, ScatterIndex, ScatterOob, ScatterRange, TscatterIndex,
    UnalignedOffset, UndefinedGather, UndefinedLast,
};

use super::Form;
use super::choices::Choices;
use super::context::DrawContext;
use crate::slots::Slots;

/// More lanes than this have no literal indices: they would dominate a case's cost.
const MOST_LITERALS: u64 = 256;

/// What a pattern has to keep to.
#[derive(Clone, Copy)]
pub(super) struct Ask {
    /// Values of the index operand, over all chunks.
    pub(super) lanes: u64,
    pub(super) dtype: DType,
    /// Slots that exist on every target.
    pub(super) capacity: u64,
    /// Slots that the patterns count ([`crate::stimulus`]).
    pub(super) slots: u64,
    /// From one slot to the next in what is stored: more than 1 for offsets in bytes.
    pub(super) unit: u64,
    /// Whether every index has to be below `capacity`.
    pub(super) in_range: bool,
    /// Whether none may be negative in a signed type.
    pub(super) unsigned: bool,
    /// Whether offsets may lie between two slots.
    pub(super) between: bool,
}

impl Ask {
    /// Whatever the pattern: `lanes` values of `dtype` among `capacity` slots.
    pub(super) const fn any(lanes: u64, dtype: DType, capacity: u64) -> Self {
        Self {
            lanes,
            dtype,
            capacity,
            slots: capacity,
            unit: 1,
            in_range: false,
            unsigned: false,
            between: false,
        }
    }
}

/// Values of the index operand of one call.
pub(super) fn values(operand: Operand<'_>) -> u64 {
    match operand {
        Operand::Tile(tile) => tile.valid_row.get() * tile.valid_col.get(),
        Operand::Tensor(tensor) => tensor.shape.iter().map(|dim| dim.get()).product(),
    }
}

/// A pattern that breaks no precondition of `call`, of which `chunks` are issued; by row
/// one for the rows of `outer` dimensions too, where the case's targets count these.
pub(super) fn legal(
    choices: &mut impl Choices,
    context: &DrawContext,
    (call, chunks): (&Call, u32),
    outer: bool,
) -> IndexPattern {
    let Some(operand) = call.operand(Role::Index) else {
        return IndexPattern::Random;
    };
    let (dtype, readings) = (operand.dtype(), &context.readings);
    let slots = Slots::of(call, Some(dtype), readings);
    let mut ask = Ask {
        unit: slots.unit,
        unsigned: context.literal_signs(),
        ..Ask::any(values(operand) * u64::from(chunks), dtype, slots.capacity)
    };
    // A5 and CPU count Shape[3] only (MSCATTER-GAP-15, MGATHER-GAP-05).
    let counted = context.form == Form::MgatherL1 || !(context.simt() || context.cpu);
    if let (Some(table), Some(Coalesce::Row)) = (call.table(), call.mode())
        && !(outer && counted)
    {
        ask.capacity = table.shape[3].get();
    }
    match call {
        Call::Mscatter(c) => {
            let scalar = c.mode == Coalesce::Elem && values(Operand::Tile(&c.src)) == 1;
            // Lanes own slots below capacity only (MSCATTER-GAP-10).
            let dropped = readings.undefined_last == UndefinedLast::Dropped
                && !context.cpu
                && !context.a2a3
                && c.atomic == ScatterAtomicOp::None
                && c.conflict == ScatterConflict::Last
                && !scalar;
            ask.in_range = (c.oob == ScatterOob::Undefined && !dropped) || context.documented();
        }
        Call::MscatterFirst(c) => {
            // A row that the policy lets through may lie past the table (MSCATTER0-GAP-03).
            let elements = c.src.cols == 1 && readings.first_mode == FirstMode::Elem;
            let beyond = c.idx.cols == 1
                && !elements
                && readings.first_row_capacity == FirstRowCapacity::Elements;
            ask.in_range = c.oob == ScatterOob::Undefined || beyond;
        }
        Call::Mgather(c) => {
            // Only the slots that such an index feeds are open then (MGATHER-GAP-69).
            let open = readings.undefined_gather == UndefinedGather::Slots;
            ask.in_range = c.oob == GatherOob::Undefined && !open;
        }
        Call::MgatherL1(c) => ask.in_range = c.oob == GatherOob::Undefined,
        Call::TscatterIndex(c) => {
            (ask.in_range, ask.unsigned) = (true, false);
            return into_tile(choices, context, c, (ask, slots.reach));
        }
        Call::Tgatherb(_) => {
            ask.unsigned = false;
            ask.between = readings.tgatherb_unaligned != UnalignedOffset::Undefined;
        }
        Call::TscatterMask(_) => {}
    }
    pattern(choices, &ask)
}

/// Indices for slots of the destination, of its valid region only where the
/// others are not to be written (TSCATTER-GAP-05).
fn into_tile(
    choices: &mut impl Choices,
    context: &DrawContext,
    TscatterIndex { dst, idx, .. }: &TscatterIndex,
    (ask, reach): (Ask, u64),
) -> IndexPattern {
    let (values, lanes) = (ask.lanes, idx.valid_col.get());
    let valid = context.readings.tscatter_range == ScatterRange::Valid;
    let [rows, cols] = [dst.valid_row, dst.valid_col].map(Dim::get);
    if context.readings.tscatter_index == ScatterIndex::Row && values > 0 {
        // A column of indices holds no row twice (TSCATTER-GAP-22).
        let rows = if valid { rows } else { dst.rows };
        let shifts: Vec<_> = (0..lanes).map(|_| choices.below(rows)).collect();
        let mut lane = 0;
        return of_each(&ask, || {
            let (r, c) = (lane / lanes, lane % lanes);
            lane += 1;
            (r + shifts[c as usize]) % rows
        });
    }
    if !valid || values == 0 {
        return pattern(choices, &ask);
    }
    of_each(&ask, || {
        let (row, col) = (choices.below(rows), choices.below(cols));
        let slot = match dst.blayout {
            BLayout::RowMajor => row * dst.cols + col,
            BLayout::ColMajor => col * dst.rows + row,
        };
        if slot < reach { slot } else { 0 }
    })
}

/// A pattern that keeps to `ask`.
pub(super) fn pattern(choices: &mut impl Choices, ask: &Ask) -> IndexPattern {
    let literals = (1..=MOST_LITERALS).contains(&ask.lanes);
    if ask.in_range && ask.capacity < ask.slots {
        // The patterns would count slots that not every target has.
        return literal(choices, ask);
    }
    let kinds = if ask.in_range { 7 } else { 12 };
    match choices.below(kinds) {
        0 => IndexPattern::Seq,
        1 => IndexPattern::Random,
        2 => IndexPattern::Same,
        3 => IndexPattern::Permutation,
        4 => IndexPattern::Hot {
            slots: choices.pick(&[1, 2, 3, 5, 8]),
        },
        5 if literals => literal(choices, ask),
        6 => IndexPattern::TwoRows,
        7 => IndexPattern::OutOfBounds,
        8 => IndexPattern::OutOfBoundsNoDup,
        9 => IndexPattern::AllOutOfBounds,
        10 if !signs(ask) => IndexPattern::Edges,
        11 if !signs(ask) => IndexPattern::Negative,
        _ => IndexPattern::Random,
    }
}

/// Whether the edges of the type would be negative where they must not be.
fn signs(ask: &Ask) -> bool {
    ask.unsigned && ask.dtype.is_signed_integer()
}

/// Each index in range or, where that may be, one of the edges.
fn literal(choices: &mut impl Choices, ask: &Ask) -> IndexPattern {
    let capacity = ask.capacity.max(1);
    let bits = ask.dtype.size() as u32 * 8;
    let top = 1_u64 << (bits - 1);
    let beyond = [
        capacity,
        capacity + 1,
        capacity.saturating_mul(2),
        top - 1,
        // From here on negative where the type is signed.
        top,
        top.wrapping_mul(2).wrapping_sub(1),
        capacity.wrapping_neg(),
    ];
    let edges = match (ask.in_range, signs(ask)) {
        (true, _) => &beyond[..0],
        (false, true) => &beyond[..4],
        (false, false) => &beyond[..],
    };
    // A coin for the edges beside the slots, which may be many.
    let inside = capacity.max(2 * edges.len() as u64);
    of_each(ask, || {
        let drawn = choices.below(inside + edges.len() as u64);
        let unit = |slot: u64| slot.wrapping_mul(ask.unit);
        match drawn.checked_sub(inside) {
            // The edges of the type stay what they are, whatever the unit.
            Some(edge) if edge < 3 => unit(edges[edge as usize]),
            Some(edge) if ask.unit == 1 || ask.between => edges[edge as usize],
            Some(edge) => edges[edge as usize] / ask.unit * ask.unit,
            None if ask.between && drawn % 4 == 3 => unit(drawn % capacity) + 1,
            None => unit(drawn % capacity),
        }
    })
}

/// Indices given one by one, as `next` has them.
pub(super) fn of_each(ask: &Ask, mut next: impl FnMut() -> u64) -> IndexPattern {
    let size = ask.dtype.size();
    let mut bytes = vec![0; ask.lanes as usize * size];
    for slot in bytes.chunks_exact_mut(size) {
        slot.copy_from_slice(&next().to_le_bytes()[..size]);
    }
    IndexPattern::Literal(bytes)
}
