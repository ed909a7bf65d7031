//! What an index selects: capacity, policy and the reading of negative numbers.

use ptodiff_isa::{
    Coalesce, DType, GatherOob, GlobalTensor, IndexUnit, Layout, NegativeIndex, Readings,
    ScatterOob, Target,
};

use crate::{
    coord::{FRACTAL_ROWS, Plane, all, saturated},
    strides::{extents, product},
};

/// The policy of a scatter that does with an index what that of a gather does: what selects
/// nothing is skipped.
pub(crate) const fn as_of_a_scatter(oob: GatherOob) -> ScatterOob {
    match oob {
        GatherOob::Undefined => ScatterOob::Undefined,
        GatherOob::Zero => ScatterOob::Skip,
        GatherOob::Clamp => ScatterOob::Clamp,
        GatherOob::Wrap => ScatterOob::Wrap,
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
    capacity: i64,
    /// Those of the table: numbers from there on lead nowhere, whatever the policy.
    pub(crate) end: i64,
    oob: ScatterOob,
    /// Whether indices may be less than 0 by their type.
    negatives: bool,
    signed: bool,
    intended: bool,
    /// An index counts so many units, as a power of two: bytes of an element, or just one.
    shift: u32,
}

impl Remap {
    /// For a policy over `capacity` slots and indices of type `index`, of which negative ones
    /// become what `negative` says.
    pub(crate) fn new(
        oob: ScatterOob,
        capacity: u64,
        index: DType,
        negative: NegativeIndex,
    ) -> Self {
        let negatives = index == DType::Int32;
        Self {
            capacity: saturated(capacity),
            end: saturated(capacity),
            oob,
            negatives,
            signed: negatives && negative != NegativeIndex::Unsigned,
            intended: negative == NegativeIndex::Intended,
            shift: 0,
        }
    }

    /// The same, where an index in Elem mode may count the bytes of elements of `dtype`
    /// (MSCATTER-GAP-87, MGATHER-GAP-76, MGATHERL1-GAP-35).
    pub(crate) fn counting(self, mode: Coalesce, dtype: DType, readings: &Readings) -> Self {
        let by_byte = mode == Coalesce::Elem && readings.index_unit == IndexUnit::Byte;
        let shift = u32::from(by_byte) * dtype.size().trailing_zeros();
        Self { shift, ..self }
    }

    /// The same over a table of `slots` rows or elements, which may be fewer
    /// than the policy acts on.
    pub(crate) fn within(self, slots: u64) -> Self {
        Self {
            end: saturated(slots),
            ..self
        }
    }

    /// Whether a policy that finds a place for every index has none.
    pub(crate) const fn has_nothing(&self) -> bool {
        self.capacity == 0 && matches!(self.oob, ScatterOob::Clamp | ScatterOob::Wrap)
    }

    /// Whether the index is less than 0 by its type, whatever the target takes it for.
    pub(crate) const fn negative(&self, raw: u32) -> bool {
        self.negatives && raw.cast_signed() < 0
    }

    /// Whether the index stands for a whole number of rows or elements.
    pub(crate) const fn whole(&self, raw: u32) -> bool {
        raw.trailing_zeros() >= self.shift
    }

    /// Whether an index that counts bytes leads elsewhere than one that counts elements.
    pub(crate) fn by_bytes(&self, raw: u32) -> bool {
        self.shift > 0 && self.place(raw) != Self { shift: 0, ..*self }.place(raw)
    }

    /// The index as a number of rows or elements. Of bytes the sign counts, whatever
    /// the type; their quotient has the type of the index.
    pub(crate) const fn value(&self, raw: u32) -> i64 {
        let raw = (raw.cast_signed() >> self.shift).cast_unsigned();
        if self.signed {
            raw.cast_signed() as i64
        } else {
            raw as i64
        }
    }

    /// Where the index leads under the policy.
    pub(crate) fn place(&self, raw: u32) -> Place {
        if !self.whole(raw) {
            return Place::Unbound;
        }
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
    fn beyond(&self, value: i64) -> Place {
        let number = match self.oob {
            // Taken literally, a negative index is below capacity.
            _ if value < 0 && !self.intended && self.oob != ScatterOob::Wrap => value,
            ScatterOob::Undefined => return Place::Unbound,
            ScatterOob::Skip => return Place::Dropped,
            _ if self.capacity == 0 => return Place::Unbound,
            ScatterOob::Clamp if value < 0 => 0,
            ScatterOob::Clamp => self.capacity - 1,
            ScatterOob::Wrap if self.intended => value.rem_euclid(self.capacity),
            ScatterOob::Wrap => value % self.capacity,
        };
        Place::At {
            number,
            moved: number != value,
        }
    }
}

/// Rows or elements an index may name (MSCATTER-CAP-01..06, MGATHER-CAP-01..07).
pub(crate) fn capacity(table: &GlobalTensor, mode: Coalesce, target: Target) -> u64 {
    let extent = extents(table);
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
    let [outer @ .., rows, _] = extents(table);
    (product(&outer) > 1).then(|| saturated(rows))
}

/// The indices of one step, by logical position.
#[derive(Clone, Copy)]
pub(crate) struct Indices<'a> {
    bytes: &'a [u8],
    plane: Plane,
}

impl<'a> Indices<'a> {
    /// Over the body of the index operand.
    pub(crate) fn new(bytes: &'a [u8], plane: Plane) -> Self {
        Self { bytes, plane }
    }

    /// The index at logical (r, c); 0 outside the operand.
    pub(crate) fn elem(&self, r: usize, c: usize) -> u32 {
        let all = self.bytes.as_chunks().0;
        let raw = all.get(self.plane.at(r, c));
        raw.map_or(0, |raw| u32::from_le_bytes(*raw))
    }

    /// Whether an index of these rows and columns stands for no whole number of elements.
    pub(crate) fn has_remainder(&self, extents: [usize; 2], remap: &Remap) -> bool {
        remap.shift > 0 && all(extents).any(|(r, c)| !remap.whole(self.elem(r, c)))
    }

    /// The index of data row `r`: column r of a [1, R] tile, row r of an [R, 1] tile.
    pub(crate) fn row(&self, r: usize) -> u32 {
        if self.plane.rows > 1 {
            self.elem(r, 0)
        } else {
            self.elem(0, r)
        }
    }
}
