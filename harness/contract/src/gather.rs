//! What may stand in the destination after MGATHER.

use std::cell::Cell;

use ptodiff_isa::{
    Clause, Coalesce, CpuPaddedTable, GatherOob, Mgather, NegativeIndex, Readings, Role, Target,
};

use crate::{
    address::{Elements, Rows, repitched, strided},
    coord::{NzTable, Plane},
    launch::idle,
    operands::Steps,
    piece::{Clauses, Source},
    runs::{Runs, Why},
    selection::{Indices, Remap, as_of_a_scatter, capacity, disputed_capacity},
    written::{Said, Written},
};

mod padding;
mod rows;

use padding::Padding;

/// The index rules of `call` on `target`.
pub(crate) fn remap(call: &Mgather, target: Target, readings: &Readings) -> Remap {
    let (mode, oob) = (call.mode, as_of_a_scatter(call.oob));
    let capacity = capacity(&call.table, mode, target);
    let remap = Remap::new(oob, capacity, call.idx.dtype, negatives(target, readings));
    remap.counting(mode, call.table.dtype, readings)
}

/// What negative indices become: the CPU casts to `uint32_t` whatever the reading
/// (MGATHER-OOB-10).
pub(crate) const fn negatives(target: Target, readings: &Readings) -> NegativeIndex {
    match target {
        Target::Cpu => NegativeIndex::Unsigned,
        Target::A2a3 | Target::A5 => readings.negative_index,
    }
}

/// Whether there is nothing to do, whatever the indices.
pub(crate) fn idles(call: &Mgather, target: Target, readings: &Readings) -> bool {
    target != Target::Cpu && idle(&call.dst, readings)
}

/// The rows that a Row call moves, unless the table is NZ.
pub(crate) fn rows(call: &Mgather, target: Target, readings: &Readings) -> Option<Rows> {
    let (table, cols) = (&call.table, call.dst.valid_col.get());
    if call.mode == Coalesce::Elem || NzTable::of(table).is_some() {
        return None;
    }
    Some(match (target, readings.cpu_padded_table) {
        (Target::A2a3, _) => Rows::a2a3(table, cols, readings, Clause("MGATHER-GAP-06")),
        (Target::A5, _) => Rows::a5(cols, readings, PITCH),
        (Target::Cpu, CpuPaddedTable::Precondition) => Rows::apart(table.shape[4].get(), cols),
        (Target::Cpu, CpuPaddedTable::Strided) => Rows::apart(table.stride[3].get(), cols),
    })
}

/// Elements of a table whose strides are not those of its shape.
pub(crate) const PADDED: Clause = Clause("MGATHER-GAP-07");

/// Whether an index counts bytes, of which an element has several.
pub(crate) const UNIT: Clause = Clause("MGATHER-GAP-76");

/// Rows of A5 that are not ValidCol apart, or not as wide.
const PITCH: Clause = Clause("MGATHER-GAP-09");

/// From which index on `target` delivers something else than others do, and by
/// which clause.
fn disputed(call: &Mgather, target: Target, readings: &Readings) -> Option<(i64, Clause)> {
    let table = &call.table;
    match call.mode {
        Coalesce::Elem if target == Target::A2a3 && strided(table, readings) => Some((0, PADDED)),
        // All have row 0 in one place.
        Coalesce::Row if target == Target::A5 && repitched(table, &call.dst, readings) => {
            Some((1, PITCH))
        }
        mode => disputed_capacity(table, mode).map(|smaller| {
            let clause = match target {
                Target::A2a3 => "MGATHER-CAP-02",
                Target::A5 => "MGATHER-CAP-03",
                Target::Cpu => "MGATHER-CAP-01",
            };
            (smaller, Clause(clause))
        }),
    }
}

/// What a gather delivers, and where to.
struct Delivery<'a> {
    source: Source<'a>,
    indices: Indices<'a>,
    /// The destination before.
    held: &'a [u8],
    plane: Plane,
    padding: Padding,
}

/// A clause of its own for each mode.
pub(crate) const fn by_mode(mode: Coalesce, row: &'static str, elem: &'static str) -> Why {
    Why::by(match mode {
        Coalesce::Row => row,
        Coalesce::Elem => elem,
    })
}

/// The clauses of a gather in this mode and by this policy, the table of which has all
/// that is below capacity but for elements that stand further apart than the shape says.
pub(crate) fn clauses(
    mode: Coalesce,
    oob: GatherOob,
    target: Target,
    readings: &Readings,
) -> Clauses {
    let signed = match target {
        Target::Cpu => "MGATHER-OOB-10",
        Target::A2a3 | Target::A5 => "MGATHER-GAP-02",
    };
    Clauses {
        plain: by_mode(mode, "MGATHER-SEM-01", "MGATHER-SEM-02"),
        moved: Why::by(match oob {
            GatherOob::Clamp => "MGATHER-OOB-04",
            _ => "MGATHER-OOB-05",
        }),
        zero: by_mode(mode, "MGATHER-OOB-06", "MGATHER-OOB-07"),
        unbound: unbound(target),
        beyond: (mode == Coalesce::Elem).then_some(PADDED),
        negative: negative(readings, signed),
        unit: UNIT,
    }
}

/// What is made of a negative index, in which targets may differ but for one reading.
pub(crate) fn negative(readings: &Readings, clause: &'static str) -> Why {
    match readings.negative_index {
        NegativeIndex::Unsigned => Why::by(clause),
        NegativeIndex::Signed | NegativeIndex::Intended => Why::open(Clause(clause)),
    }
}

/// An index at or above capacity that no policy takes care of.
pub(crate) const fn unbound(target: Target) -> Why {
    Why::open(Clause(match target {
        Target::Cpu => "MGATHER-OOB-03",
        Target::A2a3 | Target::A5 => "MGATHER-OOB-02",
    }))
}

/// Fills `runs` for the destination.
pub(crate) fn permits(call: &Mgather, steps: &Steps<'_>, runs: &mut Runs) -> Said {
    let (target, readings) = (steps.target, steps.readings);
    if idles(call, target, readings) {
        return Some(Written::default());
    }
    let plane = Plane::of(&call.dst)?;
    let idx = Plane::of(&call.idx)?;
    let size = call.dst.dtype.size();
    let index_bytes = steps.loaded(Role::Index, idx.elems.checked_mul(4)?)?;
    let rows = rows(call, target, readings);
    let clauses = clauses(call.mode, call.oob, target, readings);
    let delivery = Delivery {
        source: Source {
            table: steps.table(&call.table)?,
            remap: remap(call, target, readings),
            clauses: Clauses {
                beyond: rows.map_or(clauses.beyond, |rows| rows.beyond),
                ..clauses
            },
            disputed: disputed(call, target, readings),
            size,
            excused: Cell::default(),
        },
        indices: Indices::new(index_bytes, idx),
        held: steps.loaded(Role::Destination, plane.elems.checked_mul(size)?)?,
        plane,
        padding: Padding::of(call, target, readings),
    };
    let extents = [plane.rows, plane.cols];
    let remap = &delivery.source.remap;
    if delivery.indices.has_remainder(extents, remap) {
        return Some(Written::broken(UNIT));
    }
    match (NzTable::of(&call.table), rows) {
        (_, Some(rows)) => delivery.nd_rows(runs, &rows),
        (Some(nz), _) if call.mode == Coalesce::Row => delivery.nz_rows(runs, &nz),
        _ => delivery.elements(runs, &Elements::of(&call.table, target, readings)),
    }
    Some(Written {
        oob_accesses: delivery.source.excused.get(),
        ..Written::default()
    })
}

// Each says what the destination holds.
impl Delivery<'_> {
    /// After an Elem gather.
    fn elements(&self, runs: &mut Runs, addresses: &Elements) {
        let size = self.source.size;
        self.plane.each_stored(|r, c, at| {
            let start = |number| addresses.at(number);
            let piece = self.source.piece(self.indices.elem(r, c), size, start);
            piece.put(runs, at * size, size);
        });
        self.padding.around(runs, &self.plane, size);
    }
}
