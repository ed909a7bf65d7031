//! How a gather's or scatter's tiles get their contents from GM.

use ptodiff_isa::{BLayout, Call, Dim, GlobalTensor, Layout, Role, SLayout, Target, Tile};

use super::{Text, names::Names};

/// Whether the documents' examples load a call's tile before it: the tiles
/// that a call between GM and UB reads. Nothing is said about those of a call
/// from tile to tile (TSCATTER-GAP-19, TGATHERB-GAP-15).
fn is_loaded(call: &Call, role: Role) -> bool {
    match call {
        Call::Mscatter(_) | Call::MscatterFirst(_) | Call::Mgather(_) => {
            matches!(role, Role::Source | Role::Index)
        }
        Call::MgatherL1(_) | Call::TscatterIndex(_) | Call::TscatterMask(_) | Call::Tgatherb(_) => {
            false
        }
    }
}

/// The packed tensor that a tile's valid region is loaded from, if it is
/// loaded. No example loads a tile with boxes.
pub(super) fn image(call: &Call, role: Role, tile: &Tile) -> Option<GlobalTensor> {
    if !is_loaded(call, role) || tile.slayout != SLayout::NoneBox {
        return None;
    }
    let one = Dim::Static(1);
    let (rows, cols) = (tile.valid_row, tile.valid_col);
    let (row_step, col_step, layout) = match tile.blayout {
        BLayout::RowMajor => (cols, one, Layout::ND),
        // A single column has the step of the documented example (MGATHER-INDEX-05).
        BLayout::ColMajor if cols == one => (one, one, Layout::DN),
        BLayout::ColMajor => (one, rows, Layout::DN),
    };
    Some(GlobalTensor {
        dtype: tile.dtype,
        shape: [one, one, one, rows, cols],
        stride: [one, one, one, row_step, col_step],
        layout,
    })
}

/// The loads, and the handshake that makes them visible to the vector pipe
/// (MSCATTER-SYNC-01, -12; MGATHER-SYNC-01, -11). The CPU has no pipes.
pub(super) fn lines(text: &mut Text, call: &Call, target: Target) {
    let mut any = false;
    for (role, operand) in call.operands() {
        let Some(tile) = operand.tile() else {
            continue;
        };
        let names = Names::of(call, role);
        let variable = names.variable;
        if image(call, role, tile).is_some() {
            text.line(1, format!("TLOAD({variable}, {});", names.tensor()));
            any = true;
        } else if is_loaded(call, role) {
            text.line(
                1,
                format!("// {variable} has boxes: it holds its data already."),
            );
        }
    }
    if any && target != Target::Cpu {
        text.line(1, "set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);");
        text.line(1, "wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);");
    }
}
