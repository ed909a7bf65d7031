//! MGATHER and MSCATTER on ND tables.

use ptodiff_isa::{Coalesce, DType, Dim, GatherOob, Mgather, NegativeIndex, Tile};
use strum::VariantArray;

use crate::common::{dynamic, gather, gathered, mgather, nd, reading, tile};

use Coalesce::{Elem, Row};
use DType::Int32;
use GatherOob::{Clamp, Undefined, Wrap, Zero};

/// A row of index tiles.
fn across(dtype: DType, count: usize) -> Tile {
    tile(dtype, [1, 8], [1, count as u64])
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
