//! The reading of TSCATTER-GAP-22: an index of TSCATTER that names a row.

use ptodiff_isa::{
    BLayout, Call, DType, End, Event, Model, NegativeIndex, OobAccess, Readings, Role,
    ScatterIndex, ScatterRange, Space, Tile, TscatterIndex, Unaddressed,
};
use ptodiff_model_a2a3::A2a3;

use crate::common::{GUARD, GUARD_BYTE, Ran, bytes, memory, padded, run_on, tile};

const RANGES: [ScatterRange; 2] = [ScatterRange::Storage, ScatterRange::Valid];

fn by_rows() -> Readings {
    Readings {
        tscatter_index: ScatterIndex::Row,
        ..Readings::default()
    }
}

/// Runs a call that the check accepts, in or out of range.
fn scatter(call: TscatterIndex, readings: Readings, [dst, src, idx]: [Vec<u8>; 3]) -> Ran {
    let before = memory([
        (Role::Destination, dst),
        (Role::Source, src),
        (Role::Index, idx),
    ]);
    let call = Call::TscatterIndex(call);
    assert_eq!(A2a3.check(&call, &readings), []);
    let ran = run_on(call, readings, before);
    assert_eq!(ran.outcome, Ok(End::Finished));
    ran
}

/// Words; the source's and the index tile's padded and valid extents are the same.
fn words(dst: [u64; 2], dst_valid: [u64; 2], from: [u64; 2]) -> TscatterIndex {
    TscatterIndex {
        dst: tile(DType::Int32, dst, dst_valid),
        src: tile(DType::Int32, from, from),
        idx: tile(DType::Int32, from, from),
    }
}

fn write(offset: i64, len: u64) -> OobAccess {
    OobAccess {
        role: Role::Destination,
        offset,
        len,
        write: true,
    }
}

/// TSCATTER-GAP-22 (its witness).
#[test]
fn a_whole_row() {
    let operands = [bytes([9_i32; 16]), bytes(1..9_i32), bytes([1_i32; 8])];
    let ran = scatter(words([2, 8], [2, 8], [1, 8]), by_rows(), operands);
    let got = ran.dst::<i32>();
    assert_eq!(
        (&got[..8], &got[8..]),
        (&[9; 8][..], &[1, 2, 3, 4, 5, 6, 7, 8][..])
    );
    assert_eq!(ran.oob_accesses(), []);
}

/// Source 1 2 3 / 4 5 6 by rows 3 0 2 / 1 3 0, through padded tiles of all types.
#[test]
fn each_element_has_its_row() {
    let (values, rows) = ([1_u8, 2, 3, 4, 5, 6], [3_u16, 0, 2, 1, 3, 0]);
    let wanted = [[0_u8, 2, 6], [4, 0, 0], [0, 0, 3], [1, 5, 0]].concat();
    for index in [DType::Int16, DType::Uint16] {
        let idx = || padded(&rows, 3, 16, 77);
        let call = |element, cols| TscatterIndex {
            dst: tile(element, [4, cols], [4, cols]),
            src: tile(element, [2, cols], [2, 3]),
            idx: tile(index, [2, 16], [2, 3]),
        };
        let operands = [bytes([0_u8; 128]), padded(&values, 3, 32, 88), idx()];
        let ran = scatter(call(DType::Uint8, 32), by_rows(), operands);
        assert_eq!(ran.dst::<u8>(), padded(&wanted, 3, 32, 0));
        let operands = [
            bytes([0_u16; 64]),
            padded(&values.map(u16::from), 3, 16, 88),
            idx(),
        ];
        let ran = scatter(call(DType::Half, 16), by_rows(), operands);
        let wanted: Vec<u16> = wanted.iter().copied().map(u16::from).collect();
        assert_eq!(bytes(ran.dst::<u16>()), padded(&wanted, 3, 16, 0));
    }
}

/// Of a destination by columns, eight rows high, (r, c) is element 8c + r.
#[test]
fn a_destination_by_columns() {
    let call = words([8, 2], [8, 2], [1, 2]);
    let call = TscatterIndex {
        dst: Tile {
            blayout: BLayout::ColMajor,
            ..call.dst
        },
        ..call
    };
    let operands = [bytes([9_i32; 16]), bytes([1_i32, 2]), bytes([5_i32, 3])];
    let got = scatter(call, by_rows(), operands).dst::<i32>();
    let mut want = [9; 16];
    (want[5], want[11]) = (1, 2);
    assert_eq!(got, want);
}

/// Zero covers the whole allocation, padding included.
#[test]
fn slots_that_nothing_addresses() {
    for (tscatter_unaddressed, rest) in [
        (Unaddressed::Kept, 9),
        (Unaddressed::Undefined, 9),
        (Unaddressed::Zero, 0),
    ] {
        for tscatter_range in RANGES {
            let readings = Readings {
                tscatter_unaddressed,
                tscatter_range,
                ..by_rows()
            };
            let operands = [bytes([9_i32; 24]), bytes([1_i32, 2]), bytes([1_i32, 0])];
            let ran = scatter(words([3, 8], [2, 4], [1, 2]), readings, operands);
            let mut want = [rest; 24];
            (want[8], want[1]) = (1, 2);
            assert_eq!(ran.dst::<i32>(), want);
            assert_eq!(ran.oob_accesses(), []);
        }
    }
}

/// No bounds are checked, whatever the range: of two rows, one of them valid,
/// row 1 is written and row 2 begins where the storage ends.
#[test]
fn rows_out_of_range() {
    for tscatter_range in RANGES {
        let readings = Readings {
            tscatter_range,
            ..by_rows()
        };
        let after = |row| {
            let operands = [bytes([9_i32; 16]), bytes([1_i32, 2]), bytes([row, 0_i32])];
            scatter(words([2, 8], [1, 8], [1, 2]), readings, operands)
        };
        let mut want = [9; 16];
        (want[8], want[1]) = (1, 2);
        let ran = after(1);
        assert_eq!((ran.dst(), ran.oob_accesses()), (want.to_vec(), &[][..]));
        want[8] = 9;
        let ran = after(2);
        assert_eq!(ran.dst::<i32>(), want);
        assert_eq!(ran.oob_accesses(), [write(64, 4)]);
        let (_, back) = ran.guards(Role::Destination);
        assert_eq!(back[..5], [1, 0, 0, 0, GUARD_BYTE]);
    }
}

/// TSCATTER-GAP-06: row -1 is the one before the first, or the greatest number of
/// its type: 65535 * 32 bytes and 4294967295 * 32 bytes away.
#[test]
fn negative_rows() {
    let words = words([2, 8], [2, 8], [1, 1]);
    let halves = TscatterIndex {
        dst: tile(DType::Half, [2, 16], [2, 16]),
        src: tile(DType::Half, [1, 16], [1, 1]),
        idx: tile(DType::Int16, [1, 16], [1, 1]),
    };
    for (call, len, far) in [(words, 4, 137_438_953_440), (halves, 2, 2_097_120)] {
        for (negative_index, offset) in [
            (NegativeIndex::Unsigned, far),
            (NegativeIndex::Signed, -32),
            (NegativeIndex::Intended, -32),
        ] {
            let readings = Readings {
                negative_index,
                ..by_rows()
            };
            let operands = [bytes([9_u8; 64]), bytes([1_u8; 32]), bytes([0xFF_u8; 32])];
            let ran = scatter(call, readings, operands);
            assert_eq!(ran.dst::<u8>(), [9; 64]);
            assert_eq!(ran.oob_accesses(), [write(offset, len)]);
            let (front, _) = ran.guards(Role::Destination);
            let before = if offset < 0 { 1 } else { GUARD_BYTE };
            assert_eq!(front[GUARD - 32], before);
        }
    }
}

/// A column beyond the destination is the slot that many on from the row's first:
/// of rows of eight, column 9 of row 0 is slot 9, and of row 1 slot 17. A column
/// of the storage beyond the valid ones is itself.
#[test]
fn columns_beyond_the_destination() {
    for tscatter_range in RANGES {
        let readings = Readings {
            tscatter_range,
            ..by_rows()
        };
        let after = |row| {
            let operands = [bytes([99_i32; 16]), bytes(0..10_i32), bytes([row; 10])];
            scatter(words([2, 8], [2, 4], [1, 10]), readings, operands)
        };
        let ran = after(0_i32);
        let got = ran.dst::<i32>();
        assert_eq!(got[..10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(got[10..], [99; 6]);
        assert_eq!(ran.oob_accesses(), []);
        let ran = after(1);
        let got = ran.dst::<i32>();
        assert_eq!(got[..8], [99; 8]);
        assert_eq!(got[8..], [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(ran.oob_accesses(), [write(64, 4), write(68, 4)]);
    }
}

/// Two elements of one column in one row: the last one in increasing (r, c) stays.
/// Two of different columns do not meet.
#[test]
fn two_lanes_in_one_slot() {
    let operands = [
        bytes([9_i32; 16]),
        bytes([1_i32, 2, 3, 4]),
        bytes([1_i32, 0, 1, 1]),
    ];
    let ran = scatter(words([2, 8], [2, 8], [2, 2]), by_rows(), operands);
    let mut want = [9; 16];
    (want[8], want[1], want[9]) = (3, 2, 4);
    assert_eq!(ran.dst::<i32>(), want);
}

/// The accesses of an element are those of the flat form.
#[test]
fn accesses() {
    let operands = [bytes([9_i32; 16]), bytes([1_i32, 2]), bytes([1_i32, 0])];
    let ran = scatter(words([2, 8], [2, 8], [1, 2]), by_rows(), operands);
    let (space, len) = (Space::Ub, 4);
    let load = |role, offset| Event::Load {
        space,
        role,
        offset,
        len,
    };
    let store = |offset| Event::Store {
        space,
        role: Role::Destination,
        offset,
        len,
    };
    let want = [
        load(Role::Index, 0),
        load(Role::Source, 0),
        store(32),
        load(Role::Index, 4),
        load(Role::Source, 4),
        store(4),
    ];
    assert_eq!(ran.events(), want);
}
