//! Large tables that note what is written of them: nobody may see it but by
//! what a call costs.

use crate::common::*;
use crate::fast::{area, reach};
use crate::property_forms::written;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;
use ptodiff_model_a5::A5;
use strum::VariantArray;

/// Bytes of a table that is worth noting what is written of it.
const LARGE: u64 = 1 << 17;

/// A table of at least that many.
pub(crate) fn large(dtype: DType, width: u64) -> GlobalTensor {
    rows(dtype, LARGE.div_ceil(width * dtype.size() as u64), width)
}

/// The same memory whose regions note what is written of them.
pub(crate) fn noted(plain: &Memory) -> Memory {
    let mut noted = plain.clone();
    noted.regions.iter_mut().for_each(Region::note_writes);
    noted
}

/// Runs a scatter of twos without a trace into a table of ones, which notes what
/// is written of it; where the KiB begin that may no longer be as they were, if
/// the rest is known to be.
fn touched(call: Mscatter, schedule: Schedule, indices: &[i32]) -> Option<Vec<usize>> {
    let plain = memory(&[
        (Role::Table, vec![1; reach(&call.table)]),
        (Role::Source, vec![2; area(&call.src)]),
        (Role::Index, bytes(indices)),
    ]);
    let before = noted(&plain);
    let (mut after, mut ordinary) = (before.clone(), plain);
    let log = execute_silently(Call::Mscatter(call), &mut after, how(schedule));
    assert_eq!(log, Log::default());
    execute_silently(Call::Mscatter(call), &mut ordinary, how(schedule));
    assert!(after == ordinary);
    let [before, after] = [&before, &after].map(|memory| memory.get(Role::Table).unwrap());
    let mut pages: Vec<usize> = before.may_differ(after)?.map(|page| page.start).collect();
    pages.sort_unstable();
    Some(pages)
}

fn every_call(mode: Coalesce, src: Tile, idx: Tile) -> impl Iterator<Item = Mscatter> {
    // Each row of the table is one KiB.
    let call = mscatter(mode, large(Float, 256), src, idx);
    let atomics = ScatterAtomicOp::VARIANTS.iter();
    let each = atomics.flat_map(move |atomic| {
        let atomic = *atomic;
        let call = Mscatter { atomic, ..call };
        ScatterOob::VARIANTS
            .iter()
            .map(move |oob| Mscatter { oob: *oob, ..call })
    });
    each.flat_map(|call| {
        let both = [ScatterConflict::Last, ScatterConflict::Default];
        both.map(|conflict| Mscatter { conflict, ..call })
    })
}

/// Each row of a table has its end in the next KiB: a guard zone stands before it.
#[test]
fn a_scatter_of_few_rows_touches_these_only() {
    let pages = [2, 3, 100, 101].map(|page| page << 10);
    for call in every_call(Row, tile(Float, 3, 256), tile(Int32, 1, 3)) {
        for schedule in SCHEDULES {
            let touched = touched(call, schedule, &[2, 100, 2]);
            assert_eq!(
                touched.as_deref(),
                Some(&pages[..]),
                "{call:?} {schedule:?}"
            );
        }
    }
}

#[test]
fn a_scatter_of_few_elements_touches_these_only() {
    for (src, idx) in [
        (tile(Float, 1, 8), tile(Int32, 1, 8)),
        (valid(Float, 1, 8, 1, 1), valid(Int32, 1, 8, 1, 1)),
    ] {
        for call in every_call(Elem, src, idx) {
            for schedule in SCHEDULES {
                let touched = touched(call, schedule, &[256 * 7; 8]);
                assert_eq!(touched, Some(vec![7 << 10]), "{call:?} {schedule:?}");
            }
        }
    }
}

/// Whether a call leaves a large table as one that nothing was written of.
fn leaves_the_backdrop(call: Mscatter, indices: &[i32]) -> bool {
    let mut memory = noted(&memory(&[
        (Role::Table, vec![1; LARGE as usize]),
        (Role::Source, vec![2; area(&call.src)]),
        (Role::Index, bytes(indices)),
    ]));
    let log = execute_silently(Call::Mscatter(call), &mut memory, How::default());
    assert_eq!(log, Log::default());
    memory.get(Role::Table).unwrap().backdrop().is_some()
}

#[test]
fn a_scatter_that_skips_all_touches_nothing() {
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        let skip = |mode, src, idx| Mscatter {
            oob: ScatterOob::Skip,
            conflict,
            ..mscatter(mode, large(Float, 256), src, idx)
        };
        let rows = skip(Row, tile(Float, 3, 256), tile(Int32, 1, 3));
        assert!(leaves_the_backdrop(rows, &[128, 500, i32::MAX]));
        assert!(!leaves_the_backdrop(rows, &[128, 500, 127]));
        let elements = skip(Elem, tile(Float, 1, 8), tile(Int32, 1, 8));
        assert!(leaves_the_backdrop(elements, &[1 << 15; 8]));
        let one = valid(Float, 1, 8, 1, 1);
        let scalar = skip(Elem, one, valid(Int32, 1, 8, 1, 1));
        assert!(leaves_the_backdrop(scalar, &[1 << 15; 8]));
        // A table without rows takes nothing; Last has lanes for its rows only.
        let mut fewer = rows;
        fewer.oob = ScatterOob::Undefined;
        fewer.table.shape[3] = Dim::Dynamic(0);
        assert!(leaves_the_backdrop(fewer, &[0, 1, 2]));
        fewer.table.shape[3] = Dim::Dynamic(64);
        let left = leaves_the_backdrop(fewer, &[64, 65, 66]);
        assert_eq!(left, conflict == ScatterConflict::Last);
    }
}

/// Elements of any size count by their bytes.
#[test]
fn a_scatter_of_more_than_few_bytes_may_touch_anything() {
    for dtype in [Int8, Half, Float, Int64] {
        let table = large(dtype, 256);
        let mut memory = noted(&memory(&[(Role::Table, vec![1; reach(&table)])]));
        let region = memory.get_mut(Role::Table).unwrap();
        let few = (1..LARGE as usize).take_while(|bytes| region.parts_mut(*bytes).is_some());
        let most = few.count() as u64 / dtype.size() as u64;
        for count in [most, most + 1] {
            let line = |dtype| valid(dtype, 1, count.next_multiple_of(32), 1, count);
            let call = mscatter(Elem, table, line(dtype), line(Int32));
            let indices: Vec<i32> = (0..count as i32).collect();
            for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
                let call = Mscatter { conflict, ..call };
                let touched = touched(call, Schedule::InOrder, &indices);
                assert_eq!(touched.is_some(), count == most, "{count} {call:?}");
            }
        }
    }
}

/// Its last element stands far behind its first; the table takes what the guard
/// zone holds there.
#[test]
fn a_row_that_leaves_a_column_major_source_strays() {
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        let src = col_major(valid(Int32, 8, 4, 1, 4));
        let call = Mscatter {
            conflict,
            ..mscatter(Row, large(Int32, 4), src, tile(Int32, 1, 1))
        };
        // Columns begin at elements 0, 8, 16 and 24, of which there are 24.
        let elements: Vec<i32> = (100..124).collect();
        let mut memory = noted(&memory(&[
            (Role::Table, vec![0; LARGE as usize]),
            (Role::Source, bytes(&elements)),
            (Role::Index, bytes(&[5])),
        ]));
        let log = execute_silently(Call::Mscatter(call), &mut memory, How::default());
        let stray = Stray {
            role: Role::Source,
            offset: 96,
            len: 4,
            write: false,
        };
        assert_eq!((log.strays.count, log.strays.first), (1, vec![stray]));
        let table = memory.get(Role::Table).unwrap();
        let fence = i32::from_le_bytes([FENCE; 4]);
        let row: Vec<i32> = items(&table.body()[80..96]);
        assert_eq!(row, [100, 108, 116, fence], "{conflict}");
    }
}

/// The first lanes' sums stand when a later lane leaves the table.
#[test]
fn a_stray_behind_sums_adds_nothing_twice() {
    let eight = tile(Int32, 1, 8);
    let mut call = mscatter(Elem, large(Int32, 256), eight, eight);
    call.atomic = ScatterAtomicOp::Add;
    let mut memory = noted(&memory(&[
        (Role::Table, vec![0; LARGE as usize]),
        (Role::Source, bytes(&[1; 8])),
        (Role::Index, bytes(&[5, 5, 5, 1 << 15, 5, 6, 6, 6])),
    ]));
    let log = execute_silently(Call::Mscatter(call), &mut memory, How::default());
    assert_eq!(log.strays.count, 1);
    let table = memory.get(Role::Table).unwrap();
    assert_eq!(items::<i32>(&table.body()[16..32]), [0, 4, 3, 0]);
    let behind = &table.bytes()[GUARD + table.body().len()..];
    assert_eq!(behind[..2], [FENCE + 1, FENCE]);
}

/// Operands of any size, for calls look at no more than they reach.
#[test]
fn what_is_only_read_keeps_its_backdrop() {
    use Role::{Destination, Index, Scratch, Source, Table};
    let (dst, src, idx) = (tile(Float, 2, 8), tile(Float, 2, 8), tile(Int32, 2, 8));
    let (line, nz) = (tile(Int32, 1, 2), nz(Float, 16, 8, 2, 8));
    let (gm, gm_idx, scratch) = (large(Float, 8), rows(Int32, 2, 8), flat(Float, 128));
    let l1 = |mode, scratch| mgather_l1(mode, gm, nz, gm_idx, scratch);
    let scalar = l1(Elem, Some(scratch));
    let mut simt = scalar;
    simt.exec = GatherExec::Simt;
    for call in [
        Call::Mgather(mgather(Row, gm, dst, line)),
        Call::Mgather(mgather(Elem, gm, dst, idx)),
        Call::MgatherL1(l1(Row, None)),
        Call::MgatherL1(scalar),
        Call::MgatherL1(simt),
        Call::Mscatter(mscatter(Row, gm, src, line)),
        Call::Mscatter(mscatter(Elem, gm, src, idx)),
        Call::TscatterIndex(TscatterIndex { dst, src, idx }),
        Call::TscatterMask(masked(MaskPattern::P1111, dst, src)),
        Call::Tgatherb(Tgatherb {
            dst,
            src,
            offset: idx,
        }),
    ] {
        for trace in [None, Some(Vec::new())] {
            let roles = [Table, Source, Destination, Index, Scratch];
            let mut memory = noted(&memory(&roles.map(|role| (role, vec![0; LARGE as usize]))));
            let mut log = Log {
                trace,
                ..Log::default()
            };
            let end = A5.execute(&call, &mut memory, &How::default(), &mut log);
            assert_eq!((end, log.strays.count), (Ok(End::Finished), 0));
            for region in &memory.regions {
                let kept = region.backdrop().is_some();
                assert!(kept || written(&call).contains(&region.role), "{call:?}");
            }
        }
    }
}
