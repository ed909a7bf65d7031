//! MGATHER from GM to L1, Row mode (001, GM to L1 Gather).

use crate::common::*;

/// The L1 image after an accepted call without out-of-bounds accesses.
fn gathered<T: Item>(call: &MgatherL1, how: How, dst: &[T], table: &[T], idx: &[i32]) -> Vec<T> {
    let operands = [
        (Role::Table, bytes(table)),
        (Role::Index, bytes(idx)),
        (Role::Destination, bytes(dst)),
    ];
    let call = Call::MgatherL1(*call);
    items(&clean_but(call, how, &operands, &[Role::Destination])[0])
}

/// Three rows of ten columns in 16 by 24: blocks of 8 columns, 128 elements each.
fn call(oob: GatherOob, table: GlobalTensor) -> MgatherL1 {
    let dst = nz(Int32, 16, 24, 3, 10);
    mgather_l1(Row, table, dst, flat(Int32, 3), None).with(|c| c.oob = oob)
}

/// A table of rows of twelve: element c of row r is 100r + c.
fn table(rows: i32) -> Vec<i32> {
    (0..rows * 12).map(|k| k / 12 * 100 + k % 12).collect()
}

fn padding(l1_row_padding: L1RowPadding) -> How {
    reading(|readings| readings.l1_row_padding = l1_row_padding)
}

#[test]
fn sem_01_and_nz_02_rows_lie_in_blocks() {
    let call = call(GatherOob::Undefined, rows(Int32, 5, 12));
    for schedule in SCHEDULES {
        let tile = gathered(&call, how(schedule), &[-1; 384], &table(5), &[4, 0, 2]);
        // Columns 0 to 7 of rows 0, 1, 2 at 0, 8, 16.
        let first = [400, 401, 402, 403, 404, 405, 406, 407];
        assert_eq!(tile[..8], first);
        assert_eq!(tile[8..16], [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(tile[16..18], [200, 201]);
        // Columns 8 and 9 in the second block; the rest of the unit is zero (GAP-01).
        assert_eq!(tile[128..136], [408, 409, 0, 0, 0, 0, 0, 0]);
        assert_eq!(tile[136..144], [8, 9, 0, 0, 0, 0, 0, 0]);
        assert_eq!(tile[144..152], [208, 209, 0, 0, 0, 0, 0, 0]);
        // Rows that were not moved and the third block are kept.
        assert_eq!(tile[24..128], [-1; 104]);
        assert_eq!(tile[152..], [-1; 232]);
    }
}

#[test]
fn gap_01_readings_of_the_tail() {
    let call = call(GatherOob::Clamp, rows(Int32, 5, 12));
    let run = |reading| gathered(&call, padding(reading), &[-1; 384], &table(5), &[4, 0, 2]);
    let got = &run(L1RowPadding::Kept)[128..138];
    assert_eq!(got, [408, 409, -1, -1, -1, -1, -1, -1, 8, 9]);
    assert_eq!(run(L1RowPadding::Undefined), run(L1RowPadding::TailZero));
}

#[test]
fn oob_02_zero_clears_the_tile_and_skips_rows() {
    let call = call(GatherOob::Zero, rows(Int32, 5, 12));
    for reading in [L1RowPadding::TailZero, L1RowPadding::Kept] {
        let tile = gathered(&call, padding(reading), &[-1; 384], &table(5), &[3, 5, 1]);
        let mut expected = [0; 384];
        for (row, from) in [(0, 300), (2, 100)] {
            for col in 0..10 {
                expected[col / 8 * 128 + row * 8 + col % 8] = from + col as i32;
            }
        }
        assert_eq!(tile, expected);
    }
}

#[test]
fn oob_01_and_cap_01_the_capacity_is_the_product_of_four_extents() {
    // Two planes of three rows: row 5 exists.
    let table_of_planes = packed(Int32, [1, 2, 1, 3, 12]);
    let run = |oob| {
        let call = call(oob, table_of_planes);
        let tile = gathered(&call, How::default(), &[-1; 384], &table(6), &[5, 6, 13]);
        [tile[0], tile[8], tile[16]]
    };
    assert_eq!(run(GatherOob::Clamp), [500, 500, 500]);
    assert_eq!(run(GatherOob::Wrap), [500, 0, 100]);
    assert_eq!(run(GatherOob::Zero), [500, 0, 0]);
}

#[test]
fn table_02_the_pitch_is_the_stride_between_rows() {
    // Rows of ten, twelve apart: the last one ends after 58 elements.
    let mut padded = rows(Int32, 5, 10);
    padded.stride[3] = Dim::Dynamic(12);
    let call = call(GatherOob::Undefined, padded);
    let tile = gathered(
        &call,
        How::default(),
        &[-1; 384],
        &table(5)[..58],
        &[4, 0, 1],
    );
    assert_eq!((tile[0], tile[16], tile[129]), (400, 100, 409));
}

#[test]
fn gap_03_indices_stand_one_after_the_other_or_at_their_stride() {
    let mut call = call(GatherOob::Undefined, rows(Int32, 5, 12));
    call.idx.stride[4] = Dim::Static(2);
    let run = |pitch| {
        let how = reading(|readings| readings.l1_index_pitch = pitch);
        let tile = gathered(&call, how, &[-1; 384], &table(5), &[4, 3, 2, 1, 0]);
        [tile[0], tile[8], tile[16]]
    };
    assert_eq!(run(L1IndexPitch::Linear), [400, 300, 200]);
    assert_eq!(run(L1IndexPitch::Strided), [400, 200, 0]);
}

#[test]
fn nz_01_blocks_of_32_16_and_8_columns() {
    // One row of 32 columns: element 31 begins block 0, 1 or 3.
    let run = |dtype, per_block: usize| {
        let dst = nz(dtype, 16, 32, 2, 32);
        let call = mgather_l1(Row, rows(dtype, 2, 32), dst, flat(Uint32, 2), None);
        let size = dtype.size();
        let table: Vec<u8> = (0..64 * size).map(|k| (k / size) as u8 + 1).collect();
        let dst = vec![0xEE; 512 * size];
        let tile = gathered(&call, How::default(), &dst, &table, &[1, 0]);
        for (row, first) in [(0, 33), (1, 1)] {
            for col in 0..32 {
                let at = col / per_block * (16 * per_block) + row * per_block + col % per_block;
                assert_eq!(tile[at * size..][..size], vec![(first + col) as u8; size]);
            }
        }
    };
    run(Hifloat8, 32);
    run(Bfloat16, 16);
    run(Uint32, 8);
}

#[test]
fn gap_04_negative_indices_and_empty_tables() {
    let run = |negative| {
        let call = call(GatherOob::Clamp, rows(Int32, 5, 12));
        let how = reading(|readings| readings.negative_index = negative);
        gathered(&call, how, &[-1; 384], &table(5), &[-1, 1, 2])[0]
    };
    assert_eq!(run(NegativeIndex::Unsigned), 400);
    assert_eq!(run(NegativeIndex::Intended), 0);
    let mut none = rows(Int32, 5, 12);
    none.shape[3] = Dim::Dynamic(0);
    for (oob, value) in [
        (GatherOob::Wrap, -1),
        (GatherOob::Clamp, -1),
        (GatherOob::Zero, 0),
    ] {
        let call = call(oob, none);
        let tile = gathered(&call, How::default(), &[-1; 384], &table(5), &[0; 3]);
        assert_eq!(tile, [value; 384]);
    }
}

#[test]
fn a_row_past_the_table_is_read_from_its_guard_zone() {
    let call = call(GatherOob::Undefined, rows(Int32, 5, 12));
    let mut memory = memory(&[
        (Role::Table, bytes(&table(5))),
        (Role::Index, bytes(&[5, 0, 0])),
        (Role::Destination, vec![0; 384 * 4]),
    ]);
    let log = execute(Call::MgatherL1(call), &mut memory, How::default());
    assert_eq!(log.oob_accesses.count, 10);
    let got = log.oob_accesses.first[0];
    assert_eq!(got, outside(Role::Table, 240, 4, false));
    let tile = memory.get(Role::Destination).expect("a tile").body();
    assert_eq!(tile[..32], [FENCE; 32]);
}

#[test]
fn a_run_time_extent_of_0_moves_nothing() {
    for (valid_row, valid_col) in [(0, 10), (3, 0)] {
        let mut call = call(GatherOob::Undefined, rows(Int32, 5, 12));
        call.dst.valid_row = Dim::Dynamic(valid_row);
        call.dst.valid_col = Dim::Dynamic(valid_col);
        let tile = gathered(&call, How::default(), &[-1; 384], &table(5), &[1, 1, 1]);
        assert_eq!(tile, [-1; 384]);
    }
}
