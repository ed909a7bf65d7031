//! MGATHER from GM to L1 in both modes, Elem with both executors (001, GM to L1 Gather).

use crate::common::*;

const EXECS: [GatherExec; 2] = [GatherExec::Scalar, GatherExec::Simt];

/// Two rows of 18 columns in 16 by 32: two blocks of 16 columns, 256 elements each.
fn call(exec: GatherExec, oob: GatherOob) -> MgatherL1 {
    let dst = nz(Int16, 16, 32, 2, 18);
    let (idx, scratch) = (rows(Int32, 2, 18), flat(Int16, 520));
    mgather_l1(Elem, flat(Int16, 100), dst, idx, Some(scratch))
        .with(|c| (c.exec, c.oob) = (exec, oob))
}

/// The image of two rows of 18 values over `padding`.
fn image(values: &[i16; 36], padding: i16) -> Vec<i16> {
    let mut image = vec![padding; 512];
    for (row, values) in values.chunks(18).enumerate() {
        image[16 * row..][..16].copy_from_slice(&values[..16]);
        image[256 + 16 * row..][..2].copy_from_slice(&values[16..]);
    }
    image
}

/// Tile and scratch after an accepted call without out-of-bounds accesses; slot k of the
/// table holds 1000 + k.
fn run(call: &MgatherL1, how: How, idx: &[i32]) -> (Vec<i16>, Vec<i16>) {
    let table: Vec<i16> = (1000..1100).collect();
    let operands = [
        (Role::Table, bytes(&table)),
        (Role::Index, bytes(idx)),
        (Role::Destination, bytes(&[-1_i16; 512])),
        (Role::Scratch, bytes(&[7_i16; 520])),
    ];
    let written = [Role::Destination, Role::Scratch];
    let after = clean_but(Call::MgatherL1(*call), how, &operands, &written);
    (items(&after[0]), items(&after[1]))
}

#[test]
fn gap_02_padding_may_show_what_the_scratch_held() {
    let how = reading(|readings| readings.l1_scratch_zero = L1ScratchZero::ZeroOnly);
    let values = [1003; 36];
    for oob in [GatherOob::Undefined, GatherOob::Clamp, GatherOob::Wrap] {
        let (tile, scratch) = run(&call(GatherExec::Scalar, oob), how, &[3; 36]);
        assert_eq!(tile, image(&values, 7));
        assert_eq!(scratch[..512], tile);
        // The SIMT executor covers the whole image.
        let (tile, _) = run(&call(GatherExec::Simt, oob), how, &[3; 36]);
        assert_eq!(tile, image(&values, 0));
    }
    let (tile, _) = run(&call(GatherExec::Scalar, GatherOob::Zero), how, &[3; 36]);
    assert_eq!(tile, image(&values, 0));
}

#[test]
fn a_run_time_extent_of_0_leaves_an_empty_image() {
    for exec in EXECS {
        let mut call = call(exec, GatherOob::Undefined);
        call.dst.valid_row = Dim::Dynamic(0);
        let (tile, scratch) = run(&call, How::default(), &[3; 36]);
        assert_eq!((tile, &scratch[512..]), (vec![0; 512], &[7; 8][..]));
    }
}

/// The L1 image after an accepted call without out-of-bounds accesses, by row from a table
/// of five rows of twelve: element c of row r is 100r + c.
fn by_row(call: &MgatherL1, how: How, idx: &[i32]) -> Vec<i32> {
    let table: Vec<i32> = (0..5 * 12).map(|k| k / 12 * 100 + k % 12).collect();
    let operands = [
        (Role::Table, bytes(&table)),
        (Role::Index, bytes(idx)),
        (Role::Destination, bytes(&[-1; 384])),
    ];
    let call = Call::MgatherL1(*call);
    items(&clean_but(call, how, &operands, &[Role::Destination])[0])
}

/// Three rows of ten columns in 16 by 24: blocks of 8 columns, 128 elements each.
fn row_call(oob: GatherOob) -> MgatherL1 {
    let dst = nz(Int32, 16, 24, 3, 10);
    mgather_l1(Row, rows(Int32, 5, 12), dst, flat(Int32, 3), None).with(|c| c.oob = oob)
}

#[test]
fn sem_01_and_nz_02_rows_lie_in_blocks() {
    let call = row_call(GatherOob::Undefined);
    for schedule in SCHEDULES {
        let tile = by_row(&call, how(schedule), &[4, 0, 2]);
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
    let call = row_call(GatherOob::Clamp);
    let run = |l1_row_padding| {
        let how = reading(|readings| readings.l1_row_padding = l1_row_padding);
        by_row(&call, how, &[4, 0, 2])
    };
    let got = &run(L1RowPadding::Kept)[128..138];
    assert_eq!(got, [408, 409, -1, -1, -1, -1, -1, -1, 8, 9]);
    assert_eq!(run(L1RowPadding::Undefined), run(L1RowPadding::TailZero));
}

#[test]
fn gap_03_indices_stand_one_after_the_other_or_at_their_stride() {
    let mut call = row_call(GatherOob::Undefined);
    call.idx.stride[4] = Dim::Static(2);
    let run = |pitch| {
        let how = reading(|readings| readings.l1_index_pitch = pitch);
        let tile = by_row(&call, how, &[4, 3, 2, 1, 0]);
        [tile[0], tile[8], tile[16]]
    };
    assert_eq!(run(L1IndexPitch::Linear), [400, 300, 200]);
    assert_eq!(run(L1IndexPitch::Strided), [400, 200, 0]);
}
