//! Small scatters.

use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::Int32;

use super::*;

/// One row of `lanes` int32 elements to a table of four, Elem.
pub(crate) fn elements(lanes: u64) -> Mscatter {
    Mscatter {
        table: rows(Int32, 1, 4, 4),
        src: tile(Int32, [1, 16], [1, lanes]),
        idx: tile(Int32, [1, 16], [1, lanes]),
        mode: Elem,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Skip,
        conflict: ScatterConflict::Default,
        launch: Launch::default(),
    }
}

/// A table of zeros, elements 1, 2, 3 and so on, and these indices.
pub(crate) fn counted(dtype: DType, slots: usize, idx: &[i64]) -> Memory {
    let mut all = idx.to_vec();
    all.resize(16, 77);
    let src: Vec<_> = (1..=32).collect();
    operands(STORES, dtype, [&vec![0; slots], &src, &all])
}

pub(crate) fn scattered(
    call: &Mscatter,
    idx: &[i64],
    target: Target,
    choices: &[(&str, &str)],
) -> String {
    let m = counted(call.src.dtype, 4, idx);
    told(&Call::Mscatter(*call), &[&m], target, choices)
}

/// An NZ tile of 16 x 16 int32 over a table of two blocks; element (r, c) is
/// 100 * r + c + 1.
pub(crate) fn blocks(mode: Coalesce, valid: [u64; 2], idx: &[i64]) -> (Mscatter, Memory) {
    let lanes = if mode == Row { [1, valid[0]] } else { valid };
    let call = Mscatter {
        table: tensor(Int32, Layout::NZ, [[1, 2, 1, 16, 8], [256, 128, 128, 8, 1]]),
        src: nz_tile(Int32, [16, 16], valid),
        idx: tile(Int32, lanes, lanes),
        mode,
        ..elements(1)
    };
    let mut src = vec![0; 256];
    for r in 0..16 {
        for c in 0..16 {
            src[c / 8 * 128 + r * 8 + c % 8] = 100 * r as i64 + c as i64 + 1;
        }
    }
    let m = operands(STORES, Int32, [&[0; 256], &src, idx]);
    (call, m)
}
