//! What may stand in the destination after MGATHER.

use ptodiff_isa::{
    Clause, Coalesce, CpuPaddedTable, GatherOob, Mgather, NegativeIndex, Readings, Role, Target,
};

use crate::{
    address::{Elements, Rows, repitched, strided},
    coord::{NzTable, Plane},
    idle::idle,
    operands::{StepOperands, Unusable, bytes},
    piece::{Clauses, Source},
    runs::{Runs, SlotRuns, Why, append},
    selection::{Indices, Remap, capacity, disputed_capacity, gather_capacity_clause},
    written::Written,
};

mod nd;
mod nz;
mod padding;

use padding::Padding;

/// The index rules of `call` on `target`.
pub(crate) fn remap(call: &Mgather, target: Target, readings: &Readings) -> Remap {
    let capacity = capacity(&call.table, call.mode, target);
    Remap::new(call.oob.into(), capacity, call.idx.dtype, target, readings).counting(
        call.mode,
        call.table.dtype,
        readings,
    )
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
        mode => {
            disputed_capacity(table, mode).map(|smaller| (smaller, gather_capacity_clause(target)))
        }
    }
}

/// The gap by which a number below capacity may lead past the table's end.
fn beyond(call: &Mgather, target: Target, readings: &Readings) -> Option<Clause> {
    match call.mode {
        Coalesce::Row => rows(call, target, readings).and_then(|rows| rows.beyond()),
        Coalesce::Elem => Some(PADDED),
    }
}

/// The bytes a gather works on.
#[derive(Clone, Copy)]
struct Operands<'a> {
    table: &'a [u8],
    destination: &'a [u8],
    indices: Indices<'a>,
    plane: Plane,
}

impl<'a> Operands<'a> {
    fn new(call: &Mgather, steps: &StepOperands<'a>) -> Result<Self, Unusable> {
        let plane = Plane::of(&call.dst).ok_or(Unusable::TooLarge)?;
        let idx = Plane::of(&call.idx).ok_or(Unusable::TooLarge)?;
        let needed = bytes(plane.elems, call.dst.dtype.size())?;
        let index_bytes = steps.loaded(Role::Index, bytes(idx.elems, 4)?)?;
        Ok(Self {
            table: steps.table(&call.table)?,
            destination: steps.loaded(Role::Destination, needed)?,
            indices: Indices::new(index_bytes, idx),
            plane,
        })
    }
}

fn clauses(call: &Mgather, target: Target, readings: &Readings) -> Clauses {
    let row = call.mode == Coalesce::Row;
    let negative = (readings.negative_index != NegativeIndex::Unsigned).then_some(Clause(
        if target == Target::Cpu {
            "MGATHER-OOB-10"
        } else {
            "MGATHER-GAP-02"
        },
    ));
    Clauses {
        plain: Why::by(if row {
            "MGATHER-SEM-01"
        } else {
            "MGATHER-SEM-02"
        }),
        moved: Why::by(if call.oob == GatherOob::Clamp {
            "MGATHER-OOB-04"
        } else {
            "MGATHER-OOB-05"
        }),
        zero: Why::by(if row {
            "MGATHER-OOB-06"
        } else {
            "MGATHER-OOB-07"
        }),
        unbound: unbound(target),
        outside: Why::open(Clause("MGATHER-GAP-02")),
        beyond: beyond(call, target, readings),
        negative,
        unit: UNIT,
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
pub(crate) fn permits(
    call: &Mgather,
    steps: &StepOperands<'_>,
    target: Target,
    readings: &Readings,
    runs: &mut Runs,
) -> Result<Written, Unusable> {
    if idles(call, target, readings) {
        return Ok(Written::default());
    }
    let operands = Operands::new(call, steps)?;
    let source = Source {
        table: operands.table,
        remap: remap(call, target, readings),
        clauses: clauses(call, target, readings),
        disputed: disputed(call, target, readings),
    };
    let plane = &operands.plane;
    if operands
        .indices
        .has_remainder([plane.rows, plane.cols], &source.remap)
    {
        return Ok(Written::broken(UNIT));
    }
    let size = call.dst.dtype.size();
    let padding = Padding::of(call, target, readings);
    let oob_accesses = match (NzTable::of(&call.table), rows(call, target, readings)) {
        (_, Some(rows)) => nd::rows(runs, &operands, &source, size, &rows, &padding),
        (Some(nz), _) if call.mode == Coalesce::Row => {
            nz::rows(runs, &operands, &source, size, &nz, &padding)
        }
        _ => {
            let addresses = Elements::of(&call.table, target, readings);
            let oob_accesses = elements(runs, &operands, &source, size, &addresses);
            padding.around(runs, &operands.plane, size);
            oob_accesses
        }
    };
    Ok(Written {
        oob_accesses,
        ..Written::default()
    })
}

/// The valid region after an Elem gather; the clause of a lane of which nothing
/// is promised, if there is one.
fn elements(
    runs: &mut Runs,
    operands: &Operands<'_>,
    source: &Source<'_>,
    size: usize,
    addresses: &Elements,
) -> Option<Clause> {
    let Operands { plane, indices, .. } = operands;
    let mut slots = SlotRuns::new(runs, |kind| source.promised(kind));
    plane.each_stored(|r, c, at| {
        let start = |number| addresses.at(number).saturating_mul(size as i64);
        let (kind, bytes) = source.element(indices.elem(r, c), size, start);
        slots.put(at * size, size, kind, |pool| {
            append(pool, bytes.unwrap_or_default());
        });
    });
    slots.finish()
}
