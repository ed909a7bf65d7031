//! TSCATTER by index (002).

use crate::common::*;
use ptodiff_isa::DType::*;
use ptodiff_isa::*;

pub(crate) fn call(dst: Tile, src: Tile, idx: Tile) -> TscatterIndex {
    TscatterIndex { dst, src, idx }
}

/// The destination after an accepted call without out-of-bounds accesses.
pub(crate) fn scattered<T: Item, I: Item>(
    call: &TscatterIndex,
    how: How,
    dst: &[T],
    src: &[T],
    idx: &[I],
) -> Vec<T> {
    let operands = [
        (Role::Source, bytes(src)),
        (Role::Index, bytes(idx)),
        (Role::Destination, bytes(dst)),
    ];
    let call = Call::TscatterIndex(*call);
    items(&clean_but(call, how, &operands, &[Role::Destination])[0])
}

#[test]
fn sem_01_and_04_offsets_count_elements_of_the_padded_destination() {
    // Width 8, valid 5: offset 11 is (1, 3), offset 6 is padding (GAP-05).
    let dst = valid(Int32, 4, 8, 4, 5);
    let src = valid(Int32, 2, 8, 2, 3);
    let call = call(dst, src, src);
    let values: Vec<i32> = (1..17).collect();
    let mut idx = [31; 16];
    idx[..3].copy_from_slice(&[11, 0, 6]);
    idx[8..11].copy_from_slice(&[30, 7, 12]);
    let after = scattered(&call, How::default(), &[-1; 32], &values, &idx);
    let mut expected = [-1; 32];
    for (slot, value) in [(11, 1), (0, 2), (6, 3), (30, 9), (7, 10), (12, 11)] {
        expected[slot] = value;
    }
    // GAP-02: what no index addresses is kept.
    assert_eq!(after, expected);
}

#[test]
fn gap_07_storage_order_whatever_the_layout() {
    // Offset 5 of a ColMajor 4 by 8 destination is (1, 1): byte 20 all the same.
    let dst = col_major(tile(Int32, 4, 8));
    let src = col_major(tile(Int32, 8, 2));
    let call = call(dst, src, tile(Int32, 8, 2));
    // Source (r, c) at 8c + r, index (r, c) at 2r + c.
    let values: Vec<i32> = (0..16).collect();
    let idx: Vec<i32> = (0..16).map(|k| 2 * k).collect();
    let after = scattered(&call, How::default(), &[-1; 32], &values, &idx);
    // (0, 0) to 0, (0, 1) to 2, (1, 0) to 4, (7, 1) to 30.
    assert_eq!(after[..5], [0, -1, 8, -1, 1]);
    assert_eq!(after[30..], [15, -1]);
}

#[test]
fn dtype_05_to_07_every_width() {
    let run = |data, index| {
        let idx = Tile {
            dtype: index,
            ..tile(data, 1, 32)
        };
        call(tile(data, 1, 32), tile(data, 1, 32), idx)
    };
    let back: Vec<i16> = (0..32).map(|k| 31 - k).collect();
    let how = How::default();
    let ones: Vec<u8> = (0..32).collect();
    let after = scattered(&run(Int8, Uint16), how, &[0; 32], &ones, &back);
    assert_eq!((after[0], after[31]), (31, 0));
    let halves: Vec<u16> = (100..132).collect();
    let after = scattered(&run(Half, Int16), how, &[0; 32], &halves, &back);
    assert_eq!((after[0], after[31]), (131, 100));
    // 64-bit elements in the suites' scope only.
    let how = reading(|readings| readings.scope = Scope::AsTheSuite);
    let idx: Vec<i32> = (0..32).map(|k| 31 - k).collect();
    let wide: Vec<u32> = (0..64).collect();
    let after = scattered(&run(Int64, Int32), how, &[0; 64], &wide, &idx);
    assert_eq!((&after[..2], &after[62..]), (&[62, 63][..], &[0, 1][..]));
}

#[test]
fn conf_02_the_schedule_decides_who_survives() {
    let src = tile(Int32, 2, 40);
    let call = call(tile(Int32, 1, 8), src, src);
    let values: Vec<i32> = (0..80).collect();
    let run = |schedule| scattered(&call, how(schedule), &[-1; 8], &values, &[3; 80])[3];
    assert_eq!(run(Schedule::InOrder), 79);
    assert_eq!(run(Schedule::Reversed), 0);
    let survivors: std::collections::BTreeSet<i32> =
        (0..40).map(|seed| run(Schedule::Shuffled(seed))).collect();
    assert!(survivors.len() > 10);
    assert!(survivors.iter().all(|value| (0..80).contains(value)));
    // Without collisions nothing depends on it.
    let call = TscatterIndex { dst: src, ..call };
    let back: Vec<i32> = (0..80).rev().collect();
    for schedule in SCHEDULES {
        let after = scattered(&call, how(schedule), &[-1; 80], &values, &back);
        assert_eq!(after, back);
    }
}

#[test]
fn gap_03_the_extent_is_the_sources_or_the_index_tiles() {
    let call = call(
        tile(Int32, 1, 8),
        valid(Int32, 2, 8, 2, 2),
        valid(Int32, 2, 8, 1, 3),
    );
    let values: Vec<i32> = (1..17).collect();
    let idx = [0, 1, 2, 7, 7, 7, 7, 7, 3, 4, 7, 7, 7, 7, 7, 7];
    let run = |extent| {
        let how = reading(|readings| readings.tscatter_extent = extent);
        scattered(&call, how, &[0; 8], &values, &idx)
    };
    assert_eq!(run(ScatterExtent::Source), [1, 2, 0, 9, 10, 0, 0, 0]);
    assert_eq!(run(ScatterExtent::Index), [1, 2, 3, 0, 0, 0, 0, 0]);
}

#[test]
fn gap_02_unaddressed_slots() {
    let one = valid(Int32, 1, 8, 1, 1);
    let call = call(valid(Int32, 2, 8, 1, 3), one, one);
    let run = |unaddressed| {
        let how = reading(|readings| readings.tscatter_unaddressed = unaddressed);
        scattered(&call, how, &[5; 16], &[9; 8], &[1; 8])
    };
    let mut kept = [5; 16];
    kept[1] = 9;
    assert_eq!(run(Unaddressed::Kept), kept);
    assert_eq!(run(Unaddressed::Undefined), kept);
    // The whole allocation, padding included.
    let mut zero = [0; 16];
    zero[1] = 9;
    assert_eq!(run(Unaddressed::Zero), zero);
}

#[test]
fn gap_06_a_negative_index_has_its_own_width() {
    let run = |dtype, negative, index: Vec<u8>| {
        let (src, idx) = (valid(Int16, 1, 16, 1, 1), valid(dtype, 1, 16, 1, 1));
        let call = call(tile(Int16, 1, 16), src, idx);
        let mut memory = memory(&[
            (Role::Source, bytes(&[7_i16; 16])),
            (Role::Index, index),
            (Role::Destination, vec![0; 32]),
        ]);
        let how = reading(|readings| readings.negative_index = negative);
        let log = execute(Call::TscatterIndex(call), &mut memory, how);
        assert_eq!(log.oob_accesses.count, 1);
        let oob_access = log.oob_accesses.first[0];
        assert!(oob_access.write && oob_access.role == Role::Destination);
        oob_access.offset
    };
    let minus_one = || bytes(&[-1_i16; 16]);
    use NegativeIndex::{Intended, Signed, Unsigned};
    // OOB-01: nothing is checked.
    assert_eq!(run(Int16, Unsigned, minus_one()), 65535 * 2);
    assert_eq!(run(Int16, Signed, minus_one()), -2);
    assert_eq!(run(Int16, Intended, minus_one()), -2);
    assert_eq!(run(Uint16, Signed, minus_one()), 65535 * 2);
}

#[test]
fn sem_05_only_loads_and_stores_in_ub() {
    let one = valid(Int32, 1, 8, 1, 2);
    let call = Call::TscatterIndex(call(tile(Int32, 1, 8), one, one));
    let operands = [
        (Role::Source, vec![1; 32]),
        (Role::Index, bytes(&[5, 2, 0, 0, 0, 0, 0, 0])),
        (Role::Destination, vec![0; 32]),
    ];
    let (space, len) = (Space::Ub, 4);
    let load = |role, offset| Event::Load {
        space,
        role,
        offset,
        len,
    };
    let store = |offset| Event::Store {
        space,
        role: Role::Destination,
        offset,
        len,
    };
    let lanes = [
        load(Role::Index, 0),
        load(Role::Source, 0),
        store(20),
        load(Role::Index, 4),
        load(Role::Source, 4),
        store(8),
    ];
    let log = execute(call, &mut memory(&operands), How::default());
    assert_eq!(log.trace.expect("a trace"), lanes);
    // Under the reading, the zero fill comes first.
    let how = reading(|readings| readings.tscatter_unaddressed = Unaddressed::Zero);
    let log = execute(call, &mut memory(&operands), how);
    let events = log.trace.expect("a trace");
    assert_eq!(events[0], fill(None, Space::Ub, Role::Destination, 32));
    assert_eq!(events[1..], lanes);
}

#[test]
fn sem_05_a_trace_follows_the_lanes_in_whatever_order_they_run() {
    let load = |role, offset| Event::Load {
        space: Space::Ub,
        role,
        offset,
        len: 4,
    };
    let store = |offset| Event::Store {
        space: Space::Ub,
        role: Role::Destination,
        offset,
        len: 4,
    };
    // Tiles without padding and with some: lane k has column k % 8 of row k / 8.
    for cols in [8, 16] {
        let src = valid(Int32, 2, cols as u64, 2, 8);
        let call = Call::TscatterIndex(call(tile(Int32, 1, 32), src, src));
        let places = [0..8, cols..cols + 8].into_iter().flatten();
        // Slot 2k + 1 is lane k's.
        let mut idx = vec![0; 2 * cols];
        let mut lanes = Vec::new();
        for (place, slot) in places.zip((1..32).step_by(2)) {
            idx[place] = slot;
            let own = 4 * place as i64;
            let to = 4 * i64::from(slot);
            lanes.push([load(Role::Index, own), load(Role::Source, own), store(to)]);
        }
        let operands = [
            (Role::Source, vec![1; 8 * cols]),
            (Role::Index, bytes(&idx)),
            (Role::Destination, vec![0; 128]),
        ];
        let traced = |schedule| {
            let log = execute(call, &mut memory(&operands), how(schedule));
            log.trace.expect("a trace")
        };
        assert_eq!(traced(Schedule::InOrder), lanes.concat());
        lanes.reverse();
        assert_eq!(traced(Schedule::Reversed), lanes.concat());
        // Each lane once and in one go, in an order that the seed draws.
        let shuffled = traced(Schedule::Shuffled(1));
        assert_eq!(shuffled.len(), 3 * 16);
        assert!(
            lanes
                .iter()
                .all(|lane| shuffled.chunks(3).any(|seen| seen == lane))
        );
        assert_ne!(shuffled, traced(Schedule::Shuffled(2)));
    }
}

#[test]
fn gap_21_run_time_extents_of_0_write_nothing() {
    let none = dynamic(valid(Int32, 1, 8, 0, 8));
    let call = call(tile(Int32, 1, 8), none, none);
    let after = scattered(&call, How::default(), &[5; 8], &[1; 8], &[0; 8]);
    assert_eq!(after, [5; 8]);
}
