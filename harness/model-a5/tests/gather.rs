//! MGATHER: what is read from where (SEM, INDEX, TABLE, ALIGN, MIN).

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;

#[test]
fn sem_01_rows_come_from_their_rows() {
    let call = mgather(Row, rows(Float, 5, 8), tile(Float, 3, 8), tile(Int32, 1, 3));
    let table: Vec<f32> = (0..40).map(|k| (10 * (k / 8) + k % 8) as f32).collect();
    for schedule in SCHEDULES {
        let dst = gather_how(&call, how(schedule), &[-1.0; 24], &table, &[4, 0, 4]);
        assert_eq!(dst[..8], [40.0, 41.0, 42.0, 43.0, 44.0, 45.0, 46.0, 47.0]);
        assert_eq!(dst[8..16], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        assert_eq!(dst[16..], dst[..8]);
    }
}

#[test]
fn sem_02_elements_come_from_flat_slots() {
    let call = mgather(Elem, flat(Float, 16), tile(Float, 2, 8), tile(Int32, 2, 8));
    let table: Vec<f32> = (100..116).map(|v| v as f32).collect();
    let idx: Vec<i32> = (0..16).rev().collect();
    for schedule in SCHEDULES {
        let dst = gather_how(&call, how(schedule), &[0.0; 16], &table, &idx);
        let expected: Vec<f32> = table.iter().rev().copied().collect();
        assert_eq!(dst, expected);
    }
}

#[test]
fn sem_03_padding_is_kept() {
    let part = |dtype| valid(dtype, 1, 16, 1, 9);
    let call = mgather(Elem, flat(Float, 30), part(Float), part(Int32));
    let table: Vec<f32> = (0..30).map(|v| v as f32).collect();
    let idx: Vec<i32> = (0..16).collect();
    let dst = gather(&call, &[-1.0; 16], &table, &idx);
    assert_eq!(dst[..9], table[..9]);
    assert_eq!(dst[9..], [-1.0; 7]);
}

#[test]
fn sem_04_and_05_one_row_and_one_element() {
    let table: Vec<f32> = (0..32).map(|v| v as f32).collect();
    let call = mgather(Row, rows(Float, 3, 8), tile(Float, 1, 8), tile(Int32, 1, 1));
    assert_eq!(gather(&call, &[-1.0; 8], &table[..24], &[2]), table[16..24]);
    let one = |dtype| valid(dtype, 1, 8, 1, 1);
    let call = mgather(Elem, flat(Float, 32), one(Float), one(Int32));
    let dst = gather(&call, &[-1.0; 8], &table, &[5; 8]);
    assert_eq!(dst[0], 5.0);
    assert_eq!(dst[1..], [-1.0; 7]);
    // MIN-09: Row with a table width of 1.
    let call = mgather(Row, rows(Float, 32, 1), one(Float), one(Int32));
    assert_eq!(gather(&call, &[-1.0; 8], &table, &[7; 8])[..2], [7.0, -1.0]);
}

#[test]
fn sem_06_wrapped_rows() {
    let call = Mgather {
        oob: GatherOob::Wrap,
        ..mgather(Row, rows(Float, 6, 8), tile(Float, 4, 8), tile(Int32, 1, 4))
    };
    let table: Vec<f32> = (0..48).map(|k| (k / 8) as f32).collect();
    let dst = gather(&call, &[-1.0; 32], &table, &[7, 1, 6, 0]);
    assert_eq!([dst[0], dst[8], dst[16], dst[24]], [1.0, 1.0, 0.0, 0.0]);
}

#[test]
fn conf_01_repeated_indices_are_ordinary() {
    let call = mgather(Row, rows(Float, 4, 8), tile(Float, 4, 8), tile(Int32, 1, 4));
    let table: Vec<f32> = (0..32).map(|v| v as f32).collect();
    for seed in 0..100 {
        let how = how(Schedule::Shuffled(seed));
        let dst = gather_how(&call, how, &[-1.0; 32], &table, &[3; 4]);
        assert_eq!(dst, [&table[24..]; 4].concat());
    }
}

#[test]
fn index_02_an_index_counts_elements_not_bytes() {
    let part = |dtype| valid(dtype, 1, 16, 1, 2);
    let call = mgather(Elem, flat(Int16, 8), part(Int16), part(Int32));
    let dst = gather(&call, &[-1_i16; 16], &[0, 1, 2, 3, 4, 5, 6, 7], &[3, 7]);
    assert_eq!(dst[..3], [3, 7, -1]);
}

#[test]
fn table_06_a_row_starts_at_index_times_valid_col() {
    let call = mgather(Row, rows(Float, 4, 8), tile(Float, 2, 8), tile(Int32, 1, 2));
    let table: Vec<f32> = (0..32).map(|v| v as f32).collect();
    let dst = gather(&call, &[-1.0; 16], &table, &[3, 0]);
    assert_eq!((dst[0], dst[8]), (24.0, 0.0));
    // GAP-09: a padded stride passes the check and is not read.
    let mut padded = call;
    padded.table.stride[3] = Dim::Static(16);
    let table: Vec<f32> = (0..56).map(|v| v as f32).collect();
    let dst = gather(&padded, &[-1.0; 16], &table, &[1, 0]);
    assert_eq!(dst[0], 8.0);
}

#[test]
fn shape_06_any_part_of_a_tile() {
    let table: Vec<u16> = (0..64).collect();
    let dst_tile = valid(Half, 5, 16, 5, 3);
    let call = mgather(Row, rows(Half, 20, 3), dst_tile, tile(Int32, 1, 5));
    let dst = gather(&call, &[999_u16; 80], &table[..60], &[0, 19, 1, 2, 3]);
    assert_eq!(dst[..4], [0, 1, 2, 999]);
    assert_eq!(dst[16..20], [57, 58, 59, 999]);
    let idx_tile = valid(Int32, 5, 8, 5, 3);
    let call = mgather(Elem, flat(Half, 64), dst_tile, idx_tile);
    let idx: Vec<i32> = (0..40).map(|k| 63 - k).collect();
    let dst = gather(&call, &[999_u16; 80], &table, &idx);
    // Element (r, c) reads index 8r + c of the index tile.
    assert_eq!(dst[..4], [63, 62, 61, 999]);
    assert_eq!(dst[64..68], [31, 30, 29, 999]);
}

#[test]
fn align_07_every_byte_of_an_odd_row() {
    let part = |dtype| valid(dtype, 1, 32, 1, 31);
    let call = mgather(Elem, flat(Int8, 31), part(Int8), part(Uint32));
    let table: Vec<i8> = (-15..16).collect();
    let idx: Vec<u32> = (0..32).map(|k| k * 2 % 31).collect();
    let dst = gather(&call, &[99_i8; 32], &table, &idx);
    for (k, value) in dst.iter().take(31).enumerate() {
        assert_eq!(*value, (k * 2 % 31) as i8 - 15);
    }
    assert_eq!(dst[31], 99);
}

#[test]
fn gap_36_bits_are_copied() {
    let part = |dtype| valid(dtype, 1, 8, 1, 2);
    let call = mgather(Elem, flat(Float, 2), part(Float), part(Int32));
    let dst = gather(&call, &[0_u32; 8], &[0x7FA0_0001, 0x8000_0000], &[0, 1]);
    assert_eq!(dst[..2], [0x7FA0_0001, 0x8000_0000]);
}

#[test]
fn oob_11_every_type_policy_and_mode() {
    let all = [
        (1, vec![Int8, Uint8, Hifloat8, Float8E4M3, Float8E5M2]),
        (2, vec![Int16, Uint16, Half, Bfloat16]),
        (4, vec![Int32, Uint32, Float]),
    ];
    for (size, dtypes) in all {
        for dtype in dtypes {
            for (oob, beyond) in [
                (GatherOob::Clamp, Some(3)),
                (GatherOob::Wrap, Some(1)),
                (GatherOob::Zero, None),
            ] {
                // Row k of the table holds bytes k + 1; index 5 is beyond row 3.
                let table: Vec<u8> = (0..4 * 32).map(|k| k / 32 + 1).collect();
                let cols = 32 / size;
                let call = Mgather {
                    oob,
                    ..mgather(
                        Row,
                        rows(dtype, 4, cols),
                        tile(dtype, 2, cols),
                        tile(Int32, 1, 2),
                    )
                };
                let dst = gather(&call, &[9_u8; 64], &table, &bytes(&[2, 5]));
                assert_eq!(dst[..32], [3; 32]);
                assert_eq!(dst[32..], [beyond.map_or(0, |row| row + 1); 32]);
                let two = |dtype, cols| valid(dtype, 1, cols, 1, 2);
                let call = Mgather {
                    oob,
                    ..mgather(Elem, rows(dtype, 4, 1), two(dtype, cols), two(Int32, 8))
                };
                let table: Vec<u8> = (0..4 * size as u8).map(|k| k / size as u8 + 1).collect();
                let dst = gather(&call, &[9_u8; 32], &table, &bytes(&[2, 5]));
                let mut expected = vec![3; size as usize];
                expected.resize(2 * size as usize, beyond.map_or(0, |row| row + 1));
                expected.resize(32, 9);
                assert_eq!(dst, expected, "{dtype} {oob}");
            }
        }
    }
}
