//! Writing operands and how their data is made.

use std::collections::BTreeMap;
use std::fmt::Write;

use ptodiff_isa::{Call, DType, Dim, Form, GlobalTensor, MgatherL1, Operand, Role, Tile};

use super::line;
use crate::limits::dense_strides;
use crate::plan::{DataPlan, Fill, IndexPattern};

/// Literals to a line.
const A_LINE: usize = 16;

/// Every operand of a call, with all that describes it and how its data is made.
pub(super) fn all(out: &mut String, call: &Call, plan: &DataPlan) {
    let shared = call.data_tile().dtype;
    for (role, operand) in call.operands() {
        let keys = match operand {
            Operand::Tile(tile) => {
                let own = role == Role::Index || tile.dtype != shared;
                tile_keys(tile, own.then_some(tile.dtype))
            }
            Operand::Tensor(tensor) => {
                let own = role == Role::Index || tensor.dtype != shared;
                tensor_keys(tensor, own.then_some(tensor.dtype))
            }
        };
        let data = match plan.fill(role) {
            Some(filled) => fill(filled, operand.dtype()),
            None => pattern(&plan.index, operand.dtype()),
        };
        one(out, Form::of(call).key(role), &keys, &data);
    }
    if let Call::MgatherL1(MgatherL1 { scratch: None, .. }) = call {
        line(out, 4, "scratch", "none");
    }
}

/// An operand: its descriptor on a line, its data on the next ones.
fn one(out: &mut String, key: &str, descriptor: &str, data: &str) {
    let _ = writeln!(out, "    {key}:");
    out.push_str(descriptor);
    let _ = writeln!(out, "      data: {data}");
}

fn tile_keys(tile: &Tile, dtype: Option<DType>) -> String {
    let mut out = String::new();
    if let Some(dtype) = dtype {
        line(&mut out, 6, "dtype", dtype);
    }
    let _ = writeln!(out, "      shape: [{}, {}]", tile.rows, tile.cols);
    line(
        &mut out,
        6,
        "valid",
        extents(&[tile.valid_row, tile.valid_col]),
    );
    line(&mut out, 6, "blayout", tile.blayout);
    line(&mut out, 6, "slayout", tile.slayout);
    if tile.fractal != 512 {
        line(&mut out, 6, "fractal", tile.fractal);
    }
    if tile.location != Default::default() {
        line(&mut out, 6, "location", tile.location);
    }
    out
}

fn tensor_keys(tensor: &GlobalTensor, dtype: Option<DType>) -> String {
    let mut out = String::new();
    if let Some(dtype) = dtype {
        line(&mut out, 6, "dtype", dtype);
    }
    line(&mut out, 6, "shape", extents(&tensor.shape));
    if dense_strides(&tensor.shape) != Some(tensor.stride) {
        line(&mut out, 6, "stride", extents(&tensor.stride));
    }
    line(&mut out, 6, "layout", tensor.layout);
    out
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

/// Literals, so many to a line.
fn in_lines(bytes: &[u8], dtype: DType) -> String {
    let mut out = String::new();
    for (at, element) in bytes.chunks_exact(dtype.size()).enumerate() {
        if at > 0 {
            out.push_str(if at % A_LINE == 0 {
                ",\n        "
            } else {
                ", "
            });
        }
        let mut raw = [0; 8];
        raw[..element.len()].copy_from_slice(element);
        out.push_str(&literal(u64::from_le_bytes(raw), dtype));
    }
    out
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
