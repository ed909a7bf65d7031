//! What is issued, in which order and how often (000 and 001, A2/A3: trip counts,
//! bursts and gaps).

use ptodiff_isa::{
    Call, Coalesce, DType, Event, GatherOob, Mgather, Mscatter,
    Pipe::{MTE2, MTE3, S, V},
    Readings, Role, ScatterAtomicOp, ScatterOob, Space, Tile,
};

use crate::common::{
    With, bytes, count, image, legal, line, load, mgather, mscatter, nd, nz, nz_tile, pair, store,
    tile,
};

use Coalesce::{Elem, Row};
use DType::{Bfloat16, Float, Half, Int32};
use Role::{Destination, Index, Source, Table};
use Space::{Gm, Ub};

/// The trace of a legal call by these indices.
fn trace(call: Call, indices: &[i32]) -> Vec<Event> {
    let idx = match &call {
        Call::Mscatter(call) => call.idx,
        Call::Mgather(call) => call.idx,
        _ => unreachable!("no other call here"),
    };
    let (table, tile) = (call.table().expect("a table"), call.data_tile());
    let last = (0..5).map(|d| (table.shape[d].get() - 1) * table.stride[d].get());
    let (width, last) = (tile.dtype.size(), last.sum::<u64>() as usize);
    let operands = [
        vec![1; (last + 1) * width],
        vec![2; (tile.rows * tile.cols) as usize * width],
        bytes(image(&idx, indices, 0)),
    ];
    let ran = legal(call, Readings::default(), operands);
    ran.events().to_vec()
}

fn scatter(call: Mscatter, indices: &[i32]) -> Vec<Event> {
    trace(Call::Mscatter(call), indices)
}

fn gather(call: Mgather, indices: &[i32]) -> Vec<Event> {
    trace(Call::Mgather(call), indices)
}

fn add(call: Mscatter) -> Mscatter {
    call.with(|c| c.atomic = ScatterAtomicOp::Add)
}

fn index_load(k: i64) -> Event {
    load(Ub, Index, 4 * k, 4)
}

/// Bursts, their length, and the gaps in GM and UB.
type Bursts = (u64, u64, i64, i64);

fn dma(name: &str, from: (Role, i64), to: (Role, i64), bursts: Bursts) -> Event {
    let (n_burst, len_burst, gm_gap, ub_gap) = bursts;
    Event::Dma {
        name: name.to_owned(),
        from,
        to,
        n_burst,
        len_burst,
        gm_gap,
        ub_gap,
    }
}

/// The bursts of every DMA.
fn dmas(events: &[Event]) -> Vec<Bursts> {
    let bursts = |event: &Event| match *event {
        Event::Dma {
            n_burst,
            len_burst,
            gm_gap,
            ub_gap,
            ..
        } => Some((n_burst, len_burst, gm_gap, ub_gap)),
        _ => None,
    };
    events.iter().filter_map(bursts).collect()
}

fn times(events: &[Event], wanted: impl Fn(&Event) -> bool) -> usize {
    events.iter().filter(|e| wanted(e)).count()
}

/// Loads and stores of an operand.
fn accesses(events: &[Event], wanted: Role) -> [usize; 2] {
    [
        times(
            events,
            |e| matches!(e, Event::Load { role, .. } if *role == wanted),
        ),
        times(
            events,
            |e| matches!(e, Event::Store { role, .. } if *role == wanted),
        ),
    ]
}

/// A Row index tile.
fn row_index(count: u64) -> Tile {
    tile(Int32, [1, 64], [1, count])
}

/// MSCATTER-SYNC-02, -03, -06, -08, MSCATTER-LAUNCH-11, MSCATTER-PERF-01: Row None in full.
#[test]
fn scatter_row() {
    let data = tile(Half, [2, 64], [2, 64]);
    let events = scatter(mscatter(Row, nd(Half, 8, 64), data, row_index(2)), &[3, 0]);
    let copy = |from, to| {
        let (from, to) = ((Source, from), (Table, to));
        vec![dma("copy_ubuf_to_gm_align_b16", from, to, (1, 128, 0, 0))]
    };
    let want = [
        pair(V, S).to_vec(),
        pair(MTE2, S).to_vec(),
        pair(S, MTE3).to_vec(),
        vec![index_load(0)],
        copy(0, 384),
        pair(MTE3, S).to_vec(),
        vec![index_load(1)],
        copy(128, 0),
        pair(MTE3, S).to_vec(),
        pair(MTE3, V).to_vec(),
        pair(MTE3, MTE2).to_vec(),
    ];
    assert_eq!(events, want.concat());
}

/// MSCATTER-SYNC-03, -04, -06, -07, MSCATTER-ATOM-19, MSCATTER-PERF-04: Row Add in full.
#[test]
fn scatter_row_add() {
    let data = tile(Bfloat16, [2, 16], [2, 16]);
    let call = mscatter(Row, nd(Bfloat16, 4, 16), data, row_index(2));
    let copy = |from| {
        let (from, to) = ((Source, from), (Table, 32));
        dma("copy_ubuf_to_gm_align_b16", from, to, (1, 32, 0, 0))
    };
    let want = [
        pair(V, S).to_vec(),
        pair(MTE2, S).to_vec(),
        vec![Event::SetAtomicAdd(Bfloat16)],
        pair(S, MTE3).to_vec(),
        vec![index_load(0), copy(0), index_load(1), copy(32)],
        pair(MTE3, S).to_vec(),
        vec![Event::SetAtomicNone],
        pair(S, V).to_vec(),
        pair(S, MTE2).to_vec(),
        pair(MTE3, V).to_vec(),
        pair(MTE3, MTE2).to_vec(),
    ];
    assert_eq!(scatter(add(call), &[1, 1]), want.concat());
}

/// MSCATTER-SYNC-05, -09, MSCATTER-PERF-03: Elem Add in full, one element dropped.
#[test]
fn scatter_elem_add() {
    let data = tile(Float, [1, 8], [1, 2]);
    let call = mscatter(Elem, line(Float, 8), data, tile(Int32, [1, 8], [1, 2]))
        .with(|c| c.oob = ScatterOob::Skip);
    let want = [
        pair(V, S).to_vec(),
        pair(MTE3, S).to_vec(),
        pair(MTE2, S).to_vec(),
        vec![
            index_load(0),
            index_load(1),
            load(Ub, Source, 4, 4),
            load(Gm, Table, 20, 4),
            store(Gm, Table, 20, 4),
        ],
        pair(S, V).to_vec(),
        pair(S, MTE2).to_vec(),
        pair(S, MTE3).to_vec(),
    ];
    assert_eq!(scatter(add(call), &[8, 5]), want.concat());
}

/// MGATHER-SYNC-03, -05, -07, MGATHER-LAUNCH-12, MGATHER-OOB-14: Row with Zero in full.
#[test]
fn gather_row_zero() {
    let data = tile(Float, [4, 8], [4, 2]);
    let call = mgather(Row, data, nd(Float, 2, 2), row_index(4)).with(|c| c.oob = GatherOob::Zero);
    let copy = |from, to| {
        let (from, to) = ((Table, from), (Destination, to));
        dma("copy_gm_to_ubuf_align_b32", from, to, (1, 8, 0, 0))
    };
    let want = [
        pair(V, S).to_vec(),
        pair(MTE3, S).to_vec(),
        vec![
            index_load(0),
            copy(0, 0),
            index_load(1),
            store(Ub, Destination, 32, 4),
            store(Ub, Destination, 36, 4),
            index_load(2),
            copy(8, 64),
            index_load(3),
            store(Ub, Destination, 96, 4),
            store(Ub, Destination, 100, 4),
        ],
        pair(S, MTE2).to_vec(),
        pair(MTE2, V).to_vec(),
        pair(MTE2, MTE3).to_vec(),
        pair(S, V).to_vec(),
        pair(S, MTE3).to_vec(),
    ];
    assert_eq!(gather(call, &[0, 9, 1, 9]), want.concat());
}

/// MGATHER-SYNC-04, -06, MGATHER-OOB-16: Elem with Zero in full.
#[test]
fn gather_elem_zero() {
    let (dst, idx) = (tile(Half, [1, 16], [1, 2]), tile(Int32, [1, 8], [1, 2]));
    let call = mgather(Elem, dst, line(Half, 8), idx).with(|c| c.oob = GatherOob::Zero);
    let want = [
        pair(V, S).to_vec(),
        pair(MTE3, S).to_vec(),
        pair(MTE2, S).to_vec(),
        vec![
            index_load(0),
            store(Ub, Destination, 0, 2),
            index_load(1),
            load(Gm, Table, 6, 2),
            store(Ub, Destination, 2, 2),
        ],
        pair(S, V).to_vec(),
        pair(S, MTE2).to_vec(),
        pair(S, MTE3).to_vec(),
    ];
    assert_eq!(gather(call, &[8, 3]), want.concat());
}

/// MSCATTER-PERF-01, -02, -06, MSCATTER-ALIGN-05, MGATHER-PERF-01, -05, -06, MGATHER-ALIGN-08:
/// a row is one call, however wide; rows of a tile start 32-byte aligned.
#[test]
fn nd_rows() {
    let data = tile(Half, [3, 32], [3, 20]);
    let table = nd(Half, 4, 20);
    let places = |events: Vec<Event>| -> Vec<_> {
        let place = |event: &Event| match event {
            Event::Dma { from, to, .. } => Some((from.1, to.1)),
            _ => None,
        };
        assert_eq!(dmas(&events), [(1, 40, 0, 0); 3]);
        events.iter().filter_map(place).collect()
    };
    let rows = [3, 1, 0];
    let found = places(scatter(mscatter(Row, table, data, row_index(3)), &rows));
    assert_eq!(found, [(0, 120), (64, 40), (128, 0)]);
    let found = places(gather(mgather(Row, data, table, row_index(3)), &rows));
    assert_eq!(found, [(120, 0), (40, 64), (0, 128)]);

    let wide = tile(Half, [1, 4096], [1, 4096]);
    let table = nd(Half, 1, 4096);
    let events = scatter(mscatter(Row, table, wide, row_index(1)), &[0]);
    assert_eq!(dmas(&events), [(1, 8192, 0, 0)]);
    let events = gather(mgather(Row, wide, table, row_index(1)), &[0]);
    assert_eq!(dmas(&events), [(1, 8192, 0, 0)]);
}

/// MSCATTER-NZ-08, -09, MSCATTER-PERF-02, MGATHER-PERF-02, -03: gShape0 transfers
/// a row, of gShape1 bursts of 32 bytes; between two bursts gStride1 - 16
/// elements of GM, and 31 of the tile's 32 rows.
#[test]
fn nz_rows() {
    let data = nz_tile(Half, [32, 64], [3, 64]);
    let table = nz(Half, [2, 2, 2], 16);
    let want = [(2, 32, 992, 992); 6];
    let call = mscatter(Row, table, data, row_index(3));
    let events = scatter(call, &[17, 0, 1]);
    assert_eq!(dmas(&events), want);
    // Each transfer is waited for.
    let each = Event::SetFlag { from: MTE3, to: S };
    assert_eq!(times(&events, |e| *e == each), 6);
    let events = gather(mgather(Row, data, table, row_index(3)), &[17, 0, 1]);
    assert_eq!(dmas(&events), want);
    // Row 17, batch 1: GM element 1024 + 256 + 16, UB column block 2 of 32 rows.
    let (from, to) = ((Table, 2592), (Destination, 2048));
    let second = dma("copy_gm_to_ubuf_align_b16", from, to, want[0]);
    assert_eq!(times(&events, |e| *e == second), 1);
    let src = nz_tile(Half, [16, 64], [3, 64]);
    let events = scatter(Mscatter { src, ..call }, &[0, 1, 2]);
    assert_eq!(dmas(&events), [(2, 32, 992, 480); 6]);
}

/// MGATHER-PERF-04: one fill, then the transfers of the rows in bounds.
#[test]
fn gather_nz_row_zero() {
    let (dst, table) = (nz_tile(Half, [16, 32], [4, 32]), nz(Half, [2, 1, 1], 16));
    let call = mgather(Row, dst, table, row_index(4)).with(|c| c.oob = GatherOob::Zero);
    let events = gather(call, &[0, 16, 1, 2]);
    assert_eq!(dmas(&events).len(), 6);
    assert_eq!(accesses(&events, Destination), [0, 0]);
    let fill = Event::Fill {
        name: None,
        space: Ub,
        role: Destination,
        offset: 0,
        len: 1024,
    };
    assert_eq!(events[4], fill);
    assert_eq!(times(&events, |e| matches!(e, Event::Fill { .. })), 1);
}

/// MSCATTER-NZ-13, MGATHER-NZ-13: (0, 0..15), (1, 0..15), (0, 16..31), (1, 16..31).
#[test]
fn nz_elem_order() {
    let (data, table) = (nz_tile(Half, [16, 32], [2, 32]), nz(Half, [1, 2, 1], 16));
    let idx = tile(Int32, [2, 32], [2, 32]);
    let order = |events: Vec<Event>| -> Vec<i64> {
        let index = |e: &Event| match e {
            Event::Load {
                role: Index,
                offset,
                ..
            } => Some(offset / 4),
            _ => None,
        };
        events.iter().filter_map(index).collect()
    };
    let walk = [0..16, 32..48, 16..32, 48..64].map(Vec::from_iter).concat();
    let events = scatter(mscatter(Elem, table, data, idx), &count(0, 64));
    assert_eq!(order(events), walk);
    let events = gather(mgather(Elem, data, table, idx), &[0; 64]);
    assert_eq!(order(events), walk);
}

/// MSCATTER-PERF-02, -03, MSCATTER-ALIGN-09, MGATHER-PERF-05: validRow * validCol scalar
/// copies, ND and NZ, and no DMA and no mode.
#[test]
fn elements() {
    let index = tile(Int32, [5, 24], [5, 20]);
    let blocks = (nz_tile(Half, [16, 32], [5, 20]), nz(Half, [1, 2, 1], 16));
    for (data, table) in [(tile(Half, [5, 32], [5, 20]), nd(Half, 8, 32)), blocks] {
        let call = mscatter(Elem, table, data, index);
        for (call, reads) in [(call, 0), (add(call), 100)] {
            let events = scatter(call, &[0; 100]);
            assert_eq!(accesses(&events, Index), [100, 0]);
            assert_eq!(accesses(&events, Source), [100, 0]);
            assert_eq!(accesses(&events, Table), [reads, 100]);
            let mode = |e: &Event| matches!(e, Event::SetAtomicAdd(_) | Event::SetAtomicNone);
            assert_eq!((dmas(&events).len(), times(&events, mode)), (0, 0));
        }
        let events = gather(mgather(Elem, data, table, index), &[0; 100]);
        assert_eq!(accesses(&events, Index), [100, 0]);
        assert_eq!(accesses(&events, Table), [100, 0]);
        assert_eq!(accesses(&events, Destination), [0, 100]);
        assert_eq!(dmas(&events), []);
    }
}

/// MSCATTER-OOB-06, MSCATTER-GAP-29: what is skipped has neither DMA nor flag, nor load.
#[test]
fn skipped_rows_and_elements_issue_nothing() {
    let oob = ScatterOob::Skip;
    let data = tile(Half, [8, 64], [8, 64]);
    let call = mscatter(Row, nd(Half, 8, 64), data, row_index(8));
    let call = Mscatter { oob, ..call };
    let events = scatter(call, &[0, 8, 1, 9, 2, 3, 100, 4]);
    assert_eq!(dmas(&events), [(1, 128, 0, 0); 5]);
    let each = Event::SetFlag { from: MTE3, to: S };
    assert_eq!(times(&events, |e| *e == each), 5);

    let data = tile(Int32, [1, 8], [1, 3]);
    let call = mscatter(Elem, line(Int32, 16), data, data);
    let events = scatter(Mscatter { oob, ..call }, &[0, 16, 99]);
    let found = [Source, Table].map(|role| accesses(&events, role));
    assert_eq!(found, [[1, 0], [0, 1]]);
}
