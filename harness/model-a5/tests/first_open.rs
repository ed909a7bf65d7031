//! MSCATTER, first revision: its readings (MSCATTER0-GAP).

use crate::common::*;
use crate::first::scattered;
use ptodiff_isa::DType::*;
use ptodiff_isa::*;

/// Three rows of eight columns, all sent to row 1; row r holds r + 1.
fn contested() -> (MscatterFirst, Vec<i32>) {
    let call = mscatter_first(rows(Int32, 2, 8), tile(Int32, 3, 8), tile(Int32, 3, 1));
    (call, (0..24).map(|k| k / 8 + 1).collect())
}

#[test]
fn gap_02_any_writer_may_survive() {
    let (call, src) = contested();
    let run = |schedule| scattered(&call, how(schedule), &[0; 16], &src, &[1, 1, 1]);
    assert_eq!(run(Schedule::InOrder)[8..], [3; 8]);
    assert_eq!(run(Schedule::Reversed)[8..], [1; 8]);
    // GAP-13: a row may be torn.
    let mut torn = false;
    for seed in 0..20 {
        let table = run(Schedule::Shuffled(seed));
        assert_eq!(table[..8], [0; 8]);
        assert!(table[8..].iter().all(|value| (1..=3).contains(value)));
        torn |= table[8..].iter().any(|value| *value != table[8]);
    }
    assert!(torn);
}

#[test]
fn gap_02_under_last_the_largest_source_index_survives() {
    let (call, src) = contested();
    for schedule in SCHEDULES {
        let mut how = reading(|readings| readings.first_conflict = FirstConflict::Last);
        how.schedule = schedule;
        let table = scattered(&call, how, &[0; 16], &src, &[1, 1, 1]);
        assert_eq!(table, [0, 0, 0, 0, 0, 0, 0, 0, 3, 3, 3, 3, 3, 3, 3, 3]);
        let table = scattered(&call, how, &[0; 16], &src, &[1, 0, 1]);
        assert_eq!(table, [2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3]);
        let elem = MscatterFirst {
            idx: tile(Int32, 3, 8),
            ..call
        };
        let idx: Vec<i32> = (0..24).map(|k| k % 5).collect();
        let src: Vec<i32> = (100..124).collect();
        // Slots 0 to 3 belong to elements 20 to 23, slot 4 to 19.
        let table = scattered(&elem, how, &[0; 16], &src, &idx);
        assert_eq!(table[..6], [120, 121, 122, 123, 119, 0]);
    }
}

#[test]
fn gap_02_last_is_one_full_launch_as_well() {
    let (call, src) = contested();
    let mut memory = memory(&[
        (Role::Table, vec![0; 64]),
        (Role::Source, bytes(&src)),
        (Role::Index, bytes(&[1, 1, 1])),
    ]);
    let how = reading(|readings| readings.first_conflict = FirstConflict::Last);
    let log = execute(Call::MscatterFirst(call), &mut memory, how);
    let events = log.trace.expect("a trace");
    let kernel = "simt_mscatter_row_kernel";
    // Each lane owns a table row here, as in the Last kernels of 000.
    let owners = Event::Launch {
        kernel: kernel.into(),
        mode: Coalesce::Row,
        dim3: (32, 32),
        row_warps: None,
        warps_per_row: None,
        serves: Serves::TableRow,
        stride: 1024,
        trips: 1,
    };
    assert_eq!(events[0], owners);
    assert_eq!(count(&events, is_launch), 1);
}

#[test]
fn gap_01_one_column_is_a_row_or_an_element() {
    // Four rows of two: Row admits 0..3, Elem 0..7.
    let call = MscatterFirst {
        oob: ScatterOob::Skip,
        ..mscatter_first(rows(Int32, 4, 2), tile(Int32, 2, 1), tile(Int32, 2, 1))
    };
    let run = |mode| {
        let how = reading(|readings| readings.first_mode = mode);
        scattered(&call, how, &[0; 8], &[1, 2], &[3, 5])
    };
    assert_eq!(run(FirstMode::Row), [0, 0, 0, 1, 0, 0, 0, 0]);
    assert_eq!(run(FirstMode::Elem), [0, 0, 0, 1, 0, 2, 0, 0]);
}

#[test]
fn gap_03_under_elements_a_row_may_leave_the_table() {
    let run = |oob, index| {
        let call = MscatterFirst {
            oob,
            ..mscatter_first(rows(Int32, 2, 8), tile(Int32, 1, 8), tile(Int32, 1, 1))
        };
        let mut memory = memory(&[
            (Role::Table, vec![0; 64]),
            (Role::Source, bytes(&[7; 8])),
            (Role::Index, bytes(&[index])),
        ]);
        let elements = FirstRowCapacity::Elements;
        let how = reading(|readings| readings.first_row_capacity = elements);
        let log = execute(Call::MscatterFirst(call), &mut memory, how);
        log.oob_accesses
            .first
            .first()
            .map(|oob_access| oob_access.offset)
    };
    // Sixteen elements: row 3 passes and lies 96 bytes in; 17 wraps to row 1.
    assert_eq!(run(ScatterOob::Skip, 3), Some(96));
    assert_eq!(run(ScatterOob::Skip, 16), None);
    assert_eq!(run(ScatterOob::Clamp, 99), Some(15 * 32));
    assert_eq!(run(ScatterOob::Wrap, 17), None);
}

#[test]
fn gap_05_negative_indices_follow_the_reading() {
    let run = |negative| {
        let call = MscatterFirst {
            oob: ScatterOob::Wrap,
            ..mscatter_first(rows(Int32, 10, 8), tile(Int32, 1, 8), tile(Int32, 1, 1))
        };
        let how = reading(|readings| readings.negative_index = negative);
        let table = scattered(&call, how, &[0; 80], &[9; 8], &[-1]);
        table.chunks(8).position(|row| row == [9; 8])
    };
    // 4294967295 mod 10 is 5.
    assert_eq!(run(NegativeIndex::Unsigned), Some(5));
    assert_eq!(run(NegativeIndex::Intended), Some(9));
}

#[test]
fn gap_06_and_08_padded_extents_drive_rows_and_pitch() {
    // A valid region of 1 by 4 in a tile of 2 by 8: all sixteen elements go.
    let src = valid(Int32, 2, 8, 1, 4);
    let call = mscatter_first(rows(Int32, 3, 8), src, tile(Int32, 2, 1));
    let src: Vec<i32> = (1..17).collect();
    let table = scattered(&call, How::default(), &[0; 24], &src, &[2, 0]);
    assert_eq!(table[16..], src[..8]);
    assert_eq!(table[..8], src[8..]);
}

#[test]
fn an_empty_table_takes_nothing() {
    for first_conflict in [FirstConflict::Any, FirstConflict::Last] {
        let mut call = mscatter_first(rows(Int32, 2, 8), tile(Int32, 1, 8), tile(Int32, 1, 1));
        call.table.shape[3] = Dim::Dynamic(0);
        let how = reading(|readings| readings.first_conflict = first_conflict);
        assert_eq!(scattered(&call, how, &[5; 16], &[1; 8], &[0]), [5; 16]);
    }
}
