//! How the data of a case is made.

/// How each operand of a case gets its bytes.
#[derive(Clone, PartialEq, Debug)]
pub struct DataPlan {
    /// The table in GM.
    pub table: Fill,
    /// The valid region of the data tile of a scatter, in logical row-major
    /// order over all chunks. For a gather, what the destination holds before.
    pub tile: Fill,
    /// The valid region of the index operand, in logical row-major order over
    /// all chunks. Its padding is filled like the index itself goes out of bounds:
    /// with values that would be seen if they were read.
    pub index: IndexPattern,
    /// Added to the run's seed for this case, to draw other data of the same kind.
    pub seed: u64,
}

/// Values of a data operand. `k` is the flat logical row-major position, from
/// 0, over the valid region (a tile) or the shape (a table).
#[derive(Clone, PartialEq, Debug)]
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
    /// Given element by element, as little-endian bytes in the operand's dtype,
    /// as many as the operand has over all chunks.
    Literal(Vec<u8>),
}

/// Values of the index operand. `capacity` is the number of slots an index
/// selects among: table rows in Row mode, table elements in Elem mode.
#[derive(Clone, PartialEq, Debug)]
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
    /// Given one by one, as little-endian bytes in the index dtype, over all chunks.
    Literal(Vec<u8>),
}
