//! Rows taken at random, as the tables of the suites have them.

use std::collections::BTreeMap;

use ptodiff_case::Case;
use ptodiff_isa::{BLayout, Call, Dim, GlobalTensor, Operand, Role, SLayout, Tile};

use crate::mirrored::corpus::{cases, key, pattern, policy, table};

fn extent(dim: Dim) -> String {
    match dim {
        Dim::Static(n) => n.to_string(),
        Dim::Dynamic(n) => format!("?{n}"),
    }
}

fn tile(t: &Tile) -> String {
    let layout = match (t.blayout, t.slayout) {
        (BLayout::RowMajor, SLayout::NoneBox) => "",
        (BLayout::ColMajor, SLayout::NoneBox) => " col",
        (BLayout::ColMajor, SLayout::RowMajor) => " nz",
        _ => " other",
    };
    let valid = format!("{}x{}", extent(t.valid_row), extent(t.valid_col));
    format!("{valid}/{}x{}{layout}", t.rows, t.cols)
}

fn tensor(t: &GlobalTensor) -> String {
    let dims = |dims: [Dim; 5]| dims.map(extent).join("x");
    format!("{} {}", dims(t.shape), dims(t.stride))
}

fn operand(operand: Operand<'_>) -> String {
    match operand {
        Operand::Tile(t) => tile(t),
        Operand::Tensor(t) => tensor(t),
    }
}

/// One case as a line: policy, dtype, data tile (valid/padded), index, table
/// with strides, pattern, then launch and chunks where they are given.
fn line(case: &Case) -> String {
    let data = case.call.data_tile();
    let mut line = format!("{} | {} | {}", policy(case), data.dtype, tile(data));
    for role in [
        Role::Source,
        Role::Destination,
        Role::Index,
        Role::Table,
        Role::Scratch,
    ] {
        match case.call.operand(role) {
            Some(Operand::Tile(t)) if std::ptr::eq(t, data) => {}
            Some(index) if role == Role::Index => {
                line += &format!(" | {} {}", index.dtype(), operand(index));
            }
            Some(other) => line += &format!(" | {}", operand(other)),
            None => {}
        }
    }
    if case.call.operand(Role::Index).is_some() {
        line += &format!(" | {}", pattern(case));
    }
    if let Call::Mscatter(c) = &case.call
        && let Some(bytes) = c.launch.dyn_ub_bytes
    {
        line += &format!(" | ub {bytes}");
    }
    if case.chunks != 1 {
        line += &format!(" | {} calls", case.chunks);
    }
    line
}

#[test]
fn rows_taken_at_random_say_what_the_tables_say() {
    let lines: BTreeMap<String, String> = cases().iter().map(|c| (key(c), line(c))).collect();
    let rows = table(include_str!("rows.txt"));
    for (name, row) in &rows {
        assert_eq!(lines.get(*name).map(String::as_str), Some(*row), "{name}");
    }
    assert_eq!(rows.len(), 36);
}
