//! What may stand in the table after MSCATTER.

use std::borrow::Cow;

use ptodiff_isa::{Coalesce, DType, Layout, NzElemOrder, Role, ScatterAtomicOp, Target};

use crate::{
    accumulate::accumulate,
    coord::{NzTable, Plane, saturated},
    meaning::{Meaning, Noticed, survival, words},
    operands::{Steps, body, bytes},
    promise::{Unusable, Written},
    replace::replace,
    runs::Runs,
    selection::{Indices, Place},
    writers::{Write, Writers},
};

/// Where the slots that one writer feeds stand in the table.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Footprint {
    /// One element; the slot is its number.
    Element,
    /// The valid columns of a row; the slot is the row number.
    Row {
        /// Elements from one row to the next.
        pitch: usize,
    },
    /// All columns of a logical row, in blocks; the slot is the row number.
    NzRow(NzTable),
}

/// The operands of a scatter, all steps in one.
#[derive(Debug)]
pub(crate) struct Field<'a> {
    /// Element type of the table.
    pub(crate) dtype: DType,
    /// The table before the first step.
    pub(crate) table: &'a [u8],
    /// The source tiles of all steps one after the other.
    pub(crate) sources: Cow<'a, [u8]>,
    /// The source tile.
    pub(crate) plane: Plane,
    /// Its padded columns.
    pub(crate) padded_cols: usize,
    /// Number of steps.
    pub(crate) steps: usize,
    /// What a writer feeds.
    pub(crate) footprint: Footprint,
}

impl Field<'_> {
    /// The step that source element `at` belongs to.
    #[inline]
    pub(crate) fn step_of(&self, at: usize) -> u32 {
        if self.steps == 1 {
            0
        } else {
            (at / self.plane.elems) as u32
        }
    }

    /// The step that source row `r` belongs to.
    #[inline]
    pub(crate) fn step_of_row(&self, r: u32) -> u32 {
        r / self.plane.rows as u32
    }

    /// Source element of column `c` of row `r`, rows counted over all steps.
    #[inline]
    pub(crate) fn row_element(&self, r: u32, c: usize) -> usize {
        let (r, rows) = (r as usize, self.plane.rows);
        if r < rows {
            self.plane.at(r, c)
        } else {
            r / rows * self.plane.elems + self.plane.at(r % rows, c)
        }
    }
}

/// What the indices of a call turned up.
#[derive(Default)]
struct Seen {
    writes: Vec<Write>,
    /// A lane of which nothing is promised.
    unbound: bool,
    /// A write outside the table.
    outside: bool,
    noticed: Noticed,
}

/// Fills `runs` for the table.
pub(crate) fn permits(
    meaning: &Meaning,
    steps: &Steps<'_>,
    runs: &mut Runs,
) -> Result<Written, Unusable> {
    let field = field(meaning, steps)?;
    let seen = collect(meaning, &field, steps)?;
    if seen.unbound {
        let clause = meaning.unbound();
        return Ok(Written::nothing_promised(runs, field.table.len(), clause));
    }
    let span = seen.writes.iter().map(|w| w.slot as usize + 1).max();
    let writers = Writers::group(&seen.writes, span.unwrap_or(0));
    if meaning.atomic == ScatterAtomicOp::None {
        runs.reserve(seen.writes.len() * field.dtype.size());
        let survival = survival(meaning, &seen.noticed, steps.count());
        replace(runs, &field, &writers, &survival);
    } else {
        let open = meaning.target == Target::A5;
        let words = words(meaning, &seen.noticed);
        if !accumulate(runs, &field, &writers, meaning.atomic, open, &words) {
            let none = meaning.atomic_clause();
            return Ok(Written::nothing_promised(runs, field.table.len(), none));
        }
    }
    let outside = seen.outside.then_some(meaning.negative());
    Ok(Written {
        guards_free: outside,
        strays: outside,
        ..Written::default()
    })
}

fn footprint(meaning: &Meaning) -> Footprint {
    match (meaning.mode, NzTable::of(&meaning.call.table)) {
        (Coalesce::Elem, _) => Footprint::Element,
        (Coalesce::Row, Some(nz)) => Footprint::NzRow(nz),
        (Coalesce::Row, None) => Footprint::Row {
            pitch: meaning.row_pitch(),
        },
    }
}

fn field<'a>(meaning: &Meaning, steps: &Steps<'a>) -> Result<Field<'a>, Unusable> {
    let call = &meaning.call;
    let plane = Plane::of(&call.src).ok_or(Unusable::TooLarge)?;
    let dtype = call.table.dtype;
    let len = bytes(plane.elems, dtype.size())?;
    let total = plane.elems.saturating_mul(steps.count());
    let table = steps.table(&call.table)?;
    let table = &table[..table.len() - table.len() % dtype.size()];
    if u32::try_from(total).is_err() || u32::try_from(table.len()).is_err() {
        return Err(Unusable::TooLarge);
    }
    let sources = if steps.count() == 1 {
        Cow::Borrowed(&steps.loaded(Role::Source, len)?[..len])
    } else {
        let mut all = Vec::with_capacity(len * steps.count());
        for (i, step) in steps.each() {
            all.extend_from_slice(&body(step, i, Role::Source, len)?[..len]);
        }
        Cow::Owned(all)
    };
    Ok(Field {
        dtype,
        table,
        sources,
        plane,
        padded_cols: plane.elems / plane.padded_rows.max(1),
        steps: steps.count(),
        footprint: footprint(meaning),
    })
}

fn collect(meaning: &Meaning, field: &Field<'_>, steps: &Steps<'_>) -> Result<Seen, Unusable> {
    let idx = Plane::of(&meaning.call.idx).ok_or(Unusable::TooLarge)?;
    let mut seen = Seen::default();
    let per_step = match meaning.mode {
        Coalesce::Row => field.plane.rows,
        Coalesce::Elem => field.plane.rows.saturating_mul(field.plane.cols),
    };
    seen.writes.reserve(per_step.saturating_mul(steps.count()));
    for (i, step) in steps.each() {
        let index_bytes = body(step, i, Role::Index, idx.elems.saturating_mul(4))?;
        let indices = Indices::new(index_bytes, idx);
        match meaning.mode {
            Coalesce::Row => rows(meaning, field, i, &indices, &mut seen),
            Coalesce::Elem => elements(meaning, field, i, &indices, &mut seen),
        }
    }
    Ok(seen)
}

fn elements(
    meaning: &Meaning,
    field: &Field<'_>,
    step: usize,
    indices: &Indices<'_>,
    seen: &mut Seen,
) {
    let nz = NzTable::of(&meaning.call.table);
    let span = (field.table.len() / field.dtype.size()) as i64;
    let first = step * field.plane.elems;
    let visit = |r: usize, c: usize| {
        let raw = indices.elem(r, c);
        seen.noticed.negative |= meaning.read_differently(raw);
        match meaning.place(raw) {
            Place::At { number, .. } => {
                let slot = match &nz {
                    Some(nz) => nz.linear(number),
                    None => number,
                };
                if (0..span).contains(&slot) {
                    seen.writes.push(Write {
                        slot: slot as u32,
                        from: (first + field.plane.at(r, c)) as u32,
                    });
                } else {
                    seen.outside = true;
                }
            }
            Place::Dropped => {}
            Place::Unbound => seen.unbound = true,
        }
    };
    let walk = meaning.call.table.layout == Layout::NZ
        && meaning.readings.nz_elem_order == NzElemOrder::Walk;
    if walk {
        field.plane.each_physical(visit);
    } else {
        field.plane.each_logical(visit);
    }
}

fn rows(meaning: &Meaning, field: &Field<'_>, step: usize, indices: &Indices<'_>, seen: &mut Seen) {
    let span = (field.table.len() / field.dtype.size()) as i64;
    let disputed = meaning.disputed_capacity();
    for r in 0..field.plane.rows {
        let raw = indices.row(r);
        let value = meaning.value(raw);
        seen.noticed.negative |= meaning.read_differently(raw);
        seen.noticed.disputed |= disputed.is_some_and(|smaller| value >= smaller);
        match meaning.place(raw) {
            Place::At { number, .. } => {
                if inside(field, number, span) {
                    seen.writes.push(Write {
                        slot: number as u32,
                        from: (step * field.plane.rows + r) as u32,
                    });
                } else if matches!(field.footprint, Footprint::NzRow(_)) {
                    // Parts of such a row may still hit the table.
                    seen.unbound = true;
                } else {
                    seen.outside = true;
                }
            }
            Place::Dropped => {}
            Place::Unbound => seen.unbound = true,
        }
    }
}

/// Whether all slots of row `number` are among the `span` elements of the table.
fn inside(field: &Field<'_>, number: i64, span: i64) -> bool {
    if number < 0 {
        return false;
    }
    match &field.footprint {
        Footprint::Element => number < span,
        Footprint::Row { pitch } => {
            let cols = saturated(field.plane.cols as u64);
            let first = number.saturating_mul(saturated(*pitch as u64));
            first.saturating_add(cols) <= span && number <= i64::from(u32::MAX)
        }
        Footprint::NzRow(nz) => {
            let blocks = saturated(field.padded_cols as u64) / nz.block;
            (0..blocks).all(|b| nz.block_at(number, b).saturating_add(nz.block) <= span)
        }
    }
}
