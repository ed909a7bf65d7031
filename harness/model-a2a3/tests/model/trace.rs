//! What is issued, in which order and how often (000 and 001, A2/A3: trip counts,
//! bursts and gaps).

use ptodiff_isa::{
    BurstTail, Call, Coalesce, DType, Event, Mgather, Mscatter, NzRowColumns,
    Pipe::{MTE2, MTE3, S, V},
    Readings, Role, ScatterAtomicOp, ScatterOob, Space, Tile,
};

use crate::common::{
    With, bytes, count, image, legal, line, load, mgather, mscatter, nd, nz, nz_tile, pair,
    reading, tile,
};

use Coalesce::{Elem, Row};
use DType::{Bfloat16, Half, Int32};
use Role::{Destination, Index, Source, Table};
use Space::Ub;

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

/// MSCATTER-GAP-28: 40 bytes become 64; whole chunks stay as they are.
/// MSCATTER-GAP-22: two batches of two blocks, 16 columns each, that end in any of them.
#[test]
fn bursts_under_readings() {
    let bursts = |readings, call| {
        let call = Call::Mscatter(call);
        let operands = [vec![0; 2048], vec![1; 2048], vec![0; 32]];
        let ran = legal(call, readings, operands);
        let bursts = dmas(ran.events()).into_iter();
        bursts
            .map(|(count, len, ..)| (count, len))
            .collect::<Vec<_>>()
    };
    let rounded = reading(|r| r.burst_tail = BurstTail::Rounded);
    for (cols, len) in [(8, 32), (10, 64), (16, 64)] {
        let data = tile(Int32, [1, 24], [1, cols]);
        let call = mscatter(Row, nd(Int32, 1, 24), data, tile(Int32, [1, 8], [1, 1]));
        assert_eq!(bursts(rounded, call), [(1, len)]);
    }
    let kept = reading(|r| r.nz_row_columns = NzRowColumns::Kept);
    for (cols, want) in [
        (9, &[(1, 32), (1, 4)][..]),
        (16, &[(2, 32)]),
        (20, &[(2, 32), (1, 16)]),
        (28, &[(2, 32), (1, 32), (1, 16)]),
        (32, &[(2, 32), (2, 32)]),
    ] {
        let data = nz_tile(Int32, [16, 32], [1, cols]);
        let call = mscatter(
            Row,
            nz(Int32, [2, 2, 1], 8),
            data,
            tile(Int32, [1, 8], [1, 1]),
        );
        assert_eq!(bursts(kept, call), want, "{cols}");
    }
}
