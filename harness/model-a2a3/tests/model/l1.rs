//! MGATHER into L1: what the tile and the scratch hold afterwards, under each reading.

use ptodiff_isa::{
    Call, Coalesce, DType, Dim, GatherOob, GlobalTensor, L1IndexPitch, L1RowPadding, L1ScratchZero,
    Layout, MgatherL1, NegativeIndex, Readings, Role,
};

use crate::common::{
    GUARD_BYTE, Number, Ran, With, bytes, dynamic, legal_on, line, mat, memory, mgather_l1, nd,
    outside, reading, run_on, table,
};

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int8, Int32, Uint32};
use GatherOob::{Clamp, Undefined, Wrap, Zero};

/// What the tile and the scratch held before.
const OLD: u16 = 0x5555;
const STALE: u16 = 0x7777;

/// Runs a gather of 16-bit elements on a memory of just the size it needs.
fn gather(call: MgatherL1, readings: Readings, table: Vec<u8>, idx: &[i32]) -> Ran {
    let tile = vec![OLD; (call.dst.rows * call.dst.cols) as usize];
    let staged = call.scratch.map_or(0, |scratch| scratch.shape[4].get());
    let before = memory([
        (Role::Destination, bytes(tile)),
        (Role::Table, table),
        (Role::Index, bytes(idx.iter().copied())),
        (Role::Scratch, bytes(vec![STALE; staged as usize])),
    ]);
    legal_on(Call::MgatherL1(call), readings, before)
}

/// The tile after that.
fn gathered(call: MgatherL1, readings: Readings, table: Vec<u8>, idx: &[i32]) -> Vec<u16> {
    gather(call, readings, table, idx).dst()
}

/// The same by default, from a table of 8 rows of `100*i + k` (MGATHERL1-SEM-01).
fn hundreds(call: MgatherL1, idx: &[i32]) -> Vec<u16> {
    gathered(call, Readings::default(), eight_rows(), idx)
}

fn eight_rows() -> Vec<u8> {
    bytes((0..8).flat_map(|i| (0..32_u16).map(move |k| 100 * i + k)))
}

/// Element offset of (r, c) in 16-bit NZ tiles of 16 rows, by hand from
/// MGATHERL1-NZ-02: c/16*256 + r*16 + c%16.
fn at(r: usize, c: usize) -> usize {
    c / 16 * 256 + r * 16 + c % 16
}

fn by_row(oob: GatherOob, valid: [u64; 2]) -> MgatherL1 {
    mgather_l1(Row, mat(Half, [16, 32], valid), nd(Half, 8, 32)).with(|c| c.oob = oob)
}

fn by_element(oob: GatherOob, valid: [u64; 2], elements: u64) -> MgatherL1 {
    mgather_l1(Elem, mat(Half, [16, 16], valid), line(Half, elements)).with(|c| c.oob = oob)
}

/// MGATHERL1-SEM-01, -02, MGATHERL1-OOB-01, MGATHERL1-NZ-01, -02, MGATHERL1-GAP-09: scratch and
/// tile hold the same image.
#[test]
fn values_land_in_nz_slots() {
    let modulo: Vec<i32> = (0..16).map(|r| r % 8).collect();
    let all: Vec<i32> = (0..16).collect();
    let tile = hundreds(by_row(Undefined, [16, 32]), &modulo);
    assert_eq!(tile[404], 120, "(9, 20)");
    for r in 0..16 {
        for c in 0..32 {
            assert_eq!(tile[at(r, c)], (100 * (r % 8) + c) as u16, "({r}, {c})");
        }
    }
    assert_eq!(hundreds(by_row(Wrap, [16, 32]), &all), tile);

    let call = by_element(Undefined, [16, 16], 256);
    let down: Vec<i32> = (0..256).rev().collect();
    let ran = gather(call, Readings::default(), bytes(0..256_u16), &down);
    let tile = ran.dst::<u16>();
    assert_eq!((tile[at(0, 0)], tile[at(15, 15)]), (255, 0));
    assert_eq!(tile[at(3, 7)], 255 - (16 * 3 + 7));
    assert_eq!(ran.read::<u16>(Role::Scratch), tile);
}

/// MGATHERL1-NZ-01: float has blocks of 8, so (0, 8) is at 16*8 = 128; int8 of 32.
#[test]
fn blocks_of_other_widths() {
    fn first_row<T: Number>(dtype: DType, cols: u64, values: Vec<T>) -> Vec<T> {
        let mut call = mgather_l1(Row, mat(dtype, [16, cols], [1, cols]), nd(dtype, 1, cols));
        call.idx = line(Uint32, 1);
        let before = memory([
            (Role::Destination, vec![99; 1024]),
            (Role::Table, bytes(values)),
            (Role::Index, bytes([0])),
        ]);
        legal_on(Call::MgatherL1(call), Readings::default(), before).dst()
    }
    let floats = first_row(Float, 16, (0..16_u32).collect());
    assert!(floats[..8].iter().copied().eq(0..8));
    assert!(floats[128..136].iter().copied().eq(8..16));
    assert_eq!(floats.iter().filter(|v| **v == 0x6363_6363).count(), 240);
    let small = first_row(Int8, 64, (0..64_u8).collect());
    assert!(small[..32].iter().copied().eq(0..32));
    assert!(small[512..544].iter().copied().eq(32..64));
}

/// MGATHERL1-CAP-01, -02: all of Shape[0..3] in Row, all five extents in Elem;
/// MGATHERL1-TABLE-02: rows a stride apart.
#[test]
fn capacities_and_pitch() {
    let mut call = by_row(Clamp, [2, 32]);
    call.table = table(Half, [1, 1, 2, 4, 32], [256, 256, 128, 32, 1], Layout::ND);
    let tile = hundreds(call, &[7, 8]);
    assert_eq!((tile[at(0, 3)], tile[at(1, 3)]), (703, 703));

    let mut call = by_element(Zero, [1, 2], 32);
    call.table = nd(Half, 4, 8);
    let tile = gathered(call, Readings::default(), bytes(100..132_u16), &[31, 32]);
    assert_eq!(tile[..2], [131, 0]);

    let mut call = by_row(Undefined, [1, 32]);
    call.table = table(Half, [1, 1, 1, 2, 32], [96, 96, 96, 48, 1], Layout::ND);
    let tile = gathered(call, Readings::default(), bytes(0..80_u16), &[1]);
    assert_eq!((tile[at(0, 0)], tile[at(0, 31)]), (48, 79));
}

/// MGATHERL1-OOB-02: the whole tile is cleared, rows out of bounds stay so.
#[test]
fn zero_by_row() {
    for padding in [L1RowPadding::TailZero, L1RowPadding::Kept] {
        let readings = reading(|r| r.l1_row_padding = padding);
        let idx = [0, 1, 2, 8, 4, 5, 6, 7, 0, 1];
        let tile = gathered(by_row(Zero, [10, 20]), readings, eight_rows(), &idx);
        for r in 0..16 {
            for c in 0..32 {
                let moved = r < 10 && r != 3 && c < 20;
                let want = if moved { 100 * (r % 8) + c } else { 0 };
                assert_eq!(tile[at(r, c)], want as u16, "({r}, {c})");
            }
        }
    }
}

/// MGATHERL1-DYN-01: run-time extents act as static ones; without a lane the zero fills
/// and the bulk copy happen all the same, and nothing else does.
#[test]
fn run_time_extents() {
    let mut call = by_row(Undefined, [10, 20]);
    let want = hundreds(call, &[3; 10]);
    call.dst = dynamic(call.dst);
    call.table.shape[3] = Dim::Dynamic(8);
    call.table.shape[4] = Dim::Dynamic(32);
    assert_eq!(hundreds(call, &[3; 10]), want);

    for zero in [Dim::Static(0), Dim::Dynamic(0)] {
        let four = Dim::Static(4);
        for (row, col) in [(zero, four), (four, zero)] {
            let tile = |mut call: MgatherL1| {
                (call.dst.valid_row, call.dst.valid_col) = (row, col);
                hundreds(call, &[0; 64])
            };
            assert_eq!(tile(by_row(Zero, [2, 32])), [0; 512]);
            assert_eq!(tile(by_row(Undefined, [2, 32])), [OLD; 512]);
            assert_eq!(tile(by_element(Undefined, [2, 2], 8)), [0; 256]);
        }
    }
}

/// MGATHERL1-OOB-01: under Undefined a row past the table is read where it would be.
#[test]
fn a_row_past_the_table() {
    let before = memory([
        (Role::Destination, bytes([OLD; 512])),
        (Role::Table, eight_rows()),
        (Role::Index, bytes([8])),
    ]);
    let call = Call::MgatherL1(by_row(Undefined, [1, 32]));
    let ran = run_on(call, Readings::default(), before);
    assert_eq!(ran.oob_accesses(), [outside(Role::Table, 512, 64, false)]);
    assert_eq!(ran.dst::<u8>()[..32], [GUARD_BYTE; 32]);
}

/// What no kernel exists for, besides what is missing (MGATHERL1-GAP-05).
#[test]
fn faults() {
    let call = by_element(Undefined, [16, 16], 4);
    let none = call.with(|c| c.scratch = None);
    for call in [call, none] {
        let three = memory([
            (Role::Destination, bytes([OLD; 256])),
            (Role::Table, bytes([0_u16; 4])),
            (Role::Index, bytes([0; 256])),
        ]);
        let ran = run_on(Call::MgatherL1(call), Readings::default(), three);
        assert!(ran.outcome.is_err());
    }
}

/// MGATHERL1-GAP-01: the tail of a moved row's last block; blocks that no column reaches
/// are nobody's tail.
#[test]
fn padding_by_row() {
    for (padding, tail) in [
        (L1RowPadding::TailZero, 0),
        (L1RowPadding::Undefined, 0),
        (L1RowPadding::Kept, OLD),
    ] {
        let readings = reading(|r| r.l1_row_padding = padding);
        let call = by_row(Undefined, [10, 20]);
        let tile = gathered(call, readings, eight_rows(), &[0; 10]);
        assert_eq!(tile[at(9, 19)], 19);
        assert_eq!((tile[at(9, 20)], tile[at(9, 31)]), (tail, tail));
        assert_eq!((tile[at(10, 0)], tile[at(10, 20)]), (OLD, OLD));
    }
    let tile = hundreds(by_row(Undefined, [10, 5]), &[0; 10]);
    assert_eq!((tile[at(0, 5)], tile[at(0, 16)]), (0, OLD));
}

/// MGATHERL1-SCRATCH-05, MGATHERL1-GAP-02; MGATHERL1-GAP-08, -09: a scratch that is too long
/// keeps its end.
#[test]
fn stale_scratch() {
    for (zero, oob, padding) in [
        (L1ScratchZero::Always, Clamp, 0),
        (L1ScratchZero::ZeroOnly, Clamp, STALE),
        (L1ScratchZero::ZeroOnly, Undefined, STALE),
        (L1ScratchZero::ZeroOnly, Zero, 0),
    ] {
        let readings = reading(|r| r.l1_scratch_zero = zero);
        let mut call = by_element(oob, [5, 5], 4);
        call.scratch = Some(line(Half, 300));
        let ran = gather(call, readings, bytes([8_u16, 9, 10, 11]), &[0; 25]);
        let (tile, scratch) = (ran.dst::<u16>(), ran.read::<u16>(Role::Scratch));
        assert_eq!((tile[at(4, 4)], tile[at(4, 5)]), (8, padding));
        assert_eq!(tile[at(5, 0)], padding);
        let got = (&scratch[..256], &scratch[256..]);
        assert_eq!(got, (&tile[..], &[STALE; 44][..]));
    }
    // All lanes out of bounds.
    let call = by_element(Zero, [16, 16], 4);
    let tile = gathered(call, Readings::default(), bytes([1_u16; 4]), &[4; 256]);
    assert_eq!(tile, [0; 256]);
}

/// The reading of MGATHERL1-GAP-03, with decoys (7) between the rows of indices: of
/// rows 4 apart (1, 0) is element 4, or the third in a row. Row takes every third:
/// DIM_4, not DIM_3.
#[test]
fn index_pitch() {
    use L1IndexPitch::{Linear, Strided};
    let apart = |rows, stride: [u64; 2]| -> GlobalTensor {
        let stride = [64, 64, 64, stride[0], stride[1]];
        table(Int32, [1, 1, 1, rows, 2], stride, Layout::ND)
    };
    for (pitch, elements, rows) in [
        (Strided, [0, 1, 2, 3], [400, 700]),
        (Linear, [0, 1, 7, 7], [400, 500]),
    ] {
        let readings = reading(|r| r.l1_index_pitch = pitch);
        let mut call = by_element(Undefined, [2, 2], 8);
        call.idx = apart(2, [4, 1]);
        let tile = gathered(call, readings, bytes(0..8_u16), &[0, 1, 7, 7, 2, 3]);
        assert_eq!([tile[0], tile[1], tile[16], tile[17]], elements);
        let mut call = by_row(Undefined, [2, 32]);
        call.idx = apart(1, [50, 3]);
        let tile = gathered(call, readings, eight_rows(), &[4, 5, 6, 7]);
        assert_eq!([tile[at(0, 0)], tile[at(1, 0)]], rows);
    }
}

/// MGATHERL1-GAP-04: -1 under Clamp on eight rows; an empty table gives Zero's zeros and
/// nothing else.
#[test]
fn negative_indices_and_empty_tables() {
    for (negative, row) in [(NegativeIndex::Unsigned, 700), (NegativeIndex::Intended, 0)] {
        let readings = reading(|r| r.negative_index = negative);
        let tile = gathered(by_row(Clamp, [1, 32]), readings, eight_rows(), &[-1]);
        assert_eq!(tile[0], row);
    }
    for (oob, want) in [(Zero, 0), (Wrap, OLD)] {
        let mut call = by_row(oob, [2, 32]);
        call.table.shape[3] = Dim::Dynamic(0);
        let tile = gathered(call, Readings::default(), Vec::new(), &[0, 1]);
        assert_eq!(tile, [want; 512]);
    }
}
