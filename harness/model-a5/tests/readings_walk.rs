//! Which element is last and where row indices stand, under each reading
//! (MSCATTER-GAP-72, -36, MGATHER-GAP-15).

use crate::common::*;

fn by_storage(schedule: Schedule) -> How {
    reading(|readings| readings.last_by = LastBy::Storage).with(|how| how.schedule = schedule)
}

/// Two rows of three, (r, c) holds 10r + c; slot 5 is that of (0, 1) and of (1, 0).
const SLOTS: [[i32; 3]; 2] = [[0, 5, 1], [5, 2, 3]];

/// The storage of a tile of two rows of three.
fn image(tile: Tile, value: impl Fn(usize, usize) -> i32) -> Vec<i32> {
    let mut image = vec![0; (tile.rows * tile.cols) as usize];
    for (r, c) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
        let at = match tile.blayout {
            BLayout::RowMajor => r * tile.cols as usize + c,
            BLayout::ColMajor => c * tile.rows as usize + r,
        };
        image[at] = value(r, c);
    }
    image
}

#[test]
fn gap_72_under_storage_the_source_tiles_layout_decides() {
    let padded = |dtype| valid(dtype, 8, 8, 2, 3);
    let whole = |dtype| tile(dtype, 2, 3);
    // Tables with more slots than a launch has lanes, too.
    for (tiles, slots) in [(padded as fn(DType) -> Tile, 6), (padded, 5000), (whole, 6)] {
        for by_column in [false, true] {
            for idx in [tiles(Int32), col_major(tiles(Int32))] {
                let src = tiles(Int32);
                let src = if by_column { col_major(src) } else { src };
                let call = mscatter(Elem, flat(Int32, slots), src, idx);
                let values = image(src, |r, c| (10 * r + c) as i32);
                let indices = image(idx, |r, c| SLOTS[r][c]);
                let of = |how| {
                    let table = vec![-1; slots as usize];
                    let table = scatter_how(&call, how, &table, &values, &indices);
                    assert_eq!(table[..5], [0, 2, 11, 12, -1]);
                    table[5]
                };
                for schedule in SCHEDULES {
                    // Column by column (0, 1) comes after (1, 0).
                    let last = if by_column { 1 } else { 10 };
                    assert_eq!(of(by_storage(schedule)), last);
                    assert_eq!(of(how(schedule)), 10);
                }
            }
        }
    }
}

/// Rows 3, 1, 0, 2 at elements 0, 8, 16, 24; decoys between them.
fn spread() -> [i32; 32] {
    let mut idx = [2; 32];
    for (r, row) in [3, 1, 0, 2].into_iter().enumerate() {
        idx[8 * r] = row;
    }
    idx
}

#[test]
fn gap_36_under_logical_loads_follow_the_layout() {
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        let (src, idx) = (tile(Int32, 4, 8), valid(Int32, 4, 8, 4, 1));
        let call = mscatter(Row, rows(Int32, 4, 8), src, idx).with(|c| c.conflict = conflict);
        let how = reading(|readings| readings.row_index_pitch = RowIndexPitch::Logical);
        let events = traced(Call::Mscatter(call), how, &spread());
        let loads = events.iter().filter_map(|event| match event {
            Event::Load { role, offset, .. } if *role == Role::Index => Some(*offset),
            _ => None,
        });
        let mut offsets: Vec<i64> = loads.collect();
        offsets.sort_unstable();
        assert_eq!(offsets, [0, 32, 64, 96]);
    }
}
