//! What the CPU header asserts at compile time.

use ptodiff_isa::{Call, Clause, Coalesce, DType, Mgather, Refusal};

/// All assertions of the header that `call` fails.
pub(crate) fn refusals(call: &Call) -> Vec<Refusal> {
    let mut found = Vec::new();
    let index = call.index_tile().dtype;
    let (data, table) = (call.data_tile().dtype, call.table().dtype);
    let (integral, closed) = match call {
        Call::Mscatter(_) => ("MSCATTER-DTYPE-04", "MSCATTER-DTYPE-05"),
        Call::Mgather(_) => ("MGATHER-DTYPE-04", "MGATHER-DTYPE-04"),
    };
    if !index.is_integer() {
        found.push(refusal(integral, format!("index dtype {index}")));
    }
    if data.size() != table.size() {
        found.push(refusal(closed, sizes(data, table)));
    }
    if let Call::Mgather(call) = call {
        found.extend(row_index_shape(call));
    }
    found
}

fn refusal(clause: &'static str, why: String) -> Refusal {
    Refusal {
        clause: Clause(clause),
        why,
    }
}

fn sizes(data: DType, table: DType) -> String {
    format!(
        "tile of {data} ({} bytes) with table of {table} ({} bytes)",
        data.size(),
        table.size()
    )
}

/// Row wants an index of valid shape [1, R] or [R, 1]; looked at only when
/// every extent in the rule is static.
fn row_index_shape(call: &Mgather) -> Option<Refusal> {
    if call.mode != Coalesce::Row {
        return None;
    }
    let rows = call.dst.valid_row.known()?;
    let shape = (call.idx.valid_row.known()?, call.idx.valid_col.known()?);
    let fits = shape == (1, rows) || shape == (rows, 1);
    (!fits).then(|| {
        let (r, c) = shape;
        refusal(
            "MGATHER-MODE-06",
            format!("Row index of valid shape [{r}, {c}] for {rows} rows"),
        )
    })
}
