//! The checks of TGATHERB (004, Target-Profile Restrictions / A2A3).

use ptodiff_isa::{BLayout, Tgatherb};

use super::{Rejections, is_element};

/// What is rejected of a call.
pub(super) fn check(call: &Tgatherb, found: &mut Rejections) {
    let dst = &call.dst;
    found.require(dst.blayout == BLayout::RowMajor, "TGATHERB-TILE-01", || {
        format!("destination is {}", dst.blayout)
    });
    found.require(dst.dtype.size() <= 4, "TGATHERB-DTYPE-01", || {
        format!("elements of {} bytes", dst.dtype.size())
    });
    for (name, dtype) in [("destination", dst.dtype), ("source", call.src.dtype)] {
        found.require(is_element(dtype), "TGATHERB-DTYPE-03", || {
            format!("{name} of {dtype}")
        });
    }
}
