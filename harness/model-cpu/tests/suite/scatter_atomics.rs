//! MSCATTER's Add, Max and Min of numbers, as the templated form has them.

use ptodiff_isa::{Coalesce, CpuForm, DType, Memory, Mscatter, ScatterAtomicOp};

use crate::common::{
    bytes, counted, f32s, flat, full, i32s, rows, scatter, scatter_memory, tile, to_f32s, to_i32s,
    u16s,
};

fn scattered(call: &Mscatter, memory: Memory) -> Vec<u8> {
    crate::common::scattered(call, CpuForm::Templated, memory)
}

/// What one slot holds after the first `lanes` elements of `src` went to it.
fn one_slot(dtype: DType, atomic: ScatterAtomicOp, slot: &[u8], src: &[u8], lanes: u64) -> Vec<u8> {
    let padded = [1, src.len() as u64 / dtype.size() as u64];
    let mut call = scatter(
        flat(dtype, 1),
        tile(dtype, padded, [1, lanes]),
        tile(DType::Uint32, padded, [1, lanes]),
    );
    call.atomic = atomic;
    let idx = vec![0; 4 * padded[1] as usize];
    scattered(&call, scatter_memory(slot, src, &idx))
}

// MSCATTER-ATOM-01, -02, -03, -05, -21, -26
#[test]
fn one_slot_takes_all_lanes_in_turn() {
    use ScatterAtomicOp::{Add, Max, Min};
    let int = |op, slot, src: &[i32]| {
        let out = one_slot(
            DType::Int32,
            op,
            &i32s(&[slot]),
            &i32s(src),
            src.len() as u64,
        );
        to_i32s(&out)[0]
    };
    assert_eq!(int(Add, 100, &[1, 2, 3, 4, 5, 6, 7, 8]), 136);
    assert_eq!(int(Max, 5, &[3, 9, -4]), 9);
    assert_eq!(int(Max, 5, &[3, 1, -4]), 5);
    assert_eq!(int(Min, 5, &[3, 9, -4]), -4);
    assert_eq!(int(Min, 5, &[7, 9, 6]), 5);
    assert_eq!(int(Add, i32::MAX, &[1]), i32::MIN);
    assert_eq!(int(Max, 1, &[i32::MIN]), 1);
    assert_eq!(int(Min, 1, &[i32::MIN]), i32::MIN);

    let words = |op| one_slot(DType::Uint32, op, &[1, 0, 0, 0], &[0, 0, 0, 0x80], 1);
    assert_eq!(words(Max), [0, 0, 0, 0x80]);
    assert_eq!(words(Min), [1, 0, 0, 0]);

    let float = |src: &[f32]| {
        let slot = f32s(&[0.0]);
        to_f32s(&one_slot(DType::Float, Add, &slot, &f32s(src), 3))[0]
    };
    assert_eq!(float(&[1e8, 1.0, -1e8]), 0.0);
    assert_eq!(float(&[1e8, -1e8, 1.0]), 1.0);

    let short = one_slot(DType::Int16, Add, &[0, 0], &u16s(&[1; 16]), 16);
    assert_eq!(short, u16s(&[16]));
}

// MSCATTER-GAP-06: every step rounds to binary16. 2048 + 1 is a tie that goes
// back to 2048, so three ones are lost one by one.
#[test]
fn a_half_sum_rounds_at_every_step() {
    let ones = u16s(&[0x3C00; 3]);
    let out = one_slot(
        DType::Half,
        ScatterAtomicOp::Add,
        &u16s(&[0x6800]),
        &ones,
        3,
    );
    assert_eq!(out, u16s(&[0x6800]));
    let bf = u16s(&[0x3F80; 3]);
    let out = one_slot(
        DType::Bfloat16,
        ScatterAtomicOp::Add,
        &u16s(&[0x4380]),
        &bf,
        3,
    );
    assert_eq!(out, u16s(&[0x4380]));
}

// MSCATTER-ATOM-06, -25
#[test]
fn many_ones_add_up() {
    let mut call = scatter(
        flat(DType::Int32, 2048),
        full(DType::Int32, [64, 32]),
        full(DType::Int32, [64, 32]),
    );
    call.atomic = ScatterAtomicOp::Add;
    let memory = scatter_memory(&counted(1000, 2048), &i32s(&[1; 2048]), &counted(0, 2048));
    assert_eq!(scattered(&call, memory), counted(1001, 2048));
    let memory = scatter_memory(&i32s(&[0; 2048]), &i32s(&[1; 2048]), &i32s(&[0; 2048]));
    let mut expected = [0; 2048];
    expected[0] = 2048;
    assert_eq!(to_i32s(&scattered(&call, memory)), expected);
}

// MSCATTER-ATOM-24: a Row Add equals an Elem Add of its elements; here over
// every dtype with arithmetic. The slots hold 1, sources hold 1 or 2.
#[test]
fn every_number_adds_in_both_modes() {
    let (one, two, three, four) = (1, 2, 3, 4);
    let cases = [
        (DType::Int8, [[one, 0], [two, 0], [three, 0], [four, 0]], 1),
        (DType::Uint8, [[one, 0], [two, 0], [three, 0], [four, 0]], 1),
        (
            DType::Int16,
            [[1, 0x3C], [2, 0x3C], [3, 0x78], [4, 0xB4]],
            2,
        ),
        (
            DType::Uint16,
            [[1, 0x3C], [2, 0x3C], [3, 0x78], [4, 0xB4]],
            2,
        ),
        (DType::Half, [[0, 0x3C], [0, 0x40], [0, 0x42], [0, 0x44]], 2),
        (
            DType::Bfloat16,
            [[0x80, 0x3F], [0, 0x40], [0x40, 0x40], [0x80, 0x40]],
            2,
        ),
    ];
    for (dtype, numbers, width) in cases {
        let [one, two, three, four] = numbers.map(|n| n[..width].to_vec());
        let row = |n: &[u8]| n.repeat(32);
        // Two source rows, 1 and 2, both onto table row 1 of [1; 1].
        let mut call = scatter(
            rows(dtype, 2, 32),
            full(dtype, [2, 32]),
            full(DType::Int32, [1, 2]),
        );
        (call.mode, call.atomic) = (Coalesce::Row, ScatterAtomicOp::Add);
        let memory = scatter_memory(
            &[row(&one), row(&one)].concat(),
            &[row(&one), row(&two)].concat(),
            &i32s(&[1, 1]),
        );
        let expected = [row(&one), row(&four)].concat();
        assert_eq!(scattered(&call, memory), expected, "{dtype} Row");
        // And one element of 2 onto slot 40.
        let mut call = scatter(
            rows(dtype, 2, 32),
            tile(dtype, [1, 32], [1, 1]),
            tile(DType::Int32, [1, 8], [1, 1]),
        );
        call.atomic = ScatterAtomicOp::Add;
        let memory = scatter_memory(&row(&one).repeat(2), &row(&two), &i32s(&[40; 8]));
        let mut expected = row(&one).repeat(2);
        expected[40 * width..41 * width].copy_from_slice(&three);
        assert_eq!(scattered(&call, memory), expected, "{dtype} Elem");
    }
}

// The same for the wide types, with a carry into the upper half.
#[test]
fn wide_integers_carry() {
    for dtype in [DType::Int64, DType::Uint64] {
        let src = bytes(&[0xFFFF_FFFF_u64, 2], u64::to_le_bytes);
        let slot = bytes(&[1_u64], u64::to_le_bytes);
        let out = one_slot(dtype, ScatterAtomicOp::Add, &slot, &src, 2);
        assert_eq!(out, bytes(&[0x1_0000_0002_u64], u64::to_le_bytes));
    }
}
