//! MGATHER into L1: what the tile and the scratch hold afterwards.

use ptodiff_isa::{
    Call, Coalesce, DType, Dim, GatherOob, L1RowPadding, MgatherL1, OobAccess, Readings, Role,
};

use crate::common::{
    GUARD_BYTE, Number, Ran, bytes, dynamic, legal_on, line, mat, memory, mgather_l1, nd, run_on,
    table,
};

/// What the tile and the scratch held before.
pub(crate) const OLD: u16 = 0x5555;
pub(crate) const STALE: u16 = 0x7777;

/// Runs a gather of 16-bit elements on a memory of just the size it needs.
pub(crate) fn gather(call: MgatherL1, readings: Readings, table: Vec<u8>, index: Vec<u8>) -> Ran {
    let elements = (call.dst.rows * call.dst.cols) as usize;
    let tile = bytes(vec![OLD; elements]);
    let three = [
        (Role::Destination, tile),
        (Role::Table, table),
        (Role::Index, index),
    ];
    let before = match call.scratch {
        None => memory(three),
        Some(scratch) => {
            let [dst, table, index] = three;
            let staged = scratch.shape[4].get() as usize;
            let scratch = (Role::Scratch, bytes(vec![STALE; staged]));
            memory([dst, table, index, scratch])
        }
    };
    legal_on(Call::MgatherL1(call), readings, before)
}

/// Element offset of (r, c) in 16-bit NZ tiles of 16 rows, by hand from
/// MGATHERL1-NZ-02: c/16*256 + r*16 + c%16.
pub(crate) fn at(r: usize, c: usize) -> usize {
    c / 16 * 256 + r * 16 + c % 16
}

/// Table rows of `100*i + k` (the witness of MGATHERL1-SEM-01).
pub(crate) fn hundreds(rows: u16, cols: u16) -> Vec<u8> {
    bytes((0..rows).flat_map(|i| (0..cols).map(move |k| 100 * i + k)))
}

pub(crate) fn row_call(valid: [u64; 2]) -> MgatherL1 {
    mgather_l1(
        Coalesce::Row,
        mat(DType::Half, [16, 32], valid),
        nd(DType::Half, 8, 32),
    )
}

pub(crate) fn elem_call(valid: [u64; 2], elements: u64) -> MgatherL1 {
    mgather_l1(
        Coalesce::Elem,
        mat(DType::Half, [16, 16], valid),
        line(DType::Half, elements),
    )
}

/// MGATHERL1-SEM-01, MGATHERL1-OOB-01, MGATHERL1-NZ-01, -02.
#[test]
fn rows_land_in_nz_slots() {
    let modulo = bytes((0..16_i32).map(|r| r % 8));
    let ran = gather(
        row_call([16, 32]),
        Readings::default(),
        hundreds(8, 32),
        modulo,
    );
    let tile = ran.dst::<u16>();
    assert_eq!(tile[404], 120, "(9, 20)");
    for r in 0..16 {
        for c in 0..32 {
            assert_eq!(tile[at(r, c)], (100 * (r % 8) + c) as u16, "({r}, {c})");
        }
    }
    let wrap = MgatherL1 {
        oob: GatherOob::Wrap,
        ..row_call([16, 32])
    };
    let wrapped = gather(wrap, Readings::default(), hundreds(8, 32), bytes(0..16_i32));
    assert_eq!(wrapped.dst::<u16>(), tile);
}

/// MGATHERL1-SEM-02, MGATHERL1-GAP-09: scratch and tile hold the same image.
#[test]
fn elements_land_in_nz_slots() {
    let call = elem_call([16, 16], 256);
    let ran = gather(
        call,
        Readings::default(),
        bytes(0..256_u16),
        bytes((0..256_i32).rev()),
    );
    let tile = ran.dst::<u16>();
    assert_eq!((tile[at(0, 0)], tile[at(15, 15)]), (255, 0));
    assert_eq!(tile[at(3, 7)], 255 - (16 * 3 + 7));
    assert_eq!(ran.read::<u16>(Role::Scratch), tile);
}

/// MGATHERL1-NZ-01: float has blocks of 8, so (0, 8) is at 16*8 = 128; int8 of 32.
#[test]
fn blocks_of_other_widths() {
    fn first_row<T: Number>(dtype: DType, cols: u64, values: Vec<T>, fill: T) -> Vec<T> {
        let mut call = mgather_l1(
            Coalesce::Row,
            mat(dtype, [16, cols], [1, cols]),
            nd(dtype, 1, cols),
        );
        call.idx = line(DType::Uint32, 1);
        let before = memory([
            (Role::Destination, bytes(vec![fill; 16 * cols as usize])),
            (Role::Table, bytes(values)),
            (Role::Index, bytes([0_u32])),
        ]);
        legal_on(Call::MgatherL1(call), Readings::default(), before).dst()
    }
    let floats = first_row(DType::Float, 16, (0..16_u32).collect(), 99);
    assert_eq!(floats[..8], [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(floats[128..136], [8, 9, 10, 11, 12, 13, 14, 15]);
    assert_eq!(floats.iter().filter(|&&v| v == 99).count(), 240);
    let small = first_row(DType::Int8, 64, (0..64_u8).collect(), 99);
    assert_eq!(small[..32], (0..32).collect::<Vec<u8>>());
    assert_eq!(small[512..544], (32..64).collect::<Vec<u8>>());
}

/// MGATHERL1-CAP-01, -02: all of Shape[0..3] in Row, all five extents in Elem.
#[test]
fn capacities() {
    let cube = table(
        DType::Half,
        [1, 1, 2, 4, 32],
        [256, 256, 128, 32, 1],
        ptodiff_isa::Layout::ND,
    );
    let call = MgatherL1 {
        oob: GatherOob::Clamp,
        table: cube,
        ..row_call([2, 32])
    };
    let ran = gather(
        call,
        Readings::default(),
        hundreds(8, 32),
        bytes([7_i32, 8]),
    );
    let tile = ran.dst::<u16>();
    assert_eq!((tile[at(0, 3)], tile[at(1, 3)]), (703, 703));

    let call = MgatherL1 {
        oob: GatherOob::Zero,
        table: nd(DType::Half, 4, 8),
        ..elem_call([1, 2], 32)
    };
    let ran = gather(
        call,
        Readings::default(),
        bytes(100..132_u16),
        bytes([31_i32, 32]),
    );
    assert_eq!(ran.dst::<u16>()[..2], [131, 0]);
}

/// MGATHERL1-TABLE-02: sentinels between padded rows stay out.
#[test]
fn padded_tables_by_row() {
    let call = MgatherL1 {
        table: table(
            DType::Half,
            [1, 1, 1, 2, 32],
            [96, 96, 96, 48, 1],
            ptodiff_isa::Layout::ND,
        ),
        ..row_call([1, 32])
    };
    let table = bytes((0..80_u16).map(|k| if k % 48 < 32 { k } else { 0xDEAD }));
    let ran = gather(call, Readings::default(), table, bytes([1_i32]));
    let tile = ran.dst::<u16>();
    assert_eq!((tile[at(0, 0)], tile[at(0, 31)]), (48, 79));
}

/// MGATHERL1-OOB-02: the whole tile is cleared, rows out of bounds stay so.
#[test]
fn zero_by_row() {
    let call = MgatherL1 {
        oob: GatherOob::Zero,
        ..row_call([10, 20])
    };
    let index = bytes([0_i32, 1, 2, 8, 4, 5, 6, 7, 0, 1]);
    for padding in [L1RowPadding::TailZero, L1RowPadding::Kept] {
        let readings = Readings {
            l1_row_padding: padding,
            ..Readings::default()
        };
        let ran = gather(call, readings, hundreds(8, 32), index.clone());
        let tile = ran.dst::<u16>();
        for r in 0..16 {
            for c in 0..32 {
                let moved = r < 10 && r != 3 && c < 20;
                let want = if moved { 100 * (r % 8) + c } else { 0 };
                assert_eq!(tile[at(r, c)], want as u16, "({r}, {c})");
            }
        }
    }
}

/// MGATHERL1-DYN-01 (its witness): run-time extents act as static ones.
#[test]
fn run_time_extents() {
    let mut call = row_call([10, 20]);
    let want = gather(
        call,
        Readings::default(),
        hundreds(8, 32),
        bytes([3_i32; 10]),
    );
    call.dst = dynamic(call.dst);
    call.table.shape[3] = Dim::Dynamic(8);
    call.table.shape[4] = Dim::Dynamic(32);
    let ran = gather(
        call,
        Readings::default(),
        hundreds(8, 32),
        bytes([3_i32; 10]),
    );
    assert_eq!(ran.memory, want.memory);

    call.dst.valid_row = Dim::Dynamic(0);
    let ran = gather(call, Readings::default(), hundreds(8, 32), Vec::new());
    assert_eq!(ran.dst::<u16>(), [OLD; 512]);
}

/// MGATHERL1-OOB-01: under Undefined a row past the table is read where it would be.
#[test]
fn a_row_past_the_table() {
    let before = memory([
        (Role::Destination, bytes([OLD; 512])),
        (Role::Table, hundreds(8, 32)),
        (Role::Index, bytes([8_i32])),
    ]);
    let ran = run_on(
        Call::MgatherL1(row_call([1, 32])),
        Readings::default(),
        before,
    );
    let read = OobAccess {
        role: Role::Table,
        offset: 512,
        len: 64,
        write: false,
    };
    assert_eq!(ran.oob_accesses(), [read]);
    let guard = u16::from_le_bytes([GUARD_BYTE; 2]);
    assert_eq!(ran.dst::<u16>()[..16], [guard; 16]);
}

/// What no kernel exists for, besides what is missing (MGATHERL1-GAP-05).
#[test]
fn faults() {
    let three = || {
        memory([
            (Role::Destination, bytes([OLD; 256])),
            (Role::Table, bytes([0_u16; 4])),
            (Role::Index, bytes([0_i32; 256])),
        ])
    };
    let call = elem_call([16, 16], 4);
    let missing = run_on(Call::MgatherL1(call), Readings::default(), three());
    assert!(missing.outcome.is_err());
    let none = MgatherL1 {
        scratch: None,
        ..call
    };
    let unstaged = run_on(Call::MgatherL1(none), Readings::default(), three());
    assert!(unstaged.outcome.is_err());
}
