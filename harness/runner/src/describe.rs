//! A call's parameters as short text, for people and for filters.

use std::collections::BTreeMap;

use ptodiff_case::{Case, Form, arguments};
use ptodiff_isa::{CacheFlush, Call, Dim, Dispatch, GlobalTensor, Launch, Operand, Role, Tile};

/// Names and values of the parameters, spelled as in a case file.
#[must_use]
pub fn describe(case: &Case) -> BTreeMap<String, String> {
    let call = &case.call;
    let mut out = BTreeMap::new();
    let mut put = |name: &str, value: String| {
        out.insert(name.to_owned(), value);
    };
    for argument in arguments(call) {
        put(argument.key, argument.value.to_owned());
    }
    if matches!(call, Call::MscatterFirst(_)) {
        put("revision", "first".to_owned());
    }
    put("dtype", call.data_tile().dtype.to_string());
    put("blayout", call.data_tile().blayout.to_string());
    for (role, operand) in call.operands() {
        let name = Form::of(call).key(role);
        match operand {
            Operand::Tile(of) => put(name, tile(of)),
            Operand::Tensor(of) => put(name, tensor(of)),
        }
        if role == Role::Index {
            put("index dtype", operand.dtype().to_string());
        }
    }
    if let Some(table) = call.table() {
        put("layout", table.layout.to_string());
    }
    if let Some(launch) = call.launch() {
        put_launch(launch, &mut put);
    }
    if case.chunks > 1 {
        put("chunks", case.chunks.to_string());
    }
    out
}

fn put_launch(launch: &Launch, put: &mut impl FnMut(&str, String)) {
    if let Some(bytes) = launch.dyn_ub_bytes {
        put("dyn_ub", bytes.to_string());
    }
    if launch.dispatch != Dispatch::default() {
        put("dispatch", launch.dispatch.to_string());
    }
    if launch.flush != CacheFlush::default() {
        put("flush", launch.flush.to_string());
    }
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
