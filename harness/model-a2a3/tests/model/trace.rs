//! What is issued, and in which order.

use ptodiff_isa::{
    Call, Coalesce, DType, Event, GatherOob, Mgather, Mscatter,
    Pipe::{MTE2, MTE3, S, V},
    Role, ScatterAtomicOp, ScatterOob, Space,
};

use crate::common::{bytes, legal, mgather, mscatter, nd, nz, nz_tile, padded, pair, table, tile};

fn load(space: Space, role: Role, offset: i64, len: u64) -> Event {
    Event::Load {
        space,
        role,
        offset,
        len,
    }
}

fn store(space: Space, role: Role, offset: i64, len: u64) -> Event {
    Event::Store {
        space,
        role,
        offset,
        len,
    }
}

fn index_load(k: i64) -> Event {
    load(Space::Ub, Role::Index, 4 * k, 4)
}

fn dmas(events: &[Event]) -> Vec<&Event> {
    let is_dma = |e: &&Event| matches!(e, Event::Dma { .. });
    events.iter().filter(is_dma).collect()
}

fn count(events: &[Event], wanted: impl Fn(&Event) -> bool) -> usize {
    events.iter().filter(|e| wanted(e)).count()
}

fn loads(events: &[Event], wanted: Role) -> usize {
    count(
        events,
        |e| matches!(e, Event::Load { role, .. } if *role == wanted),
    )
}

fn stores(events: &[Event]) -> usize {
    count(events, |e| matches!(e, Event::Store { .. }))
}

fn copy(name: &str, from: (Role, i64), to: (Role, i64), len_burst: u64) -> Event {
    Event::Dma {
        name: name.to_owned(),
        from,
        to,
        n_burst: 1,
        len_burst,
        gm_gap: 0,
        ub_gap: 0,
    }
}

fn scatter(call: Mscatter, indices: &[i32]) -> Vec<Event> {
    let table: u64 = (0..5)
        .map(|d| (call.table.shape[d].get() - 1) * call.table.stride[d].get())
        .sum();
    let width = call.src.dtype.size();
    let idx = padded(
        indices,
        call.idx.valid_col.get() as usize,
        call.idx.cols as usize,
        0,
    );
    let operands = [
        vec![0; (table as usize + 1) * width],
        vec![1; (call.src.rows * call.src.cols) as usize * width],
        idx,
    ];
    legal(Call::Mscatter(call), operands).events().to_vec()
}

fn gather(call: Mgather, indices: &[i32]) -> Vec<Event> {
    let table: u64 = (0..5)
        .map(|d| (call.table.shape[d].get() - 1) * call.table.stride[d].get())
        .sum();
    let width = call.dst.dtype.size();
    let idx = padded(
        indices,
        call.idx.valid_col.get() as usize,
        call.idx.cols as usize,
        0,
    );
    let operands = [
        vec![1; (table as usize + 1) * width],
        vec![2; (call.dst.rows * call.dst.cols) as usize * width],
        idx,
    ];
    legal(Call::Mgather(call), operands).events().to_vec()
}

fn half_rows(count: u64) -> Mscatter {
    mscatter(
        Coalesce::Row,
        nd(DType::Half, 8, 64),
        tile(DType::Half, [count, 64], [count, 64]),
        tile(DType::Int32, [1, 8], [1, count]),
    )
}

/// MSCATTER-SYNC-03, -06, -08, MSCATTER-PERF-01: Row None in full.
#[test]
fn scatter_row() {
    let events = scatter(half_rows(2), &[3, 0]);
    let name = "copy_ubuf_to_gm_align_b16";
    let want = [
        pair(V, S).to_vec(),
        pair(MTE2, S).to_vec(),
        pair(S, MTE3).to_vec(),
        vec![
            index_load(0),
            copy(name, (Role::Source, 0), (Role::Table, 384), 128),
        ],
        pair(MTE3, S).to_vec(),
        vec![
            index_load(1),
            copy(name, (Role::Source, 128), (Role::Table, 0), 128),
        ],
        pair(MTE3, S).to_vec(),
        pair(MTE3, V).to_vec(),
        pair(MTE3, MTE2).to_vec(),
    ];
    assert_eq!(events, want.concat());
}

/// MSCATTER-SYNC-03, -04, -07, MSCATTER-ATOM-19, MSCATTER-PERF-04: Row Add in full.
#[test]
fn scatter_row_add() {
    let call = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..mscatter(
            Coalesce::Row,
            nd(DType::Bfloat16, 4, 16),
            tile(DType::Bfloat16, [2, 16], [2, 16]),
            tile(DType::Int32, [1, 8], [1, 2]),
        )
    };
    let events = scatter(call, &[1, 1]);
    let name = "copy_ubuf_to_gm_align_b16";
    let want = [
        pair(V, S).to_vec(),
        pair(MTE2, S).to_vec(),
        vec![Event::SetAtomicAdd(DType::Bfloat16)],
        pair(S, MTE3).to_vec(),
        vec![
            index_load(0),
            copy(name, (Role::Source, 0), (Role::Table, 32), 32),
            index_load(1),
            copy(name, (Role::Source, 32), (Role::Table, 32), 32),
        ],
        pair(MTE3, S).to_vec(),
        vec![Event::SetAtomicNone],
        pair(S, V).to_vec(),
        pair(S, MTE2).to_vec(),
        pair(MTE3, V).to_vec(),
        pair(MTE3, MTE2).to_vec(),
    ];
    assert_eq!(events, want.concat());
}

/// MSCATTER-SYNC-05, -09, MSCATTER-PERF-03: Elem Add in full, one element dropped.
#[test]
fn scatter_elem_add() {
    let call = Mscatter {
        atomic: ScatterAtomicOp::Add,
        oob: ScatterOob::Skip,
        ..mscatter(
            Coalesce::Elem,
            nd(DType::Float, 1, 8),
            tile(DType::Float, [1, 8], [1, 2]),
            tile(DType::Int32, [1, 8], [1, 2]),
        )
    };
    let events = scatter(call, &[8, 5]);
    let want = [
        pair(V, S).to_vec(),
        pair(MTE3, S).to_vec(),
        pair(MTE2, S).to_vec(),
        vec![
            index_load(0),
            index_load(1),
            load(Space::Ub, Role::Source, 4, 4),
            load(Space::Gm, Role::Table, 20, 4),
            store(Space::Gm, Role::Table, 20, 4),
        ],
        pair(S, V).to_vec(),
        pair(S, MTE2).to_vec(),
        pair(S, MTE3).to_vec(),
    ];
    assert_eq!(events, want.concat());
}

/// MSCATTER-OOB-06, MSCATTER-GAP-29: a skipped row has neither DMA nor flag.
#[test]
fn skipped_rows_issue_nothing() {
    let call = Mscatter {
        oob: ScatterOob::Skip,
        ..half_rows(8)
    };
    let events = scatter(call, &[0, 8, 1, 9, 2, 3, 100, 4]);
    assert_eq!(dmas(&events).len(), 5);
    let each = Event::SetFlag { from: MTE3, to: S };
    assert_eq!(count(&events, |e| *e == each), 5);
}

/// MSCATTER-OOB-06, MSCATTER-PERF-02, -03, MSCATTER-ALIGN-09.
#[test]
fn scatter_elem_counts() {
    let call = mscatter(
        Coalesce::Elem,
        nd(DType::Int32, 1, 16),
        tile(DType::Int32, [3, 8], [3, 3]),
        tile(DType::Int32, [3, 8], [3, 3]),
    );
    let events = scatter(call, &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!((stores(&events), loads(&events, Role::Source)), (9, 9));
    assert_eq!(loads(&events, Role::Table), 0);
    assert_eq!(dmas(&events).len(), 0);

    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..call
    };
    let events = scatter(add, &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!((stores(&events), loads(&events, Role::Source)), (9, 9));
    assert_eq!(loads(&events, Role::Table), 9);
    let modes = |e: &Event| matches!(e, Event::SetAtomicAdd(_) | Event::SetAtomicNone);
    assert_eq!(count(&events, modes), 0);

    let skip = Mscatter {
        oob: ScatterOob::Skip,
        ..call
    };
    let events = scatter(skip, &[0, 16, 2, 3, 4, 99, 6, 7, 8]);
    assert_eq!((stores(&events), loads(&events, Role::Source)), (7, 7));
}

/// MSCATTER-ALIGN-05: rows of the source start 32-byte aligned; MSCATTER-PERF-06:
/// a row is one call.
#[test]
fn source_rows_are_aligned() {
    let call = mscatter(
        Coalesce::Row,
        nd(DType::Half, 4, 17),
        tile(DType::Half, [4, 32], [4, 17]),
        tile(DType::Int32, [1, 8], [1, 4]),
    );
    let events = scatter(call, &[0, 1, 2, 3]);
    let name = "copy_ubuf_to_gm_align_b16";
    let want: Vec<Event> = (0..4)
        .map(|r| copy(name, (Role::Source, 64 * r), (Role::Table, 34 * r), 34))
        .collect();
    assert_eq!(dmas(&events), want.iter().collect::<Vec<_>>());

    let wide = mscatter(
        Coalesce::Row,
        nd(DType::Half, 1, 4096),
        tile(DType::Half, [1, 4096], [1, 4096]),
        tile(DType::Int32, [1, 8], [1, 1]),
    );
    let events = scatter(wide, &[0]);
    let want = copy(name, (Role::Source, 0), (Role::Table, 0), 8192);
    assert_eq!(dmas(&events), [&want]);
}

/// MSCATTER-NZ-08, -09.
#[test]
fn scatter_nz_row() {
    let call = mscatter(
        Coalesce::Row,
        nz(DType::Float, [1, 2, 1], 8),
        nz_tile(DType::Float, [16, 16], [1, 16]),
        tile(DType::Int32, [1, 8], [1, 1]),
    );
    let want = Event::Dma {
        name: "copy_ubuf_to_gm_align_b32".to_owned(),
        from: (Role::Source, 0),
        to: (Role::Table, 96),
        n_burst: 2,
        len_burst: 32,
        gm_gap: 480,
        ub_gap: 480,
    };
    assert_eq!(dmas(&scatter(call, &[3])), [&want]);

    let call = mscatter(
        Coalesce::Row,
        nz(DType::Float, [2, 1, 1], 8),
        nz_tile(DType::Float, [16, 16], [5, 16]),
        tile(DType::Int32, [1, 8], [1, 5]),
    );
    let events = scatter(call, &[0, 1, 2, 3, 4]);
    assert_eq!(dmas(&events).len(), 10);
    let each = Event::SetFlag { from: MTE3, to: S };
    assert_eq!(count(&events, |e| *e == each), 10);
}

/// MSCATTER-NZ-13: (0, 0..7), (1, 0..7), (0, 8..15), (1, 8..15).
#[test]
fn scatter_nz_elem_order() {
    let call = mscatter(
        Coalesce::Elem,
        nz(DType::Float, [1, 2, 1], 8),
        nz_tile(DType::Float, [16, 16], [2, 16]),
        tile(DType::Int32, [2, 16], [2, 16]),
    );
    let indices: Vec<i32> = (0..32).collect();
    let events = scatter(call, &indices);
    let order: Vec<i64> = events
        .iter()
        .filter_map(|e| match e {
            Event::Load {
                role: Role::Index,
                offset,
                ..
            } => Some(offset / 4),
            _ => None,
        })
        .collect();
    let want: Vec<i64> = (0..8).chain(16..24).chain(8..16).chain(24..32).collect();
    assert_eq!(order, want);
}

/// MGATHER-SYNC-03, -05, MGATHER-OOB-14: Row with Zero in full.
#[test]
fn gather_row_zero() {
    let call = Mgather {
        oob: GatherOob::Zero,
        ..mgather(
            Coalesce::Row,
            tile(DType::Float, [4, 8], [4, 2]),
            nd(DType::Float, 2, 2),
            tile(DType::Int32, [1, 8], [1, 4]),
        )
    };
    let events = gather(call, &[0, 9, 1, 9]);
    let name = "copy_gm_to_ubuf_align_b32";
    let dst = Role::Destination;
    let want = [
        pair(V, S).to_vec(),
        pair(MTE3, S).to_vec(),
        vec![
            index_load(0),
            copy(name, (Role::Table, 0), (dst, 0), 8),
            index_load(1),
            store(Space::Ub, dst, 32, 4),
            store(Space::Ub, dst, 36, 4),
            index_load(2),
            copy(name, (Role::Table, 8), (dst, 64), 8),
            index_load(3),
            store(Space::Ub, dst, 96, 4),
            store(Space::Ub, dst, 100, 4),
        ],
        pair(S, MTE2).to_vec(),
        pair(MTE2, V).to_vec(),
        pair(MTE2, MTE3).to_vec(),
        pair(S, V).to_vec(),
        pair(S, MTE3).to_vec(),
    ];
    assert_eq!(events, want.concat());
}

/// MGATHER-SYNC-04, -06, MGATHER-OOB-16: Elem with Zero in full.
#[test]
fn gather_elem_zero() {
    let call = Mgather {
        oob: GatherOob::Zero,
        ..mgather(
            Coalesce::Elem,
            tile(DType::Half, [1, 16], [1, 2]),
            nd(DType::Half, 1, 8),
            tile(DType::Int32, [1, 8], [1, 2]),
        )
    };
    let events = gather(call, &[8, 3]);
    let want = [
        pair(V, S).to_vec(),
        pair(MTE3, S).to_vec(),
        pair(MTE2, S).to_vec(),
        vec![
            index_load(0),
            store(Space::Ub, Role::Destination, 0, 2),
            index_load(1),
            load(Space::Gm, Role::Table, 6, 2),
            store(Space::Ub, Role::Destination, 2, 2),
        ],
        pair(S, V).to_vec(),
        pair(S, MTE2).to_vec(),
        pair(S, MTE3).to_vec(),
    ];
    assert_eq!(events, want.concat());
}

/// MGATHER-PERF-01, -05, MGATHER-ALIGN-08.
#[test]
fn gather_counts() {
    let call = mgather(
        Coalesce::Row,
        tile(DType::Half, [3, 32], [3, 20]),
        nd(DType::Half, 4, 20),
        tile(DType::Int32, [1, 8], [1, 3]),
    );
    let events = gather(call, &[3, 1, 0]);
    let name = "copy_gm_to_ubuf_align_b16";
    let want: Vec<Event> = [120, 40, 0]
        .into_iter()
        .zip([0, 64, 128])
        .map(|(gm, ub)| copy(name, (Role::Table, gm), (Role::Destination, ub), 40))
        .collect();
    assert_eq!(dmas(&events), want.iter().collect::<Vec<_>>());

    let call = mgather(
        Coalesce::Elem,
        tile(DType::Float, [3, 8], [3, 5]),
        nd(DType::Float, 1, 16),
        tile(DType::Int32, [3, 8], [3, 5]),
    );
    let events = gather(call, &[0; 15]);
    assert_eq!((stores(&events), dmas(&events).len()), (15, 0));
}

/// MGATHER-PERF-02, -03.
#[test]
fn gather_nz_row() {
    let call = mgather(
        Coalesce::Row,
        nz_tile(DType::Half, [16, 64], [3, 64]),
        nz(DType::Half, [2, 2, 2], 16),
        tile(DType::Int32, [1, 8], [1, 3]),
    );
    let events = gather(call, &[17, 0, 1]);
    let got = dmas(&events);
    assert_eq!(got.len(), 6);
    // Row 17, batch 1: GM element 1024 + 256 + 16, UB column block 2.
    let want = Event::Dma {
        name: "copy_gm_to_ubuf_align_b16".to_owned(),
        from: (Role::Table, 2592),
        to: (Role::Destination, 1024),
        n_burst: 2,
        len_burst: 32,
        gm_gap: 992,
        ub_gap: 480,
    };
    assert_eq!(*got[1], want);
}

/// MGATHER-PERF-04: one fill, then the transfers of the rows in bounds.
#[test]
fn gather_nz_row_zero() {
    let call = Mgather {
        oob: GatherOob::Zero,
        ..mgather(
            Coalesce::Row,
            nz_tile(DType::Half, [16, 32], [4, 32]),
            nz(DType::Half, [2, 1, 1], 16),
            tile(DType::Int32, [1, 8], [1, 4]),
        )
    };
    let events = gather(call, &[0, 16, 1, 2]);
    assert_eq!(dmas(&events).len(), 6);
    assert_eq!(stores(&events), 0);
    let fill = Event::Fill {
        name: None,
        space: Space::Ub,
        role: Role::Destination,
        offset: 0,
        len: 1024,
    };
    assert_eq!(events[4], fill);
    assert_eq!(count(&events, |e| matches!(e, Event::Fill { .. })), 1);
}

/// MGATHER-NZ-13: (0, 0..15), (1, 0..15), (0, 16..31), (1, 16..31); in a tile of
/// 16 rows the stores run over 32-byte rows of each block.
#[test]
fn gather_nz_elem_order() {
    let call = mgather(
        Coalesce::Elem,
        nz_tile(DType::Half, [16, 32], [2, 32]),
        nz(DType::Half, [1, 2, 1], 16),
        tile(DType::Int32, [2, 32], [2, 32]),
    );
    let events = gather(call, &[0; 64]);
    let order: Vec<i64> = events
        .iter()
        .filter_map(|e| match e {
            Event::Store { offset, .. } => Some(*offset),
            _ => None,
        })
        .collect();
    let want: Vec<i64> = (0..32).chain(256..288).map(|k| 2 * k).collect();
    assert_eq!(order, want);
}

/// MSCATTER-SYNC-02, MSCATTER-LAUNCH-11, MGATHER-SYNC-07, MGATHER-LAUNCH-12: every
/// flag that is set is waited for at once, and nothing is launched.
#[test]
fn flags_come_in_pairs() {
    let strided = table(
        DType::Int32,
        [1, 1, 1, 4, 8],
        [64, 64, 64, 16, 1],
        ptodiff_isa::Layout::ND,
    );
    let data = tile(DType::Int32, [4, 8], [4, 8]);
    for mode in [Coalesce::Row, Coalesce::Elem] {
        let idx = match mode {
            Coalesce::Row => tile(DType::Int32, [1, 8], [1, 4]),
            Coalesce::Elem => tile(DType::Int32, [4, 8], [4, 8]),
        };
        let indices = vec![1; (idx.valid_row.get() * idx.valid_col.get()) as usize];
        let mut runs = vec![gather(mgather(mode, data, strided, idx), &indices)];
        for atomic in [ScatterAtomicOp::None, ScatterAtomicOp::Add] {
            let call = Mscatter {
                atomic,
                ..mscatter(mode, strided, data, idx)
            };
            runs.push(scatter(call, &indices));
        }
        for events in runs {
            assert_eq!(
                count(&events, |e| matches!(
                    e,
                    Event::Launch { .. } | Event::Atomic { .. }
                )),
                0
            );
            let mut open = None;
            for event in &events {
                match event {
                    Event::SetFlag { from, to } => open = Some((*from, *to)),
                    Event::WaitFlag { from, to } => assert_eq!(open.take(), Some((*from, *to))),
                    _ => assert_eq!(open, None),
                }
            }
            assert_eq!(open, None);
        }
    }
}

/// The trace is built only if asked for; the table still changes without it.
#[test]
fn bytes_move_without_a_trace() {
    // `legal` runs every call twice, with and without, and compares.
    let ran = legal(
        Call::Mscatter(half_rows(1)),
        [
            bytes([0_u16; 512]),
            bytes([7_u16; 64]),
            bytes([1, 0, 0, 0, 0, 0, 0, 0_i32]),
        ],
    );
    assert_eq!(ran.table::<u16>()[64..128], [7; 64]);
}
