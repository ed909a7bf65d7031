//! Accesses outside an operand.

use ptodiff_isa::{
    Call, Coalesce, CpuForm, DType, GatherOob, How, Log, Memory, Model, OobAccess, OobAccesses,
    Role, ScatterAtomicOp, ScatterOob,
};
use ptodiff_model_cpu::Cpu;

use crate::common::{
    GUARD, GUARD_BYTE, Ran, counted, flat, full, gather, gather_memory, i32s, rows, run, scatter,
    scatter_memory, to_i32s,
};

/// Scatters `int32_t` 1, 2, 3, .. over four slots of zero.
fn scattered(idx: &[i32], trace: bool) -> Ran {
    let tile = full(DType::Int32, [1, idx.len() as u64]);
    let call = scatter(flat(DType::Int32, 4), tile, tile);
    let memory = scatter_memory(&i32s(&[0; 4]), &counted(1, idx.len()), &i32s(idx));
    run(&Call::Mscatter(call), memory, CpuForm::Documented, trace)
}

fn write(offset: i64) -> OobAccess {
    OobAccess {
        role: Role::Table,
        offset,
        len: 4,
        write: true,
    }
}

// MSCATTER-OOB-16: no bounds check. Slot 4 begins at byte 16.
#[test]
fn a_write_past_the_table_lands_in_the_guard_zone() {
    for trace in [false, true] {
        let ran = scattered(&[1, 4, 2, 11], trace);
        assert_eq!(ran.log.oob_accesses.first, [write(16), write(44)]);
        assert_eq!(ran.log.oob_accesses.count, 2);
        assert_eq!(to_i32s(ran.body(Role::Table)), [0, 1, 3, 0]);
        let after = &ran.image(Role::Table)[GUARD + 16..];
        assert_eq!(after[..4], [2, 0, 0, 0]);
        assert_eq!(after[4..28], [GUARD_BYTE; 24]);
        assert_eq!(after[28..], [4, 0, 0, 0]);
        assert_eq!(ran.image(Role::Table)[..GUARD], [GUARD_BYTE; GUARD]);
    }
}

// A shape of six slots over a body of four: indices 4 and 5 are in bounds and
// leave the body, 7 is skipped.
#[test]
fn what_is_not_skipped_may_still_leave_a_short_table() {
    let tile = full(DType::Int32, [1, 5]);
    let mut call = scatter(flat(DType::Int32, 6), tile, tile);
    call.oob = ScatterOob::Skip;
    for trace in [false, true] {
        let idx = i32s(&[4, 1, 7, 5, 2]);
        let memory = scatter_memory(&i32s(&[0; 4]), &counted(1, 5), &idx);
        let ran = run(&Call::Mscatter(call), memory, CpuForm::Templated, trace);
        assert_eq!(ran.log.oob_accesses.first, [write(16), write(20)]);
        assert_eq!(to_i32s(ran.body(Role::Table)), [0, 2, 5, 0]);
        assert_eq!(ran.image(Role::Table)[GUARD + 16..][..4], [1, 0, 0, 0]);
        assert_eq!(ran.image(Role::Table)[GUARD + 20..][..4], [4, 0, 0, 0]);
    }
}

/// Adds 1, 2, .. to the slots of `idx` in a table of four: what it holds then,
/// and where accesses left it.
fn added(idx: &[i32], held: [i32; 4], oob_accesses: &[i64]) {
    let lanes = idx.len();
    let tile = full(DType::Int32, [1, lanes as u64]);
    let mut call = scatter(flat(DType::Int32, 4), tile, tile);
    call.atomic = ScatterAtomicOp::Add;
    for trace in [false, true] {
        let memory = scatter_memory(&i32s(&[0; 4]), &counted(1, lanes), &i32s(idx));
        let ran = run(&Call::Mscatter(call), memory, CpuForm::Templated, trace);
        assert_eq!(to_i32s(ran.body(Role::Table)), held);
        let offsets: Vec<i64> = ran
            .log
            .oob_accesses
            .first
            .iter()
            .map(|s| s.offset)
            .collect();
        assert_eq!(offsets, oob_accesses);
    }
}

// Of nine lanes the third, seventh and eighth leave the table. Slot 0 takes
// 1 + 4 + 9, slot 1 takes 2 + 5, slot 2 takes 6, slot 3 takes 0. Each lane reads
// and writes; slots 9, 99 and 20 begin at bytes 36, 396, 80.
#[test]
fn lanes_around_a_oob_access_one_add_once() {
    let idx = [0, 1, 9, 0, 1, 2, 99, 20, 0];
    added(&idx, [14, 7, 6, 0], &[36, 36, 396, 396, 80, 80]);
}

#[test]
fn a_write_far_out_is_dropped() {
    let ran = scattered(&[-1, 0, i32::MIN, i32::MAX], false);
    assert_eq!(
        ran.log.oob_accesses.first,
        [
            write(4 * 4_294_967_295),
            write(4 * 2_147_483_648),
            write(4 * 2_147_483_647)
        ]
    );
    let mut image = vec![GUARD_BYTE; 2 * GUARD + 16];
    image[GUARD..GUARD + 16].fill(0);
    image[GUARD] = 2;
    assert_eq!(ran.image(Role::Table), image);
}

// A table of 14 bytes: slot 3 has two bytes in it and two in the guard zone.
#[test]
fn a_write_across_the_edge_is_one_oob_access_access() {
    let tile = full(DType::Int32, [1, 1]);
    let call = scatter(flat(DType::Int32, 4), tile, tile);
    let memory = scatter_memory(&[0; 14], &[1, 2, 3, 4], &i32s(&[3]));
    let ran = run(&Call::Mscatter(call), memory, CpuForm::Documented, false);
    assert_eq!(ran.log.oob_accesses.first, [write(12)]);
    assert_eq!(ran.image(Role::Table)[GUARD + 12..GUARD + 16], [1, 2, 3, 4]);
    assert_eq!(ran.image(Role::Table)[GUARD + 16], GUARD_BYTE);
}

#[test]
fn an_accumulation_oob_accesses_twice() {
    let tile = full(DType::Int32, [1, 1]);
    let mut call = scatter(flat(DType::Int32, 4), tile, tile);
    call.atomic = ScatterAtomicOp::Add;
    let memory = scatter_memory(&i32s(&[0; 4]), &i32s(&[1]), &i32s(&[4]));
    let ran = run(&Call::Mscatter(call), memory, CpuForm::Templated, false);
    let read = OobAccess {
        write: false,
        ..write(16)
    };
    assert_eq!(ran.log.oob_accesses.first, [read, write(16)]);
    let after = &ran.image(Role::Table)[GUARD + 16..GUARD + 20];
    assert_eq!(after, [GUARD_BYTE + 1, GUARD_BYTE, GUARD_BYTE, GUARD_BYTE]);
}

// MGATHER-OOB-03: slot 30 is the first of the guard zone, the next is nowhere.
#[test]
fn a_read_past_the_table_delivers_what_lies_there() {
    let tile = full(DType::Int32, [1, 3]);
    let call = gather(
        Coalesce::Elem,
        GatherOob::Undefined,
        tile,
        flat(DType::Int32, 30),
        tile,
    );
    for trace in [false, true] {
        let memory = gather_memory(&i32s(&[0; 3]), &counted(0, 30), &i32s(&[30, 29, -1]));
        let ran = run(&Call::Mgather(call), memory, CpuForm::Documented, trace);
        let out = ran.body(Role::Destination);
        assert_eq!(out[..4], [GUARD_BYTE; 4]);
        assert_eq!(out[4..8], [29, 0, 0, 0]);
        assert_eq!(out[8..], [0xEE; 4]);
        let read = |offset| OobAccess {
            write: false,
            ..write(offset)
        };
        assert_eq!(
            ran.log.oob_accesses.first,
            [read(120), read(4 * 4_294_967_295)]
        );
    }
}

// MGATHER-OOB-03: of ten lanes, the third, the eighth and the last.
#[test]
fn lanes_around_a_oob_access_read_arrive() {
    let tile = full(DType::Int32, [1, 10]);
    let table = flat(DType::Int32, 4);
    let call = gather(Coalesce::Elem, GatherOob::Undefined, tile, table, tile);
    for trace in [false, true] {
        let idx = i32s(&[0, 1, 4, 3, 0, 1, 2, 5, 0, 6]);
        let memory = gather_memory(&i32s(&[0; 10]), &counted(70, 4), &idx);
        let ran = run(&Call::Mgather(call), memory, CpuForm::Documented, trace);
        let guard = i32::from_le_bytes([GUARD_BYTE; 4]);
        let arrived = [70, 71, guard, 73, 70, 71, 72, guard, 70, guard];
        assert_eq!(to_i32s(ran.body(Role::Destination)), arrived);
        let offsets: Vec<i64> = ran
            .log
            .oob_accesses
            .first
            .iter()
            .map(|s| s.offset)
            .collect();
        assert_eq!(offsets, [16, 20, 24]);
    }
}

// MSCATTER-GAP-39: index tile [4,1] under a source [4,8]. Index (r,c) is read
// at element r + c of four, so 22 of the 32 reads out-of-bounds access, and what the guard
// zone gives is no slot.
#[test]
fn a_row_index_tile_is_too_small_for_elements() {
    let mut call = scatter(
        rows(DType::Int32, 4, 8),
        full(DType::Int32, [4, 8]),
        full(DType::Int32, [4, 1]),
    );
    call.mode = Coalesce::Row;
    for trace in [false, true] {
        let memory = scatter_memory(&i32s(&[-1; 32]), &counted(0, 32), &counted(0, 4));
        let ran = run(&Call::Mscatter(call), memory, CpuForm::Documented, trace);
        assert_eq!(ran.log.oob_accesses.count, 44);
        assert_eq!(
            ran.log.oob_accesses.first[0],
            OobAccess {
                role: Role::Index,
                offset: 16,
                len: 4,
                write: false
            }
        );
        assert_eq!(ran.log.oob_accesses.first[1], write(4 * 0xA5A5_A5A5));
        // Last writer of slots 0..4 of the table: r + c = slot, r greatest.
        let table = to_i32s(ran.body(Role::Table));
        assert_eq!(table[..5], [0, 8, 16, 24, -1]);
    }
}

// A row that lies partly in the table.
#[test]
fn a_row_across_the_edge_oob_accesses_where_it_is_outside() {
    let mut call = scatter(
        rows(DType::Int32, 2, 4),
        full(DType::Int32, [1, 6]),
        full(DType::Int32, [1, 1]),
    );
    call.mode = Coalesce::Row;
    let memory = scatter_memory(&i32s(&[0; 8]), &counted(1, 6), &i32s(&[1]));
    let ran = run(&Call::Mscatter(call), memory, CpuForm::Templated, false);
    assert_eq!(ran.log.oob_accesses.first, [write(32), write(36)]);
    assert_eq!(to_i32s(ran.body(Role::Table)), [0, 0, 0, 0, 1, 2, 3, 4]);
    let after = &ran.image(Role::Table)[GUARD + 32..GUARD + 40];
    assert_eq!(to_i32s(after), [5, 6]);
}

// Offsets beyond 64 bits are reported as the greatest there is.
#[test]
fn the_farthest_address_saturates() {
    let call = gather(
        Coalesce::Row,
        GatherOob::Undefined,
        full(DType::Int32, [1, 1]),
        rows(DType::Int32, 4, 1 << 40),
        full(DType::Int32, [1, 1]),
    );
    let memory = gather_memory(&[0; 4], &counted(0, 4), &i32s(&[-1]));
    let ran = run(&Call::Mgather(call), memory, CpuForm::Documented, false);
    assert_eq!(ran.log.oob_accesses.first[0].offset, i64::MAX);
    assert_eq!(ran.body(Role::Destination), [0xEE; 4]);
    let memory = gather_memory(&[0; 4], &counted(0, 4), &i32s(&[3]));
    let ran = run(&Call::Mgather(call), memory, CpuForm::Documented, false);
    assert_eq!(ran.log.oob_accesses.first[0].offset, 3 << 42);
}

// Rows 2^42 bytes apart: row 0 is in the table, row 3 is not.
#[test]
fn rows_may_be_further_apart_than_32_bits_say() {
    let tile = |r| full(DType::Int32, [r, 1]);
    let mut call = scatter(rows(DType::Int32, 4, 1 << 40), tile(2), tile(2));
    call.mode = Coalesce::Row;
    let memory = scatter_memory(&i32s(&[0; 4]), &counted(1, 2), &i32s(&[0, 3]));
    let ran = run(&Call::Mscatter(call), memory, CpuForm::Templated, false);
    assert_eq!(ran.log.oob_accesses.first, [write(3 << 42)]);
    assert_eq!(to_i32s(ran.body(Role::Table)), [1, 0, 0, 0]);
}

#[test]
fn all_oob_accesses_are_counted_and_the_first_are_kept() {
    let ran = scattered(&[4; 100], false);
    assert_eq!(ran.log.oob_accesses.count, 100);
    assert_eq!(ran.log.oob_accesses.first.len(), OobAccesses::KEPT);
}

#[test]
fn a_missing_operand_is_a_fault() {
    let tile = full(DType::Int32, [1, 1]);
    let call = Call::Mscatter(scatter(flat(DType::Int32, 4), tile, tile));
    let whole = scatter_memory(&[0; 16], &[0; 4], &[0; 4]);
    for (missing, name) in [(0, "table"), (1, "source"), (2, "index")] {
        let mut memory: Memory = whole.clone();
        memory.regions.remove(missing);
        let fault = Cpu
            .execute(&call, &mut memory, &How::default(), &mut Log::default())
            .unwrap_err();
        assert_eq!(fault.0, format!("the memory has no {name} operand"));
    }
}
