//! MGATHER into L1: what the tile and the scratch hold afterwards, under each reading.

use ptodiff_isa::{
    Call, Coalesce, DType, GatherOob, GlobalTensor, L1IndexPitch, L1RowPadding, L1ScratchZero,
    Layout, MgatherL1, Readings, Role,
};

use crate::common::{
    GUARD_BYTE, Ran, With, bytes, legal_on, line, mat, memory, mgather_l1, nd, outside, reading,
    run_on, table,
};

use Coalesce::{Elem, Row};
use DType::{Half, Int32};
use GatherOob::{Clamp, Undefined, Zero};

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
