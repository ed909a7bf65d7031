//! The answers to each gap that is a parameter.

/// Declares the answers to one gap: an enum whose choices have kebab-case names.
macro_rules! choices {
    ($(#[$meta:meta])* $name:ident { $($body:tt)* }) => {
        crate::words! {
            #[derive(Default)]
            #[serde(rename_all = "kebab-case")]
            #[strum(serialize_all = "kebab-case")]
            $(#[$meta])*
            pub enum $name { $($body)* }
        }
    };
}

choices! {
    /// Which form of MSCATTER the CPU simulator has (MSCATTER-GAP-41).
    CpuForm {
        /// As document 000 gives it: element semantics, plain replace, no policies, no bounds.
        #[default]
        Documented,
        /// With A5's template parameters, honoured, as the cpu suite drives it.
        Templated,
    }
}

choices! {
    /// What a negative index means (MSCATTER-GAP-01, MGATHER-GAP-02 and the gaps of the
    /// other instructions that repeat them). In a gather the cpu target casts to
    /// `uint32_t` whatever this says (001 states it).
    NegativeIndex {
        /// Reading (a): converted to an unsigned integer of its own width
        /// first, so far above any capacity.
        #[default]
        Unsigned,
        /// Reading (b): signed arithmetic taken literally; -1 passes `idx < capacity`,
        /// clamps to itself, and the C++ remainder keeps its sign.
        Signed,
        /// Reading (c): the mathematical intent; out of bounds, clamps to 0, wraps to `capacity - 1`.
        Intended,
    }
}

choices! {
    /// In which order A2/A3 walks an NZ tile in Elem mode, hence which duplicate
    /// is last and how sums round (MSCATTER-GAP-08).
    NzElemOrder {
        /// Block column, then row, then column in the block, as the NZ section says.
        #[default]
        Walk,
        /// Increasing (r, c), as Conflict Resolution says.
        Coordinate,
    }
}

choices! {
    /// Where a form exists that the documents give to some targets only
    /// (MGATHERL1-GAP-14, TSCATTER-GAP-09).
    Scope {
        /// Where the documents say: gather to L1 on A2/A3 and A5, masked
        /// TSCATTER on A5, both with the documented dtypes.
        #[default]
        Documented,
        /// Where the ST suites drive it: gather to L1 on CPU as well, masked
        /// TSCATTER on every target (the column axis on CPU only), 64-bit
        /// TSCATTER with 32-bit indices on A5.
        AsTheSuite,
    }
}

choices! {
    /// Padding of the L1 tile after Row mode without Zero (MGATHERL1-GAP-01).
    L1RowPadding {
        /// Columns from ValidCol to the end of their block of 32 bytes are
        /// zero in the rows that were moved; all else is kept.
        #[default]
        TailZero,
        /// All padding is kept.
        Kept,
        /// Padding may hold anything.
        Undefined,
    }
}

choices! {
    /// When the scalar Elem gather to L1 zeroes its scratch (MGATHERL1-GAP-02).
    L1ScratchZero {
        /// Under every policy.
        #[default]
        Always,
        /// Under `GatherOOB::Zero` only: elsewhere padding shows what the scratch held.
        ZeroOnly,
    }
}

choices! {
    /// How the GM index tensor of a gather to L1 is read (MGATHERL1-GAP-03).
    L1IndexPitch {
        /// One after the other, from its first element, whatever its strides.
        #[default]
        Linear,
        /// `idx[r, c]` at `r * GetStride(DIM_3) + c * GetStride(DIM_4)`; Row
        /// mode takes index r at `r * GetStride(DIM_4)`.
        Strided,
    }
}

choices! {
    /// Over whose valid region TSCATTER runs (TSCATTER-GAP-03).
    ScatterExtent {
        /// The source's, as document 002 says.
        #[default]
        Source,
        /// The index tile's, as the suites' case with one index row takes it.
        Index,
    }
}

choices! {
    /// Destination slots that no index of a TSCATTER addresses (TSCATTER-GAP-02).
    Unaddressed {
        /// Keep what they held.
        #[default]
        Kept,
        /// Are zero, over the whole allocation, as the a2a3 and a5 suites have it.
        Zero,
        /// May hold anything.
        Undefined,
    }
}

choices! {
    /// Which slots an index of TSCATTER may address (TSCATTER-GAP-05).
    ScatterRange {
        /// All of the destination's storage, padding included.
        #[default]
        Storage,
        /// Those of the destination's valid region.
        Valid,
    }
}

choices! {
    /// Padding of the destination after `MaskPattern::P1111` (TSCATTER-GAP-13).
    MaskPadding {
        /// Zero, as after every other pattern.
        #[default]
        Zero,
        /// Kept, as after TMOV.
        Kept,
    }
}

choices! {
    /// What one offset of TGATHERB serves (TGATHERB-GAP-14).
    OffsetGranularity {
        /// One element, as document 004 says.
        #[default]
        Element,
        /// One block of 32 bytes, as the suites have it.
        Block,
    }
}

choices! {
    /// Offsets of TGATHERB that are no multiple of the element (or block) size (TGATHERB-GAP-01).
    UnalignedOffset {
        /// Load from that very byte.
        #[default]
        ByteExact,
        /// Load from the element (or block) that the byte lies in.
        RoundedDown,
        /// Promise nothing.
        Undefined,
    }
}

choices! {
    /// Where the source of TGATHERB ends (TGATHERB-GAP-02, TGATHERB-GAP-03).
    OffsetBoundary {
        /// With its allocation: the last element (or block) of `Rows * Cols`.
        #[default]
        Allocation,
        /// With the last element of its valid region, in storage order.
        Valid,
    }
}

choices! {
    /// What an index of the first revision of MSCATTER selects when source and
    /// index tile are both one column wide (MSCATTER0-GAP-01).
    FirstMode {
        /// A row.
        #[default]
        Row,
        /// An element.
        Elem,
    }
}

choices! {
    /// Who survives among plain writers of one slot in the first revision of
    /// MSCATTER (MSCATTER0-GAP-02).
    FirstConflict {
        /// Any of them.
        #[default]
        Any,
        /// The one with the largest source index.
        Last,
    }
}

choices! {
    /// `tableSize` in row mode of the first revision of MSCATTER (MSCATTER0-GAP-03).
    FirstRowCapacity {
        /// The rows, `Shape[3]`.
        #[default]
        Rows,
        /// The elements, `Shape[3] * Shape[4]`.
        Elements,
    }
}

choices! {
    /// What an integer `Add` does where the sum leaves the range of its type (MSCATTER-GAP-05).
    AddOverflow {
        /// Two's complement, on every path.
        #[default]
        Wrap,
        /// Every addition saturates, on every path of the NPUs.
        Saturate,
        /// The atomic unit of MTE3 (A2/A3 Row) saturates, the other paths wrap.
        Mte3Saturates,
    }
}

choices! {
    /// In which order a float Row Add accumulates on A2/A3 (MSCATTER-GAP-07).
    RowAddOrder {
        /// The fold in increasing row.
        #[default]
        InOrder,
        /// Any order of the rows; of saturating integers too.
        Any,
    }
}

choices! {
    /// What Max and Min leave where the slot or a source element is NaN, on A5 and
    /// on CPU under `cpu-form=templated` (MSCATTER-GAP-03).
    MaxMinNan {
        /// Anything.
        #[default]
        Anything,
        /// The numbers decide; where there is none, one of the NaNs stays, bit for bit.
        Ignored,
        /// One of the NaNs, bit for bit.
        PassedOn,
        /// Bits compare as signed-magnitude integers: a positive NaN is above
        /// every number, a negative one below.
        ByBits,
    }
}

choices! {
    /// Whether Max and Min tell +0.0 from -0.0, on A5 and on CPU under
    /// `cpu-form=templated` (MSCATTER-GAP-04).
    MaxMinZero {
        /// They compare equal and either may be left.
        #[default]
        Either,
        /// -0.0 is the smaller.
        Ordered,
    }
}

choices! {
    /// Whether floating-point atomics keep subnormals on the NPUs (MSCATTER-GAP-80).
    Subnormals {
        /// As operands and as results.
        #[default]
        Kept,
        /// Operands and results are flushed to a zero of their sign.
        Flushed,
    }
}

choices! {
    /// Which element is last under `ScatterConflict::Last` on A5 (MSCATTER-GAP-72).
    LastBy {
        /// The one with the largest r * ValidCol + c, whatever the BLayout.
        #[default]
        Logical,
        /// The one last in the source tile's storage.
        Storage,
    }
}

choices! {
    /// What an index selects in Elem mode in an ND table with padded rows
    /// (MSCATTER-GAP-18, MSCATTER-GAP-19, MGATHER-GAP-07).
    PaddedElem {
        /// The slot with its number: strides are ignored.
        #[default]
        Flat,
        /// On A2/A3 the number is split over the shape and the strides count;
        /// flat on the other targets.
        Strided,
        /// On the NPUs such a table breaks a precondition in Elem mode.
        Precondition,
    }
}

choices! {
    /// What a Row ND burst of A2/A3 writes where lenBurst is no multiple of 32 (MSCATTER-GAP-28).
    BurstTail {
        /// Exactly lenBurst bytes.
        #[default]
        Exact,
        /// lenBurst rounded up to 32 bytes, from the padded row of the tile; a
        /// burst that would leave the table breaks a precondition.
        Rounded,
        /// Such a ValidCol breaks a precondition.
        Precondition,
    }
}

choices! {
    /// Columns from ValidCol on in A2/A3 NZ Row, whose bursts are as wide as
    /// the table (MSCATTER-GAP-22, MGATHER-GAP-57).
    NzRowColumns {
        /// They are kept or hold what the burst brings.
        #[default]
        Either,
        /// They hold what the burst brings.
        Moved,
        /// They are kept.
        Kept,
        /// ValidCol other than the logical columns breaks a precondition.
        Precondition,
    }
}

choices! {
    /// Row capacity where outer dimensions of the table exceed 1
    /// (MSCATTER-GAP-15, MGATHER-GAP-05).
    RowCapacity {
        /// As each target says.
        #[default]
        ByTarget,
        /// On A5 outer dimensions other than 1 break a precondition.
        Precondition,
    }
}

choices! {
    /// Strides of dimensions 0 to 2 in A2/A3 Row ND (MSCATTER-GAP-16, MGATHER-GAP-06).
    OuterStrides {
        /// Packed relative to DIM_3 is a precondition where those dimensions exceed 1.
        #[default]
        Precondition,
        /// Ignored: the row number times GetStride(DIM_3). A row that would
        /// leave the table breaks the precondition here and under `split`.
        Ignored,
        /// The row number is split over dimensions 0 to 3, whose strides count.
        Split,
    }
}

choices! {
    /// ValidCol below `Shape[4]` in Row ND on A2/A3, for MGATHER on CPU too
    /// (MSCATTER-GAP-17, MGATHER-GAP-10).
    NarrowRow {
        /// Moves part of a row; the rest is kept.
        #[default]
        Partial,
        /// Breaks a precondition.
        Precondition,
    }
}

choices! {
    /// In which modes A5 checks that `Shape[4]` equals ValidCol (MSCATTER-GAP-12, MGATHER-GAP-42).
    WidthCheck {
        /// Row only.
        #[default]
        Row,
        /// Row and Elem.
        Both,
    }
}

choices! {
    /// A table in Row mode on A5 that passes the width check though its rows
    /// are not validCols apart or not validCols wide (MSCATTER-GAP-13,
    /// MSCATTER-GAP-14, MGATHER-GAP-09).
    RowPitch {
        /// Breaks a precondition.
        #[default]
        Precondition,
        /// Rows lie validCols apart, whatever shape and strides say; one that
        /// would leave the table breaks the precondition after all.
        ValidCols,
    }
}

choices! {
    /// Row indices on A5 that do not follow each other in the index tile: `[R, 1]`
    /// RowMajor or `[1, R]` ColMajor with a pitch above 1 (MSCATTER-GAP-36, MGATHER-GAP-15).
    RowIndexPitch {
        /// Breaks a precondition.
        #[default]
        Precondition,
        /// They are read through the tile's own layout.
        Logical,
        /// The check rejects such a tile.
        Rejected,
    }
}

choices! {
    /// A run-time valid extent of 0 on the NPUs (MSCATTER-GAP-38, MGATHER-GAP-26).
    EmptyExtent {
        /// Breaks a precondition.
        #[default]
        Precondition,
        /// Nothing happens.
        NoOp,
    }
}

choices! {
    /// An index at or above capacity under `ScatterOob::Undefined` with
    /// `ScatterConflict::Last` on A5 (MSCATTER-GAP-10).
    UndefinedLast {
        /// Breaks a precondition.
        #[default]
        Precondition,
        /// Is dropped, as no lane owns such a slot; not in Elem (1, 1), whose
        /// scalar path owns none.
        Dropped,
    }
}

choices! {
    /// How far an index out of bounds spoils a gather to UB under
    /// `GatherOob::Undefined` (MGATHER-GAP-69).
    UndefinedGather {
        /// It breaks a precondition: nothing is promised of the call.
        #[default]
        Call,
        /// The slots that it feeds may hold anything; all others are as promised.
        Slots,
    }
}

choices! {
    /// Padding of MGATHER's destination in UB (MGATHER-GAP-18).
    GatherPadding {
        /// Kept, but on A2/A3 ND Row the rest of the last 32 bytes of each
        /// row's burst may hold anything.
        #[default]
        BurstTail,
        /// All of it is kept.
        Kept,
        /// All of it may hold anything.
        Undefined,
    }
}

choices! {
    /// What `GatherOob::Zero` fills in A2/A3 ND Row (MGATHER-GAP-19).
    NdZeroFill {
        /// ValidCol elements of each row whose index is out of bounds.
        #[default]
        Inline,
        /// The whole tile, before the transfers.
        WholeTile,
    }
}

choices! {
    /// A stride-padded ND table in Row mode on CPU (MGATHER-GAP-08).
    CpuPaddedTable {
        /// Breaks a precondition.
        #[default]
        Precondition,
        /// Rows lie GetStride(DIM_3) apart.
        Strided,
    }
}

choices! {
    /// An NZ table whose inner dimensions are known at run time only
    /// (MSCATTER-GAP-27, MGATHER-GAP-23).
    NzDynamic {
        /// It passes the checks; 16 and C0 are preconditions.
        #[default]
        Precondition,
        /// The checks reject it.
        Rejected,
    }
}

choices! {
    /// Row index shapes of a gather to UB on CPU that the shape rule forbids (MGATHER-GAP-12).
    CpuRowCheck {
        /// CPU rejects them.
        #[default]
        Rejected,
        /// CPU has no such check: they break a precondition.
        Precondition,
    }
}

choices! {
    /// A `[R, 1]` RowMajor index tile with more than one column of storage, in
    /// Row mode of a gather to UB on CPU (MGATHER-GAP-56).
    CpuRowIndex {
        /// Is read through its own layout and pitch.
        #[default]
        OwnLayout,
        /// Breaks a precondition.
        Precondition,
    }
}

choices! {
    /// A gather to UB on CPU whose destination and table differ in type and
    /// agree in size (MGATHER-GAP-13).
    CpuTableType {
        /// Delivers the bytes.
        #[default]
        Bytes,
        /// Breaks a precondition.
        Precondition,
    }
}

choices! {
    /// What an index of MGATHER and MSCATTER counts in Elem mode, but for the
    /// first revision (MSCATTER-GAP-87, MGATHER-GAP-76, MGATHERL1-GAP-35).
    IndexUnit {
        /// Elements.
        #[default]
        Element,
        /// Bytes, signed. The quotient by the element's size stands in the
        /// index's place; a remainder breaks a precondition.
        Byte,
    }
}

choices! {
    /// What an index of TSCATTER names (TSCATTER-GAP-22).
    ScatterIndex {
        /// A slot, by its number in the destination's storage.
        #[default]
        Flat,
        /// A row: element (r, c) goes to column c of it. Two elements in one
        /// slot break a precondition.
        Row,
    }
}
