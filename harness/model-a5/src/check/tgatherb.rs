//! The implementation checks of TGATHERB on A5 (004, Target-Profile Restrictions).

use ptodiff_isa::Tgatherb;

use super::{Checks, is_common};

/// Adds what is rejected. Equal types, the offset's type, locations and layouts are
/// the caller's affair (TGATHERB-GAP-04, -05, -09, -10).
pub(super) fn check(call: &Tgatherb, checks: &mut Checks) {
    let Tgatherb { dst, src, .. } = call;
    let size = dst.dtype.size();
    checks.require(matches!(size, 1 | 2 | 4), "TGATHERB-DTYPE-02", || {
        format!("elements of {size} bytes")
    });
    for (name, tile) in [("a destination", dst), ("a source", src)] {
        checks.element_type(is_common(tile.dtype), "TGATHERB-DTYPE-04", name, tile.dtype);
    }
}
