//! Which bytes of the pool a slot may hold.

use ptodiff_isa::{DType, Role, ScatterAtomicOp};
use ptodiff_judge::{Detail, TargetVerdict};

use crate::fixture::{Fixture, conforms, findings, ints, region};

/// A table of so many elements of which nothing is stored yet.
fn empty(slots: usize) -> Fixture {
    let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
    fixture.before.regions[0] = region(Role::Table, 4 * slots);
    fixture.after = fixture.before.clone();
    fixture
}

/// Where the only slot is that holds what it may not.
#[track_caller]
fn wrong_slot(verdict: TargetVerdict) -> usize {
    let found = findings(verdict);
    match &found[..] {
        [finding] => match &finding.detail {
            Detail::Slot(slot) => slot.offset,
            other => panic!("{other:?}"),
        },
        others => panic!("{others:?}"),
    }
}

#[test]
fn adjacent_bytes_of_the_pool_need_not_be_adjacent_slots() {
    // The slot between them keeps what stands second in the pool.
    let left = |slots: usize, last: i32| {
        let mut fixture = empty(slots);
        fixture.before.regions[0].body_mut()[4..8].copy_from_slice(&ints(&[5]));
        fixture.exactly(0, &ints(&[1]));
        fixture.exactly(8, &ints(&[5]));
        fixture.but(0, &ints(&[1, 5, last])).verdict()
    };
    for slots in [7, 700] {
        conforms(&left(slots, 5));
        assert_eq!(wrong_slot(left(slots, 9)), 8);
    }
}

#[test]
fn adjacent_slots_need_not_be_adjacent_in_the_pool() {
    // Few runs over many bytes are looked at one by one, others in one piece.
    let left = |slots: usize, [first, between]: [&[i32]; 2], row: [i32; 2]| {
        let mut fixture = empty(slots);
        fixture.pooled(&ints(first));
        fixture.exactly(0, &ints(&[1]));
        fixture.pooled(&ints(between));
        fixture.exactly(4, &ints(&[2]));
        fixture.but(0, &ints(&row)).verdict()
    };
    let pools: [[&[i32]; 2]; 2] = [[&[], &[7]], [&[8], &[7, 8]]];
    for (slots, pool) in [(7, pools[0]), (700, pools[0]), (700, pools[1])] {
        conforms(&left(slots, pool, [1, 2]));
        assert_eq!(wrong_slot(left(slots, pool, [1, 7])), 4);
    }
}

#[test]
fn candidates_are_looked_at_slot_by_slot_in_all_widths() {
    for dtype in [DType::Uint8, DType::Uint16, DType::Uint32, DType::Uint64] {
        let size = dtype.size();
        let row = |values: [u8; 3]| {
            let mut bytes = vec![0; 3 * size];
            for (slot, value) in bytes.chunks_mut(size).zip(values) {
                slot[size - 1] = value;
            }
            bytes
        };
        let left = |values| {
            let mut fixture = Fixture::scatter(dtype, ScatterAtomicOp::None);
            fixture.one_of(0, &[&row([1, 2, 3]), &row([4, 5, 6])]);
            fixture.but(0, &row(values)).verdict()
        };
        conforms(&left([1, 5, 3]));
        assert_eq!(wrong_slot(left([4, 4, 6])), size, "{dtype}");
    }
}
