//! Readings that take a precondition from the caller or have the check look further
//! (MSCATTER-GAP-10, -12, -13, -14, -36, -38; MGATHER-GAP-09, -15, -26, -42).

use crate::common::*;

#[test]
fn gap_12_and_42_under_both_the_width_holds_in_elem_mode() {
    let of = |width_check, mode, table, data: Tile| {
        let readings = Readings::default().with(|c| c.width_check = width_check);
        let idx = match mode {
            Row => tile(Int32, 1, 8),
            Elem => data.with(|c| c.dtype = Int32),
        };
        said(readings, mode, table, data, idx)
    };
    let data = tile(Float, 8, 32);
    let both = WidthCheck::Both;
    let gaps = [vec!["MSCATTER-GAP-12"], vec!["MGATHER-GAP-42"]];
    let none = [(); 2].map(|()| Vec::<&str>::new());
    // The documented example of Elem mode.
    assert_eq!(of(both, Elem, flat(Float, 256), data), gaps);
    assert_eq!(of(WidthCheck::Row, Elem, flat(Float, 256), data), none);
    assert_eq!(of(both, Elem, rows(Float, 8, 32), data), none);
    let mut free = flat(Float, 256);
    free.shape[4] = Dim::Dynamic(256);
    assert_eq!(of(both, Elem, free, data), none);
    assert_eq!(of(both, Elem, flat(Float, 256), dynamic(data)), none);
    // Valid columns count, not padded ones.
    let part = valid(Float, 8, 32, 8, 30);
    assert_eq!(of(both, Elem, rows(Float, 8, 30), part), none);
    assert_eq!(of(both, Elem, rows(Float, 8, 32), part), gaps);
    // Row mode keeps its own clause.
    let rows_ = [vec!["MSCATTER-TABLE-07"], vec!["MGATHER-TABLE-07"]];
    for reading in [both, WidthCheck::Row] {
        assert_eq!(of(reading, Row, rows(Float, 8, 16), data), rows_);
        assert_eq!(of(reading, Row, rows(Float, 8, 32), data), none);
    }
}

#[test]
fn gap_36_and_15_under_rejected_row_indices_follow_each_other() {
    let of = |row_index_pitch, idx: Tile| {
        let readings = Readings::default().with(|c| c.row_index_pitch = row_index_pitch);
        let count = idx.valid_row.get() * idx.valid_col.get();
        said(readings, Row, rows(Float, 9, 8), tile(Float, count, 8), idx)
    };
    let gaps = [vec!["MSCATTER-GAP-36"], vec!["MGATHER-GAP-15"]];
    let none = [(); 2].map(|()| Vec::<&str>::new());
    let apart = [
        valid(Int32, 4, 8, 4, 1),
        valid(Int32, 4, 2, 4, 1),
        col_major(valid(Int32, 8, 4, 1, 4)),
        col_major(valid(Int32, 2, 8, 1, 2)),
    ];
    for idx in apart {
        assert_eq!(of(RowIndexPitch::Rejected, idx), gaps);
        let free = dynamic(idx);
        let (row, col) = (free.valid_row, free.valid_col);
        for idx in [
            free,
            idx.with(|c| c.valid_row = row),
            idx.with(|c| c.valid_col = col),
        ] {
            assert_eq!(of(RowIndexPitch::Rejected, idx), none);
        }
        assert_eq!(of(RowIndexPitch::Precondition, idx), none);
        assert_eq!(of(RowIndexPitch::Logical, idx), none);
    }
    for idx in [
        tile(Int32, 4, 1),
        valid(Int32, 8, 8, 1, 4),
        col_major(valid(Int32, 8, 8, 4, 1)),
        col_major(tile(Int32, 1, 4)),
        // One index has no pitch.
        valid(Int32, 1, 8, 1, 1),
        col_major(valid(Int32, 8, 1, 1, 1)),
    ] {
        assert_eq!(of(RowIndexPitch::Rejected, idx), none);
    }
    // Elements have rows and columns.
    let readings = Readings::default().with(|c| c.row_index_pitch = RowIndexPitch::Rejected);
    let column = |dtype| valid(dtype, 4, 8, 4, 1);
    let found = said(readings, Elem, flat(Float, 9), column(Float), column(Int32));
    assert_eq!(found, none);
}

#[test]
fn gap_10_under_dropped_last_drops_what_no_slot_owns() {
    for schedule in SCHEDULES {
        let how = reading(|readings| readings.undefined_last = UndefinedLast::Dropped)
            .with(|how| how.schedule = schedule);
        // The tables are longer than their capacity: what is not dropped would show.
        let mut table = rows(Int32, 8, 8);
        table.shape[3] = Dim::Static(4);
        let call = mscatter(Row, table, tile(Int32, 3, 8), tile(Int32, 1, 3));
        let src: Vec<i32> = (0..24).map(|k| k / 8 + 1).collect();
        let after = scatter_how(&call, how, &[0; 64], &src, &[1, 4, 7]);
        let first: Vec<i32> = after.iter().step_by(8).copied().collect();
        assert_eq!(first, [0, 1, 0, 0, 0, 0, 0, 0]);
        let apart = col_major(valid(Int32, 2, 4, 1, 4));
        for (tile, src, idx) in [
            (tile(Int32, 1, 4), &[5, 6, 7, 8][..], &[1, 4, 7, -1][..]),
            (apart, &[5, 0, 6, 0, 7, 0, 8], &[1, 0, 4, 0, 7, 0, -1]),
        ] {
            let call = mscatter(Elem, flat(Int32, 4), tile, tile);
            let after = scatter_how(&call, how, &[0; 8], src, idx);
            assert_eq!(after, [0, 5, 0, 0, 0, 0, 0, 0]);
        }
    }
}
