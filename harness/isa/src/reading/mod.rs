//! Readings: named answers to gaps that change values.
//!
//! The first choice of each enum is the default. A gap without an entry here
//! has one fixed answer; `harness/register/gaps` lists them all.

use std::ops::Index;

use serde::{Deserialize, Serialize};

use crate::{Clause, Target};

pub mod choices;

use choices::*;

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
    /// Integer overflow of `Add`.
    add_overflow: AddOverflow = "add-overflow" ["MSCATTER-GAP-05"];
    /// Order of a float Row Add on A2/A3.
    row_add_order: RowAddOrder = "row-add-order" ["MSCATTER-GAP-07"];
    /// NaN in Max and Min, on A5 and on CPU under `cpu-form=templated`.
    max_min_nan: MaxMinNan = "max-min-nan" ["MSCATTER-GAP-03"];
    /// Zeros in Max and Min, on A5 and on CPU under `cpu-form=templated`.
    max_min_zero: MaxMinZero = "max-min-zero" ["MSCATTER-GAP-04"];
    /// Subnormals in floating-point atomics on the NPUs.
    subnormals: Subnormals = "subnormals" ["MSCATTER-GAP-80"];
    /// Which element is last on A5.
    last_by: LastBy = "last-by" ["MSCATTER-GAP-72"];
    /// Elem mode in an ND table with padded rows.
    padded_elem: PaddedElem = "padded-elem" [
        "MSCATTER-GAP-18", "MSCATTER-GAP-19", "MGATHER-GAP-07"
    ];
    /// Bursts of A2/A3 Row ND that are no multiple of 32 bytes.
    burst_tail: BurstTail = "burst-tail" ["MSCATTER-GAP-28"];
    /// Columns from ValidCol on in A2/A3 NZ Row.
    nz_row_columns: NzRowColumns = "nz-row-columns" ["MSCATTER-GAP-22", "MGATHER-GAP-57"];
    /// Row capacity with outer dimensions.
    row_capacity: RowCapacity = "row-capacity" ["MSCATTER-GAP-15", "MGATHER-GAP-05"];
    /// Outer strides in A2/A3 Row ND.
    outer_strides: OuterStrides = "outer-strides" ["MSCATTER-GAP-16", "MGATHER-GAP-06"];
    /// Tiles narrower than the table in Row ND.
    narrow_row: NarrowRow = "narrow-row" ["MSCATTER-GAP-17", "MGATHER-GAP-10"];
    /// A5's check of the table's width.
    width_check: WidthCheck = "width-check" ["MSCATTER-GAP-12", "MGATHER-GAP-42"];
    /// Rows of A5's Row table that are not validCols apart or wide.
    row_pitch: RowPitch = "row-pitch" ["MSCATTER-GAP-13", "MSCATTER-GAP-14", "MGATHER-GAP-09"];
    /// Row indices on A5 that do not follow each other.
    row_index_pitch: RowIndexPitch = "row-index-pitch" ["MSCATTER-GAP-36", "MGATHER-GAP-15"];
    /// Run-time valid extents of 0 on the NPUs, MSCATTER and MGATHER to UB.
    empty_extent: EmptyExtent = "empty-extent" ["MSCATTER-GAP-38", "MGATHER-GAP-26"];
    /// Out-of-bounds indices under Undefined with Last on A5.
    undefined_last: UndefinedLast = "undefined-last" ["MSCATTER-GAP-10"];
    /// Out-of-bounds indices of a gather to UB under Undefined.
    undefined_gather: UndefinedGather = "undefined-gather" ["MGATHER-GAP-69"];
    /// Padding of MGATHER's destination in UB.
    gather_padding: GatherPadding = "gather-padding" ["MGATHER-GAP-18"];
    /// What Zero fills in A2/A3 ND Row.
    nd_zero_fill: NdZeroFill = "nd-zero-fill" ["MGATHER-GAP-19"];
    /// Stride-padded ND tables in Row mode on CPU.
    cpu_padded_table: CpuPaddedTable = "cpu-padded-table" ["MGATHER-GAP-08"];
    /// Row index shapes on CPU that the shape rule forbids.
    cpu_row_check: CpuRowCheck = "cpu-row-check" ["MGATHER-GAP-12"];
    /// `[R, 1]` RowMajor index tiles of Row mode on CPU.
    cpu_row_index: CpuRowIndex = "cpu-row-index" ["MGATHER-GAP-56"];
    /// Destination and table of two types on CPU.
    cpu_table_type: CpuTableType = "cpu-table-type" ["MGATHER-GAP-13"];
    /// What an index counts in Elem mode.
    index_unit: IndexUnit = "index-unit" [
        "MSCATTER-GAP-87", "MGATHER-GAP-76", "MGATHERL1-GAP-35"
    ];
    /// NZ tables with inner dimensions known at run time only.
    nz_dynamic: NzDynamic = "nz-dynamic" ["MSCATTER-GAP-27", "MGATHER-GAP-23"];
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
    /// What an index of TSCATTER names.
    tscatter_index: ScatterIndex = "tscatter-index" ["TSCATTER-GAP-22"];
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

/// The readings in force on each target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct TargetReadings([Readings; 3]);

impl From<Readings> for TargetReadings {
    fn from(on_all: Readings) -> Self {
        Self([on_all; 3])
    }
}

impl Index<Target> for TargetReadings {
    type Output = Readings;

    fn index(&self, target: Target) -> &Readings {
        &self.0[target as usize]
    }
}

impl TargetReadings {
    /// Sets the gap called `name` to `choice`: on all targets, or on one where
    /// the name begins with it, as in `cpu:tscatter-unaddressed`.
    ///
    /// # Errors
    /// As those of [`Readings::set`]; a target that does not exist is an unknown gap.
    pub fn set(&mut self, name: &str, choice: &str) -> Result<(), UnknownReading> {
        match name.split_once(':') {
            None => self.0.iter_mut().try_for_each(|one| one.set(name, choice)),
            Some((target, name)) => {
                let target: Target = target.parse().map_err(|_| UnknownReading::Gap)?;
                self.0[target as usize].set(name, choice)
            }
        }
    }

    /// These with each of `choices`, as (gap, choice): those of one target count
    /// more than those of all, wherever they stand.
    ///
    /// # Errors
    /// As those of [`Self::set`], for the first that is unknown.
    pub fn with<'c>(
        mut self,
        choices: impl Iterator<Item = (&'c str, &'c str)> + Clone,
    ) -> Result<Self, UnknownReading> {
        let of_all = |(name, _): &(&str, &str)| !name.contains(':');
        for (name, choice) in choices.clone().filter(of_all) {
            self.set(name, choice)?;
        }
        for (name, choice) in choices.filter(|one| !of_all(one)) {
            self.set(name, choice)?;
        }
        Ok(self)
    }

    /// The choices that are not the default, as (gap, choice), with the target in
    /// front where the targets differ.
    #[must_use]
    pub fn chosen(&self) -> Vec<(String, &'static str)> {
        let default = Readings::default();
        let mut all = Vec::new();
        for name in GAPS.iter().map(|gap| gap.name) {
            let of = |target: Target| self[target].choice(name);
            let [cpu, a2a3, a5] = [Target::Cpu, Target::A2a3, Target::A5].map(of);
            let chosen = |choice: &Option<&'static str>| *choice != default.choice(name);
            if cpu == a2a3 && cpu == a5 {
                all.extend(
                    cpu.filter(|c| chosen(&Some(c)))
                        .map(|c| (name.to_owned(), c)),
                );
                continue;
            }
            for target in [Target::Cpu, Target::A2a3, Target::A5] {
                let choice = of(target).filter(|c| chosen(&Some(c)));
                all.extend(choice.map(|c| (format!("{target}:{name}"), c)));
            }
        }
        all
    }
}

/// Why a reading could not be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownReading {
    /// There is no such gap parameter.
    Gap,
    /// The gap has no such choice.
    Choice(&'static Gap),
}
