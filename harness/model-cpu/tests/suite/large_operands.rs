//! Large operands note what is written of them, and no more than that.

use std::ops::Range;

use ptodiff_isa::{
    Call, Coalesce, CpuForm, DType, GatherExec, GatherOob, Launch, MaskAxis, MaskPattern, Memory,
    MgatherL1, Mscatter, Readings, Region, Role, ScatterAtomicOp, ScatterOob, Tgatherb,
    TscatterIndex, TscatterMask,
};

use crate::common::{
    Ran, col_major, counted, flat, full, gather, i32s, memory_of, rows, run_under, scatter, tile,
    to_i32s,
};

use Role::{Destination, Index, Scratch, Source, Table};

/// A table of 2048 rows of 32 `int32_t` 0.
static ROWS: [u8; 1 << 18] = [0; 1 << 18];

/// Bytes of one of them.
const ROW: usize = 128;

/// The memory of a call whose operands note what is written of them, if they are large.
fn noting(operands: &[(Role, &[u8])]) -> Memory {
    let mut memory = memory_of(operands);
    memory.regions.iter_mut().for_each(Region::note_writes);
    memory
}

fn operand(memory: &Memory, role: Role) -> &Region {
    memory.get(role).expect("the operand is in the memory")
}

/// Runs the templated form.
fn run(call: &Call, memory: &Memory) -> Ran {
    let readings = Readings {
        cpu_form: CpuForm::Templated,
        ..Readings::default()
    };
    run_under(readings, call, memory.clone(), false)
}

/// Where the bodies of two tables may differ; none where nobody knows.
fn may_differ(before: &Memory, after: &Memory) -> Option<Vec<Range<usize>>> {
    let (before, after) = (operand(before, Table), operand(after, Table));
    let start = before.body_range().start;
    let pages = before.may_differ(after)?;
    Some(
        pages
            .map(|page| page.start.saturating_sub(start)..page.end - start)
            .collect(),
    )
}

/// A scatter of `int32_t` to `ROWS`.
fn to_rows(mode: Coalesce, shape: [u64; 2], idx: [u64; 2]) -> Mscatter {
    let dtype = DType::Int32;
    let mut call = scatter(rows(dtype, 2048, 32), full(dtype, shape), full(dtype, idx));
    call.mode = mode;
    call
}

/// Runs `call` on `ROWS`, which is written at `places` and known to be so.
fn writes(call: Mscatter, idx: &[i32], places: &[Range<usize>]) -> Vec<i32> {
    let elements = call.src.rows * call.src.cols;
    let src = counted(1, elements as usize);
    let before = noting(&[(Table, &ROWS), (Source, &src), (Index, &i32s(idx))]);
    let after = run(&Call::Mscatter(call), &before);
    assert_eq!(after.log.strays.count, 0);
    let pages = may_differ(&before, &after.memory).expect("it is noted what was written");
    for place in places {
        let holds = |page: &Range<usize>| page.start <= place.start && place.end <= page.end;
        assert!(pages.iter().any(holds), "{place:?} of {pages:?}");
    }
    for page in &pages {
        let meets = |place: &Range<usize>| page.start < place.end && place.start < page.end;
        assert!(places.iter().any(meets), "{page:?} beside {places:?}");
        assert!(page.len() <= 1024, "{page:?}");
    }
    to_i32s(after.body(Table))
}

fn row(number: usize) -> Range<usize> {
    number * ROW..(number + 1) * ROW
}

// Rows begin 32 bytes into their region, so the numbers are of rows that end
// in the page they begin in. Row 1000 takes element c twice: 1 + c, 65 + c.
#[test]
fn of_a_large_table_only_the_rows_written_are_noted() {
    let mut call = to_rows(Coalesce::Row, [3, 32], [1, 3]);
    call.atomic = ScatterAtomicOp::Add;
    let table = writes(call, &[1000, 3, 1000], &[row(3), row(1000)]);
    assert_eq!(table[3 * 32..][..3], [33, 34, 35]);
    assert_eq!(table[1000 * 32..][..3], [66, 68, 70]);
    assert_eq!(table.iter().filter(|&&held| held != 0).count(), 64);
}

#[test]
fn of_a_large_table_only_the_elements_written_are_noted() {
    let place = |slot: usize| 4 * slot..4 * slot + 4;
    let mut call = to_rows(Coalesce::Elem, [2, 2], [2, 2]);
    // Slot 65_535 is the last.
    let idx = [9, -1, 65_535, 9];
    call.oob = ScatterOob::Skip;
    let table = writes(call, &idx, &[place(9), place(65_535)]);
    assert_eq!((table[9], table[65_535]), (4, 3));
    call.oob = ScatterOob::Clamp;
    writes(call, &idx, &[place(9), place(65_535)]);
    // Index -1 is 65_536 * 65_536 - 1.
    call.oob = ScatterOob::Wrap;
    writes(call, &idx, &[place(9), place(65_535)]);
}

// A column of indices: by rows with padding, and by columns.
#[test]
fn indices_that_lie_apart_are_no_hindrance() {
    let mut call = to_rows(Coalesce::Row, [2, 32], [2, 1]);
    call.idx = tile(DType::Int32, [2, 8], [2, 1]);
    let mut idx = [0; 16];
    (idx[0], idx[8]) = (40, 80);
    writes(call, &idx, &[row(40), row(80)]);
    call.idx = col_major(call.idx);
    idx[1] = 80;
    writes(call, &idx, &[row(40), row(80)]);
}

#[test]
fn a_scatter_that_writes_nothing_leaves_the_backdrop() {
    let (by_row, by_element) = (Coalesce::Row, Coalesce::Elem);
    let mut without_columns = to_rows(by_row, [2, 32], [1, 2]);
    without_columns.src = tile(DType::Int32, [2, 32], [2, 0]);
    without_columns.oob = ScatterOob::Undefined;
    let mut empty = to_rows(by_element, [2, 2], [2, 2]);
    empty.table = rows(DType::Int32, 0, 32);
    empty.oob = ScatterOob::Clamp;
    let skipped = |mode, shape, idx| Mscatter {
        oob: ScatterOob::Skip,
        ..to_rows(mode, shape, idx)
    };
    for call in [
        skipped(by_row, [2, 32], [1, 2]),
        skipped(by_element, [2, 2], [2, 2]),
        without_columns,
        empty,
    ] {
        let (src, idx) = (counted(1, 64), i32s(&[-1, 65_536, -3, 1 << 20]));
        let before = noting(&[(Table, &ROWS), (Source, &src), (Index, &idx)]);
        let after = run(&Call::Mscatter(call), &before);
        assert_eq!(after.log.strays.count, 0);
        let backdrop = |memory| operand(memory, Table).backdrop();
        assert!(backdrop(&before).is_some());
        assert_eq!(backdrop(&after.memory), backdrop(&before));
    }
}

// The third lane leaves the table: the second and the fourth still add once.
#[test]
fn beside_a_lane_that_strays_all_others_are_combined_once() {
    let mut call = to_rows(Coalesce::Elem, [1, 4], [1, 4]);
    call.atomic = ScatterAtomicOp::Add;
    let (src, idx) = (counted(1, 4), i32s(&[7, 7, 65_536, 7]));
    let before = noting(&[(Table, &ROWS), (Source, &src), (Index, &idx)]);
    let after = run(&Call::Mscatter(call), &before);
    assert_eq!(after.log.strays.count, 2);
    assert_eq!(to_i32s(after.body(Table))[7], 1 + 2 + 4);
    assert_eq!(may_differ(&before, &after.memory), None);
}

// Together they could be on any page of it.
#[test]
fn many_elements_are_not_noted_one_by_one() {
    let call = to_rows(Coalesce::Elem, [16, 256], [16, 256]);
    let (src, idx) = (counted(1, 4096), counted(0, 4096));
    let before = noting(&[(Table, &ROWS), (Source, &src), (Index, &idx)]);
    let after = run(&Call::Mscatter(call), &before);
    assert_eq!(may_differ(&before, &after.memory), None);
    assert_eq!(after.body(Table)[..src.len()], src);
}

// One memory for all: zeros, of which the calls take small tiles.
#[test]
fn an_operand_that_is_only_read_keeps_its_backdrop() {
    let (dtype, launch) = (DType::Int32, Launch::default());
    let (four, table) = (full(dtype, [4, 8]), rows(dtype, 1024, 32));
    let (src, dst, idx) = (four, four, four);
    let l1 = |mode| MgatherL1 {
        dst: full(dtype, [16, 8]),
        table,
        idx: flat(dtype, 128),
        scratch: Some(flat(dtype, 128)),
        mode,
        oob: GatherOob::Clamp,
        exec: GatherExec::Simt,
        launch,
    };
    let to_ub = |mode| Call::Mgather(gather(mode, GatherOob::Undefined, dst, table, idx));
    let pattern = MaskPattern::P0101;
    let mask = |axis| TscatterMask {
        dst,
        src,
        pattern,
        axis,
    };
    let calls = [
        (
            Table,
            Call::Mscatter(to_rows(Coalesce::Row, [4, 8], [1, 4])),
        ),
        (
            Table,
            Call::Mscatter(to_rows(Coalesce::Elem, [4, 8], [4, 8])),
        ),
        (Destination, to_ub(Coalesce::Row)),
        (Destination, to_ub(Coalesce::Elem)),
        (Destination, Call::MgatherL1(l1(Coalesce::Row))),
        (Destination, Call::MgatherL1(l1(Coalesce::Elem))),
        (
            Destination,
            Call::TscatterIndex(TscatterIndex { dst, src, idx }),
        ),
        (Destination, Call::TscatterMask(mask(MaskAxis::Row))),
        (Destination, Call::TscatterMask(mask(MaskAxis::Col))),
        (
            Destination,
            Call::Tgatherb(Tgatherb {
                dst,
                src,
                offset: full(DType::Uint32, [4, 1]),
            }),
        ),
    ];
    let roles = [Table, Source, Destination, Index, Scratch];
    let memory = noting(&roles.map(|role| (role, &ROWS[..1 << 17])));
    for (written, call) in calls {
        for trace in [false, true] {
            let after = run_under(Readings::default(), &call, memory.clone(), trace);
            for role in roles.into_iter().filter(|&role| role != written) {
                let kept = operand(&after.memory, role).backdrop();
                assert!(kept.is_some(), "{role} of {call:?}");
            }
        }
    }
}
