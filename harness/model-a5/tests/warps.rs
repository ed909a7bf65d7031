//! Launches of one trip and of more: warps in order are positions in order only in
//! the first, and elements of one slot show it.

use crate::common::*;
use ptodiff_isa::Coalesce::Elem;
use ptodiff_isa::DType::*;
use ptodiff_isa::*;

/// The one NaN that sums give.
const NAN: u32 = 0x7FC0_0000;

/// Slots of the table, and of its body, which ends before.
const SLOTS: u32 = 64;
const BODY: u32 = 61;

/// Around whole groups, warps and trips.
const COUNTS: [usize; 13] = [
    2, 31, 32, 33, 71, 1023, 1024, 1025, 1055, 1056, 1061, 2048, 2187,
];

/// Positions in the order of a launch of at most 32 warps (MSCATTER-LAUNCH-06).
fn in_order(count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|at| (at % 1024 / 32, at / 1024, at % 32));
    order
}

/// The slot of an index.
fn slot_of(oob: ScatterOob, index: u32) -> Option<u32> {
    match oob {
        ScatterOob::Undefined => Some(index),
        ScatterOob::Skip => Some(index).filter(|slot| *slot < SLOTS),
        ScatterOob::Clamp => Some(index.min(SLOTS - 1)),
        ScatterOob::Wrap => Some(index % SLOTS),
    }
}

/// What a slot holds once `new` came to it.
fn combined(atomic: ScatterAtomicOp, old: u32, new: u32) -> u32 {
    if atomic == ScatterAtomicOp::None {
        return new;
    }
    let sum = f32::from_bits(old) + f32::from_bits(new);
    if sum.is_nan() { NAN } else { sum.to_bits() }
}

/// Numbers below `end`, always the same.
fn drawn(count: usize, end: u32, mut state: u64) -> Vec<u32> {
    let mut draw = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as u32 % end
    };
    (0..count).map(|_| draw()).collect()
}

/// Runs `call` and holds the table and the out-of-bounds accesses against `src` and `idx` taken one
/// by one.
fn same_one_by_one(call: Mscatter, src: &[u32], idx: &[u32]) {
    let table: Vec<u32> = (0..BODY).map(|k| (k as f32 / 4.0).to_bits()).collect();
    let (mut expected, mut oob_accesses) = (table.clone(), OobAccesses::default());
    for at in in_order(src.len()) {
        let Some(slot) = slot_of(call.oob, idx[at]) else {
            continue;
        };
        match expected.get_mut(slot as usize) {
            Some(old) => *old = combined(call.atomic, *old, src[at]),
            None => oob_accesses.push(OobAccess {
                role: Role::Table,
                offset: i64::from(slot) * 4,
                len: 4,
                write: true,
            }),
        }
    }
    let mut memory = memory(&[
        (Role::Table, bytes(&table)),
        (Role::Source, bytes(src)),
        (Role::Index, bytes(idx)),
    ]);
    let log = execute_silently(Call::Mscatter(call), &mut memory, How::default());
    let after: Vec<u32> = items(memory.get(Role::Table).expect("a table").body());
    let what = (call.oob, call.atomic, src.len());
    assert_eq!(after, expected, "{what:?}");
    assert_eq!(log.oob_accesses, oob_accesses, "{what:?}");
}

/// An Elem call on that many floats.
fn scatter(oob: ScatterOob, atomic: ScatterAtomicOp, count: usize) -> Mscatter {
    let tile = |dtype| tile(dtype, 1, count as u64);
    let table = flat(Float, u64::from(SLOTS));
    Mscatter {
        oob,
        atomic,
        conflict: ScatterConflict::Default,
        ..mscatter(Elem, table, tile(Float), tile(Int32))
    }
}

#[test]
fn warps_of_a_launch_take_their_trips_one_after_the_other() {
    use ScatterAtomicOp::{Add, None};
    use ScatterOob::{Clamp, Skip, Undefined, Wrap};
    for count in COUNTS {
        for seed in 0..4 {
            // Odd ones reach past the body and past the table.
            let reach = if seed % 2 == 0 { BODY } else { BODY + 6 };
            let idx = drawn(count, reach, seed);
            let mut src = drawn(count, 1 << 20, seed + 9);
            for bits in &mut src {
                *bits = (*bits as f32 / 3.0).to_bits();
            }
            for oob in [Undefined, Skip, Clamp, Wrap] {
                same_one_by_one(scatter(oob, None, count), &src, &idx);
                same_one_by_one(scatter(oob, Add, count), &src, &idx);
            }
        }
    }
}
