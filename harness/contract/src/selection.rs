//! What an index selects: capacity, policy and the reading of negative numbers.

use ptodiff_isa::{
    Clause, Coalesce, DType, GatherOob, GlobalTensor, Layout, NegativeIndex, Readings, ScatterOob,
    Target,
};

use crate::coord::{FRACTAL_ROWS, Plane, saturated};

/// What is done with an index at or above capacity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bounds {
    /// Nothing.
    Undefined,
    /// Skip and Zero: the index selects nothing.
    Drop,
    /// The last slot is taken.
    Clamp,
    /// The remainder is taken.
    Wrap,
}

impl From<ScatterOob> for Bounds {
    fn from(oob: ScatterOob) -> Self {
        match oob {
            ScatterOob::Undefined => Self::Undefined,
            ScatterOob::Skip => Self::Drop,
            ScatterOob::Clamp => Self::Clamp,
            ScatterOob::Wrap => Self::Wrap,
        }
    }
}

impl From<GatherOob> for Bounds {
    fn from(oob: GatherOob) -> Self {
        match oob {
            GatherOob::Undefined => Self::Undefined,
            GatherOob::Zero => Self::Drop,
            GatherOob::Clamp => Self::Clamp,
            GatherOob::Wrap => Self::Wrap,
        }
    }
}

/// Where an index leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Row or element number, negative only under [`NegativeIndex::Signed`].
    At {
        number: i64,
        /// Whether the policy changed it.
        moved: bool,
    },
    /// The policy takes it out.
    Dropped,
    /// Nothing is promised of it.
    Unbound,
}

/// How a call on a target turns an index into a row or element number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remap {
    /// Rows or elements that the policy acts on.
    pub(crate) capacity: i64,
    /// Numbers from there on lead nowhere, whatever the policy.
    end: i64,
    bounds: Bounds,
    signed: bool,
    intended: bool,
}

impl Remap {
    /// For a policy over `capacity` slots and indices of type `index`.
    pub(crate) fn new(
        bounds: Bounds,
        capacity: u64,
        index: DType,
        target: Target,
        readings: &Readings,
    ) -> Self {
        // MGATHER-OOB-10: the CPU casts to uint32_t whatever the reading.
        let signed = index == DType::Int32
            && target != Target::Cpu
            && readings.negative_index != NegativeIndex::Unsigned;
        Self {
            capacity: saturated(capacity),
            end: i64::MAX,
            bounds,
            signed,
            intended: readings.negative_index == NegativeIndex::Intended,
        }
    }

    /// The same over a table of `slots` rows or elements, which may be fewer
    /// than the policy acts on.
    pub(crate) fn within(self, slots: u64) -> Self {
        Self {
            end: saturated(slots),
            ..self
        }
    }

    /// Every index below is taken as it is.
    pub(crate) fn plain_below(&self) -> u32 {
        let numbers = if self.signed {
            1 << 31
        } else {
            i64::from(u32::MAX)
        };
        let below = self.capacity.min(self.end).min(numbers);
        u32::try_from(below).unwrap_or(0)
    }

    /// Whether no index at all is [`Place::Unbound`].
    pub(crate) fn binds_all(&self) -> bool {
        let bound = match self.bounds {
            Bounds::Undefined => false,
            Bounds::Drop => true,
            Bounds::Clamp | Bounds::Wrap => self.capacity > 0,
        };
        bound && self.capacity <= self.end
    }

    /// The index as a number.
    #[inline]
    pub(crate) const fn value(&self, raw: u32) -> i64 {
        if self.signed {
            raw.cast_signed() as i64
        } else {
            raw as i64
        }
    }

    /// Where the index leads under the policy.
    #[inline]
    pub(crate) fn place(&self, raw: u32) -> Place {
        let value = self.value(raw);
        let place = if value < self.capacity && value >= 0 {
            Place::At {
                number: value,
                moved: false,
            }
        } else {
            self.beyond(value)
        };
        match place {
            Place::At { number, .. } if number >= self.end => Place::Unbound,
            place => place,
        }
    }

    /// Where an index that is not below capacity leads.
    #[inline]
    fn beyond(&self, value: i64) -> Place {
        let number = match self.bounds {
            // Taken literally, a negative index is below capacity.
            _ if value < 0 && !self.intended && self.bounds != Bounds::Wrap => value,
            Bounds::Undefined => return Place::Unbound,
            Bounds::Drop => return Place::Dropped,
            _ if self.capacity == 0 => return Place::Unbound,
            Bounds::Clamp if value < 0 => 0,
            Bounds::Clamp => self.capacity - 1,
            Bounds::Wrap if self.intended => value.rem_euclid(self.capacity),
            Bounds::Wrap => value % self.capacity,
        };
        Place::At {
            number,
            moved: number != value,
        }
    }
}

/// Rows or elements an index may name (MSCATTER-CAP-01..06, MGATHER-CAP-01..07).
pub(crate) fn capacity(table: &GlobalTensor, mode: Coalesce, target: Target) -> u64 {
    let extent = table.shape.map(|d| d.get());
    let product = |dims: &[u64]| dims.iter().fold(1_u64, |p, &d| p.saturating_mul(d));
    match (mode, table.layout, target) {
        (Coalesce::Elem, ..) => product(&extent),
        (Coalesce::Row, Layout::NZ, Target::A2a3) => extent[2].saturating_mul(FRACTAL_ROWS),
        (Coalesce::Row, _, Target::A2a3) => product(&extent[..4]),
        (Coalesce::Row, ..) => extent[3],
    }
}

/// Whether the targets have different Row capacities for this table
/// (MSCATTER-GAP-15, MGATHER-GAP-05); the answer is the smaller one.
pub(crate) fn disputed_capacity(table: &GlobalTensor, mode: Coalesce) -> Option<i64> {
    if mode == Coalesce::Elem || table.layout == Layout::NZ {
        return None;
    }
    let outer: u64 = table.shape[..3]
        .iter()
        .fold(1, |p, d| p.saturating_mul(d.get()));
    (outer > 1).then(|| saturated(table.shape[3].get()))
}

/// The indices of one step, by logical position.
#[derive(Clone, Copy)]
pub(crate) struct Indices<'a> {
    all: &'a [[u8; 4]],
    /// Where they stand.
    pub(crate) plane: Plane,
    down: bool,
}

impl<'a> Indices<'a> {
    /// Over the body of the index operand.
    pub(crate) fn new(bytes: &'a [u8], plane: Plane) -> Self {
        Self {
            all: bytes.as_chunks().0,
            plane,
            down: plane.rows > 1,
        }
    }

    /// The index at logical (r, c); 0 outside the operand.
    #[inline]
    pub(crate) fn elem(&self, r: usize, c: usize) -> u32 {
        self.at(self.plane.at(r, c))
    }

    /// The index at an offset in elements; 0 outside the operand.
    #[inline]
    pub(crate) fn at(&self, at: usize) -> u32 {
        self.all.get(at).map_or(0, |raw| u32::from_le_bytes(*raw))
    }

    /// One index after the other, the first at an offset in elements, the next
    /// ones `step` further each.
    #[inline]
    pub(crate) fn along(&self, mut at: usize, step: usize) -> impl FnMut() -> u32 {
        move || {
            let raw = self.at(at);
            // Past the last one nobody looks.
            at = at.wrapping_add(step);
            raw
        }
    }

    /// The index of data row `r`: column r of a [1, R] tile, row r of an [R, 1] tile.
    #[inline]
    pub(crate) fn row(&self, r: usize) -> u32 {
        if self.down {
            self.elem(r, 0)
        } else {
            self.elem(0, r)
        }
    }
}

/// The clause by which a dispute over Row capacity is known on `target`.
pub(crate) const fn scatter_capacity_clause(target: Target) -> Clause {
    Clause(match target {
        Target::A2a3 => "MSCATTER-CAP-03",
        Target::A5 => "MSCATTER-CAP-04",
        Target::Cpu => "MSCATTER-GAP-15",
    })
}

/// As [`scatter_capacity_clause`], for MGATHER.
pub(crate) const fn gather_capacity_clause(target: Target) -> Clause {
    Clause(match target {
        Target::A2a3 => "MGATHER-CAP-02",
        Target::A5 => "MGATHER-CAP-03",
        Target::Cpu => "MGATHER-CAP-01",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way of reading an index, over a few capacities and tables.
    fn each(mut visit: impl FnMut(Remap)) {
        for bounds in [Bounds::Undefined, Bounds::Drop, Bounds::Clamp, Bounds::Wrap] {
            for negative_index in [
                NegativeIndex::Unsigned,
                NegativeIndex::Signed,
                NegativeIndex::Intended,
            ] {
                let readings = Readings {
                    negative_index,
                    ..Readings::default()
                };
                for capacity in [0, 1, 5, 1 << 31, 1 << 32, u64::MAX] {
                    for (target, index) in [
                        (Target::Cpu, DType::Int32),
                        (Target::A5, DType::Int32),
                        (Target::A5, DType::Uint32),
                    ] {
                        let remap = Remap::new(bounds, capacity, index, target, &readings);
                        visit(remap);
                        for slots in [0, 3, 5, 9] {
                            visit(remap.within(slots));
                        }
                    }
                }
            }
        }
    }

    const INDICES: [u32; 12] = [
        0,
        1,
        2,
        3,
        4,
        5,
        8,
        9,
        (1 << 31) - 1,
        1 << 31,
        u32::MAX - 1,
        u32::MAX,
    ];

    #[test]
    fn plain_indices_are_taken_as_they_are() {
        let mut some = false;
        each(|remap| {
            let below = remap.plain_below();
            for raw in INDICES.into_iter().chain([below.saturating_sub(1)]) {
                if raw < below {
                    some = true;
                    let number = i64::from(raw);
                    let taken = Place::At {
                        number,
                        moved: false,
                    };
                    assert_eq!(remap.place(raw), taken, "{remap:?}");
                }
            }
        });
        assert!(some);
    }

    #[test]
    fn where_all_are_bound_none_leads_nowhere() {
        let (mut all, mut not_all) = (0, 0);
        each(|remap| {
            let unbound = |raw: &u32| remap.place(*raw) == Place::Unbound;
            if remap.binds_all() {
                all += 1;
                assert_eq!(INDICES.iter().find(|raw| unbound(raw)), None, "{remap:?}");
            } else {
                not_all += 1;
            }
        });
        assert!(all > 0 && not_all > 0);
    }

    #[test]
    fn of_no_rows_none_is_taken() {
        for bounds in [Bounds::Clamp, Bounds::Wrap] {
            let readings = Readings::default();
            let remap = Remap::new(bounds, 0, DType::Int32, Target::A5, &readings);
            for raw in INDICES {
                assert_eq!(remap.place(raw), Place::Unbound);
            }
        }
    }
}
