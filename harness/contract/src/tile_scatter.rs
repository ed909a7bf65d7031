//! What may stand in the destination after TSCATTER by index.

use ptodiff_isa::{
    Clause, NegativeIndex, Readings, Role, ScatterExtent, ScatterIndex, ScatterRange, Target, Tile,
    TscatterIndex, Unaddressed,
};

use crate::{
    coord::{Plane, all},
    operands::{Steps, number},
    piece::Piece,
    replace::{Survival, replace},
    runs::{Runs, Why},
    scatter_operands::{Footprint, ScatterOperands},
    writers::{Write, Writers},
    written::{Said, Written},
};

/// The tile over whose valid region the call runs (TSCATTER-SEM-02, TSCATTER-GAP-03).
pub(crate) const fn region<'a>(call: &'a TscatterIndex, readings: &Readings) -> &'a Tile {
    match readings.tscatter_extent {
        ScatterExtent::Source => &call.src,
        ScatterExtent::Index => &call.idx,
    }
}

/// From the positions of a call to slots of its destination.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slots {
    /// The positions that are read.
    extents: [usize; 2],
    /// Where their indices stand.
    idx: Plane,
    /// Bytes of an index.
    width: usize,
    /// The bit that makes an index negative by its type.
    sign: u64,
    /// Whether that puts it out of range.
    signed: bool,
    dst: Plane,
    valid_only: bool,
    /// Whether an index names a row (TSCATTER-GAP-22).
    pub(crate) by_row: bool,
    /// Why an index that addresses no slot takes every promise away.
    unbound: Clause,
}

impl Slots {
    /// Of `call` on `target`; `None` if a tile is larger than memory can be.
    pub(crate) fn of(call: &TscatterIndex, target: Target, readings: &Readings) -> Option<Self> {
        let idx = Plane::of(&call.idx)?;
        let region = Plane::of(region(call, readings))?;
        let width = call.idx.dtype.size();
        let negatives = call.idx.dtype.is_signed_integer();
        Some(Self {
            extents: [region.rows, region.cols],
            idx,
            width,
            sign: u64::from(negatives) << (8 * width - 1),
            signed: negatives && readings.tscatter_negative_index != NegativeIndex::Unsigned,
            dst: Plane::of(&call.dst)?,
            valid_only: readings.tscatter_range == ScatterRange::Valid,
            by_row: readings.tscatter_index == ScatterIndex::Row,
            unbound: Clause(match target {
                Target::Cpu => "TSCATTER-GAP-08",
                Target::A2a3 | Target::A5 => "TSCATTER-OOB-01",
            }),
        })
    }

    /// Whether `held` bytes of indices hold one for each position.
    pub(crate) fn covered(&self, held: usize) -> bool {
        self.idx.elems <= held / self.width && self.idx.covers(self.extents)
    }

    /// The index of position (r, c), less than 0 where its sign counts.
    fn index(&self, indices: &[u8], r: usize, c: usize) -> i128 {
        let at = self.idx.at(r, c) * self.width;
        let raw = indices.get(at..at + self.width).map_or(0, number);
        let below = if self.signed { raw & self.sign } else { 0 };
        i128::from(raw) - (i128::from(below) << 1)
    }

    /// The slot that the index of an element of column `c` addresses, else the clause by
    /// which nothing is promised.
    fn slot(&self, index: i128, c: usize) -> Result<usize, Clause> {
        let flat = self.flat(index);
        if !self.by_row {
            return flat.ok_or(self.unbound);
        }
        let clause = if flat.is_some() { ROWS } else { self.unbound };
        self.in_row(index, c).ok_or(clause)
    }

    /// What brings an index to a slot whose number it does not stand for as it is.
    fn brought(&self, index: i128, slot: usize) -> Option<Clause> {
        let negative = index & i128::from(self.sign) != 0;
        match self.flat(index) == Some(slot) {
            true => negative.then_some(NEGATIVE),
            false => Some(ROWS),
        }
    }

    /// The slot with the number `index` (TSCATTER-SEM-01, TSCATTER-GAP-05).
    fn flat(&self, index: i128) -> Option<usize> {
        let slot = usize::try_from(index).ok()?;
        let inside = slot < self.dst.elems && (!self.valid_only || self.dst.holds(slot));
        inside.then_some(slot)
    }

    /// The slot in column `c` of row `index` (TSCATTER-GAP-22).
    fn in_row(&self, index: i128, c: usize) -> Option<usize> {
        let (r, dst) = (usize::try_from(index).ok()?, &self.dst);
        let stored = r < dst.padded_rows && c < dst.padded_cols();
        let inside = stored && (!self.valid_only || (r < dst.rows && c < dst.cols));
        inside.then(|| dst.at(r, c))
    }

    /// Every position in row-major order, its index, and the slot that it addresses, or
    /// why it takes every promise away.
    pub(crate) fn each<'a>(
        &'a self,
        indices: &'a [u8],
    ) -> impl Iterator<Item = ([usize; 2], i128, Result<usize, Clause>)> {
        all(self.extents).map(move |(r, c)| {
            let index = self.index(indices, r, c);
            ([r, c], index, self.slot(index, c))
        })
    }
}

/// What a negative index is.
const NEGATIVE: Clause = Clause("TSCATTER-GAP-06");

/// Whether indices name rows, each slot once, of a destination that has rows.
pub(crate) const ROWS: Clause = Clause("TSCATTER-GAP-22");

/// Fills `runs` for the destination.
pub(crate) fn permits(call: &TscatterIndex, steps: &Steps<'_>, runs: &mut Runs) -> Said {
    let (target, readings) = (steps.target, steps.readings);
    let slots = Slots::of(call, target, readings)?;
    let src = Plane::of(&call.src)?;
    let size = call.dst.dtype.size();
    let len = slots.dst.elems.checked_mul(size)?;
    if u32::try_from(len).is_err() || u32::try_from(src.elems).is_err() {
        return None;
    }
    let destination = steps.loaded(Role::Destination, len)?;
    let source = steps.loaded(Role::Source, src.elems.checked_mul(size)?)?;
    let indices = steps.loaded(Role::Index, slots.idx.elems.checked_mul(slots.width)?)?;
    let mut writes = Vec::new();
    for ([r, c], index, slot) in slots.each(indices) {
        let slot = match slot {
            Ok(slot) => slot,
            Err(clause) => return Some(Written::nothing_promised(runs, len, clause)),
        };
        writes.push(Write {
            to: slot as u64,
            step: 0,
            r: r as u32,
            c: c as u32,
            by: slots.brought(index, slot),
        });
    }
    let writers = Writers::of(writes);
    if slots.by_row && writers.by_slot().any(|writes| writes.len() > 1) {
        return Some(Written::nothing_promised(runs, len, ROWS));
    }
    let operands = ScatterOperands {
        dtype: call.dst.dtype,
        table: &destination[..len],
        sources: vec![source],
        plane: src,
        footprint: Footprint::Element,
    };
    replace(runs, &operands, &writers, &survival(target));
    unaddressed(runs, &writers, slots.dst.elems, size, readings);
    Some(Written::default())
}

/// Who survives: on the NPUs any writer, on the CPU the last one.
fn survival(target: Target) -> Survival {
    let any = target != Target::Cpu;
    Survival {
        any,
        other: None,
        single: Why::by("TSCATTER-SEM-01"),
        contested: if any {
            Why::open(Clause("TSCATTER-CONF-02"))
        } else {
            Why::by("TSCATTER-CONF-03").or(Some(Clause("TSCATTER-CONF-01")))
        },
    }
}

/// The slots that no index addresses (TSCATTER-GAP-02).
fn unaddressed(runs: &mut Runs, writers: &Writers, slots: usize, size: usize, readings: &Readings) {
    let clause = "TSCATTER-GAP-02";
    let piece = match readings.tscatter_unaddressed {
        Unaddressed::Kept => return,
        Unaddressed::Zero => Piece::Zero(Why::by(clause)),
        Unaddressed::Undefined => Piece::Open(Why::open(Clause(clause))),
    };
    let mut gap = |from, to| piece.put(runs, from * size, (to - from) * size);
    let mut next = 0;
    for write in writers.by_slot().filter_map(<[Write]>::first) {
        gap(next, write.to as usize);
        next = write.to as usize + 1;
    }
    gap(next, slots);
}
