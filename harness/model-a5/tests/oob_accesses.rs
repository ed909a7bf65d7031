//! Accesses outside operands (OOB-02, -03; the trait's rules on guard zones).

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;
use ptodiff_model_a5::A5;

fn oob_access(role: Role, offset: i64, len: u64, write: bool) -> OobAccess {
    OobAccess {
        role,
        offset,
        len,
        write,
    }
}

fn plain(mode: Coalesce, table: GlobalTensor, src: Tile, idx: Tile) -> Mscatter {
    Mscatter {
        conflict: ScatterConflict::Default,
        ..mscatter(mode, table, src, idx)
    }
}

fn three(table: Vec<u8>, data: (Role, Vec<u8>), idx: Vec<u8>) -> Memory {
    memory(&[(Role::Table, table), data, (Role::Index, idx)])
}

#[test]
fn a_row_past_the_table_lands_in_the_guard_zone() {
    let call = plain(Row, rows(Int32, 4, 8), tile(Int32, 1, 8), tile(Int32, 1, 1));
    let mut memory = three(vec![0; 128], (Role::Source, bytes(&[7; 8])), bytes(&[5]));
    let log = execute(Call::Mscatter(call), &mut memory, How::default());
    assert_eq!(log.oob_accesses.count, 8);
    let expected: Vec<OobAccess> = (0..8)
        .map(|c| oob_access(Role::Table, 160 + 4 * c, 4, true))
        .collect();
    assert_eq!(log.oob_accesses.first, expected);
    let table = memory.get(Role::Table).unwrap();
    assert_eq!(table.body(), [0; 128]);
    // Row 5 is the second row behind the table: 32 bytes into the guard zone.
    let behind = &table.bytes()[GUARD + 128..];
    assert_eq!(behind[..32], [FENCE; 32]);
    assert_eq!(behind[32..], bytes(&[7; 8]));
}

#[test]
fn far_writes_are_dropped_and_far_reads_find_ee() {
    let pair = |dtype| valid(dtype, 1, 8, 1, 2);
    let call = plain(Elem, flat(Int32, 4), pair(Int32), pair(Uint32));
    let idx = bytes(&[u32::MAX, 1]);
    let mut memory = three(vec![0; 16], (Role::Source, bytes(&[7; 8])), idx.clone());
    let log = execute(Call::Mscatter(call), &mut memory, How::default());
    let far = 4 * i64::from(u32::MAX);
    assert_eq!(
        log.oob_accesses.first,
        [oob_access(Role::Table, far, 4, true)]
    );
    assert_eq!(
        *memory.get(Role::Table).unwrap(),
        region(Role::Table, &bytes(&[0, 7, 0, 0]))
    );

    let call = mgather(Elem, flat(Int32, 4), pair(Int32), pair(Uint32));
    let mut memory = three(bytes(&[1, 2, 3, 4]), (Role::Destination, vec![0; 32]), idx);
    let log = execute(Call::Mgather(call), &mut memory, How::default());
    assert_eq!(
        log.oob_accesses.first,
        [oob_access(Role::Table, far, 4, false)]
    );
    let dst: Vec<u32> = items(memory.get(Role::Destination).unwrap().body());
    assert_eq!(dst[..3], [0xEEEE_EEEE, 2, 0]);
}

#[test]
fn an_atomic_past_the_table_is_one_oob_access() {
    let one = |dtype| valid(dtype, 1, 8, 1, 2);
    let call = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..plain(Elem, flat(Uint32, 4), one(Uint32), one(Int32))
    };
    let mut memory = three(
        vec![0; 16],
        (Role::Source, bytes(&[1_u32; 8])),
        bytes(&[4, 0]),
    );
    let log = execute(Call::Mscatter(call), &mut memory, How::default());
    assert_eq!(
        log.oob_accesses.first,
        [oob_access(Role::Table, 16, 4, true)]
    );
    let table = memory.get(Role::Table).unwrap();
    assert_eq!(
        table.bytes()[GUARD + 16..][..5],
        [0xA6, 0xA5, 0xA5, 0xA5, 0xA5]
    );
}

#[test]
fn a_scalar_atomic_oob_accesses_twice() {
    let one = |dtype| valid(dtype, 1, 8, 1, 1);
    let call = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..mscatter(Elem, flat(Uint32, 4), one(Uint32), one(Int32))
    };
    let mut memory = three(vec![0; 16], (Role::Source, bytes(&[1_u32; 8])), bytes(&[4]));
    let log = execute(Call::Mscatter(call), &mut memory, How::default());
    let both = [false, true].map(|write| oob_access(Role::Table, 16, 4, write));
    assert_eq!(log.oob_accesses.first, both);
}

#[test]
fn a_short_index_tile_is_read_past_its_end() {
    // Four source rows, but memory for two indices: the others come from the guard zone.
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        let call = Mscatter {
            oob: ScatterOob::Skip,
            conflict,
            ..mscatter(
                Row,
                rows(Int32, 4, 8),
                dynamic(tile(Int32, 4, 8)),
                dynamic(tile(Int32, 1, 2)),
            )
        };
        let data = (Role::Source, bytes(&(0..32).collect::<Vec<i32>>()));
        let mut memory = three(vec![0; 128], data, bytes(&[1, 0]));
        let log = execute(Call::Mscatter(call), &mut memory, How::default());
        let mut oob_accesses = log.oob_accesses.first;
        oob_accesses.dedup();
        let expected = [8, 12].map(|offset| oob_access(Role::Index, offset, 4, false));
        assert_eq!(oob_accesses, expected, "{conflict}");
        let table: Vec<i32> = items(memory.get(Role::Table).unwrap().body());
        assert_eq!((table[0], table[8]), (8, 0));
    }
}

#[test]
fn perf_10_every_warp_of_a_row_loads_its_index() {
    // Rows of 64 columns have two warps each, which both miss the second index.
    let call = Mscatter {
        oob: ScatterOob::Skip,
        ..plain(
            Row,
            rows(Int32, 4, 64),
            dynamic(tile(Int32, 2, 64)),
            dynamic(tile(Int32, 1, 2)),
        )
    };
    for run in [execute, execute_silently] {
        let data = (Role::Source, vec![0; 512]);
        let mut memory = three(vec![0; 1024], data, bytes(&[1]));
        let log = run(Call::Mscatter(call), &mut memory, How::default());
        assert_eq!(
            log.oob_accesses.first,
            [oob_access(Role::Index, 4, 4, false); 2]
        );
    }
}

#[test]
fn the_last_kernels_note_oob_access_indices_once_each() {
    let call = mscatter(
        Elem,
        flat(Int32, 4),
        dynamic(tile(Int32, 2, 8)),
        dynamic(tile(Int32, 1, 8)),
    );
    let data = (Role::Source, vec![0; 64]);
    let mut memory = three(vec![0; 16], data, bytes(&[0; 8]));
    let log = execute_silently(Call::Mscatter(call), &mut memory, How::default());
    assert_eq!(log.oob_accesses.count, 8);
    assert_eq!(
        log.oob_accesses.first[0],
        oob_access(Role::Index, 32, 4, false)
    );
    assert_eq!(
        log.oob_accesses.first[7],
        oob_access(Role::Index, 60, 4, false)
    );
}

#[test]
fn a_source_tile_without_memory_is_read_as_its_guard_zone() {
    let pair = |dtype| valid(dtype, 1, 8, 1, 2);
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        let call = Mscatter {
            conflict,
            ..mscatter(Elem, flat(Int32, 4), pair(Int32), pair(Int32))
        };
        let mut memory = three(vec![0; 16], (Role::Source, vec![1; 4]), bytes(&[0, 1]));
        let log = execute(Call::Mscatter(call), &mut memory, How::default());
        assert_eq!(
            log.oob_accesses.first,
            [oob_access(Role::Source, 4, 4, false)]
        );
        let table = memory.get(Role::Table).unwrap();
        assert_eq!(table.body()[..8], [1, 1, 1, 1, FENCE, FENCE, FENCE, FENCE]);
    }
}

#[test]
fn bytes_that_make_no_whole_element_are_outside() {
    let pair = |dtype| valid(dtype, 1, 8, 1, 2);
    let call = plain(Elem, flat(Int32, 2), pair(Int32), pair(Int32));
    // Seven bytes of table: element 1 covers one byte of guard zone.
    let mut memory = three(vec![0; 7], (Role::Source, bytes(&[-1; 8])), bytes(&[1, 0]));
    let log = execute(Call::Mscatter(call), &mut memory, How::default());
    assert_eq!(
        log.oob_accesses.first,
        [oob_access(Role::Table, 4, 4, true)]
    );
    let table = memory.get(Role::Table).unwrap();
    assert_eq!(table.body(), [0xFF; 7]);
    assert_eq!(table.bytes()[GUARD + 7..][..2], [0xFF, FENCE]);
}

#[test]
fn only_the_first_oob_accesses_are_kept() {
    let call = plain(Elem, flat(Int32, 4), tile(Int32, 8, 16), tile(Int32, 8, 16));
    let mut memory = three(vec![0; 16], (Role::Source, vec![0; 512]), bytes(&[4; 128]));
    let log = execute(Call::Mscatter(call), &mut memory, How::default());
    assert_eq!(log.oob_accesses.count, 128);
    assert_eq!(log.oob_accesses.first.len(), OobAccesses::KEPT);
}

#[test]
fn elements_oob_access_one_by_one_among_others() {
    // The third and the tenth lie behind 16 slots.
    let call = plain(
        Elem,
        flat(Int32, 16),
        tile(Int32, 1, 16),
        tile(Int32, 1, 16),
    );
    let idx = [0, 1, 17, 3, 4, 5, 6, 7, 8, 16, 10, 11, 12, 13, 14, 15];
    let src: Vec<i32> = (1..=16).collect();
    let mut memory = three(vec![0; 64], (Role::Source, bytes(&src)), bytes(&idx));
    let log = execute_silently(Call::Mscatter(call), &mut memory, How::default());
    let expected = [68, 64].map(|offset| oob_access(Role::Table, offset, 4, true));
    assert_eq!(log.oob_accesses.first, expected);
    let table = memory.get(Role::Table).unwrap();
    let slots = [1, 2, 0, 4, 5, 6, 7, 8, 9, 0, 11, 12, 13, 14, 15, 16];
    assert_eq!(table.body(), bytes(&slots));
    assert_eq!(table.bytes()[GUARD + 64..][..8], bytes(&[10, 3]));
}

#[test]
fn a_missing_operand_is_a_fault() {
    let call = mscatter(Row, rows(Int32, 4, 8), tile(Int32, 1, 8), tile(Int32, 1, 1));
    for missing in [Role::Table, Role::Source, Role::Index] {
        let mut memory = three(vec![0; 128], (Role::Source, vec![0; 32]), vec![0; 4]);
        memory.regions.retain(|region| region.role != missing);
        let mut log = Log::default();
        let run = A5.execute(
            &Call::Mscatter(call),
            &mut memory,
            &How::default(),
            &mut log,
        );
        assert!(run.is_err(), "{missing}");
    }
}

#[test]
fn enormous_extents_end_in_a_fault_not_in_a_panic() {
    let huge = |dtype| Tile {
        rows: u64::MAX,
        cols: u64::MAX,
        ..dynamic(valid(dtype, 1, 1, 2, 2))
    };
    let whole = |dtype| dynamic(tile(dtype, u64::MAX, u64::MAX));
    for data in [huge(Int32), whole(Int32)] {
        let call = mscatter(Elem, flat(Int32, 4), data, data);
        let mut memory = three(vec![0; 16], (Role::Source, vec![0; 32]), vec![0; 32]);
        let mut log = Log::default();
        let run = A5.execute(
            &Call::Mscatter(call),
            &mut memory,
            &How::default(),
            &mut log,
        );
        assert!(run.is_err());
    }
}

#[test]
fn gap_11_addresses_are_exact_beyond_32_bits() {
    // Row 40000 of 65536 columns: element 2621440000, an out-of-bounds access as memory is small.
    let table = rows(Half, 65536, 65536);
    let mut src = tile(Half, 1, 65536);
    src.valid_col = Dim::Dynamic(65536);
    let call = plain(Row, table, src, tile(Int32, 1, 1));
    let data = (Role::Source, vec![0; 131_072]);
    let mut memory = three(vec![0; 64], data, bytes(&[40_000]));
    let log = execute(Call::Mscatter(call), &mut memory, How::default());
    assert_eq!(log.oob_accesses.count, 65536);
    assert_eq!(log.oob_accesses.first[0].offset, 5_242_880_000);
    assert_eq!(log.oob_accesses.first[1].offset, 5_242_880_002);
}

/// Its last element stands far behind its first; the table takes what the guard
/// zone holds there.
#[test]
fn a_row_that_leaves_a_column_major_source_oob_accesses() {
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        let src = col_major(valid(Int32, 8, 4, 1, 4));
        let call = Mscatter {
            conflict,
            ..mscatter(Row, rows(Int32, 8, 4), src, tile(Int32, 1, 1))
        };
        // Columns begin at elements 0, 8, 16 and 24, of which there are 24.
        let elements: Vec<i32> = (100..124).collect();
        let mut memory = memory(&[
            (Role::Table, vec![0; 128]),
            (Role::Source, bytes(&elements)),
            (Role::Index, bytes(&[5])),
        ]);
        let log = execute_silently(Call::Mscatter(call), &mut memory, How::default());
        let oob_access = OobAccess {
            role: Role::Source,
            offset: 96,
            len: 4,
            write: false,
        };
        assert_eq!(
            (log.oob_accesses.count, log.oob_accesses.first),
            (1, vec![oob_access])
        );
        let table = memory.get(Role::Table).unwrap();
        let fence = i32::from_le_bytes([FENCE; 4]);
        let row: Vec<i32> = items(&table.body()[80..96]);
        assert_eq!(row, [100, 108, 116, fence], "{conflict}");
    }
}

#[test]
fn operands_are_found_in_every_order() {
    let call = Call::Mscatter(mscatter(
        Elem,
        flat(Int32, 8),
        tile(Int32, 1, 8),
        tile(Int32, 1, 8),
    ));
    let table = (Role::Table, bytes(&[1; 8]));
    let src = (Role::Source, bytes(&[10, 11, 12, 13, 14, 15, 16, 17]));
    let idx = (Role::Index, bytes(&[7, 6, 5, 4, 3, 2, 1, 0]));
    // One that the call has not.
    let other = (Role::Scratch, bytes(&[2; 8]));
    let all = [table, src, idx, other];
    for order in [
        [0, 1, 2, 3],
        [0, 2, 1, 3],
        [1, 0, 2, 3],
        [2, 1, 0, 3],
        [0, 1, 3, 2],
        [0, 3, 2, 1],
        [3, 0, 1, 2],
    ] {
        let mut memory = memory(&order.map(|at| all[at].clone()));
        let log = execute_silently(call, &mut memory, How::default());
        assert_eq!(log, Log::default(), "{order:?}");
        let body = |role| items::<i32>(memory.get(role).expect("an operand").body());
        assert_eq!(body(Role::Table), [17, 16, 15, 14, 13, 12, 11, 10]);
        assert_eq!(body(Role::Scratch), [2; 8]);
    }
}
