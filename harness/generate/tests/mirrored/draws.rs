//! The indices that are drawn for the mirrored cases.

use std::collections::BTreeSet;

use ptodiff_case::{Case, IndexPattern};
use ptodiff_generate::stimulus;
use ptodiff_isa::{Call, Dim, Layout};

use crate::mirrored::corpus::{cases, policy};
use crate::stimulus::build::indices;

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

#[test]
fn drawn_indices_go_out_of_bounds_where_the_suites_do() {
    for case in cases() {
        let Some(capacity) = capacity(case) else {
            continue;
        };
        let steps = stimulus(case, 11).steps;
        let indices: Vec<u64> = steps.iter().flat_map(|m| indices(&case.call, m)).collect();
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
        let indices = indices(&case.call, &memory);
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
