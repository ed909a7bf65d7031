//! MGATHER: what is read from where (SEM, INDEX, TABLE, ALIGN, MIN, CAP).

use crate::common::*;
use ptodiff_isa::GatherOob::{Clamp, Wrap, Zero};

#[test]
fn sem_01_and_02_rows_and_elements_whatever_the_schedule() {
    let table = count_from(0, 40);
    let by_row = mgather(Row, rows(Int32, 5, 8), tile(Int32, 3, 8), tile(Int32, 1, 3));
    let data = tile(Int32, 2, 8);
    let by_element = mgather(Elem, flat(Int32, 40), data, data);
    let down: Vec<i32> = (0..16).rev().collect();
    for seed in 0..20 {
        for schedule in [
            Schedule::InOrder,
            Schedule::Reversed,
            Schedule::Shuffled(seed),
        ] {
            let how = how(schedule);
            // CONF-01: repeated indices are ordinary.
            let dst = gather_how(&by_row, how, &[-1; 24], &table, &[4, 0, 4]);
            assert_eq!(dst, [&table[32..], &table[..8], &table[32..]].concat());
            let dst = gather_how(&by_element, how, &[-1; 16], &table, &down);
            assert_eq!(dst, down);
        }
    }
}

#[test]
fn sem_03_to_05_padding_is_kept() {
    let part = |cols| valid(Int32, 1, 16, 1, cols);
    let table = count_from(0, 30);
    for (mode, table_of, cols) in [
        (Elem, flat(Int32, 30), 9),
        (Elem, flat(Int32, 30), 1),
        // MIN-09: Row with a table width of 1.
        (Row, rows(Int32, 30, 1), 1),
    ] {
        let call = mgather(mode, table_of, part(cols), part(cols));
        let dst = gather(&call, &[-1; 16], &table, &count_from(7, 16));
        let cols = cols as usize;
        let got = (&dst[..cols], &dst[cols..]);
        assert_eq!(got, (&table[7..7 + cols], &vec![-1; 16 - cols][..]));
    }
}

#[test]
fn index_02_and_align_07_elements_not_bytes_at_odd_places() {
    let (dst, idx) = (valid(Int16, 2, 16, 2, 7), valid(Uint32, 2, 8, 2, 7));
    let call = mgather(Elem, flat(Int16, 31), dst, idx);
    let table: Vec<i16> = (100..131).collect();
    let idx: Vec<u32> = (0..16).map(|k| k * 2 % 31).collect();
    let after = gather(&call, &[99; 32], &table, &idx);
    for (at, value) in after.into_iter().enumerate() {
        let (r, c) = (at / 16, at % 16);
        // Element (r, c) reads index 8r + c of its tile.
        let expected = if c < 7 {
            100 + (8 * r + c) as i16 * 2 % 31
        } else {
            99
        };
        assert_eq!(value, expected);
    }
}

#[test]
fn table_06_and_gap_09_a_row_starts_at_index_times_valid_col() {
    let mut padded = rows(Int32, 4, 3);
    padded.stride[3] = Dim::Static(16);
    for table in [rows(Int32, 4, 3), padded] {
        let call = mgather(Row, table, valid(Int32, 2, 8, 2, 3), tile(Int32, 1, 2));
        let dst = gather(&call, &[-1; 16], &count_from(0, 56), &[3, 1]);
        let got = (&dst[..4], &dst[8..12]);
        assert_eq!(got, (&[9, 10, 11, -1][..], &[3, 4, 5, -1][..]));
    }
}

#[test]
fn oob_11_and_12_and_gap_36_every_type_policy_and_mode() {
    for dtype in DTYPES.into_iter().filter(|dtype| dtype.size() < 8) {
        let (size, cols) = (dtype.size(), 32 / dtype.size() as u64);
        for (oob, beyond) in [(Clamp, 0x84), (Wrap, 0x82), (Zero, 0)] {
            // Row k of the table holds bytes 0x81 + k; index 5 is beyond row 3.
            let table: Vec<u8> = (0..128).map(|k| k / 32 + 0x81).collect();
            let data = tile(dtype, 2, cols);
            let call = mgather(Row, rows(dtype, 4, cols), data, tile(Int32, 1, 2));
            let dst = gather(&Mgather { oob, ..call }, &[9; 64], &table, &bytes(&[2, 5]));
            let got = (&dst[..32], &dst[32..]);
            assert_eq!(got, (&[0x83; 32][..], &[beyond; 32][..]));

            let two = |dtype, cols| valid(dtype, 1, cols, 1, 2);
            let call = mgather(Elem, rows(dtype, 4, 1), two(dtype, cols), two(Int32, 8));
            let table: Vec<u8> = (0..4 * size).map(|k| (k / size) as u8 + 0x81).collect();
            let dst = gather(&Mgather { oob, ..call }, &[9; 32], &table, &bytes(&[2, 5]));
            let mut expected = vec![0x83; size];
            expected.resize(2 * size, beyond);
            expected.resize(32, 9);
            assert_eq!(dst, expected, "{dtype} {oob}");
        }
    }
}

#[test]
fn cap_03_and_04_capacities() {
    // Row: Shape[3], though the table has two of them; Elem: the five-fold product.
    let table = count_from(100, 48);
    for (oob, row) in [(Clamp, Some(2)), (Wrap, Some(1)), (Zero, None)] {
        let planes = packed(Int32, [1, 1, 2, 3, 8]);
        let call = mgather(Row, planes, tile(Int32, 1, 8), tile(Int32, 1, 1));
        let dst = gather(&Mgather { oob, ..call }, &[-1; 8], &table, &[4]);
        assert_eq!(
            dst,
            row.map_or(vec![0; 8], |row| count_from(100 + 8 * row, 8))
        );
        let pair = valid(Int32, 1, 8, 1, 2);
        let call = mgather(Elem, planes, pair, pair).with(|c| c.oob = oob);
        let dst = gather(&call, &[-1; 8], &table, &[47, 48]);
        let beyond = [(Clamp, 147), (Wrap, 100), (Zero, 0)];
        let (_, beyond) = beyond
            .into_iter()
            .find(|(policy, _)| *policy == oob)
            .unwrap();
        assert_eq!(dst[..3], [147, beyond, -1]);
    }
}
