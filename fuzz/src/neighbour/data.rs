//! Changes of how data is made.

use ptodiff_case::{Case, DataPlan, Fill, IndexPattern};
use ptodiff_generate::random::{Bytes, Choices};
use ptodiff_isa::Role;

use super::{capacities, roles};
use crate::corpus::elements;

/// Indices from 0 on that are drawn beside the edges.
const SMALL: u64 = 80;

/// How one data operand is filled, or one byte of it where it is given byte by
/// byte; now and then the seed of all.
pub(super) fn fill(case: &mut Case, choices: &mut Bytes<'_, '_>) {
    if choices.one_in(8) {
        case.data.seed = choices.below(1 << 16);
        return;
    }
    let fill = match choices.pick(&roles(&case.call)) {
        Role::Table => &mut case.data.table,
        Role::Source => &mut case.data.source,
        Role::Destination => &mut case.data.destination,
        Role::Scratch => &mut case.data.scratch,
        Role::Index => return index(case, choices),
    };
    let drawn = choices.below(12);
    if let (0, Fill::Literal(bytes)) = (drawn, &mut *fill) {
        let at = choices.below(bytes.len() as u64) as usize;
        if let Some(byte) = bytes.get_mut(at) {
            *byte = choices.below(256) as u8;
        }
        return;
    }
    *fill = match drawn {
        0 | 1 => Fill::Distinct,
        2 => Fill::Zeros,
        3 => Fill::Ramp,
        4 => Fill::RampBits,
        5 => Fill::Eighths,
        6 => Fill::RandomBits,
        7 => Fill::Special,
        8 => Fill::Poison,
        9 => Fill::SmallInts,
        10 => Fill::Percent,
        _ => Fill::Arange,
    };
}

/// The pattern of the indices.
pub(super) fn pattern(case: &mut Case, choices: &mut Bytes<'_, '_>) {
    if case.call.operand(Role::Index).is_none() {
        return;
    }
    case.data.index = match choices.below(11) {
        0 => IndexPattern::Random,
        1 => IndexPattern::Same,
        2 => IndexPattern::Seq,
        3 => IndexPattern::Permutation,
        4 => IndexPattern::OutOfBounds,
        5 => IndexPattern::OutOfBoundsNoDup,
        6 => IndexPattern::AllOutOfBounds,
        7 => IndexPattern::Hot {
            slots: 1 + choices.below(8),
        },
        8 => IndexPattern::Edges,
        9 => IndexPattern::Negative,
        _ => IndexPattern::TwoRows,
    };
}

/// One index where they are given one by one, otherwise all of them, one by one.
pub(super) fn index(case: &mut Case, choices: &mut Bytes<'_, '_>) {
    let Some(operand) = case.call.operand(Role::Index) else {
        return;
    };
    let (size, of) = (operand.dtype().size(), capacities(&case.call));
    if let IndexPattern::Literal(bytes) = &mut case.data.index {
        let at = choices.below((bytes.len() / size) as u64) as usize;
        if let Some(slot) = bytes.chunks_exact_mut(size).nth(at) {
            slot.copy_from_slice(&value(choices, of).to_le_bytes()[..size]);
        }
        return;
    }
    let lanes = elements(Role::Index, operand, case.chunks).unwrap_or_default();
    let mut bytes = vec![0; lanes as usize * size];
    for slot in bytes.chunks_exact_mut(size) {
        slot.copy_from_slice(&value(choices, of).to_le_bytes()[..size]);
    }
    case.data.index = IndexPattern::Literal(bytes);
}

/// A small number, or an edge of the table or of a type.
fn value(choices: &mut Bytes<'_, '_>, [rows, elements]: [u64; 2]) -> u64 {
    let edges = [
        rows.wrapping_sub(1),
        rows,
        rows.wrapping_mul(2),
        elements.wrapping_sub(1),
        elements,
        elements.wrapping_mul(2),
        elements.wrapping_neg(),
        (1 << 15) - 1,
        1 << 15,
        (1 << 31) - 1,
        1 << 31,
        (1 << 63) - 1,
        1 << 63,
        u64::MAX,
        u64::MAX - 1,
    ];
    let drawn = choices.below(SMALL + edges.len() as u64);
    match drawn.checked_sub(SMALL) {
        Some(edge) => edges[edge as usize],
        None => drawn,
    }
}

/// Makes literal data as long as the operands are now, and forgets what was
/// said of an operand that is gone. The case fits: nothing here is long.
pub(super) fn refit(case: &mut Case) {
    let (call, chunks, data) = (&case.call, case.chunks, &mut case.data);
    let default = DataPlan::of(call);
    let needed = |role| {
        let operand = call.operand(role)?;
        let count = elements(role, operand, chunks)?;
        Some(count as usize * operand.dtype().size())
    };
    let fills = [
        (Role::Table, &mut data.table, default.table),
        (Role::Source, &mut data.source, default.source),
        (
            Role::Destination,
            &mut data.destination,
            default.destination,
        ),
        (Role::Scratch, &mut data.scratch, default.scratch),
    ];
    for (role, fill, default) in fills {
        match (needed(role), fill) {
            (Some(needed), Fill::Literal(bytes)) => stretch(bytes, needed),
            (Some(_), _) => {}
            (None, fill) => *fill = default,
        }
    }
    if let (Some(needed), IndexPattern::Literal(bytes)) = (needed(Role::Index), &mut data.index) {
        stretch(bytes, needed);
    }
}

/// Cuts `bytes`, or goes on with them from their start.
fn stretch(bytes: &mut Vec<u8>, needed: usize) {
    let given = bytes.len();
    bytes.truncate(needed);
    for at in given..needed {
        bytes.push(if given == 0 { 0 } else { bytes[at - given] });
    }
}
