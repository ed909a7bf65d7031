//! MGATHER on NZ tables.

use ptodiff_isa::{Call, Coalesce, DType, GatherOob, GlobalTensor, Layout, Mgather, Tile};

use crate::common::{bytes, legal, mgather, nz, nz_tile, padded, table, tile};

fn row_idx(count: u64) -> Tile {
    tile(DType::Int32, [1, 8], [1, count])
}

fn indices(values: &[i32]) -> Vec<u8> {
    padded(values, values.len(), 8, 0)
}

/// A table of half bits in which every element holds its own number.
fn numbered(count: u16) -> Vec<u8> {
    bytes(0..count)
}

fn gather(
    mode: Coalesce,
    oob: GatherOob,
    dst: Tile,
    table: GlobalTensor,
    idx: Tile,
    operands: [Vec<u8>; 3],
) -> Vec<u16> {
    let call = Mgather {
        oob,
        ..mgather(mode, dst, table, idx)
    };
    legal(Call::Mgather(call), operands).dst()
}

/// MGATHER-NZ-05: logical row 17 is row 1 of block row 1; blocks of columns are
/// 512 apart in the table, 256 in a tile of 16 rows.
#[test]
fn rows_are_spread_over_column_blocks() {
    let got = gather(
        Coalesce::Row,
        GatherOob::Undefined,
        nz_tile(DType::Half, [16, 32], [2, 32]),
        nz(DType::Half, [1, 2, 2], 16),
        row_idx(2),
        [numbered(1024), bytes([0xFFFF_u16; 512]), indices(&[17, 0])],
    );
    assert_eq!(got[..16], (272..288).collect::<Vec<u16>>());
    assert_eq!(got[256..272], (784..800).collect::<Vec<u16>>());
    assert_eq!(got[16..32], (0..16).collect::<Vec<u16>>());
    assert_eq!(got[272..288], (512..528).collect::<Vec<u16>>());
    assert_eq!(got.iter().filter(|&&v| v == 0xFFFF).count(), 512 - 64);
}

/// MGATHER-NZ-11: batch 1 fills columns 16..31.
#[test]
fn batches_extend_the_columns() {
    let got = gather(
        Coalesce::Row,
        GatherOob::Undefined,
        nz_tile(DType::Half, [16, 32], [1, 32]),
        nz(DType::Half, [2, 1, 1], 16),
        row_idx(1),
        [numbered(512), bytes([0xFFFF_u16; 512]), indices(&[3])],
    );
    assert_eq!(got[..16], (48..64).collect::<Vec<u16>>());
    assert_eq!(got[256..272], (304..320).collect::<Vec<u16>>());
}

/// MGATHER-NZ-12: a table with blocks 768 apart instead of 512.
#[test]
fn padded_blocks() {
    let padded_table = table(
        DType::Half,
        [1, 2, 2, 16, 16],
        [1536, 768, 256, 16, 1],
        Layout::NZ,
    );
    let got = gather(
        Coalesce::Row,
        GatherOob::Undefined,
        nz_tile(DType::Half, [16, 32], [1, 32]),
        padded_table,
        row_idx(1),
        [numbered(1280), bytes([0xFFFF_u16; 512]), indices(&[2])],
    );
    assert_eq!(got[..16], (32..48).collect::<Vec<u16>>());
    assert_eq!(got[256..272], (800..816).collect::<Vec<u16>>());
}

/// MGATHER-CAP-05: Row bounds are the 32 logical rows.
#[test]
fn row_bounds_are_logical_rows() {
    for (oob, index, first) in [
        (GatherOob::Clamp, 32, 496),
        (GatherOob::Wrap, 33, 16),
        (GatherOob::Zero, 31, 496),
        (GatherOob::Zero, 32, 0),
    ] {
        let got = gather(
            Coalesce::Row,
            oob,
            nz_tile(DType::Half, [16, 32], [1, 32]),
            nz(DType::Half, [1, 2, 2], 16),
            row_idx(1),
            [numbered(1024), bytes([0xFFFF_u16; 512]), indices(&[index])],
        );
        assert_eq!(got[0], first, "{oob} {index}");
    }
}

/// MGATHER-INDEX-04, MGATHER-CAP-06, MGATHER-NZ-02.
#[test]
fn elem_slots_translate() {
    for (oob, index, want) in [
        (GatherOob::Undefined, 564, 788),
        (GatherOob::Undefined, 1023, 1023),
        (GatherOob::Wrap, 1024, 0),
        (GatherOob::Clamp, 1024, 1023),
    ] {
        let got = gather(
            Coalesce::Elem,
            oob,
            nz_tile(DType::Half, [16, 16], [1, 1]),
            nz(DType::Half, [1, 2, 2], 16),
            row_idx(1),
            [numbered(1024), bytes([0xFFFF_u16; 256]), indices(&[index])],
        );
        assert_eq!(got[0], want, "{oob} {index}");
        assert_eq!(got[1..], [0xFFFF; 255]);
    }
}

/// MGATHER-INDEX-04: slots 24 to 39 are the last eight columns of row 0, in the
/// second column block, and the first eight of row 1, in the first one.
#[test]
fn elem_slots_side_by_side_translate() {
    let got = gather(
        Coalesce::Elem,
        GatherOob::Undefined,
        nz_tile(DType::Half, [16, 16], [1, 16]),
        nz(DType::Half, [1, 2, 2], 16),
        tile(DType::Int32, [1, 16], [1, 16]),
        [numbered(1024), bytes([0xFFFF_u16; 256]), bytes(24..40_i32)],
    );
    let want: Vec<u16> = (520..528).chain(16..24).collect();
    assert_eq!(got[..16], want);
    assert_eq!(got[16..], [0xFFFF; 240]);
}

/// MGATHER-NZ-06: (1, 20) of a tile with 32 rows is element 532.
#[test]
fn elem_destinations_translate() {
    let mut idx = vec![0_i32; 64];
    idx[32 + 20] = 5;
    let got = gather(
        Coalesce::Elem,
        GatherOob::Undefined,
        nz_tile(DType::Half, [32, 32], [2, 32]),
        nz(DType::Half, [1, 1, 1], 16),
        tile(DType::Int32, [2, 32], [2, 32]),
        [numbered(256), bytes([0xFFFF_u16; 1024]), bytes(idx)],
    );
    assert_eq!(got.iter().position(|&v| v == 5), Some(532));
    assert_eq!(got.iter().filter(|&&v| v == 0).count(), 63);
}

/// MGATHER-OOB-13: Zero clears the whole tile, padding rows included.
#[test]
fn zero_clears_the_tile_first() {
    let got = gather(
        Coalesce::Row,
        GatherOob::Zero,
        nz_tile(DType::Half, [32, 16], [20, 16]),
        nz(DType::Half, [1, 1, 1], 16),
        tile(DType::Int32, [1, 24], [1, 20]),
        [
            bytes([0x1111_u16; 256]),
            bytes([0x7777_u16; 512]),
            bytes([0_i32; 24]),
        ],
    );
    assert_eq!(got[..320], [0x1111; 320]);
    assert_eq!(got[320..], [0; 192]);
}

/// MGATHER-SHAPE-05: rows need not fill a block; without Zero the rest is kept.
#[test]
fn part_of_a_block() {
    let got = gather(
        Coalesce::Row,
        GatherOob::Clamp,
        nz_tile(DType::Half, [16, 16], [5, 16]),
        nz(DType::Half, [1, 1, 1], 16),
        row_idx(5),
        [
            numbered(256),
            bytes([0x7777_u16; 256]),
            indices(&[4, 3, 2, 1, 99]),
        ],
    );
    for (row, first) in [(0, 64), (1, 48), (2, 32), (3, 16), (4, 240)] {
        let want: Vec<u16> = (first..first + 16).collect();
        assert_eq!(got[row * 16..row * 16 + 16], want);
    }
    assert_eq!(got[80..], [0x7777; 176]);
}

/// MGATHER-OOB-07 on NZ: only the lane that is out of bounds is zero.
#[test]
fn elem_zero_is_inline() {
    let got = gather(
        Coalesce::Elem,
        GatherOob::Zero,
        nz_tile(DType::Half, [16, 16], [1, 3]),
        nz(DType::Half, [1, 1, 1], 16),
        row_idx(3),
        [
            bytes([9_u16; 256]),
            bytes([0x7777_u16; 256]),
            indices(&[255, 256, 0]),
        ],
    );
    assert_eq!(got[..4], [9, 0, 9, 0x7777]);
}
