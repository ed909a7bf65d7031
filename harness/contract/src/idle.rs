//! Calls that a run-time extent of 0 leaves nothing to do.

use ptodiff_isa::{Dim, EmptyExtent, Readings, Tile};

/// Whether a call between GM and UB on an NPU, of the current revision, does
/// nothing at all since an extent of its `data` tile is 0 at run time
/// (MSCATTER-GAP-38, MGATHER-GAP-26). A static 0 is rejected.
pub(crate) fn idle(data: &Tile, readings: &Readings) -> bool {
    let none = |dim: Dim| dim.known().is_none() && dim.get() == 0;
    readings.empty_extent == EmptyExtent::NoOp && (none(data.valid_row) || none(data.valid_col))
}
