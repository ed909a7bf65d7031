//! The parts of the C++ of a call, and where its tiles stand.

use crate::calls::{call, calls};
use ptodiff_asm::{PieceKind, cpp, pieces};
use ptodiff_isa::{Call, Target, TileType};

/// The parts of a call: run-time extents come from an array, operand by
/// operand, and nothing is placed, loaded or wrapped.
#[test]
fn the_parts_of_a_call() {
    let call = call(
        "mgather.elem %dst, %table, %idx : \
         (!pto.tile<Vec, f32, 1, 16, RowMajor, NoneBox, 512, none, valid = ?x?>, \
         !pto.memref<1x1x1x?x?xf32, stride = [1, 1, 1, ?, 1], layout = ND>, \
         !pto.tile<Vec, i32, 1, 16, RowMajor, NoneBox, 512, none, valid = 1x?>) \
         {%dst = [1, 9], %table = [3, 10, 10], %idx = [9]}",
    );
    let parts = pieces(&call, Target::Cpu).expect("a form");
    let declarations = parts
        .operands
        .iter()
        .map(|piece| piece.declaration.as_str());
    assert_eq!(
        declarations.collect::<String>(),
        "    using DstTile = Tile<TileType::Vec, float, 1, 16, BLayout::RowMajor, -1, -1>;
    DstTile dst(at[0], at[1]);
    using TableShape = Shape<1, 1, 1, -1, -1>;
    using TableStride = Stride<1, 1, 1, -1, 1>;
    using TableTensor = GlobalTensor<float, TableShape, TableStride, Layout::ND>;
    TableShape tableShape(at[2], at[3]);
    TableStride tableStride(at[4]);
    TableTensor tableGM(tablePtr, tableShape, tableStride);
    using IdxTile = Tile<TileType::Vec, int32_t, 1, 16, BLayout::RowMajor, 1, -1>;
    IdxTile idx(at[5]);
"
    );
    assert_eq!(
        parts.intrinsic,
        "MGATHER<Coalesce::Elem, GatherOOB::Undefined>(dst, tableGM, idx);"
    );
    let kinds: Vec<_> = parts
        .operands
        .iter()
        .map(|piece| (piece.variable.as_str(), &piece.kind))
        .collect();
    let pointer = "tablePtr".to_owned();
    assert_eq!(
        kinds,
        [
            ("dst", &PieceKind::Tile { address: Some(0) }),
            ("tableGM", &PieceKind::Tensor { pointer }),
            ("idx", &PieceKind::Tile { address: Some(64) }),
        ]
    );
}

/// Address and size in bytes of each tile in one memory, from the text and the call.
fn placed(call: &Call, text: &str) -> Vec<(u128, u128, bool)> {
    let lines = text.lines().filter(|line| line.contains("TASSIGN("));
    let addresses = lines.map(|line| {
        let hex = line
            .split("0x")
            .nth(1)
            .and_then(|hex| hex.strip_suffix(");"));
        u128::from_str_radix(hex.expect("an address"), 16).expect("hexadecimal digits")
    });
    let operands = call.operands();
    let tiles = operands.iter().filter_map(|(_, operand)| operand.tile());
    let sized = tiles.map(|tile| {
        let bytes = u128::from(tile.rows) * u128::from(tile.cols) * tile.dtype.size() as u128;
        (bytes, tile.location == TileType::Vec)
    });
    addresses
        .zip(sized)
        .map(|(at, (bytes, ub))| (at, bytes, ub))
        .collect()
}

#[test]
fn addresses_are_aligned_and_apart() {
    for call in calls() {
        for target in [Target::Cpu, Target::A2a3, Target::A5] {
            let Ok(text) = cpp(&call, target) else {
                continue;
            };
            let tiles = placed(&call, &text);
            for (i, (at, bytes, ub)) in tiles.iter().enumerate() {
                assert_eq!(at % 32, 0);
                for (other, size, other_ub) in &tiles[..i] {
                    assert!(ub != other_ub || at + bytes <= *other || other + size <= *at);
                }
            }
        }
    }
}
