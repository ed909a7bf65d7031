//! Names of MSCATTER's and MGATHER's tests against their cases.

use ptodiff_isa::{BLayout, Call, Coalesce, Dim, GlobalTensor, Layout, Operand, Role, SLayout};

use super::{Check, size};
use crate::case::{Case, arguments};
use crate::plan::IndexPattern;
use crate::st_name::TableName;
use crate::st_name::table::{StMode, StPattern, StTable};

/// Compares all that such a name states.
pub(super) fn compare(check: &mut Check, name: &TableName, case: &Case) {
    operands(check, name, case);
    if let Some(tensor) = case.call.table() {
        table(check, name, tensor);
    }
    policies(check, name, &case.call);
}

fn operands(check: &mut Check, name: &TableName, case: &Case) {
    let call = &case.call;
    let tile = call.data_tile();
    let stated = match name.mode {
        StMode::Row => Coalesce::Row,
        StMode::Elem | StMode::Elem2d => Coalesce::Elem,
    };
    if let Some(mode) = call.mode() {
        check.same("mode", stated, mode);
    }
    check.same("tile dtype", name.dtype, tile.dtype);
    if let Some(table) = call.table() {
        check.same("table dtype", name.dtype, table.dtype);
    }

    let rows = tile.valid_row.get().saturating_mul(u64::from(case.chunks));
    let cols = tile.valid_col.get();
    check.same("valid size", size(name.valid), size((rows, cols)));
    if name.scalar {
        check.same("scalar", size((1, 1)), size((rows, cols)));
    }
    if let Some(padded) = name.padded {
        check.same("padded size", size(padded), size((tile.rows, tile.cols)));
    } else if name.remarks.is_empty() && !name.scalar {
        check.same("padded columns", name.valid.1, tile.cols);
    }

    // In L1 a tile always has boxes, and names do not say so.
    if !matches!(call, Call::MgatherL1(_)) {
        let boxed = |nz| if nz { "boxes" } else { "no boxes" };
        let used = tile.slayout != SLayout::NoneBox;
        check.same("tile", boxed(name.nz), boxed(used));
    }
    let order = if name.colidx {
        BLayout::ColMajor
    } else {
        BLayout::RowMajor
    };
    // A tensor of indices is never a column.
    let index = call.operand(Role::Index).and_then(Operand::tile);
    let used = index.map_or(BLayout::RowMajor, |index| index.blayout);
    check.same("index BLayout", order, used);
    let known = |dynamic| if dynamic { "dynamic" } else { "static" };
    check.same("sizes", known(name.dynamic), known(any_dynamic(call)));
    if let Some(pattern) = name.pattern {
        check.same(
            "index pattern",
            stated_pattern(pattern),
            used_pattern(pattern, case),
        );
    }
}

fn table(check: &mut Check, name: &TableName, table: &GlobalTensor) {
    let extent = |at: usize| table.shape[at].get();
    let product = |range: std::ops::Range<usize>| {
        range.fold(1_u64, |product, at| product.saturating_mul(extent(at)))
    };
    let fractal = |nz| if nz { "NZ" } else { "not NZ" };
    check.same(
        "table layout",
        fractal(name.nz),
        fractal(table.layout == Layout::NZ),
    );
    match name.table {
        Some(StTable::Rows(rows)) => check.same("table rows", rows, extent(3)),
        Some(StTable::Size(elements)) => check.same("table elements", elements, product(0..5)),
        Some(StTable::Blocks(blocks)) => check.same("table blocks", blocks, product(0..3)),
        Some(StTable::Grid(grid)) => {
            check.same("table size", size(grid), size((extent(3), extent(4))));
        }
        None => {}
    }
}

/// What a call has not stands as the template's default.
fn policies(check: &mut Check, name: &TableName, call: &Call) {
    let arguments = arguments(call);
    let used = |key, otherwise| {
        let own = arguments.iter().find(|argument| argument.key == key);
        own.map_or(otherwise, |argument| argument.value)
    };
    let oob = used("oob", "Undefined");
    if name.oob.unwrap_or("Undefined") != oob {
        check.same("out of bounds", name.oob.unwrap_or("nothing"), oob);
    }
    let atomic = used("atomic", "None");
    if name.atomic.unwrap_or_default().to_string() != atomic {
        let stated = name.atomic.map_or("nothing", Into::into);
        check.same("atomic", stated, atomic);
    }
    if let Some(stated) = name.conflict {
        check.same("conflict", stated.into(), used("conflict", "none"));
    }
    let stated = if name.simt { "Simt" } else { "Scalar" };
    check.same("executor", stated, used("exec", "Scalar"));
}

fn any_dynamic(call: &Call) -> bool {
    let dynamic = |dim: &Dim| matches!(dim, Dim::Dynamic(_));
    call.operands()
        .into_iter()
        .any(|(_, operand)| match operand {
            Operand::Tile(tile) => dynamic(&tile.valid_row) || dynamic(&tile.valid_col),
            Operand::Tensor(tensor) => {
                tensor.shape.iter().any(dynamic) || tensor.stride.iter().any(dynamic)
            }
        })
}

fn stated_pattern(pattern: StPattern) -> &'static str {
    match pattern {
        StPattern::Random => "random",
        StPattern::Same => "same",
        StPattern::Seq => "seq",
        StPattern::NoDup => "no repeats",
    }
}

/// The case's pattern in the words of the name where it is what the name states.
fn used_pattern(stated: StPattern, case: &Case) -> &'static str {
    match (&case.data.index, stated) {
        (IndexPattern::Permutation | IndexPattern::OutOfBoundsNoDup, StPattern::NoDup) => {
            stated_pattern(stated)
        }
        (pattern, _) => pattern.into(),
    }
}
