//! Index tiles: their dtypes and where an index lies.

use ptodiff_isa::{Coalesce, DType, GatherOob, Tile};

use crate::common::{
    bytes, col_major, counted, dynamic, flat, full, gather, gather_memory, gathered, i32s, rows,
    tile, to_i32s,
};

/// Elem-gathers one element of a 300-element table counted up from 0.
fn element(dtype: DType, index: &[u8], oob: GatherOob) -> i32 {
    let call = gather(
        Coalesce::Elem,
        oob,
        full(DType::Int32, [1, 1]),
        flat(DType::Int32, 300),
        full(dtype, [1, 1]),
    );
    let memory = gather_memory(&i32s(&[-5]), &counted(0, 300), index);
    to_i32s(&gathered(&call, memory))[0]
}

// MGATHER-DTYPE-04, MGATHER-GAP-14: whatever integral type passes the header
// is cast to `uint32_t`. 2^32 mod 300 is 196, so -1 wraps to 195.
#[test]
fn every_integral_index_is_cast_to_32_bits() {
    use GatherOob::{Clamp, Undefined, Wrap};
    assert_eq!(element(DType::Int8, &[0x7F], Undefined), 127);
    assert_eq!(element(DType::Int8, &[0xFF], Clamp), 299);
    assert_eq!(element(DType::Int8, &[0xFF], Wrap), 195);
    assert_eq!(element(DType::Uint8, &[0xFF], Undefined), 255);
    assert_eq!(element(DType::Int16, &[0x2B, 0x01], Undefined), 299);
    assert_eq!(element(DType::Int16, &[0xFE, 0xFF], Wrap), 194);
    assert_eq!(element(DType::Uint16, &[0xFE, 0xFF], Wrap), 134);
    assert_eq!(element(DType::Int32, &[0xFF; 4], Wrap), 195);
    assert_eq!(element(DType::Uint32, &[0xFF; 4], Wrap), 195);
    let wide = bytes(&[(1_u64 << 32) + 1], u64::to_le_bytes);
    for dtype in [DType::Int64, DType::Uint64] {
        assert_eq!(element(dtype, &wide, GatherOob::Zero), 1);
        assert_eq!(element(dtype, &[0xFF; 8], Wrap), 195);
    }
}

/// Row-gathers four rows of one element from a table counted up from 10.
fn four(idx: Tile, image: &[i32]) -> Vec<i32> {
    let call = gather(
        Coalesce::Row,
        GatherOob::Zero,
        full(DType::Int32, [4, 1]),
        rows(DType::Int32, 8, 1),
        idx,
    );
    let memory = gather_memory(&i32s(&[-5; 4]), &counted(10, 8), &i32s(image));
    to_i32s(&gathered(&call, memory))
}

// MGATHER-TILE-12, MGATHER-GAP-15: element r of the index tile, decoys in the padding.
#[test]
fn a_row_index_is_read_through_its_tile() {
    let d = 7;
    let expected = [13, 10, 12, 11];
    for make in [|t| t, dynamic] {
        let across = make(tile(DType::Int32, [2, 8], [1, 4]));
        let image = [3, 0, 2, 1, d, d, d, d, d, d, d, d, d, d, d, d];
        assert_eq!(four(across, &image), expected);

        let down = make(tile(DType::Int32, [4, 2], [4, 1]));
        assert_eq!(four(down, &[3, d, 0, d, 2, d, 1, d]), expected);

        let down = make(col_major(tile(DType::Int32, [4, 2], [4, 1])));
        assert_eq!(four(down, &[3, 0, 2, 1, d, d, d, d]), expected);

        let across = make(col_major(tile(DType::Int32, [2, 4], [1, 4])));
        assert_eq!(four(across, &[3, d, 0, d, 2, d, 1, d]), expected);
    }
}

// MGATHER-GAP-25: the destination's extents drive the walk.
#[test]
fn the_data_tile_drives_the_loops() {
    let call = gather(
        Coalesce::Elem,
        GatherOob::Zero,
        dynamic(full(DType::Int32, [2, 8])),
        flat(DType::Int32, 16),
        dynamic(tile(DType::Int32, [2, 8], [1, 3])),
    );
    let memory = gather_memory(&i32s(&[0; 16]), &counted(50, 16), &counted(0, 16));
    assert_eq!(gathered(&call, memory), counted(50, 16));
}
