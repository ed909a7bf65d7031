//! What is static of a call, as one text.

use std::fmt::Write as _;

use ptodiff_asm::extent;
use ptodiff_isa::{Call, Dim, Form, GlobalTensor, Operand, Tile};

use crate::Dialect;

/// All of `call` that `dialect` has in types and template arguments, as the
/// generated program spells it: its form, its operands in the order of the C++
/// call, its policies. A dynamic extent is `?`. Two calls with one key are one
/// instantiation.
#[must_use]
pub fn key(call: &Call, dialect: Dialect) -> String {
    let form = Form::of(call);
    let mut key = form.to_string();
    for (role, operand) in call.operands() {
        key.push(';');
        key.push_str(form.variable(role));
        key.push('=');
        key.push_str(&operand_key(operand));
    }
    for argument in call.arguments() {
        if dialect.has(call, argument.key) {
            // Writing to a string does not fail.
            let _ = write!(key, ";{}={}", argument.parameter(), argument.value);
        }
    }
    key
}

/// The static part of an operand: two operands with one key have one type.
pub(crate) fn operand_key(operand: Operand<'_>) -> String {
    match operand {
        Operand::Tile(tile) => tile_key(tile),
        Operand::Tensor(tensor) => tensor_key(tensor),
    }
}

fn tile_key(tile: &Tile) -> String {
    let Tile {
        location,
        dtype,
        rows,
        cols,
        valid_row,
        valid_col,
        blayout,
        slayout,
        fractal,
    } = *tile;
    let (valid_row, valid_col) = (extent(valid_row), extent(valid_col));
    format!(
        "{location}:{dtype}:{rows}x{cols}:{valid_row}x{valid_col}:{blayout}:{slayout}:{fractal}"
    )
}

fn tensor_key(tensor: &GlobalTensor) -> String {
    let list = |dims: [Dim; 5]| dims.map(extent).join(",");
    format!(
        "{}:[{}]:[{}]:{}",
        tensor.dtype,
        list(tensor.shape),
        list(tensor.stride),
        tensor.layout
    )
}
