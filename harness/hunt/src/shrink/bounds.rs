//! Whether a case is one that the case format can express, and how much it takes.
//!
//! All by arithmetic that stops at the largest number: a wild case may have any extents.

use ptodiff_case::limits::{
    self, MAX_CASE_MEMORY, MAX_CHUNKS, MAX_DYN_UB, MAX_FRACTAL, MAX_STRIDE, case_memory,
    stored_elements,
};
use ptodiff_case::{Case, Fill, rows_of};
use ptodiff_isa::{Call, Dim, GlobalTensor, Operand, Role, Tile, TileType};

/// Elements that the data of an operand has, over all chunks where it has a part in each.
pub(super) fn data_elements(case: &Case, role: Role) -> u64 {
    let operand = case.call.operand(role);
    operand.map_or(0, |operand| {
        limits::data_elements(role, operand, case.chunks.into())
    })
}

/// Bytes that the operands of a case take: the storage of each, or its data
/// over all chunks where that is more.
pub(super) fn bytes(case: &Case) -> u64 {
    let operands = case.call.operands().into_iter();
    operands.fold(0, |all: u64, (role, operand)| {
        let elements = stored_elements(operand).max(data_elements(case, role));
        all.saturating_add(elements.saturating_mul(operand.dtype().size() as u64))
    })
}

/// Whether a case file can say all of it: one that does reads back to this case.
pub(super) fn is_expressible(case: &Case) -> bool {
    let forms = match &case.call {
        // The memory of its tile is what tells one form of MGATHER from the other.
        Call::Mgather(call) => call.dst.location == TileType::Vec,
        Call::MgatherL1(call) => call.dst.location == TileType::Mat,
        _ => true,
    };
    let chunks = u64::from(case.chunks);
    let issued =
        (1..=MAX_CHUNKS).contains(&chunks) && (chunks == 1 || case.call.output() == Role::Table);
    let launch = case.call.launch().and_then(|launch| launch.dyn_ub_bytes);
    let operands = case.call.operands();
    let mut operands = operands.into_iter();
    forms
        && issued
        && launch.is_none_or(|bytes| bytes <= MAX_DYN_UB)
        && !case.targets.is_empty()
        && case_memory(&case.call, case.chunks.into(), &case.data.table) <= MAX_CASE_MEMORY
        && operands.all(|(role, operand)| {
            let shape = match operand {
                Operand::Tile(tile) => is_tile(tile),
                Operand::Tensor(tensor) => is_tensor(tensor),
            };
            shape && literals_fit(case, role, operand)
        })
}

fn is_tile(tile: &Tile) -> bool {
    tile.rows >= 1
        && tile.cols >= 1
        && tile.valid_row.get() <= tile.rows
        && tile.valid_col.get() <= tile.cols
        && (1..=MAX_FRACTAL).contains(&tile.fractal)
}

fn is_tensor(tensor: &GlobalTensor) -> bool {
    let shape = !tensor.shape.contains(&Dim::Static(0));
    shape && tensor.stride.iter().all(|step| step.get() <= MAX_STRIDE)
}

/// Whether literal data has a value for each element and none besides; of rows, no
/// more than there are.
fn literals_fit(case: &Case, role: Role, operand: Operand<'_>) -> bool {
    if let (Some(Fill::Rows(rows)), Operand::Tensor(table)) = (case.data.fill(role), operand) {
        let (count, width) = rows_of(table);
        let row = width.saturating_mul(table.dtype.size() as u64);
        return rows
            .iter()
            .all(|(at, bytes)| *at < count && bytes.len() as u64 <= row);
    }
    let needed = data_elements(case, role).saturating_mul(operand.dtype().size() as u64);
    case.data
        .literal(role)
        .is_none_or(|bytes| bytes.len() as u64 == needed)
}
