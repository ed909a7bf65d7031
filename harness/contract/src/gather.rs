//! What may stand in the destination after MGATHER.

use ptodiff_isa::{
    Clause, Coalesce, CpuPaddedTable, GatherOob, Mgather, NegativeIndex, Readings, Role, Target,
};

use crate::{
    address::{Elements, Rows, repitched, strided},
    coord::{NzTable, Plane},
    idle::idle,
    lines::{Order, each_line},
    operands::{Steps, bytes},
    piece::{Elementwise, Source, Words},
    promise::{Unusable, Written},
    runs::{RUNS, Runs, Stretch, Why},
    selection::{Indices, Remap, capacity, disputed_capacity, gather_capacity_clause},
};

mod nd;
mod nz;
mod padding;

use padding::Padding;

/// The index rules of `call` on `target`.
pub(crate) fn remap(call: &Mgather, target: Target, readings: &Readings) -> Remap {
    let capacity = capacity(&call.table, call.mode, target);
    Remap::new(call.oob.into(), capacity, call.idx.dtype, target, readings)
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
    fn new(call: &Mgather, steps: &Steps<'a>) -> Result<Self, Unusable> {
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

fn words(call: &Mgather, target: Target, readings: &Readings) -> Words {
    let row = call.mode == Coalesce::Row;
    let negative = (readings.negative_index != NegativeIndex::Unsigned).then_some(Clause(
        if target == Target::Cpu {
            "MGATHER-OOB-10"
        } else {
            "MGATHER-GAP-02"
        },
    ));
    Words {
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
    }
}

/// An index at or above capacity that no policy takes care of.
pub(crate) const fn unbound(target: Target) -> Why {
    Why::open(Clause(match target {
        Target::Cpu => "MGATHER-OOB-03",
        Target::A2a3 | Target::A5 => "MGATHER-OOB-02",
    }))
}

/// Fills `runs` for the destination; where it is not that of the `last` step,
/// only as far as needed to say the rest.
pub(crate) fn permits(
    call: &Mgather,
    steps: &Steps<'_>,
    target: Target,
    readings: &Readings,
    runs: &mut Runs,
    last: bool,
) -> Result<Written, Unusable> {
    if idles(call, target, readings) {
        return Ok(Written::default());
    }
    let operands = Operands::new(call, steps)?;
    let source = Source {
        table: operands.table,
        remap: remap(call, target, readings),
        words: words(call, target, readings),
        disputed: disputed(call, target, readings),
    };
    let size = call.dst.dtype.size();
    if !last && serves_all(call, &operands, &source, target, readings) {
        return Ok(Written {
            placed: true,
            ..Written::default()
        });
    }
    runs.reserve(RUNS, operands.plane.elems * size);
    let padding = Padding::of(call, target, readings);
    let oob_accesses = match (NzTable::of(&call.table), rows(call, target, readings)) {
        (_, Some(rows)) => nd::rows(runs, &operands, &source, size, &rows, &padding),
        (Some(nz), _) if call.mode == Coalesce::Row => {
            nz::rows(runs, &operands, &source, size, &nz, &padding)
        }
        _ => {
            let standing = Elements::of(&call.table, target, readings);
            let oob_accesses = match size {
                1 => elements::<1>(runs, &operands, &source, &standing),
                2 => elements::<2>(runs, &operands, &source, &standing),
                4 => elements::<4>(runs, &operands, &source, &standing),
                _ => elements::<8>(runs, &operands, &source, &standing),
            };
            padding.around(runs, &operands.plane, size);
            oob_accesses
        }
    };
    Ok(Written {
        oob_accesses,
        placed: oob_accesses.is_none(),
        ..Written::default()
    })
}

/// Whether something is promised of every lane, which lanes of NZ rows are not
/// asked.
fn serves_all(
    call: &Mgather,
    operands: &Operands<'_>,
    source: &Source<'_>,
    target: Target,
    readings: &Readings,
) -> bool {
    let size = call.dst.dtype.size();
    let extents = [operands.plane.rows, operands.plane.cols];
    if call.mode == Coalesce::Row {
        return rows(call, target, readings).is_some_and(|rows| {
            let start = |number| rows.at(number).saturating_mul(size as i64);
            source.serves_rows(&operands.indices, extents[0], extents[1] * size, start)
        });
    }
    let standing = Elements::of(&call.table, target, readings);
    let flat = matches!(standing, Elements::Flat);
    source.serves_elements(&operands.indices, extents, size, flat, |n| standing.at(n))
}

/// The valid region after an Elem gather; the clause of a lane of which nothing
/// is promised, if there is one.
fn elements<const SIZE: usize>(
    runs: &mut Runs,
    operands: &Operands<'_>,
    source: &Source<'_>,
    standing: &Elements,
) -> Option<Clause> {
    let flat = matches!(standing, Elements::Flat);
    let table = Elementwise::<_, SIZE>::new(source, flat, |number| standing.at(number));
    let Operands { plane, indices, .. } = operands;
    let mut stretch = Stretch::new(runs, |kind| source.told(kind));
    let planes = [plane, &indices.plane];
    each_line(Order::Physical, [plane.rows, plane.cols], planes, |line| {
        let mut raw = indices.along(line.at[1], line.step[1]);
        let to = [line.at[0], line.step[0], line.len];
        stretch.slots(to, || table.element(raw()));
    });
    stretch.finish()
}
