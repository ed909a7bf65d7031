//! What is static of a call, as one text.

use std::fmt::Write as _;

use ptodiff_asm::extent;
use ptodiff_isa::{Call, Dim, GlobalTensor, Operand, Role, Tile};

use crate::Dialect;

/// All of `call` that `dialect` has in types and template arguments, as the
/// generated program spells it: its form, its operands in the order of the C++
/// call, its policies. A dynamic extent is `?`. Two calls with one key are one
/// instantiation.
#[must_use]
pub fn key(call: &Call, dialect: Dialect) -> String {
    let form: &'static str = ptodiff_case::Form::of(call).into();
    let mut key = form.to_owned();
    for (role, operand) in call.operands() {
        key.push(';');
        key.push_str(operand_word(call, role));
        key.push('=');
        key.push_str(&operand_key(operand));
    }
    for (word, value) in policies(call, dialect) {
        // Writing to a string does not fail.
        let _ = write!(key, ";{word}={value}");
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

const fn operand_word(call: &Call, role: Role) -> &'static str {
    match (role, call) {
        (Role::Table, _) => "table",
        (Role::Source, _) => "src",
        (Role::Destination, _) => "dst",
        (Role::Index, Call::Tgatherb(_)) => "offset",
        (Role::Index, _) => "idx",
        (Role::Scratch, _) => "scratch",
    }
}

/// The template arguments beside the types.
fn policies(call: &Call, dialect: Dialect) -> Vec<(&'static str, &'static str)> {
    let all = call.arguments().into_iter();
    let all = all.filter(|argument| dialect.has(call, argument.key));
    let word = |key| match key {
        "mask" => "pattern",
        own => own,
    };
    all.map(|own| (word(own.key), own.value)).collect()
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
