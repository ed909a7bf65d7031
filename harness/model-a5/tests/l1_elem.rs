//! MGATHER from GM to L1, Elem mode, both executors (001, GM to L1 Gather).

use crate::common::*;

const EXECS: [GatherExec; 2] = [GatherExec::Scalar, GatherExec::Simt];

/// Tile and scratch after an accepted call without out-of-bounds accesses.
fn gathered<T: Item>(
    call: &MgatherL1,
    how: How,
    before: (&[T], &[T]),
    table: &[T],
    idx: &[i32],
) -> (Vec<T>, Vec<T>) {
    let operands = [
        (Role::Table, bytes(table)),
        (Role::Index, bytes(idx)),
        (Role::Destination, bytes(before.0)),
        (Role::Scratch, bytes(before.1)),
    ];
    let written = [Role::Destination, Role::Scratch];
    let after = clean_but(Call::MgatherL1(*call), how, &operands, &written);
    (items(&after[0]), items(&after[1]))
}

/// Two rows of 18 columns in 16 by 32: two blocks of 16 columns, 256 elements each.
fn call(exec: GatherExec, oob: GatherOob) -> MgatherL1 {
    let dst = nz(Int16, 16, 32, 2, 18);
    let (idx, scratch) = (rows(Int32, 2, 18), flat(Int16, 520));
    mgather_l1(Elem, flat(Int16, 100), dst, idx, Some(scratch))
        .with(|c| (c.exec, c.oob) = (exec, oob))
}

/// Slot k holds 1000 + k.
fn table() -> Vec<i16> {
    (1000..1100).collect()
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

fn run(call: &MgatherL1, how: How, idx: &[i32]) -> (Vec<i16>, Vec<i16>) {
    gathered(call, how, (&[-1; 512], &[7; 520]), &table(), idx)
}

#[test]
fn sem_02_and_gap_09_the_image_goes_through_the_scratch() {
    let idx: Vec<i32> = (0..36).map(|k| 2 * k).collect();
    let values = std::array::from_fn(|k| 1000 + 2 * k as i16);
    for exec in EXECS {
        for schedule in SCHEDULES {
            let call = call(exec, GatherOob::Undefined);
            let (tile, scratch) = run(&call, how(schedule), &idx);
            // SCRATCH-05 and EXEC-07: padding is zero.
            assert_eq!(tile, image(&values, 0), "{exec} {schedule:?}");
            assert_eq!(scratch[..512], tile);
            // What follows the image is kept.
            assert_eq!(scratch[512..], [7; 8]);
        }
    }
}

#[test]
fn oob_01_and_03_policies() {
    let mut idx = [3; 36];
    idx[17] = 105;
    idx[18] = 100;
    for exec in EXECS {
        for (oob, at_17, at_18) in [
            (GatherOob::Clamp, 1099, 1099),
            (GatherOob::Wrap, 1005, 1000),
            (GatherOob::Zero, 0, 0),
        ] {
            let mut values = [1003; 36];
            values[17] = at_17;
            values[18] = at_18;
            let (tile, _) = run(&call(exec, oob), How::default(), &idx);
            assert_eq!(tile, image(&values, 0), "{exec} {oob}");
        }
    }
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
fn gap_03_the_pitch_of_the_indices() {
    // Rows of 18 indices: 20 apart, of which 18 and 19 come in where they are read one after
    // the other; then each two elements from the next.
    let idx = count_from(0, 72);
    let linear: [i16; 36] = std::array::from_fn(|k| 1000 + k as i16);
    let apart = std::array::from_fn(|k| linear[k] + if k < 18 { 0 } else { 2 });
    let sparse = std::array::from_fn(|k| 1000 + 2 * k as i16);
    for exec in EXECS {
        for (stride, len, strided) in [([20, 1], 40, apart), ([36, 2], 72, sparse)] {
            let mut call = call(exec, GatherOob::Undefined);
            (call.idx.stride[3], call.idx.stride[4]) =
                (Dim::Static(stride[0]), Dim::Static(stride[1]));
            let of = |pitch| {
                let how = reading(|readings| readings.l1_index_pitch = pitch);
                run(&call, how, &idx[..len]).0
            };
            assert_eq!(of(L1IndexPitch::Linear), image(&linear, 0));
            assert_eq!(of(L1IndexPitch::Strided), image(&strided, 0));
        }
    }
}

#[test]
fn exec_08_the_simt_executor_serves_no_more_than_the_image() {
    // At run time 18 columns are valid, in a tile of one block of 16.
    let mut call = call(GatherExec::Simt, GatherOob::Undefined);
    call.dst = dynamic(nz(Int16, 16, 16, 2, 18));
    let idx: Vec<i32> = (0..36).collect();
    let before = (&[-1; 256][..], &[7; 520][..]);
    let (tile, scratch) = gathered(&call, How::default(), before, &table(), &idx);
    assert_eq!(tile[..16], table()[..16]);
    assert_eq!(tile[16..32], table()[18..34]);
    assert_eq!(tile[32..], [0; 224]);
    assert_eq!(scratch[..256], tile);
    assert_eq!(scratch[256..], [7; 264]);
}

#[test]
fn gap_04_an_empty_table_gives_zero_only() {
    for exec in EXECS {
        for oob in [GatherOob::Undefined, GatherOob::Wrap, GatherOob::Zero] {
            let mut call = call(exec, oob);
            call.table.shape[4] = Dim::Dynamic(0);
            let (tile, _) = run(&call, How::default(), &[3; 36]);
            let kept = exec == GatherExec::Simt && oob != GatherOob::Zero;
            let value = if kept { 7 } else { 0 };
            assert_eq!(tile, image(&[value; 36], 0), "{exec} {oob}");
        }
    }
}

#[test]
fn gap_08_a_short_scratch_is_left_behind_its_end() {
    for exec in EXECS {
        let mut memory = memory(&[
            (Role::Table, bytes(&table())),
            (Role::Index, bytes(&[3; 36])),
            (Role::Destination, bytes(&[-1_i16; 512])),
            (Role::Scratch, bytes(&[7_i16; 510])),
        ]);
        let call = Call::MgatherL1(call(exec, GatherOob::Clamp));
        let log = execute(call, &mut memory, How::default());
        // Two elements are written behind it and fetched from there.
        let expected = [(1020, true), (1022, true), (1020, false), (1022, false)];
        let expected = expected.map(|(at, write)| outside(Role::Scratch, at, 2, write));
        assert_eq!(log.oob_accesses.first, expected);
        let tile: Vec<i16> = items(memory.get(Role::Destination).expect("a tile").body());
        assert_eq!(tile, image(&[1003; 36], 0));
    }
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
