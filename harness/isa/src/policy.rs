//! The template policies, with the numeric values and defaults of the documents.

use crate::words;

words! {
    /// What one index selects (000 and 001, Enums).
    #[derive(Default)]
    #[repr(u8)]
    pub enum Coalesce {
        /// One index a row.
        #[default]
        Row = 0,
        /// One index an element.
        Elem = 1,
    }
}

words! {
    /// How a scattered value combines with what stands in the slot (000, Enums).
    #[derive(Default)]
    #[repr(u8)]
    pub enum ScatterAtomicOp {
        /// Plain store.
        #[default]
        None = 0,
        /// Atomic addition.
        Add = 1,
        /// Atomic maximum (A5 only).
        Max = 2,
        /// Atomic minimum (A5 only).
        Min = 3,
    }
}

words! {
    /// What a scatter does with an index at or above capacity (000, Out-of-Bounds Behaviour).
    #[derive(Default)]
    #[repr(u8)]
    pub enum ScatterOob {
        /// No check; the caller guarantees valid indices.
        #[default]
        Undefined = 0,
        /// Drop the write.
        Skip = 1,
        /// Clamp to capacity - 1.
        Clamp = 2,
        /// Index modulo capacity.
        Wrap = 3,
    }
}

words! {
    /// What a gather does with an index at or above capacity (001, Out-of-Bounds Behaviour).
    #[derive(Default)]
    #[repr(u8)]
    pub enum GatherOob {
        /// No check; the caller guarantees valid indices.
        #[default]
        Undefined = 0,
        /// Clamp to capacity - 1.
        Clamp = 1,
        /// Index modulo capacity.
        Wrap = 2,
        /// Deliver zero.
        Zero = 3,
    }
}

words! {
    /// Which of several plain writers of one slot survives (000, Enums; A5 only).
    #[derive(Default)]
    #[repr(u8)]
    pub enum ScatterConflict {
        /// The largest source index.
        #[default]
        Last = 0,
        /// Whichever the warp scheduler picked.
        Default = 1,
    }
}

words! {
    /// Who collects the elements of an Elem gather to L1 (001, SIMT executor; A5 only).
    #[derive(Default)]
    #[repr(u8)]
    pub enum GatherExec {
        /// The cube core's scalar pipe.
        #[default]
        Scalar = 0,
        /// A SIMT kernel on the vector core.
        Simt = 1,
    }
}

words! {
    /// Which lane of each group a masked TSCATTER writes (002, C++ Intrinsic).
    /// The document gives no numeric values (TSCATTER-GAP-18).
    #[derive(Default)]
    pub enum MaskPattern {
        /// First of two.
        P0101,
        /// Second of two.
        P1010,
        /// First of four.
        P0001,
        /// Second of four.
        P0010,
        /// Third of four.
        P0100,
        /// Fourth of four.
        P1000,
        /// All lanes, no expansion.
        #[default]
        P1111,
    }
}

words! {
    /// Along which axis a masked TSCATTER expands.
    #[derive(Default)]
    pub enum MaskAxis {
        /// Columns of each row, the only axis that document 002 has.
        #[default]
        Row,
        /// Whole rows: only the cpu suite has it.
        Col,
    }
}
