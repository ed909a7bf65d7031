//! MSCATTER: what is written where (SEM, INDEX, TABLE, ALIGN, DTYPE).

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;

fn count(from: i32, len: i32) -> Vec<i32> {
    (from..from + len).collect()
}

#[test]
fn sem_01_rows_land_in_their_rows() {
    let call = mscatter(Row, rows(Float, 4, 8), tile(Float, 2, 8), tile(Int32, 1, 2));
    let src: Vec<f32> = (10..18).chain(20..28).map(|v| v as f32).collect();
    let table = scatter(&call, &[0.0; 32], &src, &[3, 0]);
    assert_eq!(table[..8], src[8..]);
    assert_eq!(table[8..24], [0.0; 16]);
    assert_eq!(table[24..], src[..8]);
}

#[test]
fn sem_02_an_element_index_is_a_flat_slot() {
    let call = mscatter(Elem, flat(Float, 8), tile(Float, 1, 8), tile(Int32, 1, 8));
    let src = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0_f32];
    let table = scatter(&call, &[0.0; 8], &src, &[7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(table, [8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
}

#[test]
fn sem_04_other_slots_keep_their_bits() {
    let call = mscatter(Row, rows(Float, 4, 8), tile(Float, 1, 8), tile(Int32, 1, 1));
    let before: Vec<f32> = (0..32).map(|k| f32::from_bits(0x7FA0_0000 + k)).collect();
    let after = scatter(&call, &bytes(&before), &bytes(&[1.0_f32; 8]), &[2, 0, 0, 0]);
    let _: &[u8] = &after;
    assert_eq!(after[..64], bytes(&before)[..64]);
    assert_eq!(after[64..96], bytes(&[1.0_f32; 8]));
    assert_eq!(after[96..], bytes(&before)[96..]);
}

#[test]
fn sem_05_padding_has_no_effect() {
    let src = valid(Int32, 3, 8, 3, 3);
    let call = mscatter(Elem, flat(Int32, 32), src, valid(Int32, 3, 8, 3, 3));
    let pad = 0xDEAD;
    let src = [
        1, 2, 3, pad, pad, pad, pad, pad, 4, 5, 6, pad, pad, pad, pad, pad, 7, 8, 9, pad, pad, pad,
        pad, pad,
    ];
    let idx = [
        9, 10, 11, 0, 0, 0, 0, 0, 12, 13, 14, 0, 0, 0, 0, 0, 15, 16, 17, 0, 0, 0, 0, 0,
    ];
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        let table = scatter(&Mscatter { conflict, ..call }, &[-1; 32], &src, &idx);
        assert_eq!(table[..9], [-1; 9]);
        assert_eq!(table[9..18], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(table[18..], [-1; 14]);
    }
}

#[test]
fn sem_06_one_row_is_a_scatter_of_one_row() {
    let call = mscatter(Row, rows(Float, 4, 8), tile(Float, 1, 8), tile(Int32, 1, 1));
    let table = scatter(&call, &[0.5; 32], &[4.0; 8], &[2]);
    assert_eq!(table[..16], [0.5; 16]);
    assert_eq!(table[16..24], [4.0; 8]);
    assert_eq!(table[24..], [0.5; 8]);
}

#[test]
fn sem_07_one_element_is_a_scatter_of_one_element() {
    let part = |dtype| valid(dtype, 1, 8, 1, 1);
    let call = mscatter(Elem, flat(Float, 32), part(Float), part(Int32));
    let mut src = [9.0; 8];
    src[0] = 42.0;
    let table = scatter(&call, &[0.0; 32], &src, &[5, 6, 6, 6, 6, 6, 6, 6]);
    for (slot, value) in table.iter().enumerate() {
        assert_eq!(*value, if slot == 5 { 42.0 } else { 0.0 }, "slot {slot}");
    }
}

#[test]
fn sem_08_a_line_of_elements() {
    let call = mscatter(
        Elem,
        rows(Float, 3, 10),
        valid(Float, 1, 16, 1, 9),
        valid(Int32, 1, 16, 1, 9),
    );
    let src: Vec<f32> = (100..116).map(|v| v as f32).collect();
    let idx = [29, 0, 1, 2, 3, 4, 5, 6, 7, 20, 20, 20, 20, 20, 20, 20];
    let table = scatter(&call, &[-1.0; 30], &src, &idx);
    assert_eq!(table[..8], src[1..9]);
    assert_eq!(table[8..29], [-1.0; 21]);
    assert_eq!(table[29], 100.0);
}

#[test]
fn sem_09_a_plain_store_copies_bits() {
    let part = |dtype| valid(dtype, 1, 16, 1, 2);
    let call = mscatter(Elem, flat(Half, 16), part(Half), part(Uint32));
    let mut src = [0_u16; 16];
    src[0] = 0x7C01;
    let table = scatter(&call, &[0x3C00_u16; 16], &src, &[3_u32; 16]);
    // Both targets are slot 3 and the later source is zero.
    assert_eq!(table[3], 0);
    let mut idx = [3_u32; 16];
    idx[1] = 4;
    let table = scatter(&call, &[0x3C00_u16; 16], &src, &idx);
    assert_eq!(table[2..6], [0x3C00, 0x7C01, 0, 0x3C00]);
}

#[test]
fn sem_10_a_gather_brings_a_permutation_back() {
    let call = mscatter(
        Elem,
        flat(Float, 256),
        tile(Float, 8, 32),
        tile(Int32, 8, 32),
    );
    // 37 has no common factor with 256.
    let idx: Vec<i32> = (0..256).map(|i| i * 37 % 256).collect();
    let src: Vec<f32> = (0..256).map(|i| i as f32 + 0.25).collect();
    let table = scatter(&call, &[0.0; 256], &src, &idx);
    assert_eq!(table[37], 1.25);
    let back = mgather(Elem, call.table, call.src, call.idx);
    assert_eq!(gather(&back, &[0.0; 256], &table, &idx), src);
}

#[test]
fn dtype_10_every_type_of_a5_is_stored() {
    for dtype in [Int8, Uint8, Hifloat8, Float8E4M3, Float8E5M2] {
        let call = mscatter(
            Elem,
            flat(dtype, 32),
            tile(dtype, 1, 32),
            tile(Int32, 1, 32),
        );
        let src: Vec<u8> = (200..232).collect();
        let idx: Vec<i32> = (0..32).rev().collect();
        let table = scatter(&call, &[0_u8; 32], &src, &idx);
        assert_eq!((table[0], table[31]), (231, 200));
    }
    for dtype in [Int16, Uint16, Half, Bfloat16] {
        let call = mscatter(
            Row,
            rows(dtype, 2, 16),
            tile(dtype, 1, 16),
            tile(Int32, 1, 1),
        );
        let src: Vec<u16> = (0xFF00..0xFF10).collect();
        let table = scatter(&call, &[1_u16; 32], &src, &[1]);
        assert_eq!(table[..16], [1; 16]);
        assert_eq!(table[16..], src);
    }
    for dtype in [Int32, Uint32, Float] {
        let call = mscatter(Row, rows(dtype, 2, 8), tile(dtype, 1, 8), tile(Int32, 1, 1));
        let table = scatter(&call, &[1_u32; 16], &[0xFFFF_FFFE; 8], &[0]);
        assert_eq!(table[..8], [0xFFFF_FFFE; 8]);
        assert_eq!(table[8..], [1; 8]);
    }
}

#[test]
fn dtype_12_both_index_types_select_the_same_rows() {
    for idx in [Int32, Uint32] {
        let call = mscatter(Row, rows(Float, 4, 8), tile(Float, 4, 8), tile(idx, 1, 4));
        let src: Vec<f32> = (0..32).map(|v| v as f32).collect();
        let table = scatter(&call, &[-1.0; 32], &src, &[3_u32, 0, 2, 1]);
        assert_eq!(
            [table[0], table[8], table[16], table[24]],
            [8.0, 24.0, 16.0, 0.0]
        );
    }
}

#[test]
fn index_05_and_table_06_rows_have_the_pitch_of_valid_col() {
    let call = mscatter(
        Row,
        rows(Int32, 8, 3),
        valid(Int32, 8, 8, 8, 3),
        tile(Int32, 1, 8),
    );
    let src: Vec<i32> = (0..64).collect();
    let table = scatter(&call, &[-1; 24], &src, &[7, 6, 5, 4, 3, 2, 1, 0]);
    // Source row r starts at 8r in its tile and lands at 3(7-r).
    assert_eq!(table[..6], [56, 57, 58, 48, 49, 50]);
    assert_eq!(table[21..], [0, 1, 2]);
}

#[test]
fn table_06_and_gap_13_no_stride_is_read() {
    let mut call = mscatter(Row, rows(Float, 4, 8), tile(Float, 1, 8), tile(Int32, 1, 1));
    call.table.stride[3] = Dim::Static(16);
    // The body reaches to 3 * 16 + 8 elements.
    let table = scatter(&call, &[0.0; 56], &[1.0; 8], &[1]);
    assert_eq!(table[..8], [0.0; 8]);
    assert_eq!(table[8..16], [1.0; 8]);
    assert_eq!(table[16..], [0.0; 40]);
}

#[test]
fn table_10_elements_lie_in_a_flat_buffer() {
    let part = |dtype| valid(dtype, 1, 8, 1, 2);
    let call = mscatter(Elem, rows(Float, 3, 10), part(Float), part(Int32));
    let table = scatter(
        &call,
        &[0.0; 30],
        &[1.0, 2.0, 0., 0., 0., 0., 0., 0.],
        &[17, 29, 0, 0],
    );
    assert_eq!((table[17], table[29]), (1.0, 2.0));
    assert_eq!(table.iter().filter(|v| **v == 0.0).count(), 28);
}

#[test]
fn align_07_elements_need_no_alignment() {
    let part = |dtype| valid(dtype, 1, 32, 1, 7);
    let call = mscatter(Elem, flat(Uint8, 32), part(Uint8), part(Int32));
    let src: Vec<u8> = (1..33).collect();
    let mut idx = [0_i32; 32];
    idx[..7].copy_from_slice(&[1, 3, 5, 9, 11, 13, 31]);
    let table = scatter(&call, &[0_u8; 32], &src, &idx);
    let changed: Vec<usize> = (0..32).filter(|k| table[*k] != 0).collect();
    assert_eq!(changed, [1, 3, 5, 9, 11, 13, 31]);
    assert_eq!(table[31], 7);
}

#[test]
fn chunk_02_and_04_chunks_compose() {
    let call = mscatter(Elem, flat(Int32, 8), tile(Int32, 8, 8), tile(Int32, 8, 8));
    let mut table = vec![0; 8];
    for chunk in [0, 64] {
        table = scatter(&call, &table, &count(chunk, 64), &[3; 64]);
    }
    assert_eq!(table[3], 127);
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..mscatter(
            Elem,
            flat(Int32, 8),
            tile(Int32, 128, 8),
            tile(Int32, 128, 8),
        )
    };
    let mut table = vec![0; 8];
    for _ in 0..2 {
        table = scatter(&add, &table, &[1; 1024], &[0; 1024]);
    }
    assert_eq!(table, [2048, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn api_10_the_documented_last_wins_example() {
    let call = Mscatter {
        oob: ScatterOob::Clamp,
        ..mscatter(
            Row,
            rows(Half, 65536, 64),
            tile(Half, 8, 64),
            col_major(tile(Int32, 8, 1)),
        )
    };
    let src: Vec<u16> = (0..512).map(|k| 0x1000 + k / 64).collect();
    let idx = [70_000, 1, 2, 3, 4, 5, 6, 7];
    let table = scatter(&call, &vec![0_u16; 65536 * 64], &src, &idx);
    assert_eq!(table[65535 * 64..], [0x1000; 64]);
    assert_eq!(table[64..128], [0x1001; 64]);
    assert_eq!(table[..64], [0; 64]);
    assert_eq!(table[8 * 64..65535 * 64].iter().max(), Some(&0));
}
