//! MSCATTER: what is written where (SEM, INDEX, TABLE, ALIGN, DTYPE, CAP, DYN).

use crate::common::*;
use ptodiff_isa::ScatterOob::{Clamp, Skip, Undefined, Wrap};

#[test]
fn sem_01_and_02_rows_and_elements() {
    let call = mscatter(Row, rows(Int32, 4, 8), tile(Int32, 2, 8), tile(Int32, 1, 2));
    let src = count_from(10, 16);
    let table = scatter(&call, &[0; 32], &src, &[3, 0]);
    assert_eq!((&table[..8], &table[24..]), (&src[8..], &src[..8]));
    assert_eq!(table[8..24], [0; 16]);
    let call = mscatter(Elem, flat(Int32, 8), tile(Int32, 1, 8), tile(Int32, 1, 8));
    let table = scatter(&call, &[0; 8], &count_from(1, 8), &[7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(table, [8, 7, 6, 5, 4, 3, 2, 1]);
}

#[test]
fn sem_04_and_06_other_slots_keep_their_bits() {
    let call = mscatter(Row, rows(Float, 4, 8), tile(Float, 1, 8), tile(Int32, 1, 1));
    let before: Vec<u32> = (0..32).map(|k| 0x7FA0_0000 + k).collect();
    let after = scatter(&call, &before, &[0x7F80_0001; 8], &[2]);
    assert_eq!((&after[..16], &after[24..]), (&before[..16], &before[24..]));
    assert_eq!(after[16..24], [0x7F80_0001; 8]);
}

#[test]
fn sem_05_and_08_padding_has_no_effect() {
    let part = |dtype, cols| valid(dtype, 3, cols, 3, 3);
    // SHAPE-09: padded widths need not match.
    let call = mscatter(Elem, flat(Int32, 32), part(Int32, 4), part(Int32, 8));
    let src = [1, 2, 3, 77, 4, 5, 6, 77, 7, 8, 9, 77];
    let mut idx = [0; 24];
    for (k, at) in [0, 1, 2, 8, 9, 10, 16, 17, 18].into_iter().enumerate() {
        idx[at] = 17 - k as i32;
    }
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        let table = scatter(&Mscatter { conflict, ..call }, &[-1; 32], &src, &idx);
        assert_eq!((&table[..9], &table[18..]), (&[-1; 9][..], &[-1; 14][..]));
        assert_eq!(table[9..18], [9, 8, 7, 6, 5, 4, 3, 2, 1]);
    }
}

#[test]
fn sem_07_one_element_is_a_scatter_of_one_element() {
    let part = |dtype| valid(dtype, 1, 8, 1, 1);
    let call = mscatter(Elem, flat(Int32, 32), part(Int32), part(Int32));
    let table = scatter(&call, &[0; 32], &[42, 9, 9, 9, 9, 9, 9, 9], &[5, 6, 6]);
    assert_eq!((table[5], table.iter().sum::<i32>()), (42, 42));
}

#[test]
fn sem_09_a_plain_store_copies_bits() {
    let part = |dtype| valid(dtype, 1, 16, 1, 2);
    let call = mscatter(Elem, flat(Half, 4), part(Half), part(Uint32));
    let mut src = [0_u16; 16];
    src[0] = 0x7C01;
    let table = scatter(&call, &[0x3C00; 4], &src, &[1, 2]);
    assert_eq!(table, [0x3C00, 0x7C01, 0, 0x3C00]);
}

#[test]
fn sem_10_a_gather_brings_a_permutation_back() {
    let data = tile(Int32, 8, 32);
    // DTYPE-12: both index types select the same slots.
    for idx in [data, tile(Uint32, 8, 32)] {
        let call = mscatter(Elem, flat(Int32, 256), data, idx);
        // 37 has no common factor with 256.
        let slots: Vec<i32> = (0..256).map(|i| i * 37 % 256).collect();
        let src = count_from(1000, 256);
        let table = scatter(&call, &[0; 256], &src, &slots);
        assert_eq!(table[37], 1001);
        let back = mgather(Elem, call.table, data, idx);
        assert_eq!(gather(&back, &[0; 256], &table, &slots), src);
    }
}

#[test]
fn dtype_10_every_type_of_a5_is_stored() {
    for dtype in DTYPES.into_iter().filter(|dtype| dtype.size() < 8) {
        let size = dtype.size();
        let cols = (32 / size) as u64;
        for (mode, table, idx) in [
            (Row, rows(dtype, 2, cols), tile(Int32, 1, 1)),
            (Elem, flat(dtype, 2 * cols), tile(Int32, 1, cols)),
        ] {
            let call = mscatter(mode, table, tile(dtype, 1, cols), idx);
            let src: Vec<u8> = (200..232).collect();
            // Elements go to the second half, in order.
            let slots = match mode {
                Row => vec![1],
                Elem => count_from(cols as i32, cols as i32),
            };
            let after = scatter(&call, &[1_u8; 64], &src, &bytes(&slots));
            assert_eq!(after, [&[1; 32][..], &src].concat(), "{dtype}");
        }
    }
}

#[test]
fn table_06_and_gap_13_and_14_rows_have_the_pitch_of_valid_col() {
    let src = valid(Int32, 8, 8, 8, 3);
    let call = mscatter(Row, rows(Int32, 8, 3), src, tile(Int32, 1, 8));
    let down = [7, 6, 5, 4, 3, 2, 1, 0];
    let table = scatter(&call, &[-1; 24], &count_from(0, 64), &down);
    // Source row r starts at 8r in its tile and lands at 3(7-r).
    assert_eq!(table[..6], [56, 57, 58, 48, 49, 50]);
    assert_eq!(table[21..], [0, 1, 2]);
    // No stride is read, and no width that is known at run time only.
    let mut padded = rows(Int32, 4, 8);
    padded.stride[3] = Dim::Static(16);
    let mut wide = rows(Int32, 4, 16);
    wide.shape[4] = Dim::Dynamic(16);
    for table in [padded, wide] {
        let call = mscatter(Row, table, tile(Int32, 1, 8), tile(Int32, 1, 1));
        let after = scatter(&call, &[0; 64], &[1; 8], &[1]);
        assert_eq!((&after[8..16], after.iter().sum::<i32>()), (&[1; 8][..], 8));
    }
}

#[test]
fn align_07_elements_need_no_alignment() {
    let part = |dtype| valid(dtype, 1, 32, 1, 7);
    let call = mscatter(Elem, flat(Uint8, 32), part(Uint8), part(Int32));
    let src: Vec<u8> = (1..33).collect();
    let idx = [1, 3, 5, 9, 11, 13, 31];
    let table = scatter(&call, &[0; 32], &src, &idx);
    for (slot, value) in (0..).zip(table) {
        let from = idx.iter().position(|index| *index == slot);
        assert_eq!(value, from.map_or(0, |k| k as u8 + 1));
    }
}

#[test]
fn cap_01_to_04_and_gap_15_capacities() {
    let pair = |dtype| valid(dtype, 1, 8, 1, 2);
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        // Elem: the five-fold product. Row: Shape[3], though the table has two of them.
        let table = packed(Int32, [2, 1, 3, 4, 8]);
        let call = mscatter(Elem, table, pair(Int32), pair(Int32));
        let call = call.with(|c| (c.oob, c.conflict) = (Skip, conflict));
        let after = scatter(&call, &[0; 192], &[7, 8, 0, 0, 0, 0, 0, 0], &[191, 192]);
        assert_eq!((after[191], after.iter().sum::<i32>()), (7, 7));
        for (oob, row) in [(Skip, None), (Clamp, Some(3)), (Wrap, Some(2))] {
            let table = packed(Int32, [2, 1, 1, 4, 8]);
            let call = mscatter(Row, table, tile(Int32, 1, 8), tile(Int32, 1, 1));
            let call = call.with(|c| (c.oob, c.conflict) = (oob, conflict));
            let after = scatter(&call, &[0; 64], &[1; 8], &[6]);
            assert_eq!(after.chunks(8).position(|row| row == [1; 8]), row);
        }
    }
}

fn dynamic_table(table: GlobalTensor) -> GlobalTensor {
    table.with(|c| {
        c.shape = c.shape.map(|dim| Dim::Dynamic(dim.get()));
        c.stride = c.stride.map(|dim| Dim::Dynamic(dim.get()));
    })
}

#[test]
fn dyn_02_to_07_static_and_dynamic_forms_agree() {
    let part = |dtype| valid(dtype, 1, 16, 1, 9);
    let src = count_from(1, 16);
    for (oob, index, slot) in [
        (Skip, 27, Some(27)),
        (Skip, 31, None),
        (Clamp, 31, Some(29)),
        (Wrap, 31, Some(1)),
    ] {
        let fixed = mscatter(Elem, rows(Int32, 3, 10), part(Int32), part(Int32));
        let fixed = Mscatter { oob, ..fixed };
        let free = fixed.with(|c| {
            c.table = dynamic_table(c.table);
            (c.src, c.idx) = (dynamic(c.src), dynamic(c.idx));
        });
        let mut expected = [0; 30];
        for k in 0..8 {
            expected[3 * k] = k as i32 + 1;
        }
        if let Some(slot) = slot {
            expected[slot] = 9;
        }
        let mut idx = [25; 16];
        idx[..9].copy_from_slice(&[0, 3, 6, 9, 12, 15, 18, 21, index]);
        for call in [fixed, free] {
            assert_eq!(scatter(&call, &[0; 30], &src, &idx), expected, "{oob}");
        }
    }
    // GAP-37: the source's extents drive the loops.
    let idx = dynamic(valid(Int32, 1, 16, 1, 8));
    let call = mscatter(Elem, flat(Int32, 30), dynamic(part(Int32)), idx);
    let table = scatter(&call, &[0; 30], &src, &count_from(10, 16));
    assert_eq!(table[10..20], [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]);
    // MGATHER-DYN-01: the destination's do.
    let part = dynamic(valid(Int32, 4, 16, 3, 9));
    let call = mgather(Elem, dynamic_table(flat(Int32, 64)), part, part);
    let dst = gather(&call, &[-1; 64], &count_from(0, 64), &count_from(0, 64));
    assert_eq!(dst.iter().filter(|v| **v >= 0).count(), 27);
    assert_eq!(dst[32..42], [32, 33, 34, 35, 36, 37, 38, 39, 40, -1]);
}

#[test]
fn gap_38_a_run_time_extent_of_0_does_nothing() {
    for (rows_, cols) in [(0, 8), (8, 0), (0, 0)] {
        let none = |dtype| dynamic(valid(dtype, 8, 8, rows_, cols));
        for mode in [Row, Elem] {
            let table = rows(Int32, 4, 8);
            for how in [
                How::default(),
                reading(|r| r.empty_extent = EmptyExtent::NoOp),
            ] {
                for atomic in [ScatterAtomicOp::None, ScatterAtomicOp::Add] {
                    let call = mscatter(mode, table, none(Int32), none(Int32));
                    let call = Mscatter { atomic, ..call };
                    let after = scatter_how(&call, how, &[5; 32], &[1; 64], &[0; 64]);
                    assert_eq!(after, [5; 32]);
                }
                let call = mgather(mode, table, none(Int32), none(Int32));
                let call = call.with(|c| c.oob = GatherOob::Zero);
                let after = gather_how(&call, how, &[5; 64], &[1; 32], &[9; 64]);
                assert_eq!(after, [5; 64]);
                assert_eq!(gathered(call, &[9; 64]), []);
            }
        }
    }
}

#[test]
fn gap_02_an_empty_table_takes_nothing_and_gives_zero_only() {
    let mut table = rows(Int32, 0, 8);
    table.shape[3] = Dim::Dynamic(0);
    let part = |cols| valid(Int32, 1, 8, 1, cols);
    for (mode, src, idx) in [
        (Row, tile(Int32, 2, 8), tile(Int32, 1, 2)),
        (Elem, part(2), part(2)),
        (Elem, part(1), part(1)),
    ] {
        for negative_index in [NegativeIndex::Unsigned, NegativeIndex::Signed] {
            let how = reading(|r| r.negative_index = negative_index);
            let len = (src.rows * src.cols) as usize;
            for oob in [Undefined, Skip, Clamp, Wrap] {
                for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
                    let call = mscatter(mode, table, src, idx);
                    let call = call.with(|c| (c.oob, c.conflict) = (oob, conflict));
                    scatter_how(&call, how, &[], &vec![1; len], &[-1, 0]);
                }
            }
            for (oob, given) in [
                (GatherOob::Undefined, 9),
                (GatherOob::Clamp, 9),
                (GatherOob::Wrap, 9),
                (GatherOob::Zero, 0),
            ] {
                let call = mgather(mode, table, src, idx).with(|c| c.oob = oob);
                let dst = gather_how(&call, how, &vec![9; len], &[], &[-1, 0]);
                assert_eq!(dst[0], given, "{mode} {oob}");
            }
        }
    }
    // Lanes are idle; where lanes own slots, there is none to launch. The scalar path
    // looks at its index first.
    let mut table = flat(Int32, 0);
    table.shape[4] = Dim::Dynamic(0);
    let events = |valid_col, conflict, dispatch| {
        let mut call = mscatter(Elem, table, part(valid_col), part(valid_col));
        (call.oob, call.conflict, call.launch.dispatch) = (Skip, conflict, dispatch);
        traced(Call::Mscatter(call), How::default(), &[0; 8])
    };
    use ScatterConflict::{Default as Any, Last};
    let launched = events(2, Any, Dispatch::Standard);
    assert!(matches!(launched[..], [Event::Launch { .. }]));
    assert_eq!(events(2, Last, Dispatch::Standard), []);
    assert_eq!(events(2, Last, Dispatch::Direct), []);
    let scalar = events(1, Any, Dispatch::Standard);
    assert_eq!(count(&scalar, is_index_load), 1);
}
