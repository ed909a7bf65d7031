//! Tile layouts and index shapes (TILE, SHAPE, MODE, GAP-36, GAP-68), and operands of
//! which elements share a place or that end too early.

use crate::common::*;

/// An 8x8 image of `value(r, c)` in either layout.
fn image(tile: Tile, value: impl Fn(i32, i32) -> i32) -> Vec<i32> {
    let at = |k: i32| match tile.blayout {
        BLayout::RowMajor => value(k / 8, k % 8),
        BLayout::ColMajor => value(k % 8, k / 8),
    };
    (0..64).map(at).collect()
}

#[test]
fn tile_11_and_14_only_logical_contents_count() {
    let plain = tile(Int32, 8, 8);
    // (r, c) goes to slot 8c + (r + 3) % 8.
    let slot = |r: i32, c: i32| 8 * c + (r + 3) % 8;
    for src in [plain, col_major(plain)] {
        for idx in [plain, col_major(plain)] {
            let values = image(src, |r, c| 10 * r + c);
            for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
                for schedule in SCHEDULES {
                    let call = mscatter(Elem, flat(Int32, 64), src, idx);
                    let call = Mscatter { conflict, ..call };
                    let slots = image(idx, slot);
                    let table = scatter_how(&call, how(schedule), &[-1; 64], &values, &slots);
                    for (r, c) in (0..64).map(|k| (k / 8, k % 8)) {
                        assert_eq!(table[slot(r, c) as usize], 10 * r + c);
                    }
                }
            }
            // MGATHER-TILE-07 and -10: back through the same indices.
            let call = mgather(Elem, flat(Int32, 64), src, idx);
            let dst = gather(&call, &[-1; 64], &count_from(0, 64), &image(idx, slot));
            assert_eq!(dst, image(src, slot));
        }
    }
}

#[test]
fn tile_13_gap_36_and_68_rows_and_their_indices() {
    // [4, 1] in a RowMajor 4x8 tile: the kernel reads the first row's words.
    let padded = valid(Int32, 8, 8, 8, 1);
    let idx = [7, 6, 5, 4, 3, 2, 1, 0];
    let table = rows(Int32, 8, 8);
    let value = |r, c| 10 * r + c;
    for data in [tile(Int32, 8, 8), col_major(tile(Int32, 8, 8))] {
        for index in [tile(Int32, 1, 8), col_major(tile(Int32, 8, 1)), padded] {
            let mut indices = idx.to_vec();
            indices.resize(area(&index) / 4, 0);
            let rows = image(tile(Int32, 8, 8), value);
            let down: Vec<i32> = rows.chunks(8).rev().flatten().copied().collect();
            for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
                let call = mscatter(Row, table, data, index).with(|c| c.conflict = conflict);
                let got = scatter(&call, &[-1; 64], &image(data, value), &indices);
                assert_eq!(got, down);
            }
            let call = mgather(Row, table, data, index);
            let dst = gather(&call, &[-1; 64], &rows, &indices);
            assert_eq!(dst, image(data, |r, c| value(7 - r, c)));
        }
    }
}

#[test]
fn mode_04_and_perf_14_the_mode_alone_decides() {
    let (src, idx) = (tile(Int32, 4, 8), tile(Int32, 1, 4));
    let call = mscatter(Row, rows(Int32, 4, 8), src, idx);
    let by_row = scatter(&call, &[-1; 32], &count_from(0, 32), &[2, 0, 3, 1]);
    assert_eq!(by_row[16..24], [0, 1, 2, 3, 4, 5, 6, 7]);
    // Rows may be scattered element by element.
    let call = mscatter(Elem, rows(Int32, 4, 8), src, src);
    let idx: Vec<i32> = (0..32)
        .map(|k| [2, 0, 3, 1][k / 8] * 8 + k as i32 % 8)
        .collect();
    assert_eq!(scatter(&call, &[-1; 32], &count_from(0, 32), &idx), by_row);
    // Row width 1: row number and element number coincide.
    let column = |dtype| col_major(tile(dtype, 8, 1));
    for mode in [Row, Elem] {
        let call = mscatter(mode, rows(Int32, 16, 1), column(Int32), column(Int32));
        let idx = [15, 13, 11, 9, 7, 5, 3, 1];
        let table = scatter(&call, &[0; 16], &count_from(1, 8), &idx);
        assert_eq!((table[15], table[1], table[0]), (1, 8, 0));
    }
}

/// What a destination of `len` words of -1 holds after a gather by `idx` from numbers,
/// and how often an access left an operand.
fn overlapping(call: Call, schedule: Schedule, len: usize, idx: &[i32]) -> (Vec<i32>, u64) {
    let from = match call {
        Call::Tgatherb(_) => Role::Source,
        _ => Role::Table,
    };
    let mut memory = memory(&[
        (from, bytes(&count_from(0, 300))),
        (Role::Destination, bytes(&vec![-1; len])),
        (Role::Index, bytes(idx)),
        (Role::Scratch, vec![7; 4 * 17 * 16]),
    ]);
    let log = execute_silently(call, &mut memory, how(schedule));
    let dst = memory.get(Role::Destination).expect("a destination");
    (items(dst.body()), log.oob_accesses.count)
}

/// Valid extents given at run time that are too large for their tile: of rows of four in
/// a tile of two, element 2r + c is column c of row r and column c + 2 of the row before.
#[test]
fn elements_that_share_a_place_are_stored_in_the_order_of_warps_and_lanes() {
    let narrow = |rows| dynamic(valid(Int32, rows + 1, 4, rows, 4)).with(|c| c.cols = 2);
    // By row: warp 31 serves row 31 after warp 0 has served rows 0 and 32.
    let call = mgather(Row, rows(Int32, 40, 4), narrow(40), tile(Int32, 1, 40));
    let rows_ = count_from(0, 40);
    let (got, strays) = overlapping(Call::Mgather(call), Schedule::InOrder, 82, &rows_);
    let mut expected: Vec<i32> = (0..80).map(|k| 4 * (k / 2) + k % 2).collect();
    (expected[64], expected[65]) = (4 * 31 + 2, 4 * 31 + 3);
    expected.extend([4 * 39 + 2, 4 * 39 + 3]);
    assert_eq!((got, strays), (expected, 0));
    // By element the first lanes come last in reverse.
    let data = tile(Int32, 3, 4);
    let (dst, src, offset) = (narrow(3), data, tile(Uint32, 3, 4));
    let to_ub = Call::Mgather(mgather(Elem, rows(Int32, 3, 4), dst, data));
    let by_bytes = Call::Tgatherb(Tgatherb { dst, src, offset });
    for (call, step) in [(to_ub, 1), (by_bytes, 4)] {
        let idx: Vec<i32> = (0..12).map(|k| step * k).collect();
        let (got, _) = overlapping(call, Schedule::Reversed, 8, &idx);
        assert_eq!(got, [0, 1, 2, 3, 6, 7, 10, 11]);
    }
    // Row 16 of an NZ tile of 16 rows, which selects nothing, is where row 0 has its
    // second block: columns 8 to 15 of row 0.
    let dst = nz(Int32, 16, 16, 16, 16).with(|c| c.valid_row = Dim::Dynamic(17));
    let scratch = Some(flat(Int32, 17 * 16));
    let call = mgather_l1(Elem, flat(Int32, 300), dst, rows(Int32, 17, 16), scratch);
    let call = Call::MgatherL1(call.with(|c| c.oob = GatherOob::Zero));
    let idx: Vec<i32> = (0..17 * 16)
        .map(|k| if k < 256 { k } else { 300 })
        .collect();
    let (got, strays) = overlapping(call, Schedule::InOrder, 256, &idx);
    let found = (&got[128..136], strays);
    assert_eq!(found, (&[8, 9, 10, 11, 12, 13, 14, 15][..], 0));
}
