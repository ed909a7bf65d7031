//! TSCATTER by index and by mask.

use ptodiff_isa::{
    BLayout, Call, DType, Dim, Event, MaskAxis, MaskPadding, MaskPattern, NegativeIndex, OobAccess,
    Readings, Role, ScatterExtent, Scope, Space, Tile, TscatterIndex, TscatterMask, Unaddressed,
};

use crate::common::{GUARD_BYTE, Ran, bytes, dynamic, legal_on, memory, padded, run_on, tile};

fn scatter(call: TscatterIndex, readings: Readings, [dst, src, idx]: [Vec<u8>; 3]) -> Ran {
    let before = memory([
        (Role::Destination, dst),
        (Role::Source, src),
        (Role::Index, idx),
    ]);
    legal_on(Call::TscatterIndex(call), readings, before)
}

fn floats(dst: [u64; 2], src: Tile, idx: Tile) -> TscatterIndex {
    TscatterIndex {
        dst: tile(DType::Float, dst, dst),
        src,
        idx,
    }
}

/// TSCATTER-SEM-01 (its witness).
#[test]
fn indices_are_flat() {
    let row = [1, 8];
    let call = floats(
        [2, 8],
        tile(DType::Float, row, row),
        tile(DType::Uint32, row, row),
    );
    let ran = scatter(
        call,
        Readings::default(),
        [
            bytes([9_f32; 16]),
            bytes([1_f32, 2., 3., 4., 5., 6., 7., 8.]),
            bytes((8..16_u32).rev()),
        ],
    );
    let got = ran.dst::<f32>();
    assert_eq!(got[8..], [8., 7., 6., 5., 4., 3., 2., 1.]);
    assert_eq!(got[..8], [9.; 8]);
}

/// TSCATTER-SEM-02 (its witness): decoys outside the valid region are not read.
#[test]
fn the_source_says_how_much() {
    let call = floats(
        [1, 8],
        tile(DType::Float, [2, 8], [1, 3]),
        tile(DType::Int32, [2, 4], [1, 3]),
    );
    let mut src = [55_f32; 16];
    src[..3].copy_from_slice(&[1., 2., 3.]);
    let idx = bytes([0_i32, 1, 2, 7, 7, 7, 7, 7]);
    let ran = scatter(
        call,
        Readings::default(),
        [bytes([9_f32; 8]), bytes(src), idx],
    );
    assert_eq!(ran.dst::<f32>(), [1., 2., 3., 9., 9., 9., 9., 9.]);
}

/// TSCATTER-SHAPE-01 does not see extents given at run time: of rows of 16 in
/// tiles of four columns, the second one begins at the fifth element.
#[test]
fn rows_longer_than_the_tile_overlap() {
    let long = |dtype| dynamic(tile(dtype, [8, 4], [2, 16]));
    let call = TscatterIndex {
        dst: tile(DType::Half, [2, 16], [2, 16]),
        src: long(DType::Half),
        idx: long(DType::Uint16),
    };
    let operands = [bytes([99_u16; 32]), bytes(1000..1032_u16), bytes(0..32_u16)];
    let got = scatter(call, Readings::default(), operands).dst::<u16>();
    assert_eq!(got[..20], (1000..1020).collect::<Vec<u16>>());
    assert_eq!(got[20..], [99; 12]);
}

/// The reading of TSCATTER-GAP-03: one index row under a source of two.
#[test]
fn the_index_tile_says_how_much() {
    let call = floats(
        [1, 8],
        tile(DType::Float, [2, 4], [2, 4]),
        tile(DType::Int32, [1, 4], [1, 4]),
    );
    let readings = Readings {
        tscatter_extent: ScatterExtent::Index,
        ..Readings::default()
    };
    let operands = [
        bytes([9_f32; 8]),
        bytes([1_f32, 2., 3., 4., 5., 6., 7., 8.]),
        bytes([4_i32, 5, 6, 7]),
    ];
    let got = scatter(call, readings, operands).dst::<f32>();
    assert_eq!(got, [9., 9., 9., 9., 1., 2., 3., 4.]);
}

/// TSCATTER-SEM-04, TSCATTER-GAP-07: storage order of the destination, whatever
/// its layout; source and index through their own.
#[test]
fn layouts() {
    let column = |tile: Tile| Tile {
        blayout: BLayout::ColMajor,
        ..tile
    };
    // (0,0) (0,1) (1,0) (1,1) are 1 2 3 4 in the source, 6 1 4 3 in the index.
    let row_major = floats(
        [2, 4],
        tile(DType::Float, [2, 2], [2, 2]),
        tile(DType::Int32, [2, 4], [2, 2]),
    );
    let col_major = TscatterIndex {
        dst: column(row_major.dst),
        src: column(row_major.src),
        idx: column(row_major.idx),
    };
    let want = [9_f32, 2., 9., 4., 3., 9., 1., 9.];
    let dst = || bytes([9_f32; 8]);
    let idx = padded(&[6_i32, 1, 4, 3], 2, 4, 7);
    let operands = [dst(), bytes([1_f32, 2., 3., 4.]), idx];
    assert_eq!(
        scatter(row_major, Readings::default(), operands).dst::<f32>(),
        want
    );
    let operands = [
        dst(),
        bytes([1_f32, 3., 2., 4.]),
        bytes([6_i32, 4, 1, 3, 7, 7, 7, 7]),
    ];
    assert_eq!(
        scatter(col_major, Readings::default(), operands).dst::<f32>(),
        want
    );
}

/// TSCATTER-GAP-07: of tiles by columns, one column lies side by side.
#[test]
fn one_column_by_columns() {
    let column = |dtype| Tile {
        blayout: BLayout::ColMajor,
        ..tile(dtype, [8, 2], [3, 1])
    };
    let call = TscatterIndex {
        dst: tile(DType::Half, [1, 16], [1, 16]),
        src: column(DType::Half),
        idx: column(DType::Uint16),
    };
    let operands = [bytes([99_u16; 16]), bytes(1000..1016_u16), bytes(0..16_u16)];
    let got = scatter(call, Readings::default(), operands).dst::<u16>();
    assert_eq!(got[..3], [1000, 1001, 1002]);
    assert_eq!(got[3..], [99; 13]);
}

/// TSCATTER-CONF-02: increasing (r, c), the last one stays. TSCATTER-DTYPE-07:
/// bytes go by 16-bit indices.
#[test]
fn the_last_writer_stays() {
    let call = TscatterIndex {
        dst: tile(DType::Int8, [1, 32], [1, 32]),
        src: tile(DType::Int8, [2, 32], [2, 2]),
        idx: tile(DType::Uint16, [2, 16], [2, 2]),
    };
    let ran = scatter(
        call,
        Readings::default(),
        [
            bytes([0_u8; 32]),
            padded(&[1_u8, 2, 3, 4], 2, 32, 0),
            padded(&[5_u16, 5, 6, 5], 2, 16, 0),
        ],
    );
    assert_eq!(ran.dst::<u8>()[5..7], [4, 3]);
}

/// The reading of TSCATTER-GAP-02, padding included.
#[test]
fn slots_that_nothing_addresses() {
    let call = TscatterIndex {
        dst: tile(DType::Half, [1, 16], [1, 4]),
        src: tile(DType::Half, [1, 16], [1, 1]),
        idx: tile(DType::Int16, [1, 16], [1, 1]),
    };
    for (reading, rest) in [
        (Unaddressed::Kept, 9),
        (Unaddressed::Undefined, 9),
        (Unaddressed::Zero, 0),
    ] {
        let readings = Readings {
            tscatter_unaddressed: reading,
            ..Readings::default()
        };
        let operands = [
            bytes([9_u16; 16]),
            bytes([1_u16; 16]),
            bytes([2_i16 as u16; 16]),
        ];
        let got = scatter(call, readings, operands).dst::<u16>();
        let want: Vec<u16> = (0..16).map(|k| if k == 2 { 1 } else { rest }).collect();
        assert_eq!(got, want);
    }
}

/// TSCATTER-OOB-01 and the reading of TSCATTER-GAP-06: int16_t -1 is slot
/// 65535, or the slot before the first.
#[test]
fn negative_indices_oob_access() {
    let call = TscatterIndex {
        dst: tile(DType::Half, [1, 16], [1, 16]),
        src: tile(DType::Half, [1, 16], [1, 1]),
        idx: tile(DType::Int16, [1, 16], [1, 1]),
    };
    let run = |reading, index: u16| {
        let before = memory([
            (Role::Destination, bytes([9_u16; 16])),
            (Role::Source, bytes([0x1234_u16; 16])),
            (Role::Index, bytes([index; 16])),
        ]);
        let readings = Readings {
            negative_index: reading,
            ..Readings::default()
        };
        run_on(Call::TscatterIndex(call), readings, before)
    };
    let oob_access = |offset| OobAccess {
        role: Role::Destination,
        offset,
        len: 2,
        write: true,
    };
    let ran = run(NegativeIndex::Unsigned, 0xFFFF);
    assert_eq!(ran.oob_accesses(), [oob_access(131_070)]);
    for reading in [NegativeIndex::Signed, NegativeIndex::Intended] {
        let ran = run(reading, 0xFFFF);
        assert_eq!(ran.oob_accesses(), [oob_access(-2)]);
        let (front, back) = ran.guards(Role::Destination);
        assert_eq!(front[front.len() - 2..], [0x34, 0x12]);
        assert!(back.iter().all(|&b| b == GUARD_BYTE));
    }
    assert_eq!(
        run(NegativeIndex::Signed, 16).oob_accesses(),
        [oob_access(32)]
    );
}

/// The same in a tile that has a slot 65535: it is written only where -1 is
/// that number.
#[test]
fn negative_indices_in_a_large_tile() {
    let call = TscatterIndex {
        dst: tile(DType::Half, [256, 256], [256, 256]),
        src: tile(DType::Half, [1, 16], [1, 16]),
        idx: tile(DType::Int16, [1, 16], [1, 16]),
    };
    let run = |reading| {
        let before = memory([
            (Role::Destination, bytes([9_u16; 65_536])),
            (Role::Source, bytes([0x1234_u16; 16])),
            (Role::Index, bytes([0xFFFF_u16; 16])),
        ]);
        let readings = Readings {
            negative_index: reading,
            ..Readings::default()
        };
        let ran = run_on(Call::TscatterIndex(call), readings, before);
        (ran.dst::<u16>()[65_535], ran.oob_accesses().len())
    };
    assert_eq!(run(NegativeIndex::Unsigned), (0x1234, 0));
    assert_eq!(run(NegativeIndex::Signed), (9, 16));
    assert_eq!(run(NegativeIndex::Intended), (9, 16));
}

/// The trace of one element, and TSCATTER-GAP-21: no extent, no work.
#[test]
fn trace_and_empty_extents() {
    let call = TscatterIndex {
        dst: tile(DType::Int32, [1, 8], [1, 8]),
        src: tile(DType::Int32, [1, 8], [1, 1]),
        idx: tile(DType::Int32, [1, 8], [1, 1]),
    };
    let operands = || [bytes([9_i32; 8]), bytes([1_i32; 8]), bytes([3_i32; 8])];
    let ran = scatter(call, Readings::default(), operands());
    let (space, len) = (Space::Ub, 4);
    let load = |role| Event::Load {
        space,
        role,
        offset: 0,
        len,
    };
    let store = Event::Store {
        space,
        role: Role::Destination,
        offset: 12,
        len,
    };
    assert_eq!(ran.events(), [load(Role::Index), load(Role::Source), store]);

    let mut none = call;
    none.src = dynamic(call.src);
    none.src.valid_row = Dim::Dynamic(0);
    let ran = scatter(none, Readings::default(), operands());
    assert_eq!(ran.dst::<i32>(), [9; 8]);
    assert_eq!(ran.events(), []);
}

/// Masked TSCATTER exists here only where the suites drive it (TSCATTER-GAP-09).
fn suite() -> Readings {
    Readings {
        scope: Scope::AsTheSuite,
        ..Readings::default()
    }
}

fn mask(pattern: MaskPattern, dst: Tile, src: Tile) -> TscatterMask {
    TscatterMask {
        dst,
        src,
        pattern,
        axis: MaskAxis::Row,
    }
}

fn masked(call: TscatterMask, readings: Readings, dst: Vec<u8>, src: Vec<u8>) -> Vec<u16> {
    let before = memory([(Role::Destination, dst), (Role::Source, src)]);
    legal_on(Call::TscatterMask(call), readings, before).dst()
}

/// TSCATTER-MASK-02 to -09 (their witnesses: source 1, 2).
#[test]
fn patterns() {
    use MaskPattern::{P0001, P0010, P0100, P0101, P1000, P1010, P1111};
    let wanted: [(MaskPattern, &[u16]); 7] = [
        (P1111, &[1, 2]),
        (P0101, &[1, 0, 2, 0]),
        (P1010, &[0, 1, 0, 2]),
        (P0001, &[1, 0, 0, 0, 2, 0, 0, 0]),
        (P0010, &[0, 1, 0, 0, 0, 2, 0, 0]),
        (P0100, &[0, 0, 1, 0, 0, 0, 2, 0]),
        (P1000, &[0, 0, 0, 1, 0, 0, 0, 2]),
    ];
    for (pattern, want) in wanted {
        let dst = tile(DType::Half, [1, 16], [1, want.len() as u64]);
        let call = mask(pattern, dst, tile(DType::Half, [1, 16], [1, 2]));
        let src = padded(&[1_u16, 2], 2, 16, 77);
        let got = masked(call, suite(), bytes([0x55_u16; 16]), src);
        assert_eq!(got[..want.len()], *want, "{pattern}");
        assert!(got[want.len()..].iter().all(|&v| v == 0), "{pattern}");
    }
}

/// TSCATTER-MASK-11 (its witness): everything outside the valid region is zero;
/// TSCATTER-GAP-15: each tile through its own layout.
#[test]
fn the_allocation_is_zeroed() {
    let call = mask(
        MaskPattern::P1010,
        tile(DType::Half, [4, 64], [2, 32]),
        Tile {
            blayout: BLayout::ColMajor,
            ..tile(DType::Half, [16, 16], [2, 16])
        },
    );
    // Column-major: (r, c) of the source is element 16c + r.
    let src = bytes((0..256_u16).map(|k| k + 1));
    let got = masked(call, suite(), bytes([0x5555_u16; 256]), src);
    for r in 0..4_u16 {
        for c in 0..64_u16 {
            let written = r < 2 && c < 32 && c % 2 == 1;
            let want = if written { c / 2 * 16 + r + 1 } else { 0 };
            assert_eq!(got[usize::from(r * 64 + c)], want, "({r}, {c})");
        }
    }
}

/// TSCATTER-MASK-02, TSCATTER-GAP-15: of a destination by columns, two rows
/// high, (r, c) is byte 2c + r.
#[test]
fn bytes_by_columns() {
    let call = mask(
        MaskPattern::P1111,
        Tile {
            blayout: BLayout::ColMajor,
            ..tile(DType::Int8, [2, 16], [2, 3])
        },
        tile(DType::Int8, [2, 32], [2, 3]),
    );
    let before = memory([
        (Role::Destination, bytes([9_u8; 32])),
        (Role::Source, padded(&[1_u8, 2, 3, 4, 5, 6], 3, 32, 77)),
    ]);
    let got = legal_on(Call::TscatterMask(call), suite(), before).dst::<u8>();
    assert_eq!(got[..6], [1, 4, 2, 5, 3, 6]);
    assert_eq!(got[6..], [0; 26]);
}

/// TSCATTER-MASK-02, -11: one byte of padding stands between two rows.
#[test]
fn a_byte_of_padding() {
    let rows = tile(DType::Int8, [2, 32], [2, 31]);
    let values: Vec<u8> = (1..63).collect();
    let before = memory([
        (Role::Destination, bytes([99_u8; 64])),
        (Role::Source, padded(&values, 31, 32, 77)),
    ]);
    let call = mask(MaskPattern::P1111, rows, rows);
    let got = legal_on(Call::TscatterMask(call), suite(), before).dst::<u8>();
    assert_eq!(got, padded(&values, 31, 32, 0));
}

/// The reading of TSCATTER-GAP-13, which speaks of P1111 only.
#[test]
fn padding_after_p1111() {
    let readings = Readings {
        mask_p1111_padding: MaskPadding::Kept,
        ..suite()
    };
    let half = tile(DType::Half, [1, 16], [1, 1]);
    let run = |call| masked(call, readings, bytes([9_u16; 16]), bytes([1_u16; 16]));
    let got = run(mask(MaskPattern::P1111, half, half));
    assert_eq!((got[0], &got[1..]), (1, [9; 15].as_slice()));
    let wide = tile(DType::Half, [1, 16], [1, 2]);
    let got = run(mask(MaskPattern::P0101, wide, half));
    assert_eq!((got[0], &got[1..]), (1, [0; 15].as_slice()));
}

/// TSCATTER-MODE-02, TSCATTER-SHAPE-02: no kernel, no run.
#[test]
fn mask_forms_that_do_not_exist() {
    let half = tile(DType::Half, [1, 16], [1, 1]);
    let row = mask(MaskPattern::P1111, half, half);
    let column = TscatterMask {
        axis: MaskAxis::Col,
        ..row
    };
    for (call, readings) in [(row, Readings::default()), (column, suite())] {
        let before = memory([
            (Role::Destination, bytes([9_u16; 16])),
            (Role::Source, bytes([1_u16; 16])),
        ]);
        let ran = run_on(Call::TscatterMask(call), readings, before);
        assert!(ran.outcome.is_err());
        assert_eq!(ran.dst::<u16>(), [9; 16]);
    }
}
