//! A call's parameters as short text, for people and for filters.

use std::collections::BTreeMap;

use ptodiff_case::{Case, Form};
use ptodiff_data::place;
use ptodiff_generate::Slots;
use ptodiff_isa::{Call, Coalesce, DType, Dim, GlobalTensor, Memory, Operand, Role, SLayout, Tile};
use ptodiff_judge::Value;
use ptodiff_record::joined;

use crate::context::RunContext;

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
            Operand::Tile(of) => {
                put(name, tile(of));
                let own = (of.blayout, of.slayout);
                let data = call.data_tile();
                if role != Role::Index && own != (data.blayout, data.slayout) {
                    put(&format!("{name} layout"), layout(of));
                }
            }
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
    let found = indices(case, steps).unwrap_or_default();
    let words = ["repeated", "negative", "outside"].into_iter().zip(found);
    let there = joined(words.filter(|(_, is)| *is).map(|(word, _)| word), ", ");
    if !there.is_empty() {
        out.insert("indices".to_owned(), there);
    }
    out
}

/// Whether of the index values of `steps` one stands twice in a step, is less than 0, and
/// selects no slot, as a byte offset does whose element ends outside. Nothing where the call has
/// none.
fn indices(case: &Case, steps: &[Memory]) -> Option<[bool; 3]> {
    let (operand, dtype, last) = last_inside(case)?;
    let mut found = [false; 3];
    for step in steps {
        let values = place::take(operand, step.get(Role::Index)?.body())?;
        let values = values.chunks(dtype.size());
        let mut values: Vec<i128> = values
            .map(|bytes| Value::read(dtype, bytes).integer())
            .collect();
        values.sort_unstable();
        found[0] |= values.windows(2).any(|two| two[0] == two[1]);
        found[1] |= values.first().is_some_and(|least| *least < 0);
        found[2] |= values.last().is_some_and(|most| *most > last);
    }
    Some(found)
}

/// The indices of a call, their type, and the largest that selects a slot: below 0 if there is
/// none.
fn last_inside(case: &Case) -> Option<(Operand<'_>, DType, i128)> {
    let operand = case.call.operand(Role::Index)?;
    let dtype = operand.dtype();
    if !dtype.is_integer() {
        return None;
    }
    let Slots { capacity, unit, .. } = Slots::of(&case.call, Some(dtype), case.data_readings());
    let end = i128::from(capacity) * i128::from(unit);
    Some((operand, dtype, end - i128::from(unit)))
}

/// The steps of a case, each index that selects no slot, or of elements one behind the last that
/// the strides reach (MSCATTER-GAP-86), replaced by 0; of rows, too, where `reach` says so. None
/// where there is no such.
pub(crate) fn with_indices_inside(context: &RunContext<'_>, reach: bool) -> Option<Vec<Memory>> {
    let call = &context.case.call;
    let is_by_row = call.mode() == Some(Coalesce::Row);
    let (operand, dtype, mut last) = last_inside(context.case)?;
    let (mut steps, mut changed) = (context.steps.to_vec(), false);
    for step in &mut steps {
        if let Some((table, own)) = step.get(Role::Table).zip(call.table()) {
            let reached = table.body().len() / call.data_tile().dtype.size();
            let places = own.shape.iter().map(|dim| i128::from(dim.get()));
            last = match is_by_row {
                false => last.min(reached as i128 - 1),
                true if reach && (reached as i128) < places.product() => 0,
                true => last,
            };
        }
        let (body, size) = (step.get_mut(Role::Index)?.body_mut(), dtype.size());
        let mut inside = |at: usize| {
            let index = body.get_mut(at..at + size)?;
            let value = Value::read(dtype, index).integer();
            if value < 0 || value > last {
                index.fill(0);
                changed = true;
            }
            Some(())
        };
        match operand {
            Operand::Tile(_) => place::each(operand, &mut inside)?,
            // What stands between those in GM may be read as one, too.
            Operand::Tensor(_) => (0..).step_by(size).map_while(&mut inside).for_each(drop),
        }
    }
    changed.then_some(steps)
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

fn layout(tile: &Tile) -> String {
    match tile.slayout {
        SLayout::NoneBox => tile.blayout.to_string(),
        boxes => format!("{}, boxes {boxes}", tile.blayout),
    }
}

fn tensor(tensor: &GlobalTensor) -> String {
    tensor.shape.map(dim).join("x")
}
