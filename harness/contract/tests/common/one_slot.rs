//! Scatters whose lanes all meet in one slot, under choices.

use ptodiff_contract::{Permits, Run, permits};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};

pub(crate) use super::choices::with;
use super::{Slot, matrix, memory, runs, scatter, slots, tile};

/// Columns of every tile here.
const COLS: usize = 32;

/// Little-endian elements.
pub(crate) fn bits(dtype: DType, values: &[u32]) -> Vec<u8> {
    let bytes = |v: &u32| v.to_le_bytes()[..dtype.size()].to_vec();
    values.iter().flat_map(bytes).collect()
}

/// Scatters the elements of each step to slot 0, which holds `old`, as does slot 1.
pub(crate) fn to_one_slot(
    dtype: DType,
    mode: Coalesce,
    atomic: ScatterAtomicOp,
    old: u32,
    steps: &[&[u32]],
    target: Target,
    readings: &Readings,
) -> Permits {
    let lanes = steps[0].len();
    let n = lanes as u64;
    let (src, cols) = match mode {
        Row => (tile(dtype, [n, COLS as u64], [n, 2]), 2),
        Elem => (tile(dtype, [1, COLS as u64], [1, n]), 8),
    };
    let idx = tile(DType::Int32, [1, COLS as u64], [1, n]);
    let call = Mscatter {
        atomic,
        ..scatter(matrix(dtype, 4, cols), src, idx, mode)
    };
    let table = bits(dtype, &vec![old; 4 * cols as usize]);
    let memories: Vec<Memory> = steps
        .iter()
        .map(|new| {
            let mut tile = vec![0; (src.rows * src.cols) as usize];
            for (i, &x) in new.iter().enumerate() {
                tile[if mode == Row { i * COLS } else { i }] = x;
            }
            let (tile, idx) = (bits(dtype, &tile), [0; 4 * COLS]);
            memory(&[
                (Role::Table, &table),
                (Role::Source, &tile),
                (Role::Index, &idx),
            ])
        })
        .collect();
    let memories: Vec<&Memory> = memories.iter().collect();
    let p = permits(&Call::Mscatter(call), &memories, target, readings).expect("operands fit");
    let all = slots(&p, Role::Table, table.len());
    assert!(all[8..].iter().all(|s| *s == Slot::Kept));
    p
}

/// What slot 0 may hold.
pub(crate) fn slot_of(dtype: DType, p: &Permits) -> Slot {
    slots(p, Role::Table, 8 * dtype.size()).remove(0)
}

/// The run of slot 0.
pub(crate) fn first_run(p: &Permits) -> &Run {
    &runs(p, Role::Table)[0]
}

/// One element for certain.
pub(crate) fn one(dtype: DType, value: u32) -> Slot {
    Slot::One(bits(dtype, &[value]))
}

/// Any of these elements.
pub(crate) fn several(dtype: DType, values: &[u32]) -> Slot {
    let mut all: Vec<_> = values.iter().map(|&v| bits(dtype, &[v])).collect();
    all.sort();
    Slot::Several(all)
}

/// Any element from the first to the second.
pub(crate) fn between(dtype: DType, low: u32, high: u32) -> Slot {
    Slot::Between(bits(dtype, &[low]), bits(dtype, &[high]))
}
