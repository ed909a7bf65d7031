//! What may stand in the table after MSCATTER.

use ptodiff_isa::{Clause, Coalesce, DType, NzRowColumns, Role, ScatterAtomicOp};

use crate::{
    accumulate::{add, extreme},
    address::{Elements, Rows, Standing},
    arithmetic::Arithmetic,
    coord::{NzTable, Plane, saturated},
    desk::Desk,
    lines::{Order, each_line},
    meaning::{Meaning, Noticed, survival},
    operands::{Steps, body, bytes},
    promise::{Unusable, Written},
    replace::replace,
    runs::Runs,
    selection::{Indices, Place},
    writers::{Filler, Sink},
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
    NzRow {
        /// Where the blocks stand.
        nz: NzTable,
        /// What becomes of columns from ValidCol on (MSCATTER-GAP-22).
        columns: NzRowColumns,
    },
}

/// The operands of a scatter, all steps in one.
#[derive(Debug)]
pub(crate) struct Field<'a> {
    /// Element type of the table.
    pub(crate) dtype: DType,
    /// The table before the first step.
    pub(crate) table: &'a [u8],
    /// The source tiles of all steps one after the other.
    pub(crate) sources: &'a [u8],
    /// The source tile.
    pub(crate) plane: Plane,
    /// Its padded columns.
    pub(crate) padded_cols: usize,
    /// Number of steps.
    pub(crate) steps: usize,
    /// Elements from the source of one step to that of the next.
    pitch: usize,
    /// What a writer feeds.
    pub(crate) footprint: Footprint,
    /// The rows that are moved, unless elements or blocks are.
    rows: Option<Rows>,
}

impl<'a> Field<'a> {
    /// A table whose elements are addressed one by one from one source tile.
    pub(crate) fn of_elements(
        dtype: DType,
        table: &'a [u8],
        source: &'a [u8],
        plane: Plane,
    ) -> Self {
        Self {
            dtype,
            table,
            sources: source,
            plane,
            padded_cols: plane.elems / plane.padded_rows.max(1),
            steps: 1,
            pitch: plane.elems,
            footprint: Footprint::Element,
            rows: None,
        }
    }
}

impl Field<'_> {
    /// Elements of the table.
    fn span(&self) -> i64 {
        (self.table.len() / self.dtype.size()) as i64
    }

    /// Row `r` of `step`, rows counted over all steps.
    fn source_row(&self, step: usize, r: usize) -> u32 {
        (step * self.plane.rows + r) as u32
    }

    /// The step that source element `at` belongs to.
    #[inline]
    pub(crate) fn step_of(&self, at: usize) -> u32 {
        if self.steps == 1 {
            0
        } else {
            (at / self.pitch) as u32
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
            r / rows * self.pitch + self.plane.at(r % rows, c)
        }
    }
}

/// What the indices of a call turned up.
#[derive(Default)]
struct Seen {
    /// Why nothing is promised, for some lane.
    unbound: Option<Clause>,
    /// Why a write outside the table is excused, for some lane.
    outside: Option<Clause>,
    noticed: Noticed,
}

/// Fills `runs` for the table.
pub(crate) fn permits(
    meaning: &Meaning<'_>,
    steps: &Steps<'_>,
    desk: &mut Desk,
    runs: &mut Runs,
) -> Result<Written, Unusable> {
    if meaning.idle() {
        return Ok(Written::default());
    }
    let Desk {
        writers,
        sources,
        cell,
        ..
    } = desk;
    let field = field(meaning, steps, sources)?;
    let lanes = Lanes {
        meaning,
        field: &field,
        steps,
    };
    let (most, span) = lanes.most();
    let seen = writers.gather(most, span, lanes)?;
    if let Some(clause) = seen.unbound {
        return Ok(Written::nothing_promised(runs, field.table.len(), clause));
    }
    runs.reserve(writers.most(), writers.total() * field.dtype.size());
    let how = || Arithmetic::of(meaning, &seen.noticed);
    let combined = match meaning.atomic {
        ScatterAtomicOp::None => {
            let survival = survival(meaning, &seen.noticed, steps.count());
            replace(runs, &field, writers, &survival);
            true
        }
        ScatterAtomicOp::Add => add(runs, cell, &field, writers, &how()),
        ScatterAtomicOp::Max => extreme::<true>(runs, cell, &field, writers, &how()),
        ScatterAtomicOp::Min => extreme::<false>(runs, cell, &field, writers, &how()),
    };
    if !combined {
        let none = meaning.atomic_clause();
        return Ok(Written::nothing_promised(runs, field.table.len(), none));
    }
    Ok(Written {
        guards_free: seen.outside,
        oob_accesses: seen.outside,
        placed: true,
        ..Written::default()
    })
}

fn footprint(meaning: &Meaning<'_>, rows: Option<&Rows>) -> Footprint {
    match (NzTable::of(&meaning.call.table), rows) {
        (Some(nz), _) if meaning.mode == Coalesce::Row => Footprint::NzRow {
            nz,
            columns: meaning.readings.nz_row_columns,
        },
        // Rows that may share slots are taken element by element.
        (_, rows) => match rows.and_then(|rows| rows.pitch()) {
            Some(pitch) => Footprint::Row { pitch },
            None => Footprint::Element,
        },
    }
}

/// The operands; `all` has room for the sources of several steps.
fn field<'a>(
    meaning: &Meaning<'_>,
    steps: &Steps<'a>,
    all: &'a mut Vec<u8>,
) -> Result<Field<'a>, Unusable> {
    let call = meaning.call;
    let plane = Plane::of(&call.src).ok_or(Unusable::TooLarge)?;
    let dtype = call.table.dtype;
    let len = bytes(plane.elems, dtype.size())?;
    let total = plane.elems.saturating_mul(steps.count());
    let table = steps.table(&call.table)?;
    let table = &table[..table.len() - table.len() % dtype.size()];
    if u32::try_from(total).is_err() || u32::try_from(table.len()).is_err() {
        return Err(Unusable::TooLarge);
    }
    let rows = meaning.rows();
    let padded_cols = plane.elems / plane.padded_rows.max(1);
    // Of several sources no more than may be read, which of large tiles is little.
    let pitch = reached(&plane, padded_cols);
    let sources = if steps.count() == 1 {
        &steps.loaded(Role::Source, len)?[..len]
    } else {
        let used = pitch * dtype.size();
        all.clear();
        all.reserve(used * steps.count());
        for (i, step) in steps.each() {
            all.extend_from_slice(&body(step, i, Role::Source, len)?[..used]);
        }
        all
    };
    Ok(Field {
        dtype,
        table,
        sources,
        plane,
        padded_cols,
        steps: steps.count(),
        pitch,
        footprint: footprint(meaning, rows.as_ref()),
        rows,
    })
}

/// Elements of a source tile up to the last column of its last valid row.
fn reached(plane: &Plane, padded_cols: usize) -> usize {
    match (plane.rows.checked_sub(1), padded_cols.checked_sub(1)) {
        (Some(r), Some(c)) => plane.at(r, c) + 1,
        _ => 0,
    }
}

/// The lanes of a call, which write where their indices lead.
#[derive(Clone, Copy)]
struct Lanes<'a> {
    meaning: &'a Meaning<'a>,
    field: &'a Field<'a>,
    steps: &'a Steps<'a>,
}

impl Lanes<'_> {
    /// How many writes there may be, and below which slot.
    fn most(&self) -> (usize, usize) {
        let field = self.field;
        let width = match (&field.footprint, &field.rows) {
            (Footprint::Element, Some(rows)) => rows.burst(),
            (Footprint::Element, None) => field.plane.cols,
            (Footprint::Row { .. } | Footprint::NzRow { .. }, _) => 1,
        };
        let lanes = field.plane.rows.saturating_mul(width);
        let span = field.table.len() / field.dtype.size();
        (lanes.saturating_mul(field.steps), span)
    }
}

impl Filler<Result<Seen, Unusable>> for Lanes<'_> {
    fn fill(&self, sink: &mut impl Sink) -> Result<Seen, Unusable> {
        let (meaning, field) = (self.meaning, self.field);
        let idx = Plane::of(&meaning.call.idx).ok_or(Unusable::TooLarge)?;
        let height = field.plane.rows;
        let (mut seen, span) = (Seen::default(), field.span());
        for (i, step) in self.steps.each() {
            let index_bytes = body(step, i, Role::Index, idx.elems.saturating_mul(4))?;
            let indices = Indices::new(index_bytes, idx);
            match (&field.footprint, &field.rows) {
                (Footprint::NzRow { nz, .. }, _) => {
                    rows(meaning, height, &indices, &mut seen, |seen, r, number| {
                        if nz_inside(field, nz, number) {
                            sink.push(number as u32, field.source_row(i, r));
                        } else {
                            // Only negative numbers lead there; parts of such a
                            // row may still hit the table.
                            seen.unbound = Some(meaning.negative());
                        }
                    });
                }
                (_, Some(nd)) => {
                    let put = |seen: &mut Seen, r, number| match nd.standing(number, span) {
                        Standing::Inside(at) => nd_row(field, nd, sink, [i, r], [number, at]),
                        Standing::Outside => seen.outside = Some(meaning.negative()),
                        Standing::Precondition(clause) => seen.unbound = Some(clause),
                    };
                    rows(meaning, height, &indices, &mut seen, put);
                }
                (_, None) => elements(meaning, field, i, &indices, &mut seen, sink),
            }
        }
        Ok(seen)
    }
}

// On its own it has the registers for its loop.
#[inline(never)]
fn elements(
    meaning: &Meaning<'_>,
    field: &Field<'_>,
    step: usize,
    indices: &Indices<'_>,
    seen: &mut Seen,
    sink: &mut impl Sink,
) {
    let standing = meaning.elements();
    let span = field.span();
    let order = if meaning.in_storage_order() {
        Order::Physical
    } else {
        Order::Logical
    };
    // Most indices lead to the slot that they name.
    let plain_below = match standing {
        Elements::Flat => (meaning.remap.plain_below())
            .min(u32::try_from(span).unwrap_or(u32::MAX))
            .min(1 << 31),
        Elements::Nz(_) | Elements::Split(_) => 0,
    };
    let plane = &field.plane;
    let first = step * field.pitch;
    let planes = [plane, &indices.plane];
    each_line(order, [plane.rows, plane.cols], planes, |line| {
        for [from, at] in line {
            let (from, raw) = (first + from, indices.at(at));
            if raw < plain_below {
                sink.push(raw, from as u32);
            } else if let Some(slot) = element(meaning, &standing, span, seen, raw) {
                sink.push(slot, from as u32);
            }
        }
    });
}

/// The slot where `raw` leads in a table of `span` elements.
#[inline(never)]
fn element(
    meaning: &Meaning<'_>,
    standing: &Elements,
    span: i64,
    seen: &mut Seen,
    raw: u32,
) -> Option<u32> {
    seen.noticed.negative |= meaning.read_differently(raw);
    match meaning.place(raw) {
        Place::At { number, .. } => {
            let slot = standing.at(number);
            if (0..span).contains(&slot) {
                return Some(slot as u32);
            }
            seen.outside = Some(meaning.outside(number));
        }
        Place::Dropped => {}
        Place::Unbound => seen.unbound = Some(meaning.unbound()),
    }
    None
}

/// Follows the index of every row; `put` is told of rows with a number.
fn rows(
    meaning: &Meaning<'_>,
    rows: usize,
    indices: &Indices<'_>,
    seen: &mut Seen,
    mut put: impl FnMut(&mut Seen, usize, i64),
) {
    let disputed = meaning.disputed_capacity().unwrap_or(i64::MAX);
    // Most indices are the number that they lead to, of which nothing is noticed.
    let plain_below = i64::from(meaning.remap.plain_below().min(1 << 31)).min(disputed);
    for r in 0..rows {
        let raw = indices.row(r);
        let number = if i64::from(raw) < plain_below {
            Some(raw.into())
        } else {
            row(meaning, disputed, seen, raw)
        };
        if let Some(number) = number {
            put(seen, r, number);
        }
    }
}

/// The number of the row where `raw` leads.
#[inline(never)]
fn row(meaning: &Meaning<'_>, disputed: i64, seen: &mut Seen, raw: u32) -> Option<i64> {
    seen.noticed.negative |= meaning.read_differently(raw);
    seen.noticed.disputed |= meaning.value(raw) >= disputed;
    match meaning.place(raw) {
        Place::At { number, .. } => return Some(number),
        Place::Dropped => {}
        Place::Unbound => seen.unbound = Some(meaning.unbound()),
    }
    None
}

/// Row `r` of `step` goes to row `number` of an ND table, which begins `at`.
fn nd_row(
    field: &Field<'_>,
    rows: &Rows,
    sink: &mut impl Sink,
    [step, r]: [usize; 2],
    [number, at]: [i64; 2],
) {
    if !matches!(field.footprint, Footprint::Element) {
        return sink.push(number as u32, field.source_row(step, r));
    }
    let from = step * field.pitch;
    for c in 0..rows.burst() {
        let from = from + field.plane.at(r, c);
        sink.push((at as usize + c) as u32, from as u32);
    }
}

/// Whether all slots of row `number` of an NZ table are in the table.
fn nz_inside(field: &Field<'_>, nz: &NzTable, number: i64) -> bool {
    let blocks = saturated(field.padded_cols as u64) / nz.block;
    let last = field.span().saturating_sub(nz.block);
    number >= 0 && (0..blocks).all(|b| nz.block_at(number, b) <= last)
}
