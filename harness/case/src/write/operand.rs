//! Writing operands and how their data is made.

use std::collections::BTreeMap;
use std::fmt::Write;

use ptodiff_isa::{Call, DType, Dim, Form, GlobalTensor, MgatherL1, Operand, Role, Tile};

use super::line;
use crate::limits::dense_strides;
use crate::plan::{DataPlan, Fill, IndexPattern};

/// Every operand of a call, with all that describes it and how its data is made.
pub(super) fn all(out: &mut String, call: &Call, plan: &DataPlan) {
    let shared = call.data_tile().dtype;
    for (role, operand) in call.operands() {
        let dtype = operand.dtype();
        let _ = writeln!(out, "    {}:", Form::of(call).key(role));
        if role == Role::Index || dtype != shared {
            line(out, 6, "dtype", dtype);
        }
        match operand {
            Operand::Tile(tile) => tile_keys(out, tile),
            Operand::Tensor(tensor) => tensor_keys(out, tensor),
        }
        let data = match plan.fill(role) {
            Some(filled) => fill(filled, dtype),
            None => pattern(&plan.index, dtype),
        };
        line(out, 6, "data", data);
    }
    if let Call::MgatherL1(MgatherL1 { scratch: None, .. }) = call {
        line(out, 4, "scratch", "none");
    }
}

fn tile_keys(out: &mut String, tile: &Tile) {
    let _ = writeln!(out, "      shape: [{}, {}]", tile.rows, tile.cols);
    let valid = extents(&[tile.valid_row, tile.valid_col]);
    line(out, 6, "valid", valid);
    line(out, 6, "blayout", tile.blayout);
    line(out, 6, "slayout", tile.slayout);
    if tile.fractal != 512 {
        line(out, 6, "fractal", tile.fractal);
    }
    if tile.location != Default::default() {
        line(out, 6, "location", tile.location);
    }
}

fn tensor_keys(out: &mut String, tensor: &GlobalTensor) {
    line(out, 6, "shape", extents(&tensor.shape));
    if dense_strides(&tensor.shape) != tensor.stride {
        line(out, 6, "stride", extents(&tensor.stride));
    }
    line(out, 6, "layout", tensor.layout);
}

fn extents(dims: &[Dim]) -> String {
    let dims: Vec<_> = dims
        .iter()
        .map(|dim| match dim {
            Dim::Static(extent) => extent.to_string(),
            Dim::Dynamic(extent) => format!("dyn {extent}"),
        })
        .collect();
    format!("[{}]", dims.join(", "))
}

fn fill(fill: &Fill, dtype: DType) -> String {
    match fill {
        Fill::Literal(bytes) => literals(bytes, dtype),
        Fill::Rows(rows) => self::rows(rows, dtype),
        _ => <&str>::from(fill).to_owned(),
    }
}

/// Rows of a table, each on lines of its own.
fn rows(rows: &BTreeMap<u64, Vec<u8>>, dtype: DType) -> String {
    let rows: Vec<String> = rows
        .iter()
        .map(|(row, bytes)| format!("{row}: [{}]", in_lines(bytes, dtype)))
        .collect();
    format!("{{rows: {{{}}}}}", rows.join(",\n        "))
}

fn pattern(pattern: &IndexPattern, dtype: DType) -> String {
    match pattern {
        IndexPattern::Hot { slots } => format!("{{hot: {{slots: {slots}}}}}"),
        IndexPattern::Literal(bytes) => literals(bytes, dtype),
        _ => <&str>::from(pattern).to_owned(),
    }
}

fn literals(bytes: &[u8], dtype: DType) -> String {
    let key = if dtype.is_integer() { "values" } else { "bits" };
    format!("{{{key}: [{}]}}", in_lines(bytes, dtype))
}

fn in_lines(bytes: &[u8], dtype: DType) -> String {
    let value = |element: &[u8]| {
        let mut raw = [0; 8];
        raw[..element.len()].copy_from_slice(element);
        literal(u64::from_le_bytes(raw), dtype)
    };
    let words: Vec<String> = bytes.chunks_exact(dtype.size()).map(value).collect();
    super::in_lines(&words, 8)
}

/// The value of an integer, the bits of a float.
pub(super) fn literal(bits: u64, dtype: DType) -> String {
    let width = 8 * dtype.size();
    if dtype.is_signed_integer() {
        // The sign bit is moved to the top of i64 and back down.
        let value = (bits << (64 - width)) as i64 >> (64 - width);
        value.to_string()
    } else if dtype.is_integer() {
        bits.to_string()
    } else {
        format!("0x{bits:0digits$X}", digits = width / 4)
    }
}
