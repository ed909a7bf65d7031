//! What may stand in the destination after TSCATTER by index.

use ptodiff_isa::{
    Clause, NegativeIndex, Readings, Role, ScatterExtent, ScatterRange, Target, Tile,
    TscatterIndex, Unaddressed,
};

use crate::{
    coord::Plane,
    desk::Desk,
    lines::{Order, each_line},
    operands::{Steps, bytes},
    promise::{Unusable, Written},
    replace::{Survival, replace},
    runs::{Runs, Why},
    scatter::Field,
    writers::{Filler, Sink, Writers},
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
    pub(crate) extents: [usize; 2],
    /// Where their indices stand.
    pub(crate) idx: Plane,
    /// Bytes of an index.
    width: usize,
    /// The bit that makes an index negative, where that puts it out of range.
    sign: u64,
    dst: Plane,
    valid_only: bool,
}

impl Slots {
    /// Of `call` on `target`; `None` if a tile is larger than memory can be.
    pub(crate) fn of(call: &TscatterIndex, target: Target, readings: &Readings) -> Option<Self> {
        let idx = Plane::of(&call.idx)?;
        let region = Plane::of(region(call, readings))?;
        let width = call.idx.dtype.size();
        // TSCATTER-GAP-06: the CPU converts whatever the reading.
        let signed = call.idx.dtype.is_signed_integer()
            && target != Target::Cpu
            && readings.negative_index != NegativeIndex::Unsigned;
        Some(Self {
            extents: [region.rows, region.cols],
            idx,
            width,
            sign: u64::from(signed) << (8 * width - 1),
            dst: Plane::of(&call.dst)?,
            valid_only: readings.tscatter_range == ScatterRange::Valid,
        })
    }

    /// Whether `held` bytes of indices hold one for each position.
    pub(crate) fn covered(&self, held: usize) -> bool {
        let [rows, cols] = self.extents;
        let positions = rows.checked_mul(cols).map(|n| n.max(rows));
        self.idx.elems <= held / self.width && positions.is_some_and(|n| n <= self.idx.elems)
    }

    /// The index of position (r, c), its bytes taken for an unsigned number.
    pub(crate) fn index(&self, indices: &[u8], r: usize, c: usize) -> u64 {
        let at = self.idx.at(r, c);
        match self.width {
            1 => element(indices, at).map_or(0, |[byte]| u64::from(byte)),
            2 => element(indices, at).map_or(0, |bytes| u16::from_le_bytes(bytes).into()),
            4 => element(indices, at).map_or(0, |bytes| u32::from_le_bytes(bytes).into()),
            _ => element(indices, at).map_or(0, u64::from_le_bytes),
        }
    }

    /// The slot that an index addresses, if it addresses one (TSCATTER-SEM-01,
    /// TSCATTER-GAP-05).
    pub(crate) fn slot(&self, index: u64) -> Option<usize> {
        if index & self.sign != 0 {
            return None;
        }
        let slot = usize::try_from(index).ok()?;
        let inside = slot < self.dst.elems && (!self.valid_only || self.dst.holds(slot));
        inside.then_some(slot)
    }

    /// Visits every position in row-major order: where it stands in `data`, and
    /// the slot that its index addresses, if it addresses one.
    #[inline]
    pub(crate) fn each(
        &self,
        data: &Plane,
        indices: &[u8],
        mut visit: impl FnMut(usize, Option<usize>),
    ) {
        // Most indices are the slots that they address.
        let inside = if self.valid_only {
            0
        } else {
            self.dst.elems as u64
        };
        let plain_below = match self.sign {
            0 => inside,
            sign => inside.min(sign),
        };
        macro_rules! each {
            ($unsigned:ty) => {
                each_line(Order::Logical, self.extents, [data, &self.idx], |line| {
                    for [from, at] in line {
                        let index = element(indices, at).map_or(0, <$unsigned>::from_le_bytes);
                        let index = u64::from(index);
                        let slot = if index < plain_below {
                            Some(index as usize)
                        } else {
                            self.slot(index)
                        };
                        visit(from, slot);
                    }
                })
            };
        }
        match self.width {
            1 => each!(u8),
            2 => each!(u16),
            4 => each!(u32),
            _ => each!(u64),
        }
    }
}

/// The bytes of element `at`, if there are so many.
#[inline]
fn element<const SIZE: usize>(bytes: &[u8], at: usize) -> Option<[u8; SIZE]> {
    bytes.as_chunks().0.get(at).copied()
}

/// Why an index that addresses no slot takes every promise away.
pub(crate) const fn unbound(target: Target) -> Clause {
    Clause(match target {
        Target::Cpu => "TSCATTER-GAP-08",
        Target::A2a3 | Target::A5 => "TSCATTER-OOB-01",
    })
}

/// Fills `runs` for the destination.
pub(crate) fn permits(
    call: &TscatterIndex,
    steps: &Steps<'_>,
    target: Target,
    readings: &Readings,
    desk: &mut Desk,
    runs: &mut Runs,
) -> Result<Written, Unusable> {
    let slots = Slots::of(call, target, readings).ok_or(Unusable::TooLarge)?;
    let src = Plane::of(&call.src).ok_or(Unusable::TooLarge)?;
    let size = call.dst.dtype.size();
    let len = bytes(slots.dst.elems, size)?;
    if u32::try_from(len).is_err() || u32::try_from(src.elems).is_err() {
        return Err(Unusable::TooLarge);
    }
    let destination = steps.loaded(Role::Destination, len)?;
    let source = steps.loaded(Role::Source, bytes(src.elems, size)?)?;
    let indices = steps.loaded(Role::Index, bytes(slots.idx.elems, slots.width)?)?;
    let writers = &mut desk.writers;
    let [rows, cols] = slots.extents;
    let positions = Positions {
        slots: &slots,
        src: &src,
        indices,
    };
    let outside = writers.gather(rows.saturating_mul(cols), slots.dst.elems, positions);
    if outside {
        return Ok(Written::nothing_promised(runs, len, unbound(target)));
    }
    let field = Field::of_elements(call.dst.dtype, &destination[..len], source, src);
    runs.reserve(writers.most(), writers.total() * size);
    replace(runs, &field, writers, &survival(target));
    unaddressed(runs, writers, slots.dst.elems, size, readings);
    Ok(Written {
        placed: steps.count() == 1,
        ..Written::default()
    })
}

/// The positions of a call, which write to the slots that they address. Says
/// whether one addresses none.
struct Positions<'a> {
    slots: &'a Slots,
    src: &'a Plane,
    indices: &'a [u8],
}

impl Filler<bool> for Positions<'_> {
    // The sink then stands in registers.
    #[inline(always)]
    fn fill(&self, sink: &mut impl Sink) -> bool {
        let mut outside = false;
        self.slots
            .each(self.src, self.indices, |from, slot| match slot {
                Some(slot) => sink.push(slot as u32, from as u32),
                None => outside = true,
            });
        outside
    }
}

/// Who survives: on the NPUs any writer, on the CPU the last one.
fn survival(target: Target) -> Survival {
    let any = target != Target::Cpu;
    Survival {
        any,
        single: Why::by("TSCATTER-SEM-01"),
        contested: if any {
            Why::open(Clause("TSCATTER-CONF-02"))
        } else {
            Why::by("TSCATTER-CONF-03").or(Some(Clause("TSCATTER-CONF-01")))
        },
    }
}

/// The slots that no index addresses (TSCATTER-GAP-02).
fn unaddressed(
    runs: &mut Runs,
    writers: &mut Writers,
    slots: usize,
    size: usize,
    readings: &Readings,
) {
    let clause = "TSCATTER-GAP-02";
    let zero = match readings.tscatter_unaddressed {
        Unaddressed::Kept => return,
        Unaddressed::Zero => true,
        Unaddressed::Undefined => false,
    };
    let mut gap = |from: usize, to: usize| {
        let (offset, len) = (from * size, (to - from) * size);
        if zero {
            runs.zeros(offset, len, Why::by(clause));
        } else {
            runs.anything(offset, len, Why::open(Clause(clause)));
        }
    };
    let mut next = 0;
    let mut walk = writers.walk();
    while let Some((slot, _)) = walk.next() {
        gap(next, slot);
        next = slot + 1;
    }
    gap(next, slots);
}
