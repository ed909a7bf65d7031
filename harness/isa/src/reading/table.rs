//! Every reading, declared once: what it is about, its gaps, and when it matters.
//!
//! The order is that in which readings are listed and drawn at random: a new one
//! changes the draws of every seed.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::{Gap, UnknownReading, choices::*};
use crate::{
    BLayout, Call, Clause, Form, GatherOob, GlobalTensor, Layout, MaskPattern, Role,
    ScatterAtomicOp::{Add, Max, Min},
    ScatterOob, Target, Tile,
};

/// Declares [`Readings`] and [`GAPS`]. Of a reading it wants all of this:
/// - `about`: a row of the table in the guide;
/// - `gaps`: the gaps of the register that it answers;
/// - `forms` and `targets`: whose calls it may change;
/// - `matters`: whether another choice may change anything of a call of these, the
///   contract's promise included. A test asks it about every case.
macro_rules! readings {
    ($($field:ident: $choice:ty = $name:literal {
        about: $about:literal,
        gaps: [$($gap:literal),+ $(,)?],
        forms: [$($form:ident),+],
        targets: [$($target:ident),+],
        matters: $matters:expr,
    })*) => {
        /// The reading in force for every gap that is a parameter.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub struct Readings {
            $(#[doc = $about] pub $field: $choice,)*
        }

        /// Every gap that is a parameter.
        pub const GAPS: &[Gap] = &[$(Gap {
            name: $name,
            about: $about,
            clauses: &[$(Clause($gap)),+],
            choices: <$choice as strum::VariantNames>::VARIANTS,
            forms: &[$(Form::$form),+],
            targets: &[$(Target::$target),+],
            matters: $matters,
            put: |readings, choice| readings.$field = <$choice>::VARIANTS[choice],
            get: |readings| readings.$field.into(),
        }),*];
    };
}

readings! {
    cpu_form: CpuForm = "cpu-form" {
        about: "which form of MSCATTER the CPU has",
        gaps: ["MSCATTER-GAP-41"],
        forms: [Mscatter],
        targets: [Cpu],
        matters: |_| true,
    }

    negative_index: NegativeIndex = "negative-index" {
        about: "a negative index, on the CPU one of MSCATTER",
        gaps: ["MSCATTER-GAP-01", "MGATHER-GAP-02", "MGATHERL1-GAP-04", "MSCATTER0-GAP-05"],
        forms: [Mscatter, MscatterFirst, Mgather, MgatherL1],
        targets: [Cpu, A2a3, A5],
        matters: |on| {
            // MGATHER casts to `uint32_t` on CPU whatever this says (001); MSCATTER may have
            // policies there (MSCATTER-GAP-41).
            let read = on.target != Target::Cpu || on.form() == Form::Mscatter;
            read && on.has_negative_index()
        },
    }

    nz_elem_order: NzElemOrder = "nz-elem-order" {
        about: "order of elements in an NZ tile, a2a3",
        gaps: ["MSCATTER-GAP-08"],
        forms: [Mscatter],
        targets: [A2a3],
        matters: |on| on.by_elem() && on.table_is(Layout::NZ),
    }

    add_overflow: AddOverflow = "add-overflow" {
        about: "integer overflow of Add",
        gaps: ["MSCATTER-GAP-05"],
        forms: [Mscatter, MscatterFirst],
        targets: [A2a3, A5],
        matters: |on| on.combines_by(&[Add]) && !on.has_floats(),
    }

    row_add_order: RowAddOrder = "row-add-order" {
        about: "order of a float Row Add, a2a3",
        gaps: ["MSCATTER-GAP-07"],
        forms: [Mscatter],
        targets: [A2a3],
        matters: |on| on.by_row() && on.combines_by(&[Add]),
    }

    max_min_nan: MaxMinNan = "max-min-nan" {
        about: "NaN in Max and Min",
        gaps: ["MSCATTER-GAP-03"],
        forms: [Mscatter, MscatterFirst],
        targets: [Cpu, A5],
        matters: |on| on.combines_by(&[Max, Min]) && on.has_floats(),
    }

    max_min_zero: MaxMinZero = "max-min-zero" {
        about: "zeros of both signs in Max and Min",
        gaps: ["MSCATTER-GAP-04"],
        forms: [Mscatter, MscatterFirst],
        targets: [Cpu, A5],
        matters: |on| on.combines_by(&[Max, Min]) && on.has_floats(),
    }

    subnormals: Subnormals = "subnormals" {
        about: "subnormal numbers in float atomics",
        gaps: ["MSCATTER-GAP-80"],
        forms: [Mscatter, MscatterFirst],
        targets: [A2a3, A5],
        matters: |on| on.combines_by(&[Add, Max, Min]) && on.has_floats(),
    }

    last_by: LastBy = "last-by" {
        about: "which element is last, a5",
        gaps: ["MSCATTER-GAP-72"],
        forms: [Mscatter],
        targets: [A5],
        matters: |on| {
            let by_column = |tile: &Tile| tile.blayout == BLayout::ColMajor;
            (by_column(on.data()) || on.index_tile(by_column)) && on.by_elem() && on.last_wins()
        },
    }

    padded_elem: PaddedElem = "padded-elem" {
        about: "Elem mode in a table that is not packed",
        gaps: ["MSCATTER-GAP-18", "MSCATTER-GAP-19", "MGATHER-GAP-07"],
        forms: [Mscatter, Mgather],
        targets: [A2a3, A5],
        matters: |on| on.by_elem() && on.table_is(Layout::ND) && !on.has_dense_table(),
    }

    burst_tail: BurstTail = "burst-tail" {
        about: "a row that is no multiple of 32 bytes, a2a3",
        gaps: ["MSCATTER-GAP-28"],
        forms: [Mscatter],
        targets: [A2a3],
        matters: |on| {
            let size = on.data().dtype.size() as u64;
            let bytes = on.data().valid_col.get().saturating_mul(size);
            on.by_row_of_nd() && !bytes.is_multiple_of(32)
        },
    }

    nz_row_columns: NzRowColumns = "nz-row-columns" {
        about: "columns after the valid ones in NZ Row, a2a3",
        gaps: ["MSCATTER-GAP-22", "MGATHER-GAP-57"],
        forms: [Mscatter, Mgather],
        targets: [A2a3],
        matters: |on| on.by_row() && on.table_is(Layout::NZ),
    }

    row_capacity: RowCapacity = "row-capacity" {
        about: "Row capacity when there are outer dimensions",
        gaps: ["MSCATTER-GAP-15", "MGATHER-GAP-05"],
        forms: [Mscatter, Mgather],
        targets: [A5],
        matters: |on| on.by_row() && on.has_outer_dimensions(),
    }

    outer_strides: OuterStrides = "outer-strides" {
        about: "outer strides in Row mode, a2a3",
        gaps: ["MSCATTER-GAP-16", "MGATHER-GAP-06"],
        forms: [Mscatter, Mgather],
        targets: [A2a3],
        matters: |on| on.by_row_of_nd() && on.has_outer_dimensions(),
    }

    narrow_row: NarrowRow = "narrow-row" {
        about: "a tile narrower than the table in Row mode",
        gaps: ["MSCATTER-GAP-17", "MGATHER-GAP-10"],
        forms: [Mscatter, Mgather],
        targets: [Cpu, A2a3],
        matters: |on| {
            let read = on.target != Target::Cpu || on.form() == Form::Mgather;
            let cols = on.data().valid_col.get();
            read && on.by_row_of_nd() && on.table(|t| t.shape[4].get() != cols)
        },
    }

    width_check: WidthCheck = "width-check" {
        about: "the check of the table width, a5",
        gaps: ["MSCATTER-GAP-12", "MGATHER-GAP-42"],
        forms: [Mscatter, Mgather],
        targets: [A5],
        matters: |on| {
            let differ = |(valid, width)| valid != width;
            let width = |t: &GlobalTensor| on.data().valid_col.known().zip(t.shape[4].known());
            on.by_elem() && on.table(|t| width(t).is_some_and(differ))
        },
    }

    row_pitch: RowPitch = "row-pitch" {
        about: "rows of the table that are not packed, a5",
        gaps: ["MSCATTER-GAP-13", "MSCATTER-GAP-14", "MGATHER-GAP-09"],
        forms: [Mscatter, Mgather],
        targets: [A5],
        matters: |on| {
            let cols = on.data().valid_col.get();
            on.by_row() && on.table(|t| [t.shape[4], t.stride[3]].iter().any(|d| d.get() != cols))
        },
    }

    row_index_pitch: RowIndexPitch = "row-index-pitch" {
        about: "row indices that are not consecutive, a5",
        gaps: ["MSCATTER-GAP-36", "MGATHER-GAP-15"],
        forms: [Mscatter, Mgather],
        targets: [A5],
        matters: |on| {
            let apart = |idx: &Tile| match idx.blayout {
                BLayout::RowMajor => idx.valid_col.get() == 1 && idx.cols > 1,
                BLayout::ColMajor => idx.valid_row.get() == 1 && idx.rows > 1,
            };
            on.by_row() && on.index_tile(apart)
        },
    }

    empty_extent: EmptyExtent = "empty-extent" {
        about: "a valid extent of 0 at run time",
        gaps: ["MSCATTER-GAP-38", "MGATHER-GAP-26"],
        forms: [Mscatter, Mgather],
        targets: [A2a3, A5],
        matters: |on| {
            let empty = |tile: &Tile| [tile.valid_row, tile.valid_col].iter().any(|d| d.get() == 0);
            empty(on.data()) || on.index_tile(empty)
        },
    }

    undefined_last: UndefinedLast = "undefined-last" {
        about: "out-of-range index under Undefined and Last, a5",
        gaps: ["MSCATTER-GAP-10"],
        forms: [Mscatter],
        targets: [A5],
        matters: |on| on.last_wins() && on.scatters_with(ScatterOob::Undefined),
    }

    undefined_gather: UndefinedGather = "undefined-gather" {
        about: "out-of-range index of a gather under Undefined",
        gaps: ["MGATHER-GAP-69"],
        forms: [Mgather],
        targets: [Cpu, A2a3, A5],
        matters: |on| {
            let reaches = |t: &GlobalTensor| on.some_index_reaches(on.least_capacity(t));
            on.gathers_with(GatherOob::Undefined) && on.table(reaches)
        },
    }

    gather_padding: GatherPadding = "gather-padding" {
        about: "padding of the destination of MGATHER in UB",
        gaps: ["MGATHER-GAP-18"],
        forms: [Mgather],
        targets: [Cpu, A2a3, A5],
        matters: |on| on.is_padded(Role::Destination),
    }

    nd_zero_fill: NdZeroFill = "nd-zero-fill" {
        about: "what Zero fills in Row mode, a2a3",
        gaps: ["MGATHER-GAP-19"],
        forms: [Mgather],
        targets: [A2a3],
        matters: |on| {
            let zero = on.gathers_with(GatherOob::Zero);
            zero && on.by_row_of_nd() && on.is_padded(Role::Destination)
        },
    }

    cpu_padded_table: CpuPaddedTable = "cpu-padded-table" {
        about: "tables with padded rows in Row mode, cpu",
        gaps: ["MGATHER-GAP-08"],
        forms: [Mgather],
        targets: [Cpu],
        matters: |on| on.by_row_of_nd() && !on.has_dense_table(),
    }

    cpu_row_check: CpuRowCheck = "cpu-row-check" {
        about: "row index shapes that the rule forbids, cpu",
        gaps: ["MGATHER-GAP-12"],
        forms: [Mgather],
        targets: [Cpu],
        matters: |on| on.by_row(),
    }

    cpu_row_index: CpuRowIndex = "cpu-row-index" {
        about: "one row index a row of a wider tile, cpu",
        gaps: ["MGATHER-GAP-56"],
        forms: [Mgather],
        targets: [Cpu],
        matters: |on| {
            on.by_row() && on.index_tile(|idx| idx.valid_col.get() == 1 && idx.cols > 1)
        },
    }

    cpu_table_type: CpuTableType = "cpu-table-type" {
        about: "a table of another type of the same size, cpu",
        gaps: ["MGATHER-GAP-13"],
        forms: [Mgather],
        targets: [Cpu],
        matters: |on| on.table(|t| t.dtype != on.data().dtype),
    }

    index_unit: IndexUnit = "index-unit" {
        about: "what an index counts in Elem mode",
        gaps: ["MSCATTER-GAP-87", "MGATHER-GAP-76", "MGATHERL1-GAP-35"],
        forms: [Mscatter, Mgather, MgatherL1],
        targets: [Cpu, A2a3, A5],
        matters: |on| on.by_elem() || on.target == Target::Cpu,
    }

    nz_dynamic: NzDynamic = "nz-dynamic" {
        about: "NZ tables with run-time inner dimensions",
        gaps: ["MSCATTER-GAP-27", "MGATHER-GAP-23"],
        forms: [Mscatter, Mgather],
        targets: [A2a3],
        matters: |on| {
            let dynamic = |t: &GlobalTensor| t.shape[3..].iter().any(|d| d.known().is_none());
            on.table_is(Layout::NZ) && on.table(dynamic)
        },
    }

    scope: Scope = "scope" {
        about: "forms that the documents give to some targets only",
        gaps: ["MGATHERL1-GAP-14", "TSCATTER-GAP-09"],
        forms: [MgatherL1, TscatterIndex, TscatterMask],
        targets: [Cpu, A2a3, A5],
        matters: |on| match on.call {
            Call::MgatherL1(_) => on.target == Target::Cpu,
            Call::TscatterIndex(c) => [c.src.dtype, c.dst.dtype].iter().any(|t| t.size() == 8),
            _ => true,
        },
    }

    l1_row_padding: L1RowPadding = "l1-row-padding" {
        about: "padding of the L1 tile after Row",
        gaps: ["MGATHERL1-GAP-01"],
        forms: [MgatherL1],
        targets: [Cpu, A2a3, A5],
        matters: |on| on.by_row() && on.is_padded(Role::Destination),
    }

    l1_scratch_zero: L1ScratchZero = "l1-scratch-zero" {
        about: "when the scratch of Elem is zeroed",
        gaps: ["MGATHERL1-GAP-02"],
        forms: [MgatherL1],
        targets: [Cpu, A2a3, A5],
        matters: |on| on.by_elem() && on.is_padded(Role::Destination),
    }

    l1_index_pitch: L1IndexPitch = "l1-index-pitch" {
        about: "how the index tensor of a gather to L1 is read",
        gaps: ["MGATHERL1-GAP-03"],
        forms: [MgatherL1],
        targets: [Cpu, A2a3, A5],
        matters: |_| true,
    }

    tscatter_extent: ScatterExtent = "tscatter-extent" {
        about: "whose valid region TSCATTER runs over",
        gaps: ["TSCATTER-GAP-03"],
        forms: [TscatterIndex],
        targets: [Cpu, A2a3, A5],
        matters: |_| true,
    }

    tscatter_index: ScatterIndex = "tscatter-index" {
        about: "what an index of TSCATTER names",
        gaps: ["TSCATTER-GAP-22"],
        forms: [TscatterIndex],
        targets: [Cpu, A2a3, A5],
        matters: |_| true,
    }

    tscatter_negative_index: NegativeIndex = "tscatter-negative-index" {
        about: "a negative index of TSCATTER",
        gaps: ["TSCATTER-GAP-06"],
        forms: [TscatterIndex],
        targets: [Cpu, A2a3, A5],
        matters: |on| on.has_negative_index(),
    }

    tscatter_unaddressed: Unaddressed = "tscatter-unaddressed" {
        about: "slots of TSCATTER that no index selects",
        gaps: ["TSCATTER-GAP-02"],
        forms: [TscatterIndex],
        targets: [Cpu, A2a3, A5],
        matters: |_| true,
    }

    tscatter_range: ScatterRange = "tscatter-range" {
        about: "which slots an index of TSCATTER may select",
        gaps: ["TSCATTER-GAP-05"],
        forms: [TscatterIndex],
        targets: [Cpu, A2a3, A5],
        matters: |on| on.is_padded(Role::Destination),
    }

    mask_p1111_padding: MaskPadding = "mask-p1111-padding" {
        about: "padding after the mask P1111",
        gaps: ["TSCATTER-GAP-13"],
        forms: [TscatterMask],
        targets: [Cpu, A2a3, A5],
        matters: |on| {
            let all = matches!(on.call, Call::TscatterMask(c) if c.pattern == MaskPattern::P1111);
            all && on.is_padded(Role::Destination)
        },
    }

    tgatherb_granularity: OffsetGranularity = "tgatherb-granularity" {
        about: "how much one offset of TGATHERB serves",
        gaps: ["TGATHERB-GAP-14"],
        forms: [Tgatherb],
        targets: [Cpu, A2a3, A5],
        matters: |_| true,
    }

    tgatherb_unaligned: UnalignedOffset = "tgatherb-unaligned" {
        about: "offsets that are no multiple of the element size",
        gaps: ["TGATHERB-GAP-01"],
        forms: [Tgatherb],
        targets: [Cpu, A2a3, A5],
        matters: |_| true,
    }

    tgatherb_boundary: OffsetBoundary = "tgatherb-boundary" {
        about: "where the source of TGATHERB ends",
        gaps: ["TGATHERB-GAP-02", "TGATHERB-GAP-03"],
        forms: [Tgatherb],
        targets: [Cpu, A2a3, A5],
        matters: |on| on.is_padded(Role::Source),
    }

    first_mode: FirstMode = "first-mode" {
        about: "one-column tiles in the first revision",
        gaps: ["MSCATTER0-GAP-01"],
        forms: [MscatterFirst],
        targets: [A5],
        matters: |on| on.data().cols == 1 && on.index_tile(|idx| idx.cols == 1),
    }

    first_conflict: FirstConflict = "first-conflict" {
        about: "which plain writer wins in the first revision",
        gaps: ["MSCATTER0-GAP-02"],
        forms: [MscatterFirst],
        targets: [A5],
        matters: |_| true,
    }

    first_row_capacity: FirstRowCapacity = "first-row-capacity" {
        about: "Row capacity in the first revision",
        gaps: ["MSCATTER0-GAP-03"],
        forms: [MscatterFirst],
        targets: [A5],
        matters: |_| true,
    }
}

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
        let number = gap.choices.iter().position(|known| *known == choice);
        gap.put(self, number.ok_or(UnknownReading::Choice(gap))?);
        Ok(())
    }

    /// The choice in force for the gap called `name`.
    #[must_use]
    pub fn choice(&self, name: &str) -> Option<&'static str> {
        let gap = GAPS.iter().find(|gap| gap.name == name)?;
        Some(gap.choice(self))
    }
}
