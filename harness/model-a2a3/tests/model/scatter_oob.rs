//! MSCATTER: out-of-bounds policies and negative indices.

use ptodiff_isa::{Call, Coalesce, DType, Mscatter, NegativeIndex, Role, ScatterOob};

use crate::common::{
    GUARD, bytes, count, in_ub, line, mscatter, nd, outside, reading, run_on, scattered, tile,
};

use Coalesce::{Elem, Row};
use DType::{Int32, Uint32};
use NegativeIndex::{Intended, Signed, Unsigned};
use ScatterOob::{Clamp, Skip, Undefined, Wrap};

/// Rows of a table after scattering rows of 1s, 2s, 3s ...
fn rows_after(oob: ScatterOob, rows: u64, index: DType, indices: &[i32]) -> Vec<i32> {
    let src = [indices.len() as u64, 8];
    let idx = tile(index, [1, 8], [1, src[0]]);
    let call = mscatter(Row, nd(Int32, rows, 8), tile(Int32, src, src), idx);
    let values: Vec<i32> = (0..8 * src[0] as i32).map(|k| k / 8 + 1).collect();
    let before = vec![0; 8 * rows as usize];
    let table = scattered(Mscatter { oob, ..call }, &before, &values, indices);
    let (rows, _) = table.as_chunks::<8>();
    assert!(rows.iter().all(|row| *row == [row[0]; 8]));
    rows.iter().map(|row| row[0]).collect()
}

/// MSCATTER-OOB-04, -07, -09, -12, -15.
#[test]
fn rows_out_of_bounds() {
    for (oob, indices, want) in [
        (Skip, &[1, 4, 2][..], [0, 1, 3, 0]),
        (Clamp, &[4, 9, 1], [0, 3, 0, 2]),
        (Wrap, &[9, 4], [2, 1, 0, 0]),
        (Skip, &[3], [0, 0, 0, 1]),
        (Clamp, &[3, 7, 100], [0, 0, 0, 3]),
        (Wrap, &[3], [0, 0, 0, 1]),
    ] {
        assert_eq!(
            rows_after(oob, 4, Int32, indices),
            want,
            "{oob} {indices:?}"
        );
    }
    // MSCATTER-OOB-13: 4294967295 mod 10 is 5.
    let after = |oob| rows_after(oob, 10, Uint32, &[-1]);
    assert_eq!(after(Skip), [0; 10]);
    assert_eq!(after(Clamp), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(after(Wrap), [0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
}

/// MSCATTER-OOB-05, -08, -10, and -11: below capacity the policies agree.
#[test]
fn elements_out_of_bounds() {
    let eight = tile(Int32, [1, 8], [1, 8]);
    let after = |oob, slots: u64, indices: [i32; 8]| {
        let call = mscatter(Elem, line(Int32, slots), eight, eight);
        let before = vec![0; slots as usize];
        scattered(Mscatter { oob, ..call }, &before, &count(1, 8), &indices)
    };
    let indices = [0, 30, 1, 65, 2, 3, 1000, 28];
    for (oob, first, fifth, last) in [(Skip, 1, 0, 0), (Clamp, 1, 0, 7), (Wrap, 2, 4, 0)] {
        let got = after(oob, 30, indices);
        assert_eq!(got[..6], [first, 3, 5, 6, 0, fifth], "{oob}");
        // 1000 is 10 modulo 30.
        let tenth = if oob == Wrap { 7 } else { 0 };
        assert_eq!((got[10], got[28], got[29]), (tenth, 8, last), "{oob}");
    }
    for oob in [Undefined, Skip, Clamp, Wrap] {
        let got = after(oob, 8, [7, 3, 0, 1, 6, 2, 4, 5]);
        assert_eq!(got, [3, 4, 6, 2, 7, 8, 5, 1]);
    }
}

/// MSCATTER-GAP-01 on a 10-row table with index -1: which row is written. Row -1
/// starts a row before the table; in the Unsigned reading Undefined goes to row
/// 4294967295.
#[test]
fn negative_rows() {
    for (negative_index, oob, want) in [
        (Unsigned, Skip, None),
        (Unsigned, Clamp, Some(9)),
        (Unsigned, Wrap, Some(5)),
        (Unsigned, Undefined, Some(4_294_967_295)),
        (Signed, Skip, Some(-1)),
        (Signed, Clamp, Some(-1)),
        (Signed, Wrap, Some(-1)),
        (Signed, Undefined, Some(-1)),
        (Intended, Skip, None),
        (Intended, Clamp, Some(0)),
        (Intended, Wrap, Some(9)),
        (Intended, Undefined, Some(-1)),
    ] {
        // Elem: ten slots instead of ten rows.
        for (mode, width) in [(Row, 8), (Elem, 1)] {
            let (src, idx) = (tile(Int32, [1, 8], [1, width]), tile(Int32, [1, 8], [1, 1]));
            let call = mscatter(mode, nd(Int32, 10, width), src, idx);
            let call = Call::Mscatter(Mscatter { oob, ..call });
            let readings = reading(|r| r.negative_index = negative_index);
            let before = bytes(vec![0; 10 * width as usize]);
            let operands = [before, bytes([1; 8]), bytes([-1; 8])];
            let ran = run_on(call, readings, in_ub(&call, operands));
            let got = ran.table::<i32>();
            let written = |row: &i64| got[*row as usize * width as usize] == 1;
            let inside = want.filter(|row| (0..10).contains(row));
            let rows: Vec<i64> = (0..10).filter(written).collect();
            assert_eq!(rows, inside.as_slice(), "{negative_index} {oob}");
            let bytes = 4 * width;
            let left = want.filter(|row| !(0..10).contains(row));
            let left = left.map(|row| outside(Role::Table, row * bytes as i64, bytes, true));
            assert_eq!(ran.oob_accesses(), left.as_slice());
            if want == Some(-1) {
                let (front, _) = ran.guards(Role::Table);
                assert_eq!(front[GUARD - bytes as usize], 1);
            }
        }
    }
}
