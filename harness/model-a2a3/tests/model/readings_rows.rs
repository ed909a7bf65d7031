//! The readings of what Row transfers move.

use ptodiff_isa::{
    BurstTail, Call, Coalesce, DType, Event, GatherOob, Mgather, Mscatter, NzRowColumns, OobAccess,
    Readings, Role, ScatterAtomicOp,
};

use crate::common::{
    Ran, bytes, in_ub, legal_on, mgather, mscatter, nd, nz, nz_tile, padded, run, tile,
};

pub(crate) fn indices(values: &[i32]) -> Vec<u8> {
    padded(values, values.len(), 8, 0)
}

pub(crate) fn legal(call: Call, readings: Readings, operands: [Vec<u8>; 3]) -> Ran {
    legal_on(call, readings, in_ub(&call, operands))
}

/// Operand offset in UB and in GM, bursts, and bytes of each.
fn dmas(ran: &Ran) -> Vec<(i64, i64, u64, u64)> {
    let dma = |event: &Event| match event {
        Event::Dma {
            from,
            to,
            n_burst,
            len_burst,
            ..
        } => {
            let (gm, ub) = if from.0 == Role::Table {
                (from, to)
            } else {
                (to, from)
            };
            Some((ub.1, gm.1, *n_burst, *len_burst))
        }
        _ => None,
    };
    ran.events().iter().filter_map(dma).collect()
}

fn tail(burst_tail: BurstTail) -> Readings {
    Readings {
        burst_tail,
        ..Readings::default()
    }
}

/// The tile of MSCATTER-GAP-28 against `rows` packed rows of five bytes.
fn five_of_32(rows: u64) -> Mscatter {
    mscatter(
        Coalesce::Row,
        nd(DType::Int8, rows, 5),
        tile(DType::Int8, [2, 32], [2, 5]),
        tile(DType::Int32, [1, 8], [1, 2]),
    )
}

/// MSCATTER-GAP-28: rows of 1 to 32 and of 41 to 72, to bytes 0 and 10, or the
/// other way round.
#[test]
fn rounded_bursts_overwrite_what_follows() {
    let write = |reading, index: &[i32]| {
        let operands = [
            bytes([0_i8; 80]),
            bytes((1..33_i8).chain(41..73)),
            indices(index),
        ];
        legal(Call::Mscatter(five_of_32(16)), tail(reading), operands)
    };
    for reading in [BurstTail::Exact, BurstTail::Precondition] {
        let ran = write(reading, &[0, 2]);
        let table = ran.table::<i8>();
        assert_eq!(table[..10], [1, 2, 3, 4, 5, 0, 0, 0, 0, 0]);
        assert_eq!(table[10..17], [41, 42, 43, 44, 45, 0, 0]);
        assert_eq!(dmas(&ran), [(0, 0, 1, 5), (32, 10, 1, 5)]);
    }
    let ran = write(BurstTail::Rounded, &[0, 2]);
    let table = ran.table::<i8>();
    assert_eq!(table[..10], (1..11).collect::<Vec<i8>>());
    assert_eq!(table[10..42], (41..73).collect::<Vec<i8>>());
    assert_eq!(table[42..], [0; 38]);
    assert_eq!(dmas(&ran), [(0, 0, 1, 32), (32, 10, 1, 32)]);
    let table = write(BurstTail::Rounded, &[2, 0]).table::<i8>();
    assert_eq!(table[..32], (41..73).collect::<Vec<i8>>());
    assert_eq!(table[32..42], (23..33).collect::<Vec<i8>>());
}

/// MSCATTER-GAP-28 with Add: all 32 elements are added.
#[test]
fn rounded_bursts_add_what_follows() {
    let call = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..five_of_32(16)
    };
    let src = (1..33_i8).chain([40; 32]);
    let operands = [bytes([1_i8; 80]), bytes(src), indices(&[0, 2])];
    let ran = legal(Call::Mscatter(call), tail(BurstTail::Rounded), operands);
    let table = ran.table::<i8>();
    assert_eq!(table[..10], (2..12).collect::<Vec<i8>>());
    // 1 + 11 + 40 and on.
    assert_eq!(table[10..32], (52..74).collect::<Vec<i8>>());
    assert_eq!(table[32..42], [41; 10]);
    assert_eq!(table[42..], [1; 38]);
}

/// MSCATTER-GAP-28: 40 bytes become 64; whole chunks stay as they are; a burst
/// that runs past the table is one out-of-bounds access.
#[test]
fn rounding_is_up_to_32_bytes() {
    for (cols, len) in [(8, 32), (10, 64), (16, 64)] {
        let call = mscatter(
            Coalesce::Row,
            nd(DType::Float, 1, 24),
            tile(DType::Float, [1, 24], [1, cols]),
            tile(DType::Int32, [1, 8], [1, 1]),
        );
        let operands = [bytes([0_f32; 24]), bytes([1_f32; 24]), indices(&[0])];
        let ran = legal(Call::Mscatter(call), tail(BurstTail::Rounded), operands);
        assert_eq!(dmas(&ran), [(0, 0, 1, len)]);
        let written = ran.table::<f32>().iter().filter(|v| **v == 1.).count();
        assert_eq!(written as u64, len / 4);
    }
    let operands = [bytes([0_i8; 20]), bytes([9_i8; 64]), indices(&[0, 2])];
    let call = Call::Mscatter(five_of_32(4));
    let ran = run(call, tail(BurstTail::Rounded), operands);
    let oob_access = |offset| OobAccess {
        role: Role::Table,
        offset,
        len: 32,
        write: true,
    };
    assert_eq!(ran.oob_accesses(), [oob_access(0), oob_access(10)]);
}

fn columns(nz_row_columns: NzRowColumns) -> Readings {
    Readings {
        nz_row_columns,
        ..Readings::default()
    }
}

const MOVING: [NzRowColumns; 3] = [
    NzRowColumns::Either,
    NzRowColumns::Moved,
    NzRowColumns::Precondition,
];

/// MSCATTER-GAP-22: nine of 16 columns, padding 7, old content 1, to row 2.
/// Blocks of columns are 128 elements apart in table and tile.
#[test]
fn nz_columns_of_a_scatter() {
    for atomic in [ScatterAtomicOp::None, ScatterAtomicOp::Add] {
        let call = Mscatter {
            atomic,
            ..mscatter(
                Coalesce::Row,
                nz(DType::Float, [1, 2, 1], 8),
                nz_tile(DType::Float, [16, 16], [1, 9]),
                tile(DType::Int32, [1, 8], [1, 1]),
            )
        };
        let mut src = [7_f32; 256];
        src[..8].fill(3.);
        src[128] = 3.;
        let row = |readings| {
            let operands = [bytes([1_f32; 256]), bytes(src), indices(&[2])];
            legal(Call::Mscatter(call), readings, operands)
        };
        let old = match atomic {
            ScatterAtomicOp::Add => 1.,
            _ => 0.,
        };
        let mut want = [1_f32; 256];
        want[16..24].fill(3. + old);
        want[144] = 3. + old;
        let ran = row(columns(NzRowColumns::Kept));
        assert_eq!(ran.table::<f32>(), want);
        assert_eq!(dmas(&ran), [(0, 64, 1, 32), (512, 576, 1, 4)]);
        want[145..152].fill(7. + old);
        for reading in MOVING {
            let ran = row(columns(reading));
            assert_eq!(ran.table::<f32>(), want);
            assert_eq!(dmas(&ran), [(0, 64, 2, 32)]);
        }
    }
}

/// MSCATTER-GAP-22: two batches of two blocks, 16 columns each. A column block
/// is 512 bytes of tile and of table, a batch 1024.
#[test]
fn nz_columns_end_in_any_batch() {
    for (cols, want) in [
        (9, vec![(0, 0, 1, 32), (512, 512, 1, 4)]),
        (16, vec![(0, 0, 2, 32)]),
        (20, vec![(0, 0, 2, 32), (1024, 1024, 1, 16)]),
        (
            28,
            vec![(0, 0, 2, 32), (1024, 1024, 1, 32), (1536, 1536, 1, 16)],
        ),
        (32, vec![(0, 0, 2, 32), (1024, 1024, 2, 32)]),
    ] {
        let call = mscatter(
            Coalesce::Row,
            nz(DType::Float, [2, 2, 1], 8),
            nz_tile(DType::Float, [16, 32], [1, cols]),
            tile(DType::Int32, [1, 8], [1, 1]),
        );
        let operands = [bytes([0_f32; 512]), bytes([1_f32; 512]), indices(&[0])];
        let ran = legal(Call::Mscatter(call), columns(NzRowColumns::Kept), operands);
        assert_eq!(dmas(&ran), want);
        let written = ran.table::<f32>().iter().filter(|v| **v == 1.).count();
        assert_eq!(written as u64, cols);
    }
}

/// MGATHER-GAP-57: three of eight columns, from row 1; Zero clears the
/// tile before, whatever is moved (MGATHER-OOB-13).
#[test]
fn nz_columns_of_a_gather() {
    let row = |oob, reading| {
        let call = Mgather {
            oob,
            ..mgather(
                Coalesce::Row,
                nz_tile(DType::Float, [16, 8], [1, 3]),
                nz(DType::Float, [1, 1, 1], 8),
                tile(DType::Int32, [1, 8], [1, 1]),
            )
        };
        let table = bytes((0..128).map(|v| v as f32));
        let operands = [table, bytes([-1_f32; 128]), indices(&[1])];
        let ran = legal(Call::Mgather(call), columns(reading), operands);
        (ran.dst::<f32>()[..8].to_vec(), dmas(&ran))
    };
    for (oob, old) in [(GatherOob::Undefined, -1.), (GatherOob::Zero, 0.)] {
        let (got, moved) = row(oob, NzRowColumns::Kept);
        assert_eq!(got, [8., 9., 10., old, old, old, old, old]);
        assert_eq!(moved, [(0, 32, 1, 12)]);
        for reading in MOVING {
            let (got, moved) = row(oob, reading);
            assert_eq!(got, [8., 9., 10., 11., 12., 13., 14., 15.]);
            assert_eq!(moved, [(0, 32, 1, 32)]);
        }
    }
}
