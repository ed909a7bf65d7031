//! MGATHER, GM to L1, as MGATHERL1-GAP-14 has it on this target.

use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherExec, GatherOob, GlobalTensor, How, L1IndexPitch,
    Launch, Log, Memory, MgatherL1, Model, OobAccess, Readings, Role, SLayout, Scope, Tile,
    TileType,
};
use ptodiff_model_cpu::Cpu;

use crate::common::{
    GUARD_BYTE, bytes, counted, dynamic, flat, i32s, made, memory_of, rows, run_under, table, tile,
    to_i32s, to_u16s, u16s,
};

use Coalesce::{Elem, Row};
use GatherOob::{Clamp, Undefined, Wrap, Zero};

/// A static NZ tile in L1.
fn nz(dtype: DType, padded: [u64; 2], valid: [u64; 2]) -> Tile {
    Tile {
        location: TileType::Mat,
        blayout: BLayout::ColMajor,
        slayout: SLayout::RowMajor,
        ..tile(dtype, padded, valid)
    }
}

/// A gather without scratch.
fn to_l1(
    mode: Coalesce,
    oob: GatherOob,
    dst: Tile,
    table: GlobalTensor,
    idx: GlobalTensor,
) -> MgatherL1 {
    MgatherL1 {
        dst,
        table,
        idx,
        scratch: None,
        mode,
        oob,
        exec: GatherExec::Scalar,
        launch: Launch::default(),
    }
}

fn memory(dst: &[u8], table: &[u8], idx: &[u8]) -> Memory {
    memory_of(&[
        (Role::Destination, dst),
        (Role::Table, table),
        (Role::Index, idx),
    ])
}

/// Runs under both scopes, which must not matter.
fn gathered(call: &MgatherL1, pitch: L1IndexPitch, memory: &Memory) -> Vec<u8> {
    let readings = Readings {
        l1_index_pitch: pitch,
        ..Readings::default()
    };
    let suite = Readings {
        scope: Scope::AsTheSuite,
        ..readings
    };
    let call = Call::MgatherL1(*call);
    let out = made(readings, &call, memory);
    assert_eq!(made(suite, &call, memory), out);
    out
}

fn linear(call: &MgatherL1, memory: &Memory) -> Vec<u8> {
    gathered(call, L1IndexPitch::Linear, memory)
}

// MGATHERL1-SEM-01: row r is table row r mod 8, table[i][k] = 100 * i + k.
#[test]
fn rows_lie_in_nz_order() {
    let dst = nz(DType::Half, [16, 32], [16, 32]);
    let idx: Vec<i32> = (0..16).map(|r| r % 8).collect();
    let values: Vec<u16> = (0..8)
        .flat_map(|i| (0..32).map(move |k| 100 * i + k))
        .collect();
    let memory = memory(&u16s(&[7; 512]), &u16s(&values), &i32s(&idx));
    for dst in [dst, dynamic(dst)] {
        let call = to_l1(
            Row,
            Undefined,
            dst,
            rows(DType::Half, 8, 32),
            flat(DType::Int32, 16),
        );
        let out = to_u16s(&linear(&call, &memory));
        assert_eq!(out[404], 120);
        // MGATHERL1-NZ-02: (3, 20) is at 308.
        assert_eq!(out[308], 320);
        // Element p stands in block column p / 256, row p / 16 mod 16.
        for (p, found) in out.iter().enumerate() {
            let (r, c) = (p / 16 % 16, p / 256 * 16 + p % 16);
            assert_eq!(usize::from(*found), 100 * (r % 8) + c, "{p}");
        }
    }
}

// MGATHERL1-SEM-02
#[test]
fn elements_lie_in_nz_order() {
    let call = to_l1(
        Elem,
        Undefined,
        nz(DType::Half, [16, 16], [16, 16]),
        flat(DType::Half, 256),
        table(DType::Uint32, [1, 1, 1, 16, 16]),
    );
    let values: Vec<u16> = (0..256).collect();
    let idx: Vec<i32> = (0..256).rev().collect();
    let out = to_u16s(&linear(
        &call,
        &memory(&[0x55; 512], &u16s(&values), &i32s(&idx)),
    ));
    assert_eq!((out[0], out[255]), (255, 0));
    assert_eq!(out, (0..256).rev().collect::<Vec<u16>>());
}

// MGATHERL1-NZ-01: 8 elements a block of 4 bytes, 32 of 1 byte.
#[test]
fn the_block_is_32_bytes_for_every_size() {
    let idx = |cols| table(DType::Int32, [1, 1, 1, 16, cols]);
    let call = to_l1(
        Elem,
        Undefined,
        nz(DType::Float, [16, 16], [16, 16]),
        flat(DType::Float, 256),
        idx(16),
    );
    let all = memory(&[0x55; 1024], &counted(0, 256), &counted(0, 256));
    let out = to_i32s(&linear(&call, &all));
    // (0, 8), (5, 3), (15, 15)
    assert_eq!((out[128], out[43], out[255]), (8, 83, 255));

    let call = to_l1(
        Elem,
        Undefined,
        nz(DType::Uint8, [16, 64], [4, 64]),
        flat(DType::Uint8, 256),
        idx(64),
    );
    let values: Vec<u8> = (0..=255).collect();
    let out = linear(&call, &memory(&[0x55; 1024], &values, &counted(0, 256)));
    // (2, 40), (3, 31), (0, 32); row 4 is padding.
    assert_eq!((out[584], out[127], out[512]), (168, 223, 32));
    assert_eq!(out[128..512], [0x55; 384]);
    assert_eq!(out[640..], [0x55; 384]);
}

// MGATHERL1-GAP-14: nothing but the valid region, under Zero as well.
#[test]
fn padding_is_kept() {
    for (mode, count) in [(Row, 2), (Elem, 6)] {
        for oob in [Undefined, Clamp, Wrap, Zero] {
            let call = to_l1(
                mode,
                oob,
                nz(DType::Int32, [16, 16], [2, 3]),
                rows(DType::Int32, 6, 3),
                flat(DType::Int32, count),
            );
            let memory = memory(
                &i32s(&[-7; 256]),
                &counted(0, 18),
                &counted(0, count as usize),
            );
            let mut expected = [-7; 256];
            expected[..3].copy_from_slice(&[0, 1, 2]);
            expected[8..11].copy_from_slice(&[3, 4, 5]);
            assert_eq!(to_i32s(&linear(&call, &memory)), expected, "{mode} {oob}");
        }
    }
}

// MGATHERL1-GAP-14: Row capacity Shape[3] (4, not 8), pitch Shape[4];
// MGATHERL1-CAP-02: Elem capacity is the whole shape.
#[test]
fn policies_are_those_of_the_other_form() {
    let dst = nz(DType::Int32, [16, 8], [3, 2]);
    let table = table(DType::Int32, [1, 1, 2, 4, 8]);
    let row = |oob, idx: &[i32]| {
        let call = to_l1(Row, oob, dst, table, flat(DType::Int32, 3));
        let memory = memory(&i32s(&[-7; 128]), &counted(100, 64), &i32s(idx));
        let out = to_i32s(&linear(&call, &memory));
        assert_eq!(out[2..8], [-7; 6]);
        [[out[0], out[1]], [out[8], out[9]], [out[16], out[17]]]
    };
    let (first, second, last) = ([100, 101], [108, 109], [124, 125]);
    assert_eq!(row(Clamp, &[1, 5, -1]), [second, last, last]);
    assert_eq!(row(Wrap, &[1, 4, -1]), [second, first, last]);
    assert_eq!(row(Zero, &[1, 4, 3]), [second, [0, 0], last]);
    // Slots 4 to 7 are rows of the next plane, which nothing bounds.
    assert_eq!(row(Undefined, &[4, 0, 1])[0], [132, 133]);

    let elem = |oob, idx: &[i32]| {
        let call = to_l1(Elem, oob, dst, table, flat(DType::Int32, 6));
        let memory = memory(&i32s(&[-7; 128]), &counted(100, 64), &i32s(idx));
        let out = to_i32s(&linear(&call, &memory));
        [out[0], out[1], out[8], out[9], out[16], out[17]]
    };
    let idx = [0, 63, 64, 65, -1, 2];
    assert_eq!(elem(Clamp, &idx), [100, 163, 163, 163, 163, 102]);
    assert_eq!(elem(Wrap, &idx), [100, 163, 100, 101, 163, 102]);
    assert_eq!(elem(Zero, &idx), [100, 163, 0, 0, 0, 102]);
}

// MGATHERL1-GAP-03: decoys (9) between the rows of the index tensor.
#[test]
fn the_index_tensor_is_read_as_the_reading_says() {
    let mut idx = table(DType::Int32, [1, 1, 1, 2, 2]);
    let dst = nz(DType::Int32, [16, 8], [2, 2]);
    let image = i32s(&[4, 9, 5, 9, 9, 9, 6, 9, 7]);
    let memory = memory(&i32s(&[-7; 128]), &counted(100, 11), &image);
    let got = |mode, idx, pitch| {
        let call = to_l1(mode, Undefined, dst, rows(DType::Int32, 11, 1), idx);
        let out = to_i32s(&gathered(&call, pitch, &memory));
        [out[0], out[1], out[8], out[9]]
    };
    idx.stride[3] = Dim::Static(6);
    idx.stride[4] = Dim::Dynamic(2);
    let strided = L1IndexPitch::Strided;
    assert_eq!(got(Elem, idx, strided), [104, 105, 106, 107]);
    assert_eq!(got(Elem, idx, L1IndexPitch::Linear), [104, 109, 105, 109]);
    // Row takes index r at r * GetStride(DIM_4); rows of 1 hold two columns here.
    assert_eq!(got(Row, idx, strided), [104, 105, 105, 106]);
    assert_eq!(got(Row, idx, L1IndexPitch::Linear), [104, 105, 109, 110]);
    idx.stride[4] = Dim::Static(1);
    assert_eq!(got(Row, idx, strided), [104, 105, 109, 110]);
    // One row pitch, elements adjacent.
    idx.stride[3] = Dim::Static(2);
    assert_eq!(got(Elem, idx, strided), [104, 109, 105, 109]);
}

// MGATHER-DTYPE-04: any integral index, cast to `uint32_t`.
#[test]
fn a_narrow_index_is_extended() {
    let call = to_l1(
        Elem,
        Wrap,
        nz(DType::Int32, [16, 8], [1, 2]),
        flat(DType::Int32, 10),
        flat(DType::Int16, 2),
    );
    let idx = bytes(&[-1, 3], i16::to_le_bytes);
    let out = to_i32s(&linear(
        &call,
        &memory(&i32s(&[0; 128]), &counted(0, 10), &idx),
    ));
    // 2^32 - 1 mod 10
    assert_eq!(out[..2], [5, 3]);
}

// MGATHERL1-GAP-14: the scratch is there and stays as it is; the executor is nobody.
#[test]
fn the_scratch_is_not_touched() {
    let mut call = to_l1(
        Elem,
        Zero,
        nz(DType::Int32, [16, 8], [2, 2]),
        flat(DType::Int32, 4),
        flat(DType::Int32, 4),
    );
    let without = memory(&i32s(&[-7; 128]), &counted(1, 4), &i32s(&[3, 4, 0, 1]));
    let out = linear(&call, &without);
    let values = to_i32s(&out);
    assert_eq!((&values[..2], &values[8..10]), (&[4, 0][..], &[1, 2][..]));

    call.scratch = Some(flat(DType::Int32, 128));
    let fault = Cpu
        .execute(
            &Call::MgatherL1(call),
            &mut without.clone(),
            &How::default(),
            &mut Log::default(),
        )
        .unwrap_err();
    assert_eq!(fault.0, "the memory has no scratch operand");

    let mut with = without;
    let scratch = memory_of(&[(Role::Scratch, &[0x33; 512])]);
    with.regions.extend(scratch.regions);
    for exec in [GatherExec::Scalar, GatherExec::Simt] {
        call.exec = exec;
        assert_eq!(linear(&call, &with), out);
    }
}

#[test]
fn zero_extents_and_empty_tables_move_nothing() {
    let mut call = to_l1(
        Elem,
        Clamp,
        dynamic(nz(DType::Int32, [16, 8], [0, 2])),
        flat(DType::Int32, 4),
        flat(DType::Int32, 4),
    );
    let memory = memory(&i32s(&[-7; 128]), &counted(1, 4), &i32s(&[0; 4]));
    assert_eq!(linear(&call, &memory), i32s(&[-7; 128]));
    call.dst.valid_row = Dim::Dynamic(2);
    call.dst.valid_col = Dim::Dynamic(0);
    assert_eq!(linear(&call, &memory), i32s(&[-7; 128]));
    // MGATHERL1-GAP-04
    call.dst.valid_col = Dim::Dynamic(2);
    call.table.shape[4] = Dim::Dynamic(0);
    assert_eq!(linear(&call, &memory), i32s(&[-7; 128]));
}

// The table ends at byte 16, the index tensor at byte 8, the tile at 512.
#[test]
fn what_leaves_an_operand_oob_accesses() {
    let call = to_l1(
        Elem,
        Undefined,
        nz(DType::Int32, [16, 8], [1, 3]),
        flat(DType::Int32, 4),
        flat(DType::Int32, 2),
    );
    let small = memory(&i32s(&[-7; 128]), &counted(1, 4), &i32s(&[4, 3]));
    let ran = run_under(Readings::default(), &Call::MgatherL1(call), small, false);
    let read = |role, offset| OobAccess {
        role,
        offset,
        len: 4,
        write: false,
    };
    let guard = i32::from_le_bytes([GUARD_BYTE; 4]);
    let wild = 4 * i64::from(guard as u32);
    assert_eq!(
        ran.log.oob_accesses.first,
        [
            read(Role::Table, 16),
            read(Role::Index, 8),
            read(Role::Table, wild)
        ]
    );
    let nowhere = i32::from_le_bytes([0xEE; 4]);
    let out = to_i32s(ran.body(Role::Destination));
    assert_eq!(out[..4], [guard, 4, nowhere, -7]);

    // Valid columns beyond the padded ones: (0, 8) is a block column too far.
    let mut call = call;
    call.dst = dynamic(nz(DType::Int32, [16, 8], [1, 9]));
    let wide = memory(&i32s(&[-7; 128]), &counted(1, 4), &i32s(&[0; 9]));
    let ran = run_under(Readings::default(), &Call::MgatherL1(call), wide, false);
    let write = OobAccess {
        write: true,
        ..read(Role::Destination, 512)
    };
    assert_eq!(ran.log.oob_accesses.first, [write]);
}
