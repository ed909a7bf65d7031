//! MSCATTER on A5: which element is the last one.

use crate::common::{calls::*, one_slot::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use Target::A5;

#[test]
fn the_last_in_storage() {
    // MSCATTER-GAP-72: (0, 1) = 1 and (1, 0) = 2 both to slot 5.
    let storage = with(&[("last-by", "storage")]);
    let shape = [col_major, tile];
    for (blayout, survivor) in shape.into_iter().zip([1, 2]) {
        let t = blayout(DType::Int32, [8, 8], [8, 8]);
        let call = scatter(matrix(DType::Int32, 1, 80), t, t, Elem);
        let mut src = vec![0; 64];
        let mut idx: Vec<i64> = (0..64).map(|i| i + 10).collect();
        let [a, b] = if survivor == 1 { [8, 1] } else { [1, 8] };
        (src[a], idx[a]) = (1, 5);
        (src[b], idx[b]) = (2, 5);
        let (src, idx) = (words(&src), words(&idx));
        let p = scattered(&call, &[0; 320], &src, &idx, A5, &storage);
        assert_eq!(slots(&p, Role::Table, 320)[5], Slot::word(survivor));
        let open = first_run(&p).clause.0 == "MSCATTER-GAP-72";
        assert_eq!(open, survivor == 1);
        // Default keeps any of them.
        let default = Mscatter {
            conflict: ScatterConflict::Default,
            ..call
        };
        let p = scattered(&default, &[0; 320], &src, &idx, A5, &storage);
        assert_eq!(slots(&p, Role::Table, 320)[5], Slot::any_word(&[1, 2]));
        // The first revision has no such rule.
        let mut old = first(call.table, t, t);
        old.idx.blayout = call.idx.blayout;
        let operands: [(Role, &[u8]); 3] = [
            (Role::Table, &[0; 320]),
            (Role::Source, &src),
            (Role::Index, &idx),
        ];
        let both = with(&[("last-by", "storage"), ("first-conflict", "last")]);
        let p = answer(&Call::MscatterFirst(old), &operands, A5, &both);
        assert_eq!(slots(&p, Role::Table, 320)[5], Slot::word(2));
    }
}

#[test]
fn the_last_row_is_the_last_row() {
    // MSCATTER-GAP-72: Row mode counts rows, whatever the storage.
    let call = scatter(
        matrix(DType::Int32, 4, 8),
        col_major(DType::Int32, [8, 8], [2, 8]),
        tile(DType::Int32, [1, 8], [1, 2]),
        Row,
    );
    let src: Vec<i64> = (0..64).map(|i| i % 8).collect();
    let storage = with(&[("last-by", "storage")]);
    let p = scattered(
        &call,
        &[0; 128],
        &words(&src),
        &words(&[2; 8]),
        A5,
        &storage,
    );
    assert_eq!(slots(&p, Role::Table, 128)[16..24], vec![Slot::word(1); 8]);
}
