//! What stands in the destination of a gather beside its valid region.

use ptodiff_isa::{
    Clause, Coalesce, GatherOob, GatherPadding, Mgather, NdZeroFill, NzRowColumns, Readings,
    SLayout, Target,
};

use crate::{
    coord::Plane,
    piece::Piece,
    runs::{Runs, Why},
};

const PADDING: Why = Why::open(Clause("MGATHER-GAP-18"));
/// The fill of a whole NZ tile before the transfers.
const FILLED: Why = Why::by("MGATHER-OOB-13");
/// The same of an ND tile, whose padding other targets keep.
const ND_FILLED: Why = Why::open(Clause("MGATHER-GAP-19"));

/// The padding of a destination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Padding {
    /// What no transfer reaches.
    pub(super) still: Piece<'static>,
    /// The rest of the last 32 bytes that a transfer of a row into an ND tile fills.
    pub(super) tail: Piece<'static>,
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
            _ if zero && !nd => Piece::Zero(FILLED),
            NdZeroFill::WholeTile if zero => Piece::Zero(ND_FILLED),
            _ if open => Piece::Open(PADDING),
            _ => Piece::Kept,
        };
        let tail = match readings.gather_padding {
            GatherPadding::BurstTail | GatherPadding::Undefined if bursts && nd => {
                Piece::Open(PADDING)
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
        if !matches!(self.still, Piece::Kept) {
            plane.each_gap(|at, len| self.still.put(runs, at * size, len * size));
        }
    }
}
