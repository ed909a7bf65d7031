//! MSCATTER's Add, Max and Min of numbers, as the templated form has them.

use ptodiff_isa::{
    Call, Coalesce, DType, Event, Mscatter, Role, ScatterAtomicOp, ScatterOob, Space,
};

use crate::common::{
    With, bytes, counted, f32s, flat, full, i32s, made, ran, rows, scatter, templated, to_f32s,
    to_i32s, u16s,
};

use ScatterAtomicOp::{Add, Max, Min};

fn scattered(call: Mscatter, table: &[u8], src: &[u8], indices: &[u8]) -> Vec<u8> {
    made(templated(), Call::Mscatter(call), &[table, src, indices])
}

/// What one slot holds after all of `src` went to it.
fn one_slot(dtype: DType, atomic: ScatterAtomicOp, slot: &[u8], src: &[u8]) -> Vec<u8> {
    let lanes = [1, (src.len() / dtype.size()) as u64];
    let call = scatter(
        flat(dtype, 1),
        full(dtype, lanes),
        full(DType::Uint32, lanes),
    );
    let call = Mscatter { atomic, ..call };
    scattered(call, slot, src, &vec![0; 4 * lanes[1] as usize])
}

// MSCATTER-ATOM-01, -02, -03, -05, -21, -26
#[test]
fn one_slot_takes_all_lanes_in_turn() {
    for (op, slot, src, expected) in [
        (Add, 100, &[1, 2, 3, 4, 5, 6, 7, 8][..], 136),
        (Max, 5, &[3, 9, -4], 9),
        (Max, 5, &[3, 1, -4], 5),
        (Min, 5, &[3, 9, -4], -4),
        (Min, 5, &[7, 9, 6], 5),
        (Add, i32::MAX, &[1], i32::MIN),
        (Max, 1, &[i32::MIN], 1),
        (Min, 1, &[i32::MIN], i32::MIN),
    ] {
        let out = one_slot(DType::Int32, op, &i32s(&[slot]), &i32s(src));
        assert_eq!(to_i32s(&out), [expected], "{op} {slot} {src:?}");
    }
    let words = |op| one_slot(DType::Uint32, op, &[1, 0, 0, 0], &[0, 0, 0, 0x80]);
    assert_eq!(words(Max), [0, 0, 0, 0x80]);
    assert_eq!(words(Min), [1, 0, 0, 0]);
    for (src, sum) in [([1e8, 1.0, -1e8], 0.0), ([1e8, -1e8, 1.0], 1.0)] {
        let out = one_slot(DType::Float, Add, &f32s(&[0.0]), &f32s(&src));
        assert_eq!(to_f32s(&out), [sum]);
    }
}

// MSCATTER-GAP-06: every step rounds to the type. 2048 + 1 is a tie that goes
// back to 2048, as 256 + 1 does in bfloat16, so three ones are lost one by one.
#[test]
fn a_half_sum_rounds_at_every_step() {
    for (dtype, slot, one) in [
        (DType::Half, 0x6800, 0x3C00),
        (DType::Bfloat16, 0x4380, 0x3F80),
    ] {
        let out = one_slot(dtype, Add, &u16s(&[slot]), &u16s(&[one; 3]));
        assert_eq!(out, u16s(&[slot]));
    }
}

// MSCATTER-ATOM-24: a Row Add equals an Elem Add of its elements; of the numbers
// one to four in every type with arithmetic.
#[test]
fn every_number_adds_in_both_modes() {
    for (dtype, numbers) in [
        (DType::Int8, [[1, 0], [2, 0], [3, 0], [4, 0]]),
        (DType::Uint8, [[1, 0], [2, 0], [3, 0], [4, 0]]),
        (DType::Int16, [[1, 0x3C], [2, 0x78], [3, 0xB4], [4, 0xF0]]),
        (DType::Uint16, [[1, 0x3C], [2, 0x78], [3, 0xB4], [4, 0xF0]]),
        (DType::Half, [[0, 0x3C], [0, 0x40], [0, 0x42], [0, 0x44]]),
        (DType::Bfloat16, [[128, 63], [0, 64], [64, 64], [128, 64]]),
    ] {
        let [one, two, three, four] = numbers.map(|n| n[..dtype.size()].to_vec());
        let row = |n: &[u8]| n.repeat(2);
        let ones = row(&one).repeat(2);
        // Two source rows, 1 and 2, both onto row 1 of a table of ones.
        let (src, idx) = (full(dtype, [2, 2]), full(DType::Int32, [1, 2]));
        let call = scatter(rows(dtype, 2, 2), src, idx);
        let call = call.with(|c| (c.mode, c.atomic) = (Coalesce::Row, Add));
        let src = [row(&one), row(&two)].concat();
        let table = scattered(call, &ones, &src, &i32s(&[1, 1]));
        assert_eq!(table, [row(&one), row(&four)].concat(), "{dtype} Row");
        // And one element of 2 onto slot 2.
        let call = scatter(call.table, full(dtype, [1, 1]), full(DType::Int32, [1, 1]));
        let call = call.with(|c| c.atomic = Add);
        let table = scattered(call, &ones, &two, &i32s(&[2]));
        assert_eq!(table, [row(&one), three, one].concat(), "{dtype} Elem");
    }
    // Wide types carry into their upper half.
    for dtype in [DType::Int64, DType::Uint64] {
        let write = u64::to_le_bytes;
        let (slot, src) = (bytes(&[1], write), bytes(&[0xFFFF_FFFF, 2], write));
        let out = one_slot(dtype, Add, &slot, &src);
        assert_eq!(out, bytes(&[0x1_0000_0002], write));
    }
}

// MSCATTER-OOB-14, MSCATTER-ATOM-04
#[test]
fn the_policy_comes_before_the_sum() {
    for (oob, indices, expected) in [
        (ScatterOob::Skip, [1, 5, 1], [0, 4, 0, 0]),
        (ScatterOob::Clamp, [1, 5, 1], [0, 4, 0, 2]),
        (ScatterOob::Wrap, [1, 5, 1], [0, 6, 0, 0]),
    ] {
        let (src, idx) = (full(DType::Int32, [3, 1]), full(DType::Int32, [1, 3]));
        let call = scatter(rows(DType::Int32, 4, 1), src, idx)
            .with(|c| (c.mode, c.atomic, c.oob) = (Coalesce::Row, Add, oob));
        let table = scattered(call, &[0; 16], &counted(1, 3), &i32s(&indices));
        assert_eq!(to_i32s(&table), expected, "{oob}");
    }
}

// MSCATTER-SYNC-13: loads and stores, element by element, and nothing else.
#[test]
fn a_row_loads_one_index_and_a_skipped_row_no_more_than_that() {
    use Role::{Index, Source, Table};
    let (src, idx) = (full(DType::Int32, [2, 2]), full(DType::Int32, [1, 2]));
    let call = scatter(rows(DType::Int32, 2, 2), src, idx).with(|c| {
        (c.mode, c.oob, c.atomic) = (Coalesce::Row, ScatterOob::Skip, Add);
    });
    let operands: [&[u8]; 3] = [&[0; 16], &counted(1, 4), &i32s(&[2, 1])];
    let left = ran(templated(), Call::Mscatter(call), &operands);
    assert_eq!(left.outside(), []);
    let load = |space, role, offset| Event::Load {
        space,
        role,
        offset,
        len: 4,
    };
    let add = |offset| {
        let stored = Event::Store {
            space: Space::Gm,
            role: Table,
            offset,
            len: 4,
        };
        [
            load(Space::Ub, Source, offset),
            load(Space::Gm, Table, offset),
            stored,
        ]
    };
    let indices = [0, 4].map(|offset| load(Space::Ub, Index, offset));
    assert_eq!(left.events(), [&indices[..], &add(8), &add(12)].concat());
}
