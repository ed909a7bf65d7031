//! Elements in groups, and what a group of them has to see to.

use std::iter::repeat_n;

use crate::common::*;
use ptodiff_isa::Coalesce::Elem;
use ptodiff_isa::DType::*;
use ptodiff_isa::ScatterAtomicOp::Add;
use ptodiff_isa::ScatterOob::{Clamp, Skip, Undefined, Wrap};
use ptodiff_isa::*;

/// The one NaN that sums give, and another.
const NAN: u32 = 0x7FC0_0000;
const OTHER_NAN: u32 = 0xFFA1_2345;

/// A scatter of `len` elements into a table of `slots`.
fn line(dtype: DType, slots: u64, len: usize) -> Mscatter {
    let len = len as u64;
    mscatter(
        Elem,
        flat(dtype, slots),
        valid(dtype, 1, len.next_multiple_of(8), 1, len),
        valid(Int32, 1, len.next_multiple_of(8), 1, len),
    )
}

/// Runs a scatter without a trace; the table's bits afterwards, and strays.
fn run(call: Mscatter, table: &[u32], src: &[u32], idx: &[u32]) -> (Vec<u32>, u64) {
    let len = src.len().next_multiple_of(8);
    let tile = |items: &[u32]| {
        let padded = items.iter().copied().chain(repeat_n(0, len - items.len()));
        bytes(&padded.collect::<Vec<u32>>())
    };
    let operands = [
        (Role::Table, bytes(table)),
        (Role::Source, tile(src)),
        (Role::Index, tile(idx)),
    ];
    let mut memory = memory(&operands);
    let log = execute_silently(Call::Mscatter(call), &mut memory, How::default());
    let after = memory.get(Role::Table).expect("a table");
    (items(after.body()), log.strays.count)
}

#[test]
fn last_leaves_out_what_no_lane_has_wherever_it_stands_in_a_group() {
    // The body has four slots more than the table: no lane serves them, and none
    // is a stray.
    let slot_of = |oob: ScatterOob, index: u32| match oob {
        Undefined | Skip => Some(index).filter(|slot| *slot < 8),
        Clamp => Some(index.min(7)),
        Wrap => Some(index % 8),
    };
    for oob in [Undefined, Skip, Clamp, Wrap] {
        for len in 2..=25 {
            for beyond in 0..len {
                // Every slot twice from 16 elements on.
                let mut idx: Vec<u32> = (0..len as u32).map(|k| k * 3 % 8).collect();
                idx[beyond] = 8 + beyond as u32 % 4;
                // So far out that memory has no such slot.
                idx[len / 2] = if beyond % 2 == 0 {
                    u32::MAX
                } else {
                    idx[len / 2]
                };
                let src: Vec<u32> = (100..100 + len as u32).collect();
                let mut expected = vec![1; 12];
                for (index, value) in idx.iter().zip(&src) {
                    if let Some(slot) = slot_of(oob, *index) {
                        expected[slot as usize] = *value;
                    }
                }
                let call = Mscatter {
                    oob,
                    ..line(Int32, 8, len)
                };
                let (after, strays) = run(call, &[1; 12], &src, &idx);
                assert_eq!((after, strays), (expected, 0), "{oob}: {beyond} of {len}");
            }
        }
    }
}

#[test]
fn an_only_element_goes_where_its_index_says() {
    // The scalar path has no lanes of slots: Undefined does not remap, whatever
    // becomes of slots that are not the table's (MSCATTER-SEM-07, MSCATTER-GAP-35).
    for slot in 0..12 {
        let mut expected = vec![1; 12];
        expected[slot] = 42;
        let (after, strays) = run(line(Int32, 8, 1), &[1; 12], &[42], &[slot as u32]);
        assert_eq!((after, strays), (expected, 0), "{slot}");
    }
}

/// The sums of a scatter in order, each of which that is no number being `NAN`.
fn sums(table: &[u32], src: &[u32], idx: &[u32]) -> Vec<u32> {
    let mut table = table.to_vec();
    for (slot, value) in idx.iter().zip(src) {
        // What is further out is not the table's.
        if let Some(slot) = table.get_mut(*slot as usize) {
            let sum = f32::from_bits(*slot) + f32::from_bits(*value);
            *slot = if sum.is_nan() { NAN } else { sum.to_bits() };
        }
    }
    table
}

/// Adds `src` to the 32 slots that a table of 64 has, of which the last ten are no
/// numbers and the first one is minus infinity.
fn added(oob: ScatterOob, src: &[u32], idx: &[u32], strays: u64) {
    let mut table: Vec<u32> = (0..32).map(|k| (k as f32).to_bits()).collect();
    table[22..].fill(OTHER_NAN);
    table[0] = f32::NEG_INFINITY.to_bits();
    let call = Mscatter {
        atomic: Add,
        oob,
        ..line(Float, 64, src.len())
    };
    let expected = sums(&table, src, idx);
    assert_eq!(run(call, &table, src, idx), (expected, strays), "{idx:?}");
}

#[test]
fn a_sum_that_is_no_number_is_the_one_nan_wherever_it_stands_in_a_group() {
    for len in 2..=20_usize {
        let numbers: Vec<u32> = (0..len).map(|k| (k as f32 / 4.0).to_bits()).collect();
        let idx: Vec<u32> = (1..=len as u32).collect();
        for at in 0..len {
            let mut src = numbers.clone();
            src[at] = OTHER_NAN;
            added(Undefined, &src, &idx, 0);
            // A number follows it into its slot.
            let mut twice = idx.clone();
            twice[len - 1] = idx[at];
            added(Undefined, &src, &twice, 0);
            // A slot that is none already; the other nine are not touched.
            let mut onto = idx.clone();
            onto[at] = 25;
            added(Undefined, &numbers, &onto, 0);
            // Infinities that meet, and such as do not.
            src[at] = f32::INFINITY.to_bits();
            added(Undefined, &src, &idx, 0);
            onto[at] = 0;
            added(Undefined, &src, &onto, 0);
        }
    }
}

#[test]
fn a_stray_in_a_group_leaves_the_sums_before_and_after_it() {
    for nan in 0..16 {
        for stray in (0..16).filter(|stray| *stray != nan) {
            let mut src = [1.5_f32.to_bits(); 16];
            let mut idx: Vec<u32> = (1..=16).collect();
            src[nan] = OTHER_NAN;
            // Its neighbour holds such a number, but nobody adds to it.
            idx[stray] = 4096;
            added(Undefined, &src, &idx, 1);
        }
    }
}

#[test]
fn a_lane_without_a_slot_leaves_the_sums_beside_it() {
    for skipped in 0..16 {
        for nan in (0..16).filter(|nan| *nan != skipped) {
            let mut src = [1.5_f32.to_bits(); 16];
            let mut idx: Vec<u32> = (1..=16).collect();
            src[nan] = OTHER_NAN;
            idx[skipped] = 4096;
            added(Skip, &src, &idx, 0);
            for stray in (0..16).filter(|stray| ![skipped, nan].contains(stray)) {
                // A slot of the table where its body has ended.
                let mut idx = idx.clone();
                idx[stray] = 40;
                added(Skip, &src, &idx, 1);
            }
        }
    }
}

#[test]
fn operands_are_found_in_every_order() {
    let call = Call::Mscatter(line(Int32, 8, 8));
    let table = (Role::Table, bytes(&[1; 8]));
    let src = (Role::Source, bytes(&[10, 11, 12, 13, 14, 15, 16, 17]));
    let idx = (Role::Index, bytes(&[7, 6, 5, 4, 3, 2, 1, 0]));
    // One that the call has not.
    let other = (Role::Scratch, bytes(&[2; 8]));
    let all = [table, src, idx, other];
    for order in [
        [0, 1, 2, 3],
        [0, 2, 1, 3],
        [1, 0, 2, 3],
        [2, 1, 0, 3],
        [0, 1, 3, 2],
        [0, 3, 2, 1],
        [3, 0, 1, 2],
    ] {
        let mut memory = memory(&order.map(|at| all[at].clone()));
        let log = execute_silently(call, &mut memory, How::default());
        assert_eq!(log, Log::default(), "{order:?}");
        let body = |role| items::<i32>(memory.get(role).expect("an operand").body());
        assert_eq!(body(Role::Table), [17, 16, 15, 14, 13, 12, 11, 10]);
        assert_eq!(body(Role::Scratch), [2; 8]);
    }
}
