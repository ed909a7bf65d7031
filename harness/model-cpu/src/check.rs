//! What this target refuses at compile time.

use ptodiff_isa::{
    Call, Clause, Coalesce, DType, MaskAxis, Mgather, Readings, Refusal, Scope, TscatterMask,
};

/// All that this target has against `call`.
pub(crate) fn refusals(call: &Call, readings: &Readings) -> Vec<Refusal> {
    match call {
        Call::Mscatter(c) => Closure {
            index: c.idx.dtype,
            data: c.src.dtype,
            table: c.table.dtype,
        }
        .refusals("MSCATTER-DTYPE-04", "MSCATTER-DTYPE-05"),
        Call::Mgather(c) => {
            let closure = Closure {
                index: c.idx.dtype,
                data: c.dst.dtype,
                table: c.table.dtype,
            };
            let mut found = closure.refusals("MGATHER-DTYPE-04", "MGATHER-DTYPE-04");
            found.extend(row_index_shape(c));
            found
        }
        // The header has one MGATHER; its rule on the index shape is about tiles.
        Call::MgatherL1(c) => Closure {
            index: c.idx.dtype,
            data: c.dst.dtype,
            table: c.table.dtype,
        }
        .refusals("MGATHER-DTYPE-04", "MGATHER-DTYPE-04"),
        Call::MscatterFirst(_) => {
            let why = "the first revision of MSCATTER on cpu".into();
            vec![refusal("MSCATTER0-API-01", why)]
        }
        Call::TscatterMask(c) => mask_form(c, readings.scope),
        // No check of theirs is documented here (TSCATTER-GAP-08, TGATHERB-GAP-08).
        Call::TscatterIndex(_) | Call::Tgatherb(_) => Vec::new(),
    }
}

fn refusal(clause: &'static str, why: String) -> Refusal {
    Refusal {
        clause: Clause(clause),
        why,
    }
}

/// The dtypes that the header's closure rules compare.
struct Closure {
    index: DType,
    data: DType,
    table: DType,
}

impl Closure {
    /// `integral` states that an index is an integer, `closed` that elements
    /// have one size.
    fn refusals(&self, integral: &'static str, closed: &'static str) -> Vec<Refusal> {
        let Self { index, data, table } = self;
        let mut found = Vec::new();
        if !index.is_integer() {
            found.push(refusal(integral, format!("index dtype {index}")));
        }
        let (ours, theirs) = (data.size(), table.size());
        if ours != theirs {
            let why =
                format!("tile of {data} ({ours} bytes) with table of {table} ({theirs} bytes)");
            found.push(refusal(closed, why));
        }
        found
    }
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

/// The mask form is another target's, and its column axis nobody's, unless
/// the suite has the say (TSCATTER-GAP-09).
fn mask_form(call: &TscatterMask, scope: Scope) -> Vec<Refusal> {
    let mut found = Vec::new();
    if scope == Scope::AsTheSuite {
        return found;
    }
    found.push(refusal("TSCATTER-MODE-02", "the mask form on cpu".into()));
    if call.axis == MaskAxis::Col {
        found.push(refusal("TSCATTER-SHAPE-02", "the column axis".into()));
    }
    found
}
