//! The cases of our own: those that promise something draw indices that are in range.

use std::path::Path;

use ptodiff_case::{Case, IndexPattern, Style, load};
use ptodiff_generate::stimulus;
use ptodiff_isa::{Call, Coalesce, Dim, GatherOob, GlobalTensor, ScatterOob};

use crate::stimulus::build::indices;

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/clauses");
    let corpus = load(&[folder]).unwrap_or_else(|error| panic!("{}", error.render(Style::Plain)));
    corpus.cases
}

fn of_table(mode: Coalesce, table: &GlobalTensor) -> u64 {
    let shape = table.shape.map(Dim::get);
    match mode {
        Coalesce::Row => shape[..4].iter().product(),
        Coalesce::Elem => shape.iter().product(),
    }
}

/// Slots beyond which nothing is promised, where the call has no policy against it.
fn limit(call: &Call) -> Option<u64> {
    match call {
        Call::Mscatter(c) if c.oob == ScatterOob::Undefined => Some(of_table(c.mode, &c.table)),
        Call::MscatterFirst(c) if c.oob == ScatterOob::Undefined => {
            let by_row = c.idx.cols == 1 && c.src.cols != 1;
            let mode = if by_row {
                Coalesce::Row
            } else {
                Coalesce::Elem
            };
            Some(of_table(mode, &c.table))
        }
        Call::Mgather(c) if c.oob == GatherOob::Undefined => Some(of_table(c.mode, &c.table)),
        Call::MgatherL1(c) if c.oob == GatherOob::Undefined => Some(of_table(c.mode, &c.table)),
        Call::TscatterIndex(c) => Some(c.dst.rows * c.dst.cols),
        _ => None,
    }
}

#[test]
fn drawn_indices_are_in_range_where_no_policy_takes_care() {
    let mut inside = 0;
    for case in cases() {
        // What a case writes out it means.
        let written = matches!(case.data.index, IndexPattern::Literal(_));
        let Some(limit) = limit(&case.call).filter(|_| !written) else {
            continue;
        };
        for seed in [0, 1, 2] {
            for memory in &stimulus(&case, seed).steps {
                let all = indices(&case.call, memory).iter().all(|&i| i < limit);
                let excused = !case.undefined.is_empty();
                assert!(all || excused, "{} seed {seed}", case.id);
                inside += usize::from(all);
            }
        }
    }
    assert!(inside > 300, "{inside}");
}
