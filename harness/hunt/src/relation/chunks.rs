//! One call in several: [`super::Relation::Chunks`].

use ptodiff_isa::{BLayout, Call, Dim, Memory, MscatterFirst, Role, Tile};

use super::Finding;
use super::order::Order;
use super::place::{read, write};
use super::trial::{ModelCase, Seen, blank};
use super::view::{View, demand};

/// The chunks of a case stacked, or a single call split by rows.
pub(super) fn check(base: &ModelCase<'_>) -> Finding {
    demand(matches!(
        base.call,
        Call::Mscatter(_) | Call::MscatterFirst(_)
    ))?;
    let view = base.view(base.call)?;
    if base.steps.len() > 1 {
        stacked(base, &view)
    } else {
        split(base, view)
    }
}

fn stacked(base: &ModelCase<'_>, part: &View<'_>) -> Finding {
    let count = base.steps.len() as u64;
    let rows = part.rows as u64;
    let call = over_rows(base.call, part, rows.checked_mul(count)?, |padded| {
        padded.checked_mul(count)
    })?;
    let whole = base.view(&call)?;
    let start = base.steps.first()?;
    let mut memory = blank_operands(&call, start)?;
    for (n, step) in base.steps.iter().enumerate() {
        part.slots_of(step, start)?;
        move_rows(
            (part, step, 0),
            (&whole, &mut memory, n * part.rows),
            part.rows,
        )?;
    }
    let whole = in_row_order(whole, &memory)?;

    let judge = || {
        let one = base.run(&call, memory.clone())?;
        let mut other = start.clone();
        for (n, step) in base.steps.iter().enumerate() {
            for fresh in step.regions.iter().filter(|_| n > 0) {
                match other.get_mut(fresh.role) {
                    Some(old) => old.clone_from(fresh),
                    None => other.regions.push(fresh.clone()),
                }
            }
            other = base.run(base.call, other)?;
        }
        whole.agree([&one, &other], "issued in chunks")
    };
    Some(judge())
}

fn split(base: &ModelCase<'_>, whole: View<'_>) -> Finding {
    demand(whole.rows > 1)?;
    let memory = base.steps.first()?;
    let seen = in_row_order(whole, memory)?;
    let whole = &seen.view;
    let upper = whole.rows / 2;
    let calls = [upper, whole.rows - upper].map(|rows| {
        let rows = rows as u64;
        over_rows(base.call, whole, rows, |padded| match base.call {
            // Its tiles are full (MSCATTER0-GAP-06).
            Call::MscatterFirst(_) => Some(rows),
            _ => Some(padded),
        })
    });
    let [Some(above), Some(below)] = calls else {
        return None;
    };
    let mut parts = [above, below].map(|call| (call, Memory::default()));
    for (n, (call, operands)) in parts.iter_mut().enumerate() {
        let part = base.view(call)?;
        *operands = blank_operands(call, memory)?;
        move_rows((whole, memory, n * upper), (&part, operands, 0), part.rows)?;
        part.slots(operands)?;
    }

    let judge = || {
        let one = base.run(base.call, memory.clone())?;
        let [(above, first), (below, mut second)] = parts;
        let first = base.run(&above, first)?;
        if let (Some(old), Some(table)) = (second.get_mut(Role::Table), first.get(Role::Table)) {
            old.clone_from(table);
        }
        let other = base.run(&below, second)?;
        seen.agree([&one, &other], "split into two calls by rows")
    };
    Some(judge())
}

/// Goes on only where later rows come after earlier ones, or it does not matter.
fn in_row_order<'a>(view: View<'a>, memory: &'a Memory) -> Option<Seen<'a>> {
    let slots = view.slots(memory)?;
    demand(Order::of(&view, memory, &slots)? != Order::Fixed)?;
    Some(Seen {
        view,
        memory,
        slots,
    })
}

/// `call` over `rows` rows, each tile padded to what `padded` makes of it.
fn over_rows(
    call: &Call,
    view: &View<'_>,
    rows: u64,
    padded: impl Fn(u64) -> Option<u64>,
) -> Option<Call> {
    let mut call = *call;
    let (src, idx) = match &mut call {
        Call::Mscatter(c) => (&mut c.src, &mut c.idx),
        Call::MscatterFirst(MscatterFirst { src, idx, .. }) => (src, idx),
        _ => return None,
    };
    src.valid_row = like(src.valid_row, rows);
    src.rows = padded(src.rows)?;
    if view.by_row && lies_along_a_row(idx, view) {
        idx.valid_col = like(idx.valid_col, rows);
        idx.cols = padded(idx.cols)?;
    } else {
        idx.valid_row = like(idx.valid_row, rows);
        idx.rows = padded(idx.rows)?;
    }
    Some(call)
}

/// Whether row indices are `[1, R]`; a single one by the layout of its tile.
fn lies_along_a_row(idx: &Tile, view: &View<'_>) -> bool {
    let one = [idx.valid_row.get(), idx.valid_col.get()] == [1, 1];
    view.form == ptodiff_case::Form::Mscatter
        && if one {
            idx.blayout == BLayout::RowMajor
        } else {
            idx.valid_row.get() == 1
        }
}

/// `value`, known when `dim` is.
const fn like(dim: Dim, value: u64) -> Dim {
    match dim {
        Dim::Static(_) => Dim::Static(value),
        Dim::Dynamic(_) => Dim::Dynamic(value),
    }
}

/// The table of `start`, with tiles for `call` that hold nothing yet.
fn blank_operands(call: &Call, start: &Memory) -> Option<Memory> {
    let mut memory = Memory::default();
    for (role, operand) in call.operands() {
        memory.regions.push(match operand.tile() {
            Some(tile) => {
                let elements = tile.rows.checked_mul(tile.cols)?;
                blank(role, elements, tile.dtype.size())?
            }
            None => start.get(role)?.clone(),
        });
    }
    Some(memory)
}

/// Copies `rows` rows of source and indices.
fn move_rows(
    (from, source, first): (&View<'_>, &Memory, usize),
    (to, target, at): (&View<'_>, &mut Memory, usize),
    rows: usize,
) -> Option<()> {
    let size = from.data.dtype.size();
    let before = source.get(Role::Source)?.body();
    let after = target.get_mut(Role::Source)?.body_mut();
    for r in 0..rows {
        for c in 0..from.cols {
            let value = read(before, from.places.at(first + r, c), size);
            write(after, to.places.at(at + r, c), size, value);
        }
    }
    let before = source.get(Role::Index)?.body();
    let after = target.get_mut(Role::Index)?.body_mut();
    let across = from.across();
    for lane in 0..rows * across {
        let index = from.index(before, first * across + lane);
        to.set_index(after, at * across + lane, index);
    }
    Some(())
}
