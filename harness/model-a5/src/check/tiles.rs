//! The implementation checks of TSCATTER and TGATHERB (002 and 004, A5).

use ptodiff_isa::{
    DType, MaskAxis, Readings, Refusal, Scope, Tgatherb, Tile, TscatterIndex, TscatterMask,
};

use crate::mask::Group;

use super::{in_ub, refuse};

/// Implementation checks (A5) of the index form.
pub(crate) fn tscatter_index(call: &TscatterIndex, readings: &Readings, found: &mut Vec<Refusal>) {
    let TscatterIndex { dst, src, idx } = call;
    let tiles = [("destination", dst), ("source", src), ("index", idx)];
    for (name, tile) in tiles {
        in_ub(found, "TSCATTER-TILE-01", name, tile);
    }
    // The suites' 64-bit cases have 32-bit indices (TSCATTER-GAP-09).
    let wide = readings.scope == Scope::AsTheSuite && idx.dtype.size() == 4;
    for (name, tile) in [("destination", dst), ("source", src)] {
        if !is_listed(tile.dtype, wide) {
            let why = format!("a {name} of {}", tile.dtype);
            refuse(found, "TSCATTER-DTYPE-02", why);
        }
    }
    if dst.dtype != src.dtype {
        let why = format!("a destination of {} for {}", dst.dtype, src.dtype);
        refuse(found, "TSCATTER-DTYPE-03", why);
    }
    index_dtype(dst.dtype, idx.dtype, found);
    for (name, tile) in tiles {
        bounds(name, tile, found);
    }
}

/// Index types and the widths that go with the data's (TSCATTER-DTYPE-04 to -07).
fn index_dtype(data: DType, index: DType, found: &mut Vec<Refusal>) {
    use DType::{Int16, Int32, Uint16, Uint32};
    if !matches!(index, Int16 | Int32 | Uint16 | Uint32) {
        refuse(found, "TSCATTER-DTYPE-04", format!("indices of {index}"));
    }
    let (clause, size) = match data.size() {
        1 => ("TSCATTER-DTYPE-07", 2),
        2 => ("TSCATTER-DTYPE-06", 2),
        4 => ("TSCATTER-DTYPE-05", 4),
        _ => return,
    };
    if index.size() != size {
        refuse(found, clause, format!("{index} indices for {data}"));
    }
}

/// Static valid bounds (TSCATTER-SHAPE-01).
fn bounds(name: &str, tile: &Tile, found: &mut Vec<Refusal>) {
    for (extent, valid, padded) in [
        ("ValidRow", tile.valid_row, tile.rows),
        ("ValidCol", tile.valid_col, tile.cols),
    ] {
        if let Some(valid) = valid.known()
            && valid > padded
        {
            let why = format!("{name} {extent} is {valid} of {padded}");
            refuse(found, "TSCATTER-SHAPE-01", why);
        }
    }
}

/// Mask scatter checks.
pub(crate) fn tscatter_mask(call: &TscatterMask, readings: &Readings, found: &mut Vec<Refusal>) {
    let TscatterMask { dst, src, .. } = call;
    let wide = readings.scope == Scope::AsTheSuite;
    for (name, tile) in [("destination", dst), ("source", src)] {
        in_ub(found, "TSCATTER-TILE-02", name, tile);
        if !is_listed(tile.dtype, wide) {
            let why = format!("a {name} of {}", tile.dtype);
            refuse(found, "TSCATTER-DTYPE-08", why);
        }
    }
    if dst.dtype != src.dtype {
        let why = format!("a destination of {} for {}", dst.dtype, src.dtype);
        refuse(found, "TSCATTER-DTYPE-08", why);
    }
    if call.axis == MaskAxis::Col {
        let why = "groups along the columns".into();
        return refuse(found, "TSCATTER-SHAPE-02", why);
    }
    if let (Some(rows), Some(expected)) = (dst.valid_row.known(), src.valid_row.known())
        && rows != expected
    {
        let why = format!("destination ValidRow is {rows}, not {expected}");
        refuse(found, "TSCATTER-SHAPE-02", why);
    }
    let factor = Group::of(call.pattern).factor;
    if let (Some(cols), Some(from)) = (dst.valid_col.known(), src.valid_col.known())
        && from.checked_mul(factor.into()) != Some(cols)
    {
        let why = format!("destination ValidCol is {cols}, not {factor} times {from}");
        refuse(found, "TSCATTER-SHAPE-03", why);
    }
}

/// Implementation checks (A5) of TGATHERB.
pub(crate) fn tgatherb(call: &Tgatherb, found: &mut Vec<Refusal>) {
    let Tgatherb { dst, src, .. } = call;
    if dst.dtype.size() > 4 {
        let why = format!("elements of {} bytes", dst.dtype.size());
        refuse(found, "TGATHERB-DTYPE-02", why);
    }
    for (name, tile) in [("destination", dst), ("source", src)] {
        if !is_listed(tile.dtype, false) {
            let why = format!("a {name} of {}", tile.dtype);
            refuse(found, "TGATHERB-DTYPE-04", why);
        }
    }
}

/// Whether a data type is one of the nine of 002 and 004, or a 64-bit one
/// where these are admitted.
fn is_listed(dtype: DType, wide: bool) -> bool {
    match dtype {
        DType::Int8
        | DType::Uint8
        | DType::Int16
        | DType::Uint16
        | DType::Int32
        | DType::Uint32
        | DType::Half
        | DType::Bfloat16
        | DType::Float => true,
        DType::Int64 | DType::Uint64 => wide,
        DType::Float8E4M3 | DType::Float8E5M2 | DType::Hifloat8 => false,
    }
}
