//! MSCATTER on ND tables: SEM, CONF, INDEX, TABLE, DYN, ALIGN, CAP.

use ptodiff_isa::{
    Call, Coalesce, DType, Dim, GlobalTensor, Layout, Mscatter, Readings, Role, ScatterConflict,
    ScatterOob,
};
use strum::VariantArray;

use crate::common::{
    With, bytes, count, dynamic, gathered, legal, line, mgather, mscatter, nd, scattered, table,
    tile,
};

use Coalesce::{Elem, Row};
use DType::{Half, Int8, Int32, Uint32};

/// Rows of eight, 16 apart.
fn apart() -> GlobalTensor {
    table(Int32, [1, 1, 1, 4, 8], [64, 64, 64, 16, 1], Layout::ND)
}

/// A Row scatter of `count` rows of eight words.
fn rows(table: GlobalTensor, count: u64) -> Mscatter {
    let idx = tile(Int32, [1, 8], [1, count]);
    mscatter(Row, table, tile(Int32, [count, 8], [count, 8]), idx)
}

/// MSCATTER-SEM-01, -04, -06: other rows keep their bits.
#[test]
fn rows_go_to_table_rows() {
    let got = scattered(rows(nd(Int32, 4, 8), 2), &[-1; 32], &count(0, 16), &[3, 0]);
    let found = (&got[..8], &got[24..]);
    assert_eq!(found, (&count(8, 8)[..], &count(0, 8)[..]));
    assert_eq!(got[8..24], [-1; 16]);
}

/// MSCATTER-SEM-02, -05, -08, MSCATTER-ALIGN-03: flat slots; padding has no effect.
#[test]
fn elements_go_to_flat_slots() {
    let data = tile(Int32, [3, 8], [3, 3]);
    let idx = [29, 0, 17, 3, 2, 5, 7, 6, 4];
    for conflict in ScatterConflict::VARIANTS {
        let conflict = *conflict;
        let call = mscatter(Elem, nd(Int32, 3, 10), data, data).with(|c| c.conflict = conflict);
        let got = scattered(call, &[-1; 30], &count(1, 9), &idx);
        let mut want = [-1; 30];
        for (slot, value) in idx.into_iter().zip(1..) {
            want[slot as usize] = value;
        }
        assert_eq!(got, want);
    }
}

/// MSCATTER-SEM-07, MSCATTER-MODE-04: for (1, 1) the mode alone decides.
#[test]
fn the_mode_is_never_guessed() {
    for (mode, slot) in [(Row, 24), (Elem, 3)] {
        let one = tile(Int32, [1, 8], [1, 1]);
        let got = scattered(
            mscatter(mode, nd(Int32, 4, 8), one, one),
            &[0; 32],
            &[7],
            &[3],
        );
        assert_eq!(got.iter().position(|v| *v == 7), Some(slot));
        assert_eq!(got.iter().sum::<i32>(), 7);
    }
}

/// MSCATTER-SEM-09: no conversion, payloads survive.
#[test]
fn bits_are_stored_as_they_are() {
    for mode in [Row, Elem] {
        let (src, idx) = (tile(Half, [1, 16], [1, 1]), tile(Int32, [1, 8], [1, 1]));
        let call = mscatter(mode, nd(Half, 2, 1), src, idx);
        let got = scattered(call, &[0x3C00_u16; 2], &[0x7C01], &[0]);
        assert_eq!(got, [0x7C01, 0x3C00]);
    }
}

/// MSCATTER-SEM-10, MSCATTER-DTYPE-12: there and back, by either index type.
#[test]
fn a_gather_undoes_a_scatter() {
    let (data, flat) = (tile(Int32, [8, 32], [8, 32]), line(Int32, 256));
    // 97 and 256 have no common divisor.
    let slots: Vec<i32> = (0..256).map(|k| k * 97 % 256).collect();
    for dtype in [Int32, Uint32] {
        let idx = tile(dtype, [8, 32], [8, 32]);
        let there = mscatter(Elem, flat, data, idx);
        let table = scattered(there, &[0; 256], &count(1000, 256), &slots);
        assert_eq!(table[97], 1001);
        let back = mgather(Elem, data, flat, idx);
        assert_eq!(gathered(back, 1, &table, &slots), count(1000, 256));
    }
}

/// MSCATTER-CONF-01, -02: the greatest wins; the conflict policy is not looked at.
#[test]
fn the_last_one_wins() {
    for conflict in ScatterConflict::VARIANTS {
        let conflict = *conflict;
        let call = rows(nd(Int32, 4, 8), 3).with(|c| c.conflict = conflict);
        let got = scattered(call, &[-1; 32], &count(0, 24), &[2, 2, 2]);
        assert_eq!(got[16..24], count(16, 8));
    }
    let data = tile(Int32, [2, 8], [2, 8]);
    let call = mscatter(Elem, line(Int32, 8), data, data);
    let got = scattered(call, &[-1; 8], &count(0, 16), &[5; 16]);
    assert_eq!(got, [-1, -1, -1, -1, -1, 15, -1, -1]);
}

/// MSCATTER-TABLE-04, -05: the row pitch is the stride, gaps are kept;
/// MSCATTER-GAP-18: Elem does not see it.
#[test]
fn padded_rows_keep_their_gaps() {
    let got = scattered(rows(apart(), 4), &[-1; 56], &count(0, 32), &[3, 2, 1, 0]);
    for (start, first) in [(0, 24), (16, 16), (32, 8), (48, 0)] {
        assert_eq!(got[start..start + 8], count(first, 8));
    }
    for start in [8, 24, 40] {
        assert_eq!(got[start..start + 8], [-1; 8]);
    }
    let one = tile(Int32, [1, 8], [1, 1]);
    let got = scattered(mscatter(Elem, apart(), one, one), &[0; 56], &[7], &[8]);
    assert_eq!(got.iter().position(|v| *v == 7), Some(8));
}

/// MSCATTER-GAP-17, -28: a narrower tile leaves the rest of the row; a burst writes
/// exactly its length.
#[test]
fn a_narrow_tile_moves_part_of_a_row() {
    let (src, idx) = (tile(Int8, [2, 32], [2, 5]), tile(Int32, [1, 8], [1, 2]));
    let got = scattered(
        mscatter(Row, nd(Int8, 3, 7), src, idx),
        &[0_i8; 21],
        &[9; 10],
        &[2, 0],
    );
    let row = [9, 9, 9, 9, 9, 0, 0];
    assert_eq!(got, [row, [0; 7], row].concat());
}

/// MSCATTER-CAP-01 to -03 through Skip: `(mode, shape, index, slot written)`.
#[test]
fn capacities() {
    for (mode, shape, index, want) in [
        (Row, [1, 1, 1, 4, 8], 3, Some(24)),
        (Row, [1, 1, 1, 4, 8], 4, None),
        (Elem, [1, 1, 1, 4, 8], 31, Some(31)),
        (Elem, [1, 1, 1, 4, 8], 32, None),
        (Elem, [2, 1, 3, 4, 8], 191, Some(191)),
        (Elem, [2, 1, 3, 4, 8], 192, None),
        (Row, [2, 1, 1, 4, 8], 7, Some(56)),
        (Row, [2, 1, 1, 4, 8], 8, None),
    ] {
        let one = tile(Int32, [1, 8], [1, 1]);
        let table = table(Int32, shape, [32, 32, 32, 8, 1], Layout::ND);
        let call = mscatter(mode, table, one, one).with(|c| c.oob = ScatterOob::Skip);
        let before = vec![0; shape.iter().product::<u64>() as usize];
        let got = scattered(call, &before, &[1], &[index]);
        let written = got.iter().position(|v| *v == 1);
        assert_eq!(written, want, "{mode} {shape:?} {index}");
    }
}

/// MSCATTER-DYN-02, -03, -06, -07: the documented dynamic example.
#[test]
fn run_time_shapes_act_as_static_ones() {
    let data = tile(Int32, [1, 16], [1, 9]);
    let fixed = mscatter(Elem, nd(Int32, 3, 10), data, data).with(|c| c.oob = ScatterOob::Skip);
    let mut loose = fixed;
    loose.table.shape[3] = Dim::Dynamic(3);
    loose.table.shape[4] = Dim::Dynamic(10);
    loose.table.stride[3] = Dim::Dynamic(10);
    (loose.src, loose.idx) = (dynamic(loose.src), dynamic(loose.idx));
    for call in [fixed, loose] {
        let idx = [0, 3, 6, 9, 12, 15, 18, 30, 29];
        let got = scattered(call, &[0; 30], &count(1, 9), &idx);
        for (slot, value) in (0..).zip(got) {
            let want = match slot {
                29 => 9,
                0..21 if slot % 3 == 0 => slot / 3 + 1,
                _ => 0,
            };
            assert_eq!(value, want, "{slot}");
        }
    }
}

/// MSCATTER-SHAPE-09, MSCATTER-ALIGN-06: widths are free, places odd, neighbours kept.
#[test]
fn tiles_have_their_own_width() {
    let (src, idx) = (tile(Int8, [3, 32], [3, 5]), tile(Int32, [3, 8], [3, 5]));
    let call = mscatter(Elem, line(Int8, 31), src, idx);
    let values: Vec<i8> = (1..16).collect();
    let slots: Vec<i32> = (0..15).rev().map(|k| 2 * k + 1).collect();
    let got = scattered(call, &[0_i8; 31], &values, &slots);
    for k in 0..15 {
        assert_eq!((got[2 * k], got[2 * k + 1]), (0, 15 - k as i8));
    }
}

/// MSCATTER-GAP-38, -02: a run-time extent of 0 does nothing; an empty table takes nothing.
#[test]
fn nothing_valid_and_empty_tables() {
    for mode in [Row, Elem] {
        for valid in [[0, 8], [8, 0]] {
            let none = dynamic(tile(Int32, [8, 8], valid));
            let call = Call::Mscatter(mscatter(mode, nd(Int32, 4, 8), none, none));
            let operands = [bytes([1; 32]), bytes([2; 64]), bytes([0; 64])];
            let ran = legal(call, Readings::default(), operands);
            assert_eq!(ran.read::<i32>(Role::Table), [1; 32]);
        }
        for oob in ScatterOob::VARIANTS {
            let one = tile(Int32, [1, 8], [1, 1]);
            let mut call = mscatter(mode, nd(Int32, 0, 8), one, one);
            (call.oob, call.table.shape[3]) = (*oob, Dim::Dynamic(0));
            assert_eq!(scattered::<i32>(call, &[], &[2], &[0]), []);
        }
    }
}
