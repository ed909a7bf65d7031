//! What is drawn for the mirrored cases: indices and sources.

use std::collections::BTreeSet;

use ptodiff_case::{Case, Fill, IndexPattern};
use ptodiff_generate::stimulus;
use ptodiff_isa::{BLayout, Call, DType, Dim, Layout, Memory, Operand, Role};

use crate::mirrored::corpus::{cases, class, policy};

/// Row: table rows; Elem: elements. No suite has more than one row dimension.
fn capacity(case: &Case) -> Option<u64> {
    let table = case.call.table()?;
    let shape = table.shape.map(Dim::get);
    Some(if policy(case).starts_with("Elem") {
        shape.iter().product()
    } else if table.layout == Layout::NZ {
        shape[2] * 16
    } else {
        shape[3]
    })
}

fn element(body: &[u8], slot: u64, dtype: DType) -> u64 {
    let size = dtype.size();
    let mut word = [0; 8];
    word[..size].copy_from_slice(&body[slot as usize * size..][..size]);
    u64::from_le_bytes(word)
}

/// The indices of one call in logical order; those in GM are packed in every suite.
fn indices(case: &Case, memory: &Memory) -> Vec<u64> {
    let index = case.call.operand(Role::Index).expect("there are indices");
    let body = memory.get(Role::Index).expect("every step has them").body();
    let at = |slot| element(body, slot, index.dtype());
    match index {
        Operand::Tensor(tensor) => (0..tensor.shape.map(Dim::get).iter().product())
            .map(at)
            .collect(),
        Operand::Tile(tile) => {
            let (rows, cols) = (tile.valid_row.get(), tile.valid_col.get());
            let slot = |r, c| match tile.blayout {
                BLayout::RowMajor => r * tile.cols + c,
                BLayout::ColMajor => c * tile.rows + r,
            };
            let row = |r| (0..cols).map(move |c| slot(r, c));
            (0..rows).flat_map(row).map(at).collect()
        }
    }
}

#[test]
fn drawn_indices_go_out_of_bounds_where_the_suites_do() {
    for case in cases() {
        let Some(capacity) = capacity(case) else {
            continue;
        };
        let steps = stimulus(case, 11).steps;
        let indices: Vec<u64> = steps.iter().flat_map(|m| indices(case, m)).collect();
        let beyond = indices.iter().filter(|&&i| i >= capacity).count();
        let half = if case.data.index == IndexPattern::OutOfBounds {
            (indices.len() / 2).max(1)
        } else {
            0
        };
        assert_eq!(beyond, half, "{}", case.id);
        assert!(indices.iter().all(|&i| i < 2 * capacity), "{}", case.id);
        if case.data.index == IndexPattern::Permutation {
            let different: BTreeSet<u64> = indices.iter().copied().collect();
            assert_eq!(different.len(), indices.len(), "{}", case.id);
        }
    }
}

/// Each lane of a scatter in its own column of destination row 0 or 1.
#[test]
fn scatters_go_to_two_rows() {
    let mut seen = 0;
    for case in cases() {
        let Call::TscatterIndex(call) = &case.call else {
            continue;
        };
        let memory = stimulus(case, 11).steps.remove(0);
        let (cols, width) = (call.dst.cols, call.idx.cols);
        let indices = indices(case, &memory);
        for (k, index) in indices.iter().enumerate() {
            assert_eq!(index % cols, k as u64 % width, "{}", case.id);
            assert!(index / cols < 2, "{}", case.id);
        }
        let second = indices.iter().filter(|&&i| i >= cols).count();
        assert!((1..indices.len()).contains(&second), "{}", case.id);
        seen += 1;
    }
    assert_eq!(seen, 1 + 7 + 9);
}

/// Offset number k is 32 * k over the whole tile: an identity copy.
#[test]
fn gathers_copy_block_after_block() {
    for case in cases().iter().filter(|c| class(c) == "TGATHERB") {
        let memory = stimulus(case, 11).steps.remove(0);
        let offsets = indices(case, &memory);
        assert!(
            offsets
                .iter()
                .copied()
                .eq((0..offsets.len() as u64).map(|k| 32 * k))
        );
        let source = memory.get(Role::Source).expect("there is a source").body();
        assert_eq!(source.len(), 32 * offsets.len(), "{}", case.id);
        let dtype = case.call.data_tile().dtype;
        let expected = |k: u64| match dtype {
            DType::Float => u64::from((k as f32).to_bits()),
            _ => k & (u64::MAX >> (64 - 8 * dtype.size())),
        };
        for k in [
            0,
            1,
            127,
            200,
            source.len() as u64 / dtype.size() as u64 - 1,
        ] {
            assert_eq!(element(source, k, dtype), expected(k), "{}", case.id);
        }
    }
}

/// CPU's mask cases scatter 1 to 99, the others 0 to below 100.
#[test]
fn scattered_values_are_below_a_hundred() {
    for case in cases().iter().filter(|c| class(c) == "TSCATTER") {
        let memory = stimulus(case, 11).steps.remove(0);
        let source = memory.get(Role::Source).expect("there is a source").body();
        let dtype = case.call.data_tile().dtype;
        let count = (source.len() / dtype.size()) as u64;
        let values: BTreeSet<u64> = (0..count).map(|k| element(source, k, dtype)).collect();
        // As bits, numbers that are not negative are in the order of their values.
        let (one, hundred) = match dtype {
            DType::Float => (0x3F80_0000, 0x42C8_0000),
            DType::Half => (0x3C00, 0x5640),
            _ => (1, 100),
        };
        let least = if case.data.source == Fill::SmallInts {
            one
        } else {
            0
        };
        assert!(
            values.iter().all(|v| (least..hundred).contains(v)),
            "{}",
            case.id
        );
        assert!(values.len() > 20, "{}", case.id);
    }
}
