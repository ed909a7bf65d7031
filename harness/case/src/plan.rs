//! How the data of a case is made.

use std::collections::BTreeMap;

use ptodiff_data::place;
use ptodiff_isa::{Call, GlobalTensor, Instruction, Operand, Role};

/// How each operand of a case gets its bytes. What it says of a role that the
/// call lacks means nothing.
///
/// The default is that of every call but MGATHER, whose table is a ramp
/// ([`DataPlan::of`]).
#[derive(Clone, PartialEq, Hash, Debug)]
pub struct DataPlan {
    /// The table in GM.
    pub table: Fill,
    /// The valid region of the source tile, in logical row-major order over all chunks.
    pub source: Fill,
    /// The valid region of the destination tile, in logical row-major order
    /// over all chunks: what it holds before the call.
    pub destination: Fill,
    /// The staging area in GM: what it holds before the call.
    pub scratch: Fill,
    /// The index operand over all chunks: the valid region of a tile in logical
    /// row-major order, the shape of a tensor in GM in row-major order. Padding
    /// is filled like the index itself goes out of bounds: with values that
    /// would be seen if they were read.
    pub index: IndexPattern,
    /// With the run's seed it gives this case other data of the same kind.
    pub seed: u64,
}

impl Default for DataPlan {
    fn default() -> Self {
        Self {
            table: Fill::Zeros,
            source: Fill::Distinct,
            destination: Fill::Poison,
            scratch: Fill::Poison,
            index: IndexPattern::Random,
            seed: 0,
        }
    }
}

impl DataPlan {
    /// How the data of `call` is made where its case does not say.
    #[must_use]
    pub fn of(call: &Call) -> Self {
        let table = match call.instruction() {
            Instruction::Mgather => Fill::Ramp,
            Instruction::Mscatter | Instruction::Tscatter | Instruction::Tgatherb => Fill::Zeros,
        };
        Self {
            table,
            ..Self::default()
        }
    }

    /// Gives an operand these bytes: little-endian elements, in the order that
    /// its field has.
    pub fn set_literal(&mut self, role: Role, values: Vec<u8>) {
        match role {
            Role::Index => self.index = IndexPattern::Literal(values),
            _ => self.set_fill(role, Fill::Literal(values)),
        }
    }

    /// Fills a data operand so; the index has a pattern instead, and keeps it.
    pub fn set_fill(&mut self, role: Role, fill: Fill) {
        match role {
            Role::Table => self.table = fill,
            Role::Source => self.source = fill,
            Role::Destination => self.destination = fill,
            Role::Scratch => self.scratch = fill,
            Role::Index => {}
        }
    }

    /// How a data operand is filled; `None` for the index, which has a pattern.
    #[must_use]
    pub const fn fill(&self, role: Role) -> Option<&Fill> {
        match role {
            Role::Table => Some(&self.table),
            Role::Source => Some(&self.source),
            Role::Destination => Some(&self.destination),
            Role::Scratch => Some(&self.scratch),
            Role::Index => None,
        }
    }

    /// The literal bytes of an operand, where it has them.
    #[must_use]
    pub const fn literal(&self, role: Role) -> Option<&Vec<u8>> {
        match (self.fill(role), &self.index) {
            (Some(Fill::Literal(bytes)), _) | (None, IndexPattern::Literal(bytes)) => Some(bytes),
            _ => None,
        }
    }
}

/// Values of a data operand, by their names in case files. `k` is the flat logical row-major position, from
/// 0, over the valid region (a tile) or the shape (a tensor).
#[derive(Clone, PartialEq, Hash, Debug, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Fill {
    /// All bits zero.
    Zeros,
    /// `1 + ((1 + k) mod 251)`, converted to the dtype (int8_t wraps): the suites' ramp.
    Ramp,
    /// `1 + ((1 + k) mod 251)` as raw bits of the element: what the suites do
    /// with bfloat16_t, which they carry as uint16_t.
    RampBits,
    /// `0.125 * (1 + ((1 + k) mod 31))`, exact in every float dtype of 16 bits or more.
    Eighths,
    /// A different bit pattern for each `k`, as far as the dtype has room, drawn from the stream.
    Distinct,
    /// Bits drawn from the stream; for floats any class may occur.
    RandomBits,
    /// Values of the dtype that arithmetic goes wrong on: zeros of both signs,
    /// subnormals, largest finite, infinities, NaN; for integers 0, 1, -1, smallest, largest.
    Special,
    /// A byte pattern that no other fill makes, to see what is left untouched.
    Poison,
    /// Whole numbers uniform in `[1, 100)`, converted to the dtype: the cpu
    /// suite's source of a TSCATTER by mask.
    SmallInts,
    /// Uniform in `[0, 100)`, converted to the dtype: with a fraction for
    /// floats, cut off for integers. The suites' other sources of TSCATTER.
    Percent,
    /// `k`, converted to the dtype (integers wrap): the suites' source of TGATHERB.
    Arange,
    /// Given element by element, as little-endian bytes in the operand's dtype,
    /// as many as the operand has over all chunks.
    #[strum(serialize = "values")]
    Literal(Vec<u8>),
    /// Of a table, whose bytes are zero but for the first elements of these rows,
    /// given as little-endian bytes in its dtype: see [`rows_of`]. Only what is
    /// given or written of it takes memory, so it may be larger than any memory.
    Rows(BTreeMap<u64, Vec<u8>>),
}

/// The rows of a table, as Row mode counts them, and the elements of each: for ND
/// and DN the first four dimensions and the fifth, for NZ the rows and columns of
/// the table that its blocks make up. As many as 64 bits count at most.
#[must_use]
pub fn rows_of(table: &GlobalTensor) -> (u64, u64) {
    let mut extents = place::extents(Operand::Tensor(table));
    let width = extents.pop().unwrap_or_default();
    let rows = extents.iter().fold(1_u64, |n, e| n.saturating_mul(*e));
    (rows, width)
}

/// Values of the index operand, in units, by their names in case files. `capacity` is
/// the number of units that an index selects among.
///
/// - MSCATTER, MGATHER: table rows in Row mode, table elements in Elem mode.
/// - TSCATTER: the elements of the destination's storage, `Rows * Cols`.
/// - TGATHERB: the elements of the source's storage, or its blocks of 32 bytes
///   under the reading `tgatherb-granularity=block`. What is stored is the unit's
///   number times its bytes.
#[derive(Clone, PartialEq, Hash, Debug, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum IndexPattern {
    /// Uniform in `[0, capacity)`; repeats are possible.
    Random,
    /// All `capacity / 2`.
    Same,
    /// `0, 1, 2, ...`, modulo capacity.
    Seq,
    /// The first n of a random permutation of `[0, capacity)`: no repeats
    /// while n is at most capacity, then a further permutation.
    Permutation,
    /// In range but for `max(1, n / 2)` places, which are uniform in `[capacity, 2 * capacity)`.
    OutOfBounds,
    /// As `OutOfBounds`, the in-range rest without repeats.
    OutOfBoundsNoDup,
    /// All out of range, in `[capacity, 2 * capacity)`.
    AllOutOfBounds,
    /// In range, all landing on few slots, to make many writers meet.
    Hot {
        /// How many different slots.
        slots: u64,
    },
    /// Cycles through 0, capacity - 1, capacity, 2 * capacity, 2^31 - 1, 2^31,
    /// 2^32 - 1 (as bits of the index dtype), in-range draws between them.
    Edges,
    /// Mixed in-range draws and negative values -1, -2, -capacity, -2^31 (as bits).
    Negative,
    /// Lane `(r, c)` gets `c + b * Cols`: `b` is drawn from 0 and 1 for each,
    /// `Cols` are the destination's padded columns. The suites' TSCATTER pattern.
    TwoRows,
    /// Given one by one, as little-endian bytes in the index dtype, over all
    /// chunks, and stored as they are: TGATHERB's are bytes, not units.
    #[strum(serialize = "values")]
    Literal(Vec<u8>),
}

impl IndexPattern {
    /// Whether it draws indices of which none is meant to lead out of the range.
    #[must_use]
    pub const fn is_drawn_in_range(&self) -> bool {
        use IndexPattern::{Hot, Permutation, Random, Same, Seq};
        matches!(self, Random | Same | Seq | Permutation | Hot { .. })
    }
}
