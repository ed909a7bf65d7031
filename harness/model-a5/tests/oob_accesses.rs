//! Accesses outside operands (OOB-02, -03; the trait's rules on guard zones).

use crate::common::*;
use ptodiff_isa::ScatterConflict::{Default as Any, Last};
use ptodiff_model_a5::A5;

const BOTH: [ScatterConflict; 2] = [Any, Last];

/// A scatter on operands of any size: the table's image, and the accesses outside. With
/// a trace it must be the same.
fn scattered(call: Mscatter, operands: [Vec<u8>; 3]) -> (Region, OobAccesses) {
    let [table, src, idx] = operands;
    let before = memory(&[
        (Role::Table, table),
        (Role::Source, src),
        (Role::Index, idx),
    ]);
    let (mut silent, mut traced) = (before.clone(), before);
    let call = Call::Mscatter(call);
    let log = execute_silently(call, &mut silent, How::default());
    let with_trace = execute(call, &mut traced, How::default());
    let got = (&log.oob_accesses, &silent);
    assert_eq!(got, (&with_trace.oob_accesses, &traced));
    let table = silent.get(Role::Table).expect("a table");
    (table.clone(), log.oob_accesses)
}

fn words(region: &Region) -> Vec<i32> {
    items(region.body())
}

fn write(offset: i64) -> OobAccess {
    outside(Role::Table, offset, 4, true)
}

fn part(dtype: DType, cols: u64) -> Tile {
    valid(dtype, 1, 8, 1, cols)
}

fn plain(call: Mscatter) -> Mscatter {
    call.with(|c| c.conflict = Any)
}

#[test]
fn a_row_past_the_table_lands_in_the_guard_zone() {
    let call = plain(mscatter(
        Row,
        rows(Int32, 4, 8),
        tile(Int32, 1, 8),
        tile(Int32, 1, 1),
    ));
    let (table, strays) = scattered(call, [vec![0; 128], bytes(&[7; 8]), bytes(&[5])]);
    let expected: Vec<OobAccess> = (0..8).map(|c| write(160 + 4 * c)).collect();
    assert_eq!((strays.count, strays.first), (8, expected));
    assert_eq!(table.body(), [0; 128]);
    // Row 5 is the second row behind the table: 32 bytes into the guard zone.
    let behind = &table.bytes()[GUARD + 128..];
    let got = (&behind[..32], &behind[32..]);
    assert_eq!(got, (&[FENCE; 32][..], &bytes(&[7; 8])[..]));
}

#[test]
fn far_writes_are_dropped_and_far_reads_find_ee() {
    let call = plain(mscatter(
        Elem,
        flat(Int32, 4),
        part(Int32, 2),
        part(Uint32, 2),
    ));
    let idx = bytes(&[u32::MAX, 1]);
    let (table, strays) = scattered(call, [vec![0; 16], bytes(&[7; 8]), idx.clone()]);
    let far = 4 * i64::from(u32::MAX);
    assert_eq!(strays.first, [write(far)]);
    assert_eq!(table, region(Role::Table, &bytes(&[0, 7, 0, 0])));

    let call = mgather(Elem, flat(Int32, 4), part(Int32, 2), part(Uint32, 2));
    let mut memory = memory(&[
        (Role::Table, bytes(&[1, 2, 3, 4])),
        (Role::Destination, vec![0; 32]),
        (Role::Index, idx),
    ]);
    let log = execute(Call::Mgather(call), &mut memory, How::default());
    let got = log.oob_accesses.first;
    assert_eq!(got, [outside(Role::Table, far, 4, false)]);
    let dst: Vec<u32> = items(memory.get(Role::Destination).unwrap().body());
    assert_eq!(dst[..3], [0xEEEE_EEEE, 2, 0]);
}

#[test]
fn an_atomic_past_the_table_is_one_access_and_a_scalar_one_two() {
    for (cols, both) in [(2, false), (1, true)] {
        let call = mscatter(Elem, flat(Uint32, 4), part(Uint32, cols), part(Int32, cols));
        let call = call.with(|c| c.atomic = ScatterAtomicOp::Add);
        let operands = [vec![0; 16], bytes(&[1_u32; 8]), bytes(&[4, 0])];
        let (table, strays) = scattered(call, operands);
        let read = outside(Role::Table, 16, 4, false);
        let expected = [read, write(16)];
        assert_eq!(strays.first, expected[usize::from(!both)..]);
        let got = &table.bytes()[GUARD + 16..][..5];
        assert_eq!(got, [0xA6, 0xA5, 0xA5, 0xA5, 0xA5]);
    }
}

#[test]
fn perf_10_and_short_index_tiles() {
    let read = |offset| outside(Role::Index, offset, 4, false);
    for conflict in BOTH {
        // Four source rows, but memory for two indices: the others come from the guard zone.
        let (src, idx) = (dynamic(tile(Int32, 4, 8)), dynamic(tile(Int32, 1, 2)));
        let call = mscatter(Row, rows(Int32, 4, 8), src, idx);
        let call = call.with(|c| (c.oob, c.conflict) = (ScatterOob::Skip, conflict));
        let operands = [vec![0; 128], bytes(&count_from(0, 32)), bytes(&[1, 0])];
        let (table, mut strays) = scattered(call, operands);
        strays.first.dedup();
        assert_eq!(strays.first, [read(8), read(12)], "{conflict}");
        assert_eq!((words(&table)[0], words(&table)[8]), (8, 0));
    }
    // Every warp of a row loads its index: rows of 64 columns have two warps each.
    let (src, idx) = (dynamic(tile(Int32, 2, 64)), dynamic(tile(Int32, 1, 2)));
    let call = plain(mscatter(Row, rows(Int32, 4, 64), src, idx));
    let call = call.with(|c| c.oob = ScatterOob::Skip);
    let (_, strays) = scattered(call, [vec![0; 1024], vec![0; 512], bytes(&[1])]);
    assert_eq!(strays.first, [read(4); 2]);
    // The Last kernels note each once.
    let (src, idx) = (dynamic(tile(Int32, 2, 8)), dynamic(tile(Int32, 1, 8)));
    let call = mscatter(Elem, flat(Int32, 4), src, idx);
    let mut memory = memory(&[
        (Role::Table, vec![0; 16]),
        (Role::Source, vec![0; 64]),
        (Role::Index, bytes(&[0; 8])),
    ]);
    let log = execute_silently(Call::Mscatter(call), &mut memory, How::default());
    let all: Vec<OobAccess> = (0..8).map(|k| read(32 + 4 * k)).collect();
    assert_eq!(log.oob_accesses.first, all);
}

#[test]
fn short_sources_and_tables() {
    for conflict in BOTH {
        let call = mscatter(Elem, flat(Int32, 4), part(Int32, 2), part(Int32, 2));
        let call = Mscatter { conflict, ..call };
        let (table, strays) = scattered(call, [vec![0; 16], vec![1; 4], bytes(&[0, 1])]);
        assert_eq!(strays.first, [outside(Role::Source, 4, 4, false)]);
        assert_eq!(table.body()[..8], [1, 1, 1, 1, FENCE, FENCE, FENCE, FENCE]);

        // Columns of a source begin at elements 0, 8, 16 and 24, of which there are 24.
        let src = col_major(valid(Int32, 8, 4, 1, 4));
        let call = mscatter(Row, rows(Int32, 8, 4), src, tile(Int32, 1, 1));
        let call = Mscatter { conflict, ..call };
        let operands = [vec![0; 128], bytes(&count_from(100, 24)), bytes(&[5])];
        let (table, strays) = scattered(call, operands);
        assert_eq!(strays.first, [outside(Role::Source, 96, 4, false)]);
        let fence = i32::from_le_bytes([FENCE; 4]);
        assert_eq!(words(&table)[20..24], [100, 108, 116, fence], "{conflict}");
    }
    // Seven bytes of table: element 1 covers one byte of guard zone.
    let call = plain(mscatter(
        Elem,
        flat(Int32, 2),
        part(Int32, 2),
        part(Int32, 2),
    ));
    let (table, strays) = scattered(call, [vec![0; 7], bytes(&[-1; 8]), bytes(&[1, 0])]);
    let got = (strays.first, table.body());
    assert_eq!(got, (vec![write(4)], &[0xFF; 7][..]));
    assert_eq!(table.bytes()[GUARD + 7..][..2], [0xFF, FENCE]);
}

#[test]
fn elements_leave_the_table_one_by_one_and_the_first_are_kept() {
    // The third and the tenth lie behind 16 slots.
    let data = tile(Int32, 1, 16);
    let call = plain(mscatter(Elem, flat(Int32, 16), data, data));
    let idx = [0, 1, 17, 3, 4, 5, 6, 7, 8, 16, 10, 11, 12, 13, 14, 15];
    let operands = [vec![0; 64], bytes(&count_from(1, 16)), bytes(&idx)];
    let (table, strays) = scattered(call, operands);
    assert_eq!(strays.first, [write(68), write(64)]);
    let slots = [1, 2, 0, 4, 5, 6, 7, 8, 9, 0, 11, 12, 13, 14, 15, 16];
    assert_eq!(words(&table), slots);
    assert_eq!(table.bytes()[GUARD + 64..][..8], bytes(&[10, 3]));

    let data = tile(Int32, 8, 16);
    let call = plain(mscatter(Elem, flat(Int32, 4), data, data));
    let (_, strays) = scattered(call, [vec![0; 16], vec![0; 512], bytes(&[4; 128])]);
    assert_eq!((strays.count, strays.first.len()), (128, OobAccesses::KEPT));
}

#[test]
fn gap_11_addresses_are_exact_beyond_32_bits() {
    // Row 40000 of 65536 columns: element 2621440000, in a memory that is small.
    let mut src = tile(Half, 1, 65536);
    src.valid_col = Dim::Dynamic(65536);
    let call = plain(mscatter(
        Row,
        rows(Half, 65536, 65536),
        src,
        tile(Int32, 1, 1),
    ));
    let (_, strays) = scattered(call, [vec![0; 64], vec![0; 131_072], bytes(&[40_000])]);
    assert_eq!(strays.count, 65536);
    let offsets = [strays.first[0].offset, strays.first[1].offset];
    assert_eq!(offsets, [5_242_880_000, 5_242_880_002]);
}

#[test]
fn missing_operands_and_enormous_extents_are_faults() {
    let fault = |call: Mscatter, missing: Option<Role>| {
        let mut memory = memory(&[
            (Role::Table, vec![0; 128]),
            (Role::Source, vec![0; 32]),
            (Role::Index, vec![0; 32]),
        ]);
        memory.regions.retain(|region| Some(region.role) != missing);
        let (how, mut log) = (How::default(), Log::default());
        assert!(
            A5.execute(&Call::Mscatter(call), &mut memory, &how, &mut log)
                .is_err()
        );
    };
    for missing in [Role::Table, Role::Source, Role::Index] {
        let call = mscatter(Row, rows(Int32, 4, 8), tile(Int32, 1, 8), tile(Int32, 1, 1));
        fault(call, Some(missing));
    }
    let whole = dynamic(tile(Int32, u64::MAX, u64::MAX));
    let huge = dynamic(valid(Int32, 1, 1, 2, 2)).with(|c| (c.rows, c.cols) = (u64::MAX, u64::MAX));
    for data in [huge, whole] {
        fault(mscatter(Elem, flat(Int32, 4), data, data), None);
    }
}
