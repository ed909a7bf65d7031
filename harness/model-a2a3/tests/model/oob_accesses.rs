//! Accesses outside operands: recorded, carried out in guard zones, lost beyond.

use ptodiff_isa::{
    Call, Coalesce, DType, Dim, GatherOob, How, Log, Memory, Mgather, Model, Mscatter,
    NegativeIndex, OobAccess, OobAccesses, Readings, Role, ScatterAtomicOp, ScatterOob,
};
use ptodiff_model_a2a3::A2a3;

use crate::common::{
    GUARD, GUARD_BYTE, bytes, mgather, mscatter, nd, nz, nz_tile, region, run, tile,
};

fn oob_access(role: Role, offset: i64, len: u64, write: bool) -> OobAccess {
    OobAccess {
        role,
        offset,
        len,
        write,
    }
}

fn elem_call(count: u64) -> Mscatter {
    mscatter(
        Coalesce::Elem,
        nd(DType::Float, 1, 8),
        tile(DType::Float, [1, 8], [1, count]),
        tile(DType::Uint32, [1, 8], [1, count]),
    )
}

/// MSCATTER-OOB-03: Undefined writes where the index says.
#[test]
fn elem_stores_past_the_table() {
    let ran = run(
        Call::Mscatter(elem_call(3)),
        Readings::default(),
        [
            bytes([0_f32; 8]),
            bytes([1_f32, 2., 3., 0., 0., 0., 0., 0.]),
            bytes([8_u32, 7, u32::MAX, 0, 0, 0, 0, 0]),
        ],
    );
    assert_eq!(
        ran.oob_accesses(),
        [
            oob_access(Role::Table, 32, 4, true),
            oob_access(Role::Table, 17_179_869_180, 4, true),
        ]
    );
    let (front, back) = ran.guards(Role::Table);
    assert_eq!(back[..4], 1_f32.to_le_bytes());
    assert_eq!(back[4..], [GUARD_BYTE; GUARD - 4]);
    assert_eq!(front, [GUARD_BYTE; GUARD]);
    assert_eq!(ran.table::<f32>(), [0., 0., 0., 0., 0., 0., 0., 2.]);
}

/// The read of a read-add-write out-of-bounds accesses too.
#[test]
fn elem_add_oob_accesses_twice() {
    let call = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..mscatter(
            Coalesce::Elem,
            nd(DType::Int32, 1, 8),
            tile(DType::Int32, [1, 8], [1, 1]),
            tile(DType::Int32, [1, 8], [1, 1]),
        )
    };
    let ran = run(
        Call::Mscatter(call),
        Readings::default(),
        [bytes([0_i32; 8]), bytes([1_i32; 8]), bytes([9_i32; 8])],
    );
    assert_eq!(
        ran.oob_accesses(),
        [
            oob_access(Role::Table, 36, 4, false),
            oob_access(Role::Table, 36, 4, true),
        ]
    );
    // 0xA5A5A5A5 + 1.
    assert_eq!(ran.guards(Role::Table).1[4..8], [0xA6, 0xA5, 0xA5, 0xA5]);
}

/// A gather reads guard bytes, and 0xEE beyond.
#[test]
fn elem_loads_past_the_table() {
    let call = mgather(
        Coalesce::Elem,
        tile(DType::Uint32, [1, 8], [1, 3]),
        nd(DType::Uint32, 1, 8),
        tile(DType::Uint32, [1, 8], [1, 3]),
    );
    let ran = run(
        Call::Mgather(call),
        Readings::default(),
        [
            bytes(0..8_u32),
            bytes([7_u32; 8]),
            bytes([8_u32, 24, 3, 0, 0, 0, 0, 0]),
        ],
    );
    assert_eq!(ran.dst::<u32>()[..3], [0xA5A5_A5A5, 0xEEEE_EEEE, 3]);
    assert_eq!(
        ran.oob_accesses(),
        [
            oob_access(Role::Table, 32, 4, false),
            oob_access(Role::Table, 96, 4, false),
        ]
    );
}

/// A burst that leaves the table is one out-of-bounds access; what is inside is moved.
#[test]
fn a_burst_past_the_table() {
    // ValidCol 24 on a table 16 wide (MSCATTER-GAP-17): row 3 spills 32 bytes.
    let call = mscatter(
        Coalesce::Row,
        nd(DType::Float, 4, 16),
        tile(DType::Float, [1, 24], [1, 24]),
        tile(DType::Int32, [1, 8], [1, 1]),
    );
    let ran = run(
        Call::Mscatter(call),
        Readings::default(),
        [bytes([0_f32; 64]), bytes([1_f32; 24]), bytes([3_i32; 8])],
    );
    assert_eq!(ran.oob_accesses(), [oob_access(Role::Table, 192, 96, true)]);
    assert_eq!(ran.table::<f32>()[48..], [1.; 16]);
    let (_, back) = ran.guards(Role::Table);
    assert_eq!(back[..32], bytes([1_f32; 8]));
    assert_eq!(back[32..], [GUARD_BYTE; 32]);

    // MGATHER-GAP-10: the same the other way, last row, 64 bytes too many.
    let call = mgather(
        Coalesce::Row,
        tile(DType::Uint32, [1, 16], [1, 16]),
        nd(DType::Uint32, 4, 8),
        tile(DType::Int32, [1, 8], [1, 1]),
    );
    let ran = run(
        Call::Mgather(call),
        Readings::default(),
        [bytes(0..32_u32), bytes([0_u32; 16]), bytes([3_i32; 8])],
    );
    assert_eq!(ran.oob_accesses(), [oob_access(Role::Table, 96, 64, false)]);
    let got = ran.dst::<u32>();
    assert_eq!(got[..8], [24, 25, 26, 27, 28, 29, 30, 31]);
    assert_eq!(got[8..], [0xA5A5_A5A5; 8]);
}

/// An atomic burst that leaves the table is one out-of-bounds write.
#[test]
fn an_atomic_burst_past_the_table() {
    let call = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..mscatter(
            Coalesce::Row,
            nd(DType::Int8, 1, 32),
            tile(DType::Int8, [1, 64], [1, 33]),
            tile(DType::Int32, [1, 8], [1, 1]),
        )
    };
    let ran = run(
        Call::Mscatter(call),
        Readings::default(),
        [bytes([5_i8; 32]), bytes([1_i8; 64]), bytes([0_i32; 8])],
    );
    assert_eq!(ran.oob_accesses(), [oob_access(Role::Table, 0, 33, true)]);
    assert_eq!(ran.table::<i8>(), [6; 32]);
    assert_eq!(ran.guards(Role::Table).1[..2], [0xA6, 0xA5]);
}

/// MSCATTER-GAP-23: two column blocks from a tile that has one.
#[test]
fn an_nz_burst_past_the_tile() {
    let call = mscatter(
        Coalesce::Row,
        nz(DType::Float, [1, 2, 1], 8),
        nz_tile(DType::Float, [16, 8], [1, 8]),
        tile(DType::Int32, [1, 8], [1, 1]),
    );
    let ran = run(
        Call::Mscatter(call),
        Readings::default(),
        [bytes([0_f32; 256]), bytes([1_f32; 128]), bytes([0_i32; 8])],
    );
    // The second burst starts at the tile's end, 16 rows of 32 bytes on.
    assert_eq!(
        ran.oob_accesses(),
        [oob_access(Role::Source, 512, 32, false)]
    );
    assert_eq!(ran.table::<u8>()[512..544], [GUARD_BYTE; 32]);
}

/// MGATHER-GAP-20: four column blocks into a tile that has two.
#[test]
fn an_nz_burst_past_the_destination() {
    let call = mgather(
        Coalesce::Row,
        nz_tile(DType::Half, [16, 32], [1, 20]),
        nz(DType::Half, [1, 4, 1], 16),
        tile(DType::Int32, [1, 8], [1, 1]),
    );
    let ran = run(
        Call::Mgather(call),
        Readings::default(),
        [bytes([1_u16; 1024]), bytes([0_u16; 512]), bytes([0_i32; 8])],
    );
    assert_eq!(
        ran.oob_accesses(),
        [
            oob_access(Role::Destination, 1024, 32, true),
            oob_access(Role::Destination, 1536, 32, true),
        ]
    );
    // The third burst lands in the guard zone, the fourth beyond it.
    let (_, back) = ran.guards(Role::Destination);
    assert_eq!(back[..32], bytes([1_u16; 16]));
    assert_eq!(back[32..], [GUARD_BYTE; 32]);
}

/// Tiles smaller in memory than they claim: reads of index and source out-of-bounds access.
#[test]
fn tiles_are_ports_too() {
    let ran = run(
        Call::Mscatter(elem_call(2)),
        Readings::default(),
        [bytes([0_u32; 8]), bytes([1_u32]), bytes([3_u32])],
    );
    assert_eq!(
        ran.oob_accesses(),
        [
            oob_access(Role::Index, 4, 4, false),
            oob_access(Role::Source, 4, 4, false),
            oob_access(Role::Table, 4 * 0xA5A5_A5A5, 4, true),
        ]
    );
    assert_eq!(ran.table::<u32>()[3], 1);
}

/// MSCATTER-GAP-11: 2^40 elements a row and an index of 2^32 - 1.
#[test]
fn far_addresses_do_not_overflow() {
    let mut call = mscatter(
        Coalesce::Row,
        nd(DType::Float, 4, 8),
        tile(DType::Float, [1, 8], [1, 8]),
        tile(DType::Uint32, [1, 8], [1, 1]),
    );
    for (stride, offset) in [
        // 4294967295 * 2^20 * 4.
        (1 << 20, 18_014_398_505_287_680),
        // Beyond 64 bits the record stops at the last offset it can hold.
        (1 << 40, i64::MAX),
        (u64::MAX, i64::MAX),
    ] {
        call.table.stride[3] = Dim::Dynamic(stride);
        let ran = run(
            Call::Mscatter(call),
            Readings::default(),
            [bytes([0_f32; 32]), bytes([1_f32; 8]), bytes([u32::MAX; 8])],
        );
        assert_eq!(
            ran.oob_accesses(),
            [oob_access(Role::Table, offset, 32, true)]
        );
        assert_eq!(ran.table::<f32>(), [0.; 32]);
    }
}

/// Wrapping -1 in a table that claims more elements than any memory has.
#[test]
fn boundless_capacities_do_not_overflow() {
    let mut call = Mscatter {
        oob: ScatterOob::Wrap,
        ..elem_call(1)
    };
    call.idx.dtype = DType::Int32;
    call.table.shape[4] = Dim::Dynamic(u64::MAX);
    let readings = Readings {
        negative_index: NegativeIndex::Intended,
        ..Readings::default()
    };
    let operands = [bytes([0_f32; 8]), bytes([1_f32; 8]), bytes([-1_i32; 8])];
    let ran = run(Call::Mscatter(call), readings, operands);
    assert_eq!(ran.log.oob_accesses.count, 1);
    assert_eq!(ran.table::<f32>(), [0.; 8]);
}

/// All out-of-bounds accesses are counted, the first few kept.
#[test]
fn oob_accesses_are_counted() {
    let call = mscatter(
        Coalesce::Elem,
        nd(DType::Float, 1, 8),
        tile(DType::Float, [10, 8], [10, 8]),
        tile(DType::Uint32, [10, 8], [10, 8]),
    );
    let ran = run(
        Call::Mscatter(call),
        Readings::default(),
        [bytes([0_f32; 8]), bytes([1_f32; 80]), bytes([99_u32; 80])],
    );
    assert_eq!(ran.log.oob_accesses.count, 80);
    assert_eq!(ran.oob_accesses().len(), OobAccesses::KEPT);
}

/// The Zero fill of a tile that memory cuts short.
#[test]
fn the_nz_fill_is_an_access() {
    let call = Mgather {
        oob: GatherOob::Zero,
        ..mgather(
            Coalesce::Row,
            nz_tile(DType::Half, [16, 16], [1, 16]),
            nz(DType::Half, [1, 1, 1], 16),
            tile(DType::Int32, [1, 8], [1, 1]),
        )
    };
    let ran = run(
        Call::Mgather(call),
        Readings::default(),
        [bytes([1_u16; 256]), bytes([5_u16; 240]), bytes([0_i32; 8])],
    );
    assert_eq!(
        ran.oob_accesses(),
        [oob_access(Role::Destination, 0, 512, true)]
    );
    assert_eq!(
        ran.dst::<u16>()[..17],
        [[1_u16; 16].as_slice(), &[0]].concat()
    );
    let (_, back) = ran.guards(Role::Destination);
    assert_eq!(back[..33], [[0; 32].as_slice(), &[GUARD_BYTE]].concat());
}

/// A memory without an operand is a fault.
#[test]
fn a_missing_operand_is_a_fault() {
    let mut memory = Memory {
        regions: vec![
            region(Role::Table, vec![0; 32]),
            region(Role::Index, vec![0; 32]),
        ],
    };
    let call = Call::Mscatter(elem_call(1));
    let fault = A2a3
        .execute(&call, &mut memory, &How::default(), &mut Log::default())
        .unwrap_err();
    assert!(fault.0.contains("source"), "{}", fault.0);
}

/// MSCATTER-OOB-06: rows that a tile lacks in memory; dropped ones nobody reads.
#[test]
fn rows_of_a_short_tile() {
    let (src, idx) = (
        tile(DType::Int32, [4, 8], [4, 8]),
        tile(DType::Int32, [1, 4], [1, 4]),
    );
    for (oob, indices, oob_accesses) in [
        (ScatterOob::Undefined, [2, 0, 1, 3], 2),
        (ScatterOob::Skip, [2, 0, 9, 3], 1),
        (ScatterOob::Skip, [2, 0, 9, 9], 0),
    ] {
        let call = Call::Mscatter(Mscatter {
            oob,
            ..mscatter(Coalesce::Row, nd(DType::Int32, 4, 8), src, idx)
        });
        let operands = [bytes([100_i32; 32]), bytes(0..16), bytes(indices)];
        let ran = run(call, Readings::default(), operands);
        assert_eq!(ran.log.oob_accesses.count, oob_accesses);
        let table = ran.table::<i32>();
        assert_eq!((table[16], table[7]), (0, 15));
    }
}
