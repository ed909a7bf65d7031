//! MSCATTER on A5: which element is the last one.

use crate::common::{calls::*, choices::with, said::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::Int32;
use Target::A5;

#[test]
fn the_last_in_storage() {
    // MSCATTER-GAP-72: (0, 1) = 1 and (1, 0) = 2 both to slot 5, where (1, 0) comes
    // last whatever the layout, or whichever stands last.
    let storage = [("last-by", "storage")];
    for (full, [a, b], survivor) in [
        (col_major(Int32, [8, 8], [8, 8]), [8, 1], 1),
        (tile(Int32, [8, 8], [8, 8]), [1, 8], 2),
    ] {
        let call = scatter(matrix(Int32, 1, 80), full, full, Elem);
        let mut src = vec![0; 64];
        let mut idx: Vec<i64> = (0..64).map(|i| i + 10).collect();
        (src[a], idx[a]) = (1, 5);
        (src[b], idx[b]) = (2, 5);
        let src = words(&src);
        let found = into_zeros(&call, &src, &idx, A5, &[]);
        assert_eq!(found.slots[5], Slot::word(2));
        let found = into_zeros(&call, &src, &idx, A5, &storage);
        assert_eq!(found.slots[5], Slot::word(survivor));
        let open = found.cited()[0].0 == "MSCATTER-GAP-72";
        assert_eq!(open, survivor == 1);
        // Default keeps any of them.
        let default = Mscatter {
            conflict: ScatterConflict::Default,
            ..call
        };
        let found = into_zeros(&default, &src, &idx, A5, &storage);
        assert_eq!(found.slots[5], Slot::any_word(&[1, 2]));
        // The first revision has no such rule.
        let old = Call::MscatterFirst(first(call.table, full, full));
        let m = memory(&[
            (Role::Table, &[0; 320]),
            (Role::Source, &src),
            (Role::Index, &words(&idx)),
        ]);
        let both = with(&[storage[0], ("first-conflict", "last")]);
        let found = Said::of(&old, &[&m], A5, &both);
        assert_eq!(found.slots[5], Slot::word(2));
    }
    // Row mode counts rows, whatever the storage.
    let call = scatter(
        matrix(Int32, 4, 8),
        col_major(Int32, [8, 8], [2, 8]),
        tile(Int32, [1, 8], [1, 2]),
        Row,
    );
    let src: Vec<i64> = (0..64).map(|i| i % 8).collect();
    let found = into_zeros(&call, &words(&src), &[2; 8], A5, &storage);
    assert_eq!(found.slots[16..24], vec![Slot::word(1); 8]);
}
