//! TSCATTER by index, where an index names a row (TSCATTER-GAP-22).

use ptodiff_isa::{
    Call, DType, NegativeIndex, OobAccess, Readings, Role, ScatterExtent, ScatterIndex,
    ScatterRange, Tile, TscatterIndex, Unaddressed,
};

use crate::common::{
    GUARD, Ran, bytes, col_major, counted, full, i32s, made, memory_of, run_under, tile, to_i32s,
    to_u16s, u16s,
};

const RANGES: [ScatterRange; 2] = [ScatterRange::Storage, ScatterRange::Valid];

fn by_row(tscatter_range: ScatterRange) -> Readings {
    Readings {
        tscatter_index: ScatterIndex::Row,
        tscatter_range,
        ..Readings::default()
    }
}

type Bodies<'a> = [&'a [u8]; 3];

/// Runs on destination, source and index under both ranges, which must leave
/// the same; the destination afterwards.
fn scattered([dst, src, idx]: [Tile; 3], bodies: Bodies<'_>) -> Vec<u8> {
    let call = Call::TscatterIndex(TscatterIndex { dst, src, idx });
    let memory = memory_of(&[
        (Role::Destination, bodies[0]),
        (Role::Source, bodies[1]),
        (Role::Index, bodies[2]),
    ]);
    let [out, valid] = RANGES.map(|range| made(by_row(range), &call, &memory));
    assert_eq!(out, valid);
    out
}

/// The same, where it may leave the destination.
fn ran(readings: Readings, [dst, src, idx]: [Tile; 3], bodies: Bodies<'_>) -> Ran {
    let memory = memory_of(&[
        (Role::Destination, bodies[0]),
        (Role::Source, bodies[1]),
        (Role::Index, bodies[2]),
    ]);
    let call = Call::TscatterIndex(TscatterIndex { dst, src, idx });
    run_under(readings, &call, memory, false)
}

fn write(offset: i64) -> OobAccess {
    OobAccess {
        role: Role::Destination,
        offset,
        len: 4,
        write: true,
    }
}

// The gap's own experiment, with every answer to what is not addressed. By
// slot, all eight meet in slot 1 and the last one stays.
#[test]
fn an_index_names_a_row_or_a_slot() {
    let row = full(DType::Int32, [1, 8]);
    let call = Call::TscatterIndex(TscatterIndex {
        dst: full(DType::Int32, [2, 8]),
        src: row,
        idx: row,
    });
    let memory = memory_of(&[
        (Role::Destination, &i32s(&[9; 16])),
        (Role::Source, &counted(1, 8)),
        (Role::Index, &i32s(&[1; 8])),
    ]);
    for (choice, rest) in [
        (Unaddressed::Kept, 9),
        (Unaddressed::Undefined, 9),
        (Unaddressed::Zero, 0),
    ] {
        for range in RANGES {
            let mut readings = Readings {
                tscatter_unaddressed: choice,
                ..by_row(range)
            };
            let out = to_i32s(&made(readings, &call, &memory));
            assert_eq!(out[..8], [rest; 8], "{choice} {range}");
            assert_eq!(out[8..], [1, 2, 3, 4, 5, 6, 7, 8], "{choice} {range}");

            readings.tscatter_index = ScatterIndex::Flat;
            let mut by_slot = [rest; 16];
            by_slot[1] = 8;
            assert_eq!(to_i32s(&made(readings, &call, &memory)), by_slot);
        }
    }
}

#[test]
fn each_element_keeps_its_column() {
    let src = full(DType::Int32, [2, 4]);
    let tiles = [full(DType::Int32, [3, 4]), src, src];
    let idx = i32s(&[2, 0, 1, 2, 0, 1, 2, 0]);
    let out = scattered(tiles, [&i32s(&[0; 12]), &counted(1, 8), &idx]);
    let expected = [[5, 2, 0, 8], [0, 6, 3, 0], [1, 0, 7, 4]];
    assert_eq!(to_i32s(&out), expected.concat());
}

// Rows of eight halves, of which three are valid: slot (1, 2) is number 10.
// Decoys (3) outside the valid region of source and index.
#[test]
fn every_tile_has_its_own_pitch_and_layout() {
    let dst = tile(DType::Half, [2, 8], [2, 3]);
    let src = tile(DType::Half, [2, 4], [1, 3]);
    let idx = tile(DType::Uint16, [2, 5], [1, 3]);
    let bodies = [
        &u16s(&[9; 16])[..],
        &u16s(&[1, 2, 3, 3, 3, 3, 3, 3]),
        &u16s(&[1, 0, 1, 3, 3, 3, 3, 3, 3, 3]),
    ];
    let mut expected = [9; 16];
    (expected[8], expected[1], expected[10]) = (1, 2, 3);
    assert_eq!(to_u16s(&scattered([dst, src, idx], bodies)), expected);

    // In memory (0,0) (1,0) (2,0) (0,1) (1,1) (2,1): 1 to 4 row after row go to
    // (2,0) (0,1) (0,0) (2,1).
    let dst = col_major(full(DType::Int32, [3, 2]));
    let across = full(DType::Int32, [2, 2]);
    let bodies = [&i32s(&[0; 6])[..], &counted(1, 4), &i32s(&[2, 0, 0, 2])];
    let out = scattered([dst, across, across], bodies);
    assert_eq!(to_i32s(&out), [3, 0, 1, 2, 0, 4]);
    // Source (0,0) 1, (0,1) 3, (1,0) 2, (1,1) 4; index 2, 1, 0, 0.
    let down = col_major(across);
    let bodies = [&i32s(&[0; 6])[..], &counted(1, 4), &i32s(&[2, 0, 1, 0])];
    let out = scattered([dst, down, down], bodies);
    assert_eq!(to_i32s(&out), [2, 0, 1, 4, 3, 0]);
}

// Under `valid` nothing is promised of these, and they go on as under `storage`.
#[test]
fn padding_has_rows_and_columns_too() {
    let dst = tile(DType::Int32, [3, 4], [2, 2]);
    let src = full(DType::Int32, [1, 4]);
    let bodies = [&i32s(&[0; 12])[..], &counted(1, 4), &i32s(&[2, 0, 0, 2])];
    let expected = [[0, 2, 3, 0], [0; 4], [1, 0, 0, 4]];
    assert_eq!(
        to_i32s(&scattered([dst, src, src], bodies)),
        expected.concat()
    );
}

// Row 2 of [2, 8] begins at byte 64.
#[test]
fn a_row_that_is_not_there_is_left_for_what_lies_behind() {
    let src = full(DType::Int32, [1, 4]);
    let tiles = [full(DType::Int32, [2, 8]), src, src];
    for range in RANGES {
        let bodies = [&[0; 64][..], &counted(1, 4), &i32s(&[2, 1, 2, 0])];
        let left = ran(by_row(range), tiles, bodies);
        assert_eq!(left.log.oob_accesses.first, [write(64), write(72)]);
        let image = left.image(Role::Destination);
        assert_eq!(image[GUARD + 64..][..4], [1, 0, 0, 0]);
        let slots = to_i32s(left.body(Role::Destination));
        assert_eq!((slots[9], slots[3]), (2, 4));
        assert_eq!(slots.iter().sum::<i32>(), 6);
    }
    // Rows may be too far out for any offset.
    let idx = full(DType::Uint64, [1, 4]);
    let rows = bytes(&[1, u64::MAX, 1 << 59, 0], u64::to_le_bytes);
    let bodies = [&[0; 64][..], &counted(1, 4), &rows];
    let left = ran(
        by_row(ScatterRange::Storage),
        [tiles[0], tiles[1], idx],
        bodies,
    );
    let far = [write(i64::MAX), write(i64::MAX)];
    assert_eq!(left.log.oob_accesses.first, far);
    // In columns one after the other, row 3 of three is the next column's first.
    let dst = col_major(full(DType::Int32, [3, 2]));
    let src = full(DType::Int32, [1, 2]);
    let bodies = [&[0; 24][..], &counted(1, 2), &i32s(&[3, 3])];
    let left = ran(by_row(ScatterRange::Storage), [dst, src, src], bodies);
    assert_eq!(left.log.oob_accesses.first, [write(24)]);
    let slots = to_i32s(left.body(Role::Destination));
    assert_eq!(slots, [0, 0, 0, 1, 0, 0]);
}

// TSCATTER-GAP-06: -1 is 255 of `int8_t` and 2^32 - 1 of `int32_t`.
#[test]
fn a_negative_row_is_unsigned_in_its_own_width() {
    let one = full(DType::Int32, [1, 1]);
    let (mut dst, idx) = (full(DType::Int32, [256, 2]), full(DType::Int8, [1, 1]));
    for negative_index in [
        NegativeIndex::Unsigned,
        NegativeIndex::Signed,
        NegativeIndex::Intended,
    ] {
        let readings = Readings {
            negative_index,
            ..by_row(ScatterRange::Storage)
        };
        dst.rows = 256;
        let left = ran(
            readings,
            [dst, one, idx],
            [&[0; 2048], &i32s(&[7]), &[0xFF]],
        );
        assert_eq!(left.log.oob_accesses.count, 0);
        assert_eq!(to_i32s(left.body(Role::Destination))[510], 7);

        dst.rows = 2;
        let left = ran(readings, [dst, one, idx], [&[0; 16], &i32s(&[7]), &[0xFF]]);
        assert_eq!(left.log.oob_accesses.first, [write(8 * 255)]);
        let left = ran(
            readings,
            [dst, one, one],
            [&[0; 16], &i32s(&[7]), &[0xFF; 4]],
        );
        assert_eq!(left.log.oob_accesses.first, [write(8 * 4_294_967_295)]);
    }
}

// Columns 4 and 5 of [2, 4] are those of the next row, or lie behind the last.
#[test]
fn a_column_that_is_not_there_is_left_for_what_comes_next() {
    let src = full(DType::Int32, [1, 6]);
    let tiles = [full(DType::Int32, [2, 4]), src, src];
    for range in RANGES {
        let bodies = [&[0; 32][..], &counted(1, 6), &i32s(&[0; 6])];
        let left = ran(by_row(range), tiles, bodies);
        assert_eq!(left.log.oob_accesses.count, 0);
        let slots = to_i32s(left.body(Role::Destination));
        assert_eq!(slots, [1, 2, 3, 4, 5, 6, 0, 0]);

        let bodies = [&[0; 32][..], &counted(1, 6), &i32s(&[1; 6])];
        let left = ran(by_row(range), tiles, bodies);
        assert_eq!(left.log.oob_accesses.first, [write(32), write(36)]);
        let slots = to_i32s(left.body(Role::Destination));
        assert_eq!(slots, [0, 0, 0, 0, 1, 2, 3, 4]);
    }
}

// Nothing is promised; the last in row-major order stays. (0,1) and (1,1) have
// slots of their own.
#[test]
fn of_two_in_one_slot_the_last_stays() {
    let src = full(DType::Int32, [2, 2]);
    let tiles = [full(DType::Int32, [2, 2]), src, src];
    let bodies = [&i32s(&[0; 4])[..], &counted(1, 4), &i32s(&[1, 0, 1, 1])];
    assert_eq!(to_i32s(&scattered(tiles, bodies)), [0, 2, 3, 4]);
}

// TSCATTER-GAP-03: three valid columns of the index, two of the source.
#[test]
fn the_extent_is_whose_it_ever_is() {
    let padded = [1, 4];
    let call = Call::TscatterIndex(TscatterIndex {
        dst: full(DType::Int32, [2, 4]),
        src: tile(DType::Int32, padded, [1, 2]),
        idx: tile(DType::Int32, padded, [1, 3]),
    });
    let memory = memory_of(&[
        (Role::Destination, &i32s(&[0; 8])),
        (Role::Source, &counted(1, 4)),
        (Role::Index, &i32s(&[1, 0, 1, 1])),
    ]);
    for (extent, third) in [(ScatterExtent::Source, 0), (ScatterExtent::Index, 3)] {
        let readings = Readings {
            tscatter_extent: extent,
            ..by_row(ScatterRange::Storage)
        };
        let out = to_i32s(&made(readings, &call, &memory));
        assert_eq!(out, [0, 2, 0, 0, 1, 0, third, 0]);
    }
}
