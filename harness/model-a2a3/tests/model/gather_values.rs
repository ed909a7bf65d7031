//! MGATHER on ND tables.

use ptodiff_isa::{
    Call, Coalesce, DType, Dim, GatherOob, Layout, Mgather, NegativeIndex, Readings, Role, Tile,
};
use strum::VariantArray;

use crate::common::{
    With, bytes, count, dynamic, gather, gathered, legal, line, mgather, nd, outside, reading, run,
    table, tile,
};

use Coalesce::{Elem, Row};
use DType::{Half, Int32, Uint32};
use GatherOob::{Clamp, Undefined, Wrap, Zero};

/// A row of index tiles.
fn across(dtype: DType, count: usize) -> Tile {
    tile(dtype, [1, 8], [1, count as u64])
}

/// Elem gather of up to eight indices from words 0, 1, 2, ...
fn elements(oob: GatherOob, size: i32, index: DType, indices: &[i32]) -> Vec<i32> {
    let (dst, idx) = (across(Int32, indices.len()), across(index, indices.len()));
    let call = mgather(Elem, dst, line(Int32, size as u64), idx);
    let mut got = gathered(Mgather { oob, ..call }, -7, &count(0, size), indices);
    assert!(got.drain(indices.len()..).all(|v| v == -7));
    got
}

/// Row gather from a table whose row i is filled with i + 1.
fn rows(oob: GatherOob, rows: u64, indices: &[i32]) -> Vec<i32> {
    let dst = [indices.len() as u64, 8];
    let idx = across(Int32, indices.len());
    let call = mgather(Row, tile(Int32, dst, dst), nd(Int32, rows, 8), idx);
    let table: Vec<i32> = (0..8 * rows as i32).map(|k| k / 8 + 1).collect();
    let got = gathered(Mgather { oob, ..call }, -7, &table, indices);
    let (got, _) = got.as_chunks::<8>();
    assert!(got.iter().all(|row| *row == [row[0]; 8]));
    got.iter().map(|row| row[0]).collect()
}

/// MGATHER-SEM-01, -04, MGATHER-CONF-01, MGATHER-OOB-04, -06, -09.
#[test]
fn rows_come_from_where_index_and_policy_say() {
    for (oob, indices, want) in [
        (Undefined, &[2, 0, 2][..], &[3, 1, 3][..]),
        (Undefined, &[3, 3, 3, 3], &[4; 4]),
        (Clamp, &[3, 4, 100], &[4, 4, 4]),
        (Wrap, &[3, 4, 9], &[4, 1, 2]),
        (Zero, &[1, 4, 3], &[2, 0, 4]),
    ] {
        assert_eq!(rows(oob, 4, indices), want, "{oob} {indices:?}");
    }
}

/// MGATHER-SEM-02, MGATHER-OOB-05, -07, -08, -17: 4294967295 mod 10 is 5.
#[test]
fn elements_come_from_where_index_and_policy_say() {
    let great = [i32::MIN, -1];
    for (oob, index, indices, want) in [
        (Wrap, Int32, &[9, 10, 23][..], &[9, 0, 3][..]),
        (Clamp, Int32, &[9, 10, 23], &[9, 9, 9]),
        (Zero, Int32, &[9, 10, 1], &[9, 0, 1]),
        (Clamp, Uint32, &great, &[9, 9]),
        (Wrap, Uint32, &great, &[8, 5]),
        (Zero, Uint32, &great, &[0, 0]),
    ] {
        assert_eq!(elements(oob, 10, index, indices), want, "{oob}");
    }
    for oob in GatherOob::VARIANTS {
        let all = [7, 2, 0, 5, 1, 6, 3, 4];
        assert_eq!(elements(*oob, 8, Int32, &all), all);
    }
}

/// MGATHER-GAP-02 with a guard before a 10-element table.
#[test]
fn negative_elements() {
    const GUARD: u32 = 0xA5A5_A5A5;
    for (negative_index, want, leaves) in [
        (NegativeIndex::Unsigned, [9, 5, 0], false),
        (NegativeIndex::Signed, [GUARD; 3], true),
        (NegativeIndex::Intended, [0, 9, 0], false),
    ] {
        for (oob, want) in [Clamp, Wrap, Zero].into_iter().zip(want) {
            let one = across(Int32, 1);
            let call = mgather(Elem, one, line(Int32, 10), one);
            let call = Call::Mgather(Mgather { oob, ..call });
            let readings = reading(|r| r.negative_index = negative_index);
            let all = bytes(0..10_i32);
            let ran = run(call, readings, [all, vec![7; 32], vec![0xFF; 32]]);
            assert_eq!(ran.dst::<u32>()[0], want, "{negative_index} {oob}");
            let before = outside(Role::Table, -4, 4, false);
            let wanted = if leaves { &[before][..] } else { &[] };
            assert_eq!(ran.oob_accesses(), wanted);
        }
    }
}

/// MGATHER-OOB-11, -12, MGATHER-GAP-36: bits are copied in every type, zero is +0;
/// MGATHER-GAP-18, -19, MGATHER-SEM-03: padding stays.
#[test]
fn every_dtype_under_every_policy() {
    use DType::{Bfloat16, Float, Int8, Int16, Uint8, Uint16};
    for dtype in [
        Int8, Uint8, Int16, Uint16, Half, Bfloat16, Int32, Uint32, Float,
    ] {
        let width = dtype.size();
        for (oob, second) in [(Clamp, 0x82), (Wrap, 0x81), (Zero, 0)] {
            for mode in [Row, Elem] {
                // Three elements in all, of which two are valid.
                let (dst, idx) = match mode {
                    Row => (tile(dtype, [2, 32], [2, 1]), across(Int32, 2)),
                    Elem => (tile(dtype, [1, 64], [1, 2]), across(Int32, 2)),
                };
                let call = mgather(mode, dst, nd(dtype, 2, 1), idx);
                let call = Call::Mgather(Mgather { oob, ..call });
                let table = [vec![0x81; width], vec![0x82; width]].concat();
                let idx = bytes([1, 2, 0, 0, 0, 0, 0, 0]);
                let operands = [table, vec![0x55; 64 * width], idx];
                let ran = legal(call, Readings::default(), operands);
                let mut want = vec![0x55; 64 * width];
                let next = if mode == Row { 32 * width } else { width };
                want[..width].fill(0x82);
                want[next..next + width].fill(second);
                assert_eq!(ran.dst::<u8>(), want, "{dtype} {oob} {mode}");
            }
        }
    }
}

/// MGATHER-SEM-05, MGATHER-MIN-09: (1, 1) in both modes.
#[test]
fn one_element() {
    let one = across(Int32, 1);
    for mode in [Elem, Row] {
        let call = mgather(mode, one, nd(Int32, 32, 1), one);
        let got = gathered(call, 9, &count(0, 32), &[5]);
        assert_eq!(got, [5, 9, 9, 9, 9, 9, 9, 9]);
    }
}

/// MGATHER-CAP-02: Row capacity spans the outer dimensions; MGATHER-TABLE-05: rows
/// lie a stride apart.
#[test]
fn row_capacity_and_pitch() {
    let row = [1, 8];
    let planes = table(Int32, [1, 1, 2, 3, 8], [48, 48, 24, 8, 1], Layout::ND);
    let call = mgather(Row, tile(Int32, row, row), planes, across(Int32, 1));
    for (index, first) in [(5, 40), (6, 40), (3, 24)] {
        let call = Mgather { oob: Clamp, ..call };
        assert_eq!(gathered(call, -1, &count(0, 48), &[index]), count(first, 8));
    }
    let apart = table(Int32, [1, 1, 1, 4, 8], [96, 96, 96, 24, 1], Layout::ND);
    let call = call.with(|c| c.table = apart);
    assert_eq!(gathered(call, -1, &count(0, 80), &[3]), count(72, 8));
}

/// MGATHER-CAP-04, -07, MGATHER-DYN-01, -02, -05.
#[test]
fn run_time_shapes_act_as_static_ones() {
    let data = dynamic(tile(Int32, [1, 16], [1, 9]));
    let mut call = mgather(Elem, data, nd(Int32, 3, 10), data);
    call.oob = Zero;
    call.table.shape = [1, 1, 1, 3, 10].map(Dim::Dynamic);
    call.table.stride = [30, 30, 30, 10, 1].map(Dim::Dynamic);
    let got = gathered(call, 7, &count(100, 30), &[29, 30, 0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(got[..9], [129, 0, 100, 101, 102, 103, 104, 105, 106]);
    assert_eq!(got[9..], [7; 7]);
}

/// MGATHER-TILE-13, MGATHER-INDEX-02, MGATHER-SHAPE-04, MGATHER-ALIGN-06: each tile has
/// its own width; indices count elements, not bytes.
#[test]
fn tiles_have_their_own_width() {
    let (dst, idx) = (
        tile(DType::Int16, [3, 16], [3, 7]),
        tile(Int32, [3, 8], [3, 7]),
    );
    let table: Vec<i16> = (0..21).collect();
    let down: Vec<i32> = (0..21).rev().collect();
    let got = gathered(
        mgather(Elem, dst, line(DType::Int16, 21), idx),
        -1,
        &table,
        &down,
    );
    for (r, row) in got.chunks(16).enumerate() {
        let first = 20 - 7 * r as i16;
        assert!(row[..7].iter().copied().eq((first - 6..=first).rev()));
        assert_eq!(row[7..], [-1; 9]);
    }
}

/// MGATHER-GAP-03 and -26: an empty table gives nothing but Zero's zeros, and
/// an empty valid region is left alone.
#[test]
fn empty_tables_and_empty_tiles() {
    let one = dynamic(across(Int32, 1));
    for oob in GatherOob::VARIANTS {
        for mode in [Row, Elem] {
            let mut call = mgather(mode, one, nd(Int32, 0, 1), one);
            (call.oob, call.table.shape[3]) = (*oob, Dim::Dynamic(0));
            for index in [0, -1] {
                let signed = reading(|r| r.negative_index = NegativeIndex::Signed);
                let got = gather(call, signed, 9, &[], &[index]).dst::<i32>();
                let want = if *oob == Zero { 0 } else { 9 };
                assert_eq!(got, [want, 9, 9, 9, 9, 9, 9, 9], "{oob} {mode}");
            }
            call.dst.valid_col = Dim::Dynamic(0);
            assert_eq!(gathered(call, 9, &[], &[0]), [9; 8]);
        }
    }
}
