//! The checks of TSCATTER (002, Target-Profile Restrictions).

use ptodiff_isa::{DType, MaskAxis, Readings, Scope, Tile, TileType, TscatterIndex, TscatterMask};

use super::{Rejections, is_element};
use crate::tscatter::lanes;

/// What is rejected of the index form.
pub(super) fn by_index(call: &TscatterIndex, found: &mut Rejections) {
    let (dst, src, idx) = (
        ("destination", &call.dst),
        ("source", &call.src),
        ("index tile", &call.idx),
    );
    for (name, tile) in [dst, src, idx] {
        in_ub(name, tile, "TSCATTER-TILE-01", found);
    }
    for (name, tile) in [dst, src] {
        of_elements(name, tile, "TSCATTER-DTYPE-01", found);
    }
    same_dtype(dst.1, src.1, "TSCATTER-DTYPE-03", found);
    let (element, index) = (call.dst.dtype, call.idx.dtype);
    let is_index = matches!(
        index,
        DType::Int16 | DType::Int32 | DType::Uint16 | DType::Uint32
    );
    found.require(is_index, "TSCATTER-DTYPE-04", || {
        format!("indices of {index}")
    });
    for (name, tile) in [dst, src, idx] {
        for (valid, padded) in [(tile.valid_row, tile.rows), (tile.valid_col, tile.cols)] {
            let inside = valid.known().is_none_or(|valid| valid <= padded);
            found.require(inside, "TSCATTER-SHAPE-01", || {
                format!("{name} with {} valid of {padded}", valid.get())
            });
        }
    }
    let (wanted, clause) = match element.size() {
        4 => (4, "TSCATTER-DTYPE-05"),
        2 => (2, "TSCATTER-DTYPE-06"),
        1 => (2, "TSCATTER-DTYPE-07"),
        // In no list, and rejected as such.
        _ => return,
    };
    found.require(index.size() == wanted, clause, || {
        format!("indices of {index} with elements of {element}")
    });
}

/// What is rejected of the mask form. Where the documents have it A2/A3 has none
/// (TSCATTER-MODE-02); where the suites drive it, A5's rules hold (TSCATTER-GAP-09).
pub(super) fn by_mask(call: &TscatterMask, readings: &Readings, found: &mut Rejections) {
    let exists = readings.scope == Scope::AsTheSuite;
    found.require(exists, "TSCATTER-MODE-02", || {
        "A2/A3 has no masked TSCATTER".to_owned()
    });
    // The rows of both tiles are the same ones, so no group lies along them.
    let along_rows = call.axis == MaskAxis::Row;
    found.require(along_rows, "TSCATTER-SHAPE-02", || {
        "expansion along the rows".to_owned()
    });
    // A form that does not exist has no rules.
    if !exists || !along_rows {
        return;
    }
    let (dst, src) = (&call.dst, &call.src);
    for (name, tile) in [("destination", dst), ("source", src)] {
        in_ub(name, tile, "TSCATTER-TILE-02", found);
    }
    for (name, tile) in [("destination", dst), ("source", src)] {
        of_elements(name, tile, "TSCATTER-DTYPE-08", found);
    }
    same_dtype(dst, src, "TSCATTER-DTYPE-08", found);
    if let (Some(to), Some(from)) = (dst.valid_row.known(), src.valid_row.known()) {
        found.require(to == from, "TSCATTER-SHAPE-02", || {
            format!("{from} valid rows to {to}")
        });
    }
    let (factor, _) = lanes(call.pattern);
    if let (Some(to), Some(from)) = (dst.valid_col.known(), src.valid_col.known()) {
        found.require(
            from.checked_mul(factor) == Some(to),
            "TSCATTER-SHAPE-03",
            || format!("{from} valid columns times {factor} to {to}"),
        );
    }
}

fn in_ub(name: &str, tile: &Tile, clause: &'static str, found: &mut Rejections) {
    found.require(tile.location == TileType::Vec, clause, || {
        format!("{name} in {}", tile.location)
    });
}

fn of_elements(name: &str, tile: &Tile, clause: &'static str, found: &mut Rejections) {
    found.require(is_element(tile.dtype), clause, || {
        format!("{name} of {}", tile.dtype)
    });
}

fn same_dtype(dst: &Tile, src: &Tile, clause: &'static str, found: &mut Rejections) {
    found.require(dst.dtype == src.dtype, clause, || {
        format!("{} into {}", src.dtype, dst.dtype)
    });
}
