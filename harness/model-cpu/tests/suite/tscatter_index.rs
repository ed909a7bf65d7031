//! TSCATTER by index: an index counts slots, or under TSCATTER-GAP-22 rows.

use ptodiff_isa::{
    Call, DType, Dim, NegativeIndex, OobAccess, Readings, Role, ScatterExtent, ScatterIndex,
    ScatterRange, Tile, TscatterIndex, Unaddressed,
};
use strum::VariantArray;

use crate::common::{
    GUARD, With, by_default, bytes, col_major, counted, dynamic, full, i32s, made, ran, reading,
    tile, to_i32s, to_u16s, u16s, word,
};

use DType::{Half, Int8, Int16, Int32, Uint16};

fn call([dst, src, idx]: [Tile; 3]) -> Call {
    Call::TscatterIndex(TscatterIndex { dst, src, idx })
}

fn by_row() -> Readings {
    reading(|r| r.tscatter_index = ScatterIndex::Row)
}

/// Scatters 1, 2, 3, .. into words of -1, under any range, which must not matter.
fn scattered(readings: Readings, tiles: [Tile; 3], indices: &[i32]) -> Vec<i32> {
    let [dst, src] = [tiles[0], tiles[1]].map(|tile| (tile.rows * tile.cols) as usize);
    let operands: [&[u8]; 3] = [&i32s(&vec![-1; dst]), &counted(1, src), &i32s(indices)];
    let [out, valid] = [ScatterRange::Storage, ScatterRange::Valid].map(|tscatter_range| {
        let readings = readings.with(|c| c.tscatter_range = tscatter_range);
        made(readings, call(tiles), &operands)
    });
    assert_eq!(out, valid);
    to_i32s(&out)
}

/// The same into zeroes, with the accesses that leave the destination.
fn strays(readings: Readings, tiles: [Tile; 3], indices: &[u8]) -> (Vec<i32>, Vec<i64>) {
    let [dst, src] = [tiles[0], tiles[1]].map(|tile| (tile.rows * tile.cols) as usize);
    let operands: [&[u8]; 3] = [&vec![0; 4 * dst], &counted(1, src), indices];
    let left = ran(readings, call(tiles), &operands);
    let offset = |access: &OobAccess| {
        assert_eq!(*access, word(Role::Destination, access.offset, true));
        access.offset
    };
    let offsets = left.outside().iter().map(offset).collect();
    (to_i32s(left.body(Role::Destination)), offsets)
}

// TSCATTER-SEM-01, TSCATTER-GAP-02, and the experiment of TSCATTER-GAP-22: by slot
// all of 1 meet in slot 1. Zero covers padding, too.
#[test]
fn what_no_index_addresses() {
    let row = full(Int32, [1, 8]);
    let tiles = [tile(Int32, [2, 8], [1, 2]), row, row];
    for &choice in Unaddressed::VARIANTS {
        let rest = if choice == Unaddressed::Zero { 0 } else { -1 };
        let mut readings = reading(|r| r.tscatter_unaddressed = choice);
        let down = [15, 14, 13, 12, 11, 10, 9, 8];
        let expected = [[rest; 8], [8, 7, 6, 5, 4, 3, 2, 1]].concat();
        assert_eq!(scattered(readings, tiles, &down), expected, "{choice}");
        let mut expected = [rest; 16];
        expected[1] = 8;
        assert_eq!(scattered(readings, tiles, &[1; 8]), expected, "{choice}");
        readings.tscatter_index = ScatterIndex::Row;
        let expected = [[rest; 8], [1, 2, 3, 4, 5, 6, 7, 8]].concat();
        assert_eq!(scattered(readings, tiles, &[1; 8]), expected, "{choice}");
    }
}

// TSCATTER-SEM-02, TSCATTER-GAP-03: two valid columns of the source, three of the index.
#[test]
fn the_source_or_the_index_says_how_much_is_scattered() {
    let (src, idx) = (tile(Int32, [2, 4], [1, 2]), tile(Int32, [2, 4], [1, 3]));
    let tiles = [full(Int32, [2, 4]), src, idx];
    for (extent, third) in [(ScatterExtent::Source, -1), (ScatterExtent::Index, 3)] {
        let mut readings = reading(|r| r.tscatter_extent = extent);
        let indices = [6, 5, 0, 7, 7, 7, 7, 7];
        let out = scattered(readings, tiles, &indices);
        assert_eq!(out, [third, -1, -1, -1, -1, 2, 1, -1], "{extent}");
        readings.tscatter_index = ScatterIndex::Row;
        let out = scattered(readings, tiles, &[1, 0, 1, 1, 0, 0, 0, 0]);
        assert_eq!(out, [-1, 2, -1, -1, 1, -1, third, -1], "{extent}");
    }
}

// TSCATTER-SEM-03, -04, TSCATTER-GAP-05, -07: slots count the padded storage,
// whatever its layout.
#[test]
fn an_index_counts_elements_of_the_storage() {
    let one = full(Int32, [1, 1]);
    for (index, dst) in [
        (1, full(Int32, [4, 8])),
        (16, tile(Int32, [2, 16], [2, 8])),
        (1, col_major(full(Int32, [8, 4]))),
    ] {
        let mut expected = [-1; 32];
        expected[index as usize] = 1;
        let got = scattered(Readings::default(), [dst, one, one], &[index]);
        assert_eq!(got, expected);
    }
}

// TSCATTER-GAP-07: in memory (0,0) (1,0) (0,1) (1,1).
#[test]
fn source_and_index_have_layouts_of_their_own() {
    let across = full(Int32, [2, 2]);
    let down = col_major(across);
    let dst = full(Int32, [1, 4]);
    let of = |src, idx| scattered(Readings::default(), [dst, src, idx], &[3, 2, 1, 0]);
    // (0,1) is the third of the source and meets the second index, and so on.
    assert_eq!(of(down, across), [4, 2, 3, 1]);
    assert_eq!(of(across, down), [4, 2, 3, 1]);
    assert_eq!(of(down, down), [4, 3, 2, 1]);
}

// TSCATTER-CONF-03: (1,0) comes after (0,1), though it lies before it in memory.
#[test]
fn the_last_in_row_major_order_wins() {
    let (two, four) = (full(Int32, [1, 2]), full(Int32, [2, 2]));
    let flat = |tiles, indices: &[i32]| scattered(Readings::default(), tiles, indices);
    assert_eq!(flat([two, two, two], &[0, 0]), [2, -1]);
    // Slot 0: (1,0) holding 2 and (0,1) holding 3; slot 1: the other two.
    let down = col_major(four);
    assert_eq!(flat([two, down, down], &[1, 0, 0, 1]), [2, 4]);
    // By row only those of one column meet.
    let out = scattered(by_row(), [four, four, four], &[1, 0, 1, 1]);
    assert_eq!(out, [-1, 2, 3, 4]);
}

// TSCATTER-GAP-04: extents of both tiles are free; TSCATTER-DTYPE-07: bytes by 16 bits.
// TSCATTER-GAP-01: float by 16 bits.
#[test]
fn element_and_index_types_are_free() {
    let tiles = [
        full(Int8, [1, 64]),
        full(Int8, [4, 8]),
        full(Uint16, [4, 8]),
    ];
    let indices: Vec<u16> = (0..32).map(|k| 2 * k).collect();
    let src: Vec<u8> = (1..33).collect();
    let operands: [&[u8]; 3] = [&[0xFF; 64], &src, &u16s(&indices)];
    let out = by_default(call(tiles), &operands);
    for k in 0..32 {
        assert_eq!((out[2 * k], out[2 * k + 1]), (k as u8 + 1, 0xFF));
    }
    let words = full(DType::Float, [16, 16]);
    let down: Vec<u16> = (0..256).rev().collect();
    let operands: [&[u8]; 3] = [&[0; 1024], &counted(0, 256), &u16s(&down)];
    let out = by_default(call([words, words, full(Uint16, [16, 16])]), &operands);
    assert_eq!(to_i32s(&out), (0..256).rev().collect::<Vec<_>>());
    // TSCATTER-GAP-08: an element is as wide as the destination, at the place that
    // the source's type gives it.
    let (one, src) = (full(Int32, [1, 1]), full(Half, [1, 2]));
    let by_index = reading(|r| r.tscatter_extent = ScatterExtent::Index);
    let operands: [&[u8]; 3] = [&[0; 8], &[1, 2, 3, 4], &i32s(&[1])];
    let out = made(by_index, call([full(Int32, [1, 2]), src, one]), &operands);
    assert_eq!(out, [0, 0, 0, 0, 1, 2, 3, 4]);
}

// TSCATTER-GAP-06: int16_t -1 is 65535, int8_t -1 is 255, whatever a reading promises.
#[test]
fn an_index_is_unsigned_in_its_own_width() {
    let one = full(Half, [1, 1]);
    for &negative_index in NegativeIndex::VARIANTS {
        for tscatter_index in [ScatterIndex::Flat, ScatterIndex::Row] {
            let readings = Readings::default()
                .with(|c| (c.negative_index, c.tscatter_index) = (negative_index, tscatter_index));
            for (dtype, last) in [
                (Int8, 255),
                (DType::Uint8, 255),
                (Int16, 65535),
                (Uint16, 65535),
            ] {
                let dst = match tscatter_index {
                    ScatterIndex::Flat => full(Half, [1, last + 1]),
                    ScatterIndex::Row => full(Half, [last + 1, 1]),
                };
                let tiles = [dst, one, full(dtype, [1, 1])];
                let index = &[0xFF; 2][..dtype.size()];
                let before = vec![0; 2 * last as usize + 2];
                let out = made(readings, call(tiles), &[&before, &[0x34, 0x12], index]);
                assert_eq!(out.iter().position(|b| *b == 0x34), Some(2 * last as usize));
            }
            let words = full(Int32, [1, 1]);
            let far = strays(readings, [words, words, words], &[0xFF; 4]);
            assert_eq!(far, (vec![0], vec![4 * 4_294_967_295]));
        }
    }
}

// TSCATTER-GAP-20: nothing is addressed, so the readings differ as ever.
#[test]
fn a_zero_extent_writes_nothing() {
    let data = full(Int32, [1, 4]);
    for (r, c) in [(0, 4), (1, 0)] {
        let mut src = dynamic(data);
        (src.valid_row, src.valid_col) = (Dim::Dynamic(r), Dim::Dynamic(c));
        let of = |readings| scattered(readings, [data, src, data], &[0; 4]);
        assert_eq!(of(Readings::default()), [-1; 4]);
        let got = of(reading(|r| r.tscatter_unaddressed = Unaddressed::Zero));
        assert_eq!(got, [0; 4]);
    }
}

// TSCATTER-GAP-08: slot 16 of a [2, 8] tile begins at byte 64; rows of [2, 4] at 16.
#[test]
fn an_index_out_of_storage_leaves_the_destination() {
    let row = full(Int32, [1, 4]);
    let dst = full(Int32, [2, 8]);
    let call = [dst, row, row];
    let (dst_, offsets) = strays(Readings::default(), call, &i32s(&[16, 0, 24, -1]));
    assert_eq!((dst_[0], &dst_[1..]), (2, &[0; 15][..]));
    assert_eq!(offsets, [64, 96, 4 * 4_294_967_295]);
    // Too far out for any offset.
    let wide = bytes(&[1, u64::MAX, 2, 1 << 61], u64::to_le_bytes);
    let by_wide = [dst, row, full(DType::Int64, [1, 4])];
    let (dst_, offsets) = strays(Readings::default(), by_wide, &wide);
    let got = (&dst_[..4], &offsets[..]);
    assert_eq!(got, (&[0, 1, 3, 0][..], &[i64::MAX; 2][..]));
    // Rows 2 of two.
    let (dst_, offsets) = strays(by_row(), call, &i32s(&[2, 1, 2, 0]));
    assert_eq!((dst_[9], dst_[3], dst_.iter().sum::<i32>()), (2, 4, 6));
    assert_eq!(offsets, [64, 72]);
    let operands: [&[u8]; 3] = [&[0; 64], &counted(1, 4), &i32s(&[2, 1, 2, 0])];
    let left = ran(by_row(), self::call(call), &operands);
    let got = &left.image(Role::Destination)[GUARD + 64..][..4];
    assert_eq!(got, [1, 0, 0, 0]);
    // In columns one after the other, row 3 of three is the next column's first.
    let two = full(Int32, [1, 2]);
    let down = [col_major(full(Int32, [3, 2])), two, two];
    let (dst_, offsets) = strays(by_row(), down, &i32s(&[3, 3]));
    assert_eq!((dst_, offsets), (vec![0, 0, 0, 1, 0, 0], vec![24]));
    // Columns 4 and 5 of [2, 4] are those of the next row, or lie behind the last.
    let six = full(Int32, [1, 6]);
    let narrow = [full(Int32, [2, 4]), six, six];
    let found = strays(by_row(), narrow, &i32s(&[0; 6]));
    assert_eq!(found, (vec![1, 2, 3, 4, 5, 6, 0, 0], vec![]));
    let found = strays(by_row(), narrow, &i32s(&[1; 6]));
    assert_eq!(found, (vec![0, 0, 0, 0, 1, 2, 3, 4], vec![32, 36]));
}

// TSCATTER-GAP-22. Rows of eight halves, of which three are valid: slot (1, 2) is
// number 10. Decoys (3) outside the valid region of source and index.
#[test]
fn by_row_every_tile_has_its_own_pitch_and_layout() {
    let src = full(Int32, [2, 4]);
    let out = scattered(
        by_row(),
        [full(Int32, [3, 4]), src, src],
        &[2, 0, 1, 2, 0, 1, 2, 0],
    );
    assert_eq!(out, [5, 2, -1, 8, -1, 6, 3, -1, 1, -1, 7, 4]);

    let dst = tile(Half, [2, 8], [2, 3]);
    let tiles = [
        dst,
        tile(Half, [2, 4], [1, 3]),
        tile(Uint16, [2, 5], [1, 3]),
    ];
    let operands: [&[u8]; 3] = [
        &u16s(&[9; 16]),
        &u16s(&[1, 2, 3, 3, 3, 3, 3, 3]),
        &u16s(&[1, 0, 1, 3, 3, 3, 3, 3, 3, 3]),
    ];
    let mut expected = [9; 16];
    (expected[8], expected[1], expected[10]) = (1, 2, 3);
    assert_eq!(to_u16s(&made(by_row(), call(tiles), &operands)), expected);

    // In memory (0,0) (1,0) (2,0) (0,1) (1,1) (2,1): 1 to 4 row after row go to
    // (2,0) (0,1) (0,0) (2,1).
    let (dst, across) = (col_major(full(Int32, [3, 2])), full(Int32, [2, 2]));
    let out = scattered(by_row(), [dst, across, across], &[2, 0, 0, 2]);
    assert_eq!(out, [3, -1, 1, 2, -1, 4]);
    // Source (0,0) 1, (0,1) 3, (1,0) 2, (1,1) 4; index 2, 1, 0, 0.
    let down = col_major(across);
    let out = scattered(by_row(), [dst, down, down], &[2, 0, 1, 0]);
    assert_eq!(out, [2, -1, 1, 4, 3, -1]);
}
