//! What stands in the destination of a gather beside its valid region.

use ptodiff_isa::{
    Clause, Coalesce, GatherOob, GatherPadding, Mgather, NdZeroFill, NzRowColumns, Readings,
    SLayout, Target,
};

use crate::{
    coord::Plane,
    runs::{Runs, Why},
};

const PADDING: Why = Why::open(Clause("MGATHER-GAP-18"));
/// The fill of a whole NZ tile before the transfers.
const FILLED: Why = Why::by("MGATHER-OOB-13");
/// The same of an ND tile, whose padding other targets keep.
const ND_FILLED: Why = Why::open(Clause("MGATHER-GAP-19"));

/// What some slots hold that are not valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PaddingContent {
    /// What they held.
    Kept,
    /// Zero.
    Zero(Why),
    /// Anything.
    Open(Why),
}

impl PaddingContent {
    /// Says so of `len` bytes at `offset`.
    pub(super) fn put(self, runs: &mut Runs, offset: usize, len: usize) {
        match self {
            Self::Kept => {}
            Self::Zero(why) => runs.zeros(offset, len, why),
            Self::Open(why) => runs.anything(offset, len, why),
        }
    }
}

/// The padding of a destination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Padding {
    /// What no transfer reaches.
    pub(super) still: PaddingContent,
    /// The rest of the last 32 bytes that a transfer of a row into an ND tile fills.
    pub(super) tail: PaddingContent,
    /// Columns from ValidCol on of the rows that are moved into an NZ tile.
    pub(super) columns: NzRowColumns,
}

impl Padding {
    pub(super) fn of(call: &Mgather, target: Target, readings: &Readings) -> Self {
        let open = readings.gather_padding == GatherPadding::Undefined;
        let bursts = target == Target::A2a3 && call.mode == Coalesce::Row;
        let nd = call.dst.slayout == SLayout::NoneBox;
        let zero = bursts && call.oob == GatherOob::Zero;
        let still = match readings.nd_zero_fill {
            _ if zero && !nd => PaddingContent::Zero(FILLED),
            NdZeroFill::WholeTile if zero => PaddingContent::Zero(ND_FILLED),
            _ if open => PaddingContent::Open(PADDING),
            _ => PaddingContent::Kept,
        };
        let tail = match readings.gather_padding {
            GatherPadding::BurstTail | GatherPadding::Undefined if bursts && nd => {
                PaddingContent::Open(PADDING)
            }
            _ => still,
        };
        Self {
            still,
            tail,
            columns: readings.nz_row_columns,
        }
    }

    /// All padding of `plane`, none of which a transfer reaches.
    pub(super) fn around(&self, runs: &mut Runs, plane: &Plane, size: usize) {
        if self.still != PaddingContent::Kept {
            plane.each_gap(|at, len| self.still.put(runs, at * size, len * size));
        }
    }
}
