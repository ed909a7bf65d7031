//! TSCATTER by index.

use ptodiff_isa::{
    Call, DType, Dim, NegativeIndex, OobAccess, Readings, Role, ScatterExtent, ScatterRange, Tile,
    TscatterIndex, Unaddressed,
};

use crate::common::{
    GUARD, Ran, bytes, col_major, counted, dynamic, f32s, full, i32s, made, memory_of, run_under,
    tile, to_f32s, to_i32s, u16s,
};

fn call(dst: Tile, src: Tile, idx: Tile) -> TscatterIndex {
    TscatterIndex { dst, src, idx }
}

type Bodies<'a> = [&'a [u8]; 3];

/// Runs on destination, source and index; the destination afterwards.
fn scattered_under(readings: Readings, call: &TscatterIndex, [dst, src, idx]: Bodies) -> Vec<u8> {
    let memory = memory_of(&[
        (Role::Destination, dst),
        (Role::Source, src),
        (Role::Index, idx),
    ]);
    made(readings, &Call::TscatterIndex(*call), &memory)
}

fn scattered(call: &TscatterIndex, bodies: Bodies) -> Vec<u8> {
    scattered_under(Readings::default(), call, bodies)
}

/// The same, where it may out-of-bounds access.
fn ran(call: &TscatterIndex, [dst, src, idx]: Bodies) -> Ran {
    let memory = memory_of(&[
        (Role::Destination, dst),
        (Role::Source, src),
        (Role::Index, idx),
    ]);
    run_under(
        Readings::default(),
        &Call::TscatterIndex(*call),
        memory,
        false,
    )
}

fn write(offset: i64, len: u64) -> OobAccess {
    OobAccess {
        role: Role::Destination,
        offset,
        len,
        write: true,
    }
}

fn unaddressed(choice: Unaddressed) -> Readings {
    Readings {
        tscatter_unaddressed: choice,
        ..Readings::default()
    }
}

// TSCATTER-SEM-01, TSCATTER-GAP-02
#[test]
fn each_element_goes_to_its_slot() {
    let call = call(
        full(DType::Float, [2, 8]),
        full(DType::Float, [1, 8]),
        full(DType::Int32, [1, 8]),
    );
    let src = f32s(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    let bodies = [
        &f32s(&[9.0; 16])[..],
        &src,
        &i32s(&[15, 14, 13, 12, 11, 10, 9, 8]),
    ];
    for (choice, rest) in [
        (Unaddressed::Kept, 9.0),
        (Unaddressed::Undefined, 9.0),
        (Unaddressed::Zero, 0.0),
    ] {
        let out = to_f32s(&scattered_under(unaddressed(choice), &call, bodies));
        assert_eq!(out[..8], [rest; 8], "{choice}");
        assert_eq!(out[8..], [8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
    }
}

// TSCATTER-SEM-02: decoys outside the valid region of source and index.
#[test]
fn the_source_says_what_is_scattered() {
    let (padded, d) = ([2, 8], 12);
    let call = call(
        full(DType::Int32, padded),
        tile(DType::Int32, padded, [1, 3]),
        full(DType::Int32, padded),
    );
    let mut idx = [d; 16];
    idx[..3].copy_from_slice(&[0, 1, 2]);
    let bodies = [&i32s(&[-1; 16])[..], &counted(1, 16), &i32s(&idx)];
    let mut expected = [-1; 16];
    expected[..3].copy_from_slice(&[1, 2, 3]);
    assert_eq!(to_i32s(&scattered(&call, bodies)), expected);
}

// TSCATTER-GAP-03: the index tile has one valid row, the source two.
#[test]
fn the_index_may_say_it_instead() {
    let padded = [2, 8];
    let call = call(
        full(DType::Int32, padded),
        full(DType::Int32, padded),
        tile(DType::Int32, padded, [1, 8]),
    );
    let idx = counted(0, 16);
    let bodies = [&i32s(&[-1; 16])[..], &counted(1, 16), &idx];
    assert_eq!(scattered(&call, bodies), counted(1, 16));
    let by_index = Readings {
        tscatter_extent: ScatterExtent::Index,
        ..Readings::default()
    };
    let out = to_i32s(&scattered_under(by_index, &call, bodies));
    assert_eq!(out[..8], [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(out[8..], [-1; 8]);
}

// TSCATTER-SEM-03, -04, TSCATTER-GAP-05: slots count the padded storage, and
// padding may be addressed whatever range the reading promises.
#[test]
fn an_index_counts_elements_of_the_storage() {
    for (range, idx, dst) in [
        (ScatterRange::Storage, 1, full(DType::Float, [4, 8])),
        (
            ScatterRange::Storage,
            16,
            tile(DType::Float, [2, 16], [2, 8]),
        ),
        (ScatterRange::Valid, 8, tile(DType::Float, [2, 16], [2, 8])),
        // TSCATTER-GAP-07
        (
            ScatterRange::Storage,
            1,
            col_major(full(DType::Float, [8, 4])),
        ),
    ] {
        let readings = Readings {
            tscatter_range: range,
            ..Readings::default()
        };
        let one = full(DType::Float, [1, 1]);
        let call = call(dst, one, full(DType::Int32, [1, 1]));
        let bodies = [&f32s(&[0.0; 32])[..], &f32s(&[5.0]), &i32s(&[idx])];
        let mut expected = [0.0; 32];
        expected[idx as usize] = 5.0;
        assert_eq!(to_f32s(&scattered_under(readings, &call, bodies)), expected);
    }
}

// TSCATTER-GAP-07: in memory (0,0) (1,0) (0,1) (1,1).
#[test]
fn source_and_index_have_layouts_of_their_own() {
    let (across, down) = (
        full(DType::Int32, [2, 2]),
        col_major(full(DType::Int32, [2, 2])),
    );
    let dst = full(DType::Int32, [1, 4]);
    let bodies = [
        &i32s(&[0; 4])[..],
        &i32s(&[1, 2, 3, 4]),
        &i32s(&[3, 2, 1, 0]),
    ];
    // (0,1) is the third of the source and meets the second index, and so on.
    let out = scattered(&call(dst, down, across), bodies);
    assert_eq!(to_i32s(&out), [4, 2, 3, 1]);
    let out = scattered(&call(dst, across, down), bodies);
    assert_eq!(to_i32s(&out), [4, 2, 3, 1]);
    let out = scattered(&call(dst, down, down), bodies);
    assert_eq!(to_i32s(&out), [4, 3, 2, 1]);
}

// TSCATTER-CONF-03: (1,0) comes after (0,1), though it lies before it in memory.
#[test]
fn the_last_in_row_major_order_wins() {
    let two = full(DType::Float, [1, 2]);
    let call_of_two = call(two, two, full(DType::Uint32, [1, 2]));
    let bodies = [&f32s(&[9.0; 2])[..], &f32s(&[1.0, 2.0]), &i32s(&[0, 0])];
    assert_eq!(to_f32s(&scattered(&call_of_two, bodies)), [2.0, 9.0]);

    let down = col_major(full(DType::Int32, [2, 2]));
    let call = call(full(DType::Int32, [1, 2]), down, down);
    // Slot 0: (1,0) holding 2 and (0,1) holding 3; slot 1: the other two.
    let bodies = [
        &i32s(&[0; 2])[..],
        &i32s(&[1, 2, 3, 4]),
        &i32s(&[1, 0, 0, 1]),
    ];
    assert_eq!(to_i32s(&scattered(&call, bodies)), [2, 4]);
}

// TSCATTER-GAP-04: even slots of a longer row, from a source of four rows.
#[test]
fn extents_of_both_tiles_are_free() {
    let call = call(
        full(DType::Int8, [1, 64]),
        full(DType::Int8, [4, 8]),
        full(DType::Uint16, [4, 8]),
    );
    let idx: Vec<u16> = (0..32).map(|k| 2 * k).collect();
    let src: Vec<u8> = (1..33).collect();
    let out = scattered(&call, [&[0xFF; 64], &src, &u16s(&idx)]);
    for k in 0..32 {
        assert_eq!((out[2 * k], out[2 * k + 1]), (k as u8 + 1, 0xFF));
    }
}

// TSCATTER-GAP-06: int16_t -1 is 65535, int8_t -1 is 255. Where a reading
// promises nothing of them, they go on the same.
#[test]
fn an_index_is_unsigned_in_its_own_width() {
    for negative in [
        NegativeIndex::Unsigned,
        NegativeIndex::Signed,
        NegativeIndex::Intended,
    ] {
        let readings = Readings {
            negative_index: negative,
            ..Readings::default()
        };
        let one = full(DType::Half, [1, 1]);
        let made = |size: u64, idx: DType, image: &[u8]| {
            let call = call(full(DType::Half, [1, size]), one, full(idx, [1, 1]));
            let dst = vec![0; 2 * size as usize];
            let out = scattered_under(readings, &call, [&dst, &[0x34, 0x12], image]);
            out.iter().position(|byte| *byte == 0x34)
        };
        let minus_one = [0xFF; 8];
        for (dtype, size) in [(DType::Int8, 256), (DType::Uint8, 256)] {
            assert_eq!(made(size, dtype, &minus_one[..1]), Some(510));
        }
        for (dtype, size) in [(DType::Int16, 65536), (DType::Uint16, 65536)] {
            assert_eq!(made(size, dtype, &minus_one[..2]), Some(2 * 65535));
        }
        let three = bytes(&[3_u64], u64::to_le_bytes);
        assert_eq!(made(4, DType::Int64, &three), Some(6));
    }
}

// TSCATTER-GAP-01: the document's own example runs here.
#[test]
fn float_takes_half_wide_indices() {
    let call = call(
        full(DType::Float, [16, 16]),
        full(DType::Float, [16, 16]),
        full(DType::Uint16, [16, 16]),
    );
    let idx: Vec<u16> = (0..256).rev().collect();
    let out = scattered(&call, [&[0; 1024], &counted(0, 256), &u16s(&idx)]);
    assert_eq!(to_i32s(&out), (0..256).rev().collect::<Vec<_>>());
}

// TSCATTER-GAP-02: the whole allocation, but no byte of the guard zones,
// which `made` looks at.
#[test]
fn zeroing_covers_padding() {
    let call = call(
        tile(DType::Int16, [3, 4], [1, 2]),
        full(DType::Int16, [1, 1]),
        full(DType::Int16, [1, 1]),
    );
    let bodies = [&u16s(&[7; 12])[..], &u16s(&[5]), &u16s(&[6])];
    let mut expected = [0; 12];
    expected[6] = 5;
    let zero = unaddressed(Unaddressed::Zero);
    assert_eq!(scattered_under(zero, &call, bodies), u16s(&expected));
}

// TSCATTER-GAP-20: nothing is addressed, so the two readings differ as ever.
#[test]
fn a_zero_extent_writes_nothing() {
    let data = full(DType::Int32, [1, 4]);
    for (r, c) in [(0, 4), (1, 0)] {
        let mut src = dynamic(data);
        src.valid_row = Dim::Dynamic(r);
        src.valid_col = Dim::Dynamic(c);
        let call = call(data, src, data);
        let bodies = [&i32s(&[7; 4])[..], &i32s(&[1; 4]), &i32s(&[0; 4])];
        assert_eq!(scattered(&call, bodies), i32s(&[7; 4]));
        let zero = unaddressed(Unaddressed::Zero);
        assert_eq!(scattered_under(zero, &call, bodies), i32s(&[0; 4]));
    }
}

// TSCATTER-GAP-08: slot 16 of a [2, 8] tile begins at byte 64.
#[test]
fn an_index_out_of_storage_oob_accesses() {
    let row = full(DType::Float, [1, 4]);
    let call_of = |idx| call(full(DType::Float, [2, 8]), row, full(idx, [1, 4]));
    let bodies = [&[0; 64][..], &counted(1, 4), &i32s(&[16, 0, 24, -1])];
    let left = ran(&call_of(DType::Int32), bodies);
    let far = 4 * 4_294_967_295;
    assert_eq!(
        left.log.oob_accesses.first,
        [write(64, 4), write(96, 4), write(far, 4)]
    );
    let image = left.image(Role::Destination);
    assert_eq!(image[GUARD..GUARD + 4], [2, 0, 0, 0]);
    assert_eq!(image[GUARD + 4..GUARD + 64], [0; 60]);
    assert_eq!(image[GUARD + 64..GUARD + 68], [1, 0, 0, 0]);

    let narrow = bytes(&[16, 0, 24, 9], u16::to_le_bytes);
    let left = ran(&call_of(DType::Uint16), [&[0; 64], &counted(1, 4), &narrow]);
    assert_eq!(left.log.oob_accesses.first, [write(64, 4), write(96, 4)]);
    let slots = to_i32s(left.body(Role::Destination));
    assert_eq!((slots[0], slots[9]), (2, 4));

    let wide = bytes(&[1, u64::MAX, 2, 1 << 61], u64::to_le_bytes);
    let left = ran(&call_of(DType::Int64), [&[0; 64], &counted(1, 4), &wide]);
    assert_eq!(
        left.log.oob_accesses.first,
        [write(i64::MAX, 4), write(i64::MAX, 4)]
    );
    assert_eq!(to_i32s(left.body(Role::Destination))[..4], [0, 1, 3, 0]);
}

// TSCATTER-GAP-08: equal sizes are a precondition. Where it is broken, an element
// is as wide as the destination's type says, at the place that the source's
// type gives it.
#[test]
fn an_element_is_as_wide_as_the_destination() {
    let (one, src) = (full(DType::Uint32, [1, 1]), full(DType::Half, [1, 2]));
    let call = call(full(DType::Uint32, [1, 2]), src, one);
    let readings = Readings {
        tscatter_extent: ScatterExtent::Index,
        ..Readings::default()
    };
    let left = scattered_under(readings, &call, [&[0; 8], &[1, 2, 3, 4], &i32s(&[1])]);
    assert_eq!(left, [0, 0, 0, 0, 1, 2, 3, 4]);
}
