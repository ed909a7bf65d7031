//! The cases of our own: those that promise something draw indices that are in range.

use std::path::Path;

use ptodiff_case::{Case, IndexPattern, Style, load};
use ptodiff_generate::stimulus;
use ptodiff_isa::{
    BLayout, Call, Coalesce, Dim, GatherOob, GlobalTensor, Memory, Operand, Role, ScatterOob,
};

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

/// The indices of a call as numbers without sign.
fn indices(call: &Call, memory: &Memory) -> Vec<u64> {
    let index = call.operand(Role::Index).expect("there are indices");
    let body = memory.get(Role::Index).expect("every step has them").body();
    let (extents, strides) = match index {
        Operand::Tensor(t) => (
            [t.shape[3], t.shape[4]],
            [t.stride[3], t.stride[4]].map(Dim::get),
        ),
        Operand::Tile(t) => {
            let strides = match t.blayout {
                BLayout::RowMajor => [t.cols, 1],
                BLayout::ColMajor => [1, t.rows],
            };
            ([t.valid_row, t.valid_col], strides)
        }
    };
    let size = index.dtype().size();
    let [rows, cols] = extents.map(Dim::get);
    let places = (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c)));
    places
        .map(|(r, c)| {
            let at = (r * strides[0] + c * strides[1]) as usize * size;
            let mut word = [0; 8];
            word[..size].copy_from_slice(&body[at..at + size]);
            u64::from_le_bytes(word)
        })
        .collect()
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

/// Each instruction and form has cases that are rejected, and of each area
/// where something may be promised to nobody, cases of that.
#[test]
fn every_file_shows_rejections_preconditions_and_readings() {
    let cases = cases();
    for file in [
        "mgather",
        "mscatter",
        "mgather_gm2l1",
        "mscatter_first",
        "tscatter",
        "tgatherb",
    ] {
        let start = format!("{file}/");
        let of_file: Vec<&Case> = cases.iter().filter(|c| c.id.starts_with(&start)).collect();
        assert!(of_file.iter().any(|c| !c.rejected.is_empty()), "{file}");
        assert!(of_file.iter().any(|c| !c.undefined.is_empty()), "{file}");
        let reading = |c: &&&Case| c.readings != ptodiff_isa::TargetReadings::default();
        assert!(of_file.iter().filter(reading).count() > 0, "{file}");
    }
    let hanging = cases.iter().filter(|c| !c.hangs.is_empty()).count();
    assert!(hanging >= 4, "{hanging}");
}
