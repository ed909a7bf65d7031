//! What a schedule decides: who survives, and what floats sum to.

use std::collections::BTreeSet;

use crate::common::*;
use ptodiff_isa::ScatterConflict::Default as Any;

/// The words of a role after a call by these indices; element k of the source is k.
fn after(call: Call, schedule: Schedule, role: Role, idx: &[i32]) -> Vec<i32> {
    let len = area(call.data_tile()) / 4;
    let operands = [
        (Role::Table, bytes(&[-1; 64])),
        (Role::Destination, bytes(&[-1; 64])),
        (Role::Source, bytes(&count_from(0, len as i32))),
        (Role::Index, bytes(idx)),
    ];
    items(&left(call, how(schedule), &operands, role))
}

/// MSCATTER-CONF-06, MSCATTER-GAP-09, MSCATTER0-GAP-02, TSCATTER-CONF-02: of eight lanes to one
/// slot any may survive; whole warps up or down it is the last or the first.
#[test]
fn any_writer_of_a_slot_may_survive() {
    let data = tile(Int32, 1, 8);
    let scatter = mscatter(Elem, flat(Int32, 8), data, data).with(|c| c.conflict = Any);
    let by_index = TscatterIndex {
        dst: data,
        src: data,
        idx: data,
    };
    for (call, role) in [
        (Call::Mscatter(scatter), Role::Table),
        (
            Call::MscatterFirst(mscatter_first(flat(Int32, 8), data, data)),
            Role::Table,
        ),
        (Call::TscatterIndex(by_index), Role::Destination),
    ] {
        let survivor = |schedule| after(call, schedule, role, &[3; 8])[3];
        assert_eq!(survivor(Schedule::InOrder), 7);
        assert_eq!(survivor(Schedule::Reversed), 0);
        let found: BTreeSet<i32> = (0..300)
            .map(|seed| survivor(Schedule::Shuffled(seed)))
            .collect();
        assert_eq!(found, (0..8).collect(), "{role}");
    }
}

/// MSCATTER0-GAP-13: a contested row may be torn.
#[test]
fn a_row_may_be_torn() {
    let (table, src) = (rows(Int32, 1, 64), tile(Int32, 8, 64));
    let scatter = mscatter(Row, table, src, tile(Int32, 1, 8)).with(|c| c.conflict = Any);
    let first = mscatter_first(table, src, tile(Int32, 8, 1));
    for call in [Call::Mscatter(scatter), Call::MscatterFirst(first)] {
        let writers = |schedule| -> BTreeSet<i32> {
            let table = after(call, schedule, Role::Table, &[0; 8]);
            table.iter().map(|value| value / 64).collect()
        };
        assert_eq!(writers(Schedule::InOrder), [7].into());
        assert_eq!(writers(Schedule::Reversed), [0].into());
        assert!(writers(Schedule::Shuffled(5)).len() > 1);
    }
}

/// MSCATTER-ATOM-22: 1e8 + 1 rounds to 1e8.
#[test]
fn float_sums_follow_the_schedule() {
    let part = |dtype| valid(dtype, 1, 16, 1, 3);
    let call = mscatter(Elem, flat(Float, 8), part(Float), part(Int32));
    let call = Call::Mscatter(call.with(|c| c.atomic = ScatterAtomicOp::Add));
    let mut src = [0_f32; 16];
    src[..3].copy_from_slice(&[1e8, 1.0, -1e8]);
    let operands = [
        (Role::Table, bytes(&[0_f32; 8])),
        (Role::Source, bytes(&src)),
        (Role::Index, bytes(&[0; 16])),
    ];
    let sum = |schedule| items::<u32>(&left(call, how(schedule), &operands, Role::Table))[0];
    let sums: BTreeSet<u32> = (0..60).map(|seed| sum(Schedule::Shuffled(seed))).collect();
    assert_eq!(sums, [0, 1_f32.to_bits()].into());
    assert_eq!(sum(Schedule::InOrder), 0);
}

#[test]
fn the_last_kernels_follow_the_lanes_of_their_slots() {
    let data = tile(Int32, 1, 1088);
    let call = Call::Mscatter(mscatter(Elem, flat(Int32, 1088), data, data));
    let up = stores(call, how(Schedule::InOrder), &count_from(0, 1088), 4);
    assert_eq!(up[30..34], [30, 31, 1024, 1025]);
    let down = stores(call, how(Schedule::Reversed), &count_from(0, 1088), 4);
    assert_eq!(
        (&down[..2], &down[1086..]),
        (&[1023, 1022][..], &[1025, 1024][..])
    );
}

/// The rows of a gather of one column in the order in which they are stored. Row `n`
/// is for the first lane of warp `n % 32`.
fn rows_as_stored(count: u64, seed: u64) -> Vec<i64> {
    let idx = valid(Int32, 1, 40, 1, count);
    let call = mgather(Row, rows(Int32, 40, 8), valid(Int32, 40, 8, count, 1), idx);
    let how = how(Schedule::Shuffled(seed));
    stores(Call::Mgather(call), how, &count_from(0, 40), 32)
}

#[test]
fn seeds_draw_every_interleaving_of_lanes() {
    // Rows 0 and 32 are of one lane: three interleavings with row 1 keep their order.
    let drawn: BTreeSet<Vec<i64>> = (0..200)
        .map(|seed| {
            let mut rows = rows_as_stored(33, seed);
            assert_eq!(rows.len(), 33);
            rows.retain(|row| [0, 1, 32].contains(row));
            rows
        })
        .collect();
    let expected = BTreeSet::from([vec![0, 1, 32], vec![1, 0, 32], vec![0, 32, 1]]);
    assert_eq!(drawn, expected);
}

/// A seed means the same schedule for ever: the permutation of Fisher and Yates, from the
/// last place down, with the published numbers of splitmix64 for two seeds.
#[test]
fn the_generator_of_schedules_is_splitmix64() {
    // As fractions: 0.883, 0.431, 0.026. Place 3 changes with 3, 2 with 1, 1 with 0.
    assert_eq!(rows_as_stored(4, 0), [2, 0, 1, 3]);
    // 0.350, 0.173, 0.532: place 3 changes with 1, 2 with 0, 1 with 1.
    assert_eq!(rows_as_stored(4, 1_234_567), [2, 3, 0, 1]);
}
