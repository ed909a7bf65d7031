//! Tile layouts and index shapes (TILE, SHAPE, MODE, GAP-36, GAP-68).

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;

/// An 8x8 image of `value(r, c)` in either layout.
fn image(tile: Tile, value: impl Fn(i32, i32) -> i32) -> Vec<i32> {
    let mut image = Vec::new();
    for outer in 0..8 {
        for inner in 0..8 {
            image.push(match tile.blayout {
                BLayout::RowMajor => value(outer, inner),
                BLayout::ColMajor => value(inner, outer),
            });
        }
    }
    image
}

#[test]
fn tile_11_and_14_only_logical_contents_count() {
    let plain = tile(Int32, 8, 8);
    for src in [plain, col_major(plain)] {
        for idx in [plain, col_major(plain)] {
            let call = mscatter(Elem, flat(Int32, 64), src, idx);
            // (r, c) goes to slot 8c + (r + 3) % 8.
            let slot = |r: i32, c: i32| 8 * c + (r + 3) % 8;
            let src_image = image(src, |r, c| 10 * r + c);
            for schedule in SCHEDULES {
                for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
                    let table = scatter_how(
                        &Mscatter { conflict, ..call },
                        how(schedule),
                        &[-1; 64],
                        &src_image,
                        &image(idx, slot),
                    );
                    for r in 0..8 {
                        for c in 0..8 {
                            assert_eq!(table[slot(r, c) as usize], 10 * r + c);
                        }
                    }
                }
            }
            // MGATHER-TILE-07 and -10: back through the same indices.
            let call = mgather(Elem, flat(Int32, 64), src, idx);
            let table: Vec<i32> = (0..64).collect();
            let dst = gather(&call, &[-1; 64], &table, &image(idx, slot));
            assert_eq!(dst, image(src, slot));
        }
    }
}

#[test]
fn shape_09_padded_widths_need_not_match() {
    let call = mscatter(
        Elem,
        flat(Half, 15),
        valid(Half, 3, 16, 3, 5),
        valid(Int32, 3, 8, 3, 5),
    );
    let src: Vec<u16> = (0..48).map(|k| k / 16 * 100 + k % 16).collect();
    // Index (r, c) is 14 - 5r - c.
    let idx: Vec<i32> = (0..24).map(|k| 14 - k / 8 * 5 - k % 8).collect();
    let table = scatter(&call, &[9_u16; 15], &src, &idx);
    let expected = [
        204, 203, 202, 201, 200, 104, 103, 102, 101, 100, 4, 3, 2, 1, 0,
    ];
    assert_eq!(table, expected);
}

#[test]
fn tile_13_both_row_index_shapes_read_alike() {
    let src: Vec<i32> = (0..64).map(|k| k / 8).collect();
    let idx = [7, 6, 5, 4, 3, 2, 1, 0];
    for index in [tile(Int32, 1, 8), col_major(tile(Int32, 8, 1))] {
        let call = mscatter(Row, rows(Int32, 8, 8), tile(Int32, 8, 8), index);
        let table = scatter(&call, &[-1; 64], &src, &idx);
        let first: Vec<i32> = table.iter().step_by(8).copied().collect();
        assert_eq!(first, idx);
        let call = mgather(Row, rows(Int32, 8, 8), tile(Int32, 8, 8), index);
        let dst = gather(&call, &[-1; 64], &src, &idx);
        let first: Vec<i32> = dst.iter().step_by(8).copied().collect();
        assert_eq!(first, idx);
    }
}

#[test]
fn gap_36_a_padded_index_column_is_read_linearly() {
    // [4, 1] in a RowMajor 4x8 tile: the kernel reads the first row's words.
    let index = valid(Int32, 4, 8, 4, 1);
    let mut idx = [0; 32];
    idx[..4].copy_from_slice(&[3, 2, 1, 0]);
    let src: Vec<i32> = (0..32).map(|k| k / 8).collect();
    let call = mscatter(Row, rows(Int32, 4, 8), tile(Int32, 4, 8), index);
    let table = scatter(&call, &[-1; 32], &src, &idx);
    assert_eq!([table[0], table[8], table[16], table[24]], [3, 2, 1, 0]);
}

#[test]
fn gap_68_rows_of_col_major_tiles() {
    let data = col_major(tile(Int32, 8, 8));
    let idx = [7, 6, 5, 4, 3, 2, 1, 0];
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        let call = mscatter(Row, rows(Int32, 8, 8), data, tile(Int32, 1, 8));
        let call = Mscatter { conflict, ..call };
        let table = scatter(&call, &[-1; 64], &image(data, |r, c| 10 * r + c), &idx);
        for r in 0..8 {
            let expected: Vec<i32> = (10 * r..10 * r + 8).collect();
            let row = 7 - r as usize;
            assert_eq!(table[8 * row..8 * row + 8], expected);
        }
    }
    // MGATHER-GAP-38.
    let dst_tile = col_major(tile(Int32, 8, 4));
    let call = mgather(Row, rows(Int32, 8, 4), dst_tile, tile(Int32, 1, 8));
    let table: Vec<i32> = (0..32).collect();
    let dst = gather(&call, &[-1; 32], &table, &[0, 1, 2, 3, 4, 5, 6, 7]);
    // (r, c) = 4r + c stands at 8c + r.
    assert_eq!(dst[..8], [0, 4, 8, 12, 16, 20, 24, 28]);
    assert_eq!(dst[8..16], [1, 5, 9, 13, 17, 21, 25, 29]);
}

#[test]
fn mode_04_the_mode_alone_decides() {
    // Row width 1: row number and element number coincide.
    let column = |dtype| col_major(tile(dtype, 8, 1));
    let src: Vec<f32> = (1..9).map(|v| v as f32).collect();
    for mode in [Row, Elem] {
        let call = mscatter(mode, rows(Float, 16, 1), column(Float), column(Int32));
        let table = scatter(&call, &[0.0; 16], &src, &[15, 13, 11, 9, 7, 5, 3, 1]);
        assert_eq!((table[15], table[1], table[0]), (1.0, 8.0, 0.0));
    }
}

#[test]
fn perf_14_rows_may_be_scattered_element_by_element() {
    let src: Vec<i32> = (0..32).collect();
    let call = mscatter(Row, rows(Int32, 4, 8), tile(Int32, 4, 8), tile(Int32, 1, 4));
    let by_row = scatter(&call, &[-1; 32], &src, &[2, 0, 3, 1]);
    let call = mscatter(
        Elem,
        rows(Int32, 4, 8),
        tile(Int32, 4, 8),
        tile(Int32, 4, 8),
    );
    let idx: Vec<i32> = [2, 0, 3, 1]
        .iter()
        .flat_map(|row| (0..8).map(move |c| row * 8 + c))
        .collect();
    let by_element = scatter(&call, &[-1; 32], &src, &idx);
    assert_eq!(by_row, by_element);
    assert_eq!(by_row[16..24], src[..8]);
}
