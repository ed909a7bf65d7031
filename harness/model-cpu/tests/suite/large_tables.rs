//! A large table that notes what is written of it takes what any other takes.

use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use ptodiff_isa::{BLayout, Call, Coalesce, DType, Memory, Mscatter, Readings, Role, Tile};

use crate::common::{memory_of, rows, run_under, scatter, tile};
use crate::strategies::{atomic, dtype, mode, readings, scatter_oob};

use Role::{Index, Source, Table};

/// Bytes of the table: large, and no whole number of rows or elements.
static BODY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let bytes = 0..(1_usize << 17) + 43;
    bytes.map(|k| (k * 7 + k / 251) as u8).collect()
});

/// A tile of these valid extents, mostly of rows in one piece each.
fn around(dtype: DType, [r, c]: [u64; 2]) -> impl Strategy<Value = Tile> {
    let layout = prop_oneof![5 => Just(BLayout::RowMajor), 1 => Just(BLayout::ColMajor)];
    (0_u64..3, 0_u64..3, layout).prop_map(move |(more_rows, more_cols, blayout)| Tile {
        blayout,
        ..tile(dtype, [r + more_rows, c + more_cols], [r, c])
    })
}

/// Indices for `capacity` slots: many of the same, and in half of the calls
/// some that select none.
fn indices(capacity: u64, dtype: DType, count: usize) -> impl Strategy<Value = Vec<u8>> {
    let inside = prop_oneof![0..capacity.min(4), 0..capacity];
    let any = prop_oneof![
        12 => inside.clone(),
        1 => capacity - 1..capacity + 12,
        1 => any::<u64>(),
    ];
    let indices = prop_oneof![vec(inside, count), vec(any, count)];
    indices.prop_map(move |all| {
        let bytes = |index: &u64| index.to_le_bytes()[..dtype.size()].to_vec();
        all.iter().flat_map(bytes).collect()
    })
}

/// A scatter of few bytes, and its memory. The table may be larger by its
/// shape than its body is, and an index tile may lack its end.
fn few() -> impl Strategy<Value = (Mscatter, Memory)> {
    let index = prop_oneof![
        4 => select(vec![DType::Int32, DType::Uint32]),
        1 => select(vec![DType::Int16, DType::Uint8, DType::Int64]),
    ];
    let beyond = prop_oneof![3 => Just(0_u64), 1 => 1_u64..9];
    let shape = (0_u64..7, 0_u64..15, 1_u64..20, beyond, any::<bool>());
    (dtype(), index, mode(), atomic(), scatter_oob(), shape).prop_flat_map(
        |(dtype, index, mode, atomic, oob, (r, c, width, beyond, upright))| {
            let height = BODY.len() as u64 / (width * dtype.size() as u64) + beyond;
            let (capacity, extents) = match mode {
                Coalesce::Row if upright => (height, [r, 1]),
                Coalesce::Row => (height, [1, r]),
                Coalesce::Elem => (height * width, [r, c]),
            };
            (around(dtype, [r, c]), around(index, extents)).prop_flat_map(move |(src, idx)| {
                let call = Mscatter {
                    mode,
                    atomic,
                    oob,
                    ..scatter(rows(dtype, height, width), src, idx)
                };
                let elements = |tile: Tile| (tile.rows * tile.cols) as usize;
                let lacking = prop_oneof![9 => Just(0_usize), 1 => 1_usize..9];
                (
                    vec(any::<u8>(), elements(src) * dtype.size()),
                    indices(capacity, index, elements(idx)),
                    lacking,
                )
                    .prop_map(move |(src, idx, lacking)| {
                        let idx = &idx[..idx.len().saturating_sub(lacking)];
                        let operands = [(Table, &BODY[..]), (Source, &src), (Index, idx)];
                        (call, memory_of(&operands))
                    })
            })
        },
    )
}

/// Runs `call` on `memory` as it is, and where its table notes what is written.
fn check(call: Mscatter, readings: Readings, memory: Memory) {
    let row_major = call.src.blayout == BLayout::RowMajor;
    let call = Call::Mscatter(call);
    let mut noting = memory.clone();
    noting.regions[0].note_writes();
    let before = noting.clone();
    let traced = [&noting, &memory].map(|it| run_under(readings, &call, it.clone(), true));
    let [of_noting, of_ordinary] = traced.map(|ran| ran.log.trace);
    assert!(of_noting == of_ordinary, "the traces differ");
    let after = run_under(readings, &call, noting, false);
    let ordinary = run_under(readings, &call, memory, false);
    assert_eq!(after.log.strays, ordinary.log.strays);
    assert!(after.memory == ordinary.memory, "the bytes differ");

    let [before, after_table] = [&before, &after.memory].map(|it| &it.regions[0]);
    let noted = before.may_differ(after_table).is_some();
    assert!(noted || !row_major || after.log.strays.count > 0);
    // A copy takes over what is noted, so that has to be all.
    let mut copy = before.clone();
    copy.clone_from(after_table);
    assert!(copy.bytes() == after_table.bytes(), "a write was not noted");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_large_table_is_written_the_same_whether_it_is_noted_or_not(
        (call, memory) in few(),
        readings in readings(),
    ) {
        check(call, readings, memory);
    }
}
