//! Scatters whose accesses leave an operand.

use ptodiff_isa::{
    Call, Coalesce, CpuForm, DType, Mscatter, OobAccess, OobAccesses, Readings, Role,
    ScatterAtomicOp, ScatterOob, Tile,
};

use crate::common::{
    GUARD, GUARD_BYTE, Ran, With, counted, flat, full, i32s, ran, reading, rows, scatter, to_i32s,
    word,
};

use DType::Int32;

fn templated() -> Readings {
    reading(|r| r.cpu_form = CpuForm::Templated)
}

fn line(lanes: usize) -> Tile {
    full(Int32, [1, lanes as u64])
}

/// Scatters 1, 2, 3, .. over four slots of zero.
fn scattered(readings: Readings, call: Mscatter, indices: &[i32]) -> Ran {
    let operands: [&[u8]; 3] = [&[0; 16], &counted(1, indices.len()), &i32s(indices)];
    ran(readings, Call::Mscatter(call), &operands)
}

fn documented(indices: &[i32]) -> Ran {
    let tile = line(indices.len());
    scattered(
        Readings::default(),
        scatter(flat(Int32, 4), tile, tile),
        indices,
    )
}

fn write(offset: i64) -> OobAccess {
    word(Role::Table, offset, true)
}

// MSCATTER-OOB-16: no bounds check. Slot 4 begins at byte 16.
#[test]
fn a_write_past_the_table_lands_in_the_guard_zone() {
    let ran = documented(&[1, 4, 2, 11]);
    assert_eq!(ran.outside(), [write(16), write(44)]);
    assert_eq!(to_i32s(ran.body(Role::Table)), [0, 1, 3, 0]);
    let after = &ran.image(Role::Table)[GUARD + 16..];
    assert_eq!(after[..4], [2, 0, 0, 0]);
    assert_eq!(after[4..28], [GUARD_BYTE; 24]);
    assert_eq!(after[28..], [4, 0, 0, 0]);
    assert_eq!(ran.image(Role::Table)[..GUARD], [GUARD_BYTE; GUARD]);
}

#[test]
fn a_write_far_out_is_dropped() {
    let ran = documented(&[-1, 0, i32::MIN, i32::MAX]);
    let far = [4_294_967_295, 2_147_483_648, 2_147_483_647];
    assert_eq!(ran.outside(), far.map(|slot| write(4 * slot)));
    let mut image = vec![GUARD_BYTE; 2 * GUARD + 16];
    image[GUARD..GUARD + 16].fill(0);
    image[GUARD] = 2;
    assert_eq!(ran.image(Role::Table), image);
}

// A shape of six slots over a body of four: indices 4 and 5 are in bounds and
// leave the body, 7 is skipped.
#[test]
fn what_is_not_skipped_may_still_leave_a_short_table() {
    let call = scatter(flat(Int32, 6), line(5), line(5)).with(|c| c.oob = ScatterOob::Skip);
    let ran = scattered(templated(), call, &[4, 1, 7, 5, 2]);
    assert_eq!(ran.outside(), [write(16), write(20)]);
    assert_eq!(to_i32s(ran.body(Role::Table)), [0, 2, 5, 0]);
    let behind = to_i32s(&ran.image(Role::Table)[GUARD + 16..][..8]);
    assert_eq!(behind, [1, 4]);
}

// Of nine lanes the third, seventh and eighth leave the table. Slot 0 takes
// 1 + 4 + 9, slot 1 takes 2 + 5, slot 2 takes 6, slot 3 takes 0. Each lane reads
// and writes; slots 9, 99 and 20 begin at bytes 36, 396, 80.
#[test]
fn an_accumulation_outside_is_a_read_and_a_write() {
    let call = scatter(flat(Int32, 4), line(9), line(9)).with(|c| c.atomic = ScatterAtomicOp::Add);
    let ran = scattered(templated(), call, &[0, 1, 4, 0, 1, 2, 99, 20, 0]);
    assert_eq!(to_i32s(ran.body(Role::Table)), [14, 7, 6, 0]);
    let both = [16, 396, 80].map(|at| [word(Role::Table, at, false), write(at)]);
    assert_eq!(ran.outside(), both.concat());
    let after = &ran.image(Role::Table)[GUARD + 16..GUARD + 20];
    assert_eq!(after, [GUARD_BYTE + 3, GUARD_BYTE, GUARD_BYTE, GUARD_BYTE]);
}

// A table of 14 bytes: slot 3 has two bytes in it and two in the guard zone.
#[test]
fn a_write_across_the_edge_is_one_access() {
    let call = Call::Mscatter(scatter(flat(Int32, 4), line(1), line(1)));
    let ran = ran(
        Readings::default(),
        call,
        &[&[0; 14], &[1, 2, 3, 4], &i32s(&[3])],
    );
    assert_eq!(ran.outside(), [write(12)]);
    let got = &ran.image(Role::Table)[GUARD + 12..][..5];
    assert_eq!(got, [1, 2, 3, 4, GUARD_BYTE]);
}

// MSCATTER-GAP-39: index tile [4,1] under a source [4,8]. Index (r,c) is read
// at element r + c of four, so 22 of the 32 reads leave it, and what the guard
// zone gives is no slot.
#[test]
fn a_row_index_tile_is_too_small_for_elements() {
    let mut call = scatter(rows(Int32, 4, 8), full(Int32, [4, 8]), full(Int32, [4, 1]));
    call.mode = Coalesce::Row;
    let operands: [&[u8]; 3] = [&i32s(&[-1; 32]), &counted(0, 32), &counted(0, 4)];
    let ran = ran(Readings::default(), Call::Mscatter(call), &operands);
    assert_eq!(ran.log.oob_accesses.count, 44);
    let first = [word(Role::Index, 16, false), write(4 * 0xA5A5_A5A5)];
    assert_eq!(ran.outside()[..2], first);
    // Last writer of slots 0..4 of the table: r + c = slot, r greatest.
    let table = to_i32s(ran.body(Role::Table));
    assert_eq!(table[..5], [0, 8, 16, 24, -1]);
}

#[test]
fn rows_may_leave_the_table_in_part_or_far_away() {
    let row = |width, src: Tile, indices: &[i32]| {
        let idx = line(indices.len());
        let call = scatter(rows(Int32, 4, width), src, idx).with(|c| c.mode = Coalesce::Row);
        let count = (src.rows * src.cols) as usize;
        let operands: [&[u8]; 3] = [&[0; 16], &counted(1, count), &i32s(indices)];
        ran(templated(), Call::Mscatter(call), &operands)
    };
    let left = row(2, full(Int32, [1, 3]), &[1]);
    assert_eq!(left.outside(), [write(16)]);
    assert_eq!(to_i32s(left.body(Role::Table)), [0, 0, 1, 2]);
    // Rows 2^42 bytes apart: row 0 is in the table, row 3 is not.
    let left = row(1 << 40, full(Int32, [2, 1]), &[0, 3]);
    assert_eq!(left.outside(), [write(3 << 42)]);
    assert_eq!(to_i32s(left.body(Role::Table)), [1, 0, 0, 0]);
}

#[test]
fn all_accesses_outside_are_counted_and_the_first_are_kept() {
    let ran = documented(&[4; 100]);
    assert_eq!(ran.log.oob_accesses.count, 100);
    assert_eq!(ran.outside().len(), OobAccesses::KEPT);
}
