//! What may stand in the table after MSCATTER.

use ptodiff_isa::{Clause, Coalesce, Role, ScatterAtomicOp};

use crate::{
    accumulate::accumulate,
    address::{Elements, RowPlace, Rows},
    arithmetic::Arithmetic,
    combine::Combine,
    coord::{NzTable, Plane, all},
    meaning::{Meaning, Noticed, survival},
    operands::Steps,
    replace::replace,
    runs::Runs,
    scatter_operands::{Footprint, ScatterOperands},
    selection::{Indices, Place, disputed_capacity},
    writers::{Write, Writers},
    written::{Said, Written},
};

/// Where the lanes of a scatter go.
struct Addressing<'a> {
    meaning: &'a Meaning<'a>,
    footprint: Footprint,
    /// The source tile.
    plane: Plane,
    /// The rows that are moved, unless elements or blocks are.
    rows: Option<Rows>,
    elements: Elements,
    /// The smaller one of two Row capacities that targets have for this table.
    disputed: Option<i64>,
    /// Elements of the table.
    span: i64,
}

/// Fills `runs` for the table.
pub(crate) fn permits(meaning: &Meaning<'_>, steps: &Steps<'_>, runs: &mut Runs) -> Said {
    if meaning.idle() {
        return Some(Written::default());
    }
    let call = &meaning.call;
    let plane = Plane::of(&call.src)?;
    let (dtype, size) = (call.table.dtype, call.table.dtype.size());
    let source_len = plane.elems.checked_mul(size)?;
    let table = steps.table(&call.table)?;
    let len = table.len() - table.len() % size;
    if u32::try_from(plane.elems.saturating_mul(steps.count())).is_err() {
        return None;
    }
    let sources = (0..steps.count()).map(|step| steps.body(step, Role::Source, source_len));
    let operands = ScatterOperands {
        dtype,
        table: &table[..len],
        sources: sources.collect::<Option<_>>()?,
        plane,
        footprint: footprint(meaning),
    };
    let (writes, seen) = writes(meaning, len / size, steps)?;
    if let Some(clause) = seen.unbound {
        return Some(Written::nothing_promised(runs, len, clause));
    }
    let writers = Writers::of(writes);
    if meaning.atomic == ScatterAtomicOp::None {
        let survival = survival(meaning, &seen, steps.count());
        replace(runs, &operands, &writers, &survival);
    } else {
        let combine = Combine::of(meaning.atomic, dtype)?;
        let how = Arithmetic::of(meaning, &seen);
        accumulate(runs, &operands, &writers, combine, &how);
    }
    Some(Written {
        guards_free: seen.outside,
        oob_accesses: seen.outside,
        untouched: seen.dropped,
        ..Written::default()
    })
}

/// What a write covers.
pub(crate) fn footprint(meaning: &Meaning<'_>) -> Footprint {
    match NzTable::of(&meaning.call.table) {
        Some(nz) if meaning.mode == Coalesce::Row => Footprint::NzRow {
            nz,
            columns: meaning.readings.nz_row_columns,
        },
        // Rows that may share slots are taken element by element.
        _ => match meaning.rows().and_then(|rows| rows.pitch()) {
            Some(pitch) => Footprint::Row { pitch },
            None => Footprint::Element,
        },
    }
}

/// The writes of all steps to a table of so many elements, in the order in which they
/// take effect, and what is noticed of their indices.
pub(crate) fn writes(
    meaning: &Meaning<'_>,
    elements: usize,
    steps: &Steps<'_>,
) -> Option<(Vec<Write>, Noticed)> {
    let plane = Plane::of(&meaning.call.src)?;
    let addressing = Addressing {
        meaning,
        footprint: footprint(meaning),
        plane,
        rows: meaning.rows(),
        elements: Elements::of(&meaning.call.table, meaning.target, meaning.readings),
        disputed: disputed_capacity(&meaning.call.table, meaning.call.mode)
            .filter(|_| !meaning.first),
        span: elements as i64,
    };
    let idx = Plane::of(&meaning.call.idx)?;
    let mut writes = Vec::new();
    let mut seen = Noticed::default();
    for step in 0..steps.count() {
        let needed = idx.elems.saturating_mul(4);
        let indices = Indices::new(steps.body(step, Role::Index, needed)?, idx);
        let mut push = |to: i64, r: usize, c: usize, by| {
            writes.push(Write {
                to: to as u64,
                step: step as u32,
                r: r as u32,
                c: c as u32,
                by,
            });
        };
        if meaning.mode == Coalesce::Row {
            for r in 0..plane.rows {
                let put = |to, c, by| push(to, r, c, by);
                addressing.row(indices.row(r), &mut seen, put);
            }
            continue;
        }
        let mut element = |r, c| {
            if let Some((to, by)) = addressing.element(indices.elem(r, c), &mut seen) {
                push(to, r, c, by);
            }
        };
        if meaning.in_storage_order() {
            plane.each_stored(|r, c, _| element(r, c));
        } else {
            all([plane.rows, plane.cols]).for_each(|(r, c)| element(r, c));
        }
    }
    Some((writes, seen))
}

impl Addressing<'_> {
    /// The number of the row or element where an index leads, and what brings it there.
    fn number(&self, raw: u32, seen: &mut Noticed) -> Option<(i64, Option<Clause>)> {
        let meaning = self.meaning;
        seen.negative |= meaning.remap.negative(raw);
        let value = meaning.remap.value(raw);
        seen.disputed |= self.disputed.is_some_and(|smaller| value >= smaller);
        match meaning.remap.place(raw) {
            Place::At { number, moved } => return Some((number, meaning.brought(raw, moved))),
            Place::Dropped => seen.dropped = seen.dropped.or(meaning.brought(raw, true)),
            Place::Unbound => seen.unbound = Some(meaning.unbound(raw)),
        }
        None
    }

    /// The slot where the index of an element leads, and what brings it there.
    fn element(&self, raw: u32, seen: &mut Noticed) -> Option<(i64, Option<Clause>)> {
        let (number, by) = self.number(raw, seen)?;
        let slot = self.elements.at(number);
        if (0..self.span).contains(&slot) {
            return Some((slot, by));
        }
        seen.outside = Some(self.meaning.outside(number));
        None
    }

    /// Follows the index of a row; `put` is told of what it writes: to where, from which
    /// column on, and what brings it there.
    fn row(&self, raw: u32, seen: &mut Noticed, mut put: impl FnMut(i64, usize, Option<Clause>)) {
        let Some((number, by)) = self.number(raw, seen) else {
            return;
        };
        let meaning = self.meaning;
        match (&self.footprint, &self.rows) {
            (Footprint::NzRow { nz, .. }, _) => {
                if self.holds(nz, number) {
                    put(number, 0, by);
                } else {
                    // Only negative numbers lead there; parts of such a
                    // row may still hit the table.
                    seen.unbound = Some(meaning.negative());
                }
            }
            (footprint, Some(rows)) => match (rows.place(number, self.span), footprint) {
                (RowPlace::Inside(at), Footprint::Element) => {
                    (0..rows.burst()).for_each(|c| put(at + c as i64, c, by));
                }
                (RowPlace::Inside(_), _) => put(number, 0, by),
                (RowPlace::Outside, _) => seen.outside = Some(meaning.negative()),
                (RowPlace::Astride, _) => seen.unbound = Some(meaning.negative()),
                (RowPlace::Beyond(clause), _) => seen.unbound = Some(clause),
            },
            (_, None) => {}
        }
    }

    /// Whether all slots of row `number` of an NZ table are in the table.
    fn holds(&self, nz: &NzTable, number: i64) -> bool {
        let blocks = self.plane.padded_cols() as i64 / nz.block;
        let last = self.span.saturating_sub(nz.block);
        number >= 0 && (0..blocks).all(|b| nz.block_at(number, b) <= last)
    }
}
