//! Preconditions on the room that the tiles take in the unified buffer.

use ptodiff_isa::{Mscatter, Tile};

use super::findings::Findings;
use crate::coord::BLOCK_BYTES;

const KIB: u64 = 1024;
/// The whole buffer of A2/A3.
const A2A3_BYTES: u64 = 192 * KIB;
/// What A5 leaves beside the 8 KB reserve and the smallest data cache.
const A5_BYTES: u64 = (256 - 8 - 32) * KIB;
/// What A5 can be sure of without an explicit size.
const A5_DEFAULT_BYTES: u64 = 128 * KIB;

/// Padded bytes of both tiles, limits inclusive (MSCATTER-GAP-64, MGATHER-GAP-33).
fn footprint(call: &Mscatter) -> u64 {
    let bytes = |t: &Tile| {
        let elems = t.rows.saturating_mul(t.cols);
        let bytes = elems.saturating_mul(t.dtype.size() as u64);
        bytes
            .checked_next_multiple_of(BLOCK_BYTES)
            .unwrap_or(u64::MAX)
    };
    bytes(&call.src).saturating_add(bytes(&call.idx))
}

/// A2/A3: both tiles fit.
pub(super) fn a2a3(call: &Mscatter, found: &mut Findings) {
    let used = footprint(call);
    let clause = ["MSCATTER-UB-01", "MGATHER-UB-02"];
    found.precondition(used <= A2A3_BYTES, clause, || {
        format!("{used} bytes are more than the {A2A3_BYTES} that there are")
    });
}

/// A5: both tiles fit, in what the launch asked for if that is needed.
/// A size of 0 stands for no size.
pub(super) fn a5(call: &Mscatter, found: &mut Findings) {
    let used = footprint(call);
    let clause = ["MSCATTER-UB-05", "MGATHER-UB-05"];
    found.precondition(used <= A5_BYTES, clause, || {
        format!("{used} bytes are more than the {A5_BYTES} that there are")
    });
    match call.launch.dyn_ub_bytes {
        None | Some(0) => {
            let clause = ["MSCATTER-UB-07", "MGATHER-UB-07"];
            found.precondition(used <= A5_DEFAULT_BYTES, clause, || {
                format!("{used} bytes are more than {A5_DEFAULT_BYTES} and want a dynUBufSize")
            });
        }
        Some(asked) => {
            let clause = ["MSCATTER-UB-06", "MGATHER-UB-06"];
            found.precondition(asked <= A5_BYTES, clause, || {
                format!("dynUBufSize {asked} is more than {A5_BYTES}")
            });
            let covered = used <= A5_DEFAULT_BYTES || used <= asked;
            found.precondition(covered, ["MSCATTER-UB-16", "MGATHER-UB-14"], || {
                format!("{used} bytes are more than a dynUBufSize of {asked}")
            });
        }
    }
}
