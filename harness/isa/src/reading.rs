//! Readings: named answers to gaps that change values.
//!
//! The first choice of each enum is the default. A gap without an entry here
//! has one fixed answer, listed in `harness/isa/READINGS.md`.

use serde::{Deserialize, Serialize};

use crate::Clause;

/// Declares the answers to one gap: an enum whose choices have kebab-case names.
macro_rules! choices {
    ($(#[$meta:meta])* $name:ident { $($body:tt)* }) => {
        crate::word::words! {
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
    /// What a negative index means on the NPUs (MSCATTER-GAP-01, MGATHER-GAP-02
    /// and the gaps of the other instructions that repeat them).
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

/// A gap that is a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The parameter's name on the command line and in case files.
    pub name: &'static str,
    /// The gaps it answers.
    pub clauses: &'static [Clause],
    /// Its choices, the default first.
    pub choices: &'static [&'static str],
}

/// Declares [`Readings`] and [`GAPS`], an entry a parameter.
macro_rules! readings {
    ($($(#[$meta:meta])* $field:ident: $choice:ty = $name:literal [$($clause:literal),+];)*) => {
        /// The reading in force for every gap that is a parameter.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub struct Readings {
            $($(#[$meta])* pub $field: $choice,)*
        }

        /// Every gap that is a parameter.
        pub const GAPS: &[Gap] = &[$(Gap {
            name: $name,
            clauses: &[$(Clause($clause)),+],
            choices: <$choice as strum::VariantNames>::VARIANTS,
        }),*];

        impl Readings {
            /// Sets the gap called `name`, by its own name or a clause's, to `choice`.
            ///
            /// # Errors
            /// Names what is unknown: the gap or the choice.
            pub fn set(&mut self, name: &str, choice: &str) -> Result<(), UnknownReading> {
                let gap = GAPS
                    .iter()
                    .find(|g| g.name == name || g.clauses.iter().any(|c| c.0 == name))
                    .ok_or(UnknownReading::Gap)?;
                let bad = |_| UnknownReading::Choice(gap);
                match gap.name {
                    $($name => self.$field = choice.parse().map_err(bad)?,)*
                    _ => return Err(UnknownReading::Gap),
                }
                Ok(())
            }

            /// The choice in force for the gap called `name`.
            #[must_use]
            pub fn choice(&self, name: &str) -> Option<&'static str> {
                match name {
                    $($name => Some(self.$field.into()),)*
                    _ => None,
                }
            }
        }
    };
}

readings! {
    /// Which form of MSCATTER the CPU simulator has.
    cpu_form: CpuForm = "cpu-form" ["MSCATTER-GAP-41"];
    /// What a negative index means on the NPUs; the cpu target casts to
    /// `uint32_t` whatever this says (001 states it).
    negative_index: NegativeIndex = "negative-index" [
        "MSCATTER-GAP-01", "MGATHER-GAP-02", "MGATHERL1-GAP-04", "TSCATTER-GAP-06",
        "MSCATTER0-GAP-05"
    ];
    /// A2/A3 NZ Elem walk order.
    nz_elem_order: NzElemOrder = "nz-elem-order" ["MSCATTER-GAP-08"];
    /// Where a form exists that the documents give to some targets only.
    scope: Scope = "scope" ["MGATHERL1-GAP-14", "TSCATTER-GAP-09"];
    /// Padding of the L1 tile after Row mode without Zero.
    l1_row_padding: L1RowPadding = "l1-row-padding" ["MGATHERL1-GAP-01"];
    /// When the scalar Elem gather to L1 zeroes its scratch.
    l1_scratch_zero: L1ScratchZero = "l1-scratch-zero" ["MGATHERL1-GAP-02"];
    /// How the GM index tensor of a gather to L1 is read.
    l1_index_pitch: L1IndexPitch = "l1-index-pitch" ["MGATHERL1-GAP-03"];
    /// Over whose valid region TSCATTER runs.
    tscatter_extent: ScatterExtent = "tscatter-extent" ["TSCATTER-GAP-03"];
    /// Destination slots that no index of a TSCATTER addresses.
    tscatter_unaddressed: Unaddressed = "tscatter-unaddressed" ["TSCATTER-GAP-02"];
    /// Which slots an index of TSCATTER may address.
    tscatter_range: ScatterRange = "tscatter-range" ["TSCATTER-GAP-05"];
    /// Padding of the destination after `MaskPattern::P1111`.
    mask_p1111_padding: MaskPadding = "mask-p1111-padding" ["TSCATTER-GAP-13"];
    /// What one offset of TGATHERB serves.
    tgatherb_granularity: OffsetGranularity = "tgatherb-granularity" ["TGATHERB-GAP-14"];
    /// Offsets of TGATHERB that are no multiple of the element size.
    tgatherb_unaligned: UnalignedOffset = "tgatherb-unaligned" ["TGATHERB-GAP-01"];
    /// Where the source of TGATHERB ends.
    tgatherb_boundary: OffsetBoundary = "tgatherb-boundary" ["TGATHERB-GAP-02", "TGATHERB-GAP-03"];
    /// What an index of the first revision selects on one-column tiles.
    first_mode: FirstMode = "first-mode" ["MSCATTER0-GAP-01"];
    /// Who survives among plain writers of one slot in the first revision.
    first_conflict: FirstConflict = "first-conflict" ["MSCATTER0-GAP-02"];
    /// `tableSize` in row mode of the first revision.
    first_row_capacity: FirstRowCapacity = "first-row-capacity" ["MSCATTER0-GAP-03"];
}

/// Why a reading could not be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownReading {
    /// There is no such gap parameter.
    Gap,
    /// The gap has no such choice.
    Choice(&'static Gap),
}
