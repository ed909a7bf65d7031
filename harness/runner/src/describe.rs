//! A call's parameters as short text, for people and for filters.

use std::collections::BTreeMap;

use ptodiff_case::{Case, Form};
use ptodiff_data::place;
use ptodiff_generate::Slots;
use ptodiff_isa::{Call, Dim, GlobalTensor, Memory, Operand, Role, SLayout, Tile};
use ptodiff_judge::Value;
use ptodiff_record::joined;

/// Names and values of the parameters, spelled as in a case file.
#[must_use]
pub fn describe(case: &Case) -> BTreeMap<String, String> {
    let call = &case.call;
    let mut out = BTreeMap::new();
    let mut put = |name: &str, value: String| {
        out.insert(name.to_owned(), value);
    };
    for argument in call.arguments() {
        put(argument.key, argument.value.to_owned());
    }
    if matches!(call, Call::MscatterFirst(_)) {
        put("revision", "first".to_owned());
    }
    put("dtype", call.data_tile().dtype.to_string());
    put("blayout", call.data_tile().blayout.to_string());
    if call.data_tile().slayout != SLayout::NoneBox {
        put("slayout", call.data_tile().slayout.to_string());
    }
    for (role, operand) in call.operands() {
        let name = Form::of(call).key(role);
        match operand {
            Operand::Tile(of) => put(name, tile(of)),
            Operand::Tensor(of) => put(name, tensor(of)),
        }
        let dtype = operand.dtype();
        if role == Role::Index {
            put("index dtype", dtype.to_string());
        } else if dtype != call.data_tile().dtype {
            put(&format!("{name} dtype"), dtype.to_string());
        }
    }
    if let Some(table) = call.table() {
        put("layout", table.layout.to_string());
    }
    if let Some(launch) = call.launch() {
        let told = launch.told().into_iter();
        told.for_each(|(key, value)| put(key, value));
    }
    if case.chunks > 1 {
        put("chunks", case.chunks.to_string());
    }
    out
}

/// The same with what stands out of the index values of `steps`, under `indices`.
#[must_use]
pub fn describe_with(case: &Case, steps: &[Memory]) -> BTreeMap<String, String> {
    let mut out = describe(case);
    if let Some(found) = indices(case, steps) {
        out.insert("indices".to_owned(), found);
    }
    out
}

/// What stands out of the index values of `steps`, spelled as the record has it: one stands
/// twice in a step (`repeated`), is less than 0 (`negative`), or selects no slot
/// (`outside`), as a byte offset does whose element ends outside. Nothing where the call has
/// none, or they stand out in no way.
fn indices(case: &Case, steps: &[Memory]) -> Option<String> {
    let operand = case.call.operand(Role::Index)?;
    let dtype = operand.dtype();
    if !dtype.is_integer() {
        return None;
    }
    let Slots { capacity, unit, .. } = Slots::of(&case.call, Some(dtype), case.data_readings());
    let end = i128::from(capacity) * i128::from(unit);
    let mut found = [("repeated", false), ("negative", false), ("outside", false)];
    for step in steps {
        let values = place::take(operand, step.get(Role::Index)?.body())?;
        let values = values.chunks(dtype.size());
        let mut values: Vec<i128> = values
            .map(|bytes| Value::read(dtype, bytes).integer())
            .collect();
        values.sort_unstable();
        found[0].1 |= values.windows(2).any(|two| two[0] == two[1]);
        found[1].1 |= values.first().is_some_and(|least| *least < 0);
        found[2].1 |= values
            .last()
            .is_some_and(|most| *most > end - i128::from(unit));
    }
    let there = found.iter().filter(|(_, is)| *is).map(|(word, _)| *word);
    Some(joined(there, ", ")).filter(|text| !text.is_empty())
}

fn dim(dim: Dim) -> String {
    match dim {
        Dim::Static(n) => n.to_string(),
        Dim::Dynamic(n) => format!("dyn {n}"),
    }
}

fn tile(tile: &Tile) -> String {
    let valid = format!("{}x{}", dim(tile.valid_row), dim(tile.valid_col));
    let padded = format!("{}x{}", tile.rows, tile.cols);
    if valid == padded {
        format!("{padded} {}", tile.blayout)
    } else {
        format!("{valid} in {padded} {}", tile.blayout)
    }
}

fn tensor(tensor: &GlobalTensor) -> String {
    tensor.shape.map(dim).join("x")
}
