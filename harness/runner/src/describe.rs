//! A call's parameters as short text, for people and for filters.

use std::collections::BTreeMap;

use ptodiff_isa::{Call, Dim, GlobalTensor, Tile};

/// Names and values of the parameters, spelled as in a case file.
#[must_use]
pub fn describe(call: &Call, chunks: u32) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let mut put = |name: &str, value: String| {
        out.insert(name.to_owned(), value);
    };
    let launch = match call {
        Call::Mscatter(c) => {
            put("mode", c.mode.to_string());
            put("atomic", c.atomic.to_string());
            put("oob", c.oob.to_string());
            put("conflict", c.conflict.to_string());
            c.launch
        }
        Call::Mgather(c) => {
            put("mode", c.mode.to_string());
            put("oob", c.oob.to_string());
            c.launch
        }
    };
    put("dtype", call.data_tile().dtype.to_string());
    put("tile", tile(call.data_tile()));
    put("index", tile(call.index_tile()));
    put("index dtype", call.index_tile().dtype.to_string());
    put("table", tensor(call.table()));
    put("layout", call.table().layout.to_string());
    if let Some(bytes) = launch.dyn_ub_bytes {
        put("dyn_ub", bytes.to_string());
    }
    if chunks > 1 {
        put("chunks", chunks.to_string());
    }
    out
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
