//! One call in several: [`super::Relation::Chunks`].

use ptodiff_isa::{BLayout, Call, Dim, Memory, MscatterFirst, Operand, Role, Tile};

use super::Finding;
use super::lanes::{Lanes, demand};
use super::trial::{ModelCase, blank, replace};
use crate::dims::sized;

/// What moves with the rows.
const MOVED: [Role; 2] = [Role::Source, Role::Index];

/// The chunks of a case stacked, or a single call split by rows.
pub(super) fn check(base: &ModelCase<'_>) -> Finding {
    if base.steps.len() > 1 {
        stacked(base)
    } else {
        split(base)
    }
}

fn stacked(base: &ModelCase<'_>) -> Finding {
    let part = base.lanes(base.call)?;
    let start = base.steps.first()?;
    let count = base.steps.len() as u64;
    let call = over_rows(
        base.call,
        &part,
        (part.rows() as u64).checked_mul(count)?,
        |padded| padded.checked_mul(count),
    )?;
    let whole = base.lanes(&call)?;
    let mut memory = blank_operands(&call, start)?;
    for role in MOVED {
        let steps = base.steps.iter();
        let values: Option<Vec<_>> = steps.map(|step| part.take(step, role)).collect();
        whole.put(&mut memory, role, &values?.concat())?;
    }
    let seen = base.seen_as(&call, whole, &memory)?;
    demand(seen.promised.settled && seen.lanes.in_row_order(&seen.slots))?;

    let judge = || {
        let one = base.run(&call, memory.clone())?;
        let mut other = start.clone();
        for (n, step) in base.steps.iter().enumerate() {
            for fresh in step.regions.iter().filter(|_| n > 0) {
                replace(&mut other, fresh.clone());
            }
            other = base.run(base.call, other)?;
        }
        seen.promised.agree([&one, &other], "issued in chunks")
    };
    Some(judge())
}

fn split(base: &ModelCase<'_>) -> Finding {
    let seen = base.seen(|whole| whole.rows() > 1)?;
    let (whole, memory) = (&seen.lanes, seen.memory);
    demand(seen.promised.settled && whole.in_row_order(&seen.slots))?;
    let upper = whole.rows() / 2;
    let part = |rows: usize, first: usize| {
        let call = over_rows(base.call, whole, rows as u64, |padded| match base.call {
            // Its tiles are full (MSCATTER0-GAP-06).
            Call::MscatterFirst(_) => Some(rows as u64),
            _ => Some(padded),
        })?;
        let lanes = base.lanes(&call)?;
        let mut operands = blank_operands(&call, memory)?;
        for role in MOVED {
            let values = whole.take(memory, role)?;
            let row = values.len() / whole.rows();
            lanes.put(&mut operands, role, &values[first * row..][..rows * row])?;
        }
        lanes.slots(&operands)?;
        base.promised(&call, &operands)?;
        Some((call, operands))
    };
    let (above, first) = part(upper, 0)?;
    let (below, mut second) = part(whole.rows() - upper, upper)?;

    let judge = || {
        let one = base.run(base.call, memory.clone())?;
        let first = base.run(&above, first)?;
        if let (Some(old), Some(table)) = (second.get_mut(Role::Table), first.get(Role::Table)) {
            old.clone_from(table);
        }
        let other = base.run(&below, second)?;
        let but = "split into two calls by rows";
        seen.promised.agree([&one, &other], but)
    };
    Some(judge())
}

/// `call` over `rows` rows, each tile padded to what `padded` makes of it.
fn over_rows(
    call: &Call,
    lanes: &Lanes,
    rows: u64,
    padded: impl Fn(u64) -> Option<u64>,
) -> Option<Call> {
    let mut call = *call;
    let along_a_row = lanes.by_row && lies_along_a_row(&call);
    let (src, idx) = match &mut call {
        Call::Mscatter(c) => (&mut c.src, &mut c.idx),
        Call::MscatterFirst(MscatterFirst { src, idx, .. }) => (src, idx),
        _ => return None,
    };
    src.valid_row = sized(src.valid_row, rows);
    src.rows = padded(src.rows)?;
    if along_a_row {
        idx.valid_col = sized(idx.valid_col, rows);
        idx.cols = padded(idx.cols)?;
    } else {
        idx.valid_row = sized(idx.valid_row, rows);
        idx.rows = padded(idx.rows)?;
    }
    Some(call)
}

/// Whether row indices are `[1, R]`; a single one by the layout of its tile.
fn lies_along_a_row(call: &Call) -> bool {
    let Call::Mscatter(call) = call else {
        return false;
    };
    let Tile {
        valid_row,
        valid_col,
        blayout,
        ..
    } = call.idx;
    if [valid_row, valid_col].map(Dim::get) == [1, 1] {
        blayout == BLayout::RowMajor
    } else {
        valid_row.get() == 1
    }
}

/// The table of `start`, with tiles for `call` that hold nothing yet.
fn blank_operands(call: &Call, start: &Memory) -> Option<Memory> {
    let mut memory = Memory::default();
    for (role, operand) in call.operands() {
        memory.regions.push(match operand {
            Operand::Tile(_) => blank(call, role)?,
            Operand::Tensor(_) => start.get(role)?.clone(),
        });
    }
    Some(memory)
}
