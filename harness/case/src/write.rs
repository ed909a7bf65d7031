//! Writing a case as YAML that reads back to the same case.

use std::fmt::Write;

use ptodiff_isa::reading::GAPS;
use ptodiff_isa::{Call, Clause, DType, Dim, GlobalTensor, Readings, Target, Tile};

use crate::case::Case;
use crate::limits::dense_strides;
use crate::plan::{Fill, IndexPattern};

/// Literals to a line.
const A_LINE: usize = 16;

/// A case as the text of a case file of its own, in the form of `cases/README.md`.
///
/// Read back from a file with the stem of its id, it is the same case but for
/// its place. Operands, mode and policies are always written, other keys where
/// they differ from their defaults; literals of integers as values, others as bits.
#[must_use]
pub fn case_yaml(case: &Case) -> String {
    let mut out = String::from("# yaml-language-server: $schema=../case-file.schema.json\n");
    if let Some(suite) = case.suite {
        line(&mut out, 0, "suite", suite);
    }
    out.push_str("cases:\n");
    let _ = writeln!(out, "  - name: {}", quoted(&case.name));
    if let Some(about) = &case.about {
        line(&mut out, 4, "about", quoted(about));
    }
    line(&mut out, 4, "instruction", case.call.instruction());
    let launch = match &case.call {
        Call::Mscatter(call) => {
            line(&mut out, 4, "mode", call.mode);
            line(&mut out, 4, "atomic", call.atomic);
            line(&mut out, 4, "oob", call.oob);
            line(&mut out, 4, "conflict", call.conflict);
            call.launch
        }
        Call::Mgather(call) => {
            line(&mut out, 4, "mode", call.mode);
            line(&mut out, 4, "oob", call.oob);
            call.launch
        }
    };
    let (tile, index, table) = (
        case.call.data_tile(),
        case.call.index_tile(),
        case.call.table(),
    );
    line(&mut out, 4, "dtype", tile.dtype);
    operand(
        &mut out,
        "tile",
        &tile_keys(tile, None),
        &fill(&case.data.tile, tile.dtype),
    );
    let keys = tile_keys(index, Some(index.dtype));
    operand(
        &mut out,
        "index",
        &keys,
        &pattern(&case.data.index, index.dtype),
    );
    let keys = table_keys(table, tile.dtype);
    operand(
        &mut out,
        "table",
        &keys,
        &fill(&case.data.table, table.dtype),
    );
    if let Some(bytes) = launch.dyn_ub_bytes {
        let _ = writeln!(out, "    launch: {{dyn_ub: {bytes}}}");
    }
    if case.chunks != 1 {
        line(&mut out, 4, "chunks", case.chunks);
    }
    if case.data.seed != 0 {
        line(&mut out, 4, "seed", case.data.seed);
    }
    if case.targets != <Target as strum::VariantArray>::VARIANTS {
        let targets: Vec<_> = case.targets.iter().map(Target::to_string).collect();
        line(&mut out, 4, "targets", format!("[{}]", targets.join(", ")));
    }
    readings(&mut out, &case.readings);
    expectations(&mut out, "refused", &case.refused);
    expectations(&mut out, "undefined", &case.undefined);
    if let Some(reason) = &case.name_differs {
        line(&mut out, 4, "name_differs", quoted(reason));
    }
    out
}

fn line(out: &mut String, indent: usize, key: &str, value: impl std::fmt::Display) {
    let _ = writeln!(out, "{:indent$}{key}: {value}", "");
}

/// An operand: its descriptor on a line, its data on the next ones.
fn operand(out: &mut String, key: &str, descriptor: &str, data: &str) {
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

fn table_keys(table: &GlobalTensor, shared: DType) -> String {
    let mut out = String::new();
    if table.dtype != shared {
        line(&mut out, 6, "dtype", table.dtype);
    }
    line(&mut out, 6, "shape", extents(&table.shape));
    if dense_strides(&table.shape) != Some(table.stride) {
        line(&mut out, 6, "stride", extents(&table.stride));
    }
    line(&mut out, 6, "layout", table.layout);
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
        Fill::Zeros => "zeros".to_owned(),
        Fill::Ramp => "ramp".to_owned(),
        Fill::RampBits => "ramp-bits".to_owned(),
        Fill::Eighths => "eighths".to_owned(),
        Fill::Distinct => "distinct".to_owned(),
        Fill::RandomBits => "random-bits".to_owned(),
        Fill::Special => "special".to_owned(),
        Fill::Poison => "poison".to_owned(),
        Fill::Literal(bytes) => literals(bytes, dtype),
    }
}

fn pattern(pattern: &IndexPattern, dtype: DType) -> String {
    match pattern {
        IndexPattern::Hot { slots } => format!("{{hot: {{slots: {slots}}}}}"),
        IndexPattern::Literal(bytes) => literals(bytes, dtype),
        _ => pattern_name(pattern).to_owned(),
    }
}

/// A pattern's name in case files.
pub(crate) fn pattern_name(pattern: &IndexPattern) -> &'static str {
    match pattern {
        IndexPattern::Random => "random",
        IndexPattern::Same => "same",
        IndexPattern::Seq => "seq",
        IndexPattern::Permutation => "permutation",
        IndexPattern::OutOfBounds => "out-of-bounds",
        IndexPattern::OutOfBoundsNoDup => "out-of-bounds-no-dup",
        IndexPattern::AllOutOfBounds => "all-out-of-bounds",
        IndexPattern::Hot { .. } => "hot",
        IndexPattern::Edges => "edges",
        IndexPattern::Negative => "negative",
        IndexPattern::Literal(_) => "values",
    }
}

fn literals(bytes: &[u8], dtype: DType) -> String {
    let key = if dtype.is_integer() { "values" } else { "bits" };
    let mut out = format!("{{{key}: [");
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
        let bits = u64::from_le_bytes(raw);
        let width = 8 * dtype.size();
        let _ = if dtype.is_signed_integer() {
            // The sign bit is moved to the top of i64 and back down.
            let value = (bits << (64 - width)) as i64 >> (64 - width);
            write!(out, "{value}")
        } else if dtype.is_integer() {
            write!(out, "{bits}")
        } else {
            write!(out, "0x{bits:0digits$X}", digits = width / 4)
        };
    }
    out.push_str("]}");
    out
}

fn readings(out: &mut String, readings: &Readings) {
    let default = Readings::default();
    let set: Vec<_> = GAPS
        .iter()
        .filter_map(|gap| {
            let choice = readings.choice(gap.name)?;
            let differs = default.choice(gap.name) != Some(choice);
            differs.then(|| format!("{}: {choice}", gap.name))
        })
        .collect();
    if !set.is_empty() {
        line(out, 4, "readings", format!("{{{}}}", set.join(", ")));
    }
}

fn expectations(out: &mut String, key: &str, expected: &[(Target, Clause)]) {
    if expected.is_empty() {
        return;
    }
    let _ = writeln!(out, "    {key}:");
    for target in <Target as strum::VariantArray>::VARIANTS {
        let clauses = expected.iter().filter(|(of, _)| of == target);
        let clauses: Vec<_> = clauses.map(|(_, clause)| clause.0).collect();
        if !clauses.is_empty() {
            line(
                out,
                6,
                (*target).into(),
                format!("[{}]", clauses.join(", ")),
            );
        }
    }
}

/// A double-quoted YAML scalar on one line; what is no plain character is escaped.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            ' '..='~' => out.push(c),
            _ if c.is_alphanumeric() => out.push(c),
            _ => {
                let _ = write!(out, "\\U{:08X}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}
